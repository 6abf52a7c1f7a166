#pragma once

#include "os/fd.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::os {

// What the kernel itself says from the moment of opening on.
class KernelLog {
 public:
  // nullopt where /dev/kmsg may not be read: often without root.
  [[nodiscard]] static std::optional<KernelLog> open();
  // The messages since the last call.
  [[nodiscard]] std::vector<std::string> read_new();

  // The message of a /dev/kmsg record ("4,1234,5678,-;text"); nullopt when a program and not the kernel wrote
  // it.
  [[nodiscard]] static std::optional<std::string> kernel_message(std::string_view record);

 private:
  explicit KernelLog(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace kilter::os
