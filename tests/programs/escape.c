// escape PIDFILE [bare]: goes into the background as a daemon does (two forks, a session of its own), leaves
// its pid in PIDFILE and sleeps for ten minutes; the program itself ends well at once. With `bare` the daemon
// also throws its environment away.
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void become_daemon(const char* pid_file, int bare, char* self) {
  char text[32];
  snprintf(text, sizeof text, "%d", (int)getpid());
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.new", pid_file);
  const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, text, strlen(text)) < 0) _exit(1);
  close(fd);
  rename(temporary, pid_file);
  char* argv[] = {self, "--sleep", NULL};
  char* empty[] = {NULL};
  if (bare) execve("/proc/self/exe", argv, empty);
  sleep(600);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--sleep") == 0) return (int)sleep(600);
  if (argc < 2) return 2;
  const pid_t between = fork();
  if (between != 0) {
    waitpid(between, NULL, 0);
    while (access(argv[1], F_OK) != 0) usleep(1000);
    return 0;
  }
  setsid();
  if (fork() != 0) _exit(0);
  become_daemon(argv[1], argc > 2, argv[0]);
  return 0;
}
