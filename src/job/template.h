#pragma once

#include "base/result.h"
#include "job/expression.h"

#include <string>
#include <string_view>
#include <vector>

// What happens to the text of a job or include file before it is YAML.
namespace kilter::job {

// Text whose line i+1 stood in line lines[i] of its file.
struct SourceText {
  std::string text;
  std::vector<int> lines;
};

// The file's own text, lines 1..n.
[[nodiscard]] SourceText source_text(std::string text);

// ERB as far as expressions go: `<% if E %>`, `unless`, `elsif`, `else`, `end`, `<%= E %>`, `<%# note %>`,
// `-%>`, lines that begin with `% `, and the escapes `<%%` and `%%`. Anything else is an error with its
// place.
[[nodiscard]] Result<SourceText> expand_erb(std::string_view text, const std::string& file,
                                            const Scope& scope);

// `{{ ... }}` would read as a YAML map, so each is replaced by a word before parsing and put back afterwards.
struct MaskedText {
  SourceText source;
  std::vector<std::string> expressions;  // with their braces, by number
};
[[nodiscard]] Result<MaskedText> mask_expressions(SourceText source, const std::string& file);
void unmask_expressions(model::Node& node, const std::vector<std::string>& expressions);

// Comments that were written as keys, Ruby's symbols: ":#! hosts/tbox:" -> "#! hosts/tbox", ":# text:" ->
// "# text". The lines stay the same lines.
[[nodiscard]] std::string plain_comments(std::string text);
// `--compatible`: a job out of a report keeps what stands before its first `#! ` header and the sections
// whose header ends in ".yaml"; its machine's, include, queue and override sections become blank lines.
[[nodiscard]] std::string keep_job_sections(std::string_view text);

}  // namespace kilter::job
