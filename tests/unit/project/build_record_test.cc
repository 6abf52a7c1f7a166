#include "project/build_record.h"

#include "project/build.h"
#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace kilter;
using namespace kilter::project;

namespace {

namespace fs = std::filesystem;

constexpr const char* kRecipe =
    "build: {steps: [[sh, -c, 'echo \"$WHO $1\" | cat - source >out.txt', name, 'j{jobs}'], [mkdir, it]], "
    "env: {WHO: \"it's me\"}}\n"
    "artefacts: {out: out.txt, folder: it}\n";

os::ProcessResult run_script(const os::Path& script) {
  return value_of(os::system_runner().run({.argv = {"sh", script.string()}, .cwd = "/"}));
}

}  // namespace

TEST_CASE("what was built is built again elsewhere by a script that needs no kilter") {
  const GitFixture fixture;
  fixture.commit("source", "one\n", "first");
  const std::string sha = fixture.git({"rev-parse", "HEAD"}).substr(0, 40);
  fixture.write("source", "two\n");
  REQUIRE(os::write_file(fixture.root() / "fix it.patch", fixture.git({"diff"}) + "\n"));
  fixture.git({"checkout", "-q", "."});
  const Repository repository =
      value_of(Repository::open(fixture.project(kRecipe), fixture.home(), os::system_runner()));
  const model::Revision revision = value_of(repository.resolve("HEAD+fix it.patch", fixture.root()));
  Builder builder = value_of(Builder::create(repository, fixture.home(), os::system_runner()));
  const BuildResult built = value_of(builder.build(revision));
  REQUIRE_MESSAGE(built.outcome == model::Outcome::ok, built.tail);

  const BuildRecord record =
      value_of(parse_build_record(build_record_json(repository.project(), revision, built.build)));
  CHECK(record.commit == sha);
  CHECK(record.label == revision.label);
  CHECK(record.id == built.build.id);
  CHECK(record.key == built.build.key);
  CHECK(record.hashes.size() == 2);
  REQUIRE(record.patches.size() == 1);
  CHECK(record.patches[0].name == "fix it.patch");

  fs::remove_all(fixture.home());
  const os::Path place = fixture.root() / "some where";
  REQUIRE(os::make_directories(place));
  REQUIRE(os::write_file(place / "build.sh", build_script(record)));
  REQUIRE(os::write_file(place / "fix it.patch", record.patches[0].text));
  const os::ProcessResult result = run_script(place / "build.sh");
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(value_of(os::read_file(place / "artefacts/out")).starts_with("it's me j"));
  CHECK(value_of(os::read_file(place / "artefacts/out")).ends_with("\ntwo\n"));
  CHECK(fs::is_directory(place / "artefacts/folder"));
}

TEST_CASE("a build that failed tells its recipe, and nobody's password") {
  const GitFixture fixture;
  fixture.commit("source", "one\n", "first");
  Project project = fixture.project(kRecipe);
  project.url = "https://me:secret@git.example.org/x.git";
  const model::Revision revision{.label = std::string(40, 'a'), .commit = {.sha = std::string(40, 'a')}};
  const std::string json = build_record_json(project, revision, {.key = "k", .directory = "/nowhere"});
  CHECK_FALSE(json.contains("secret"));
  const BuildRecord record = value_of(parse_build_record(json));
  CHECK(record.url == "https://git.example.org/x.git");
  CHECK(record.steps.size() == 2);
  CHECK(record.env.at("WHO") == "it's me");
}

TEST_CASE("names in a record cannot lead out of an archive") {
  const BuildRecord record = value_of(parse_build_record(
      R"({"patches": [{"name": "../../etc/x", "text": "a"}, {"name": ".."}, 3], "steps": "no list"})"));
  REQUIRE(record.patches.size() == 1);
  CHECK(record.patches[0].name == "x");
  CHECK(record.steps.empty());
  CHECK_FALSE(parse_build_record("{"));
}
