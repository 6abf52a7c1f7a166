#pragma once

#include "model/node.h"

#include <string>
#include <string_view>

// Node -> YAML text in the form LKP writes: lists at their key's own indentation, nothing after the colon of
// an empty value, comment keys ("#! hosts/tbox") as lines with an empty line before them.
namespace kilter::job {

// The entries of a map, without "---".
[[nodiscard]] std::string emit_yaml(const model::Node& map);
// "---\n" and the entries: a job file.
[[nodiscard]] std::string emit_job(const model::Node& job);
// A scalar as it stands after a colon: quoted when a plain one would be read as something else ("n", '12').
[[nodiscard]] std::string emit_scalar(const model::Node& scalar);

}  // namespace kilter::job
