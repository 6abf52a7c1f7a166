// stubborn: ignores SIGTERM and SIGINT and never ends.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  puts("not going");
  fflush(stdout);
  for (;;) sleep(60);
}
