#include "monitor/recording.h"

#include "monitor/gzip.h"
#include "os/self.h"

#include <fmt/core.h>

#include <optional>

namespace kilter::monitor {
namespace {

constexpr std::size_t kFlushSize = std::size_t{32} << 10;
constexpr std::uint64_t kLargestRecording = std::uint64_t{1} << 30;

class PlainWriter final : public Writer {
 public:
  explicit PlainWriter(const std::vector<Source>& sources) : sources_(sources) {}

  void add(const Sample& sample, std::string& out) override {
    append_time(sample.time, out);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sample.data[i].data() != nullptr) out.append(sources_[i].head).append(sample.data[i]);
  }

 private:
  const std::vector<Source>& sources_;
};

// The recording of one monitor on its way to its file.
class Recording {
 public:
  static Result<Recording> create(const ActiveMonitor& active, const os::Path& directory) {
    ASSIGN_OR_RETURN(os::FileWriter file,
                     os::FileWriter::create(directory / recording_name(*active.monitor)));
    return Recording(active, std::move(file));
  }

  Status add(const Tick& tick) {
    sample_.time = tick.time;
    sample_.monotonic = tick.monotonic;
    sample_.data.clear();
    for (const std::uint16_t file : active_->files) sample_.data.push_back(tick.data_of_file[file]);
    writer_->add(sample_, text_);
    return text_.size() >= kFlushSize ? flush() : Status();
  }

  Status finish() {
    writer_->finish(text_);
    TRY(flush());
    if (!gzip_) return {};
    gzip_->finish(packed_);
    return file_.write(packed_);
  }

 private:
  Recording(const ActiveMonitor& active, os::FileWriter file) : active_(&active), file_(std::move(file)) {
    const WriterContext context{.options = active.options,
                                .sources = active.sources,
                                .interval = active.interval,
                                .page_kb = os::page_kb()};
    writer_ = active.monitor->writer != nullptr ? active.monitor->writer(context)
                                                : std::make_unique<PlainWriter>(active.sources);
    if (active.monitor->gzip) gzip_.emplace();
  }

  Status flush() {
    if (gzip_) {
      gzip_->add(text_, packed_);
    } else {
      packed_.swap(text_);
    }
    const Status written = file_.write(packed_);
    packed_.clear();
    text_.clear();
    return written;
  }

  const ActiveMonitor* active_;
  os::FileWriter file_;
  std::unique_ptr<Writer> writer_;
  std::optional<Gzip> gzip_;
  Sample sample_;
  std::string text_;
  std::string packed_;
};

}  // namespace

std::string recording_name(const Monitor& monitor) {
  return std::string(monitor.name) + (monitor.gzip ? ".gz" : "");
}

Status write_recordings(const os::Path& log, const std::vector<ActiveMonitor>& monitors, std::size_t files,
                        const os::Path& directory) {
  std::vector<Recording> recordings;
  for (const ActiveMonitor& active : monitors) {
    ASSIGN_OR_RETURN(Recording recording, Recording::create(active, directory));
    recordings.push_back(std::move(recording));
  }
  ASSIGN_OR_RETURN(LogReader reader, LogReader::open(log));
  Tick tick;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader.next(tick, files));
    if (!more) break;
    for (const std::uint16_t monitor : tick.monitors)
      if (monitor < recordings.size()) TRY(recordings[monitor].add(tick));
  }
  for (Recording& recording : recordings) TRY(recording.finish());
  return {};
}

Result<std::string> read_recording(const os::Path& run_directory, std::string_view name) {
  const os::Path plain = run_directory / name;
  Result<std::string> bytes = os::read_file(plain, kLargestRecording);
  if (bytes) return bytes;
  ASSIGN_OR_RETURN(const std::string packed, os::read_file(plain.string() + ".gz", kLargestRecording));
  Result<std::string> text = gunzip(packed, kLargestRecording);
  if (!text) return fail(text.error().in(fmt::format("reading '{}.gz'", plain.string())));
  return text;
}

}  // namespace kilter::monitor
