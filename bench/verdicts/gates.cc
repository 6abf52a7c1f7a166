#include "verdicts/gates.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kilter::verdicts {

void Gates::at_most(std::string name, double measured, double bound) {
  gates_.push_back({.name = std::move(name), .measured = measured, .bound = bound, .at_most = true});
}

void Gates::at_least(std::string name, double measured, double bound) {
  gates_.push_back({.name = std::move(name), .measured = measured, .bound = bound, .at_most = false});
}

bool Gates::report() const {
  if (gates_.empty()) return true;
  fmt::print("\ngates\n");
  for (const Gate& gate : gates_)
    fmt::print("  {}  {:<58} {:>9.4g}  {} {:.4g}\n", gate.passed() ? "pass" : "MISS", gate.name,
               gate.measured, gate.at_most ? "<=" : ">=", gate.bound);
  const auto missed = std::ranges::count_if(gates_, [](const Gate& gate) { return !gate.passed(); });
  fmt::print("{} of {} gates met\n", static_cast<std::ptrdiff_t>(gates_.size()) - missed, gates_.size());
  return missed == 0;
}

double sampling_margin(double rate, double tries) {
  return 3 * std::sqrt(rate * (1 - rate) / tries);
}

}  // namespace kilter::verdicts
