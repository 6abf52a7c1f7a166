#pragma once

#include "os/files.h"

#include <optional>
#include <string>
#include <utility>

// Where a project's builds happen: <home>/build/<project>/.
//   src       where every build sees its sources, so that paths inside artefacts do not differ
//   slot-N/   the real directories of a build that runs, when it has a sandbox (else src itself is used)
//   .cache/   compiler caches       locks/   one file per key and slot
//   failed/   logs of failed builds       <key>/   finished builds
namespace kilter::project {

struct BuildPlaces {
  os::Path root;
  [[nodiscard]] os::Path source() const { return root / "src"; }
  [[nodiscard]] os::Path cache() const { return root / ".cache"; }
  [[nodiscard]] os::Path locks() const { return root / "locks"; }
  [[nodiscard]] os::Path failed() const { return root / "failed"; }
  [[nodiscard]] os::Path slot(int number) const { return root / ("slot-" + std::to_string(number)); }
  [[nodiscard]] Status make() const;
};

// A place for one build, held by a lock; empty at the start whatever a killed build left, and emptied at the
// end.
class Slot {
 public:
  // nullopt: all are taken. Without a sandbox there is one.
  enum class Kind { sandboxed, plain };
  [[nodiscard]] static Result<std::optional<Slot>> take(const BuildPlaces& places, Kind kind);
  Slot(Slot&& other) noexcept
      : lock_(std::move(other.lock_)),
        root_(std::exchange(other.root_, {})),
        source_(std::move(other.source_)) {}
  Slot& operator=(Slot&&) = delete;
  ~Slot();

  [[nodiscard]] os::Path source() const { return source_; }
  [[nodiscard]] os::Path tmp() const { return root_ / "tmp"; }
  [[nodiscard]] os::Path staging() const { return root_ / "staging"; }  // becomes the cache entry
  [[nodiscard]] os::Path log() const { return root_ / "build.log"; }

 private:
  Slot(os::FileLock lock, os::Path root, os::Path source)
      : lock_(std::move(lock)), root_(std::move(root)), source_(std::move(source)) {}
  [[nodiscard]] Status clean() const;

  os::FileLock lock_;
  os::Path root_;  // empty when moved from
  os::Path source_;
};

// Empties the slots that no running build holds.
void sweep_slots(const BuildPlaces& places);

}  // namespace kilter::project
