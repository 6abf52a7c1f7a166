#pragma once

#include "os/fd.h"
#include "os/process.h"

#include <sys/resource.h>
#include <sys/types.h>

// fork and exec, the part of process.cc that runs on both sides of the fork.
namespace kilter::os {

struct Spawned {
  pid_t pid = -1;
  double began = 0;  // monotonic seconds just before the fork, where GNU time starts its clock too
  Fd pidfd;          // readable when the child has ended
  Fd out;            // read end of the captured stdout, if captured
  Fd err;
};

// The file that argv[0] names, by PATH where it has no slash; an Error when there is none.
[[nodiscard]] Result<std::string> program_path(const std::vector<std::string>& argv);

// Steps of a child before exec; async-signal-safe.
void reset_signals();
// Descriptors that a library left open without O_CLOEXEC are not the child's business.
void close_others_on_exec();

// A program that cannot be executed is an Error here, not an exit code 127 later.
[[nodiscard]] Result<Spawned> spawn(const Command& command);

// Children started by spawn() and not yet forgotten: whoever reaps orphans must leave these to their owners.
[[nodiscard]] bool is_spawned_child(pid_t pid);
void forget_spawned_child(pid_t pid);

[[nodiscard]] Usage usage_of(const rusage& raw);

}  // namespace kilter::os
