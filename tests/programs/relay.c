// relay: a process that hands itself on: every few hundred microseconds it forks, and the parent ends, each
// time in a new session. Whoever wants to kill it must be quicker or hold it fast. Gives up by itself after
// 20 s.
#include <time.h>
#include <unistd.h>

int main(void) {
  const time_t end = time(NULL) + 20;
  if (fork() != 0) {
    usleep(100000);
    return 0;
  }
  while (time(NULL) < end) {
    setsid();
    usleep(300);
    if (fork() != 0) _exit(0);
  }
  return 0;
}
