#include "project/repository.h"
#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::project;

TEST_CASE("the example's history is made with the shas it is known by") {
  const GitFixture fixture;
  const os::Path examples = os::Path(TESTS_DIR).parent_path() / "examples";
  const os::Path demo = fixture.root() / "demo";
  value_of(os::run_checked(os::system_runner(), {.argv = {examples / "materialise", demo.string()}}));
  const Project project = value_of(find_project(fixture.home(), fixture.root(), demo.string()));
  const Repository repository = value_of(Repository::open(project, fixture.home(), os::system_runner()));
  CHECK(value_of(repository.range("v0.9", "v1.0")).size() == 7);
  CHECK(value_of(repository.resolve("HEAD")).commit.sha == value_of(repository.resolve("v1.0")).commit.sha);
  const model::Commit slow = value_of(repository.commit("v1.0~3"));
  CHECK(slow.subject == "lexo: refuse control characters in comments and strings");
  CHECK(slow.tags.size() == 3);
  CHECK(slow.branch == "main");
}
