#pragma once

#include "bench/scale/test.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

// All scalability tests, by name. A new one: define it in its family's file and name it in registry.cc.
namespace kilter::bench::scale {

[[nodiscard]] std::span<const Test* const> tests();
[[nodiscard]] const Test* find_test(std::string_view name);

// "eventfd1_threads" -> {eventfd1, thread}; nullopt if it does not end so or there is no such test.
[[nodiscard]] std::optional<std::pair<const Test*, Mode>> single_test(std::string_view program);
[[nodiscard]] bool is_single_test(std::string_view program);

}  // namespace kilter::bench::scale
