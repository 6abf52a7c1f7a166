#include "cli/terminal.h"

#include <sys/ioctl.h>

namespace kilter::cli {

int terminal_columns(int descriptor, int otherwise) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : otherwise;
}

}  // namespace kilter::cli
