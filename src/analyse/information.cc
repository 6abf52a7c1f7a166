#include "analyse/information.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>

namespace kilter::analyse {
namespace {

constexpr std::size_t kNodes = 64;
constexpr std::size_t kProbabilities = 101;
constexpr std::size_t kSeparations = 61;
constexpr double kLeastSeparation = .05;
constexpr double kMostSeparation = 12;

// Points and weights for the mean of a function of a standard normal variable.
struct HermiteQuadrature {
  std::array<double, kNodes> point;
  std::array<double, kNodes> weight;
};

// The Hermite polynomials of degree kNodes and kNodes - 1 at x, scaled to norm 1 under the normal density.
struct HermitePair {
  double last;
  double before;
};

HermitePair hermite(double x) {
  HermitePair pair{1, 0};
  for (std::size_t degree = 0; degree < kNodes; ++degree) {
    const double j = static_cast<double>(degree);
    const double next = (x * pair.last - std::sqrt(j) * pair.before) / std::sqrt(j + 1);
    pair = {next, pair.last};
  }
  return pair;
}

// Newton's method; the derivative of the polynomial is sqrt(n) times the one before it.
double polished_root(double x) {
  for (int round = 0; round < 20; ++round) {
    const HermitePair value = hermite(x);
    const double step = value.last / (std::sqrt(double(kNodes)) * value.before);
    x -= step;
    if (std::abs(step) < 1e-15 * std::max(1., std::abs(x))) break;
  }
  return x;
}

HermiteQuadrature make_hermite_quadrature() {
  // The roots are at least .19 apart; all lie within sqrt(4 n + 2).
  constexpr double kStride = .01;
  HermiteQuadrature result{};
  std::size_t found = kNodes / 2;
  for (double x = kStride / 2; found < kNodes; x += kStride) {
    if ((hermite(x).last > 0) == (hermite(x + kStride).last > 0)) continue;
    const double root = polished_root(x + kStride / 2);
    const double before = hermite(root).before;
    const double weight = 1 / (double(kNodes) * before * before);
    result.point[found] = root;
    result.point[kNodes - 1 - found] = -root;
    result.weight[found] = result.weight[kNodes - 1 - found] = weight;
    ++found;
  }
  return result;
}

const HermiteQuadrature& quadrature() {
  static const HermiteQuadrature kQuadrature = make_hermite_quadrature();
  return kQuadrature;
}

struct BitsTable {
  std::array<double, kSeparations> separation;
  std::array<std::array<double, kSeparations>, kProbabilities> bits;
};

double separation_at(std::size_t column) {
  if (column == 0) return 0;
  const double share = double(column - 1) / double(kSeparations - 2);
  return kLeastSeparation * std::pow(kMostSeparation / kLeastSeparation, share);
}

std::unique_ptr<const BitsTable> make_bits_table() {
  std::unique_ptr<BitsTable> table = std::make_unique<BitsTable>();
  for (std::size_t column = 0; column < kSeparations; ++column) {
    table->separation[column] = separation_at(column);
    for (std::size_t row = 0; row <= kProbabilities / 2; ++row) {
      const double p = double(row) / double(kProbabilities - 1);
      const double bits = exact_information_bits(p, table->separation[column]);
      table->bits[row][column] = table->bits[kProbabilities - 1 - row][column] = bits;
    }
  }
  return table;
}

const BitsTable& bits_table() {
  static const std::unique_ptr<const BitsTable> kTable = make_bits_table();
  return *kTable;
}

// The column at or left of a separation.
std::size_t column_of(const BitsTable& table, double separation) {
  if (separation <= kLeastSeparation) return 0;
  static const double kColumnsPerLog =
      double(kSeparations - 2) / std::log(kMostSeparation / kLeastSeparation);
  const double guess = 1 + std::log(separation / kLeastSeparation) * kColumnsPerLog;
  std::size_t column = std::min(static_cast<std::size_t>(guess), kSeparations - 2);
  if (table.separation[column] > separation) --column;
  return column;
}

// No number is not inside.
bool is_open(double p) {
  return p > 0 && p < 1;
}

}  // namespace

double entropy_bits(double p) {
  if (p <= 0 || p >= 1) return 0;
  return -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
}

double exact_information_bits(double p, double separation) {
  if (!is_open(p) || !(separation > 0)) return 0;
  const HermiteQuadrature& q = quadrature();
  const double odds_against = (1 - p) / p;
  double left_open = 0;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double if_so = 1 / (1 + odds_against * std::exp(-separation * (q.point[i] + separation / 2)));
    const double if_not = 1 / (1 + odds_against * std::exp(-separation * (q.point[i] - separation / 2)));
    left_open += q.weight[i] * (p * entropy_bits(if_so) + (1 - p) * entropy_bits(if_not));
  }
  return std::max(0., entropy_bits(p) - left_open);
}

double information_bits(double p, double separation) {
  if (!is_open(p) || !(separation > 0)) return 0;
  const BitsTable& table = bits_table();
  separation = std::min(separation, kMostSeparation);
  const double place = p * double(kProbabilities - 1);
  const std::size_t row = std::min(static_cast<std::size_t>(place), kProbabilities - 2);
  const std::size_t column = column_of(table, separation);
  const double down = place - double(row);
  const double right =
      (separation - table.separation[column]) / (table.separation[column + 1] - table.separation[column]);
  const double upper = std::lerp(table.bits[row][column], table.bits[row][column + 1], right);
  const double lower = std::lerp(table.bits[row + 1][column], table.bits[row + 1][column + 1], right);
  return std::lerp(upper, lower, down);
}

double trial_information_bits(double p, double rate_if, double rate_if_not, unsigned n) {
  if (!is_open(p) || n == 0 || rate_if == rate_if_not) return 0;
  constexpr double kLeastRate = 1e-12;
  const double yes = std::clamp(rate_if, kLeastRate, 1 - kLeastRate);
  const double no = std::clamp(rate_if_not, kLeastRate, 1 - kLeastRate);
  const double step_if = std::log(yes) - std::log1p(-yes);
  const double step_if_not = std::log(no) - std::log1p(-no);
  double log_if = n * std::log1p(-yes);  // of k failures, in one order of them
  double log_if_not = n * std::log1p(-no);
  double log_ways = 0;  // n over k
  double left_open = 0;
  for (unsigned k = 0; k <= n; ++k) {
    const double so = p * std::exp(log_ways + log_if);
    const double not_so = (1 - p) * std::exp(log_ways + log_if_not);
    if (so + not_so > 0) left_open += (so + not_so) * entropy_bits(so / (so + not_so));
    log_ways += std::log(double(n - k) / double(k + 1));
    log_if += step_if;
    log_if_not += step_if_not;
  }
  return std::max(0., entropy_bits(p) - left_open);
}

}  // namespace kilter::analyse
