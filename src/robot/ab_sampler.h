#pragma once

#include "base/result.h"
#include "model/ab.h"
#include "os/process.h"
#include "robot/ab_request.h"

#include <memory>

// Takes samples of two commands: the seam between the plan of a campaign and the world.
namespace kilter::robot {

class AbSampler {
 public:
  virtual ~AbSampler() = default;
  // One sample; `block`, `place` and `ended` are the caller's. A command that fails (unless that is ignored),
  // whose metric cannot be read, or that an interrupt ended is an Error.
  [[nodiscard]] virtual Result<model::AbSample> take(model::AbSide side, int executions, int padding) = 0;
};

// The programs are looked up and the counter opened here; the request has been checked.
[[nodiscard]] Result<std::unique_ptr<AbSampler>> open_ab_sampler(const AbRequest& request,
                                                                 os::ProcessRunner& runner);

}  // namespace kilter::robot
