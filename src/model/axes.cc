#include "model/axes.h"

#include "base/text.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

namespace kilter::model {
namespace {

std::optional<char> coded_at(std::string_view text, std::size_t i) {
  int code = 0;
  if (i + 2 >= text.size() || text[i] != '%') return std::nullopt;
  const std::from_chars_result read = std::from_chars(&text[i + 1], &text[i + 1] + 2, code, 16);
  if (read.ptr != &text[i + 1] + 2) return std::nullopt;
  return static_cast<char>(code);
}

// "50%" stays as it is; a '%' that would be read as a code is coded itself.
std::string encode(std::string_view text) {
  std::string coded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool edge_blank = c == ' ' && (i == 0 || i + 1 == text.size());
    if (c == '/' || c == '=' || c < 0x20 || edge_blank || coded_at(text, i))
      coded += fmt::format("%{:02X}", c);
    else
      coded += text[i];
  }
  return coded;
}

std::string decode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> code = coded_at(text, i);
    plain += code.value_or(text[i]);
    if (code) i += 2;
  }
  return plain;
}

}  // namespace

std::string axes_key(const Axes& axes) {
  std::string key;
  for (const auto& [name, value] : axes) {
    if (!key.empty()) key += '/';
    key += encode(name) + "=" + encode(value);
  }
  return key;
}

Result<Axes> parse_axes(std::string_view text) {
  Axes axes;
  for (const std::string_view part : split(text, '/')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return usage_error(
          fmt::format("reading axes '{}': '{}' is not key=value", printable(text), printable(part)),
          "axes look like testcase=netperf/nr_threads=50%");
    axes[decode(trim(part.substr(0, equals)))] = decode(trim(part.substr(equals + 1)));
  }
  return axes;
}

std::string short_commit(std::string_view commit, std::size_t digits) {
  constexpr std::size_t kSha = 40;
  const std::string_view sha = commit.substr(0, commit.find('+'));
  if (sha.size() < kSha || sha.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::string(commit);
  return std::string(sha.substr(0, digits)) + std::string(commit.substr(sha.size()));
}

Axes without(Axes axes, std::string_view key) {
  axes.erase(std::string(key));
  return axes;
}

}  // namespace kilter::model
