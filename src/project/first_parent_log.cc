#include "project/first_parent_log.h"

#include "base/text.h"
#include "project/revision_spec.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::project {
namespace {

constexpr std::size_t kLongestSubject = 4096;

bool is_some_sha(std::string_view text) {
  return text.size() >= 7 && text.size() <= 40 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The field up to the next unit separator, taken off the front.
std::string_view take_field(std::string_view& record) {
  const std::size_t end = std::min(record.find('\x1f'), record.size());
  const std::string_view field = record.substr(0, end);
  record.remove_prefix(std::min(end + 1, record.size()));
  return field;
}

Result<std::vector<std::pair<std::string, std::string>>> tips_of(const Repository& repository,
                                                                 const std::string& branch) {
  std::vector<std::string> names = repository.project().branches;
  names.emplace_back("HEAD");
  if (!branch.empty()) names = {branch};
  std::vector<std::string> args = {"for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"};
  ASSIGN_OR_RETURN(const std::string heads, repository.git().output(args));
  std::vector<std::pair<std::string, std::string>> tips;
  for (const std::string& name : names)
    for (const std::string_view line : lines(heads)) {
      const std::vector<std::string_view> parts = words(line);
      if (parts.size() == 2 && parts[0] == name) tips.emplace_back(name, parts[1]);
    }
  if (!branch.empty() && tips.empty()) {
    ASSIGN_OR_RETURN(const model::Commit commit, repository.commit(branch));
    tips.emplace_back(branch, commit.sha);
  }
  if (branch.empty()) {
    const Result<std::string> name = repository.git().output({"symbolic-ref", "--short", "HEAD"});
    const Result<std::string> sha = repository.git().output({"rev-parse", "--verify", "--quiet", "HEAD"});
    if (sha) tips.emplace_back(name ? trim(*name) : "HEAD", trim(*sha));
  }
  return tips;
}

}  // namespace

std::vector<LoggedCommit> parse_first_parent_log(std::string_view text) {
  std::vector<LoggedCommit> commits;
  for (std::string_view record : split(text, '\0')) {
    LoggedCommit commit;
    commit.sha = std::string(take_field(record));
    const std::vector<std::string_view> parents = words(take_field(record));
    if (!parents.empty()) commit.parent = std::string(parents[0]);
    commit.time = parse_int(take_field(record)).value_or(0);
    commit.subject = std::string(record.substr(0, kLongestSubject));
    if (is_full_sha(commit.sha)) commits.push_back(std::move(commit));
  }
  return commits;
}

Result<FirstParentLog> first_parent_log(const Repository& repository, std::span<const std::string> commits,
                                        const std::string& branch) {
  FirstParentLog log;
  ASSIGN_OR_RETURN(log.tips, tips_of(repository, branch));
  std::string input;
  for (const auto& [name, sha] : log.tips) input += sha + "\n";
  for (const std::string& commit : commits)
    if (is_some_sha(commit)) input += commit + "\n";
  if (input.empty()) return log;
  ASSIGN_OR_RETURN(
      const std::string text,
      repository.git().output(
          {.args = {"log", "-z", "--first-parent", "--topo-order", "--reverse", "--ignore-missing", "--stdin",
                    "--no-show-signature", "--encoding=UTF-8", "--format=%H%x1f%P%x1f%ct%x1f%s"},
           .env = {},
           .cwd = {},
           .input = std::move(input)}));
  log.commits = parse_first_parent_log(text);
  return log;
}

}  // namespace kilter::project
