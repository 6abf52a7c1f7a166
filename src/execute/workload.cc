#include "execute/workload.h"

#include "base/quantity.h"
#include "base/text.h"
#include "execute/ready_port.h"
#include "os/interrupt.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string.h>

namespace kilter::execute {
namespace {

constexpr int kMostPadding = 1 << 16;  // a variable of 128 KiB cannot be given
constexpr double kTick = 0.5;          // seconds between looks at progress and limits
constexpr double kFirstTick = 0.05;    // doubled until kTick, so that a flood of output is seen early
constexpr std::uint64_t kFlood = std::uint64_t{8} << 20;  // bytes of log in one tick that ask for short ticks
constexpr double kGrace = 2;                              // seconds between SIGTERM and SIGKILL
constexpr double kPortSeconds = 10;
constexpr double kPortPause = 0.01;
constexpr std::uint64_t kDiskFull = std::uint64_t{1} << 20;  // less room than this is a full disk

std::string name_of(const model::PlannedCommand& planned) {
  return planned.argv.empty() ? "" : os::Path(planned.argv[0]).filename().string();
}

std::string with_words(const std::string& words) {
  return words.empty() ? "" : ": " + words;
}

std::string disk_full_text(const os::Path& path) {
  return fmt::format("the disk of '{}' is full", path.string());
}

// A program that cannot be started is most often one that is not installed.
std::string start_failure(const Error& error) {
  return error.message +
         (error.message.contains("no such program") ? "; 'kilter install JOB' gets what a job needs" : "");
}

// What a program said that asked the kernel for something it was built without; nullopt for anything else.
std::optional<std::string> unsupported(const std::string& said) {
  constexpr std::array<std::string_view, 3> kSigns = {"is not supported by this kernel",
                                                      "Protocol not supported",
                                                      "Address family not supported by protocol"};
  if (std::ranges::none_of(kSigns, [&](std::string_view sign) { return said.contains(sign); }))
    return std::nullopt;
  constexpr std::string_view kOurs = "kilter-bench: ";
  return said.starts_with(kOurs) ? said.substr(kOurs.size()) : said;
}

// A path relative to the caller's directory keeps its meaning in the scratch directory.
void make_absolute(std::vector<std::string>& argv) {
  if (argv.empty() || !argv[0].contains('/') || argv[0].starts_with('/')) return;
  std::error_code error;
  const os::Path absolute = std::filesystem::absolute(argv[0], error);
  if (!error) argv[0] = absolute.string();
}

}  // namespace

WorkloadRunner::WorkloadRunner(const World& world)
    : world_(world),
      workload_(world.request.plan.workload),
      log_(world.request.run_dir / workload_.program, world.clock) {}

Result<WorkloadEnd> WorkloadRunner::run() {
  end_.started = world_.clock.wall();
  const Status status = run_daemons_and_body();
  if (body_began_ > 0) end_.elapsed = elapsed();
  check_daemons(model::Outcome::test_failed);
  stop_daemons();
  if (os::free_bytes(world_.request.run_dir) < kDiskFull) {
    end_.outcome = model::Outcome::infra_failed;
    end_.reason = disk_full_text(world_.request.run_dir);
  } else if (!status) {
    return fail(status.error());
  }
  return end_;
}

Status WorkloadRunner::run_daemons_and_body() {
  TRY(os::append_file(log_.path(), ""));
  if (!workload_.ready_port.empty()) refuse_busy_port();
  if (failed()) return {};
  for (const model::PlannedCommand& daemon : workload_.daemons) {
    start_daemon(daemon);
    if (failed()) return {};
  }
  if (!workload_.ready_port.empty()) await_port();
  if (failed()) return {};
  return run_body();
}

os::Command WorkloadRunner::command_of(const model::PlannedCommand& planned) {
  os::Command command{.argv = planned.argv, .env = planned.env, .stdin_text = planned.stdin_text};
  command.env.emplace("LC_ALL", "C");
  command.env.emplace("TMPDIR", world_.scratch.string());
  if (workload_.env_padding > 0)
    command.env.emplace("KILTER_ENV_PADDING",
                        std::string(std::min(workload_.env_padding, kMostPadding), 'x'));
  command.cwd = planned.cwd.empty() ? world_.scratch : os::Path(planned.cwd);
  if (planned.cwd.empty()) make_absolute(command.argv);
  command.cpus = planned.cpus;
  command.mem_nodes = planned.mem_nodes;
  command.disable_aslr = planned.disable_aslr;
  command.grace = kGrace;
  command.survive_interrupt = true;  // watch() heeds interrupts for all copies at once
  command.err.kind = os::Stream::Kind::same_as_out;
  world_.containment.enclose(command);
  return command;
}

os::Path WorkloadRunner::daemon_log(const model::PlannedCommand& planned) const {
  return world_.request.run_dir / (name_of(planned) + ".log");
}

void WorkloadRunner::refuse_busy_port() {
  const Result<ReadyPort> port = parse_ready_port(workload_.ready_port);
  if (!port) return fail_with(model::Outcome::infra_failed, port.error().message);
  if (is_served(world_.root, *port))
    fail_with(model::Outcome::infra_failed,
              fmt::format("{} is in use already: another daemon would be measured", workload_.ready_port));
}

void WorkloadRunner::start_daemon(const model::PlannedCommand& planned) {
  os::Command command = command_of(planned);
  command.out = {os::Stream::Kind::append, daemon_log(planned)};
  Result<std::unique_ptr<os::Process>> process = world_.runner.start(command);
  if (process) {
    daemons_.push_back(std::move(*process));
  } else {
    fail_with(model::Outcome::infra_failed, start_failure(process.error()));
  }
}

void WorkloadRunner::await_port() {
  const Result<ReadyPort> port = parse_ready_port(workload_.ready_port);
  const double end = world_.clock.monotonic() + kPortSeconds;
  while (port && !is_served(world_.root, *port)) {
    end_.interrupted = os::interrupted();
    check_daemons(model::Outcome::infra_failed);
    if (failed()) return;
    if (world_.clock.monotonic() >= end)
      return fail_with(model::Outcome::infra_failed,
                       fmt::format("nothing listens on {} after {} s", workload_.ready_port, kPortSeconds));
    std::vector<os::Process*> living = world_.recorders.alive();
    os::wait_for_any(living, std::min(end, world_.clock.monotonic() + kPortPause));
  }
}

// A daemon that ended well has gone into the background.
void WorkloadRunner::check_daemons(model::Outcome outcome) {
  for (std::size_t i = 0; i < daemons_.size(); ++i) {
    if (!daemons_[i]->ended()) continue;
    const os::ProcessResult result = daemons_[i]->wait();
    const RunLog log(daemon_log(workload_.daemons[i]), world_.clock);
    if (result.exit_code != 0)
      fail_program(outcome, name_of(workload_.daemons[i]) + " " + result.how(), log.last_words());
  }
}

bool WorkloadRunner::body_goes_on() const {
  if (failed()) return false;
  if (workload_.min_seconds > 0) return iteration_ == 0 || elapsed() < workload_.min_seconds;
  return iteration_ < std::max(1, workload_.iterations);
}

Status WorkloadRunner::run_body() {
  body_began_ = world_.clock.monotonic();
  const double seconds = world_.request.time_limit > 0 ? world_.request.time_limit : workload_.timeout;
  if (seconds > 0) limit_ = body_began_ + seconds;
  const bool counted = workload_.iterations > 1 || workload_.min_seconds > 0;
  while (body_goes_on()) {
    ++iteration_;
    if (counted && !workload_.report_iterations) TRY(log_.line(fmt::format("Iterations: {}", iteration_)));
    for (const model::PlannedCommand& planned : workload_.body) {
      TRY(run_planned(planned));
      if (failed()) return {};
    }
  }
  if (!workload_.report_iterations) return {};
  TRY(log_.line(fmt::format("iterations: {}", iteration_)));
  return log_.line(fmt::format("runtime: {}", static_cast<long long>(elapsed())));
}

Status WorkloadRunner::run_planned(const model::PlannedCommand& planned) {
  const int copies = std::max(1, planned.copies);
  const std::string line = shell_join(planned.argv) + (copies > 1 ? " &" : "");
  TRY(log_.commands(line, copies));
  const double began = world_.clock.monotonic();
  if (planned.timed) TRY(log_.line(fmt::format("start time: {:.9f}", world_.clock.wall())));
  const std::vector<os::ProcessResult> results = watch(start_copies(planned));
  TimedEnd end{.real = world_.clock.monotonic() - began, .wall = world_.clock.wall()};
  for (const os::ProcessResult& result : results) end.usage += result.usage;
  end_.usage += end.usage;
  TRY(finish_copies(planned, results));
  return planned.timed ? log_timed_end(end) : Status();
}

os::Path WorkloadRunner::copy_log(int copy) const {
  return world_.request.run_dir / fmt::format("{}.copy{}", workload_.program, copy);
}

WorkloadRunner::Processes WorkloadRunner::start_copies(const model::PlannedCommand& planned) {
  Processes processes;
  os::Command command = command_of(planned);
  const int copies = std::max(1, planned.copies);
  for (int copy = 0; copy < copies && !failed(); ++copy) {
    command.out = {os::Stream::Kind::append, copies == 1 ? log_.path() : copy_log(copy)};
    if (planned.quiet) {
      command.err = command.out;  // complaints are kept
      command.out = {os::Stream::Kind::discard, {}};
    }
    Result<std::unique_ptr<os::Process>> process = world_.runner.start(command);
    if (process) {
      processes.push_back(std::move(*process));
    } else {
      fail_with(model::Outcome::infra_failed, start_failure(process.error()));
    }
  }
  return processes;
}

// Until all have ended; stops them when something is wrong.
std::vector<os::ProcessResult> WorkloadRunner::watch(const Processes& processes) {
  std::vector<os::Process*> all;
  for (const std::unique_ptr<os::Process>& process : processes) all.push_back(process.get());
  double tick = kFirstTick;
  double next = world_.clock.monotonic() + tick;
  std::uint64_t seen = 0;
  while (!failed()) {
    std::vector<os::Process*> living;
    std::ranges::copy_if(all, std::back_inserter(living),
                         [](os::Process* process) { return !process->ended(); });
    if (living.empty()) break;
    std::ranges::copy(world_.recorders.alive(), std::back_inserter(living));
    const double until = limit_ > 0 ? std::min(next, limit_) : next;
    os::wait_for_any(living, until);
    end_.interrupted = os::interrupted();
    if (world_.clock.monotonic() < until) continue;
    check_limits(processes);
    report_progress();
    const std::uint64_t size = log_bytes(processes.size());
    tick = size > seen + kFlood ? kFirstTick : std::min(kTick, tick * 2);
    seen = size;
    next = world_.clock.monotonic() + tick;
  }
  return os::stop_all(all, kGrace);
}

std::uint64_t WorkloadRunner::log_bytes(std::size_t copies) const {
  std::uint64_t bytes = os::size_of_file(log_.path());
  for (std::size_t copy = 0; copies > 1 && copy < copies; ++copy)
    bytes += os::size_of_file(copy_log(static_cast<int>(copy)));
  return bytes;
}

void WorkloadRunner::check_limits(const Processes& processes) {
  if (limit_ > 0 && world_.clock.monotonic() >= limit_)
    fail_with(model::Outcome::timed_out, fmt::format("{} was not done after {}", workload_.program,
                                                     format_duration(limit_ - body_began_)));
  check_log(log_bytes(processes.size()));
  if (os::free_bytes(world_.request.run_dir) < kDiskFull)
    fail_with(model::Outcome::infra_failed, disk_full_text(world_.request.run_dir));
}

void WorkloadRunner::check_log(std::uint64_t bytes) {
  if (bytes > world_.request.log_limit)
    fail_with(model::Outcome::test_failed,
              fmt::format("{}: output over {}", workload_.program,
                          format_bytes(static_cast<double>(world_.request.log_limit))));
}

Status WorkloadRunner::finish_copies(const model::PlannedCommand& planned,
                                     const std::vector<os::ProcessResult>& results) {
  for (int copy = 0; planned.copies > 1 && copy < planned.copies; ++copy)
    if (std::filesystem::exists(copy_log(copy))) TRY(log_.take(copy_log(copy)));
  check_log(os::size_of_file(log_.path()));
  TRY(os::cut_file(log_.path(), world_.request.log_limit));
  for (const os::ProcessResult& result : results) judge(planned, result);
  return {};
}

void WorkloadRunner::judge(const model::PlannedCommand& planned, const os::ProcessResult& result) {
  if (result.exit_code == 0) {
    end_.last_words = log_.last_words();
    return;
  }
  if (end_.exit_status == 0 && end_.signal == 0) {
    end_.exit_status = std::max(0, result.exit_code);
    end_.signal = result.signal;
  }
  if (failed() || planned.may_fail) return;
  fail_program(model::Outcome::test_failed, name_of(planned) + " " + result.how(), log_.last_words());
}

Status WorkloadRunner::log_timed_end(const TimedEnd& end) {
  TRY(log_.line(fmt::format("\nreal: {:.3f}s", end.real)));
  TRY(log_.line(fmt::format("user: {:.3f}s", end.usage.user)));
  TRY(log_.line(fmt::format("sys: {:.3f}s", end.usage.system)));
  return log_.line(fmt::format("end time: {:.9f}", end.wall));
}

double WorkloadRunner::elapsed() const {
  return world_.clock.monotonic() - body_began_;
}

void WorkloadRunner::fail_with(model::Outcome outcome, std::string reason) {
  if (end_.outcome != model::Outcome::ok) return;
  end_.outcome = outcome;
  end_.reason = std::move(reason);
}

// What the machine cannot do says nothing about the commit under test.
void WorkloadRunner::fail_program(model::Outcome outcome, const std::string& how, const std::string& said) {
  if (std::optional<std::string> lack = unsupported(said)) {
    fail_with(model::Outcome::infra_failed, std::move(*lack));
  } else {
    fail_with(outcome, how + with_words(said));
  }
}

void WorkloadRunner::stop_daemons() {
  std::vector<os::Process*> all;
  for (const std::unique_ptr<os::Process>& daemon : daemons_) all.push_back(daemon.get());
  os::stop_all(all, kGrace);
  daemons_.clear();
}

void WorkloadRunner::report_progress() {
  if (!world_.request.progress) return;
  world_.request.progress({.phase = Progress::Phase::running,
                           .iteration = iteration_,
                           .iterations = workload_.min_seconds > 0 ? 0 : std::max(1, workload_.iterations),
                           .elapsed = elapsed(),
                           .expected = workload_.expected_seconds});
}

}  // namespace kilter::execute
