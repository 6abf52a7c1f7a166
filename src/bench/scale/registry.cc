#include "bench/scale/registry.h"

namespace kilter::bench::scale {

// clang-format off
#define KILTER_SCALE_TESTS(TEST)                                                                        \
  TEST(brk1) TEST(brk2)                                                                                 \
  TEST(context_switch1)                                                                                 \
  TEST(dup1)                                                                                            \
  TEST(eventfd1)                                                                                        \
  TEST(fallocate1) TEST(fallocate2)                                                                     \
  TEST(futex1) TEST(futex2) TEST(futex3) TEST(futex4)                                                   \
  TEST(getppid1)                                                                                        \
  TEST(lock1) TEST(lock2)                                                                               \
  TEST(lseek1) TEST(lseek2)                                                                             \
  TEST(malloc1) TEST(malloc2)                                                                           \
  TEST(mmap1) TEST(mmap2)                                                                               \
  TEST(open1) TEST(open2) TEST(open3)                                                                   \
  TEST(page_fault1) TEST(page_fault2) TEST(page_fault3)                                                 \
  TEST(pipe1)                                                                                           \
  TEST(poll1) TEST(poll2)                                                                               \
  TEST(posix_semaphore1)                                                                                \
  TEST(pread1) TEST(pread2) TEST(pread3)                                                                \
  TEST(pthread_mutex1) TEST(pthread_mutex2) TEST(pthread_mutex3) TEST(pthread_mutex4)                   \
  TEST(pthread_mutex5)                                                                                  \
  TEST(pwrite1) TEST(pwrite2) TEST(pwrite3)                                                             \
  TEST(read1) TEST(read2) TEST(read3) TEST(read4)                                                       \
  TEST(readseek1) TEST(readseek2) TEST(readseek3)                                                       \
  TEST(sched_yield)                                                                                     \
  TEST(signal1)                                                                                         \
  TEST(tlb_flush1) TEST(tlb_flush2) TEST(tlb_flush3)                                                    \
  TEST(unix1)                                                                                           \
  TEST(unlink1) TEST(unlink2)                                                                           \
  TEST(write1)                                                                                          \
  TEST(writeseek1) TEST(writeseek2) TEST(writeseek3)
// clang-format on

#define KILTER_DECLARE(name) extern const Test name;
#define KILTER_ADDRESS(name) &name,
KILTER_SCALE_TESTS(KILTER_DECLARE)

std::span<const Test* const> tests() {
  static const Test* const kTests[] = {KILTER_SCALE_TESTS(KILTER_ADDRESS)};
  return kTests;
}

const Test* find_test(std::string_view name) {
  for (const Test* test : tests())
    if (test->name == name) return test;
  return nullptr;
}

std::optional<std::pair<const Test*, Mode>> single_test(std::string_view program) {
  for (const auto& [suffix, mode] : {std::pair<std::string_view, Mode>{"_processes", Mode::process},
                                     std::pair<std::string_view, Mode>{"_threads", Mode::thread}}) {
    if (!program.ends_with(suffix)) continue;
    const Test* test = find_test(program.substr(0, program.size() - suffix.size()));
    if (test != nullptr) return std::pair(test, mode);
  }
  return std::nullopt;
}

bool is_single_test(std::string_view program) {
  return single_test(program).has_value();
}

}  // namespace kilter::bench::scale
