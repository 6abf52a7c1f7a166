#pragma once

#include <string_view>

// Notes for people, on stderr, never mixed with results on stdout.
//   info   progress worth a line; shown with --verbose
//   note   the user should know, nothing is wrong (a skipped monitor, an assumed default)
//   warn   something is off, the work goes on
//   hint   advice that follows a warning or an error
// Errors are not logged: they travel as Result<T> and the cli prints them once.
namespace kilter::log {

enum class Level { quiet, normal, verbose };

void set_level(Level level);
void info(std::string_view text);
void note(std::string_view text);
void warn(std::string_view text);
void hint(std::string_view text);

}  // namespace kilter::log
