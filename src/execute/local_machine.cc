#include "base/text.h"
#include "execute/describe.h"
#include "execute/machine.h"
#include "execute/oops.h"
#include "execute/recorders.h"
#include "execute/reproduce.h"
#include "execute/set_up.h"
#include "execute/time_file.h"
#include "execute/undo.h"
#include "execute/workload.h"
#include "model/json.h"
#include "os/containment.h"
#include "os/kernel_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace kilter::execute {
namespace {

// Kept free during the run, so that even a run that filled the disk can say so.
constexpr std::uint64_t kReserved = std::uint64_t{1} << 20;

// One run from its first set-up step to its last file.
class LocalRun {
 public:
  LocalRun(const RunRequest& request, os::ProcessRunner& runner, os::Clock& clock, const os::Root& root,
           std::string id, Journal journal)
      : request_(request),
        runner_(runner),
        clock_(clock),
        root_(root),
        began_(clock.monotonic()),
        id_(std::move(id)),
        journal_(std::move(journal)),
        containment_(root, id_),
        recorders_(request, runner, clock),
        kernel_log_(os::KernelLog::open()) {}

  Result<RunResult> execute() {
    const Status done = measure();
    recorders_.stop();
    const os::Containment::Swept swept = containment_.sweep();
    end_.usage += swept.usage;
    judge_kernel();
    append(recorders_.notes());
    note_survivors(swept);
    append(journal_.undo_all(runner_, root_));
    TRY(os::remove_tree(reserve()));
    if (!done) return fail(done.error());
    if (end_.interrupted) return interrupted(fmt::format("running {} was interrupted", plan().testcase));
    return write_files();
  }

 private:
  [[nodiscard]] const model::Plan& plan() const { return request_.plan; }
  [[nodiscard]] os::Path scratch() const { return request_.run_dir / "scratch"; }
  [[nodiscard]] os::Path reserve() const { return request_.run_dir / ".reserve"; }

  Status measure() {
    TRY(prepare());
    if (other_run_lives(request_.home, id_))
      result_.notes.push_back("another run is under way: both disturb each other");
    tell(Progress::Phase::set_up);
    Result<std::vector<StepResult>> steps = set_up(plan().setup, journal_, runner_, root_);
    if (!steps) return give_up(steps.error());
    steps_ = std::move(*steps);
    ASSIGN_OR_RETURN(machine_, describe_machine(root_, &runner_));
    recorders_.start();
    WorkloadRunner workload({.request = request_,
                             .runner = runner_,
                             .clock = clock_,
                             .root = root_,
                             .containment = containment_,
                             .recorders = recorders_,
                             .scratch = scratch()});
    ASSIGN_OR_RETURN(end_, workload.run());
    tell(Progress::Phase::tear_down);
    return {};
  }

  Status prepare() {
    const std::string cgroup = containment_.cgroup() ? containment_.cgroup()->path().string() : "";
    TRY(journal_.add({.kind = Undo::Kind::processes, .path = cgroup, .value = id_}));
    TRY(journal_.add({.kind = Undo::Kind::remove, .path = scratch().string()}));
    TRY(os::make_directories(scratch()));
    return os::reserve_file(reserve(), kReserved);
  }

  // A required step that failed is a result, an interrupt is none.
  Status give_up(const Error& error) {
    if (error.code == ErrorCode::interrupted) return fail(error);
    end_ = {.outcome = model::Outcome::infra_failed, .reason = error.message, .started = clock_.wall()};
    ASSIGN_OR_RETURN(machine_, describe_machine(root_, &runner_));
    return {};
  }

  void tell(Progress::Phase phase) const {
    if (request_.progress)
      request_.progress({.phase = phase,
                         .iterations = plan().workload.iterations,
                         .elapsed = end_.elapsed,
                         .expected = plan().workload.expected_seconds});
  }

  void append(const std::vector<std::string>& notes) {
    result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
  }

  void note_survivors(const os::Containment::Swept& swept) {
    if (swept.killed > 0)
      result_.notes.push_back(fmt::format("{} left {} {} behind: killed", plan().workload.program,
                                          swept.killed, swept.killed == 1 ? "process" : "processes"));
    if (!swept.clean) result_.notes.push_back("a process of the workload could not be killed");
  }

  void judge_kernel() {
    if (!kernel_log_) return;
    const std::vector<std::string> messages = kernel_log_->read_new();
    const std::optional<std::string> oops = find_oops(messages);
    if (!oops) return;
    end_.outcome = model::Outcome::crashed;
    end_.reason = "kernel: " + *oops;
  }

  void note_steps() {
    for (const StepResult& step : steps_)
      if (!step.skipped.empty()) skip_setting("skipped", step.name, step.skipped);
    for (const model::SkippedSetting& setting : plan().skipped)
      skip_setting("not done here", setting.name, setting.reason);
  }

  // The results keep the setting's label, so it is told: once, if it failed on every CPU.
  void skip_setting(std::string_view how, const std::string& name, const std::string& reason) {
    if (std::ranges::any_of(skipped_, [&](const std::string& told) { return told.starts_with(name + ": "); }))
      return;
    result_.notes.push_back(fmt::format("set-up '{}' {}: {}", name, how, reason));
    skipped_.push_back(fmt::format("{}: {}", name, reason));
  }

  [[nodiscard]] std::string plan_text() const {
    nlohmann::json json = plan();
    nlohmann::json done = nlohmann::json::array();
    for (const StepResult& step : steps_)
      done.push_back(
          {{"name", step.name}, {"before", step.before}, {"after", step.after}, {"skipped", step.skipped}});
    json["steps_done"] = std::move(done);
    json["notes"] = result_.notes;
    return model::dump_json(json);
  }

  Status write(const std::string& name, std::string_view text) const {
    return os::write_file(request_.run_dir / name, text);
  }

  Result<RunResult> write_files() {
    note_steps();
    if (!request_.job_text.empty()) TRY(write("job.yaml", request_.job_text));
    TRY(write("plan.json", plan_text()));
    TRY(write("machine.json", model::dump_json(machine_)));
    TRY(write("reproduce.sh", reproduce_script(plan(), steps_)));
    TRY(os::make_executable(request_.run_dir / "reproduce.sh"));
    const std::string time = time_text({.command = command_text(),
                                        .usage = end_.usage,
                                        .elapsed = end_.elapsed,
                                        .exit_status = end_.exit_status,
                                        .signal = end_.signal});
    TRY(write(plan().workload.program + ".time", time));
    TRY(write("time", time));
    fill_record();
    TRY(write("outcome.json", model::dump_json(result_.record)));
    return std::move(result_);
  }

  [[nodiscard]] std::string command_text() const {
    std::string text;
    for (const model::PlannedCommand& planned : plan().workload.body)
      text += (text.empty() ? "" : "; ") + shell_join(planned.argv);
    return printable(replace_all(text, "\n", " "));
  }

  void fill_record() {
    model::RunRecord& record = result_.record;
    record = request_.record;
    record.directory = request_.run_dir.string();
    record.outcome = end_.outcome;
    result_.last_words = end_.last_words;
    record.reason = message_text(end_.reason);
    record.fingerprint = machine_.fingerprint_id();
    record.boot_id = machine_.boot_id;
    if (record.engine.empty()) record.engine = plan().workload.engine;
    record.started = end_.started;
    record.elapsed = end_.elapsed;
    record.monitor_cpu = recorders_.cpu_seconds();
    record.skipped_settings = skipped_;
    record.overhead = clock_.monotonic() - began_ - end_.elapsed;
  }

  const RunRequest& request_;
  os::ProcessRunner& runner_;
  os::Clock& clock_;
  const os::Root& root_;
  double began_;
  std::string id_;
  Journal journal_;
  os::Containment containment_;
  Recorders recorders_;
  std::optional<os::KernelLog> kernel_log_;
  std::vector<StepResult> steps_;
  model::Machine machine_;
  WorkloadEnd end_;
  std::vector<std::string> skipped_;
  RunResult result_;
};

class LocalMachine final : public Machine {
 public:
  LocalMachine(os::ProcessRunner& runner, os::Clock& clock, const os::Root& root)
      : runner_(runner), clock_(clock), root_(root) {}

  [[nodiscard]] Result<model::Machine> describe() override { return describe_machine(root_, &runner_); }

  [[nodiscard]] Result<RunResult> run(const RunRequest& request) override {
    if (request.plan.workload.program.empty() || request.plan.workload.program.contains('/'))
      return usage_error(fmt::format("running '{}': the plan's program '{}' is no file name",
                                     request.plan.testcase, printable(request.plan.workload.program)));
    const std::string id = fmt::format("{}-{}", ::getpid(), static_cast<long long>(clock_.wall() * 1e6));
    ASSIGN_OR_RETURN(Journal journal, Journal::open(request.home, id, root_));
    return LocalRun(request, runner_, clock_, root_, id, std::move(journal)).execute();
  }

 private:
  os::ProcessRunner& runner_;
  os::Clock& clock_;
  const os::Root& root_;
};

}  // namespace

std::unique_ptr<Machine> local_machine(os::ProcessRunner& runner, os::Clock& clock, const os::Root& root) {
  return std::make_unique<LocalMachine>(runner, clock, root);
}

}  // namespace kilter::execute
