#include "base/civil_time.h"
#include "base/text.h"
#include "model/json.h"
#include "model/number.h"
#include "monitor/all.h"
#include "monitor/intervals.h"
#include "monitor/proc_stat.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

// mpstat in sysstat's JSON form, computed from /proc/stat. Option `cpus: all` adds each CPU to the sum.
namespace kilter::monitor {
namespace {

using nlohmann::ordered_json;

struct CpuMoment {
  double time = 0;
  double monotonic = 0;
  ProcStat stat;
};

double passed(const CpuTicks& before, const CpuTicks& after, CpuField field) {
  return static_cast<double>(std::max<std::int64_t>(after.ticks[field] - before.ticks[field], 0));
}

// One object of "cpu-load"; guest time is counted in user and nice too, and sysstat shows it once.
std::string load_entry(std::string_view cpu, const CpuTicks& before, const CpuTicks& after) {
  double total = 0;
  for (const CpuField field : {kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal})
    total += passed(before, after, field);
  const auto percent = [&](double ticks) { return total > 0 ? std::max(ticks, 0.0) * 100 / total : 0.0; };
  const auto of = [&](CpuField field) { return passed(before, after, field); };
  return fmt::format(
      R"({{"cpu": "{}", "usr": {:.2f}, "nice": {:.2f}, "sys": {:.2f}, "iowait": {:.2f}, "irq": {:.2f}, )"
      R"("soft": {:.2f}, "steal": {:.2f}, "guest": {:.2f}, "gnice": {:.2f}, "idle": {:.2f}}})",
      cpu, percent(of(kUser) - of(kGuest)), percent(of(kNice) - of(kGuestNice)), percent(of(kSystem)),
      percent(of(kIowait)), percent(of(kIrq)), percent(of(kSoftirq)), percent(of(kSteal)),
      percent(of(kGuest)), percent(of(kGuestNice)), percent(of(kIdle)));
}

class MpstatWriter final : public Writer {
 public:
  explicit MpstatWriter(bool each_cpu) : each_cpu_(each_cpu) {}

  void add(const Sample& sample, std::string& out) override {
    if (sample.data[0].data() == nullptr) return;
    CpuMoment moment{
        .time = sample.time, .monotonic = sample.monotonic, .stat = read_proc_stat(sample.data[0])};
    if (moment.stat.cpus.empty()) return;
    if (!each_cpu_) moment.stat.cpus.resize(1);
    for (CpuTicks& cpu : moment.stat.cpus) cpu.name = {};
    intervals_.add(std::move(moment), [&](const CpuMoment& a, const CpuMoment& b) { print(a, b, out); });
  }

  void finish(std::string& out) override {
    intervals_.finish([&](const CpuMoment& a, const CpuMoment& b) { print(a, b, out); });
    if (printed_ > 0) out += "\n\t\t\t]\n\t\t}\n\t]\n}}\n";
  }

 private:
  void print(const CpuMoment& before, const CpuMoment& after, std::string& out) {
    if (printed_ == 0) print_head(after, out);
    out += printed_++ == 0 ? "" : ",\n";
    fmt::format_to(std::back_inserter(out),
                   "\t\t\t\t{{\n\t\t\t\t\t\"timestamp\": \"{}\",\n\t\t\t\t\t\"cpu-load\": [\n",
                   utc_clock(after.time));
    const std::size_t count = std::min(before.stat.cpus.size(), after.stat.cpus.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = i == 0 ? "all" : fmt::format("{}", i - 1);
      out += "\t\t\t\t\t\t" + load_entry(name, before.stat.cpus[i], after.stat.cpus[i]);
      out += i + 1 < count ? ",\n" : "\n";
    }
    out += "\t\t\t\t\t]\n\t\t\t\t}";
  }

  void print_head(const CpuMoment& first, std::string& out) const {
    fmt::format_to(
        std::back_inserter(out),
        "{{\"sysstat\": {{\n\t\"hosts\": [\n\t\t{{\n\t\t\t\"sysname\": \"Linux\",\n\t\t\t\"date\": "
        "\"{}\",\n\t\t\t\"statistics\": [\n",
        utc_date(first.time));
  }

  bool each_cpu_;
  int printed_ = 0;
  Intervals<CpuMoment> intervals_;
};

// The end of the JSON object that starts at `begin`, or npos when the text ends before it.
std::size_t object_end(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (quoted) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        quoted = false;
      continue;
    }
    if (text[i] == '"') quoted = true;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The value of a string member `"name": "value"` in `text`.
std::string_view string_member(std::string_view text, std::string_view name) {
  const std::string label = fmt::format("\"{}\": \"", name);
  const std::size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + label.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

// Reads statistics entries one by one, so that a recording cut off in the middle gives all before the cut.
class MpstatParser {
 public:
  explicit MpstatParser(std::string& out) : out_(out) {}

  void entry(const ordered_json& statistics, std::string_view date) {
    if (!statistics.is_object()) return;
    print_time(date, model::member<std::string>(statistics, "timestamp"));
    loads(statistics, "cpu-load", "cpu");
    loads(statistics, "node-load", "node");
  }

  // LKP multiplies by the number of idle values, and its mean divides again.
  void finish() {
    if (count_ == 0) return;
    append_line("max_utilization_pct", model::Number(most_ * static_cast<double>(count_)).json(), out_);
    append_line("max_utilization.seconds", most_at_ * count_, out_);
  }

 private:
  void print_time(std::string_view date, const std::string& clock) {
    const std::optional<std::int64_t> time = utc_seconds(date, clock);
    if (!time) return;
    // The date is told once, at the start: a clock that goes back has passed midnight.
    while (*time + days_ * 86400 < last_) ++days_;
    last_ = *time + days_ * 86400;
    append_line("time", last_, out_);
  }

  void loads(const ordered_json& statistics, const char* member, std::string_view kind) {
    const auto list = statistics.find(member);
    if (list == statistics.end() || !list->is_array()) return;
    for (const ordered_json& load : *list)
      if (load.is_object() && !load.empty()) print_load(load, kind);
  }

  void print_load(const ordered_json& load, std::string_view kind) {
    const ordered_json& first = load.begin().value();
    const std::string name = first.is_string() ? first.get<std::string>() : first.dump();
    for (auto it = std::next(load.begin()); it != load.end(); ++it) {
      if (!it->is_number()) continue;
      const model::Number value =
          it->is_number_integer() ? model::Number(it->get<std::int64_t>()) : model::Number(it->get<double>());
      append_line(fmt::format("{}.{}.{}%", kind, name, it.key()), value.json(), out_);
      if (it.key() == "iowait") iowait_ = value.value();
      if (it.key() == "idle") note_idle(value.value());
    }
  }

  void note_idle(double idle) {
    const double used = 100 - idle - iowait_;
    ++count_;
    if (count_ > 1 && used <= most_) return;
    most_ = used;
    most_at_ = count_;
  }

  std::string& out_;
  long long count_ = 0;  // idle values seen
  double most_ = 0;
  long long most_at_ = 0;
  double iowait_ = 0;
  std::int64_t last_ = 0;
  std::int64_t days_ = 0;
};

}  // namespace

Sources mpstat_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/stat"});
}

WriterPtr mpstat_writer(const WriterContext& context) {
  const auto cpus = context.options.find("cpus");
  return std::make_unique<MpstatWriter>(cpus != context.options.end() &&
                                        (cpus->second == "all" || cpus->second == "ALL"));
}

void parse_mpstat(std::string_view raw, std::string& out) {
  constexpr std::string_view kList = "\"statistics\": [";
  MpstatParser parser(out);
  std::size_t at = raw.find(kList);
  if (!trim(raw).starts_with('{') || at == std::string_view::npos) return;
  const std::string_view date = string_member(raw.substr(0, at), "date");
  for (at = raw.find_first_of("{]", at + kList.size()); at < raw.size() && raw[at] == '{';
       at = raw.find_first_of("{]", at)) {
    const std::size_t end = object_end(raw, at);
    if (end == std::string_view::npos) break;
    const ordered_json entry = ordered_json::parse(raw.substr(at, end - at), nullptr, false);
    parser.entry(entry, date);
    at = end;
  }
  parser.finish();
}

}  // namespace kilter::monitor
