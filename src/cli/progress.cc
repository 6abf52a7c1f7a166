#include "cli/progress.h"

#include "base/text.h"
#include "cli/terminal.h"

#include <cstdio>
#include <unistd.h>

namespace kilter::cli {
namespace {

std::size_t terminal_width() {
  return static_cast<std::size_t>(terminal_columns(STDERR_FILENO, 80) - 1);
}

void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void Progress::show(const std::string& text) {
  if (!live_) return;
  write("\r\x1b[K" + printable(text).substr(0, terminal_width()));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::keep(const std::string& text) {
  clear();
  write(message_text(text) + "\n");
}

void Progress::clear() {
  if (shown_) write("\r\x1b[K");
  shown_ = false;
}

}  // namespace kilter::cli
