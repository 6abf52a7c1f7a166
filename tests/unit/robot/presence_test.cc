#include "robot/presence.h"

#include "suite/catalogue.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::robot;

namespace {

PlannedRun run_of(const std::string& suite, model::PlannedCommand command) {
  static const Result<suite::Catalogue> catalogue = suite::Catalogue::load();
  PlannedRun run;
  run.suite = catalogue->find(suite);
  run.plan.workload.body = {std::move(command)};
  return run;
}

Error refusal(const std::string& suite, model::PlannedCommand command) {
  model::UnitJob job;
  job.name = "x-defaults";
  job.file = "jobs/x.yaml";
  const Status status = check_presence(job, run_of(suite, std::move(command)));
  return status ? Error{} : status.error();
}

}  // namespace

TEST_CASE("a program or directory that is not there is told before anything runs") {
  const Error sources = refusal("kbuild", {.argv = {"sh"}, .cwd = "/nowhere/kbuild"});
  CHECK(sources.message == "kbuild is not installed here: no directory '/nowhere/kbuild'");
  CHECK(sources.hint == "kilter install jobs/x.yaml");
  CHECK(sources.code == ErrorCode::failure);
  const Error command = refusal("mytest", {.argv = {"no-such-benchmark"}});
  CHECK(command.message == "planning x-defaults: no program 'no-such-benchmark'");
  CHECK(refusal("mytest", {.argv = {"/nowhere/bench"}}).message.contains("no program '/nowhere/bench'"));
  CHECK(refusal("mytest", {.argv = {"./nosuch"}, .cwd = "/"}).message ==
        "planning x-defaults: no program './nosuch' in '/'");
}

TEST_CASE("what is there, or is still to be made, passes") {
  CHECK(refusal("mytest", {.argv = {"sh", "-c", "true"}}).message.empty());
  CHECK(refusal("mytest", {.argv = {"./proc/self/exe"}, .cwd = "/"}).message.empty());
  model::UnitJob job;
  PlannedRun made = run_of("mytest", {.argv = {"sh", "-c", "make bench"}, .cwd = "/"});
  made.plan.workload.body.push_back({.argv = {"./bench"}, .cwd = "/"});
  CHECK(check_presence(job, made));
  CHECK(refusal("mytest", {.argv = {"./bench"}}).message.empty());
  CHECK(refusal("mytest", {.argv = {"<build of v1>/bench"}, .cwd = "<build of v1>"}).message.empty());
  CHECK(refusal("mytest", {.argv = {"no-such-benchmark"}, .may_fail = true}).message.empty());
}
