#include "monitor/error_id.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace kilter::monitor {
namespace {

constexpr std::string_view kDevices[] = {"sda",  "sdb", "sdc", "sdd",  "vda", "vdb", "nvme",
                                         "loop", "eth", "ram", "zram", "md",  "sr",  "scsi"};
constexpr std::string_view kCloneSuffixes[] = {".isra.", ".constprop.", ".part.", ".cold"};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_alpha(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
  return is_digit(c) || is_alpha(c) || c == '_';
}
bool is_hex(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

// "kern  :err   : rest".
void take_decoded_level(LogLine& line) {
  const std::size_t first = line.text.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.text.find(':', first + 1);
  if (second == std::string_view::npos) return;
  const std::string_view level = trim(line.text.substr(first + 1, second - first - 1));
  const auto known = std::ranges::find(kLogLevels, level);
  if (known == std::end(kLogLevels)) return;
  line.facility = trim(line.text.substr(0, first));
  line.level = static_cast<int>(known - std::begin(kLogLevels));
  line.text = line.text.substr(second + 1);
}

// "<3>rest".
void take_raw_level(LogLine& line) {
  const std::size_t end = line.text.find('>');
  if (!line.text.starts_with('<') || end == std::string_view::npos) return;
  const std::optional<std::int64_t> priority = parse_int(line.text.substr(1, end - 1));
  if (!priority || *priority < 0) return;
  line.level = static_cast<int>(*priority % 8);
  line.text = line.text.substr(end + 1);
}

// "[   13.708876] [ T1] rest": the time, and the tag of who printed it.
void take_brackets(LogLine& line) {
  for (line.text = trim(line.text); line.text.starts_with('['); line.text = trim(line.text)) {
    const std::size_t end = line.text.find(']');
    if (end == std::string_view::npos) return;
    const std::string_view inside = trim(line.text.substr(1, end - 1));
    const bool is_time = parse_double(inside) && inside.contains('.');
    const bool is_tag =
        inside.size() > 1 && (inside[0] == 'T' || inside[0] == 'C') && parse_int(inside.substr(1));
    if (!is_time && !is_tag) return;
    if (is_time) line.timestamp = inside;
    line.text = line.text.substr(end + 1);
  }
}

// "[<ffffffff81085b6e>] f+0x10/0x20" and "** text **" -> what says something.
std::string_view essence(std::string_view text) {
  text = trim(text);
  if (text.starts_with("[<") && text.contains(">]")) text = text.substr(text.find(">]") + 2);
  const auto first = std::ranges::find_if(text, is_alpha);
  text.remove_prefix(static_cast<std::size_t>(first - text.begin()));
  while (text.ends_with('*') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool starts_a_word(const std::string& out) {
  return out.empty() || !is_word(out.back());
}

// Copies text with what varies from run to run replaced.
class Normaliser {
 public:
  explicit Normaliser(std::string_view text) : rest_(text) {}

  std::string run() {
    while (!rest_.empty())
      if (!offset() && !clone_suffix() && !number() && !device()) copy();
    return std::move(out_);
  }

 private:
  std::size_t word_length() const {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_word) - rest_.begin());
  }

  // "+0x1f" and "/0x30".
  bool offset() {
    if (!rest_.starts_with("+0x") && !rest_.starts_with("/0x")) return false;
    rest_.remove_prefix(1);
    rest_.remove_prefix(word_length());
    return true;
  }

  bool clone_suffix() {
    for (const std::string_view suffix : kCloneSuffixes) {
      if (!rest_.starts_with(suffix)) continue;
      rest_.remove_prefix(suffix.size());
      rest_.remove_prefix(
          static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin()));
      return true;
    }
    return false;
  }

  bool number() {
    if (!starts_a_word(out_)) return false;
    const std::string_view word = rest_.substr(0, word_length());
    if (word.empty()) return false;
    std::size_t length = static_cast<std::size_t>(std::ranges::find_if_not(word, is_digit) - word.begin());
    const bool after_equals = !out_.empty() && out_.back() == '=';
    if (word.starts_with("0x") ||
        (is_hex(word) && (word.size() == 8 || word.size() == 16 || word.size() == 40 || after_equals)))
      length = word.size();
    if (length == 0) return false;
    out_ += '#';
    rest_.remove_prefix(length);
    return true;
  }

  bool device() {
    if (!starts_a_word(out_)) return false;
    const std::string_view word = rest_.substr(0, word_length());
    for (const std::string_view name : kDevices) {
      if (!word.starts_with(name) || word.size() == name.size()) continue;
      if (!std::ranges::all_of(word.substr(name.size()), is_digit)) continue;
      out_.append(name) += '#';
      rest_.remove_prefix(word.size());
      return true;
    }
    return false;
  }

  void copy() {
    constexpr std::string_view kHostile = "\\\"$";
    out_ += kHostile.contains(rest_.front()) ? '~' : rest_.front();
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::string out_;
};

// Blanks beside punctuation go, the others become '_'.
std::string join_blanks(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
      if (static_cast<unsigned char>(text[i]) >= ' ') out += text[i];
      continue;
    }
    while (i + 1 < text.size() && std::isspace(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
    const bool after_word = !out.empty() && (is_digit(out.back()) || is_alpha(out.back()));
    if (after_word && i + 1 < text.size() && is_alpha(text[i + 1])) out += '_';
  }
  return out;
}

bool varies(std::string_view word) {
  return std::ranges::any_of(word, is_digit) &&
         std::ranges::none_of(word.starts_with("0x") ? std::string_view() : word, is_alpha);
}

// "cpumap.c:48:22:" -> "cpumap.c:".
std::string_view without_place(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0 || !varies(word.substr(colon))) return word;
  return word.substr(0, colon + 1);
}

}  // namespace

LogLine read_log_line(std::string_view line) {
  LogLine result{.text = line};
  take_decoded_level(result);
  take_raw_level(result);
  take_brackets(result);
  return result;
}

std::string error_id(std::string_view text) {
  std::string_view kept = essence(text);
  kept = kept.substr(0, kept.find(" (Tainted:"));
  std::string id = join_blanks(Normaliser(kept).run());
  id.erase(id.find_last_not_of("-_.,;:#!*[(") + 1);
  return id;
}

std::string error_pattern(std::string_view text) {
  const std::vector<std::string_view> all = words(essence(text));
  if (all.size() == 1) return std::string(all[0]);
  std::string pattern;
  bool quoted = false;
  for (const std::string_view word : all) {
    const bool begins = word.starts_with('\'');
    const std::string_view place = without_place(word);
    const bool wild = quoted || begins || varies(word) || place.size() < word.size();
    quoted = (quoted || begins) && (word.size() <= 1 || (!word.ends_with('\'') && !word.ends_with("',")));
    const std::string_view kept = place.size() < word.size() ? place : std::string_view();
    if (wild && kept.empty() && pattern.ends_with(".*")) continue;
    if (!pattern.empty()) pattern += ' ';
    pattern.append(wild ? kept : word).append(wild ? ".*" : "");
  }
  // What is left open at the end matches without saying so.
  while (pattern.ends_with(" .*")) pattern.resize(pattern.size() - 3);
  return pattern;
}

}  // namespace kilter::monitor
