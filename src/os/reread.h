#pragma once

#include "base/result.h"
#include "os/fd.h"
#include "os/files.h"

#include <span>
#include <string_view>
#include <vector>

namespace kilter::os {

// A file of /proc or /sys that is opened once and read again and again, for samplers: no allocation, no
// path look-up and no open per reading.
class RereadFile {
 public:
  enum class Kind {
    whole,     // every reading gives the whole present content
    messages,  // every reading gives the records that came since the last one (/dev/kmsg)
  };
  [[nodiscard]] static Result<RereadFile> open(const Path& path, Kind kind = Kind::whole);

  // The bytes, in `scratch` (grown when needed, at most 64 MiB), valid until it is used again.
  [[nodiscard]] Result<std::string_view> read(std::vector<char>& scratch);
  [[nodiscard]] const Path& path() const { return path_; }

 private:
  RereadFile(Fd fd, Path path, Kind kind) : fd_(std::move(fd)), path_(std::move(path)), kind_(kind) {}
  [[nodiscard]] Result<std::string_view> read_whole(std::vector<char>& scratch);
  [[nodiscard]] Result<std::string_view> read_messages(std::vector<char>& scratch);

  Fd fd_;
  Path path_;
  Kind kind_ = Kind::whole;
};

// A file written in order through one descriptor; what was there before is gone.
class FileWriter {
 public:
  [[nodiscard]] static Result<FileWriter> create(const Path& path);
  [[nodiscard]] Status write(std::string_view bytes);

 private:
  FileWriter(Fd fd, Path path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Fd fd_;
  Path path_;
};

// A file read in order through one descriptor.
class FileReader {
 public:
  [[nodiscard]] static Result<FileReader> open(const Path& path);
  // Fills `room`, or what is left of the file; the answer is the number of bytes.
  [[nodiscard]] Result<std::size_t> read(std::span<char> room);

 private:
  FileReader(Fd fd, Path path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Fd fd_;
  Path path_;
};

}  // namespace kilter::os
