#pragma once

#include "os/files.h"

// The kernel's debug files where nobody has mounted them.
namespace kilter::os {

// Where debugfs is read: /sys/kernel/debug when it is mounted there, else a read-only mount that belongs to
// this process alone and hangs nowhere in the file system (fsmount(2), Linux 5.2; needs CAP_SYS_ADMIN), so
// that there is nothing to undo. /sys/kernel/debug as well when neither can be had.
[[nodiscard]] const Path& debugfs();

}  // namespace kilter::os
