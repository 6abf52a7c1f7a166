// recorder FILE [mute|dies]: a recorder as kilter starts them. Says "ready", notes in FILE that it was
// stopped when SIGTERM comes. `mute` never gets ready, `dies` ends at once with 7 after a line on stderr.
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (argc > 2 && strcmp(argv[2], "dies") == 0) {
    fputs("no counters here\n", stderr);
    return 7;
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  if (argc <= 2) {
    puts("ready");
    fflush(stdout);
  }
  int number = 0;
  sigwait(&set, &number);
  FILE* file = fopen(argv[1], "w");
  if (file == NULL) return 1;
  fputs("stopped\n", file);
  return fclose(file) == 0 ? 0 : 1;
}
