#include "base/log.h"

#include "base/text.h"

#include <atomic>
#include <cstdio>
#include <string>

// Plain stderr lines: a level and a text are all we need, so no logging library is linked into the static
// programs.
namespace kilter::log {
namespace {

std::atomic<Level> current = Level::normal;

void line(std::string_view prefix, std::string_view text) {
  const std::string whole = std::string(prefix) + message_text(text) + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

}  // namespace

void set_level(Level level) {
  current = level;
}

void info(std::string_view text) {
  if (current == Level::verbose) line("", text);
}

void note(std::string_view text) {
  if (current != Level::quiet) line("note: ", text);
}

void warn(std::string_view text) {
  line("warning: ", text);
}

void hint(std::string_view text) {
  line("hint: ", text);
}

}  // namespace kilter::log
