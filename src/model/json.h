#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <type_traits>

// For the .cc files that read or write JSON; exceptions of the library stop here.
namespace kilter::model {

// Parses text; the error names `what` ("reading machine.json").
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text, const std::string& what);

// The member `key` as T, or `otherwise` when it is absent, null or of another type.
template <class T>
[[nodiscard]] T member(const nlohmann::json& json, const char* key, T otherwise = {}) {
  if (!json.is_object()) return otherwise;
  const auto it = json.find(key);
  if (it == json.end()) return otherwise;
  try {
    return it->template get<T>();
  } catch (const nlohmann::json::exception&) {
    return otherwise;
  }
}

// 2-space indent, invalid UTF-8 replaced: what is written into a run directory.
[[nodiscard]] std::string dump_json(const nlohmann::json& json);

}  // namespace kilter::model
