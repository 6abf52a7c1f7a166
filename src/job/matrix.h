#pragma once

#include "base/result.h"
#include "job/expression.h"
#include "job/programs.h"
#include "model/node.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The matrix of a job: lists under expandable keys. The first list of the document is the outermost loop.
namespace kilter::job {

struct Dimension {
  std::string key;
  std::size_t size = 0;
  model::Mark mark;
};

[[nodiscard]] bool is_expandable(std::string_view key, const Vocabulary& vocabulary);
[[nodiscard]] std::vector<Dimension> dimensions(const model::Node& job, const Vocabulary& vocabulary);
// How many points the matrix has, before any is built; stays at SIZE_MAX rather than overflow. Expressions
// may drop some later.
[[nodiscard]] std::size_t matrix_size(const model::Node& job, const Vocabulary& vocabulary);

// Calls `visit` for each point, in document order. `job` is the working copy and back in its first state
// afterwards; `vocabulary` is that of another copy.
using Visit = std::function<Status(const model::Node& point)>;
[[nodiscard]] Status expand_matrix(model::Node& job, const Vocabulary& vocabulary, const Visit& visit);

// A value whose expression gave nil.
struct Nil {
  std::string text;  // "{{ nr_disks }}"
  model::Mark mark;
};
// Replaces every `{{ }}` of `job`; the answer is the first that was nil, which drops the job.
[[nodiscard]] Result<std::optional<Nil>> substitute_expressions(model::Node& job);
[[nodiscard]] bool has_expressions(const model::Node& job);
// The scope in which bare names are keys of `job`, nested ones included (the first in document order).
[[nodiscard]] Scope scope_of(const model::Node& job, const model::Node* trigger = nullptr);

}  // namespace kilter::job
