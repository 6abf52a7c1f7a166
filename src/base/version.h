#pragma once

#include <string>
#include <string_view>

// What this program is. Both texts are written by the build (cmake/Version.cmake).
namespace kilter {

// "0.1.0"
[[nodiscard]] std::string_view version();
// Twelve digits of the commit, with a "+" behind them when the tree had changes; "" outside a git tree.
[[nodiscard]] std::string_view built_commit();

// "kilter 0.1.0 (e34a6ea91c0d)"
[[nodiscard]] std::string version_line(std::string_view program);

}  // namespace kilter
