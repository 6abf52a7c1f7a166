#include "bench/aslr.h"

#include <sys/personality.h>

#include <climits>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr unsigned long kAsk = 0xffffffff;

}  // namespace

bool aslr_is_off() {
  const int persona = ::personality(kAsk);
  return persona != -1 && (static_cast<unsigned>(persona) & ADDR_NO_RANDOMIZE) != 0;
}

void turn_off_aslr(char** argv) {
  const int persona = ::personality(kAsk);
  if (persona == -1 || aslr_is_off()) return;
  // A kernel or sandbox that accepts the call and does nothing must not make us start over for ever.
  if (::personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE) == -1 || !aslr_is_off()) return;
  // By its own path: through /proc/self/exe the process would be called "exe".
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  ::execv(path, argv);
}

}  // namespace kilter::bench
