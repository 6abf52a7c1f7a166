#pragma once

#include <optional>
#include <string_view>
#include <vector>

// Data files built into the program (suites/, jobs/, include/, lists/): see cmake/Assets.cmake.
namespace kilter {

// The bytes of e.g. "suites/netperf.yaml"; nullopt when there is no such file.
[[nodiscard]] std::optional<std::string_view> asset(std::string_view path);
// All paths that start with `prefix`, sorted.
[[nodiscard]] std::vector<std::string_view> assets_below(std::string_view prefix);

}  // namespace kilter
