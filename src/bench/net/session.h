#pragma once

#include "base/result.h"

namespace kilter::bench::net {

// The server's side of one client's test, over its control connection (protocol.h). Returns when the client
// has its result or has gone.
[[nodiscard]] Status serve_session(int control);

}  // namespace kilter::bench::net
