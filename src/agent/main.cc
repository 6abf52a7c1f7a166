#include "base/result.h"
#include "base/text.h"
#include "execute/describe.h"
#include "execute/machine.h"
#include "execute/undo.h"
#include "model/json.h"
#include "monitor/sampler.h"
#include "os/clock.h"
#include "os/interrupt.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

// kilter-agent: executes a plan where there is no kilter: over ssh, in a batch job, in a guest.
namespace {

using namespace kilter;
using Words = std::span<const std::string>;

constexpr const char* kVersion = "kilter-agent 0.1.0";
constexpr const char* kUsage =
    "kilter-agent run PLAN.json RUN_DIR   execute a plan, fill the run directory\n"
    "kilter-agent describe                print this machine as JSON\n"
    "kilter-agent repair                  put back what a killed run left behind\n"
    "kilter-agent sample SPEC.json        record monitors until SIGTERM\n"
    "kilter-agent --version | --help\n"
    "\n"
    "KILTER_HOME (else $XDG_DATA_HOME/kilter, else ~/.local/share/kilter) holds the undo journal.\n"
    "Exit codes: 0 fine, 2 usage, 3 failure, 130 interrupted.\n";

const os::Root& machine_root() {
  static const os::Root root;
  return root;
}

os::Path home() {
  if (const char* own = std::getenv("KILTER_HOME")) return own;
  if (const char* data = std::getenv("XDG_DATA_HOME")) return os::Path(data) / "kilter";
  const char* user = std::getenv("HOME");
  return os::Path(user == nullptr ? "/var/tmp" : user) / ".local/share/kilter";
}

void repair_machine() {
  for (const std::string& note : execute::repair(home(), os::system_runner(), machine_root()))
    fmt::print(stderr, "note: {}\n", message_text(note));
}

Status run(Words words) {
  if (words.size() != 2) return usage_error("run takes PLAN.json and RUN_DIR", "kilter-agent --help");
  ASSIGN_OR_RETURN(const std::string text, os::read_file(words[0]));
  const std::string reading = "reading '" + words[0] + "'";
  ASSIGN_OR_RETURN(const nlohmann::json json, model::parse_json(text, reading));
  execute::RunRequest request;
  Result<model::Plan> plan = model::plan_from_json(json);
  if (!plan) return fail(plan.error().in(reading));
  request.plan = std::move(*plan);
  request.run_dir = std::filesystem::absolute(words[1]);
  request.home = home();
  TRY(os::make_directories(request.run_dir));
  repair_machine();
  const std::unique_ptr<execute::Machine> machine =
      execute::local_machine(os::system_runner(), os::system_clock(), machine_root());
  ASSIGN_OR_RETURN(const execute::RunResult result, machine->run(request));
  for (const std::string& note : result.notes) fmt::print(stderr, "note: {}\n", message_text(note));
  fmt::print("{}{}\n", model::outcome_name(result.record.outcome),
             result.record.reason.empty() ? "" : ": " + message_text(result.record.reason));
  return {};
}

Status describe(Words) {
  ASSIGN_OR_RETURN(const model::Machine machine,
                   execute::describe_machine(machine_root(), &os::system_runner()));
  fmt::print("{}\n", model::dump_json(machine));
  return {};
}

Status sample(Words words) {
  if (words.size() != 1) return usage_error("sample takes SPEC.json", "kilter-agent --help");
  return monitor::sample_program(words[0]);
}

Status repair(Words) {
  repair_machine();
  return {};
}

struct Verb {
  std::string_view name;
  Status (*run)(Words);
};
constexpr Verb kVerbs[] = {{"run", run}, {"describe", describe}, {"repair", repair}, {"sample", sample}};

Status dispatch(Words words) {
  for (const Verb& verb : kVerbs)
    if (!words.empty() && words[0] == verb.name) return verb.run(words.subspan(1));
  if (!words.empty() && words[0] == "--version") {
    fmt::print("{}\n", kVersion);
    return {};
  }
  if (!words.empty() && words[0] == "--help") {
    fmt::print("{}", kUsage);
    return {};
  }
  return usage_error(words.empty() ? "no verb given" : "unknown verb '" + printable(words[0]) + "'",
                     "kilter-agent --help");
}

int exit_code(const Error& error) {
  fmt::print(stderr, "kilter-agent: {}\n", message_text(error.message));
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", message_text(error.hint));
  switch (error.code) {
    case ErrorCode::usage:
      return 2;
    case ErrorCode::failure:
      return 3;
    case ErrorCode::interrupted:
      return 130;
  }
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  os::catch_interrupts();
  try {
    const std::vector<std::string> words(argv + std::min(1, argc), argv + argc);
    Status done = dispatch(words);
    if (done && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
      done = failure("writing to stdout: " + os::errno_text(errno));
    return done ? 0 : exit_code(done.error());
  } catch (const std::exception& exception) {
    return exit_code({.message = exception.what()});
  }
}
