#include "base/text.h"
#include "bench/command.h"
#include "bench/messaging.h"
#include "bench/ping_pong.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>

// The two benchmarks of `perf bench sched`, in its output.
namespace kilter::bench {
namespace {

void print_title(const char* name) {
  std::printf("# Running 'sched/%s' benchmark:\n", name);
}

void print_total(double seconds) {
  const std::uint64_t milliseconds = static_cast<std::uint64_t>(seconds * 1e3);
  std::printf("\n %14s: %lu.%03lu [sec]\n", "Total time", milliseconds / 1000, milliseconds % 1000);
}

}  // namespace

Result<int> run_sched_pipe(Args args) {
  int loops = 1'000'000;
  bool threads = false;
  bool help = false;
  const std::vector<Flag> flags = {
      {"--loops", 'l', "N", "round trips (default 1000000)", whole(loops, {1, 2'000'000'000})},
      {"--threads", 'T', "", "between two threads, not processes", set_true(threads)},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help("kilter-bench sched-pipe [FLAGS]",
               "Passes 4 bytes to and fro over two pipes, as `perf bench sched pipe` does.", flags,
               "  kilter-bench sched-pipe --loops 1000000 --threads\n");
    return 0;
  }
  TRY(no_words(words));
  const Crew::Kind kind = threads ? Crew::Kind::threads : Crew::Kind::processes;
  ASSIGN_OR_RETURN(const double seconds, ping_pong(kind, loops));
  print_title("pipe");
  std::printf("# Executed %d pipe operations between two %s\n", loops, threads ? "threads" : "processes");
  print_total(seconds);
  std::printf("\n %14f usecs/op\n %14ld ops/sec\n", seconds * 1e6 / loops,
              static_cast<long>(loops / seconds));
  return 0;
}

Result<int> run_messaging(Args args) {
  Messaging what;
  bool threads = false;
  bool help = false;
  const std::vector<Flag> flags = {
      {"--groups", 'g', "G", "of 20 senders and 20 receivers (default 10)", whole(what.groups, {1, 1000})},
      {"--loops", 'l', "L", "messages from each sender to each receiver (default 100)",
       whole(what.loops, {1, 2'000'000'000})},
      {"--pipe", 'p', "", "over pipes, not socket pairs", set_true(what.pipes)},
      {"--threads", 't', "", "threads, not processes", set_true(threads)},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help(
        "kilter-bench messaging [FLAGS]",
        "Groups of senders and receivers exchange messages of 100 bytes, as `perf bench sched messaging`.",
        flags, "  kilter-bench messaging --groups 4 --loops 1000 --pipe\n");
    return 0;
  }
  TRY(no_words(words));
  what.kind = threads ? Crew::Kind::threads : Crew::Kind::processes;
  ASSIGN_OR_RETURN(const double seconds, run(what));
  const char* const members = threads ? "threads" : "processes";
  print_title("messaging");
  std::printf("# %u sender and receiver %s per group\n", kMessagingSenders, members);
  std::printf("# %d groups == %u %s run\n", what.groups,
              2 * kMessagingSenders * static_cast<unsigned>(what.groups), members);
  print_total(seconds);
  return 0;
}

}  // namespace kilter::bench
