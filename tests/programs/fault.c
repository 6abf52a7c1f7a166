// fault PAGES: touches that many fresh pages.
#include <sys/mman.h>

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  char* memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, pages * size, MADV_NOHUGEPAGE);
  for (size_t page = 0; page < pages; ++page) memory[page * size] = 1;
  return 0;
}
