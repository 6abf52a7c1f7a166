#pragma once

namespace kilter::cli {

// Columns of the terminal behind a descriptor; `otherwise` when it is none.
[[nodiscard]] int terminal_columns(int descriptor, int otherwise);

}  // namespace kilter::cli
