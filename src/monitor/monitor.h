#pragma once

#include "base/result.h"
#include "os/files.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What a monitor is: how it is recorded, beside how its recording is read. Each lives in a file of this
// folder; registry.cc lists them.
namespace kilter::monitor {

enum class Style {
  loop,       // a sample every interval, from the start to the end
  start_end,  // two samples, so that counters become differences
  end,        // one sample, when the workload has ended
  follow,     // messages that come while it runs
  external,   // recorded by another program; only the parser is here
};
[[nodiscard]] std::string_view style_name(Style style);

// One file of a sample, and what stands before its bytes in the recording ("node: 0\n").
struct Source {
  std::string path;
  std::string head;
};

// Options of a monitor in a job: {"interval", "10"}.
using Options = std::map<std::string, std::string>;

// What was read at one moment, in the order of the sources; a file that could not be read has a null data().
struct Sample {
  double time = 0;       // seconds since 1970
  double monotonic = 0;  // seconds of CLOCK_MONOTONIC, for rates: the other clock can be set
  std::vector<std::string_view> data;
};

struct WriterContext {
  const Options& options;
  const std::vector<Source>& sources;
  double interval = 1;  // seconds
  int page_kb = 4;
};

// Turns samples into the recording, LKP's raw text.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void add(const Sample& sample, std::string& out) = 0;
  virtual void finish(std::string& /*out*/) {}
};

struct Monitor {
  std::string_view name;
  Style style = Style::external;
  double interval = 1;  // default seconds between samples
  bool gzip = false;    // recorded as <name>.gz
  // The files it reads on this machine, or why it is not available.
  Result<std::vector<Source>> (*sources)(const os::Root& root) = nullptr;
  // nullptr: "time: <epoch>", then each source's head and bytes.
  std::unique_ptr<Writer> (*writer)(const WriterContext& context) = nullptr;
  // Appends "key: value" lines, without the monitor's name.
  void (*parse)(std::string_view raw, std::string& out) = nullptr;
  std::string_view summary;
};

// "time: 1796033475.123\n".
void append_time(double time, std::string& out);
// "key: value\n".
void append_line(std::string_view key, std::string_view value, std::string& out);
void append_line(std::string_view key, long long value, std::string& out);

// The files `paths` as sources with no heads; an error names the first that is not there.
[[nodiscard]] Result<std::vector<Source>> fixed_sources(const os::Root& root, std::vector<std::string> paths);
// One source "<directory>/node<N>/<file>" a NUMA node, headed "node: N"; an error unless there are two nodes.
[[nodiscard]] Result<std::vector<Source>> node_sources(const os::Root& root, std::string_view file);

}  // namespace kilter::monitor
