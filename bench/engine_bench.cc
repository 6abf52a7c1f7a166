// What the engine's measuring loop costs over a bare loop of the same system call.
//
// Two processes on one CPU: one runs the engine's test as it is, the other a loop written in place here. They
// take turns of a few milliseconds (A B B A), one stopped while the other runs, and each turn gives
// operations per CPU second of its process: work of others on the machine shifts both, and what shifts
// between turns cancels within a block. The pages and cache lines two processes happen to get differ for as
// long as they live, so every round starts a fresh pair. Printed is the median over all blocks of (engine /
// bare) time per operation, with a 95 % interval from order statistics. A loop that adds nothing has ratio 1;
// the bar is 1.005.
//
// Where it may, it runs in a real-time class, on one CPU for some 30 s: then nothing else runs in a turn, and
// sched_yield has nobody to yield to.
//
// A single process that calls both in turn was rejected: the engine's loops never return, as returning would
// need a check per operation.
#include "bench/scale/area.h"
#include "bench/scale/files.h"
#include "bench/scale/registry.h"
#include "os/affinity.h"

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace kilter;
using namespace kilter::bench;

constexpr double kTurn = 0.004;   // CPU seconds
constexpr int kLongestTurn = 50;  // times as long on the clock, on a busy machine
constexpr int kBlocksPerRound = 25;
constexpr int kWarmUpBlocks = 3;
constexpr int kChunk = 100;  // operations of the bare loop between two looks at its counter
constexpr double kBar = 1.005;
constexpr std::size_t kFewBlocks = 20;  // too few to say anything

// The starter of turns ranks above the loops. Without privilege all stay as they are.
void take_priority(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  (void)::sched_setscheduler(0, SCHED_FIFO, &parameters);
}

template <class Operation>
[[noreturn]] void repeat(std::atomic<std::uint64_t>& count, Operation operation) {
  for (std::uint64_t done = 0;;) {
    for (int i = 0; i < kChunk; ++i) operation();
    done += kChunk;
    count.store(done, std::memory_order_relaxed);
  }
}

void bare_getppid(std::atomic<std::uint64_t>& count) {
  repeat(count, [] { ::getppid(); });
}

void bare_eventfd(std::atomic<std::uint64_t>& count) {
  const int fd = ::eventfd(0, 0);
  repeat(count, [fd] {
    std::uint64_t value = 1;
    if (::write(fd, &value, sizeof value) != sizeof value || ::read(fd, &value, sizeof value) != sizeof value)
      std::abort();
  });
}

void bare_futex(std::atomic<std::uint64_t>& count) {
  int word = 0;
  repeat(count, [&word] { ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0); });
}

void bare_pread(std::atomic<std::uint64_t>& count) {
  constexpr std::size_t kBlock = 4096;
  char block[kBlock];
  const int fd = scale::private_file(scale::Task{.index = 1});
  scale::fill_with_zeros(fd, kBlock);
  repeat(count, [&block, fd] {
    if (::pread(fd, block, kBlock, 0) != kBlock) std::abort();
  });
}

void bare_yield(std::atomic<std::uint64_t>& count) {
  repeat(count, [] { ::sched_yield(); });
}

struct Case {
  const char* test;
  void (*bare)(std::atomic<std::uint64_t>& count);
};
constexpr Case kCases[] = {{"getppid1", bare_getppid},
                           {"eventfd1", bare_eventfd},
                           {"futex4", bare_futex},
                           {"pread1", bare_pread},
                           {"sched_yield", bare_yield}};

// A process that loops for ever and runs only in its turns.
class Runner {
 public:
  template <class Body>
  Runner(int slot, int cpu, const Body& body) : slot_(slot) {
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent || !os::bind_to({cpu})) ::_exit(1);
      take_priority(1);
      ::raise(SIGSTOP);
      body(scale::area().slots[slot].count);
      ::_exit(1);
    }
    ::waitpid(pid_, nullptr, WUNTRACED);
    ::clock_getcpuclockid(pid_, &clock_);
  }
  Runner(const Runner&) = delete;
  ~Runner() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  // CPU nanoseconds an operation in one turn.
  double turn() {
    const double time = cpu_time();
    const std::uint64_t count = counter();
    ::kill(pid_, SIGCONT);
    const timespec length{0, static_cast<long>(kTurn * 1e9)};
    for (int i = 0; i < kLongestTurn && cpu_time() - time < kTurn / 2; ++i) ::nanosleep(&length, nullptr);
    ::kill(pid_, SIGSTOP);
    int status = 0;
    ::waitpid(pid_, &status, WUNTRACED);
    if (!WIFSTOPPED(status)) std::exit((std::fputs("a loop has ended\n", stderr), 3));
    const std::uint64_t done = counter() - count;
    return done == 0 ? 0 : (cpu_time() - time) * 1e9 / static_cast<double>(done);
  }

 private:
  [[nodiscard]] std::uint64_t counter() const {
    return scale::area().slots[slot_].count.load(std::memory_order_relaxed);
  }
  [[nodiscard]] double cpu_time() const {
    timespec time{};
    ::clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  int slot_;
  pid_t pid_ = -1;
  clockid_t clock_ = 0;
};

struct Sample {
  std::vector<double> ratios;
  std::vector<double> bare;  // ns an operation
};

void run_round(const Case& what, int cpu, Sample& sample) {
  scale::area().slots[0].count = 0;
  scale::area().slots[1].count = 0;
  Runner engine(0, cpu, [&](std::atomic<std::uint64_t>& count) {
    scale::find_test(what.test)->run(scale::Counter(&count), scale::Task{});
  });
  Runner bare(1, cpu, what.bare);
  for (int block = -kWarmUpBlocks; block < kBlocksPerRound; ++block) {
    const double a1 = engine.turn();
    const double b1 = bare.turn();
    const double b2 = bare.turn();
    const double a2 = engine.turn();
    // A turn a busy machine left no time for counts for nothing.
    if (block < 0 || a1 * a2 * b1 * b2 == 0) continue;
    sample.ratios.push_back((a1 + a2) / (b1 + b2));
    sample.bare.push_back((b1 + b2) / 2);
  }
}

double at(const std::vector<double>& sorted, double rank) {
  return sorted[static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(sorted.size() - 1)))];
}

bool report(const Case& what, Sample sample) {
  if (sample.ratios.empty())
    return std::printf("%-12s no data: the machine left it no time\n", what.test), true;
  std::ranges::sort(sample.ratios);
  std::ranges::sort(sample.bare);
  const double n = static_cast<double>(sample.ratios.size());
  const double half = 1.96 * std::sqrt(n) / 2;
  const double median = at(sample.ratios, n / 2);
  const double low = at(sample.ratios, n / 2 - half);
  const double high = at(sample.ratios, n / 2 + half);
  // Over the bar only when the data says so, not when it says too little.
  const bool within = low <= kBar;
  std::printf("%-12s %8.4f  [%.4f .. %.4f]  %8.1f ns  %5zu blocks  %s\n", what.test, median, low, high,
              at(sample.bare, n / 2), sample.ratios.size(), within ? "ok" : "OVER");
  return within;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 12;
  if (rounds < 1) return std::fputs("usage: kilter_engine_bench [ROUNDS]\n", stderr), 2;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const Result<std::vector<int>> cpus = os::allowed_cpus();
  if (!cpus || !scale::map_area()) return std::fputs("setting up failed\n", stderr), 3;
  take_priority(2);
  std::printf("loop of      engine/bare [95 %% interval]      bare op\n");
  bool within = true;
  for (const Case& what : kCases) {
    Sample sample;
    for (int round = 0; round < rounds; ++round) run_round(what, cpus->back(), sample);
    within = report(what, std::move(sample)) && within;
  }
  return within ? 0 : 1;
}
