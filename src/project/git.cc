#include "project/git.h"

#include "base/text.h"

#include <fmt/core.h>

#include <cstdlib>

namespace kilter::project {
namespace {

// Outcome of a foreign repository's text must not depend on the user's settings.
std::map<std::string, std::string> environment(const os::Path& home) {
  std::error_code ignored;
  const os::Path config = home / "gitconfig";
  std::map<std::string, std::string> env = {
      {"GIT_CONFIG_NOSYSTEM", "1"},
      {"GIT_ATTR_NOSYSTEM", "1"},
      {"GIT_CONFIG_GLOBAL", std::filesystem::exists(config, ignored) ? config.string() : "/dev/null"},
      {"GIT_TERMINAL_PROMPT", "0"},
      {"GIT_ASKPASS", "/bin/false"},
      {"SSH_ASKPASS", "/bin/false"},
      {"GIT_SSH_COMMAND", "ssh -oBatchMode=yes"},
      {"GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"},
      {"GIT_NO_REPLACE_OBJECTS", "1"},
      {"GIT_OPTIONAL_LOCKS", "0"},
      {"GIT_PAGER", "cat"},
      {"LC_ALL", "C"},
  };
  for (const char* name :
       {"SSH_AUTH_SOCK", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY"})
    if (const char* value = std::getenv(name); value != nullptr) env[name] = value;
  return env;
}

// gc off: a commit that upstream has dropped stays resolvable, because results name it.
std::vector<std::string> command_line(const os::Path& directory, const std::vector<std::string>& args) {
  std::vector<std::string> argv = {"git", "--git-dir=" + directory.string(),
                                   "-c",  "gc.auto=0",
                                   "-c",  "maintenance.auto=false",
                                   "-c",  "core.hooksPath=/dev/null",
                                   "-c",  "core.fsmonitor=false",
                                   "-c",  "protocol.ext.allow=never",
                                   "-c",  "advice.detachedHead=false"};
  argv.insert(argv.end(), args.begin(), args.end());
  return argv;
}

}  // namespace

std::string git_complaint(const std::string& err) {
  std::string last;
  for (std::string_view line : lines(err)) {
    for (const std::string_view kind : {"fatal: ", "error: "})
      if (line.starts_with(kind)) return printable(line.substr(kind.size()));
    if (!trim(line).empty()) last = printable(line);
  }
  return last;
}

Result<os::ProcessResult> Git::run(const Call& call) const {
  os::Command command = {.argv = command_line(directory_, call.args), .env = environment(home_)};
  command.clear_env = true;
  command.cwd = call.cwd;
  command.stdin_text = call.input;
  command.timeout = call.timeout;
  for (const auto& [name, value] : call.env) command.env[name] = value;
  Result<os::ProcessResult> result = runner_->run(command);
  if (!result) return fail(std::move(result).error().with_hint("git is needed: apt-get install git"));
  if (result->interrupted) return interrupted(fmt::format("'git {}' was interrupted", call.args[0]));
  if (result->timed_out) return failure(fmt::format("'git {}' {}", call.args[0], result->how()));
  return result;
}

Result<std::string> Git::output(const Call& call) const {
  ASSIGN_OR_RETURN(os::ProcessResult result, run(call));
  if (result.ok()) return std::move(result.out);
  const std::string complaint = git_complaint(result.err);
  return failure(
      fmt::format("'git {}' {}{}{}", call.args[0], result.how(), complaint.empty() ? "" : ": ", complaint));
}

Result<std::string> Git::output(const std::vector<std::string>& args) const {
  return output(Call{.args = args});
}

}  // namespace kilter::project
