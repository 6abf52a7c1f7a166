#include "execute/run_log.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace kilter::execute {
namespace {

constexpr std::uint64_t kTail = 4096;
constexpr std::size_t kShort = 160;

// What programs print below their error.
bool is_advice(std::string_view line) {
  constexpr std::array<std::string_view, 6> kBegin = {"hint:", "Hint:", "HINT:", "Try '", "Try `", "try '"};
  const std::string_view text = trim(line);
  return text.empty() ||
         std::ranges::any_of(kBegin, [text](std::string_view begin) { return text.starts_with(begin); }) ||
         (text.starts_with("For more information") && text.contains("help"));
}

}  // namespace

Status RunLog::line(std::string_view text) {
  const bool open_line =
      os::size_of_file(path_) > 0 && !os::read_tail(path_, 1).value_or("\n").ends_with('\n');
  TRY(os::append_file(path_, (open_line ? "\n" : "") + std::string(text) + "\n"));
  own_end_ = os::size_of_file(path_);
  return {};
}

Status RunLog::commands(std::string_view text, int copies) {
  const std::string one = os::local_timestamp(clock_.wall()) + " " + std::string(text);
  std::string all = one;
  for (int copy = 1; copy < copies; ++copy) all += "\n" + one;
  return line(all);
}

Status RunLog::take(const os::Path& part) {
  TRY(os::append_contents(part, path_));
  return os::remove_tree(part);
}

std::string RunLog::last_words() const {
  const std::uint64_t printed = os::size_of_file(path_) - std::min(own_end_, os::size_of_file(path_));
  const Result<std::string> tail = os::read_tail(path_, std::min(kTail, printed));
  if (!tail) return {};
  const std::vector<std::string_view> all = lines(trim(*tail));
  const auto said = std::find_if_not(all.rbegin(), all.rend(), is_advice);
  const std::string_view chosen = said != all.rend() ? *said : all.empty() ? "" : all.back();
  std::string last = printable(trim(chosen));
  if (last.size() > kShort) last = last.substr(0, kShort) + "...";
  return last;
}

}  // namespace kilter::execute
