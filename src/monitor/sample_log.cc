#include "monitor/sample_log.h"

#include <algorithm>
#include <cstring>

namespace kilter::monitor {
namespace {

struct TickHead {
  double time;
  double monotonic;
  std::uint32_t monitors;
  std::uint32_t size;  // of all that follows: monitor indices, then files
};
struct FileHead {
  std::uint32_t file;
  std::uint32_t size;
};

template <class T>
void append_bytes(std::string& buffer, const T& value) {
  buffer.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(std::string_view& bytes) {
  T value{};
  std::ranges::copy(bytes.substr(0, sizeof value), reinterpret_cast<char*>(&value));
  bytes.remove_prefix(sizeof value);
  return value;
}

bool read_files(std::string_view bytes, Tick& tick) {
  while (bytes.size() >= sizeof(FileHead)) {
    const FileHead head = take<FileHead>(bytes);
    if (head.file >= tick.data_of_file.size() || head.size > bytes.size()) return false;
    tick.data_of_file[head.file] = bytes.substr(0, head.size);
    bytes.remove_prefix(head.size);
  }
  return bytes.empty();
}

}  // namespace

void LogWriter::begin_tick(double time, double monotonic, const std::vector<std::uint16_t>& monitors) {
  tick_begin_ = buffer_.size();
  append_bytes(buffer_, TickHead{.time = time,
                                 .monotonic = monotonic,
                                 .monitors = static_cast<std::uint32_t>(monitors.size()),
                                 .size = 0});
  for (const std::uint16_t monitor : monitors) append_bytes(buffer_, monitor);
}

void LogWriter::add_file(std::uint16_t file, std::string_view bytes) {
  append_bytes(buffer_, FileHead{.file = file, .size = static_cast<std::uint32_t>(bytes.size())});
  buffer_ += bytes;
}

Status LogWriter::end_tick() {
  const std::uint32_t size = static_cast<std::uint32_t>(buffer_.size() - tick_begin_ - sizeof(TickHead));
  std::memcpy(buffer_.data() + tick_begin_ + offsetof(TickHead, size), &size, sizeof size);
  return buffer_.size() >= kFlushSize ? flush() : Status();
}

Status LogWriter::flush() {
  if (!file_) {
    ASSIGN_OR_RETURN(file_, os::FileWriter::create(path_));
  }
  const Status written = file_->write(buffer_);
  buffer_.clear();
  return written;
}

Result<LogReader> LogReader::open(const os::Path& path) {
  ASSIGN_OR_RETURN(os::FileReader file, os::FileReader::open(path));
  return LogReader(std::move(file));
}

Result<bool> LogReader::next(Tick& tick, std::size_t files) {
  TickHead head{};
  ASSIGN_OR_RETURN(const std::size_t got, file_.read({reinterpret_cast<char*>(&head), sizeof head}));
  if (got < sizeof head) return false;
  if (bytes_.size() < head.size) bytes_.resize(head.size);
  ASSIGN_OR_RETURN(const std::size_t body, file_.read({bytes_.data(), head.size}));
  if (body < head.size || head.size < head.monitors * sizeof(std::uint16_t)) return false;
  std::string_view rest(bytes_.data(), body);
  tick.time = head.time;
  tick.monotonic = head.monotonic;
  tick.monitors.clear();
  for (std::uint32_t i = 0; i < head.monitors; ++i) tick.monitors.push_back(take<std::uint16_t>(rest));
  tick.data_of_file.assign(files, std::string_view());
  return read_files(rest, tick);
}

}  // namespace kilter::monitor
