#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

// perf report --children --header -g folded: a row a symbol, then its call chains, callee first. Percent.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

constexpr double kSmallest = 0.05;  // percent
constexpr std::size_t kFrames = 5;

std::optional<double> percent(std::string_view word) {
  if (!word.ends_with('%')) return std::nullopt;
  return parse_double(word.substr(0, word.size() - 1));
}

// "ksys_read.isra.0" -> "ksys_read": copies of one function the compiler made.
std::string without_clone_suffix(std::string_view symbol) {
  std::string name(symbol);
  for (const std::string_view suffix : {".isra.", ".constprop.", ".part."}) {
    std::size_t at = name.find(suffix);
    while (at != std::string::npos) {
      const std::size_t end = std::min(name.find_first_not_of("0123456789", at + suffix.size()), name.size());
      if (end == at + suffix.size()) break;
      name.erase(at, end - at);
      at = name.find(suffix);
    }
  }
  return name;
}

// "# Samples: 8K of event 'cycles:pp'" -> "cycles-pp".
std::string event_of(std::string_view line) {
  constexpr std::string_view kMark = "of event ";
  const std::size_t at = line.find(kMark);
  if (!line.starts_with("# Samples: ") || at == std::string_view::npos) return {};
  const Words fields = words(line.substr(at + kMark.size()));
  if (fields.empty()) return {};
  return replace_all(replace_all(std::string(fields[0]), "'", ""), ":", "-");
}

class ProfileParser {
 public:
  void line(std::string_view line) {
    if (line.starts_with('#')) {
      if (event_.empty()) event_ = event_of(line);
      return;
    }
    const Words fields = words(line);
    if (event_.empty() || fields.size() < 2) return;
    const std::optional<double> first = percent(fields[0]);
    if (!first) return;
    if (const std::optional<double> self = percent(fields[1])) {
      symbol(fields, *first, *self);
    } else if (fields.size() == 2) {
      chain(fields[1], *first);
    }
  }

  void print(std::string& out) const {
    for (const auto& [key, value] : sums_)
      if (value >= kSmallest) fmt::format_to(std::back_inserter(out), "{}: {:.2f}\n", key, value);
  }

 private:
  // children% self% object [k] symbol, and perhaps two columns more.
  void symbol(const Words& fields, double children, double self) {
    const auto mark = std::ranges::find_if(
        fields, [](std::string_view word) { return word.size() == 3 && word[0] == '[' && word[2] == ']'; });
    const auto rest = std::distance(mark, fields.end());
    if (rest != 2 && rest != 4) return;
    const std::string name = without_clone_suffix(*std::next(mark));
    sums_[fmt::format("children.{}.{}", event_, name)] += children;
    sums_[fmt::format("self.{}.{}", event_, name)] += self;
  }

  void chain(std::string_view frames, double share) {
    std::string key = "calltrace." + event_;
    std::size_t count = 0;
    for (const std::string_view frame : split(frames, ';'))
      if (count++ < kFrames) key += "." + without_clone_suffix(frame);
    sums_[key] += share;
  }

  std::string event_;
  std::map<std::string, double> sums_;
};

}  // namespace

void parse_perf_profile(std::string_view raw, std::string& out) {
  if (!raw.starts_with("# ========") && !raw.substr(0, raw.find('\n')).contains("--header")) return;
  ProfileParser parser;
  for (const std::string_view line : lines(raw)) parser.line(line);
  parser.print(out);
}

}  // namespace kilter::monitor
