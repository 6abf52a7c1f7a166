#include "project/project.h"

#include "base/text.h"
#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::project;

namespace {

const char* const kFull = R"(name: spscqueue
url: https://git.example.org/spscqueue.git
branches: [main, next]
build:
  template: cmake
  args: [-DBUILD_TESTING=OFF]
  targets: [queue_bench]
  env: {CC: gcc}
  timeout: 20m
artefacts: {bench: build/bench/queue_bench}
benchmark:
  # how to run it
  command: ["{artefact:bench}", --json]

  parser: google-benchmark
jobs: jobs/queue.yaml
mail:
  from: robot@example.org
  to: [list@example.org]
  cc: boss@example.org
  subject_prefix: "[queue]"
  materials: https://lab.example.org/kilter
)";

Error error_of(const std::string& text) {
  const Result<Project> project = parse_project(text, "/p/x.yaml");
  REQUIRE_FALSE(project);
  CHECK(project.error().code == ErrorCode::usage);
  return project.error();
}

}  // namespace

TEST_CASE("every key of a project file is read") {
  const Project project = value_of(parse_project(kFull, "/etc/kilter/projects/queue.yaml"));
  CHECK(project.name == "spscqueue");
  CHECK(project.url == "https://git.example.org/spscqueue.git");
  CHECK(project.branches == std::vector<std::string>{"main", "next"});
  CHECK(project.build.template_name == "cmake");
  CHECK(project.build.env.at("CC") == "gcc");
  CHECK(project.build.timeout == 1200);
  CHECK(project.artefacts.at("bench") == "build/bench/queue_bench");
  CHECK(project.jobs == std::vector<std::string>{"/etc/kilter/projects/jobs/queue.yaml"});
  CHECK(project.mail.cc == std::vector<std::string>{"boss@example.org"});
  CHECK(project.mail.subject_prefix == "[queue]");
  CHECK(project.mail.materials == "https://lab.example.org/kilter");
}

TEST_CASE("the benchmark keeps its text and its place in the file") {
  const Project project = value_of(parse_project(kFull, "/p/queue.yaml"));
  const std::vector<std::string_view> all = lines(project.benchmark);
  const std::vector<std::string_view> file = lines(kFull);
  REQUIRE(all.size() >= 15);
  CHECK(all[12] == file[12]);
  CHECK(all[14] == file[14]);
  CHECK(all[0] == "  suite: spscqueue");
  CHECK(trim(all[9]).empty());
  CHECK(trim(all[15]).empty());
}

TEST_CASE("a benchmark on one line is kept without its key") {
  const Project project =
      value_of(parse_project("url: /r\nbenchmark: {command: [x]}\nname: a\n", "/p/x.yaml"));
  CHECK(trim(project.benchmark) == "{suite: a, command: [x]}");
  const Project flow = value_of(parse_project("{url: /r, benchmark: {command: [x]}}", "/p/x.yaml"));
  CHECK(flow.benchmark == "{suite: x, command: [x]}");
  const Project named =
      value_of(parse_project("url: /r\nbenchmark:\n    suite: b\n    run: [[x]]\n", "/p/x.yaml"));
  CHECK(trim(named.benchmark).starts_with("suite: b\n"));
}

TEST_CASE("the name defaults to that of the file and a relative url starts at the file") {
  const Project project = value_of(parse_project("url: ../src/repo\n", "/home/a/projects/tok.yaml"));
  CHECK(project.name == "tok");
  CHECK(project.url == "/home/a/src/repo");
  CHECK(value_of(parse_project("url: git@example.org:a/b.git\n", "/p/x.yaml")).url ==
        "git@example.org:a/b.git");
}

TEST_CASE("mistakes are named with file, line and column") {
  CHECK(error_of("url: /r\nbranchs: [main]\n").message ==
        "/p/x.yaml:2:1: unknown key 'branchs' of a project file");
  CHECK(error_of("url: /r\nbranchs: [main]\n").hint.contains("did you mean 'branches'?"));
  CHECK(error_of("url: /r\nbuild:\n  tempalte: cmake\n").message ==
        "/p/x.yaml:3:3: unknown key 'tempalte' of 'build'");
  CHECK(error_of("url: /r\nbuild: cmaek\n").hint.contains("did you mean 'cmake'?"));
  CHECK(error_of("url: /r\nbuild: {steps: [make]}\n").message ==
        "/p/x.yaml:2:17: a step must be a list of words");
  CHECK(error_of("url: /r\nbuild: {template: cmake, steps: [[make]]}\n").message.contains("either"));
  CHECK(error_of("url: /r\nurl: /s\n").message == "/p/x.yaml:2:1: key 'url' is there twice");
  CHECK(error_of("url: [a\n").message.starts_with("/p/x.yaml:2:1: "));
  CHECK(error_of("name: x\n").message.contains("no 'url'"));
  CHECK(error_of("").message == "/p/x.yaml:1:1: a project file must be a map, not nothing");
  CHECK(error_of("url: /r\nbuild: {template: make, timeout: soon}\n")
            .message.contains("'soon' is no duration"));
}

TEST_CASE("names and paths that would leave their place are refused") {
  CHECK(error_of("url: /r\nname: ../x\n").message.contains("cannot be a project's name"));
  CHECK(error_of("url: --upload-pack=touch /tmp/x\n").message.contains("cannot be a url"));
  CHECK(
      error_of("url: /r\nartefacts: {a: ../../etc/passwd}\n").message.contains("not below the source tree"));
  CHECK(error_of("url: /r\nartefacts: {a: /etc/passwd}\n").message.contains("not below the source tree"));
  CHECK(error_of("url: /r\nartefacts: {../a: b}\n").message.contains("cannot be an artefact's name"));
  CHECK(error_of("url: /r\nmail: {to: \"a@b\\nBcc: c@d\"}\n").message.contains("mail header"));
}

TEST_CASE("a project is found by name in two places, by path, and by folder") {
  const GitFixture fixture;
  REQUIRE(os::make_directories(fixture.home() / "projects"));
  REQUIRE(os::make_directories(fixture.root() / "projects"));
  REQUIRE(os::write_file(fixture.home() / "projects/queue.yaml", "url: /r\n"));
  REQUIRE(os::write_file(fixture.root() / "projects/tree.yaml", "url: /r\n"));
  REQUIRE(os::write_file(fixture.root() / "project.yaml", "name: here\nurl: /r\n"));
  const auto find = [&](const std::string& name) {
    return find_project(fixture.home(), fixture.root(), name);
  };
  CHECK(value_of(find("queue")).name == "queue");
  CHECK(value_of(find("tree")).name == "tree");
  CHECK(value_of(find("./")).name == "here");
  CHECK(value_of(find("projects/tree.yaml")).name == "tree");
  const Result<Project> missing = find("qeue");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::usage);
  CHECK(missing.error().hint.contains("did you mean 'queue'?"));
}

TEST_CASE("templates become argument lists") {
  Recipe recipe = {.template_name = "cmake", .args = {"-DX=1"}, .targets = {"bench"}};
  const std::vector<Argv> steps = value_of(build_steps(recipe));
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == Argv{"cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DX=1"});
  CHECK(with_jobs(steps[1], 3) == Argv{"cmake", "--build", "build", "-j", "3", "--target", "bench"});
  for (const std::string& name : template_names()) {
    recipe.template_name = name;
    CHECK(build_steps(recipe));
  }
  recipe.template_name = "ninja";
  CHECK_FALSE(build_steps(recipe));
}
