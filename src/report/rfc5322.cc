#include "report/rfc5322.h"

#include "base/text.h"
#include "base/utf8.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

namespace kilter::report {
namespace {

constexpr std::size_t kFold = 78;
constexpr std::size_t kLongestLine = 998;
constexpr std::size_t kEncodedBytes = 42;  // of text in one encoded word: 56 in base64, 68 with its marks

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The text with `control` in place of each control character (0: none) and U+FFFD for broken bytes.
std::string clean(std::string_view text, std::string_view kept, char control) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = utf8_length(text, i);
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    const bool is_control = byte < 0x20 || byte == 0x7f;
    if (size == 0) {
      result += "\xef\xbf\xbd";
    } else if (!is_control || kept.find(text[i]) != std::string_view::npos) {
      result += text.substr(i, size);
    } else if (control != 0) {
      result += control;
    }
    i += std::max<std::size_t>(size, 1);
  }
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) -> unsigned {
      return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
    };
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (unsigned digit = 0; digit < 4; ++digit)
      text += i + digit > bytes.size() ? '=' : kDigits[group >> (18 - 6 * digit) & 63];
  }
  return text;
}

// UTF-8 text as encoded words, none of which splits a character.
std::vector<std::string> encoded_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    std::size_t size = 0;
    while (size < text.size()) {
      const std::size_t next = std::max<std::size_t>(utf8_length(text, size), 1);
      if (size + next > kEncodedBytes) break;
      size += next;
    }
    words.push_back("=?UTF-8?B?" + base64(text.substr(0, size)) + "?=");
    text.remove_prefix(size);
  }
  return words;
}

// Appends words to a header, each with its blanks before it, going to a new line where one would get too
// long.
class Folder {
 public:
  explicit Folder(std::string_view name) : text_(name) { text_ += ':'; }
  void add(std::string_view blanks, std::string_view word) {
    const std::size_t used = text_.size() - (text_.rfind('\n') + 1);
    // The first word stays beside the name: a line of blanks alone is not allowed.
    if (used + blanks.size() + word.size() > kFold && text_.back() != ':') text_ += '\n';
    text_ += blanks;
    text_ += word;
  }
  [[nodiscard]] std::string finish() const { return text_ + "\n"; }

 private:
  std::string text_;
};

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : words(text)) longest = std::max(longest, word.size());
  return longest;
}

// A display name as RFC 5322 wants it: bare, quoted, or encoded.
std::vector<std::string> phrase(std::string_view name) {
  constexpr std::string_view kAtom =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~ ";
  if (!is_ascii(name) || name.find("=?") != std::string_view::npos || name.size() > 200)
    return encoded_words(name);
  std::vector<std::string> result;
  if (name.find_first_not_of(kAtom) == std::string_view::npos) {
    for (const std::string_view word : words(name)) result.emplace_back(word);
    return result;
  }
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return {quoted + '"'};
}

std::string quoted_printable(std::string_view body) {
  std::string text;
  std::size_t column = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const unsigned char byte = static_cast<unsigned char>(body[i]);
    if (byte == '\n') {
      text += '\n';
      column = 0;
      continue;
    }
    const bool at_end = i + 1 == body.size() || body[i + 1] == '\n';
    const bool plain = (byte >= 0x20 && byte < 0x7f && byte != '=') || byte == '\t';
    const bool trails = at_end && (byte == ' ' || byte == '\t');
    const bool as_it_is = plain && !trails;
    const std::string piece = as_it_is ? std::string(1, body[i]) : fmt::format("={:02X}", byte);
    if (column + piece.size() > 75) {
      text += "=\n";
      column = 0;
    }
    text += piece;
    column += piece.size();
  }
  return text;
}

}  // namespace

std::string header_text(std::string_view text) {
  return std::string(trim(clean(text, "", ' ')));
}

bool is_address(std::string_view email) {
  const std::size_t at = email.find('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == email.size() || email.size() > 254) return false;
  constexpr std::string_view kLocal =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~.";
  constexpr std::string_view kHost = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  const auto dots_fine = [](std::string_view part) {
    return part.front() != '.' && part.back() != '.' && part.find("..") == std::string_view::npos;
  };
  const std::string_view local = email.substr(0, at);
  const std::string_view host = email.substr(at + 1);
  return local.find_first_not_of(kLocal) == std::string_view::npos &&
         host.find_first_not_of(kHost) == std::string_view::npos && dots_fine(local) && dots_fine(host);
}

Mailbox parse_mailbox(std::string_view text) {
  const std::string line = header_text(text);
  const std::size_t open = line.find('<');
  const std::size_t close = open == std::string::npos ? open : line.find('>', open);
  if (close == std::string::npos) {
    const std::vector<std::string_view> parts = words(line);
    return {"", parts.size() == 1 && is_address(parts[0]) ? std::string(parts[0]) : ""};
  }
  std::string name(trim(std::string_view(line).substr(0, open)));
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = replace_all(replace_all(name.substr(1, name.size() - 2), "\\\"", "\""), "\\\\", "\\");
  const std::string email(trim(std::string_view(line).substr(open + 1, close - open - 1)));
  return {name, is_address(email) ? email : ""};
}

std::string text_header(std::string_view name, std::string_view text) {
  const std::string line = header_text(text);
  Folder folder(name);
  if (!is_ascii(line) || line.find("=?") != std::string::npos || longest_word(line) > kLongestLine - 100) {
    for (const std::string& word : encoded_words(line)) folder.add(" ", word);
    return folder.finish();
  }
  std::string_view rest = line;
  std::string_view blanks = " ";
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    folder.add(blanks, word);
    rest.remove_prefix(word.size());
    blanks = rest.substr(0, std::min(rest.find_first_not_of(' '), rest.size()));
    // A header of blanks would be longer than any line may be.
    if (blanks.size() > kFold / 2) blanks = blanks.substr(0, kFold / 2);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  }
  return folder.finish();
}

std::string address_header(std::string_view name, std::span<const Mailbox> mailboxes) {
  std::vector<std::string> all;
  for (const Mailbox& mailbox : mailboxes) {
    if (!is_address(mailbox.email)) continue;
    if (!all.empty()) all.back() += ',';
    for (std::string& word : phrase(header_text(mailbox.name))) all.push_back(std::move(word));
    all.push_back("<" + mailbox.email + ">");
  }
  if (all.empty()) return "";
  Folder folder(name);
  for (const std::string& word : all) folder.add(" ", word);
  return folder.finish();
}

std::string date_text(std::int64_t seconds) {
  constexpr std::array<const char*, 7> kDays = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  seconds = std::clamp<std::int64_t>(seconds, 0, 253402300799);  // 1970 to 9999
  const std::int64_t day = seconds / 86400;
  const std::int64_t second = seconds % 86400;
  // Days since 1 March 0000, so that the leap day is the last of a year.
  const std::int64_t shifted = day + 719468;
  const std::int64_t era = shifted / 146097;
  const std::int64_t in_era = shifted % 146097;
  const std::int64_t year_in_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  const std::int64_t in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
  const std::int64_t month = (5 * in_year + 2) / 153;  // 0 = March
  const std::int64_t month_day = in_year - (153 * month + 2) / 5 + 1;
  const std::int64_t year = year_in_era + era * 400 + (month >= 10 ? 1 : 0);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000", kDays[static_cast<std::size_t>(day % 7)],
                     month_day, kMonths[static_cast<std::size_t>((month + 2) % 12)], year, second / 3600,
                     second / 60 % 60, second % 60);
}

std::string text_part(std::string_view body) {
  std::string text = clean(body, "\t\n", 0);
  if (!text.ends_with('\n')) text += '\n';
  const bool long_lines =
      std::ranges::any_of(lines(text), [](std::string_view line) { return line.size() > kLongestLine; });
  const char* const encoding = long_lines ? "quoted-printable" : is_ascii(text) ? "7bit" : "8bit";
  return fmt::format(
      "MIME-Version: 1.0\nContent-Type: text/plain; charset=\"UTF-8\"\nContent-Disposition: inline\n"
      "Content-Transfer-Encoding: {}\n\n{}",
      encoding, long_lines ? quoted_printable(text) : text);
}

}  // namespace kilter::report
