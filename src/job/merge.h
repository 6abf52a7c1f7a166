#pragma once

#include "model/node.h"

#include <string_view>

// How one document, a set of overrides or a file of defaults goes into a job.
namespace kilter::job {

enum class Priority {
  overrides,  // the new value wins: later documents, overrides
  defaults,   // what the job has stays: hosts and include files
};

// Entry by entry, in order; old keys keep their place, new ones are appended. Values are replaced whole, but
//   a.b.c: v    sets inside a (when a is a map, empty, or a program)
//   a.b+: v     appends to a list (each element once), adds to a map, makes a list of a scalar
//   a.b-: v     takes elements or keys away; with no value, the key itself
// and the accumulative keys (mail_to, mail_cc, constraints, need_* but need_memory, need_cpu, need_modules)
// always append.
void merge_entry(model::Node& job, std::string_view key, const model::Node& value, Priority priority);
void merge(model::Node& job, const model::Node& more, Priority priority);

[[nodiscard]] bool is_accumulative(std::string_view key);
// "#! hosts/tbox": a comment line kept as a key.
[[nodiscard]] bool is_comment_key(std::string_view key);
// "if role server", "for x in 1 2": shell blocks around programs.
[[nodiscard]] bool is_block_key(std::string_view key);

}  // namespace kilter::job
