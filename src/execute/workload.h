#pragma once

#include "execute/machine.h"
#include "execute/recorders.h"
#include "execute/run_log.h"
#include "os/containment.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kilter::execute {

// How the workload ended.
struct WorkloadEnd {
  model::Outcome outcome = model::Outcome::ok;
  std::string reason;  // one line, for every outcome but ok
  bool interrupted = false;
  double started = 0;  // wall clock
  double elapsed = 0;  // seconds of the body
  os::Usage usage;     // of the body, all iterations and copies
  int exit_status = 0;
  int signal = 0;
  std::string last_words;  // the last line that a command which ended well printed; "" none
};

// Daemons, body, iterations and copies of one run.
class WorkloadRunner {
 public:
  struct World {
    const RunRequest& request;
    os::ProcessRunner& runner;
    os::Clock& clock;
    const os::Root& root;
    os::Containment& containment;
    Recorders& recorders;
    os::Path scratch;  // working directory of commands that name none
  };
  explicit WorkloadRunner(const World& world);

  // An Error only when the log cannot be written for another reason than a full disk.
  [[nodiscard]] Result<WorkloadEnd> run();

 private:
  using Processes = std::vector<std::unique_ptr<os::Process>>;
  struct TimedEnd {
    double real = 0;  // seconds
    double wall = 0;  // seconds since 1970
    os::Usage usage;
  };

  [[nodiscard]] Status run_daemons_and_body();
  void start_daemon(const model::PlannedCommand& planned);
  void refuse_busy_port();
  void await_port();
  void check_daemons(model::Outcome outcome);
  [[nodiscard]] Status run_body();
  [[nodiscard]] bool body_goes_on() const;
  [[nodiscard]] Status run_planned(const model::PlannedCommand& planned);
  [[nodiscard]] Processes start_copies(const model::PlannedCommand& planned);
  [[nodiscard]] std::vector<os::ProcessResult> watch(const Processes& processes);
  void check_limits(const Processes& processes);
  void check_log(std::uint64_t bytes);
  [[nodiscard]] Status finish_copies(const model::PlannedCommand& planned,
                                     const std::vector<os::ProcessResult>& results);
  void judge(const model::PlannedCommand& planned, const os::ProcessResult& result);
  [[nodiscard]] Status log_timed_end(const TimedEnd& end);
  [[nodiscard]] os::Command command_of(const model::PlannedCommand& planned);
  [[nodiscard]] os::Path daemon_log(const model::PlannedCommand& planned) const;
  [[nodiscard]] os::Path copy_log(int copy) const;
  [[nodiscard]] std::uint64_t log_bytes(std::size_t copies) const;
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] bool failed() const { return end_.interrupted || end_.outcome != model::Outcome::ok; }
  void fail_with(model::Outcome outcome, std::string reason);
  void fail_program(model::Outcome outcome, const std::string& how, const std::string& said);
  void stop_daemons();
  void report_progress();

  World world_;
  const model::Workload& workload_;
  RunLog log_;
  Processes daemons_;
  WorkloadEnd end_;
  double body_began_ = 0;  // monotonic; 0 = not yet
  double limit_ = 0;       // monotonic time when the body must be over; 0 = none
  int iteration_ = 0;
};

}  // namespace kilter::execute
