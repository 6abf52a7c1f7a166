#include "cli/terminal.h"

#include <sys/ioctl.h>

#include <array>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace kilter::cli {

int terminal_columns(int descriptor, int otherwise) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : otherwise;
}

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

}  // namespace kilter::cli
