#pragma once

#include "bench/scale/test.h"

#include <cstddef>
#include <string>

// The files tests work on. All are named willitscale.XXXXXX in the work directory; each name is noted in the
// shared area before it exists, so that driver or runner can remove it however the run ends.
namespace kilter::bench::scale {

// $TMPDIR, or /tmp. A limit on its length keeps all paths in fixed buffers.
[[nodiscard]] std::string work_directory();
// "ext4", "tmpfs", ... of a directory; "0x..." for one we have no name for.
[[nodiscard]] std::string file_system_of(const std::string& directory);

enum class Where { work_directory, shared_memory };

// In a task: a new file of its own, its name gone again; the descriptor.
[[nodiscard]] int private_file(const Task& task, int flags = 0, Where where = Where::work_directory);

// In prepare(): one file all tasks open, filled with zeros.
void make_shared_file(std::size_t bytes);
// In a task: its own descriptor of that file.
[[nodiscard]] int open_shared_file(int flags);

// In prepare(): what each task works on by path. `tasks` empty files in the work directory; the same with
// their names given back; an empty file in a directory of its own.
void make_task_files(unsigned tasks);
void make_task_names(unsigned tasks);
void make_task_directories(unsigned tasks);
[[nodiscard]] const char* task_path(const Task& task);

// Writes `bytes` zeros at the offset of `fd`.
void fill_with_zeros(int fd, std::size_t bytes);

// Removes every noted name. Async-signal-safe; what is not there is fine. A thread may create its name once
// more after that, so the driver does it again when all tasks are gone.
void sweep_names();

}  // namespace kilter::bench::scale
