#pragma once

#include "os/fd.h"

namespace kilter::bench {

// Lets many processes or threads start at the same moment: they wait until the one who made it opens it.
class Gate {
 public:
  Gate();
  [[nodiscard]] bool ok() const { return static_cast<bool>(write_end_); }
  void wait() const;
  void open() const;

 private:
  os::Fd read_end_;
  os::Fd write_end_;
};

}  // namespace kilter::bench
