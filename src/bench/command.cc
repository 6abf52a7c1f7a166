#include "bench/command.h"

#include "base/text.h"
#include "base/version.h"
#include "bench/aslr.h"
#include "bench/scale/registry.h"
#include "bench/stop_signals.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr Command kCommands[] = {
    {.name = "will-it-scale",
     .summary = "the 60 scalability tests, one task a core, as rows of CSV",
     .run = run_will_it_scale,
     .fixed_addresses = true},
    {"net", "TCP, UDP and SCTP request/response and streams, netperf's output", run_net},
    {"net-server", "serves the clients of `net --host` from another machine", run_net_server},
    {"fsbuffer", "UnixBench's file copy, 256-byte buffers, 500 blocks", run_fsbuffer},
    {"sched-pipe", "ping-pong over two pipes, perf bench's output", run_sched_pipe},
    {"messaging", "many senders and receivers, perf bench's output", run_messaging},
};

void print_overview() {
  std::string text = "kilter-bench: the workload engine of Kilter\n\nUsage: kilter-bench COMMAND [FLAGS]\n\n";
  for (const Command& command : kCommands)
    text += fmt::format("  {:<14} {}\n", command.name, command.summary);
  text +=
      fmt::format("  {:<14} {}\n", "TEST_processes", "one scalability test as will-it-scale's own binary");
  text += fmt::format("  {:<14} {}\n", "TEST_threads", "runs it: -t TASKS -s SECONDS [-m] [-n] [-v]");
  text +=
      "\n  --version, --help; `kilter-bench COMMAND --help` shows the flags of one command\n\nExamples:\n"
      "  kilter-bench will-it-scale eventfd1 --mode both --tasks 1,2 --seconds 10\n"
      "  kilter-bench futex4_threads -t 2 -s 5\n"
      "  kilter-bench net --test TCP_RR --clients 4 --seconds 10\n"
      "  kilter-bench fsbuffer --copies 2 --seconds 30\n";
  std::fputs(text.c_str(), stdout);
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name) return &command;
  return nullptr;
}

tl::unexpected<Error> unknown_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  for (const scale::Test* test : scale::tests()) {
    names.push_back(std::string(test->name) + "_processes");
    names.push_back(std::string(test->name) + "_threads");
  }
  return usage_error(fmt::format("choosing a command: there is no '{}'", printable(name)),
                     suggest(name, names, "`kilter-bench --help` lists the commands"));
}

Result<int> dispatch(std::string_view program, Args args) {
  if (scale::is_single_test(program)) return run_single_test(program, args);
  if (args.empty()) {
    print_overview();
    return usage_error("choosing a command: none was given");
  }
  const std::string_view name = args.front();
  if (name == "--version") return std::puts(version_line("kilter-bench").c_str()), 0;
  if (name == "--help" || name == "-h" || name == "help") return print_overview(), 0;
  if (scale::is_single_test(name)) return run_single_test(name, args.subspan(1));
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command(name);
  return command->run(args.subspan(1));
}

int exit_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::usage:
      return 2;
    case ErrorCode::interrupted:
      return 130;
    case ErrorCode::failure:
      return 3;
  }
  return 3;
}

bool wants_fixed_addresses(std::string_view program, Args args) {
  if (scale::is_single_test(program)) return true;
  if (args.empty()) return false;
  const Command* command = find_command(args.front());
  return scale::is_single_test(args.front()) || (command != nullptr && command->fixed_addresses);
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

int run_program(int argc, char** argv) {
  // Whole lines, at once, whatever stdout is: what a killed run had printed is there to be read. The buffer
  // is static, so that printing never moves the heap some tests measure.
  static char buffer[1 << 14];
  std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
  const std::vector<std::string_view> words(argv, argv + argc);
  const Args all(words);
  const std::string_view program = all.empty() ? "" : base_name(all.front());
  const Args args = all.empty() ? all : all.subspan(1);
  if (wants_fixed_addresses(program, args)) turn_off_aslr(argv);
  end_at_stop_signals();
  const Result<int> code = dispatch(program, args);
  const bool told = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (code && !told) {
    std::fprintf(stderr, "kilter-bench: writing to stdout: %s\n", std::strerror(errno));
    return exit_code(Error{});
  }
  if (code) return *code;
  std::fprintf(stderr, "kilter-bench: %s\n", message_text(code.error().message).c_str());
  if (!code.error().hint.empty()) std::fprintf(stderr, "hint: %s\n", message_text(code.error().hint).c_str());
  return exit_code(code.error());
}

void print_help(std::string_view usage, std::string_view about, std::span<const Flag> flags,
                std::string_view examples) {
  const std::string text =
      fmt::format("Usage: {}\n\n{}\n\n{}\nExamples:\n{}", usage, about, flag_help(flags), examples);
  std::fputs(text.c_str(), stdout);
}

}  // namespace kilter::bench
