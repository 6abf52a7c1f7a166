#pragma once

#include <string>
#include <vector>

namespace kilter::cli {

// The whole program: argv with the program's name first -> exit code. The one place where errors are printed
// and where an exception, should one slip through, ends as a message.
//   0 fine, 1 a change was found where asked to fail on it, 2 usage, 3 failure, 130 interrupted
[[nodiscard]] int run(const std::vector<std::string>& argv);

}  // namespace kilter::cli
