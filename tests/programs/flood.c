// flood [FILE]: prints (or writes into FILE) for ever, errors or not.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static char text[65536];
  memset(text, 'x', sizeof text);
  for (size_t i = 63; i < sizeof text; i += 64) text[i] = '\n';
  const int fd = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644) : STDOUT_FILENO;
  for (;;)
    if (write(fd, text, sizeof text) < 0) usleep(1000);
}
