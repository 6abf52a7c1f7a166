#pragma once

#include "base/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The little language of suite files.
namespace kilter::suite {

// What template names stand for; "" is the same as absent: unset.
using Values = std::map<std::string, std::string, std::less<>>;

// Arithmetic: numbers, names, + - * / ( ) min(a, b) max(a, b). nullopt when a name in it is unset.
[[nodiscard]] Result<std::optional<double>> evaluate(std::string_view expression, const Values& values);
// Whole numbers without fraction, others as they are; fractions are cut where a program wants an integer.
[[nodiscard]] std::string number_word(double value);

// Conditions joined by " and ": "a", "not a", "a == text", "a != text", "a in x y z", "a not in x y z".
[[nodiscard]] Result<bool> holds(std::string_view condition, const Values& values);

// Replaces every "{name}"; "{{" and "}}" are braces. An unknown name (not in `values` at all) is an error
// with a "did you mean"; an unset one gives "".
[[nodiscard]] Result<std::string> fill(std::string_view text, const Values& values);
// The names in a template text.
[[nodiscard]] std::vector<std::string> names_in(std::string_view text);

// A command line as words: blanks separate, quotes and backslashes work as in a POSIX shell, nothing else
// does. The inverse of base's shell_join.
[[nodiscard]] Result<std::vector<std::string>> split_command_line(std::string_view line);

}  // namespace kilter::suite
