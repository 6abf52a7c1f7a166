// What kilter adds around a benchmark: an empty workload (`true`) alone, and with the sampler recording every
// monitor this machine has. The bar is 1.5 s a run.
// usage: kilter_overhead_bench [RUNS]     (default 20)
#include "execute/machine.h"
#include "monitor/registry.h"
#include "monitor/sampler.h"
#include "os/clock.h"
#include "os/process.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace kilter;

constexpr double kBar = 1.5;  // seconds

struct Figures {
  double median = 0;
  double worst = 0;
};

Figures figures_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return {.median = seconds[seconds.size() / 2], .worst = seconds.back()};
}

[[noreturn]] void give_up(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.message);
  std::exit(3);
}

model::Recorder sampler(const os::Path& directory) {
  monitor::SamplerSpec spec{.directory = directory};
  for (const monitor::Monitor& one : monitor::monitors())
    if (one.sources != nullptr) spec.monitors.push_back({.name = std::string(one.name), .options = {}});
  const std::string file = (directory / "sampler-spec.json").string();
  if (const Status written = os::write_file(file, monitor::sampler_spec_json(spec)); !written)
    give_up(written.error());
  return {.name = "sampler", .argv = {BIN_DIR "/kilter-agent", "sample", file}};
}

double one_run(execute::Machine& machine, bool recorded) {
  Result<os::TempDir> temp = os::TempDir::create("/tmp", "kilter-overhead");
  if (!temp) give_up(temp.error());
  execute::RunRequest request{.run_dir = temp->path() / "run", .home = temp->path() / "home"};
  if (const Status made = os::make_directories(request.run_dir); !made) give_up(made.error());
  request.plan.testcase = "true";
  request.plan.workload.program = "true";
  request.plan.workload.body = {{.argv = {"true"}}};
  if (recorded) request.plan.recorders = {sampler(request.run_dir)};
  const Result<execute::RunResult> result = machine.run(request);
  if (!result) give_up(result.error());
  for (const std::string& note : result->notes) fmt::print(stderr, "note: {}\n", note);
  return result->record.overhead;
}

Figures bare_program(int runs) {
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run)
    seconds.push_back(os::system_runner().run({.argv = {"true"}})->elapsed);
  return figures_of(seconds);
}

Figures whole_runs(execute::Machine& machine, int runs, bool recorded) {
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) seconds.push_back(one_run(machine, recorded));
  return figures_of(seconds);
}

void print(const char* what, const Figures& figures) {
  fmt::print("{:<44} median {:7.1f} ms  worst {:7.1f} ms", what, figures.median * 1e3, figures.worst * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  const os::Root root;
  const std::unique_ptr<execute::Machine> machine =
      execute::local_machine(os::system_runner(), os::system_clock(), root);
  print("starting and waiting for `true`, no kilter", bare_program(runs));
  fmt::print("\n");
  bool kept = true;
  for (const bool recorded : {false, true}) {
    const Figures figures = whole_runs(*machine, runs, recorded);
    print(recorded ? "overhead of a run, all monitors" : "overhead of a run, no monitors", figures);
    fmt::print("  {:.3f} of the bar of {} s\n", figures.worst / kBar, kBar);
    kept = kept && figures.worst <= kBar;
  }
  return kept ? 0 : 1;
}
