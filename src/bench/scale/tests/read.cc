#include "bench/scale/files.h"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::size_t kFileSize = std::size_t{1} << 20;

// The read that meets the end of the file counts like any other.
[[noreturn]] void read_through(Counter count, int fd, char* block, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(fd, block, size);
    require(got >= 0, "reading a file");
    if (got == 0) require(::lseek(fd, 0, SEEK_SET) == 0, "seeking to the start of a file");
    count.add(1);
  }
}

std::size_t page_size() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

char* aligned(std::size_t size) {
  char* const memory = static_cast<char*>(std::aligned_alloc(page_size(), size));
  require(memory != nullptr, "allocating an aligned buffer");
  for (std::size_t i = 0; i < size; ++i) memory[i] = 0;
  return memory;
}

void run_private(Counter count, const Task& task) {
  char block[kBlock];
  const int fd = private_file(task);
  fill_with_zeros(fd, kFileSize);
  read_through(count, fd, block, kBlock);
}

void run_shared(Counter count, const Task&) {
  char block[kBlock];
  read_through(count, open_shared_file(O_RDONLY), block, kBlock);
}

void run_direct_private(Counter count, const Task& task) {
  const int fd = private_file(task, O_DIRECT);
  char* const content = aligned(kFileSize);
  require(::write(fd, content, kFileSize) == kFileSize, "writing 1 MiB directly (O_DIRECT)");
  read_through(count, fd, content, page_size());
}

void run_direct_shared(Counter count, const Task&) {
  char* const block = aligned(page_size());
  read_through(count, open_shared_file(O_RDONLY | O_DIRECT), block, page_size());
}

void prepare(unsigned) {
  make_shared_file(kFileSize);
}

}  // namespace

extern const Test read1 = {"read1", "Read an own file of 1 MiB in 4 KiB blocks", run_private};
extern const Test read2 = {"read2", "Read one file of all tasks in 4 KiB blocks", run_shared, prepare};
extern const Test read3 = {"read3", "Read an own file of 1 MiB page by page, past the page cache (O_DIRECT)",
                           run_direct_private};
extern const Test read4 = {"read4", "Read one file of all tasks page by page, past the page cache (O_DIRECT)",
                           run_direct_shared, prepare};

}  // namespace kilter::bench::scale
