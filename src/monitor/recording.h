#pragma once

#include "monitor/monitor.h"
#include "monitor/sample_log.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kilter::monitor {

// A monitor as one run has it.
struct ActiveMonitor {
  const Monitor* monitor = nullptr;
  Options options;
  double interval = 1;
  std::vector<Source> sources;
  std::vector<std::uint16_t> files;  // of each source, its index in the sampler's list of files
  double next = 0;                   // when it is sampled next, CLOCK_MONOTONIC
  bool fixed_interval = false;       // the job asked for it: not stretched
  double longest_interval = 0;       // the longest it was stretched to
};

// "meminfo.gz": the name of a monitor's recording in a run directory.
[[nodiscard]] std::string recording_name(const Monitor& monitor);

// Reads the log once and writes the recording of each monitor into `directory`.
[[nodiscard]] Status write_recordings(const os::Path& log, const std::vector<ActiveMonitor>& monitors,
                                      std::size_t files, const os::Path& directory);

// The text of a monitor's recording, unpacked; an error when there is none.
[[nodiscard]] Result<std::string> read_recording(const os::Path& run_directory, std::string_view name);

}  // namespace kilter::monitor
