#include "cli/run.h"

#include "base/log.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/help.h"
#include "execute/undo.h"
#include "os/files.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <unistd.h>

namespace kilter::cli {
namespace {

constexpr int kUsage = 2;
constexpr int kFailure = 3;
constexpr int kInterrupted = 130;

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return kUsage;
    case ErrorCode::interrupted:
      return kInterrupted;
    default:
      return kFailure;
  }
}

int report(const Error& error) {
  const std::string line = "kilter: " + message_text(error.message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  if (!error.hint.empty()) log::hint(error.hint);
  return exit_code(error.code);
}

std::vector<std::string> visible_names() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    if (!command.group.empty()) names.emplace_back(command.name);
  return names;
}

int unknown_verb(const std::string& word) {
  const std::string guess = did_you_mean(word, visible_names());
  return report({ErrorCode::usage, fmt::format("unknown verb '{}'", printable(word)),
                 guess.empty() ? "kilter --help lists the verbs" : guess});
}

// Takes the flags that every verb has out of `words`, up to a bare "--".
Status take_global(std::vector<std::string>& words, GlobalFlags& global) {
  std::vector<std::string> rest;
  std::size_t i = 0;
  for (; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == "-h" || words[i] == "--help") {
      global.help = true;
    } else if (words[i] == "-v" || words[i] == "--verbose") {
      global.verbose = true;
    } else if (words[i] == "-q" || words[i] == "--quiet") {
      global.quiet = true;
    } else if (words[i].starts_with("--home=")) {
      global.home = words[i].substr(7);
    } else if (words[i] == "--home") {
      if (++i >= words.size()) return usage_error("--home needs a directory", "kilter --home DIR VERB ...");
      global.home = words[i];
    } else {
      rest.push_back(words[i]);
    }
  }
  rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  words = std::move(rest);
  return {};
}

void apply(const GlobalFlags& global) {
  if (global.verbose) log::set_level(log::Level::verbose);
  if (global.quiet) log::set_level(log::Level::quiet);
}

Result<World> make_world(const GlobalFlags& global) {
  ASSIGN_OR_RETURN(os::Path home, home_directory(global.home));
  return World{.home = std::move(home),
               .colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr,
               .progress = ::isatty(STDERR_FILENO) == 1,
               .runner = os::system_runner(),
               .clock = os::system_clock(),
               .root = os::Root()};
}

Result<int> run_verb(const Command& command, const std::vector<std::string>& words,
                     const GlobalFlags& global) {
  const std::unique_ptr<Verb> verb = command.make();
  Flags flags;
  verb->declare(flags);
  TRY(flags.parse(std::string(command.name), words));
  ASSIGN_OR_RETURN(World world, make_world(global));
  for (const std::string& note : execute::repair(world.home, world.runner, world.root)) log::warn(note);
  return verb->run(world);
}

int print_text(const std::string& text) {
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return whole ? 0 : report({.message = "writing to stdout: " + os::errno_text(errno), .hint = ""});
}

int dispatch(std::vector<std::string> words) {
  GlobalFlags global;
  if (const Status taken = take_global(words, global); !taken) return report(taken.error());
  apply(global);
  if (!words.empty() && words[0] == "--version") return print_text(version_line("kilter") + "\n");
  if (words.empty() || words[0] == "help") {
    if (words.size() < 2) {
      const int printed = print_text(program_help());
      return printed != 0 || global.help || !words.empty() ? printed : kUsage;
    }
    words.erase(words.begin());
    global.help = true;
  }
  if (const Alias* alias = find_alias(words[0])) {
    words[0] = alias->verb;
    const std::vector<std::string_view> meant = kilter::words(alias->words);
    words.insert(words.begin() + 1, meant.begin(), meant.end());
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) return unknown_verb(words[0]);
  if (global.help) return print_text(verb_help(*command));
  words.erase(words.begin());
  const Result<int> code = run_verb(*command, words, global);
  return code ? *code : report(code.error());
}

}  // namespace

int run(const std::vector<std::string>& argv) {
  try {
    return dispatch({argv.begin() + (argv.empty() ? 0 : 1), argv.end()});
  } catch (const std::exception& error) {
    return report({ErrorCode::failure, fmt::format("internal error: {}", error.what()),
                   "this is a fault of kilter's; please report the command you ran"});
  }
}

}  // namespace kilter::cli
