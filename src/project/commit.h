#pragma once

#include "model/project.h"

#include <string>
#include <string_view>
#include <vector>

// Commits as git prints them. Texts stay as the author wrote them (hostile ones too: whoever shows them makes
// them printable), but are cut at a bound.
namespace kilter::project {

// For `git log`/`git show` with -z: what parse_commits() reads.
inline constexpr const char* kCommitFormat = "--format=%H%n%P%n%an%n%ae%n%at%n%s%n%b";

// One commit per NUL-ended record; a record that is cut short is dropped.
[[nodiscard]] std::vector<model::Commit> parse_commits(std::string_view text);
// The trailers of a message: its lines "Some-words-by: text", "Fixes: ...", "Link: ...", "Cc: ...", in order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> commit_tags(std::string_view body);

}  // namespace kilter::project
