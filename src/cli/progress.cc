#include "cli/progress.h"

#include "base/text.h"

#include <sys/ioctl.h>

#include <cstdio>
#include <unistd.h>

namespace kilter::cli {
namespace {

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79U;
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
