#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

namespace kilter::suite {
namespace {

struct KbuildLog {
  double build = 0;
  double real = 0;
  double user = 0;
  double sys = 0;
  std::optional<double> start;
  std::int64_t builds = 0;
  std::optional<std::int64_t> iterations;
};

std::optional<double> value_of(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return std::nullopt;
  return leading_number(trim(line.substr(name.size())));
}

void read_line(std::string_view line, KbuildLog& log) {
  if (const auto start = value_of(line, "start time:")) {
    log.start = start;
  } else if (const auto end = value_of(line, "end time:"); end && log.start) {
    log.build += *end - *log.start;
    log.start.reset();
    ++log.builds;
  } else if (const auto iterations = value_of(line, "iterations:")) {
    log.iterations = truncated(*iterations);
  }
  log.real += value_of(line, "real:").value_or(0);
  log.user += value_of(line, "user:").value_or(0);
  log.sys += value_of(line, "sys:").value_or(0);
}

// LKP's parser leaves a blank after these three.
void add_time(const std::string& key, double total, std::int64_t builds, ParsedOutput& parsed) {
  if (total > 0) parsed.add(key, model::Number(total / static_cast<double>(builds)).json() + " ");
}

}  // namespace

void parse_kbuild(const RawOutput& output, ParsedOutput& parsed) {
  KbuildLog log;
  for (const std::string_view line : lines(output.text)) read_line(line, log);
  const std::int64_t builds = log.iterations.value_or(log.builds);
  if (builds <= 0 || log.builds == 0) return;
  parsed.add_float("buildtime_per_iteration", log.build / static_cast<double>(builds));
  add_time("real_time_per_iteration", log.real, builds, parsed);
  add_time("user_time_per_iteration", log.user, builds, parsed);
  add_time("sys_time_per_iteration", log.sys, builds, parsed);
  parsed.add_integer("workload", builds);
}

}  // namespace kilter::suite
