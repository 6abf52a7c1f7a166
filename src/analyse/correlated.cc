#include "analyse/correlated.h"

#include "analyse/distributions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace kilter::analyse {
namespace {

constexpr double kChancePairs = 0.01;       // expected in one report
constexpr std::size_t kMostResiduals = 32;  // later runs are not looked at
constexpr std::size_t kHead = 8;
constexpr double kDust = 1e-12;  // scatter below this share of the values is rounding

// Which runs a metric has: metrics are compared only when they agree in it.
struct RunShape {
  std::vector<bool> present;
  std::size_t blocks = 0;
  auto operator<=>(const RunShape&) const = default;
};

struct RunResiduals {
  RunShape shape;
  std::vector<double> values;  // of unit length; empty: nothing to compare
};

// Appends what is present of `block`, about its mean. Returns the sum of its squares.
double append_centred(std::span<const double> block, RunResiduals& residuals) {
  const std::size_t first = residuals.values.size();
  double sum = 0;
  double squares = 0;
  for (const double value : block) {
    residuals.shape.present.push_back(std::isfinite(value));
    if (!residuals.shape.present.back()) continue;
    residuals.values.push_back(value);
    sum += value;
    squares += value * value;
  }
  const double average = sum / static_cast<double>(residuals.values.size() - first);
  for (std::size_t i = first; i < residuals.values.size(); ++i) residuals.values[i] -= average;
  return squares;
}

RunResiduals residuals_of(RunBlocks blocks) {
  RunResiduals residuals;
  double squares = 0;
  for (const std::span<const double> block : blocks) {
    if (residuals.values.size() >= kMostResiduals) break;
    squares += append_centred(block, residuals);
    ++residuals.shape.blocks;
  }
  const double length = std::sqrt(
      std::inner_product(residuals.values.begin(), residuals.values.end(), residuals.values.begin(), 0.0));
  if (length > kDust * std::sqrt(squares) && std::isfinite(length))
    for (double& value : residuals.values) value /= length;
  else
    residuals.values.clear();
  return residuals;
}

// The |r| from which on two of `count` metrics are copies; 2 when no r is enough.
double least_correlation(const RunShape& shape, std::size_t runs, std::size_t count) {
  if (runs < shape.blocks + 2 || count < 2) return 2;
  const double df = static_cast<double>(runs - shape.blocks - 1);
  const double pairs = static_cast<double>(count) * static_cast<double>(count - 1) / 2;
  const double t = student_t_upper_quantile(std::min(0.5, kChancePairs / pairs / 2), df);
  return std::max(kCopyCorrelation, 1 / std::sqrt(1 + df / (t * t)));
}

// Union by the lower index.
class CopyGroups {
 public:
  explicit CopyGroups(std::size_t size) : speakers_(size) {
    std::iota(speakers_.begin(), speakers_.end(), std::size_t(0));
  }

  [[nodiscard]] std::size_t speaker(std::size_t of) {
    while (speakers_[of] != of) of = speakers_[of] = speakers_[speakers_[of]];
    return of;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = speaker(a);
    const std::size_t second = speaker(b);
    speakers_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::size_t> speakers_;
};

// Metrics of one shape, in the order of one coordinate's size: copies are neighbours there.
struct CopyCandidate {
  std::size_t index = 0;
  std::span<const double> values;
  double head_square = 0;  // of the first kHead values

  [[nodiscard]] std::span<const double> head() const { return values.first(std::min(values.size(), kHead)); }
  [[nodiscard]] double place() const { return std::abs(values.front()); }
};

double product(std::span<const double> u, std::span<const double> v) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
  return sum;
}

// Is |u - v|^2 or |u + v|^2 within the limit? The first few values nearly always say no.
bool is_copy(const CopyCandidate& u, const CopyCandidate& v, double limit) {
  const double of_heads = std::abs(product(u.head(), v.head()));
  if (u.head_square + v.head_square - 2 * of_heads > limit) return false;
  return 2 - 2 * std::abs(product(u.values, v.values)) <= limit;
}

void join_copies(std::vector<CopyCandidate>& candidates, double least, CopyGroups& groups) {
  const double limit = 2 * (1 - least) + kDust;  // |u - v|^2 = 2 (1 - r)
  const double window = std::sqrt(limit);
  std::ranges::sort(candidates, {}, &CopyCandidate::place);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    for (std::size_t j = i + 1; j < candidates.size(); ++j) {
      if (candidates[j].place() - candidates[i].place() > window) break;
      if (is_copy(candidates[i], candidates[j], limit)) groups.join(candidates[i].index, candidates[j].index);
    }
}

}  // namespace

std::vector<std::size_t> correlated_groups(std::span<const RunBlocks> metrics) {
  std::vector<RunResiduals> residuals;
  std::map<RunShape, std::vector<CopyCandidate>> shapes;
  residuals.reserve(metrics.size());
  for (std::size_t index = 0; index < metrics.size(); ++index) {
    residuals.push_back(residuals_of(metrics[index]));
    const std::vector<double>& values = residuals.back().values;
    if (values.empty()) continue;
    CopyCandidate candidate{.index = index, .values = values};
    candidate.head_square = product(candidate.head(), candidate.head());
    shapes[residuals.back().shape].push_back(candidate);
  }
  CopyGroups groups(metrics.size());
  for (auto& [shape, candidates] : shapes) {
    const std::size_t runs = residuals[candidates.front().index].values.size();
    const double least = least_correlation(shape, runs, candidates.size());
    if (least < 1) join_copies(candidates, least, groups);
  }
  std::vector<std::size_t> speakers;
  for (std::size_t index = 0; index < metrics.size(); ++index) speakers.push_back(groups.speaker(index));
  return speakers;
}

}  // namespace kilter::analyse
