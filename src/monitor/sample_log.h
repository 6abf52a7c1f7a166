#pragma once

#include "base/result.h"
#include "os/reread.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The sampler's log: what was read, moment by moment, as it was read. It is turned into each monitor's
// recording after the workload has ended.
namespace kilter::monitor {

// One moment. Indices are into the sampler's lists of monitors and of files.
struct Tick {
  double time = 0;                             // seconds since 1970
  double monotonic = 0;                        // seconds of CLOCK_MONOTONIC
  std::vector<std::uint16_t> monitors;         // those whose turn it was
  std::vector<std::string_view> data_of_file;  // null data(): not read at this moment, or unreadable
};

class LogWriter {
 public:
  explicit LogWriter(os::Path path) : path_(std::move(path)) { buffer_.reserve(kFlushSize + kFlushSize / 4); }

  void begin_tick(double time, double monotonic, const std::vector<std::uint16_t>& monitors);
  void add_file(std::uint16_t file, std::string_view bytes);
  // Writes to the file only when much has gathered.
  [[nodiscard]] Status end_tick();
  [[nodiscard]] Status flush();

 private:
  static constexpr std::size_t kFlushSize = std::size_t{256} << 10;

  os::Path path_;
  std::optional<os::FileWriter> file_;
  std::string buffer_;
  std::size_t tick_begin_ = 0;
};

class LogReader {
 public:
  [[nodiscard]] static Result<LogReader> open(const os::Path& path);
  // False at the end. The views in `tick` live until the next call.
  [[nodiscard]] Result<bool> next(Tick& tick, std::size_t files);

 private:
  explicit LogReader(os::FileReader file) : file_(std::move(file)) {}
  os::FileReader file_;
  std::vector<char> bytes_;
};

}  // namespace kilter::monitor
