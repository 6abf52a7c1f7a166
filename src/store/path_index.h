#pragma once

#include "store/store.h"

#include <span>
#include <string>
#include <vector>

namespace kilter::store {

// The run directories whose path below results/ matches every pattern, newest run last. A pattern with any of
// ^ $ * + ? [ ( | \ is a regular expression (ECMAScript), else a plain part of the path. A wrong one is an
// error.
[[nodiscard]] Result<std::vector<std::string>> find_paths(const Path& home, Store& store,
                                                          std::span<const std::string> patterns);

// Why find_paths() found none: the first pattern that no path has, with the part of a path that it is near;
// else that no path has all of them. A failure; its message begins with "looking for".
[[nodiscard]] Error no_path_error(const Path& home, Store& store, std::span<const std::string> patterns);

}  // namespace kilter::store
