#include "os/kernel_log.h"

#include "base/text.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr int kRecords = 100'000;    // of one read_new(), whatever is printed meanwhile
constexpr std::int64_t kLevels = 8;  // the priority is facility * 8 + level; the kernel's own facility is 0

}  // namespace

std::optional<KernelLog> KernelLog::open() {
  Fd fd(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd || ::lseek(fd.get(), 0, SEEK_END) < 0) return std::nullopt;
  return KernelLog(std::move(fd));
}

std::vector<std::string> KernelLog::read_new() {
  std::vector<std::string> messages;
  char buffer[8192];
  for (int record = 0; record < kRecords; ++record) {
    const ssize_t got = ::read(fd_.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EPIPE || errno == EINTR))
      continue;  // EPIPE: records were overwritten before we came
    if (got <= 0) break;
    if (std::optional<std::string> text = kernel_message({buffer, static_cast<std::size_t>(got)}))
      messages.push_back(std::move(*text));
  }
  return messages;
}

std::optional<std::string> KernelLog::kernel_message(std::string_view record) {
  const std::size_t semicolon = record.find(';');
  const std::optional<std::int64_t> priority = parse_int(record.substr(0, record.find(',')));
  if (semicolon == std::string_view::npos || !priority || *priority >= kLevels) return std::nullopt;
  const std::vector<std::string_view> line = lines(record.substr(semicolon + 1));
  return line.empty() ? std::string() : std::string(line[0]);
}

}  // namespace kilter::os
