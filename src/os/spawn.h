#pragma once

#include "os/fd.h"
#include "os/process.h"

#include <sys/types.h>

// fork and exec, the part of process.cc that runs on both sides of the fork.
namespace kilter::os {

struct Spawned {
  pid_t pid = -1;
  Fd pidfd;  // readable when the child has ended
  Fd out;    // read end of the captured stdout, if captured
  Fd err;
};

// A program that cannot be executed is an Error here, not an exit code 127 later.
[[nodiscard]] Result<Spawned> spawn(const Command& command);

}  // namespace kilter::os
