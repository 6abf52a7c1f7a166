#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// For the .cc files that read JSON others may have written: what is there must be of the right kind.
// model/json.h reads leniently.
namespace kilter::model::strict {

// Thrown by what is below, to be caught where the reading began: "member 'body[0].argv' must be a list of
// texts".
struct WrongMember {
  std::string member;
  std::string wanted;

  [[nodiscard]] std::string text() const { return "member '" + member + "' must be " + wanted; }
};

// What T reads, as a noun; sizes and counts are never negative.
template <class T>
[[nodiscard]] constexpr const char* noun() {
  if constexpr (std::is_same_v<T, std::string>) return "text";
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_same_v<T, int>) return "a whole number, 0 or more";
  if constexpr (std::is_same_v<T, double>) return "a number, 0 or more";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "a list of texts";
  if constexpr (std::is_same_v<T, std::vector<int>>) return "a list of whole numbers, 0 or more";
  if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) return "a map of texts";
}

template <class T>
[[nodiscard]] bool fits(const nlohmann::json& json) {
  if constexpr (std::is_same_v<T, std::string>) {
    return json.is_string();
  } else if constexpr (std::is_same_v<T, bool>) {
    return json.is_boolean();
  } else if constexpr (std::is_same_v<T, int>) {
    const double value = json.is_number_integer() ? json.get<double>() : -1;
    return value >= 0 && value <= std::numeric_limits<int>::max();
  } else if constexpr (std::is_same_v<T, double>) {
    return json.is_number() && json.get<double>() >= 0;
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
    return json.is_object() && std::ranges::all_of(json, fits<std::string>);
  } else {
    return json.is_array() && std::ranges::all_of(json, fits<typename T::value_type>);
  }
}

// The member `key` as T, or `otherwise` when it is absent or null.
template <class T>
[[nodiscard]] T member(const nlohmann::json& json, const char* key, T otherwise = {}) {
  const auto it = json.find(key);
  if (it == json.end() || it->is_null()) return otherwise;
  if (!fits<T>(*it)) throw WrongMember{key, noun<T>()};
  return it->template get<T>();
}

// `read` of an object that is the member `name`.
template <class Read>
[[nodiscard]] auto object(const nlohmann::json& json, const std::string& name, Read read) {
  if (!json.is_object()) throw WrongMember{name, "an object"};
  try {
    return read(json);
  } catch (WrongMember& wrong) {
    throw WrongMember{name + "." + wrong.member, std::move(wrong.wanted)};
  }
}

// The objects of the list `key`, none when it is absent or null.
template <class T>
[[nodiscard]] std::vector<T> list(const nlohmann::json& json, const std::string& key,
                                  T (*read)(const nlohmann::json&)) {
  std::vector<T> items;
  const auto it = json.find(key);
  if (it == json.end() || it->is_null()) return items;
  if (!it->is_array()) throw WrongMember{key, "a list"};
  for (const nlohmann::json& item : *it)
    items.push_back(object(item, key + "[" + std::to_string(items.size()) + "]", read));
  return items;
}

}  // namespace kilter::model::strict
