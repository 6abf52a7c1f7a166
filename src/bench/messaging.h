#pragma once

#include "bench/crew.h"

namespace kilter::bench {

inline constexpr unsigned kMessagingSenders = 20;  // and as many receivers, in each group

// perf bench sched messaging: every sender of a group writes `loops` messages of 100 bytes to each of its
// receivers.
struct Messaging {
  int groups = 10;
  int loops = 100;
  bool pipes = false;  // else socket pairs
  Crew::Kind kind = Crew::Kind::processes;
};

// Seconds from the common start to the end of the last member.
[[nodiscard]] Result<double> run(const Messaging& what);

}  // namespace kilter::bench
