#include "model/json.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::model {

namespace {

// What stands where: "line 3, column 7: unexpected 'x'"; `byte` counts from 1 and is past the end where the
// text stops too early.
std::string json_fault(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const std::size_t line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  if (before.size() == text.size()) return fmt::format("it ends too early, in line {}", line);
  const char found = text[before.size()];
  const bool shown = found > 0x20 && found < 0x7f;
  return fmt::format(
      "line {}, column {}: unexpected {}", line, column,
      shown ? fmt::format("'{}'", found) : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(found)));
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    return failure(fmt::format("{}: not valid JSON: {}", what, json_fault(text, error.byte)));
  } catch (const nlohmann::json::exception&) {
    return failure(fmt::format("{}: not valid JSON: a number is out of range", what));
  }
}

std::string dump_json(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace kilter::model
