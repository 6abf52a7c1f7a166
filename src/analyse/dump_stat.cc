#include "analyse/dump_stat.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>

namespace kilter::analyse {
namespace {

using model::Number;
using model::Series;

// Tables with a row an instance: what is idle all the time is left out, or they would drown the rest.
constexpr std::string_view kWide[] = {"buddyinfo",    "diskstats",    "interrupts",  "iostat",
                                      "kmsg",         "numa-meminfo", "numa-vmstat", "numa-numastat",
                                      "pagetypeinfo", "perf-profile", "perf-sched",  "sched_debug",
                                      "slabinfo",     "softirqs",     "dmesg"};
// Their last record may well be shorter than the others.
constexpr std::string_view kUneven[] = {"ftrace", "perf-stat", "sched_debug", "slabinfo", "meminfo"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<std::int64_t> parse_hex(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, value, 16);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<Number> read_number(std::string_view text) {
  if (const std::optional<std::int64_t> integer = parse_int(text)) return Number(*integer);
  if (const std::optional<std::int64_t> hex = parse_hex(text)) return Number(*hex);
  const std::optional<double> real = parse_double(text);
  return real ? std::optional(Number(*real)) : std::nullopt;
}

// The decimal prefix of what is written without a point: "1e3" is 1, "0x10" is 0.
std::optional<Number> read_number_as_lkp(std::string_view text) {
  const std::optional<Number> number = read_number(text);
  if (!number || text.contains('.')) return number;
  const std::size_t digits = text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0);
  const std::optional<std::int64_t> prefix = parse_int(text.substr(0, digits));
  return prefix ? Number(*prefix) : number;
}

struct Range {
  std::string_view start;
  std::string_view end;
  double most;
};
constexpr Range kRanges[] = {{"iostat.cpu.", "", 110},
                             {"vmstat.cpu.", "", 110},
                             {"iostat.", ".util", 300},
                             {"turbostat.", "Watt", 10000}};

bool possible(std::string_view key, double value) {
  for (const Range& range : kRanges)
    if (key.starts_with(range.start) && key.ends_with(range.end)) return value >= 0 && value <= range.most;
  return true;
}

class Dump {
 public:
  Dump(std::string_view monitor, const DumpOptions& options) : options_(options) {
    file_.name = monitor;
    prefix_ = file_.name + ".";
  }

  Status line(std::string_view line) {
    if (line.starts_with('#') || (is_log() && (line.starts_with("message:") || line.starts_with("pattern:"))))
      return {};
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return {};
    const std::string_view key = line.substr(0, colon);
    if (key.find_first_of(" \t") != std::string_view::npos)
      return failure(fmt::format("reading '{}': the key '{}' has a blank in it", file_.name, printable(key)));
    const std::string_view text = trim(line.substr(colon + 2));
    Series& series = find(key);
    const std::optional<Number> number = options_.as_lkp ? read_number_as_lkp(text) : read_number(text);
    if (number && possible(series.key, number->value())) {
      put(series, *number);
    } else {
      put_bad(series);
    }
    return {};
  }

  model::SeriesFile finish() {
    std::ranges::sort(bad_);
    bad_.erase(std::ranges::unique(bad_).begin(), bad_.end());
    for (Series& series : file_.series) remove_bad(series);
    std::erase_if(file_.series, [&](const Series& series) { return series.values.empty() || drops(series); });
    cut_end();
    return std::move(file_);
  }

 private:
  [[nodiscard]] bool is_log() const { return file_.name == "dmesg" || file_.name == "kmsg"; }

  Series& find(std::string_view key) {
    // Records repeat their keys in the same order.
    if (next_ < file_.series.size() &&
        std::string_view(file_.series[next_].key).substr(prefix_.size()) == key)
      return file_.series[next_++];
    const auto [it, inserted] = index_.try_emplace(std::string(key), file_.series.size());
    if (inserted) {
      if (file_.series.empty()) timed_ = key == "time" && !options_.as_lkp;
      file_.series.push_back({.key = prefix_ + std::string(key), .values = {}});
    }
    next_ = it->second + 1;
    return file_.series[it->second];
  }

  // Where in its record a value goes; fills what is missing before.
  void align(Series& series) {
    if (timed_ && &series == file_.series.data()) record_ = series.values.size();
    while (series.values.size() < record_) {
      series.gaps.push_back(static_cast<std::uint32_t>(series.values.size()));
      series.values.emplace_back(0);
    }
  }

  void put(Series& series, const Number& number) {
    align(series);
    if (timed_ && series.values.size() > record_) return;  // said twice in a record
    series.values.push_back(number);
    if (!timed_) record_ = std::max(record_, series.values.size() - 1);
  }

  void put_bad(Series& series) {
    if (options_.as_lkp) {
      bad_.push_back(record_);
      return;
    }
    put(series, Number(0));
    bad_.push_back(series.values.size() - 1);
  }

  void remove_bad(Series& series) const {
    if (bad_.empty()) return;
    Series kept{.key = series.key, .values = {}};
    std::size_t gap = 0;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const bool is_gap = gap < series.gaps.size() && series.gaps[gap] == i;
      gap += is_gap ? 1 : 0;
      if (std::ranges::binary_search(bad_, i)) continue;
      if (is_gap) kept.gaps.push_back(static_cast<std::uint32_t>(kept.values.size()));
      kept.values.push_back(series.values[i]);
    }
    series = std::move(kept);
  }

  [[nodiscard]] bool drops(const Series& series) const {
    if (!options_.as_lkp && !among(kWide, file_.name)) return false;
    if (series.key.starts_with("dmesg.timestamp")) return false;
    return std::ranges::all_of(series.values, [](const Number& value) { return value.value() == 0; });
  }

  // A recording that was cut off ends in a record that lacks its last keys.
  void cut_end() {
    if (among(kUneven, file_.name) || file_.series.empty()) return;
    std::size_t longest = 0;
    std::size_t shortest = file_.series.front().values.size();
    for (const Series& series : file_.series) {
      longest = std::max(longest, series.values.size());
      shortest = std::min(shortest, series.values.size());
    }
    if (shortest + 1 != longest || (!options_.as_lkp && !lacks_its_last_keys(longest))) return;
    for (Series& series : file_.series) {
      if (series.values.size() != longest) continue;
      series.values.pop_back();
      if (!series.gaps.empty() && series.gaps.back() == series.values.size()) series.gaps.pop_back();
    }
    std::erase_if(file_.series, [](const Series& series) { return series.values.empty(); });
  }

  [[nodiscard]] bool lacks_its_last_keys(std::size_t longest) const {
    return std::ranges::is_partitioned(
        file_.series, [longest](const Series& series) { return series.values.size() == longest; });
  }

  const DumpOptions& options_;
  model::SeriesFile file_;
  std::string prefix_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t next_ = 0;    // the series expected next
  std::size_t record_ = 0;  // index of the present record
  bool timed_ = false;      // the first key is `time`, which begins each record
  std::vector<std::size_t> bad_;
};

}  // namespace

Result<model::SeriesFile> dump_stat(std::string_view monitor, std::string_view lines,
                                    const DumpOptions& options) {
  Dump dump(monitor, options);
  for (const std::string_view line : kilter::lines(lines)) TRY(dump.line(line));
  return dump.finish();
}

}  // namespace kilter::analyse
