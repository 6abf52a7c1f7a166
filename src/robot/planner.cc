#include "robot/planner.h"

#include "base/text.h"
#include "job/blocks.h"
#include "monitor/registry.h"
#include "os/affinity.h"
#include "robot/binding.h"
#include "robot/plan_check.h"
#include "robot/setup_steps.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

monitor::Options options_of(const model::Node& node) {
  monitor::Options options;
  for (const auto& [key, value] : node.entries())
    if (value.is_scalar()) options[key] = value.text();
  return options;
}

Result<const suite::Suite*> suite_of(const model::UnitJob& job, const Lab& lab) {
  for (const std::string& name : {job.testcase, job.suite, job.program})
    if (const suite::Suite* found = lab.catalogue.find(name)) return found;
  if (const suite::Suite* found = lab.catalogue.find_program(job.program)) return found;
  return lab.catalogue.get(job.program.empty() ? job.suite : job.program);
}

// Monitors whose recorder is another program are recorded by nobody yet: they say so.
std::string refusal(const std::string& name, const os::Root& root) {
  const monitor::Monitor* found = monitor::find_monitor(name);
  if (found == nullptr || found->style == monitor::Style::external) return "kilter has no recorder for it";
  const Status status = monitor::available(*found, root);
  return status ? "" : status.error().message;
}

void add_monitors(const model::UnitJob& job, const Lab& lab, PlannedRun& run) {
  model::Recorder recorder{.name = "sampler",
                           .argv = {"self", "sample", fmt::format("{{rundir}}/{}", kSamplerSpec)}};
  for (const auto& [name, node] : job.monitors) {
    const std::string reason = refusal(name, lab.world.root);
    if (!reason.empty()) {
      run.plan.unavailable.push_back({name, reason});
      continue;
    }
    run.sampler.monitors.push_back({name, options_of(node)});
    recorder.monitors.push_back(name);
  }
  if (!recorder.monitors.empty()) run.plan.recorders.push_back(std::move(recorder));
}

// `kilter run JOB -- CMD`: the words are the workload, under the job's monitors and set-up.
Status replace_command(model::Workload& workload, const std::vector<std::string>& command) {
  if (command.empty()) return {};
  if (workload.body.size() != 1)
    return usage_error(
        "running a command: the words after -- replace a job's one command, and this job has " +
            std::to_string(workload.body.size()),
        "use a job of suite mytest");
  workload.body[0].argv = command;
  return {};
}

// A command of the user's is written for the directory it was typed in, or for the tree that was built.
void place_commands(model::Workload& workload, const suite::Suite& suite, const PlanOptions& options) {
  const auto build = options.artefacts.find("build");
  const bool built = build != options.artefacts.end();
  if (options.command.empty() && (built || suite.name != "mytest")) return;
  for (model::PlannedCommand& command : workload.body)
    if (command.cwd.empty()) command.cwd = built ? build->second : options.directory;
}

// The place of a plan's error is in the job file, though not always known to the line.
Error in_job(const model::UnitJob& job, const Error& error) {
  const bool placed = job.file.empty() || error.message.starts_with(job.file + ":") ||
                      error.message.starts_with("override: ");
  return placed ? error : error.in(printable(job.file));
}

}  // namespace

Result<PlannedRun> make_plan(const model::UnitJob& job, const Lab& lab, const PlanOptions& options) {
  TRY(job::refuse_shell_blocks(job));
  Result<const suite::Suite*> found = suite_of(job, lab);
  if (!found) return fail(in_job(job, found.error()));
  const suite::Suite* suite = *found;
  suite::HostFacts facts = host_facts(lab);
  for (const auto& [name, path] : options.artefacts) facts.names[name] = path;
  PlannedRun run;
  run.suite = suite;
  Result<model::Workload> workload = suite::plan_workload(*suite, job, facts);
  if (!workload) return fail(in_job(job, workload.error()));
  run.plan.workload = std::move(*workload);
  TRY(replace_command(run.plan.workload, options.command));
  place_commands(run.plan.workload, *suite, options);
  run.plan.workload.env_padding = options.env_padding;
  run.plan.testcase = job.testcase;
  run.plan.parameters = {job.parameters.begin(), job.parameters.end()};
  if (const auto build = options.artefacts.find("build"); build != options.artefacts.end())
    run.plan.build = build->second;
  run.plan.setup = setup_steps(job, lab.world.root);
  run.plan.skipped = settings_not_done(job, *suite);
  ASSIGN_OR_RETURN(const Binding binding, workload_binding(job, lab.world.root));
  bind_workload(run.plan.workload, binding);
  if (options.monitors) add_monitors(job, lab, run);
  ASSIGN_OR_RETURN(run.warnings, plan_warnings(job, *suite));
  if (run.plan.recorders.empty()) return run;
  ASSIGN_OR_RETURN(const std::vector<int> allowed, os::allowed_cpus());
  for (model::Recorder& recorder : run.plan.recorders)
    recorder.cpus = left_over_cpus(run.plan.workload, allowed);
  return run;
}

}  // namespace kilter::robot
