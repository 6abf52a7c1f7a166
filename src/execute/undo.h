#pragma once

#include "base/result.h"
#include "os/files.h"
#include "os/journal_file.h"
#include "os/process.h"

#include <string>
#include <vector>

// The undo journal: what a run changes on the machine is written down before it is changed, so that it can be
// put back after success, failure, Ctrl-C, or, by the next start of kilter, after kill -9. One file per run,
// <home>/journal/<id>.journal, one JSON object per line; it is locked while its run lives.
namespace kilter::execute {

// One thing to put back.
struct Undo {
  enum class Kind {
    write,      // write `value` into `path`, a path as on the machine
    run,        // run `argv`
    processes,  // kill what carries the run id `value`, and remove the cgroup `path` (may be empty)
    remove,     // delete the tree `path`
  };
  Kind kind = Kind::write;
  std::string name;  // of the set-up step, for messages
  std::string path;
  std::string value;
  std::vector<std::string> argv;
};

class Journal {
 public:
  // Makes <home>/journal/<id>.journal.
  [[nodiscard]] static Result<Journal> open(const os::Path& home, const std::string& id,
                                            const os::Root& root);
  // To be called before the change is made. What a reboot would not undo by itself is on the disk when this
  // returns.
  Status add(const Undo& undo);
  // Puts everything back, last first, and deletes the journal. Goes on after a failure; one line for each.
  std::vector<std::string> undo_all(os::ProcessRunner& runner, const os::Root& root);

 private:
  explicit Journal(os::JournalFile file) : file_(std::move(file)) {}
  os::JournalFile file_;
  std::vector<Undo> entries_;
};

// Called at every start: undoes what killed runs left behind. Journals of living runs are left alone, and
// values in /proc and /sys that a reboot has reset since. One line for what was done or could not be done.
[[nodiscard]] std::vector<std::string> repair(const os::Path& home, os::ProcessRunner& runner,
                                              const os::Root& root);

// Whether a run other than `id` is under way with this home.
[[nodiscard]] bool other_run_lives(const os::Path& home, const std::string& id);

}  // namespace kilter::execute
