#include "model/json.h"

#include <fmt/core.h>

namespace kilter::model {

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return failure(fmt::format("{}: not valid JSON ({})", what, error.what()));
  }
}

std::string dump_json(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace kilter::model
