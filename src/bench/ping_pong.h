#pragma once

#include "bench/crew.h"

namespace kilter::bench {

// perf bench sched pipe: one member writes 4 bytes and waits for 4, the other answers, `loops` times.
// Seconds from the creation of both to the end of both.
[[nodiscard]] Result<double> ping_pong(Crew::Kind kind, int loops);

}  // namespace kilter::bench
