#pragma once

#include "base/result.h"
#include "model/node.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// YAML text -> model::Node, in document order, with the place of every value.
namespace kilter::job {

struct YamlDocument {
  model::Node root;
  int line = 0;                       // of the text given, 1-based: where the document begins
  int end_line = 0;                   // first line of the next document, or past the end
  std::vector<std::string> warnings;  // of keys that stand twice in one map, a line each; a few at most
};

// The documents of `text`. `file` names it in marks and errors. `source_lines[i]` is the line in the file of
// line i+1 of `text`, when `text` was rewritten before (empty: they are the same).
// Of a key that stands twice in a map the later value counts, as in LKP's YAML.
// Plain yes/no/on/off/true/false become "true"/"false"; aliases are expanded and `<<: *alias` is merged;
// other
// `<<` entries stay, all of them. Errors (file:line:column): bad syntax, keys that are no text, more than 500
// levels, more than 200,000 values after alias expansion.
[[nodiscard]] Result<std::vector<YamlDocument>> parse_yaml(std::string_view text, const std::string& file,
                                                           std::span<const int> source_lines = {});

// 16 MiB, UTF-8, no NUL byte: what any text must be before it is looked at; the error names `file`.
[[nodiscard]] Status check_text(std::string_view text, const std::string& file);

}  // namespace kilter::job
