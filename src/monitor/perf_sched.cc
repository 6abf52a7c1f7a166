#include "base/text.h"
#include "model/number.h"
#include "monitor/all.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

// perf sched timehist: how long tasks waited and how long they were kept from running, by call chain.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t kTokens = 5;    // of a chain, callee first
constexpr double kRareShare = 0.005;  // of all events

double round3(double value) {
  return std::round(value * 1000) / 1000;
}

// One of the three quantities of a chain, or of all.
struct Quantity {
  double most = 0;
  double sum = 0;

  void add(double value) {
    most = std::max(most, value);
    sum += value;
  }
};

struct Waits {
  std::string chain;
  long long count = 0;
  Quantity wait;
  Quantity delay;
  Quantity both;

  void add(double wait_ms, double delay_ms) {
    ++count;
    wait.add(wait_ms);
    delay.add(delay_ms);
    both.add(round3(wait_ms + delay_ms));
  }
  [[nodiscard]] double average(const Quantity& quantity) const {
    return count == 0 ? 0 : round3(quantity.sum / static_cast<double>(count));
  }
};

struct Event {
  double wait = 0;
  double delay = 0;
  std::string chain;
};

// The last four words of a line: wait time, delay, run time, chain.
std::optional<Event> read_event(std::string_view line) {
  if (!line.contains(" <- ")) return std::nullopt;
  const std::string joined = replace_all(std::string(line), " <- ", ".");
  const Words fields = words(joined);
  if (fields.size() < 4) return std::nullopt;
  const std::optional<double> wait = parse_double(fields[fields.size() - 4]);
  const std::optional<double> delay = parse_double(fields[fields.size() - 3]);
  if (!wait || !delay) return std::nullopt;
  const Words tokens = split(fields.back(), '.');
  std::string chain;
  for (std::size_t i = 0; i < std::min(kTokens, tokens.size()); ++i)
    chain.append(i == 0 ? "" : ".").append(tokens[i]);
  return Event{.wait = *wait, .delay = *delay, .chain = chain};
}

class Printer {
 public:
  explicit Printer(std::string& out) : out_(out) {}

  void total(const Waits& all) {
    value("total_wait_time.max.ms", all.wait.most);
    value("total_wait_time.average.ms", all.average(all.wait));
    value("total_sch_delay.max.ms", all.delay.most);
    value("total_sch_delay.average.ms", all.average(all.delay));
    append_line("total_wait_and_delay.count.ms", all.count, out_);
    value("total_wait_and_delay.max.ms", all.both.most);
    value("total_wait_and_delay.average.ms", all.average(all.both));
  }

  void chain(const Waits& waits, const Waits& all) {
    value("wait_time.max.ms." + waits.chain, waits.wait.most);
    value("wait_time.avg.ms." + waits.chain, waits.average(waits.wait));
    value("sch_delay.max.ms." + waits.chain, waits.delay.most);
    value("sch_delay.avg.ms." + waits.chain, waits.average(waits.delay));
    const bool rare =
        static_cast<double>(waits.count) < std::trunc(kRareShare * static_cast<double>(all.count));
    if (rare && waits.average(waits.both) < all.average(all.both)) return;
    append_line("wait_and_delay.count." + waits.chain, waits.count, out_);
    value("wait_and_delay.max.ms." + waits.chain, waits.both.most);
    value("wait_and_delay.avg.ms." + waits.chain, waits.average(waits.both));
  }

 private:
  void value(const std::string& key, double value) { append_line(key, model::Number(value).json(), out_); }

  std::string& out_;
};

}  // namespace

void parse_perf_sched(std::string_view raw, std::string& out) {
  Waits all;
  std::vector<Waits> chains;
  std::map<std::string, std::size_t> index;
  for (const std::string_view line : lines(raw)) {
    const std::optional<Event> event = read_event(line);
    if (!event) continue;
    const auto [it, inserted] = index.try_emplace(event->chain, chains.size());
    if (inserted) chains.push_back({.chain = event->chain});
    chains[it->second].add(event->wait, event->delay);
    all.add(event->wait, event->delay);
  }
  if (all.count == 0) return;
  // Most events first; among equals the one seen last.
  std::ranges::reverse(chains);
  std::ranges::stable_sort(chains, std::greater(), &Waits::count);
  Printer printer(out);
  printer.total(all);
  for (const Waits& waits : chains) printer.chain(waits, all);
}

}  // namespace kilter::monitor
