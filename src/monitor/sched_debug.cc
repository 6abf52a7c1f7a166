#include "base/text.h"
#include "model/number.h"
#include "monitor/all.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

// sched_debug: the scheduler's dump; values of run queues are given for each CPU and as max, min, avg and
// stddev over them.
namespace kilter::monitor {
namespace {

struct Value {
  std::string_view word;
  std::string_view number;
};

// "  .nr_running     : 2 (x)" -> {".nr_running", "2"}; nothing for other lines.
std::optional<Value> value_line(std::string_view line) {
  const std::string_view text = trim(line);
  const std::size_t word_end = text.find_first_of(" \t");
  if (word_end == std::string_view::npos || word_end == 0) return std::nullopt;
  std::string_view word = text.substr(0, word_end);
  std::string_view rest = trim(text.substr(word_end));
  if (rest.starts_with(":")) {
    rest.remove_prefix(1);
    if (!rest.starts_with(' ') && !rest.starts_with('\t')) return std::nullopt;
  } else if (word.ends_with(':') && word.size() > 1) {
    word.remove_suffix(1);
  } else {
    return std::nullopt;
  }
  rest = trim(rest);
  const std::size_t end = std::min(rest.find_first_not_of("0123456789.-"), rest.size());
  if (end == 0) return std::nullopt;
  return Value{.word = word, .number = rest.substr(0, end)};
}

// The group that a head line opens: "cpu#0, 2600 MHz" -> cpu of 0; "cfs_rq[1]:/a" -> "cfs_rq:/a" of 1.
struct Group {
  std::string prefix;
  std::string cpu;  // empty: not of one CPU

  explicit Group(std::string_view word) {
    if (word.ends_with(',')) word.remove_suffix(1);
    const std::size_t hash = word.find('#');
    const std::size_t open = word.find('[');
    const std::size_t close = word.find(']');
    if (hash != std::string_view::npos && parse_int(word.substr(hash + 1))) {
      prefix = word.substr(0, hash);
      cpu = word.substr(hash + 1);
    } else if (open < close && close != std::string_view::npos &&
               parse_int(word.substr(open + 1, close - open - 1))) {
      prefix = std::string(word.substr(0, open)) + std::string(word.substr(close + 1));
      cpu = word.substr(open + 1, close - open - 1);
    } else {
      prefix = word;
    }
  }
};

class SchedDebugParser {
 public:
  explicit SchedDebugParser(std::string& out) : out_(out) {}

  void line(std::string_view line) {
    if (trim(line).empty() || line.starts_with("Sched Debug Version") || line.starts_with("runnable tasks"))
      return;
    if (line.starts_with("time: ")) {
      summarise();
      append_line("time", trim(line.substr(6)), out_);
      group_ = Group("");
    } else if (const std::optional<Value> value = value_line(line)) {
      note(*value);
    } else {
      group_ = Group(words(line).front());
    }
  }

  void summarise() {
    for (const auto& [key, values] : values_) summarise(key, values);
    values_.clear();
    index_.clear();
  }

 private:
  void note(const Value& value) {
    if (group_.prefix.contains(":/autogroup-")) return;
    const std::string key = group_.prefix + std::string(value.word);
    if (group_.cpu.empty()) {
      append_line(key, value.number, out_);
      return;
    }
    append_line(key + "." + group_.cpu, value.number, out_);
    const auto [it, inserted] = index_.try_emplace(key, values_.size());
    if (inserted) values_.emplace_back(key, std::vector<double>());
    values_[it->second].second.push_back(parse_double(value.number).value_or(0));
  }

  void summarise(const std::string& key, const std::vector<double>& values) {
    const double count = static_cast<double>(values.size());
    const double average = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - average) * (value - average);
    const auto [least, most] = std::ranges::minmax(values);
    append_line(key + ".max", model::Number(most).json(), out_);
    append_line(key + ".min", model::Number(least).json(), out_);
    append_line(key + ".avg", model::Number(average).json(), out_);
    append_line(key + ".stddev", model::Number(std::sqrt(squares / count)).json(), out_);
  }

  std::string& out_;
  Group group_{""};
  std::vector<std::pair<std::string, std::vector<double>>> values_;  // of the present sample, in order
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

Sources sched_debug_sources(const os::Root& root) {
  for (const char* path : {"/sys/kernel/debug/sched/debug", "/proc/sched_debug"})
    if (root.exists(path)) return std::vector<Source>{{.path = path}};
  return failure("neither '/sys/kernel/debug/sched/debug' nor '/proc/sched_debug' is there",
                 "root reads it even where debugfs is not mounted (Linux 5.2 or later)");
}

void parse_sched_debug(std::string_view raw, std::string& out) {
  SchedDebugParser parser(out);
  for (const std::string_view line : lines(raw)) parser.line(line);
  parser.summarise();
}

}  // namespace kilter::monitor
