#include "bench/command.h"

int main(int argc, char** argv) {
  return kilter::bench::run_program(argc, argv);
}
