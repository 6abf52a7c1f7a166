#include "base/text.h"
#include "model/number.h"
#include "monitor/all.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

// perf stat -I -x, : lines "<t>,<value>,<unit>,<event>,<run ns>,<running %>,<metric>,<metric unit>", also
// with blanks for commas (older perf) and with a socket ("S0,<cpus>") after the time.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

constexpr double kSameInterval = 0.010;  // seconds
constexpr std::size_t kShortestRow = 5;  // time, value, unit, event, run; percent and metric may lack

// EventSums by name, in the order in which the names come up.
class EventSums {
 public:
  void add(const std::string& name, double value) {
    const auto [it, inserted] = index_.try_emplace(name, entries_.size());
    if (inserted) entries_.emplace_back(name, 0);
    entries_[it->second].second += value;
  }
  [[nodiscard]] std::optional<double> get(const std::string& name) const {
    const auto it = index_.find(name);
    return it == index_.end() ? std::nullopt : std::optional(entries_[it->second].second);
  }
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, double>> entries_;
  std::map<std::string, std::size_t> index_;
};

struct EventRow {
  double time = 0;
  double value = 0;  // what could not be counted is 0
  std::string event;
  std::string socket;  // "S0" or ""
  double metric = 0;
  std::string metric_unit;
};

// "cpu_core/cycles/" -> "cycles"; "uncore_IMC0" -> "uncore"; bytes say so.
std::string event_name(std::string_view event, std::string_view unit) {
  for (const std::string_view pmu : {"cpu_core/", "cpu_atom/"})
    if (event.starts_with(pmu) && event.ends_with('/'))
      event = event.substr(pmu.size(), event.size() - pmu.size() - 1);
  std::string name(event.substr(0, event.find("_IMC")));
  if (unit == "Bytes") name += "_Bytes";
  return name;
}

double number(std::string_view text) {
  return parse_double(text).value_or(0);
}

EventRow comma_row(Words fields) {
  EventRow row{.time = number(trim(fields[0]))};
  if (fields[1].size() > 1 && fields[1][0] == 'S' && parse_int(fields[1].substr(1)) && fields.size() > 6) {
    row.socket = fields[1];
    fields.erase(fields.begin() + 1, fields.begin() + 3);
  }
  row.value = number(fields[1]);
  row.event = event_name(fields[3], fields[2]);
  if (fields.size() > 7) {
    row.metric = number(fields[6]);
    row.metric_unit = fields[7];
  }
  return row;
}

EventRow blank_row(const Words& fields) {
  EventRow row{.time = number(fields[0]), .value = number(fields[1])};
  const bool uncounted = fields[1].starts_with("<not");  // "<not counted>" is two words
  const std::size_t event = uncounted ? 3 : 2;
  if (event < fields.size()) row.event = event_name(fields[event], {});
  for (std::size_t i = event + 4; i < fields.size(); ++i)
    row.metric_unit.append(row.metric_unit.empty() ? "" : " ").append(fields[i]);
  if (event + 3 < fields.size()) row.metric = number(fields[event + 3]);
  return row;
}

// A row, if the line is one: it starts with a decimal number.
std::optional<EventRow> read_row(std::string_view line) {
  const std::string_view text = trim(line);
  const std::size_t end = text.find_first_of(", \t");
  if (end == std::string_view::npos || !text.substr(0, end).contains('.') ||
      !parse_double(text.substr(0, end)))
    return std::nullopt;
  if (text[end] == ',') {
    const Words fields = split(text, ',');
    return fields.size() > kShortestRow ? std::optional(comma_row(fields)) : std::nullopt;
  }
  const Words fields = words(text);
  return fields.size() >= kShortestRow - 1 ? std::optional(blank_row(fields)) : std::nullopt;
}

// The names after -e of the logged command line.
std::vector<std::string> events_of(std::string_view line) {
  std::vector<std::string> events;
  const Words fields = words(line);
  for (std::size_t i = 0; i + 1 < fields.size(); ++i)
    if (fields[i] == "-e")
      for (std::string_view event : split(fields[i + 1], ',')) {
        while (event.starts_with('{')) event.remove_prefix(1);
        while (event.ends_with('}')) event.remove_suffix(1);
        if (!event.empty()) events.emplace_back(event);
      }
  return events;
}

// "GHz", "M/sec", not "insn per cycle".
bool is_metric_unit(std::string_view unit) {
  return unit.size() > 1 && unit[0] >= 'A' && unit[0] <= 'Z' && !unit.contains(' ');
}

class PerfStatParser {
 public:
  explicit PerfStatParser(std::string& out) : out_(out) {}

  // False when the text is not what the command line promised.
  bool line(std::string_view line) {
    if (events_.empty() && line.contains("perf stat ") && line.contains(" -e ")) events_ = events_of(line);
    const std::optional<EventRow> row = read_row(line);
    if (!row) return true;
    const auto named = [line](const std::string& event) { return line.contains(event); };
    if (!events_.empty() && std::ranges::none_of(events_, named)) return false;
    if (row->time - time_ > kSameInterval && !interval_.entries().empty()) close_interval();
    time_ = row->time;
    add(*row);
    return true;
  }

  // The last interval is cut by the end of the run: it counts in the time only.
  void finish() {
    if (totals_.entries().empty() || time_ <= 0) return;
    for (const auto& [event, sum] : totals_.entries()) print("ps." + event, sum / time_);
    if (const std::optional<double> instructions = totals_.get("instructions"))
      print("total.instructions", *instructions);
    derived("overall.", totals_);
  }

 private:
  void add(const EventRow& row) {
    interval_.add(row.event, row.value);
    if (!row.socket.empty()) interval_.add(row.socket + "." + row.event, row.value);
    if (is_metric_unit(row.metric_unit)) metrics_.add(row.metric_unit, row.metric);
  }

  void close_interval() {
    const double seconds = time_ - begin_;
    print("time", time_);
    for (const auto& [event, sum] : interval_.entries()) {
      print("i." + event, sum / seconds);
      totals_.add(event, sum);
    }
    derived("i.", interval_);
    for (const auto& [unit, sum] : metrics_.entries()) print("i.metric." + unit, sum);
    begin_ = time_;
    interval_ = EventSums();
    metrics_ = EventSums();
  }

  void derived(const std::string& prefix, const EventSums& sums) {
    for (const auto& [event, value] : sums.entries()) {
      if (event.ends_with("-misses")) miss_rate(prefix, sums, event, value);
      if (event == "iTLB-load-misses")
        ratio(prefix + "instructions-per-iTLB-miss", sums.get("instructions"), value);
      if (event == "cache-misses") {
        ratio(prefix + "cycles-between-cache-misses", sums.get("cpu-cycles"), value);
        if (value != 0) ratio(prefix + "MPKI", value, sums.get("instructions").value_or(0), 1000);
      }
      if (event == "cpu-cycles") {
        ratio(prefix + "ipc", sums.get("instructions"), value);
        ratio(prefix + "cpi", value, sums.get("instructions").value_or(0));
      }
    }
  }

  void miss_rate(const std::string& prefix, const EventSums& sums, const std::string& event, double misses) {
    const std::string stem = event.substr(0, event.size() - std::string_view("-misses").size());
    std::optional<double> total = sums.get(stem + "s");
    if (total) *total += misses;  // loads that hit, and misses
    if (!total) total = sums.get(stem + "-references");
    if (!total) total = sums.get(stem + "-instructions");
    if (total && *total != 0) print(prefix + stem + "-miss-rate%", misses * 100 / *total);
  }

  void ratio(const std::string& key, std::optional<double> above, double below, double scale = 1) {
    if (above && below != 0) print(key, *above / below * scale);
  }

  void print(const std::string& key, double value) { append_line(key, model::Number(value).json(), out_); }

  std::string& out_;
  std::vector<std::string> events_;
  double begin_ = 0;  // of the present interval
  double time_ = 0;
  EventSums interval_;
  EventSums metrics_;
  EventSums totals_;
};

}  // namespace

void parse_perf_stat(std::string_view raw, std::string& out) {
  const std::size_t begin = out.size();
  PerfStatParser parser(out);
  for (const std::string_view line : lines(raw)) {
    if (parser.line(line)) continue;
    out.resize(begin);
    return;
  }
  parser.finish();
}

}  // namespace kilter::monitor
