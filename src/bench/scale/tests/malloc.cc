#include "bench/scale/test.h"

#include <cstdlib>

namespace kilter::bench::scale {
namespace {

template <std::size_t size>
void run(Counter count, const Task&) {
  for (;;) {
    void* memory = std::malloc(size);
    require(memory != nullptr, "allocating memory");
    escape(memory);
    std::free(memory);
    count.add(1);
  }
}

}  // namespace

extern const Test malloc1 = {"malloc1", "Allocate and free 128 MiB", run<std::size_t{128} << 20>};
extern const Test malloc2 = {"malloc2", "Allocate and free 1 KiB", run<1024>};

}  // namespace kilter::bench::scale
