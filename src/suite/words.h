#pragma once

#include "base/result.h"
#include "model/node.h"
#include "suite/expression.h"

#include <string>
#include <vector>

namespace kilter::suite {

// Argument lists of suite files. An item is
//   "--mode={mode}"                       one word, filled in; "{name...}" alone is split like a command line
//   [-m, "{send_size}"]                   a group: left out when a value in it is unset
//   {when: ip == ipv6, words: [...], otherwise: [...]}    words under a condition
// Words that come out empty are left out too.
[[nodiscard]] Result<std::vector<std::string>> expand_words(const model::Node& list, const Values& values);

// The form alone, for the reader: an Error with file:line:column.
[[nodiscard]] Status check_words(const model::Node& list);

}  // namespace kilter::suite
