#pragma once

#include "base/result.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/process.h"
#include "robot/lab.h"

#include <memory>
#include <string>
#include <string_view>

namespace kilter::cli {

// What a verb may touch. Nothing is opened before it is asked for, so that `kilter --help` works anywhere.
struct World {
  os::Path home;          // KILTER_HOME
  bool colour = false;    // stdout is a terminal and NO_COLOR is unset
  bool progress = false;  // stderr is a terminal
  os::ProcessRunner& runner;
  os::Clock& clock;
  os::Root root;

  // To stdout; a full disk or a closed pipe is an error like any other.
  [[nodiscard]] Status print(std::string_view text) const;
};

// The part of it that the robot room works with.
[[nodiscard]] robot::World robot_world(const World& world);

// `--home`, else $KILTER_HOME, else $XDG_DATA_HOME/kilter, else ~/.local/share/kilter.
[[nodiscard]] Result<os::Path> home_directory(const std::string& flag);
// "no results yet" with a hint on stderr, for those who list them; `nothing` ("[]\n") goes to stdout. Exit
// code 0.
[[nodiscard]] Result<int> no_results_yet(const World& world, std::string_view nothing);
// Makes the directory if needed; a read-only one is a clear error.
[[nodiscard]] Status make_home(const os::Path& home);

}  // namespace kilter::cli
