// burn SECONDS: uses that much CPU time, all of it in user mode as far as it can.
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  volatile unsigned long counter = 0;
  while ((double)clock() / CLOCKS_PER_SEC < seconds)
    for (int i = 0; i < 100000; ++i) counter = counter + 1;
  return 0;
}
