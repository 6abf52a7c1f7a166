#include "bench/scale/csv.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace kilter::bench::scale {

std::string Table::head() {
  return "tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n";
}

std::string Table::row(const Row& row) {
  const Measurement processes = row.processes.value_or(Measurement{});
  const Measurement threads = row.threads.value_or(Measurement{});
  if (row.tasks == 1) one_task_ = std::max(processes.rate, threads.rate);
  const auto whole = [](double rate) { return static_cast<std::uint64_t>(rate); };
  return fmt::format("{},{},{:.2f},{},{:.2f},{}\n", row.tasks, whole(processes.rate), processes.idle_percent,
                     whole(threads.rate), threads.idle_percent, row.tasks * whole(one_task_));
}

}  // namespace kilter::bench::scale
