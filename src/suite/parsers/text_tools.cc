#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"
#include "suite/parsers/units.h"

#include <algorithm>
#include <array>
#include <utility>

// The text that Criterion and Catch2 print. Times become nanoseconds, since both choose the unit by size.
namespace kilter::suite {

std::optional<double> time_unit_ns(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 8> kUnits = {{
      {"ps", 1e-3},
      {"ns", 1},
      {"us", 1e3},
      {"\xC2\xB5s", 1e3},  // micro sign
      {"\xCE\xBCs", 1e3},  // Greek mu
      {"ms", 1e6},
      {"s", 1e9},
      {"m", 60e9},
  }};
  for (const auto& [name, size] : kUnits)
    if (name == unit) return size;
  return std::nullopt;
}

namespace {

struct Amount {
  double value = 0;
  std::string_view unit;
};

// "26.029 us 26.251 us 26.505 us" as three amounts; fewer when a part is not of that form.
std::vector<Amount> amounts(const std::vector<std::string_view>& fields) {
  std::vector<Amount> found;
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    const std::optional<double> value = parse_double(fields[i]);
    if (!value) break;
    found.push_back({*value, fields[i + 1]});
  }
  return found;
}

void add_time(const Amount& amount, const std::string& key, ParsedOutput& parsed) {
  if (const std::optional<double> size = time_unit_ns(amount.unit))
    parsed.add_float(key, scaled(amount.value, *size));
}

// "761.77 MiB/s", "1.2 Kelem/s" -> bytes_per_second, elements_per_second
void add_rate(const Amount& amount, const std::string& name, ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kRates = {{
      {"B/s", 1},
      {"KiB/s", 1024.0},
      {"MiB/s", 1048576.0},
      {"GiB/s", 1073741824.0},
      {"TiB/s", 1099511627776.0},
      {"elem/s", 1},
      {"Kelem/s", 1e3},
      {"Melem/s", 1e6},
      {"Gelem/s", 1e9},
  }};
  for (const auto& [unit, size] : kRates) {
    if (unit != amount.unit) continue;
    parsed.add_float(name + (unit.ends_with("B/s") ? ".bytes_per_second" : ".elements_per_second"),
                     scaled(amount.value, size));
  }
}

}  // namespace

// "fib 20      time:   [26.029 us 26.251 us 26.505 us]", or the name alone on the line before. The three are
// the ends and the middle of the interval.
void parse_criterion(const RawOutput& output, ParsedOutput& parsed) {
  std::string name;
  for (const std::string_view line : lines(output.text)) {
    const std::size_t time = line.find("time:   [");
    const std::size_t rate = line.find("thrpt:  [");
    if (time == std::string_view::npos && rate == std::string_view::npos) {
      if (!line.empty() && !line.starts_with(' ') && !line.starts_with("Benchmarking "))
        name = key_part(line);
      continue;
    }
    const std::size_t mark = std::min(time, rate);
    const std::string here = key_part(line.substr(0, mark));
    if (!here.empty()) name = here;
    const std::vector<Amount> interval = amounts(words(between(line.substr(mark), "[", "]").value_or("")));
    if (interval.size() != 3 || name.empty()) continue;
    if (mark == time) {
      add_time(interval[1], name + ".time_ns", parsed);
      add_time(interval[0], name + ".time_low_ns", parsed);
      add_time(interval[2], name + ".time_high_ns", parsed);
    } else {
      add_rate(interval[1], name, parsed);
    }
  }
}

const std::vector<MetricRule>& criterion_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.time_ns", {"ns", lower_better, true}},
      {"*.time_low_ns", {"ns", lower_better, false}},
      {"*.time_high_ns", {"ns", lower_better, false}},
      {"*.bytes_per_second", {"B/s", higher_better, true}},
      {"*.elements_per_second", {"elements/s", higher_better, true}},
  };
  return kRules;
}

namespace {

// A Catch2 benchmark is three lines, after a ruled title:
//   Fibonacci 20                        100             4     7.1448 ms
//                                17.8 us       17.7 us        18.0 us
//                                 700 ns        500 ns         1.2 us
// A long name stands on lines of its own before the first.
struct Catch2 {
  bool in_table = false;
  int line = 0;  // of the benchmark: 0 title, 1 mean, 2 deviation
  std::string name;
};

bool is_title(const std::vector<std::string_view>& fields) {
  const std::size_t n = fields.size();
  return n >= 4 && parse_int(fields[n - 4]) && parse_int(fields[n - 3]) && parse_double(fields[n - 2]) &&
         time_unit_ns(fields[n - 1]);
}

void read_title(std::string_view line, const std::vector<std::string_view>& fields, Catch2& state) {
  if (!is_title(fields)) {
    state.name += state.name.empty() ? std::string(line) : " " + std::string(line);
    if (state.name.size() > 1000) state.name.clear();
    return;
  }
  const std::size_t end = static_cast<std::size_t>(fields[fields.size() - 4].data() - line.data());
  state.name = key_part(state.name + " " + std::string(line.substr(0, end)));
  if (state.name.starts_with('_')) state.name.erase(0, 1);
  state.line = 1;
}

void read_figures(const std::vector<std::string_view>& fields, Catch2& state, ParsedOutput& parsed) {
  const std::vector<Amount> figures = amounts(fields);
  if (figures.size() == 3 && !state.name.empty()) {
    const bool deviation = state.line == 2;
    add_time(figures[0], state.name + (deviation ? ".stddev_ns" : ".mean_ns"), parsed);
    if (!deviation) add_time(figures[1], state.name + ".mean_low_ns", parsed);
    if (!deviation) add_time(figures[2], state.name + ".mean_high_ns", parsed);
  }
  state.line = (state.line + 1) % 3;
  if (state.line == 0) state.name.clear();
}

}  // namespace

void parse_catch2(const RawOutput& output, ParsedOutput& parsed) {
  Catch2 state;
  for (const std::string_view line : lines(output.text)) {
    const std::vector<std::string_view> fields = words(line);
    if (line.starts_with("benchmark name ") && line.contains("samples")) {
      state = {.in_table = true, .line = 0, .name = ""};
    } else if (!state.in_table || fields.empty()) {
      if (state.line == 0) state.name.clear();
    } else if (line.starts_with("====") || line.starts_with("....")) {
      state = {};
    } else if (line.starts_with("----") || line.contains("low mean") || line.contains("low std dev")) {
      state.name.clear();
    } else if (state.line == 0) {
      read_title(line, fields, state);
    } else {
      read_figures(fields, state, parsed);
    }
  }
}

const std::vector<MetricRule>& catch2_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.mean_ns", {"ns", lower_better, true}},
      {"*.mean_low_ns", {"ns", lower_better, false}},
      {"*.mean_high_ns", {"ns", lower_better, false}},
      {"*.stddev_ns", {"ns", unknown, false}},
  };
  return kRules;
}

}  // namespace kilter::suite
