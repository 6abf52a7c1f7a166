#pragma once

#include "verdicts/gates.h"

#include <cstddef>
#include <span>
#include <string_view>

// The evaluation of kilter's statistics, in parts. A new part is one file and one line of the table in
// parts.cc.
namespace kilter::verdicts {

struct Settings {
  bool quick = false;  // a hundredth of the work: shows that it runs, its gates are wide

  // How often to repeat.
  [[nodiscard]] std::size_t tries(std::size_t full, std::size_t few) const { return quick ? few : full; }
};

struct Part {
  std::string_view name;
  std::string_view summary;
  void (*run)(const Settings& settings, Gates& gates);  // prints its tables, notes its gates
};

[[nodiscard]] std::span<const Part> parts();

void run_null_rates(const Settings& settings, Gates& gates);
void run_power(const Settings& settings, Gates& gates);
void run_report(const Settings& settings, Gates& gates);
void run_looks(const Settings& settings, Gates& gates);
void run_drift(const Settings& settings, Gates& gates);
void run_bisect(const Settings& settings, Gates& gates);
void run_changes(const Settings& settings, Gates& gates);

}  // namespace kilter::verdicts
