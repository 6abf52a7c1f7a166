#include "analyse/fdr.h"

#include <algorithm>
#include <numeric>

namespace kilter::analyse {
namespace {

// p of the speakers ascending, and the rate of each.
struct Rates {
  std::vector<double> p;
  std::vector<double> q;

  // The smallest rate at which a p of this size is rejected: that of the speakers at or above it.
  [[nodiscard]] double of(double value) const {
    const auto at = std::ranges::lower_bound(p, value);
    return at == p.end() ? value : q[static_cast<std::size_t>(at - p.begin())];
  }
};

Rates rates_of(std::vector<double> p) {
  std::ranges::sort(p);
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t i = p.size(); i-- > 0;) {
    least = std::min(least, p[i] * static_cast<double>(p.size()) / static_cast<double>(i + 1));
    q[i] = least;
  }
  return {.p = std::move(p), .q = std::move(q)};
}

double sane(double p) {
  return p >= 0 && p <= 1 ? p : 1;
}

}  // namespace

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<std::size_t> alone(p.size());
  std::iota(alone.begin(), alone.end(), std::size_t(0));
  return benjamini_hochberg(p, alone);
}

std::vector<double> benjamini_hochberg(std::span<const double> p, std::span<const std::size_t> groups) {
  std::vector<double> speakers;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (groups[i] == i) speakers.push_back(sane(p[i]));
  const Rates rates = rates_of(std::move(speakers));
  std::vector<double> q;
  q.reserve(p.size());
  for (const double value : p) q.push_back(rates.of(sane(value)));
  return q;
}

}  // namespace kilter::analyse
