#include "execute/time_file.h"

#include <fmt/core.h>

#include <cmath>
#include <unistd.h>

namespace kilter::execute {
namespace {

constexpr int kMinute = 60;
constexpr int kHour = 3600;

// "0:01.50", "1:02:08" as GNU time has it; we keep the hundredths of long runs, which readers of the format
// allow.
std::string clock_text(double seconds) {
  const long long hundredths = std::llround(seconds * 100);
  const long long whole = hundredths / 100;
  const long long rest = hundredths % 100;
  if (whole < kHour) return fmt::format("{}:{:02}.{:02}", whole / kMinute, whole % kMinute, rest);
  return fmt::format("{}:{:02}:{:02}.{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute, rest);
}

std::string percent_text(const TimeSummary& summary) {
  const double busy = summary.usage.user + summary.usage.system;
  if (summary.elapsed <= 0) return "?%";
  return fmt::format("{}%", static_cast<long long>(busy * 100 / summary.elapsed));
}

std::string failure_line(const TimeSummary& summary) {
  if (summary.signal != 0) return fmt::format("Command terminated by signal {}\n", summary.signal);
  if (summary.exit_status > 0)
    return fmt::format("Command exited with non-zero status {}\n", summary.exit_status);
  return {};
}

}  // namespace

std::string time_text(const TimeSummary& summary) {
  const os::Usage& usage = summary.usage;
  std::string text = failure_line(summary);
  text += fmt::format("\tCommand being timed: \"{}\"\n", summary.command);
  text += fmt::format("\tUser time (seconds): {:.2f}\n", usage.user);
  text += fmt::format("\tSystem time (seconds): {:.2f}\n", usage.system);
  text += fmt::format("\tPercent of CPU this job got: {}\n", percent_text(summary));
  text += fmt::format("\tElapsed (wall clock) time (h:mm:ss or m:ss): {}\n", clock_text(summary.elapsed));
  text += "\tAverage shared text size (kbytes): 0\n";
  text += "\tAverage unshared data size (kbytes): 0\n";
  text += "\tAverage stack size (kbytes): 0\n";
  text += "\tAverage total size (kbytes): 0\n";
  text += fmt::format("\tMaximum resident set size (kbytes): {}\n", usage.max_rss_kb);
  text += "\tAverage resident set size (kbytes): 0\n";
  text += fmt::format("\tMajor (requiring I/O) page faults: {}\n", usage.major_faults);
  text += fmt::format("\tMinor (reclaiming a frame) page faults: {}\n", usage.minor_faults);
  text += fmt::format("\tVoluntary context switches: {}\n", usage.voluntary_switches);
  text += fmt::format("\tInvoluntary context switches: {}\n", usage.involuntary_switches);
  text += "\tSwaps: 0\n";
  text += fmt::format("\tFile system inputs: {}\n", usage.fs_inputs);
  text += fmt::format("\tFile system outputs: {}\n", usage.fs_outputs);
  text += "\tSocket messages sent: 0\n";
  text += "\tSocket messages received: 0\n";
  text += "\tSignals delivered: 0\n";
  text += fmt::format("\tPage size (bytes): {}\n", ::sysconf(_SC_PAGESIZE));
  text += fmt::format("\tExit status: {}\n", summary.signal != 0 ? 0 : summary.exit_status);
  return text;
}

}  // namespace kilter::execute
