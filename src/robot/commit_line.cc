#include "robot/commit_line.h"

#include "base/text.h"
#include "model/axes.h"
#include "robot/kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace kilter::robot {

using project::LoggedCommit;

namespace {

std::string base_of(const std::string& label) {
  return label.substr(0, label.find('+'));
}

}  // namespace

CommitLine::CommitLine(project::FirstParentLog log, std::span<const std::string> measured)
    : log_(std::move(log)) {
  const std::unordered_map<std::string, std::size_t> counts = counts_along(measured);
  std::ranges::sort(log_.commits, {}, &LoggedCommit::sha);
  std::vector<std::string> line;
  std::string sha = tip_of_line(measured, counts);
  for (const LoggedCommit* commit = logged(sha); commit != nullptr; commit = logged(commit->parent))
    line.push_back(commit->sha);
  for (std::size_t i = 0; i < line.size(); ++i)
    places_[line[i]] = static_cast<std::int64_t>(line.size() - 1 - i);
}

// How many measured commits stand on the line that leads to each commit. Parents come before children.
std::unordered_map<std::string, std::size_t> CommitLine::counts_along(
    std::span<const std::string> measured) const {
  const std::unordered_set<std::string> wanted(measured.begin(), measured.end());
  std::unordered_map<std::string, std::size_t> counts;
  for (const LoggedCommit& commit : log_.commits) {
    const auto parent = counts.find(commit.parent);
    const std::size_t before = parent == counts.end() ? 0 : parent->second;
    counts[commit.sha] = before + (wanted.contains(commit.sha) ? 1 : 0);
  }
  return counts;
}

std::string CommitLine::tip_of_line(std::span<const std::string> measured,
                                    const std::unordered_map<std::string, std::size_t>& counts) {
  const auto count = [&](const std::string& sha) {
    const auto found = counts.find(sha);
    return found == counts.end() ? 0 : found->second;
  };
  std::string tip;
  for (const auto& [name, sha] : log_.tips)
    if (tip.empty() || count(sha) > count(tip)) {
      tip = sha;
      name_ = name;
    }
  const auto longest = std::ranges::max_element(measured, {}, count);
  if (longest != measured.end() && count(*longest) > 2 * count(tip)) {
    tip = *longest;
    name_ = model::short_commit(tip);
  }
  return tip;
}

const LoggedCommit* CommitLine::logged(const std::string& sha) const {
  const auto found = std::ranges::lower_bound(log_.commits, sha, {}, &LoggedCommit::sha);
  const bool there = found != log_.commits.end() && !sha.empty() &&
                     (is_full_sha(sha) ? found->sha == sha : found->sha.starts_with(sha));
  return there ? &*found : nullptr;
}

CommitLine::Spot CommitLine::find(const std::string& label) const {
  const std::string sha = base_of(label);
  if (!is_full_sha(sha) && !is_short_sha(sha)) return {};
  const LoggedCommit* const commit = logged(sha);
  if (commit == nullptr) return {};
  if (sha.size() != label.size())
    return {.standing = Standing::patched, .place = -1, .subject = commit->subject};
  const auto place = places_.find(commit->sha);
  if (place == places_.end()) return {.standing = Standing::beside, .place = -1, .subject = commit->subject};
  return {.standing = Standing::on_line, .place = place->second, .subject = commit->subject};
}

Result<CommitLines> commit_lines(const Revisions& revisions, std::span<const std::string> measured,
                                 const std::string& branch, std::vector<std::string>& notes) {
  CommitLines lines;
  std::optional<Error> unknown;
  for (const project::Repository& repository : revisions.repositories()) {
    Result<project::FirstParentLog> log = project::first_parent_log(repository, measured, branch);
    if (log) {
      lines.emplace(repository.project().name, CommitLine(std::move(*log), measured));
    } else if (log.error().code == ErrorCode::interrupted) {
      return fail(log.error());
    } else if (branch.empty()) {
      notes.push_back(log.error().message);
    } else {
      unknown = log.error();
    }
  }
  if (unknown && lines.empty()) return fail(*unknown);
  if (!branch.empty() && lines.empty())
    return usage_error(fmt::format("following '{}': no project is known here", printable(branch)),
                       "name one with -p");
  return lines;
}

}  // namespace kilter::robot
