#pragma once

#include "execute/machine.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/process.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

// A run directory, a home and a local machine for tests that run real programs.
struct RunFixture {
  RunFixture()
      : temp(*kilter::os::TempDir::create("/tmp", "kilter-execute")),
        machine(
            kilter::execute::local_machine(kilter::os::system_runner(), kilter::os::system_clock(), root)) {
    request.run_dir = temp.path() / "run";
    request.home = temp.path() / "home";
    REQUIRE(kilter::os::make_directories(request.run_dir));
    request.plan.testcase = "mytest";
    request.plan.workload.program = "mytest";
  }

  kilter::model::PlannedCommand& add(std::vector<std::string> argv) {
    request.plan.workload.body.push_back({.argv = std::move(argv)});
    return request.plan.workload.body.back();
  }

  // One of tests/programs.
  static std::string program(const std::string& name) { return std::string(BIN_DIR) + "/programs/" + name; }

  kilter::execute::RunResult run() {
    kilter::Result<kilter::execute::RunResult> result = machine->run(request);
    if (!result) FAIL(result.error().message);
    return *result;
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return kilter::os::read_file(request.run_dir / name).value_or("");
  }

  [[nodiscard]] std::string notes(const kilter::execute::RunResult& result) const {
    std::string text;
    for (const std::string& note : result.notes) text += note + "\n";
    return text;
  }

  kilter::os::TempDir temp;
  kilter::os::Root root;
  std::unique_ptr<kilter::execute::Machine> machine;
  kilter::execute::RunRequest request;
};
