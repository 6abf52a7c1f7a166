#include "project/revision_spec.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::project {
namespace {

constexpr std::size_t kRevisionLimit = 250;
constexpr std::size_t kPlusLimit = 32;

tl::unexpected<Error> refused(std::string_view revision, const char* why) {
  return usage_error(fmt::format("revision '{}': {}", printable(revision.substr(0, kRevisionLimit)), why),
                     "give a sha, a tag, a branch, or e.g. HEAD~3");
}

}  // namespace

std::vector<RevisionSpec> readings(std::string_view spec) {
  std::vector<RevisionSpec> all = {{std::string(spec), {}}};
  if (std::ranges::count(spec, '+') > static_cast<std::ptrdiff_t>(kPlusLimit)) return all;
  for (std::size_t plus = spec.rfind('+'); plus != std::string_view::npos && plus > 0;
       plus = spec.rfind('+', plus - 1)) {
    RevisionSpec reading = {std::string(spec.substr(0, plus)), {}};
    for (const std::string_view patch : split(spec.substr(plus + 1), '+'))
      reading.patches.emplace_back(patch);
    all.push_back(std::move(reading));
  }
  return all;
}

Status check_revision(std::string_view revision) {
  if (revision.empty()) return refused(revision, "it is empty");
  if (revision.size() > kRevisionLimit) return refused(revision, "it is too long");
  if (revision[0] == '-') return refused(revision, "it looks like an option");
  if (revision[0] == '^') return refused(revision, "it leaves commits out and names none");
  if (revision.contains("..")) return refused(revision, "it is a range, not one commit");
  if (revision.contains("@{")) return refused(revision, "a mirror has no reflog");
  const auto bad = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) || c == 0x7f || std::string_view(" :?*[\\").contains(c);
  };
  if (std::ranges::any_of(revision, bad)) return refused(revision, "a character that no revision has");
  return {};
}

}  // namespace kilter::project
