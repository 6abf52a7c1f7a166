#pragma once

#include <regex>

namespace kilter {

// What is wrong with a pattern, in plain words: "a '(' or ')' has no partner".
[[nodiscard]] const char* regex_fault(const std::regex_error& error);

}  // namespace kilter
