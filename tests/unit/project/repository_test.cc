#include "project/repository.h"

#include "base/hash.h"
#include "base/text.h"
#include "project/commit.h"
#include "project/revision_spec.h"
#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace kilter;
using namespace kilter::project;

namespace {

Result<Repository> open(const GitFixture& fixture, Refresh refresh = Refresh::fetch) {
  return Repository::open(fixture.project(), fixture.home(), os::system_runner(), refresh);
}

Error refusal(const Repository& repository, const std::string& spec) {
  const Result<model::Revision> revision = repository.resolve(spec);
  REQUIRE_FALSE(revision);
  return revision.error();
}

// Three commits on main, a tag on the second, a branch with a merge.
struct History : GitFixture {
  std::string first = commit("a.txt", "1\n", "first");
  std::string second = commit("a.txt", "2\n", "second");
  std::string third;
  std::string merge;
  History() {
    git({"tag", "-a", "v1.0", "-m", "release"});
    git({"checkout", "--quiet", "-b", "side/topic", first});
    commit("b.txt", "b\n", "on the side");
    git({"checkout", "--quiet", "main"});
    third = commit("a.txt", "3\n", "third");
    git({"merge", "--quiet", "--no-ff", "-m", "merge the side", "side/topic"});
    merge = git({"rev-parse", "HEAD"});
  }
};

}  // namespace

TEST_CASE("revisions resolve by sha, short sha, tag, branch and ancestry") {
  const History history;
  const Repository repository = value_of(open(history));
  const auto sha = [&](const std::string& spec) { return value_of(repository.resolve(spec)).commit.sha; };
  CHECK(sha(history.first) == history.first);
  CHECK(sha(history.second.substr(0, 9)) == history.second);
  CHECK(sha("v1.0") == history.second);
  CHECK(sha("HEAD") == history.merge);
  CHECK(sha("main~1") == history.third);
  CHECK(sha("HEAD~3") == history.first);
  CHECK(sha("side/topic~1") == history.first);
  CHECK(value_of(repository.resolve("v1.0")).label == history.second);
  CHECK(value_of(repository.resolve("v1.0")).commit.branch == "main");
}

TEST_CASE("new commits are seen at the next opening and offline they are not") {
  const History history;
  CHECK(value_of(open(history)).fresh());
  const std::string fourth = history.commit("a.txt", "4\n", "fourth");
  const Repository stale = value_of(open(history, Refresh::offline));
  CHECK(value_of(stale.resolve("HEAD")).commit.sha == history.merge);
  CHECK(value_of(value_of(open(history)).resolve("HEAD")).commit.sha == fourth);
}

TEST_CASE("an unknown revision is named with the nearest branch or tag") {
  const History history;
  const Repository repository = value_of(open(history));
  const Error error = refusal(repository, "mian");
  CHECK(error.code == ErrorCode::usage);
  CHECK(error.message == "project 'demo': unknown revision 'mian'");
  CHECK(error.hint == "did you mean 'main'?");
  CHECK(refusal(repository, "main~99").hint == "'main' does not go back that far");
  CHECK(refusal(repository, std::string(40, 'a')).message.contains("unknown revision"));
}

TEST_CASE("what git could take for an option, a range or a path is refused") {
  const History history;
  const Repository repository = value_of(open(history));
  for (const char* spec :
       {"--upload-pack=touch x", "-n", "main..v1.0", "HEAD@{1}", "main:a.txt", "a b", "a\nb", "", "^v1.0"})
    CHECK_MESSAGE(refusal(repository, spec).message.starts_with("revision '"), spec);
  for (const char* spec : {"main+", "main++"})
    CHECK_MESSAGE(refusal(repository, spec).message.contains("no file is named after a '+'"), spec);
}

TEST_CASE("a tag and a branch of the same name must be told apart") {
  const History history;
  history.git({"branch", "v1.0", history.first});
  const Repository repository = value_of(open(history));
  CHECK(refusal(repository, "v1.0").hint == "say tags/v1.0 or heads/v1.0");
  CHECK(value_of(repository.resolve("heads/v1.0")).commit.sha == history.first);
  CHECK(value_of(repository.resolve("tags/v1.0")).commit.sha == history.second);
}

TEST_CASE("an ambiguous short sha lists its candidates") {
  const GitFixture fixture;
  std::string stream;
  for (int i = 0; i < 400; ++i) {
    const std::string message = "commit " + std::to_string(i);
    stream += "commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata " +
              std::to_string(message.size()) + "\n" + message + "\n";
  }
  value_of(os::run_checked(
      os::system_runner(),
      {.argv = {"git", "fast-import", "--quiet"}, .cwd = fixture.repo(), .stdin_text = stream}));
  const std::string listing = fixture.git({"rev-list", "main"});
  std::vector<std::string> shas;
  for (const std::string_view line : lines(listing)) shas.emplace_back(line.substr(0, 4));
  std::ranges::sort(shas);
  const auto twice = std::ranges::adjacent_find(shas);
  REQUIRE(twice != shas.end());  // the dates are fixed, so the shas are
  const Error error = refusal(value_of(open(fixture)), *twice);
  CHECK(error.message == "project 'demo': short sha '" + *twice + "' is ambiguous");
  CHECK(error.hint.contains(", "));
}

TEST_CASE("patches belong to a revision and change its label") {
  const History history;
  REQUIRE(os::write_file(history.path_of("fix.patch"), "one"));
  REQUIRE(os::write_file(history.path_of("a+b.patch"), "two"));
  const Repository repository = value_of(open(history));
  const model::Revision plain = value_of(repository.resolve("v1.0+fix.patch", history.root()));
  CHECK(plain.patches == std::vector<std::string>{history.path_of("fix.patch")});
  CHECK(plain.label.starts_with(history.second + "+"));
  const model::Revision both = value_of(repository.resolve("v1.0+fix.patch+a+b.patch", history.root()));
  CHECK(both.patches.size() == 2);
  CHECK(both.patches[1] == history.path_of("a+b.patch"));
  CHECK(both.label != plain.label);
  const Result<model::Revision> missing = repository.resolve("v1.0+nofix.patch", history.root());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "reading patch 'nofix.patch': no such file");
}

TEST_CASE("a tag with a plus sign is one revision") {
  const History history;
  history.git({"tag", "v1.0+dfsg", history.first});
  CHECK(value_of(value_of(open(history)).resolve("v1.0+dfsg")).commit.sha == history.first);
}

TEST_CASE("a commit comes with its author, message and trailers") {
  const GitFixture fixture;
  fixture.commit("a", "1",
                 "queue: keep the head\n in its line\n\nWhy: because.\n\nFixes: 1234567890ab (\"old\")\n"
                 "Reported-by: Bo <bo@example.org>\nReviewed-by: Cy <cy@example.org>\nCc: list@example.org\n"
                 "Signed-off-by: Ada Example <ada@example.org>\n");
  const model::Commit commit = value_of(value_of(open(fixture)).commit("HEAD"));
  CHECK(commit.subject == "queue: keep the head  in its line");
  CHECK(commit.author_name == "Ada Example");
  CHECK(commit.author_email == "ada@example.org");
  CHECK(commit.author_time == 1700000000);
  CHECK(commit.parents.empty());
  REQUIRE(commit.tags.size() == 5);
  CHECK(commit.tags[1] == std::pair<std::string, std::string>("Reported-by", "Bo <bo@example.org>"));
  CHECK(commit.tags[3].first == "Cc");
}

TEST_CASE("a hostile message stays raw and bounded") {
  const GitFixture fixture;
  fixture.commit("a", "1", "plain");
  REQUIRE(os::write_file(fixture.path_of("message"),
                         "\x1b[31mred\x1b[0m <script>\n\n" + std::string(400000, 'x') + "\n"));
  fixture.git({"commit", "--quiet", "--amend", "--cleanup=verbatim", "-F", fixture.path_of("message")});
  const model::Commit commit = value_of(value_of(open(fixture)).commit("HEAD"));
  CHECK(commit.subject == "\x1b[31mred\x1b[0m <script>");
  CHECK(commit.body.size() == 256 * 1024);
}

TEST_CASE("a range is listed oldest first and merges bring their commits") {
  const History history;
  const Repository repository = value_of(open(history));
  const std::vector<model::Commit> all = value_of(repository.range("v1.0", "main"));
  REQUIRE(all.size() == 3);
  CHECK(all.back().sha == history.merge);
  CHECK(all.back().parents.size() == 2);
  const std::vector<model::Commit> line =
      value_of(repository.range("v1.0", "main", Repository::Walk::first_parent));
  REQUIRE(line.size() == 2);
  CHECK(line[0].sha == history.third);
  CHECK_FALSE(repository.range("main", "v1.0"));
  CHECK(value_of(repository.range("main", "main")).empty());
}

TEST_CASE("tags and branches of a commit are found") {
  const History history;
  history.git({"tag", "v1.0.1", history.second});
  const Repository repository = value_of(open(history));
  CHECK(repository.tag_of(history.second) == "v1.0.1");
  CHECK(repository.tag_of(history.third).empty());
  CHECK(value_of(repository.branches_containing(history.first)) ==
        std::vector<std::string>{"main", "side/topic"});
  CHECK(value_of(repository.diff_of(history.second)).contains("-1\n+2\n"));
}

TEST_CASE("the watched branch, then upstream's own, names a commit, not the first of the alphabet") {
  const History history;
  for (const char* name : {"aaa", "bbb", "master"}) history.git({"branch", name, "main"});
  const auto first = [&](const std::string& rest) {
    const Repository repository =
        value_of(Repository::open(history.project(rest), history.home(), os::system_runner()));
    return value_of(repository.branches_containing(history.first)).front();
  };
  CHECK(first("") == "main");
  CHECK(first("branches: [bbb, aaa]\n") == "bbb");
  history.git({"symbolic-ref", "HEAD", "refs/heads/aaa"});
  CHECK(first("") == "aaa");
}

TEST_CASE("when upstream vanishes the mirror still serves known revisions") {
  const History history;
  REQUIRE(open(history));
  std::filesystem::remove_all(history.repo());
  const Result<Repository> repository = open(history);
  REQUIRE(repository);
  CHECK_FALSE(repository->fresh());
  CHECK(value_of(repository->resolve("v1.0")).commit.sha == history.second);
}

TEST_CASE("a repository that was never there is an error that names it") {
  const GitFixture fixture;
  std::filesystem::remove_all(fixture.repo());
  const Result<Repository> repository = open(fixture);
  REQUIRE_FALSE(repository);
  CHECK(repository.error().message.starts_with("project 'demo': fetching '" + fixture.repo().string()));
  CHECK(repository.error().message.contains("does not appear to be a git repository"));
  CHECK_FALSE(std::filesystem::exists(fixture.home() / "git/demo.new"));
}

TEST_CASE("an empty repository opens and has no revision") {
  const GitFixture fixture;
  const Result<Repository> repository = open(fixture);
  REQUIRE(repository);
  CHECK(refusal(*repository, "HEAD").hint == "the repository has no commits yet");
}

TEST_CASE("a transport that runs programs is not used") {
  const GitFixture fixture;
  Project project = fixture.project();
  project.url = "ext::sh -c touch% " + fixture.path_of("pwned");
  CHECK_FALSE(Repository::open(project, fixture.home(), os::system_runner()));
  CHECK_FALSE(std::filesystem::exists(fixture.path_of("pwned")));
}

TEST_CASE("a commit that was forced away can still be resolved") {
  const History history;
  REQUIRE(open(history));
  history.git({"reset", "--quiet", "--hard", history.first});
  history.git({"reflog", "expire", "--expire=now", "--all"});
  history.git({"gc", "--quiet", "--prune=now"});
  const Repository repository = value_of(open(history));
  CHECK(value_of(repository.resolve("HEAD")).commit.sha == history.first);
  CHECK(value_of(repository.resolve(history.merge)).commit.sha == history.merge);
}

TEST_CASE("locks of a killed git do not block the next opening") {
  const History history;
  REQUIRE(open(history));
  history.commit("a.txt", "5\n", "fifth");
  REQUIRE(os::write_file(history.home() / "git/demo/refs/heads/main.lock", ""));
  REQUIRE(os::write_file(history.home() / "git/demo/HEAD.lock", ""));
  CHECK(value_of(open(history)).fresh());
}

TEST_CASE("a detached HEAD upstream is HEAD here") {
  const History history;
  history.git({"checkout", "--quiet", history.second});
  CHECK(value_of(value_of(open(history)).resolve("HEAD")).commit.sha == history.second);
}

TEST_CASE("revision and patches are told apart in all ways") {
  const std::vector<RevisionSpec> all = readings("a+b+c");
  REQUIRE(all.size() == 3);
  CHECK(all[0].revision == "a+b+c");
  CHECK(all[1].revision == "a+b");
  CHECK(all[2].patches == std::vector<std::string>{"b", "c"});
}

TEST_CASE("a full sha of no branch is fetched when it is asked for") {
  const History history;
  history.git({"update-ref", "refs/pull/1/head", history.third});
  history.git({"checkout", "--quiet", "--detach", history.first});
  const std::string loose = history.commit("c.txt", "c\n", "of a pull request");
  history.git({"update-ref", "refs/pull/2/head", loose});
  history.git({"checkout", "--quiet", "main"});
  const Repository repository = value_of(open(history));
  CHECK(value_of(repository.resolve(loose)).commit.subject == "of a pull request");
  CHECK_FALSE(value_of(open(history, Refresh::offline)).resolve(std::string(40, 'b')));
}
