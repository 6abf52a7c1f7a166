#include "bench/scale/area.h"

#include "os/files.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdio>

namespace kilter::bench::scale {
namespace {

Area* shared_area = nullptr;

}  // namespace

Status map_area() {
  // Zeroed pages are the initial state of every member: nothing is touched before its owner does.
  void* memory = ::mmap(nullptr, sizeof(Area), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return failure("mapping the shared counters: " + os::errno_text(errno));
  shared_area = static_cast<Area*>(memory);
  return {};
}

Area& area() {
  return *shared_area;
}

void unmap_area() {
  ::munmap(shared_area, sizeof(Area));
  shared_area = nullptr;
}

void report_error(const char* text) {
  if (area().report.claimed.test_and_set()) return;
  std::snprintf(area().report.error, sizeof area().report.error, "%s", text);
}

}  // namespace kilter::bench::scale
