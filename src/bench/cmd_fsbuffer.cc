#include "base/text.h"
#include "bench/command.h"
#include "bench/file_copy.h"
#include "bench/scale/files.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <cstdio>
#include <unistd.h>

namespace kilter::bench {
namespace {

void print_head(const FileCopy& what) {
  utsname name{};
  ::uname(&name);
  const std::string directory = scale::work_directory();
  std::printf("\n========================================================================\n");
  std::printf("   kilter-bench: UnixBench's %s\n\n", what.title().c_str());
  std::printf("   System: %s: %s\n   OS: %s -- %s -- %s\n   Machine: %s\n", name.nodename, name.sysname,
              name.sysname, name.release, name.version, name.machine);
  std::printf("   Files in: %s (%s)\n\n", printable(directory).c_str(),
              scale::file_system_of(directory).c_str());
}

Result<int> measure(const FileCopy& what) {
  std::vector<FileCopyPass> passes;
  RunTimes times{.begin = std::time(nullptr)};
  std::printf("\n%d x %s ", what.copies, what.title().c_str());
  for (int i = 0; i < what.iterations; ++i) {
    std::printf(" %d", i + 1);
    ASSIGN_OR_RETURN(const FileCopyPass pass, run_pass(what));
    passes.push_back(pass);
  }
  times.end = std::time(nullptr);
  std::printf("\n");
  print_head(what);
  const int cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  std::fputs(unixbench_report(what, combine(passes), times, cpus).c_str(), stdout);
  return 0;
}

}  // namespace

Result<int> run_fsbuffer(Args args) {
  FileCopy what;
  bool help = false;
  const std::vector<Flag> flags = {
      {"--copies", 'c', "N", "copying processes (default 1)", whole(what.copies, {1, 4096})},
      {"--seconds", 's', "S", "one pass, fractions allowed (default 30)", real(what.seconds, {0.001, 1e6})},
      {"--iterations", 'i', "I", "passes; the slowest third is dropped (default 1)",
       whole(what.iterations, {1, 10000})},
      {"--bufsize", 0, "BYTES", "size of a block (default 256)", bytes(what.buffer_size, {1, 1 << 26})},
      {"--maxblocks", 0, "N", "blocks of the file (default 500)", whole(what.max_blocks, {1, 1 << 20})},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help(
        "kilter-bench fsbuffer [FLAGS]",
        "Copies a file block by block, over and over, and prints KB a second in the form of UnixBench.\n"
        "The files have no names; they are made in $TMPDIR or /tmp.",
        flags, "  kilter-bench fsbuffer --copies 2 --seconds 30\n");
    return 0;
  }
  if (!words.empty())
    return usage_error(
        fmt::format("reading the command line: '{}' has no meaning here", printable(words.front())));
  return measure(what);
}

}  // namespace kilter::bench
