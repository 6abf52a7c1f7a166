#include "execute/recorders.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <system_error>

namespace kilter::execute {
namespace {

constexpr double kReadySeconds = 5;
constexpr double kStopSeconds = 20;  // a recorder writes its files when it is stopped
constexpr std::uint64_t kErrorTail = 1024;

// Recording costs least in the small static program, where it stands beside this one.
std::string own_program() {
  const os::Path agent = os::program_directory() / "kilter-agent";
  return os::is_there(agent) ? agent.string() : "/proc/self/exe";
}

std::vector<std::string> resolve(const std::vector<std::string>& argv, const os::Path& run_dir) {
  std::vector<std::string> words;
  for (const std::string& word : argv) words.push_back(replace_all(word, "{rundir}", run_dir.string()));
  if (!words.empty() && words[0] == "self") words[0] = own_program();
  return words;
}

}  // namespace

os::Path Recorders::errors_of(const std::string& name) const {
  return request_.run_dir / (name + ".stderr");
}

void Recorders::start_one(const model::Recorder& recorder) {
  os::Command command{.argv = resolve(recorder.argv, request_.run_dir), .cwd = request_.run_dir};
  command.err = {os::Stream::Kind::append, errors_of(recorder.name)};
  command.cpus = recorder.cpus;
  command.survive_interrupt = true;
  Result<std::unique_ptr<os::Process>> process = runner_.start(command);
  if (process) {
    running_.push_back({.name = recorder.name, .process = std::move(*process)});
  } else {
    notes_.push_back(fmt::format("recorder '{}' left out: {}", recorder.name, process.error().message));
  }
}

void Recorders::start() {
  for (const model::Recorder& recorder : request_.plan.recorders) start_one(recorder);
  const double end = clock_.monotonic() + kReadySeconds;
  while (true) {
    std::vector<os::Process*> waiting;
    for (Running& running : running_) {
      running.ready = running.ready || running.process->has_printed("ready\n");
      if (!running.ready && !running.process->ended()) waiting.push_back(running.process.get());
    }
    if (waiting.empty() || clock_.monotonic() >= end) break;
    os::wait_for_any(waiting, end, false);
  }
  for (Running& running : running_)
    if (!running.ready && !running.process->has_printed("ready\n")) drop(running);
  std::erase_if(running_, [](const Running& running) { return !running.ready; });
}

void Recorders::drop(Running& running) {
  if (running.process->ended()) {
    note_end(running, running.process->wait());
    return;
  }
  running.process->signal(SIGKILL);
  running.process->wait();
  notes_.push_back(
      fmt::format("recorder '{}' left out: it was not ready after {} s", running.name, kReadySeconds));
}

void Recorders::note_end(Running& running, const os::ProcessResult& result) {
  if (running.reported) return;
  running.reported = true;
  const std::string tail = os::read_tail(errors_of(running.name), kErrorTail).value_or("");
  const std::vector<std::string_view> all = lines(trim(tail));
  const std::string why = all.empty() ? "" : ": " + printable(all.back());
  notes_.push_back(fmt::format("recorder '{}' {}{}", running.name, result.how(), why));
}

std::vector<os::Process*> Recorders::alive() {
  std::vector<os::Process*> processes;
  for (Running& running : running_) {
    if (!running.process->ended()) processes.push_back(running.process.get());
  }
  return processes;
}

void Recorders::stop() {
  std::vector<os::Process*> processes;
  std::vector<bool> ended_before;
  for (Running& running : running_) {
    processes.push_back(running.process.get());
    ended_before.push_back(running.process->ended());
  }
  const std::vector<os::ProcessResult> results = os::stop_all(processes, kStopSeconds);
  for (std::size_t i = 0; i < results.size(); ++i) {
    cpu_seconds_ += results[i].usage.user + results[i].usage.system;
    const bool stopped_by_us =
        !ended_before[i] && (results[i].exit_code == 0 || results[i].signal == SIGTERM);
    if (!stopped_by_us) note_end(running_[i], results[i]);
  }
  running_.clear();
  for (const model::Recorder& recorder : request_.plan.recorders)
    if (os::size_of_file(errors_of(recorder.name)) == 0)
      static_cast<void>(os::remove_tree(errors_of(recorder.name)));
}

}  // namespace kilter::execute
