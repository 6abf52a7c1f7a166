#pragma once

#include "base/result.h"
#include "bench/options.h"

#include <string_view>

// The sub-commands of kilter-bench. A new one is one file that defines its run function and one row of the
// table in command.cc.
namespace kilter::bench {

struct Command {
  std::string_view name;
  std::string_view summary;
  // Gets the words after the name; answers the exit code.
  Result<int> (*run)(Args args);
  bool fixed_addresses = false;  // runs with address space randomisation off
};

Result<int> run_will_it_scale(Args args);
// The command line of one of upstream's binaries: NAME_processes|NAME_threads -t N -s S [-m] [-n] [-v].
Result<int> run_single_test(std::string_view program, Args args);
Result<int> run_net(Args args);
Result<int> run_net_server(Args args);
Result<int> run_fsbuffer(Args args);
Result<int> run_sched_pipe(Args args);
Result<int> run_messaging(Args args);

// The whole program: picks the command, prints its error, answers the exit code (0, 2 usage, 3 failure, 130).
int run_program(int argc, char** argv);

// Prints what `--help` of a command shows.
void print_help(std::string_view usage, std::string_view about, std::span<const Flag> flags,
                std::string_view examples);

}  // namespace kilter::bench
