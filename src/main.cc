#include "cli/run.h"
#include "os/interrupt.h"

int main(int argc, char** argv) {
  kilter::os::catch_interrupts();
  return kilter::cli::run({argv, argv + argc});
}
