#pragma once

#include <cstddef>

namespace kilter::cli {

// Columns of the terminal behind a descriptor; `otherwise` when it is none.
[[nodiscard]] int terminal_columns(int descriptor, int otherwise);

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t lines = 24;
};
// Of stderr's terminal; 80x24 where there is none.
[[nodiscard]] TerminalSize terminal_size();
// Whether the locale can show more than ASCII.
[[nodiscard]] bool locale_is_unicode();

}  // namespace kilter::cli
