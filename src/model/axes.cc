#include "model/axes.h"

#include "base/text.h"

#include <fmt/core.h>

namespace kilter::model {
namespace {

std::string encode(std::string_view text) {
  std::string coded;
  for (const char c : text) {
    if (c == '/' || c == '=' || static_cast<unsigned char>(c) < 0x20)
      coded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      coded += c;
  }
  return coded;
}

std::string decode(std::string_view text) {
  return replace_all(replace_all(std::string(text), "%2F", "/"), "%3D", "=");
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

Axes without(Axes axes, std::string_view key) {
  axes.erase(std::string(key));
  return axes;
}

}  // namespace kilter::model
