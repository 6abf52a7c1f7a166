#pragma once

#include <string>
#include <string_view>

namespace kilter::cli {

// The completion script of bash, zsh or fish, made from the command table: verbs and LKP's names for them,
// options, the values of choices, the built-in jobs. "" for another shell.
[[nodiscard]] std::string completion(std::string_view shell);

}  // namespace kilter::cli
