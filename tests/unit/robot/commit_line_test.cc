#include "robot/commit_line.h"

#include "model/axes.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace kilter::robot {
namespace {

using Standing = CommitLine::Standing;

std::string sha_of(int number) {
  return fmt::format("{:040x}", number);
}

// 1 - 2 - 3 - 4 - 5 (main), and 3 - 11 - 12 - 13 (side)
project::FirstParentLog forked() {
  project::FirstParentLog log;
  const auto add = [&](int number, int parent) {
    log.commits.push_back({.sha = sha_of(number),
                           .parent = parent == 0 ? "" : sha_of(parent),
                           .time = number,
                           .subject = fmt::format("commit {}", number)});
  };
  for (int i = 1; i <= 5; ++i) add(i, i - 1);
  add(11, 3);
  add(12, 11);
  add(13, 12);
  log.tips = {{"main", sha_of(5)}, {"side", sha_of(13)}};
  return log;
}

}  // namespace

TEST_CASE("commits stand in the order of the line that has the most of them") {
  const std::vector<std::string> measured = {sha_of(5), sha_of(1), sha_of(4), sha_of(12)};
  const CommitLine line(forked(), measured);
  CHECK(line.name() == "main");
  CHECK(line.find(sha_of(1)).place == 0);
  CHECK(line.find(sha_of(5)).place == 4);
  CHECK(line.find(sha_of(5)).subject == "commit 5");
  CHECK(line.find(sha_of(12)).standing == Standing::beside);
  CHECK(line.find(sha_of(5) + "+0123456789").standing == Standing::patched);
  CHECK(line.find(sha_of(77)).standing == Standing::unknown);
  CHECK(line.find("6.1.0-18-amd64").standing == Standing::unknown);
  CHECK(line.find("").standing == Standing::unknown);
}

TEST_CASE("the first digits are enough for a kernel's commit") {
  project::FirstParentLog log = forked();
  log.commits[1].sha = "abcdef0123456789abcdef0123456789abcdef01";
  log.commits[2].parent = log.commits[1].sha;
  const CommitLine line(log, std::vector<std::string>{sha_of(5)});
  CHECK(line.find("abcdef012345").place == 1);
  CHECK(line.find("abcdef9").standing == Standing::unknown);
}

TEST_CASE("another branch is followed when it was measured more") {
  const std::vector<std::string> side = {sha_of(11), sha_of(12), sha_of(13), sha_of(5)};
  CHECK(CommitLine(forked(), side).name() == "side");
  project::FirstParentLog without_branch = forked();
  without_branch.tips.pop_back();
  const CommitLine line(without_branch, side);
  CHECK(line.name() == model::short_commit(sha_of(13)));
  CHECK(line.find(sha_of(13)).place == 5);
  CHECK(line.find(sha_of(5)).standing == Standing::beside);
}

TEST_CASE("without commits there is no line") {
  CHECK(CommitLine().empty());
  CHECK(CommitLine(project::FirstParentLog{}, {}).empty());
  CHECK(CommitLine(project::FirstParentLog{}, std::vector<std::string>{sha_of(1)}).empty());
}

}  // namespace kilter::robot
