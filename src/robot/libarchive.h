#pragma once

#include "base/result.h"

namespace kilter::robot {

// Must succeed before any function of <archive.h> is called: libarchive and the ten libraries below it are
// loaded only where an archive is written.
[[nodiscard]] Status load_libarchive();

}  // namespace kilter::robot
