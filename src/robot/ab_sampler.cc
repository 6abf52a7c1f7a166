#include "robot/ab_sampler.h"

#include "base/text.h"
#include "os/perf_event.h"
#include "os/timed_run.h"
#include "robot/ab_metric.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace kilter::robot {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// What one execution adds to its sample.
struct Execution {
  os::TimedRun run;
  double value = kMissing;
};

// Sums of executions, made a sample of means.
class SampleSum {
 public:
  void add(const Execution& execution) {
    const os::TimedRun& run = execution.run;
    ++sum_.executions;
    sum_.wall += run.wall;
    sum_.user += run.usage.user;
    sum_.system += run.usage.system;
    sum_.max_rss_kb = std::max(sum_.max_rss_kb, static_cast<double>(run.usage.max_rss_kb));
    sum_.switches += static_cast<double>(run.usage.voluntary_switches + run.usage.involuntary_switches);
    sum_.output_bytes += static_cast<double>(run.output_bytes);
    if (!run.ok()) ++sum_.failures;
    if (execution.value != execution.value) return;
    sum_.value += execution.value;
    ++values_;
  }

  [[nodiscard]] model::AbSample mean() const {
    model::AbSample sample = sum_;
    const double count = std::max(1, sum_.executions);
    for (double* const value :
         {&sample.wall, &sample.user, &sample.system, &sample.switches, &sample.output_bytes})
      *value /= count;
    sample.value = values_ > 0 ? sum_.value / values_ : kMissing;
    return sample;
  }

 private:
  model::AbSample sum_{.executions = 0};
  int values_ = 0;
};

class RealSampler final : public AbSampler {
 public:
  RealSampler(AbRequest request, os::ProcessRunner& runner, std::array<os::TimedProgram, 2> programs)
      : request_(std::move(request)), runner_(runner), programs_(std::move(programs)) {}

  Status open_metric() {
    if (request_.metric == AbMetric::regex) {
      ASSIGN_OR_RETURN(OutputMetric metric, OutputMetric::compile(request_.pattern));
      output_metric_.emplace(std::move(metric));
    }
    return {};
  }

  [[nodiscard]] Result<model::AbSample> take(model::AbSide side, int executions, int padding) override {
    SampleSum sum;
    for (int i = 0; i < executions; ++i) {
      ASSIGN_OR_RETURN(const Execution execution, execute(side, padding));
      sum.add(execution);
    }
    model::AbSample sample = sum.mean();
    sample.side = side;
    sample.padding = padding;
    return sample;
  }

 private:
  Result<Execution> execute(model::AbSide side, int padding) {
    TRY(around("--pre", request_.pre));
    if (request_.sync) os::sync_disks();
    os::TimedProgram& program = programs_[static_cast<std::size_t>(side)];
    ASSIGN_OR_RETURN(Execution execution, timed(program, padding));
    ++executed_[static_cast<std::size_t>(side)];
    const Status tidied = around("--post", request_.post);
    TRY(check(side, execution.run));
    TRY(tidied);
    if (request_.metric == AbMetric::perf) execution.value = execution.run.count * count_unit_;
    if (request_.metric == AbMetric::time) execution.value = execution.run.wall;
    if (!output_metric_) return execution;
    const Result<double> value = output_metric_->read(program.output());
    if (value) execution.value = *value;
    if (!value && execution.run.ok()) return fail(value.error().in(name_of(side)));
    return execution;
  }

  static Result<Execution> timed(os::TimedProgram& program, int padding) {
    ASSIGN_OR_RETURN(const os::TimedRun run, program.run(static_cast<std::size_t>(padding)));
    return Execution{.run = run};
  }

  [[nodiscard]] std::string name_of(model::AbSide side) const {
    return fmt::format("command {} ('{}')", model::side_name(side),
                       printable(command_text(request_, static_cast<std::size_t>(side))));
  }

  [[nodiscard]] Status check(model::AbSide side, const os::TimedRun& run) const {
    if (run.interrupted) return interrupted("measuring was interrupted");
    if (run.ok() || request_.ignore_failure) return {};
    const std::size_t index = static_cast<std::size_t>(side);
    const std::string printed = last_lines(programs_[index].output(), 5);
    return failure(fmt::format("{} {} at its execution {}{}", name_of(side), run.how(), executed_[index],
                               printed.empty() ? "" : ": " + printed),
                   request_.discard_output ? "without --null its last lines are shown here"
                                           : "--ignore-failure counts failures and goes on");
  }

  // What is done before and after each execution, unmeasured.
  [[nodiscard]] Status around(const char* flag, const std::string& text) {
    if (text.empty()) return {};
    std::vector<std::string> command;
    if (request_.shell) command.push_back(text);
    if (!request_.shell)
      for (const std::string_view word : words(text)) command.emplace_back(word);
    const Result<std::string> done =
        os::run_checked(runner_, {.argv = argv_of(request_, command),
                                  .err = {.kind = os::Stream::Kind::same_as_out},
                                  .capture_limit = std::size_t{1} << 20,
                                  .survive_interrupt = std::string_view(flag) == "--post"});
    if (!done) return fail(done.error().in(flag));
    return {};
  }

  AbRequest request_;
  os::ProcessRunner& runner_;
  std::array<os::TimedProgram, 2> programs_;
  std::array<int, 2> executed_{};
  std::optional<OutputMetric> output_metric_;
  double count_unit_ = os::is_time_event(request_.pattern) ? 1e-9 : 1;
};

Result<os::TimedProgram> prepare_program(const AbRequest& request, std::size_t side) {
  std::optional<os::PerfEvent> event;
  if (request.metric == AbMetric::perf) {
    ASSIGN_OR_RETURN(event, os::PerfEvent::find(request.pattern));
  }
  Result<os::TimedProgram> program =
      os::TimedProgram::prepare({.argv = argv_of(request, request.commands[side]),
                                 .input = request.input,
                                 .discard_output = request.discard_output,
                                 .cpus = request.cpus,
                                 .event = event,
                                 .time_limit = request.time_limit});
  if (!program) return fail(program.error().in(side == 0 ? "command A" : "command B"));
  return program;
}

}  // namespace

Result<std::unique_ptr<AbSampler>> open_ab_sampler(const AbRequest& request, os::ProcessRunner& runner) {
  ASSIGN_OR_RETURN(os::TimedProgram a, prepare_program(request, 0));
  ASSIGN_OR_RETURN(os::TimedProgram b, prepare_program(request, 1));
  std::unique_ptr<RealSampler> sampler = std::make_unique<RealSampler>(
      request, runner, std::array<os::TimedProgram, 2>{std::move(a), std::move(b)});
  TRY(sampler->open_metric());
  return sampler;
}

}  // namespace kilter::robot
