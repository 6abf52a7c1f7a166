#pragma once

#include <string>
#include <vector>

namespace kilter::verdicts {

struct Gate {
  std::string name;
  double measured = 0;
  double bound = 0;
  bool at_most = true;  // else at least
  [[nodiscard]] bool passed() const { return at_most ? measured <= bound : measured >= bound; }
};

// What the figures must reach, noted part by part and printed at the end.
class Gates {
 public:
  void at_most(std::string name, double measured, double bound);
  void at_least(std::string name, double measured, double bound);
  // Prints a line each; true when all are met.
  [[nodiscard]] bool report() const;

 private:
  std::vector<Gate> gates_;
};

// What a rate measured in so many tries may exceed its true value by (3 standard deviations).
[[nodiscard]] double sampling_margin(double rate, double tries);

}  // namespace kilter::verdicts
