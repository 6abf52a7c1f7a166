#include "project/first_parent_log.h"

#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace kilter;
using namespace kilter::project;

namespace {

std::vector<std::string> subjects(const FirstParentLog& log) {
  std::vector<std::string> all;
  for (const LoggedCommit& commit : log.commits) all.push_back(commit.subject);
  return all;
}

}  // namespace

TEST_CASE("the log follows first parents and knows the measured commits beside them") {
  const GitFixture fixture;
  const std::string first = fixture.commit("a", "1", "one");
  fixture.git({"checkout", "-q", "-b", "side"});
  const std::string side = fixture.commit("b", "1", "side \x1b[31mred");
  fixture.git({"checkout", "-q", "-"});
  fixture.commit("a", "2", "two");
  fixture.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
  const Repository repository =
      value_of(Repository::open(fixture.project(), fixture.home(), os::system_runner()));

  const FirstParentLog plain = value_of(first_parent_log(repository, {}));
  CHECK(subjects(plain) == std::vector<std::string>{"one", "two", "merge"});
  CHECK(plain.commits[0].parent.empty());
  CHECK(plain.commits[1].parent == first);
  CHECK(plain.commits[1].time > 1'000'000'000);
  REQUIRE_FALSE(plain.tips.empty());
  CHECK(plain.tips[0].second == plain.commits[2].sha);

  const std::vector<std::string> measured = {side, std::string(40, '5'), "abcdef0", "--all", "6.1.0-18"};
  const FirstParentLog wide = value_of(first_parent_log(repository, measured));
  CHECK(wide.commits.size() == 4);
  CHECK(std::ranges::count(subjects(wide), "side \x1b[31mred") == 1);
}

TEST_CASE("a branch is followed where it is asked for") {
  const GitFixture fixture;
  fixture.commit("a", "1", "one");
  fixture.git({"checkout", "-q", "-b", "side"});
  fixture.commit("b", "1", "aside");
  fixture.git({"checkout", "-q", "-"});
  fixture.commit("a", "2", "two");
  const Repository repository =
      value_of(Repository::open(fixture.project(), fixture.home(), os::system_runner()));
  const FirstParentLog log = value_of(first_parent_log(repository, {}, "side"));
  CHECK(subjects(log) == std::vector<std::string>{"one", "aside"});
  CHECK(log.tips[0].first == "side");
  const Result<FirstParentLog> unknown = first_parent_log(repository, {}, "sied");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().hint.contains("side"));
}

TEST_CASE("what git printed is read whatever it holds") {
  CHECK(parse_first_parent_log("").empty());
  CHECK(parse_first_parent_log("nonsense").empty());
  const std::string sha(40, 'a');
  const std::vector<LoggedCommit> commits =
      parse_first_parent_log(sha + "\x1f\x1f" + "12\x1f" + "a\x1f" + "b" + '\0');
  REQUIRE(commits.size() == 1);
  CHECK(commits[0].subject ==
        "a\x1f"
        "b");
  CHECK(commits[0].time == 12);
}
