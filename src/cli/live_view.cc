#include "cli/live_view.h"

#include "base/text.h"

#include <fmt/core.h>
#include <sys/ioctl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace kilter::cli {
namespace {

void write_to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2 || size.ws_row < 2) return {};
  return {.columns = size.ws_col - 1U, .lines = size.ws_row - 1U};
}

bool locale_is_unicode() {
  constexpr std::array kVariables = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (const char* const variable : kVariables) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string text(value);
    return text.find("UTF-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

void LiveView::show(const std::vector<std::string>& lines) {
  if (!live_ || lines == shown_) return;
  std::string text = shown_.empty() ? "" : fmt::format("\x1b[{}A", shown_.size());
  for (const std::string& line : lines) text += "\r\x1b[K" + line + "\n";
  if (lines.size() < shown_.size()) text += "\x1b[J";
  write_to_terminal(text);
  shown_ = lines;
}

void LiveView::keep(const std::string& text) {
  clear();
  write_to_terminal(message_text(text) + "\n");
}

void LiveView::leave() {
  shown_.clear();
}

void LiveView::clear() {
  if (!shown_.empty()) write_to_terminal(fmt::format("\x1b[{}A\r\x1b[J", shown_.size()));
  shown_.clear();
}

}  // namespace kilter::cli
