#include "robot/collect.h"

#include "analyse/aggregate.h"
#include "analyse/dump_stat.h"
#include "analyse/matrix.h"
#include "base/text.h"
#include "monitor/gzip.h"
#include "monitor/parse.h"
#include "monitor/recording.h"
#include "suite/parse.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

using model::SeriesFile;

constexpr std::uint64_t kMostLogBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kMostSideFile = std::uint64_t{16} << 20;
constexpr double kParserSeconds = 60;
constexpr std::size_t kGzipFrom = 1000;  // values in a file; LKP's limit

std::string packed(std::string_view bytes) {
  monitor::Gzip gzip;
  std::string out;
  gzip.add(bytes, out);
  gzip.finish(out);
  return out;
}

class Collector {
 public:
  Collector(const os::Path& run_dir, const model::Plan& plan, os::ProcessRunner& runner)
      : run_dir_(run_dir), plan_(plan), runner_(runner) {}

  Result<Collected> run(const CollectOptions& options) {
    TRY(read_program());
    for (const std::string& name : {plan_.workload.program + ".time", std::string("time")}) read_time(name);
    for (const model::Recorder& recorder : plan_.recorders)
      for (const std::string& name : recorder.monitors) read_monitor(name);
    TRY(write_files());
    collected_.metrics = analyse::aggregate(files_, aggregate_options(options));
    TRY(os::write_file(run_dir_ / "stats.json", analyse::metrics_json(collected_.metrics)));
    return std::move(collected_);
  }

 private:
  static analyse::AggregateOptions aggregate_options(const CollectOptions& options) {
    analyse::AggregateOptions aggregate;
    if (options.part_begin >= 0) aggregate.part_begin = options.part_begin;
    if (options.part_end >= 0) aggregate.part_end = options.part_end;
    return aggregate;
  }

  void note(std::string_view name, const std::string& why) {
    collected_.notes.push_back(fmt::format("{}: {}", name, why));
  }

  // Small files of the run by name, for parsers that read more than the log (fio's JSON).
  suite::RawOutput raw_output(std::string text) const {
    suite::RawOutput raw{.text = std::move(text), .files = {}};
    for (const os::Path& path : os::list_directory(run_dir_)) {
      std::error_code ignored;
      const std::string name = path.filename().string();
      if (!name.starts_with(plan_.workload.program + ".") || name.ends_with(".time")) continue;
      if (Result<std::string> bytes = os::read_file(path, kMostSideFile)) raw.files[name] = std::move(*bytes);
    }
    return raw;
  }

  Result<suite::ParsedOutput> parse_program(std::string text) {
    const std::string& parser = plan_.workload.parser;
    if (!suite::is_external_parser(parser)) return suite::parse_output(parser, raw_output(std::move(text)));
    os::Command command{
        .argv = suite::external_parser_argv(parser), .cwd = run_dir_, .stdin_text = std::move(text)};
    command.timeout = kParserSeconds;
    ASSIGN_OR_RETURN(std::string lines, os::run_checked(runner_, command));
    return suite::parse_output("key-value", {.text = std::move(lines), .files = {}});
  }

  Status read_program() {
    const std::string& program = plan_.workload.program;
    Result<std::string> log = os::read_file(run_dir_ / program, kMostLogBytes);
    if (!log) return {};
    Result<suite::ParsedOutput> parsed = parse_program(std::move(*log));
    if (!parsed) {
      if (parsed.error().code == ErrorCode::interrupted) return fail(parsed.error());
      note(program, parsed.error().message);
      return {};
    }
    SeriesFile file = suite::to_series(program, *parsed);
    for (const model::Series& series : file.series) collected_.benchmark_values += series.values.size();
    keep(std::move(file));
    return {};
  }

  void read_time(const std::string& name) {
    const Result<std::string> text = os::read_file(run_dir_ / name, kMostSideFile);
    if (!text) return;
    parse_lines(name, *text);
  }

  void read_monitor(const std::string& name) {
    const Result<std::string> raw = monitor::read_recording(run_dir_, name);
    if (!raw) return note(name, raw.error().message);
    parse_lines(name, *raw);
  }

  void parse_lines(const std::string& name, const std::string& raw) {
    const Result<std::string> lines = monitor::parser_lines(name, raw);
    if (!lines) return note(name, lines.error().message);
    Result<SeriesFile> file = analyse::dump_stat(name, *lines);
    if (!file) return note(name, file.error().message);
    keep(std::move(*file));
  }

  void keep(SeriesFile file) {
    if (!file.series.empty()) files_.push_back(std::move(file));
  }

  Status write_files() {
    std::ranges::sort(files_, {}, &SeriesFile::name);
    for (const SeriesFile& file : files_) {
      const std::string json = analyse::series_json(file);
      std::size_t values = 0;
      for (const model::Series& series : file.series) values += series.values.size();
      if (values <= kGzipFrom) {
        TRY(os::write_file(run_dir_ / (file.name + ".json"), json));
      } else {
        TRY(os::write_file(run_dir_ / (file.name + ".json.gz"), packed(json)));
      }
    }
    return {};
  }

  const os::Path& run_dir_;
  const model::Plan& plan_;
  os::ProcessRunner& runner_;
  std::vector<SeriesFile> files_;
  Collected collected_;
};

}  // namespace

Result<Collected> collect(const os::Path& run_dir, const model::Plan& plan, os::ProcessRunner& runner,
                          const CollectOptions& options) {
  return Collector(run_dir, plan, runner).run(options);
}

}  // namespace kilter::robot
