#include "base/quantity.h"
#include "robot/ab_judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kilter::robot {
namespace {

using model::AbReport;
using model::AbSample;
using model::AbSide;

constexpr std::size_t kFewest = 8;         // samples a side, for a note on their form
constexpr double kFar = 6;                 // robust deviations from the median: an outlier
constexpr double kWithinLevels = 0.15;     // of the variance; a normal sample cut in two keeps .36
constexpr double kSmallestShare = 0.2;     // of the samples, for a level
constexpr double kWorthANote = 0.02;       // of the median
constexpr double kShortExecution = 0.005;  // seconds
constexpr double kDriftT = 4;

struct BuildSpread {
  double median = 0;
  double deviation = 0;  // 1.4826 of the median distance from it
};

double middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

BuildSpread spread(const std::vector<double>& values) {
  if (values.empty()) return {};
  const double median = middle_of(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - median));
  return {.median = median, .deviation = 1.4826 * middle_of(std::move(distances))};
}

// Largest within-to-total ratio at the best cut in two; positions of the levels.
struct Levels {
  double within = 1;  // of the variance
  std::size_t lower = 0;
  std::array<double, 2> means{};
};

Levels best_cut(std::vector<double> values) {
  std::ranges::sort(values);
  const double n = static_cast<double>(values.size());
  const double middle = values[values.size() / 2];  // subtracted, so that squares keep their digits
  double sum = 0;
  double squares = 0;
  for (double& value : values) {
    value -= middle;
    sum += value;
    squares += value * value;
  }
  Levels best;
  const double total = squares - sum * sum / n;
  double left = 0;
  for (std::size_t i = 1; i < values.size() && total > 0; ++i) {
    left += values[i - 1];
    const double k = static_cast<double>(i);
    const double between = left * left / k + (sum - left) * (sum - left) / (n - k) - sum * sum / n;
    const double within = 1 - between / total;
    if (within < best.within)
      best = {.within = within, .lower = i, .means = {left / k + middle, (sum - left) / (n - k) + middle}};
  }
  return best;
}

class AbNotes {
 public:
  explicit AbNotes(const AbReport& report) : report_(report) {}

  std::vector<std::string> all() {
    add_failures();
    add_small();
    add_levels();
    add_drift();
    if (report_.tested && report_.paired)
      notes_.emplace_back("the machine's speed wandered, so each sample was compared with its neighbour");
    add_outliers();
    add_slow_first();
    add_lengths();
    add_short();
    if (report_.tested && report_.absolute)
      notes_.emplace_back("some values are not positive: the effect is relative to the median of A");
    return std::move(notes_);
  }

 private:
  [[nodiscard]] std::vector<const AbSample*> samples_of(AbSide side) const {
    std::vector<const AbSample*> found;
    for (const AbSample& sample : report_.samples)
      if (sample.side == side && std::isfinite(sample.value)) found.push_back(&sample);
    return found;
  }

  void add_failures() {
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      int failures = 0;
      int executions = 0;
      for (const AbSample& sample : report_.samples) {
        if (sample.side != side) continue;
        failures += sample.failures;
        executions += sample.executions;
      }
      if (failures > 0)
        notes_.push_back(
            fmt::format("{} of {} executions of {} failed", failures, executions, model::side_name(side)));
    }
  }

  void add_small() {
    if (report_.significant && std::abs(report_.effect) < report_.delta)
      notes_.push_back(fmt::format("the difference is real, and smaller than the {:.3g} % of --delta",
                                   100 * report_.delta));
  }

  void add_levels() {
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      const std::vector<double> values = report_.values(side);
      if (values.size() < kFewest) continue;
      const Levels levels = best_cut(values);
      const std::size_t smaller = std::min(levels.lower, values.size() - levels.lower);
      const double apart = (levels.means[1] - levels.means[0]) / std::abs(levels.means[0]);
      if (levels.within > kWithinLevels || !(apart > kWorthANote) ||
          static_cast<double>(smaller) < std::max(3.0, kSmallestShare * static_cast<double>(values.size())))
        continue;
      notes_.push_back(fmt::format("{} has two levels: {} samples about {:.4g}{}, {} about {:.4g}{}",
                                   model::side_name(side), levels.lower, levels.means[0], unit(),
                                   values.size() - levels.lower, levels.means[1], unit()));
    }
  }

  [[nodiscard]] std::string unit() const { return report_.unit.empty() ? "" : " " + report_.unit; }

  // The trend of all samples about their side's median, in the order in which they were taken.
  void add_drift() {
    std::vector<double> y;
    const std::array<BuildSpread, 2> sides = {spread(report_.values(AbSide::a)),
                                              spread(report_.values(AbSide::b))};
    for (const AbSample& sample : report_.samples) {
      const double median = sides[static_cast<std::size_t>(sample.side)].median;
      if (median > 0 && std::isfinite(sample.value)) y.push_back(sample.value / median - 1);
    }
    if (y.size() < 2 * kFewest) return;
    const double n = static_cast<double>(y.size());
    double mean = 0;
    for (const double value : y) mean += value / n;
    double sxy = 0;
    double syy = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sxy += (static_cast<double>(i) - (n - 1) / 2) * (y[i] - mean);
      syy += (y[i] - mean) * (y[i] - mean);
    }
    const double sxx = n * (n * n - 1) / 12;
    const double r2 = syy > 0 ? sxy * sxy / (sxx * syy) : 0;
    const double t = std::sqrt(r2 * (n - 2) / std::max(1 - r2, 1e-12));
    const double whole = sxy / sxx * (n - 1);
    if (t >= kDriftT && std::abs(whole) > kWorthANote)
      notes_.push_back(fmt::format(
          "both drifted together, by {:+.1f} % from first to last; the order ABBA keeps it out of the effect",
          100 * whole));
  }

  void add_outliers() {
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      const std::vector<double> values = report_.values(side);
      if (values.size() < kFewest) continue;
      const BuildSpread typical = spread(values);
      const double far = std::max(kFar * typical.deviation, kWorthANote * std::abs(typical.median));
      std::size_t count = 0;
      double farthest = typical.median;
      for (const double value : values) {
        if (std::abs(value - typical.median) <= far) continue;
        ++count;
        if (std::abs(value - typical.median) > std::abs(farthest - typical.median)) farthest = value;
      }
      if (count == 0 || static_cast<double>(count) > kSmallestShare * static_cast<double>(values.size()))
        continue;
      notes_.push_back(
          fmt::format("{} of {} samples of {} lie far out, the farthest at {:.4g}{} (median {:.4g}{})", count,
                      values.size(), model::side_name(side), farthest, unit(), typical.median, unit()));
    }
  }

  void add_slow_first() {
    int slow = 0;
    double excess = 0;
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      const std::vector<const AbSample*> samples = samples_of(side);
      if (samples.size() < kFewest) return;
      std::vector<double> walls;
      for (const AbSample* sample : samples) walls.push_back(sample->wall);
      const BuildSpread typical = spread(walls);
      const double over = walls.front() - typical.median;
      if (over > kFar * typical.deviation && over > kWorthANote * typical.median) ++slow;
      excess += over / typical.median / 2;
    }
    if (slow == 2)
      notes_.push_back(
          fmt::format("the first sample of each took {:.0f} % longer than the others: --warmup {}",
                      100 * excess, 2 * report_.repeat + 1));
  }

  // The same length in every sample of a side, and another one on the other side.
  void add_lengths() {
    std::array<double, 2> length{};
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      const std::vector<const AbSample*> samples = samples_of(side);
      if (samples.empty()) return;
      length[static_cast<std::size_t>(side)] = samples.front()->output_bytes;
      for (const AbSample* sample : samples)
        if (sample->output_bytes != samples.front()->output_bytes) return;
    }
    if (length[0] != length[1])
      notes_.push_back(fmt::format("A prints {}, B {}: do they do the same work?", format_bytes(length[0]),
                                   format_bytes(length[1])));
  }

  void add_short() {
    if (!report_.is_time || report_.samples.empty()) return;
    std::vector<double> walls;
    for (const AbSample& sample : report_.samples) walls.push_back(sample.wall);
    const double typical = middle_of(std::move(walls));
    if (typical >= kShortExecution) return;
    notes_.push_back(
        fmt::format("an execution takes {:.2g} ms, much of it starting a process: that is not subtracted{}",
                    1000 * typical,
                    report_.repeat > 1 ? fmt::format(" (a sample is the mean of {})", report_.repeat)
                                       : "; --repeat 20 makes a sample the mean of 20"));
  }

  const AbReport& report_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> ab_notes(const AbReport& report) {
  return AbNotes(report).all();
}

}  // namespace kilter::robot
