#include "project/build.h"

#include "base/text.h"
#include "os/interrupt.h"
#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

using namespace kilter;
using namespace kilter::project;

namespace {

namespace fs = std::filesystem;

// The build copies the "source" through a shell script of the tree: quick, and all the machinery is in use.
constexpr const char* kScript = "build: {steps: [[sh, ./build.sh]]}\nartefacts: {out: out/result}\n";

struct Workshop : GitFixture {
  std::string recipe = kScript;
  explicit Workshop(const std::string& script = "mkdir out && cp source out/result\n") {
    write("build.sh", script);
    commit("source", "one\n", "first");
  }
  Repository repository() const {
    return value_of(Repository::open(project(recipe), home(), os::system_runner()));
  }
  std::string text_of(const BuildResult& result) const {
    return value_of(os::read_file(result.build.artefacts.at("out")));
  }
};

// A repository and its builder, kept together because the builder refers to the repository.
struct Site {
  Repository repository;
  Builder builder;
  explicit Site(const Workshop& workshop)
      : repository(workshop.repository()),
        builder(value_of(Builder::create(repository, workshop.home(), os::system_runner()))) {}
  Result<BuildResult> try_build(const std::string& spec, const BuildOptions& options = {}) {
    return builder.build(value_of(repository.resolve(spec)), options);
  }
  BuildResult build(const std::string& spec, const BuildOptions& options = {}) {
    return value_of(try_build(spec, options));
  }
};

bool runs_somewhere(const std::string& word) {
  for (const os::Path& process : os::list_directory("/proc")) {
    const Result<std::string> line = os::read_file(process / "cmdline");
    if (line && line->contains(word)) return true;
  }
  return false;
}

std::vector<std::string> leftovers(const Workshop& workshop) {
  std::vector<std::string> names;
  for (const os::Path& path : os::list_directory(workshop.home() / "build/demo"))
    if (path.filename().string().starts_with("slot-"))
      for (const os::Path& inner : os::list_directory(path)) names.push_back(inner.string());
  for (const os::Path& path : os::list_directory(workshop.home() / "build/demo/src"))
    names.push_back(path.string());
  return names;
}

}  // namespace

TEST_CASE("a build is made once and then comes from the cache") {
  const Workshop workshop;
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  REQUIRE_MESSAGE(made.outcome == model::Outcome::ok, made.reason << made.tail);
  CHECK_FALSE(made.build.from_cache);
  CHECK(workshop.text_of(made) == "one\n");
  CHECK(value_of(os::read_file(made.build.log)).starts_with("$ sh ./build.sh\n"));
  const BuildResult again = site.build("HEAD");
  CHECK(again.build.from_cache);
  CHECK(again.build.id == made.build.id);
  CHECK(again.build.artefacts == made.build.artefacts);
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("two revisions that give the same artefacts have one build id and two keys") {
  const Workshop workshop;
  workshop.commit("README", "words\n", "docs only");
  workshop.commit("source", "two\n", "a change");
  Site site(workshop);
  const BuildResult first = site.build("HEAD~2");
  const BuildResult docs = site.build("HEAD~1");
  CHECK(first.build.key != docs.build.key);
  CHECK(first.build.id == docs.build.id);
  CHECK(site.build("HEAD").build.id != first.build.id);
}

TEST_CASE("a failing build is an outcome with the end of its log and the next one works") {
  const Workshop workshop(
      "for i in $(seq 50); do echo line $i; done; echo \"source.c:3: error: \\033[31mno\" >&2; exit 2\n");
  workshop.commit("build.sh", "mkdir out && cp source out/result\n", "repaired");
  Site site(workshop);
  const BuildResult failed = site.build("HEAD~1");
  CHECK(failed.outcome == model::Outcome::build_failed);
  CHECK(failed.reason == "'sh ./build.sh' exited with 2");
  CHECK(failed.tail.starts_with("line 37\n"));
  CHECK(failed.tail.ends_with("source.c:3: error: [31mno\n"));
  CHECK(value_of(os::read_file(failed.build.log)).contains("line 1\n"));
  CHECK(site.build("HEAD").outcome == model::Outcome::ok);
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("a build that hangs is stopped with everything it started") {
  const Workshop workshop("setsid sleep 98765432 & trap '' TERM; sleep 98765432\n");
  Site site(workshop);
  const BuildResult hung = site.build("HEAD", {.timeout = 0.4});
  CHECK(hung.outcome == model::Outcome::build_failed);
  CHECK(hung.reason.contains("the build's time limit"));
  if (Sandbox::detect(os::system_runner()).usable()) CHECK_FALSE(runs_somewhere("98765432"));
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("a patch is in the build and equal sources are one cache entry") {
  const Workshop workshop;
  const std::string two = workshop.commit("source", "two\n", "second");
  REQUIRE(os::write_file(workshop.path_of("two.patch"),
                         workshop.git({"format-patch", "-1", "--stdout", two}) + "\n"));
  Site site(workshop);
  const model::Revision patched = value_of(site.repository.resolve("HEAD~1+two.patch", workshop.root()));
  const BuildResult made = value_of(site.builder.build(patched));
  CHECK(workshop.text_of(made) == "two\n");
  CHECK(site.build("HEAD").build.from_cache);
}

TEST_CASE("a patch that does not apply is named with its hunk") {
  const Workshop workshop;
  const std::string two = workshop.commit("source", "two\n", "second");
  REQUIRE(
      os::write_file(workshop.path_of("two.patch"), workshop.git({"format-patch", "-1", "--stdout", two})));
  REQUIRE(os::write_file(workshop.path_of("junk.patch"), "no patch at all\n"));
  Site site(workshop);
  const Result<BuildResult> twice =
      site.builder.build(value_of(site.repository.resolve("HEAD+two.patch", workshop.root())));
  REQUIRE_FALSE(twice);
  CHECK(twice.error().code == ErrorCode::usage);
  CHECK(twice.error().message == "applying patch '" + workshop.path_of("two.patch") + "' to " +
                                     two.substr(0, 12) + ": the hunk at source:1 does not match");
  const Result<BuildResult> junk =
      site.builder.build(value_of(site.repository.resolve("HEAD+junk.patch", workshop.root())));
  REQUIRE_FALSE(junk);
  CHECK(junk.error().message.contains("No valid patches"));
}

TEST_CASE("a patch cannot write outside the sources") {
  const Workshop workshop;
  REQUIRE(os::write_file(workshop.path_of("evil.patch"),
                         "--- /dev/null\n+++ b/../../../evil\n@@ -0,0 +1 @@\n+evil\n"));
  Site site(workshop);
  CHECK_FALSE(site.builder.build(value_of(site.repository.resolve("HEAD+evil.patch", workshop.root()))));
}

TEST_CASE("a damaged cache entry is built anew") {
  const Workshop workshop;
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  REQUIRE(os::write_file(made.build.artefacts.at("out"), "bitrot"));
  const BuildResult again = site.build("HEAD");
  CHECK_FALSE(again.build.from_cache);
  CHECK(workshop.text_of(again) == "one\n");
  REQUIRE(os::write_file(os::Path(made.build.directory) / "meta.json", "{\"id\": "));
  CHECK_FALSE(site.build("HEAD").build.from_cache);
}

TEST_CASE("an artefact that no good build makes is the recipe's fault, one that leads elsewhere fails") {
  const Workshop workshop("mkdir out\n");
  workshop.commit("build.sh", "mkdir out && ln -s /etc/passwd out/result\n", "a link out");
  Site site(workshop);
  const Result<BuildResult> missing = site.try_build("HEAD~1");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::usage);
  CHECK(missing.error().message.ends_with("artefact 'out': the build made no 'out/result'"));
  CHECK(missing.error().hint.contains("log: "));
  CHECK(site.build("HEAD").reason == "artefact 'out': 'out/result' leads out of the source tree");
}

TEST_CASE("one revision that makes no artefact has failed, and the others are built") {
  const Workshop workshop("mkdir out\n");
  workshop.commit("build.sh", "mkdir out && cp source out/result\n", "make it");
  Site site(workshop);
  const std::vector<model::Revision> revisions = {value_of(site.repository.resolve("HEAD~1")),
                                                  value_of(site.repository.resolve("HEAD"))};
  const std::vector<BuildResult> results = value_of(site.builder.build_all(revisions));
  CHECK(results[0].outcome == model::Outcome::build_failed);
  CHECK(results[0].reason == "artefact 'out': the build made no 'out/result'");
  CHECK(os::size_of_file(results[0].build.log) > 0);
  CHECK(results[1].outcome == model::Outcome::ok);
}

TEST_CASE("a directory can be an artefact") {
  Workshop workshop("mkdir -p out/result/sub && cp source out/result/sub/x && ln -s sub/x out/result/l\n");
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  REQUIRE_MESSAGE(made.outcome == model::Outcome::ok, made.reason);
  CHECK(value_of(os::read_file(os::Path(made.build.artefacts.at("out")) / "l")) == "one\n");
  CHECK(site.build("HEAD").build.from_cache);
  REQUIRE(os::write_file(os::Path(made.build.artefacts.at("out")) / "sub/x", "bitrot"));
  CHECK_FALSE(site.build("HEAD").build.from_cache);
}

TEST_CASE("many revisions are built side by side and come back in order") {
  const Workshop workshop("sleep 0.2; mkdir out && cp source out/result\n");
  for (const char* text : {"two\n", "three\n", "four\n"}) workshop.commit("source", text, "next");
  Site site(workshop);
  std::vector<model::Revision> revisions;
  for (const char* spec : {"HEAD", "HEAD~1", "HEAD", "HEAD~2", "HEAD~3"})
    revisions.push_back(value_of(site.repository.resolve(spec)));
  std::vector<std::string> started;
  const std::vector<BuildResult> results = value_of(site.builder.build_all(
      revisions, {.jobs = 4, .slots = 4, .progress = [&](const BuildProgress& progress) {
                    if (progress.text == "sh ./build.sh") started.push_back(progress.label);
                  }}));
  REQUIRE(results.size() == 5);
  CHECK(workshop.text_of(results[0]) == "four\n");
  CHECK(workshop.text_of(results[1]) == "three\n");
  CHECK(results[2].build.id == results[0].build.id);
  CHECK(workshop.text_of(results[4]) == "one\n");
  CHECK(started.size() == 4);
}

TEST_CASE("what a killed build left is gone at the next start") {
  const Workshop workshop;
  const os::Path slot = workshop.home() / "build/demo/slot-3/src";
  REQUIRE(os::make_directories(slot / "read-only"));
  REQUIRE(os::write_file(slot / "read-only/half.o", "x"));
  fs::permissions(slot / "read-only", fs::perms::owner_read | fs::perms::owner_exec);
  Site site(workshop);
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("an interrupt ends a build, everything it started, and leaves nothing") {
  os::catch_interrupts();
  const Workshop workshop("sleep 87654321\n");
  Site site(workshop);
  const Result<BuildResult> result = site.try_build("HEAD", {.progress = [](const BuildProgress& progress) {
                                                      if (progress.text == "sh ./build.sh")
                                                        std::raise(SIGINT);
                                                    }});
  os::clear_interrupt();
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::interrupted);
  CHECK_FALSE(runs_somewhere("87654321"));
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("while another builds the same it is waited for and its result is taken") {
  const Workshop workshop;
  Site other(workshop);
  const BuildResult theirs = other.build("HEAD");
  const os::Path entry = theirs.build.directory;
  fs::rename(entry, workshop.root() / "aside");
  std::optional<os::FileLock> lock =
      value_of(os::FileLock::acquire(workshop.home() / "build/demo/locks" / theirs.build.key, 0));
  Site site(workshop);
  bool waited = false;
  const BuildResult ours = site.build("HEAD", {.progress = [&](const BuildProgress& progress) {
                                        waited = progress.text.starts_with("waiting for another");
                                        fs::rename(workshop.root() / "aside", entry);
                                        lock.reset();
                                      }});
  CHECK(waited);
  CHECK(ours.build.from_cache);
}

TEST_CASE("in the sandbox there is no network, no write access outside, and one path for all") {
  if (!Sandbox::detect(os::system_runner()).usable()) {
    MESSAGE("not tested: bubblewrap cannot be used here");
    return;
  }
  const Workshop workshop(
      "mkdir out && { pwd; ls /sys/class/net /proc/net/dev >/dev/null; grep -c : /proc/net/dev;\n"
      "touch /etc/kilter-was-here $HOME/kilter-was-here 2>/dev/null && echo wrote; } > out/result; true\n");
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  REQUIRE_MESSAGE(made.outcome == model::Outcome::ok, made.reason << made.tail);
  CHECK(workshop.text_of(made) == (workshop.home() / "build/demo/src").string() + "\n1\n");
}

TEST_CASE("without a sandbox the build sees the same path") {
  Workshop workshop("mkdir out && pwd > out/result\n");
  workshop.recipe = "build: {steps: [[sh, ./build.sh]], sandbox: false}\nartefacts: {out: out/result}\n";
  Site site(workshop);
  CHECK(workshop.text_of(site.build("HEAD")) == (workshop.home() / "build/demo/src").string() + "\n");
  CHECK(leftovers(workshop).empty());
}

TEST_CASE("the environment of a recipe reaches the build and its key") {
  Workshop workshop("mkdir out && echo $FLAVOUR $SOURCE_DATE_EPOCH > out/result\n");
  const std::string plain =
      value_of(Site(workshop).builder.key_of(value_of(workshop.repository().resolve("HEAD"))));
  workshop.recipe =
      "build: {steps: [[sh, ./build.sh]], env: {FLAVOUR: vanilla}}\nartefacts: {out: out/result}\n";
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  CHECK(made.build.key != plain);
  CHECK(workshop.text_of(made) == "vanilla 1577836800\n");
}

TEST_CASE("a program that is not installed is an error with a hint") {
  Workshop workshop;
  workshop.recipe = "build: {steps: [[no-such-builder]]}\nartefacts: {out: x}\n";
  const Result<BuildResult> result = Site(workshop).try_build("HEAD");
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "building 'demo': 'no-such-builder' is not installed");
}

TEST_CASE("a project without artefacts or recipe cannot be built") {
  Workshop workshop;
  workshop.recipe = "build: {steps: [[sh, ./build.sh]]}\n";
  const Repository bare = workshop.repository();
  CHECK_FALSE(Builder::create(bare, workshop.home(), os::system_runner()));
  workshop.recipe = "artefacts: {out: x}\n";
  const Repository idle = workshop.repository();
  CHECK_FALSE(Builder::create(idle, workshop.home(), os::system_runner()));
}

TEST_CASE("the cmake template builds a program that runs") {
  Workshop workshop;
  workshop.write("CMakeLists.txt",
                 "cmake_minimum_required(VERSION 3.16)\nproject(demo C)\nadd_executable(answer main.c)\n");
  workshop.commit("main.c", "#include <stdio.h>\nint main(void) { puts(__FILE__); }\n", "a program");
  workshop.recipe = "build: cmake\nartefacts: {answer: build/answer}\n";
  Site site(workshop);
  const BuildResult made = site.build("HEAD");
  REQUIRE_MESSAGE(made.outcome == model::Outcome::ok, made.reason << made.tail);
  const std::string out =
      value_of(os::run_checked(os::system_runner(), {.argv = {made.build.artefacts.at("answer")}}));
  CHECK(out == (workshop.home() / "build/demo/src/main.c").string() + "\n");
}
