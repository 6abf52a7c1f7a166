#include "robot/measure.h"

#include "base/log.h"
#include "base/text.h"
#include "robot/collect.h"
#include "robot/setup_steps.h"
#include "store/results.h"
#include "suite/parse.h"

#include <fmt/core.h>

namespace kilter::robot {
namespace {

using model::Outcome;
using model::RunRecord;

RunRecord prefilled(const Lab& lab, const Measurement& measurement, const std::string& engine) {
  RunRecord record;
  record.axes = run_axes(lab, measurement.job, measurement.subject, engine);
  record.path_params = measurement.job.path_params;
  if (engine == "builtin") record.path_params += "-builtin";
  record.project = measurement.subject.project;
  record.build_id = measurement.subject.build_id;
  record.session = lab.session;
  record.engine = engine;
  record.block = measurement.block;
  record.place = measurement.place;
  record.boot_id = lab.box.boot_id;
  record.fingerprint = lab.box.fingerprint_id();
  record.started = lab.world.clock.wall();
  return record;
}

// job.yaml of the run directory: the unit job and what identifies this run, as LKP appends it.
std::string job_text(const model::UnitJob& job, const RunRecord& record) {
  std::string text = job.text;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += "\n#! kilter\n";
  for (const char* axis : {"kconfig", "commit", "rootfs", "compiler"}) {
    const auto it = record.axes.find(axis);
    if (it != record.axes.end()) text += fmt::format("{}: {}\n", axis, it->second);
  }
  return text;
}

// A monitor that recorded nothing of use must not stop a run; a benchmark without a number is no measurement.
void judge(const model::Plan& plan, const Collected& collected, RunRecord& record) {
  if (record.outcome != Outcome::ok || !suite::expects_values(plan.workload.parser)) return;
  if (collected.benchmark_values > 0) return;
  record.outcome = Outcome::unmeasured;
  record.reason =
      fmt::format("{} ended well and printed no number that parser '{}' knows", plan.workload.program,
                  plan.workload.parser.substr(0, plan.workload.parser.find('\n')));
}

CollectOptions window_of(const model::UnitJob& job) {
  CollectOptions options;
  if (const std::optional<double> begin = parse_double(job.body.get("stats_part_begin")))
    options.part_begin = *begin;
  if (const std::optional<double> end = parse_double(job.body.get("stats_part_end"))) options.part_end = *end;
  return options;
}

// The files are the truth: a run that cannot be indexed is still kept.
void index(Lab& lab, const Measured& measured, std::vector<std::string>& notes) {
  const Result<std::int64_t> stored = lab.store->put(measured.record, measured.metrics);
  if (!stored)
    notes.push_back(
        fmt::format("kept but not indexed ({}); kilter reindex mends that", stored.error().message));
}

Result<Measured> measure_in(Lab& lab, const Measurement& measurement, PlannedRun planned,
                            const os::Path& run_dir) {
  planned.sampler.directory = run_dir;
  TRY(os::write_file(run_dir / kSamplerSpec, monitor::sampler_spec_json(planned.sampler)));
  const execute::RunRequest request{
      .plan = planned.plan,
      .run_dir = run_dir,
      .job_text = job_text(measurement.job, prefilled(lab, measurement, planned.plan.workload.engine)),
      .record = prefilled(lab, measurement, planned.plan.workload.engine),
      .home = lab.world.home,
      .time_limit = measurement.time_limit,
      .progress = measurement.progress};
  ASSIGN_OR_RETURN(execute::RunResult result, lab.machine->run(request));
  if (const std::string& info = measurement.subject.build_info; !info.empty())
    TRY(os::write_file(run_dir / kBuildInfo, info));
  ASSIGN_OR_RETURN(Collected collected,
                   collect(run_dir, planned.plan, lab.world.runner, window_of(measurement.job)));
  judge(planned.plan, collected, result.record);
  Measured measured{std::move(result.record), std::move(collected.metrics), std::move(result.notes),
                    planned.plan.unavailable};
  measured.notes.insert(measured.notes.end(), collected.notes.begin(), collected.notes.end());
  TRY(store::commit_run(lab.world.home, run_dir, measured.record));
  index(lab, measured, measured.notes);
  return measured;
}

}  // namespace

Result<Measured> measure(Lab& lab, const Measurement& measurement) {
  ASSIGN_OR_RETURN(PlannedRun planned, make_plan(measurement.job, lab, measurement.plan));
  ASSIGN_OR_RETURN(const os::Path run_dir, store::begin_run(lab.world.home));
  Result<Measured> measured = measure_in(lab, measurement, std::move(planned), run_dir);
  if (!measured) static_cast<void>(os::remove_tree(run_dir));
  return measured;
}

Subject local_subject(const Lab& lab) {
  return {.commit = lab.box.kernel, .kconfig = "defconfig"};
}

model::Axes run_axes(const Lab& lab, const model::UnitJob& job, const Subject& subject,
                     const std::string& engine) {
  model::Axes axes = job.axes;
  axes["testcase"] = job.testcase;
  axes["tbox_group"] = lab.box.tbox_group;
  axes["rootfs"] = lab.box.os_version.empty() ? lab.box.os : lab.box.os + "-" + lab.box.os_version;
  axes["kconfig"] = subject.kconfig;
  axes["compiler"] = lab.box.compiler.empty() ? "none" : lab.box.compiler;
  axes["commit"] = subject.commit;
  if (engine == "builtin") axes["engine"] = engine;
  return axes;
}

Result<model::RunRecord> record_failure(Lab& lab, const Measurement& measurement, model::Outcome outcome,
                                        const std::string& reason, const std::string& log) {
  RunRecord record = prefilled(lab, measurement, "");
  record.outcome = outcome;
  record.reason = reason;
  ASSIGN_OR_RETURN(const os::Path run_dir, store::begin_run(lab.world.home));
  Status written = os::write_file(run_dir / "job.yaml", job_text(measurement.job, record));
  if (written) written = os::write_file(run_dir / "build.log", log);
  if (const std::string& info = measurement.subject.build_info; written && !info.empty())
    written = os::write_file(run_dir / kBuildInfo, info);
  if (!written) {
    static_cast<void>(os::remove_tree(run_dir));
    return fail(written.error());
  }
  TRY(store::commit_run(lab.world.home, run_dir, record));
  TRY(lab.store->put(record, {}));
  return record;
}

}  // namespace kilter::robot
