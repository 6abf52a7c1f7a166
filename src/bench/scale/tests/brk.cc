#include "bench/scale/test.h"

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

// In thread mode the tasks share one break, so a call moves it from wherever another task left it.
[[noreturn]] void move_break(Counter count, char* base) {
  char* const up = base + ::sysconf(_SC_PAGESIZE);
  for (;;) {
    require(::brk(up) == 0, "raising the break by a page");
    require(::brk(base) == 0, "lowering the break by a page");
    count.add(2);
  }
}

void run_from_here(Counter count, const Task&) {
  move_break(count, static_cast<char*>(::sbrk(0)));
}

void run_from_own_page(Counter count, const Task&) {
  const long page = ::sysconf(_SC_PAGESIZE);
  char* const old = static_cast<char*>(::sbrk(page));
  require(old != reinterpret_cast<char*>(-1), "raising the break");
  move_break(count, old + page);
}

}  // namespace

extern const Test brk1 = {"brk1", "Move the program break up and down by one page", run_from_here};
extern const Test brk2 = {"brk2", "Move the program break by one page, each task from a page of its own",
                          run_from_own_page};

}  // namespace kilter::bench::scale
