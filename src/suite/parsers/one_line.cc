#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <array>
#include <utility>

// Benchmarks whose result is a line or two: coremark, fs_mark, kernbench, lmbench's bw_mem, openssl speed.
namespace kilter::suite {
namespace {

using enum model::Direction;
using Words = std::vector<std::string_view>;

}  // namespace

// "Iterations/Sec   : 12173.471976"; LKP keeps the blank before the number.
void parse_coremark(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text)) {
    if (!line.starts_with("Iterations/Sec")) continue;
    const std::optional<std::string_view> value = after(line, ":");
    if (value && parse_double(trim(*value))) parsed.add("iterations_per_sec", std::string(*value));
  }
}

const std::vector<MetricRule>& coremark_rules() {
  static const std::vector<MetricRule> kRules = {
      {"iterations_per_sec", {"iterations/s", higher_better, true}}};
  return kRules;
}

// "FSUse%  Count  Size  Files/sec  App Overhead" and rows below it.
void parse_fsmark(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<double> rates;
  std::vector<double> overheads;
  bool in_table = false;
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("FSUse%")) {
      in_table = true;
      continue;
    }
    const Words fields = words(line);
    if (!in_table || fields.size() != 5) continue;
    const std::optional<double> rate = parse_double(fields[3]);
    const std::optional<double> overhead = parse_double(fields[4]);
    if (!rate || !overhead) continue;
    rates.push_back(*rate);
    overheads.push_back(*overhead);
  }
  if (rates.empty()) return;
  parsed.add_float("files_per_sec", mean(rates));
  parsed.add_float("app_overhead", mean(overheads));
}

const std::vector<MetricRule>& fsmark_rules() {
  static const std::vector<MetricRule> kRules = {{"files_per_sec", {"files/s", higher_better, true}},
                                                 {"app_overhead", {"us", lower_better, true}}};
  return kRules;
}

// "Elapsed Time 28.094 (0.182565)"
void parse_kernbench(const RawOutput& output, ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames = {{
      {"Elapsed Time ", "elapsed_time"},
      {"User Time ", "user_time"},
      {"System Time ", "system_time"},
      {"Percent CPU ", "percent_cpu"},
      {"Context Switches ", "context_switches"},
      {"Sleeps ", "sleeps"},
  }};
  for (const std::string_view line : lines(output.text)) {
    for (const auto& [start, key] : kNames) {
      if (!line.starts_with(start)) continue;
      const std::string_view value = word_after(line, start).value_or("");
      const std::string_view deviation = between(line, "(", ")").value_or("");
      if (!parse_double(value)) continue;
      parsed.add(std::string(key), std::string(value));
      if (parse_double(deviation)) parsed.add(std::string(key) + "_stddev", std::string(deviation));
    }
  }
}

const std::vector<MetricRule>& kernbench_rules() {
  static const std::vector<MetricRule> kRules = {{"elapsed_time", {"s", lower_better, true}},
                                                 {"*_time*", {"s", unknown, false}},
                                                 {"percent_cpu*", {"%", unknown, false}}};
  return kRules;
}

// "268.44 13805.57" after the command "... bw_mem -P 1 268435456 rd"
void parse_lmbench3(const RawOutput& output, ParsedOutput& parsed) {
  bool after_command = false;
  for (const std::string_view line : lines(output.text)) {
    const Words fields = words(line);
    if (after_command && fields.size() == 2 && parse_double(fields[0]) && parse_double(fields[1]))
      parsed.add("Mem.Bandwidth.MB/sec", std::string(fields[1]));
    after_command = line.contains("/bw_mem ") && line.starts_with("20");
  }
}

const std::vector<MetricRule>& lmbench3_rules() {
  static const std::vector<MetricRule> kRules = {{"*.MB/sec", {"MB/s", higher_better, true}}};
  return kRules;
}

// A title line ending in "sign/s verify/s ..." and its row "rsa 4096 bits ..." with as many numbers.
void parse_openssl_speed(const RawOutput& output, ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kRates = {
      {{"sign/s", "sign_per_sec"}, {"verify/s", "verify_per_sec"}}};
  Words title;
  for (const std::string_view line : lines(output.text)) {
    const Words fields = words(line);
    if (line.starts_with(' ') && index_of(fields, "sign/s") && fields.front() == "sign") {
      title = fields;
    } else if (!title.empty() && line.contains(" bits ") && fields.size() > title.size()) {
      for (const auto& [column, key] : kRates)
        if (const auto at = index_of(title, column))
          parsed.add(std::string(key), std::string(fields[fields.size() - title.size() + *at]));
      title.clear();
    }
  }
}

const std::vector<MetricRule>& openssl_speed_rules() {
  static const std::vector<MetricRule> kRules = {{"*_per_sec", {"ops/s", higher_better, true}}};
  return kRules;
}

}  // namespace kilter::suite
