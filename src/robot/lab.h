#pragma once

#include "base/result.h"
#include "execute/machine.h"
#include "job/expand.h"
#include "model/machine.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/process.h"
#include "store/store.h"
#include "suite/catalogue.h"
#include "suite/workload.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// What measuring needs, opened once: the state folder, the machine, the index, the suites.
namespace kilter::robot {

struct World {
  os::Path home;
  os::ProcessRunner& runner;
  os::Clock& clock;
  const os::Root& root;  // outlives the Lab
};

struct Lab {
  World world;
  std::unique_ptr<execute::Machine> machine;
  model::Machine box;
  std::unique_ptr<store::Store> store;
  suite::Catalogue catalogue;
  std::string session;  // names this invocation in run records
};

// Files of suites beyond the built-in ones: path and text.
using SuiteFiles = std::vector<std::pair<std::string, std::string>>;
// Repairs what a killed kilter left behind (one line each in `notes`), then opens everything.
[[nodiscard]] Result<Lab> open_lab(const World& world, const SuiteFiles& suites,
                                   std::vector<std::string>& notes);
// The same without a store and without touching anything: for --dry-run.
[[nodiscard]] Result<Lab> open_dry_lab(const World& world, const SuiteFiles& suites);
// What looking at results needs: nothing is changed and nothing need be there yet.
struct ReadingRoom {
  World world;
  std::unique_ptr<store::Store> store;  // null when nothing was measured here
  suite::Catalogue catalogue;
  std::optional<Error> store_error;  // why it is null although there is a database
};
[[nodiscard]] Result<ReadingRoom> open_reading_room(const World& world);
// The index alone, to read; null when nothing was measured here.
[[nodiscard]] Result<std::unique_ptr<store::Store>> open_results(const os::Path& home);

// The suites of <home>/suites and ./suites.
[[nodiscard]] SuiteFiles user_suites(const os::Path& home);
[[nodiscard]] os::Path database_path(const os::Path& home);
[[nodiscard]] suite::HostFacts host_facts(const Lab& lab);

// Finds job, include and host files: on disk as named, below `home`, below the working directory, then the
// built-in ones. A host file that is nowhere is made from `box`.
[[nodiscard]] job::FileReader job_reader(const os::Path& home, const model::Machine& box);
// The options of job::expand for this box.
[[nodiscard]] job::ExpandOptions expand_options(const model::Machine& box,
                                                std::vector<std::string> overrides);
// The unit jobs of a job file, be it a matrix or already atomic.
[[nodiscard]] Result<std::vector<model::UnitJob>> load_jobs(const std::string& path, const os::Path& home,
                                                            const model::Machine& box,
                                                            const job::ExpandOptions& options);

// `job` with `command` in place of what it would run: a parameter `cmd` like any other, so that results of
// different commands are told apart.
[[nodiscard]] model::UnitJob with_command(model::UnitJob job, const std::vector<std::string>& command);

}  // namespace kilter::robot
