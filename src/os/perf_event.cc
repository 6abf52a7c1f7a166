#include "os/perf_event.h"

#include "base/text.h"
#include "os/fd.h"
#include "os/files.h"

#include <fmt/core.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <unistd.h>

namespace kilter::os {
namespace {

struct EventName {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::array kEvents = {
    EventName{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    EventName{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    EventName{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    EventName{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    EventName{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    EventName{"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    EventName{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    EventName{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    EventName{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    EventName{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    EventName{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    EventName{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    EventName{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    EventName{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    EventName{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    EventName{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    EventName{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    EventName{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    EventName{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    EventName{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    EventName{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    EventName{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    EventName{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    EventName{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
};

std::string hint_for(int error, bool hardware) {
  if (error == EACCES || error == EPERM)
    return "this user may not count it: add :u, be root, or lower /proc/sys/kernel/perf_event_paranoid";
  if (hardware)
    return "this machine lends no such counter (most virtual machines have none); task-clock, page-faults "
           "and "
           "context-switches are counted everywhere";
  return "this kernel was built without it";
}

}  // namespace

Result<PerfEvent> PerfEvent::find(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view modifier = text.substr(colon);
  const EventName* const found = std::ranges::find(kEvents, text.substr(0, colon), &EventName::name);
  if (found == kEvents.end()) {
    const std::string guess = did_you_mean(text.substr(0, colon), perf_event_names());
    return usage_error(fmt::format("no perf event is called '{}'", printable(text)),
                       guess.empty() ? "known: " + join(perf_event_names(), " ") : guess);
  }
  if (!modifier.empty() && modifier != ":u" && modifier != ":k")
    return usage_error(fmt::format("perf event '{}': its modifier is neither :u nor :k", printable(text)),
                       ":u counts user space alone, :k the kernel alone");
  PerfEvent event;
  event.type_ = found->type;
  event.config_ = found->config;
  event.user_ = modifier != ":k";
  event.kernel_ = modifier != ":u";
  if (const Fd tried(event.open()); !tried) {
    const int error = errno;
    return failure(fmt::format("counting '{}': {}", printable(text), errno_text(error)),
                   hint_for(error, found->type == PERF_TYPE_HARDWARE));
  }
  return event;
}

int PerfEvent::open() const {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type_;
  attributes.config = config_;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attributes.disabled = 1;
  attributes.enable_on_exec = 1;
  attributes.inherit = 1;
  attributes.exclude_user = user_ ? 0 : 1;
  attributes.exclude_kernel = kernel_ ? 0 : 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1,
                                    static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

Result<double> read_perf_count(int fd) {
  struct {
    std::uint64_t value, enabled, running;
  } count{};
  if (::read(fd, &count, sizeof count) != static_cast<ssize_t>(sizeof count))
    return failure("reading a perf event: " + errno_text(errno));
  const double value = static_cast<double>(count.value);
  if (count.running == 0 || count.running == count.enabled) return value;
  return value * static_cast<double>(count.enabled) / static_cast<double>(count.running);
}

std::vector<std::string> perf_event_names() {
  std::vector<std::string> names;
  for (const EventName& event : kEvents) names.emplace_back(event.name);
  return names;
}

bool is_time_event(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  return name == "task-clock" || name == "cpu-clock";
}

}  // namespace kilter::os
