#pragma once

#include "robot/archive.h"
#include "robot/report_story.h"

#include <string>
#include <vector>

// What goes with a report: the archive's members, and the lines that tell how to use them.
//   mail.txt  job.yaml  machine.json  plan.json       of the headline's test
//   reproduce.sh                                      measures all sides again, needs no kilter
//   run/<side>.sh                                     one run of a side, as it was done
//   jobs/<side>.yaml  plans/<side>.json               of sides that are two jobs
//   build/<commit>/build.json build.log build.sh      how a side was built, and how to build it again
//   build/<commit>/kernel.json config                 of a kernel: what it is, and its configuration
//   build/<commit>/artefacts/  build/<commit>/*.patch what was built, when it is small; what was applied
//   project.yaml  patches/  suites/                   for kilter
//   bin/kilter-bench                                  where the test runs on it
//   results/<table>/<side>/<run>/                     every run's own files
namespace kilter::robot {

// All but mail.txt. What has gone since (a build emptied from the cache) is left out.
[[nodiscard]] std::vector<ArchiveMember> materials(const ReadingRoom& room, const std::vector<Story>& stories,
                                                   os::ProcessRunner& runner);

// Commands to paste, "" between groups: unpack, measure without kilter, measure with it.
[[nodiscard]] std::vector<std::string> reproduce_steps(const Story& story, const std::string& archive);

// "cmake -S . -B build; cmake --build build -j N", "" for what was not built here.
[[nodiscard]] std::string build_text(const Story& story);

}  // namespace kilter::robot
