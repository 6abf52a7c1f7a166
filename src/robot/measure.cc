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
void judge(const model::Plan& plan, const Collected& collected, const std::string& last_words,
           RunRecord& record) {
  if (record.outcome != Outcome::ok || !suite::expects_values(plan.workload.parser)) return;
  if (collected.benchmark_values > 0) return;
  record.outcome = Outcome::unmeasured;
  record.reason =
      fmt::format("{} ended well and printed no number that parser '{}' knows", plan.workload.program,
                  plan.workload.parser.substr(0, plan.workload.parser.find('\n'))) +
      (last_words.empty() ? "; it printed nothing" : fmt::format("; its last line is '{}'", last_words));
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
  if (const std::optional<RunningKernel>& kernel = measurement.subject.kernel)
    TRY(keep_kernel(*kernel, lab.world.home, run_dir));
  ASSIGN_OR_RETURN(Collected collected,
                   collect(run_dir, planned.plan, lab.world.runner, window_of(measurement.job)));
  judge(planned.plan, collected, result.last_words, result.record);
  Measured measured{std::move(result.record), std::move(collected.metrics), std::move(result.notes),
                    planned.plan.unavailable};
  measured.notes.insert(measured.notes.end(), collected.notes.begin(), collected.notes.end());
  if (measurement.warm_up) {
    TRY(os::remove_tree(run_dir));
    return measured;
  }
  TRY(store::commit_run(lab.world.home, run_dir, measured.record));
  index(lab, measured, measured.notes);
  return measured;
}

RunRecord failed_record(const Lab& lab, const Measurement& measurement, const std::string& engine,
                        Outcome outcome, const std::string& reason) {
  RunRecord record = prefilled(lab, measurement, engine);
  record.outcome = outcome;
  record.reason = reason;
  return record;
}

// A run without results: its job, a log and build.json where there are such, and its outcome.
Status fill_failure(const Measurement& measurement, const RunRecord& record, const std::string& log,
                    const os::Path& run_dir) {
  TRY(os::write_file(run_dir / "job.yaml", job_text(measurement.job, record)));
  if (!log.empty()) TRY(os::write_file(run_dir / "build.log", log));
  const std::string& info = measurement.subject.build_info;
  return info.empty() ? Status() : os::write_file(run_dir / kBuildInfo, info);
}

Result<RunRecord> keep_failed_run(Lab& lab, const Measurement& measurement, RunRecord record,
                                  const std::string& log) {
  ASSIGN_OR_RETURN(const os::Path run_dir, store::begin_run(lab.world.home));
  const Status written = fill_failure(measurement, record, log, run_dir);
  if (!written) {
    static_cast<void>(os::remove_tree(run_dir));
    return fail(written.error());
  }
  TRY(store::commit_run(lab.world.home, run_dir, record));
  return record;
}

// A run directory that can hold nothing any more is that run's outcome; where no other can be written either,
// `why` stands.
Result<Measured> keep_broken(Lab& lab, const Measurement& measurement, const std::string& engine,
                             const Error& why, bool gone) {
  const Outcome outcome = gone ? Outcome::test_failed : Outcome::infra_failed;
  const std::string reason =
      gone ? "the benchmark removed its own run directory" : "its run directory is broken: " + why.message;
  Result<RunRecord> record =
      keep_failed_run(lab, measurement, failed_record(lab, measurement, engine, outcome, reason), "");
  if (!record) return fail(why);
  Measured measured{.record = std::move(*record), .metrics = {}, .notes = {}, .unavailable = {}};
  index(lab, measured, measured.notes);
  return measured;
}

}  // namespace

Result<Measured> measure(Lab& lab, const Measurement& measurement) {
  ASSIGN_OR_RETURN(PlannedRun planned, make_plan(measurement.job, lab, measurement.plan));
  ASSIGN_OR_RETURN(const os::Path run_dir, store::begin_run(lab.world.home));
  const std::string engine = planned.plan.workload.engine;
  Result<Measured> measured = measure_in(lab, measurement, std::move(planned), run_dir);
  if (measured) return measured;
  const bool gone = !os::is_directory(run_dir);
  static_cast<void>(os::remove_tree(run_dir));
  if (measured.error().code != ErrorCode::failure) return measured;
  return keep_broken(lab, measurement, engine, measured.error(), gone);
}

std::string metrics_hint(const model::Metrics& metrics, const std::string& program) {
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::string> own;
  for (const model::Metric& metric : metrics)
    if (metric.key.starts_with(program + ".") && !metric.key.starts_with(program + ".time."))
      own.push_back(printable(metric.key));
  if (own.empty()) return "kilter stat lists what was measured";
  const bool more = own.size() > kMostNamed;
  own.resize(std::min(own.size(), kMostNamed));
  return "there are " + join(own, ", ") + (more ? ", ..." : "");
}

Subject build_in_turn(const Subject& subject, std::size_t run) {
  Subject turn = subject;
  const std::size_t which = run % (1 + subject.more_builds.size());
  if (which == 0) return turn;
  const BuildVariant& build = subject.more_builds[which - 1];
  turn.build_id = build.build_id;
  turn.artefacts = build.artefacts;
  turn.build_info = build.build_info;
  return turn;
}

Subject local_subject(const Lab& lab, const std::string& name, std::set<std::string> told) {
  RunningKernel running = running_kernel(lab.world.root, lab.box.arch);
  const Kernel& kernel = running.kernel;
  Subject subject{.commit = name.empty() ? kernel.commit : name,
                  .kconfig = kernel.kconfig,
                  .compiler = kernel.compiler,
                  .build_id = kernel.build_id};
  subject.kernel = std::move(running);
  subject.told = std::move(told);
  return subject;
}

std::string other_kernel_note(const Lab& lab, const Subject& subject) {
  if (lab.store == nullptr || subject.build_id.empty() || subject.told.contains("commit")) return "";
  const Result<std::vector<store::StoredRun>> last =
      lab.store->runs({.axes = {{"commit", subject.commit}}, .limit = 1});
  if (!last || last->empty()) return "";
  const model::RunRecord& run = last->front().record;
  if (!run.project.empty() || run.build_id.empty() || run.build_id == subject.build_id) return "";
  return fmt::format(
      "'{}' was another build of the kernel when it was measured last: --kernel-name tells them apart",
      printable(subject.commit));
}

model::Axes run_axes(const Lab& lab, const model::UnitJob& job, const Subject& subject,
                     const std::string& engine) {
  model::Axes axes = job.axes;
  axes["testcase"] = job.testcase;
  axes["tbox_group"] = lab.box.tbox_group;
  axes["rootfs"] = lab.box.os_version.empty() ? lab.box.os : lab.box.os + "-" + lab.box.os_version;
  axes["kconfig"] = subject.kconfig;
  axes["compiler"] = subject.compiler.empty() ? lab.box.compiler : subject.compiler;
  if (axes["compiler"].empty()) axes["compiler"] = "none";
  axes["commit"] = subject.commit;
  for (const std::string& name : subject.told)
    if (const auto value = job.axes.find(name); value != job.axes.end()) axes[name] = value->second;
  if (engine == "builtin") axes["engine"] = engine;
  return axes;
}

Result<model::RunRecord> record_failure(Lab& lab, const Measurement& measurement, model::Outcome outcome,
                                        const std::string& reason, const std::string& log) {
  ASSIGN_OR_RETURN(
      RunRecord record,
      keep_failed_run(lab, measurement, failed_record(lab, measurement, "", outcome, reason), log));
  TRY(lab.store->put(record, {}));
  return record;
}

}  // namespace kilter::robot
