// garbage BYTES: prints bytes that are no text: control characters, terminal escapes, broken UTF-8, NULs.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const long count = argc > 1 ? atol(argv[1]) : 4096;
  unsigned state = 1;
  fputs("\033[2J\033]0;title\a", stdout);
  for (long i = 0; i < count; ++i) {
    state = state * 1103515245U + 12345U;
    putchar((int)(state >> 16 & 0xff));
  }
  return 3;
}
