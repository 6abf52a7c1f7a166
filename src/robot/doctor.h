#pragma once

#include "base/result.h"
#include "robot/lab.h"

#include <string>
#include <vector>

// What works on this machine, what does not, and how to get it.
namespace kilter::robot {

struct Finding {
  // absent: this machine has no such thing, and nothing can be done; optional: another engine does it.
  enum class State { ok, limited, missing, absent, optional };
  std::string topic;  // "monitors", "suites", "set-up", "programs"
  std::string name;
  State state = State::ok;
  std::string detail;  // reason
  std::string remedy;  // "" when there is none
};

[[nodiscard]] std::vector<Finding> examine(const World& world, const suite::Catalogue& catalogue,
                                           const model::Machine& box);

}  // namespace kilter::robot
