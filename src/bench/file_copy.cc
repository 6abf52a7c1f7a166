#include "bench/file_copy.h"

#include "bench/cpu_clock.h"
#include "bench/crew.h"
#include "bench/scale/files.h"
#include "bench/timer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace kilter::bench {
namespace {

struct CopyResult {
  double kilobytes = 0;
  double seconds = 0;
};

Result<os::Fd> unnamed_file() {
  const std::string directory = scale::work_directory();
  os::Fd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  std::string path = directory + "/kilter-bench.XXXXXX";
  file = os::Fd(::mkstemp(path.data()));
  if (!file) return failure(fmt::format("creating a file in '{}': {}", directory, os::errno_text(errno)));
  ::unlink(path.c_str());
  return file;
}

Status fill(int fd, const FileCopy& what) {
  const std::vector<char> block(static_cast<std::size_t>(what.buffer_size), 'k');
  for (int i = 0; i < what.max_blocks; ++i)
    if (::write(fd, block.data(), block.size()) != static_cast<ssize_t>(block.size()))
      return failure("filling the file to copy: " + os::errno_text(errno));
  ::fdatasync(fd);
  return {};
}

// The loop: read a block, write a block; at the end of the source both files start again.
Result<double> copy_until_time_is_up(int from, int to, std::size_t block_size) {
  std::vector<char> block(block_size);
  double bytes = 0;
  while (time_is_up == 0) {
    ::lseek(from, 0, SEEK_SET);
    ::lseek(to, 0, SEEK_SET);
    while (time_is_up == 0) {
      const ssize_t got = ::read(from, block.data(), block_size);
      if (got == 0) break;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failure("reading the file to copy: " + os::errno_text(errno));
      const ssize_t put = ::write(to, block.data(), static_cast<std::size_t>(got));
      if (put < 0 && errno != EINTR) return failure("writing the copy: " + os::errno_text(errno));
      if (put > 0) bytes += static_cast<double>(put);
    }
  }
  return bytes;
}

Status copy(const FileCopy& what, Crew& crew, CopyResult& result) {
  ASSIGN_OR_RETURN(const os::Fd from, unnamed_file());
  ASSIGN_OR_RETURN(const os::Fd to, unnamed_file());
  TRY(fill(from.get(), what));
  crew.wait_for_start();
  set_timer(what.seconds);
  const double begin = now();
  ASSIGN_OR_RETURN(const double bytes,
                   copy_until_time_is_up(from.get(), to.get(), static_cast<std::size_t>(what.buffer_size)));
  result = {.kilobytes = bytes / 1024, .seconds = now() - begin};
  return {};
}

// UnixBench's reference machine, in KBps.
std::optional<double> baseline(const FileCopy& what) {
  struct Known {
    int buffer_size;
    int max_blocks;
    double value;
  };
  for (const Known& known : {Known{256, 500, 1655.0}, Known{1024, 2000, 3960.0}, Known{4096, 8000, 5800.0}})
    if (known.buffer_size == what.buffer_size && known.max_blocks == what.max_blocks) return known.value;
  return std::nullopt;
}

std::string index_table(const std::string& title, double base, double value) {
  const double index = value / base * 10;
  std::string out = fmt::format("{:<40} {:>12} {:>12} {:>8}\n", "System Benchmarks Partial Index", "BASELINE",
                                "RESULT", "INDEX");
  out += fmt::format("{:<40} {:12.1f} {:12.1f} {:8.1f}\n", title, base, value, index);
  out += fmt::format("{:>75}\n", "========");
  return out + fmt::format("{:<66} {:8.1f}\n\n", "System Benchmarks Index Score (Partial Only)", index);
}

std::string clock_text(std::time_t time, const char* format) {
  std::tm local{};
  ::localtime_r(&time, &local);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &local)};
}

}  // namespace

std::string FileCopy::title() const {
  return fmt::format("File Copy {} bufsize {} maxblocks", buffer_size, max_blocks);
}

Result<FileCopyPass> run_pass(const FileCopy& what) {
  const unsigned copies = static_cast<unsigned>(what.copies);
  ASSIGN_OR_RETURN(const SharedArray<CopyResult> results, SharedArray<CopyResult>::create(copies));
  ASSIGN_OR_RETURN(const std::unique_ptr<Crew> crew, Crew::create(Crew::Kind::processes, copies));
  for (unsigned i = 0; i < copies; ++i)
    TRY(crew->add([&](unsigned member) { return copy(what, *crew, results[member]); }));
  TRY(crew->start());
  TRY(crew->join());
  FileCopyPass pass;
  for (unsigned i = 0; i < copies; ++i) {
    pass.kilobytes_per_second += results[i].kilobytes / results[i].seconds;
    pass.seconds += results[i].seconds / copies;
  }
  return pass;
}

FileCopyResult combine(std::vector<FileCopyPass> passes) {
  std::ranges::sort(passes, std::ranges::greater(), &FileCopyPass::kilobytes_per_second);
  passes.resize(passes.size() - passes.size() / 3);
  FileCopyResult result{.samples = static_cast<int>(passes.size())};
  double logarithms = 0;
  for (const FileCopyPass& pass : passes) {
    logarithms += std::log(pass.kilobytes_per_second);
    result.seconds += pass.seconds / static_cast<double>(passes.size());
  }
  result.kilobytes_per_second = std::exp(logarithms / static_cast<double>(passes.size()));
  return result;
}

std::string unixbench_report(const FileCopy& what, const FileCopyResult& result, RunTimes times, int cpus) {
  std::string out = "------------------------------------------------------------------------\n";
  out += fmt::format("Benchmark Run: {} - {}\n", clock_text(times.begin, "%a %b %d %Y %H:%M:%S"),
                     clock_text(times.end, "%H:%M:%S"));
  out += fmt::format("{} CPU{} in system; running {} parallel cop{} of tests\n\n", cpus, cpus == 1 ? "" : "s",
                     what.copies, what.copies == 1 ? "y" : "ies");
  out += fmt::format("{:<40} {:12.1f} {:<5} ({:.1f} s, {} samples)\n\n", what.title(),
                     result.kilobytes_per_second, "KBps", result.seconds, result.samples);
  if (const std::optional<double> base = baseline(what); base)
    out += index_table(what.title(), *base, result.kilobytes_per_second);
  return out;
}

}  // namespace kilter::bench
