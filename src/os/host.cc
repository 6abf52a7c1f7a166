#include "os/host.h"

#include <unistd.h>

namespace kilter::os {

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "localhost";
  return name;
}

int process_id() {
  return ::getpid();
}

}  // namespace kilter::os
