// Part "changes": change points in histories. Labelled series, series of pure noise, steps of known size.
#include "analyse/change_points.h"
#include "verdicts/detectors.h"
#include "verdicts/noise.h"
#include "verdicts/part.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace kilter::verdicts {
namespace {

constexpr std::size_t kNoisePoints = 1000;
constexpr double kNoiseLevel = 1000;
constexpr double kNoiseScale = 0.01;

// --- The labelled series

struct DetectorScore {
  double f1 = 0;
  double covering = 0;
  std::size_t traps_alarmed = 0;  // series without a change in which one was found
  std::size_t found = 0;
};

DetectorScore detector_score(const Detector& detector, std::span<const LabelledSeries> all) {
  DetectorScore score;
  for (const LabelledSeries& series : all) {
    const Breaks found = detector.find(series.values);
    score.f1 += f1(series.truth, found) / static_cast<double>(all.size());
    score.covering += covering(series.truth, found, series.values.size()) / static_cast<double>(all.size());
    score.traps_alarmed += series.truth.empty() && !found.empty() ? 1 : 0;
    score.found += found.size();
  }
  return score;
}

void score_labelled(Gates& gates) {
  const std::vector<LabelledSeries> all = read_labelled_series(LABELLED_SERIES);
  fmt::print("{} labelled series of SAP HANA\n{:<28} {:>6} {:>9} {:>7} {:>14}\n", all.size(), "detector",
             "F1", "covering", "changes", "traps alarmed");
  for (const Detector& detector : detectors()) {
    const DetectorScore score = detector_score(detector, all);
    fmt::print("{:<28} {:>6.3f} {:>9.3f} {:>7} {:>14}\n", detector.name, score.f1, score.covering,
               score.found, score.traps_alarmed);
    if (&detector != detectors().data()) continue;
    gates.at_least("changes: F1 on the labelled series", score.f1, all.empty() ? 2 : 1);
    gates.at_most("changes: alarms on the 20 trap series", static_cast<double>(score.traps_alarmed), 0);
  }
}

// --- Noise

struct SeriesNoise {
  std::string_view name;
  double (*next)(double last, Random& random);  // of variance 1
  double most_alarms = 0;                       // per 1,000 points; 0: shown, not judged
};

double next_gauss(double, Random& random) {
  return normal(random);
}
double next_remembering(double last, Random& random) {
  return 0.5 * last + std::sqrt(0.75) * normal(random);
}
double next_heavy(double, Random& random) {
  return student_t(3, random) / std::sqrt(3.0);
}
double next_of_two_modes(double, Random& random) {
  return 0.3 * normal(random) + (uniform(0, 1, random) < 0.3 ? 2.0 : 0);
}
double next_spiky(double, Random& random) {
  return normal(random) + (uniform(0, 1, random) < 0.03 ? uniform(5, 30, random) : 0);
}

constexpr std::array kNoises = {SeriesNoise{"gauss", next_gauss, 0.1},
                                SeriesNoise{"AR .5", next_remembering, 0.1}, SeriesNoise{"t3", next_heavy},
                                SeriesNoise{"two modes", next_of_two_modes},
                                SeriesNoise{"spikes, 3 %", next_spiky}};

std::vector<double> draw_series(const SeriesNoise& noise, std::size_t points, Random& random) {
  std::vector<double> values;
  double last = normal(random);
  for (std::size_t i = 0; i < points; ++i) {
    last = noise.next(last, random);
    values.push_back(kNoiseLevel * std::exp(kNoiseScale * last));
  }
  return values;
}

// Changes found in `series` times 1,000 points of noise.
std::vector<double> false_alarms(const SeriesNoise& noise, std::size_t series) {
  using Counts = std::array<double, 16>;
  const std::vector<Counts> all = in_parallel<Counts>(series, 41, [&](Random& random) {
    const std::vector<double> values = draw_series(noise, kNoisePoints, random);
    Counts counts{};
    for (std::size_t i = 0; i < detectors().size(); ++i)
      counts[i] = static_cast<double>(detectors()[i].find(values).size());
    return counts;
  });
  std::vector<double> rates(detectors().size());
  for (const Counts& counts : all)
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += counts[i] / static_cast<double>(series);
  return rates;
}

void count_false_alarms(const Settings& settings, Gates& gates) {
  const std::size_t series = settings.tries(500, 8);
  fmt::print("\nfalse alarms per 1,000 points, {} series of 1,000\n{:<28}", series, "detector");
  std::vector<std::vector<double>> rates;
  for (const SeriesNoise& noise : kNoises) {
    fmt::print(" {:>12}", noise.name);
    rates.push_back(false_alarms(noise, series));
    if (noise.most_alarms > 0)
      gates.at_most(fmt::format("changes: alarms per 1,000 points of {}", noise.name), rates.back()[0],
                    noise.most_alarms);
  }
  for (std::size_t i = 0; i < detectors().size(); ++i) {
    fmt::print("\n{:<28}", detectors()[i].name);
    for (const std::vector<double>& rate : rates) fmt::print(" {:>12.3f}", rate[i]);
  }
  fmt::print("\n");
}

// --- Steps

struct StepFound {
  double suspected = 0;  // with five points on the new level
  double seen = 0;       // the same, when asked with changes()
  double confirmed = 0;  // with twenty
};

bool is_there(std::size_t index, std::size_t truth) {
  return std::max(index, truth) - std::min(index, truth) <= analyse::kSamePlace;
}

bool is_among(const std::vector<analyse::ChangePoint>& changes, std::size_t truth) {
  return std::ranges::any_of(
      changes, [truth](const analyse::ChangePoint& change) { return is_there(change.index, truth); });
}

StepFound find_step(double size, Random& random) {
  constexpr std::size_t kWithin = 5;
  constexpr std::size_t kLater = 20;
  const std::size_t at = static_cast<std::size_t>(uniform(50, 500, random));
  StepFound found;
  analyse::SeriesHistory history;
  for (std::size_t i = 0; i < at + kLater; ++i) {
    history.append(kNoiseLevel * std::exp(kNoiseScale * (normal(random) + (i >= at ? size : 0))));
    const bool soon = i >= at && i < at + kWithin;
    if (soon && history.newest_suspect() && is_there(*history.newest_suspect(), at)) found.suspected = 1;
    if (i + 1 != at + kWithin) continue;
    const analyse::Changes changes = history.changes();
    found.seen = is_among(changes.suspects, at) || is_among(changes.confirmed, at) ? 1 : 0;
  }
  found.confirmed = is_among(history.changes().confirmed, at) ? 1 : 0;
  return found;
}

void find_steps(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(5000, 100);
  fmt::print("\nsteps after 50 to 500 points of gaussian noise, found in % of {}\n", tries);
  fmt::print("{:>6} {:>24} {:>24} {:>26}\n", "size", "watched, within 5 points", "suspect after 5 points",
             "confirmed after 20 points");
  for (const double size : {1.0, 1.5, 2.0, 3.0, 5.0, 10.0}) {
    const std::vector<StepFound> all =
        in_parallel<StepFound>(tries, 43, [size](Random& random) { return find_step(size, random); });
    StepFound mean;
    for (const StepFound& found : all) {
      mean.suspected += found.suspected / static_cast<double>(tries);
      mean.seen += found.seen / static_cast<double>(tries);
      mean.confirmed += found.confirmed / static_cast<double>(tries);
    }
    fmt::print("{:>6} {:>24.1f} {:>24.1f} {:>26.1f}\n", size, 100 * mean.suspected, 100 * mean.seen,
               100 * mean.confirmed);
    if (size != 3) continue;
    gates.at_least("changes: steps of 3 sigma, watched, within 5 points", mean.suspected, 0.95);
    gates.at_least("changes: steps of 3 sigma, suspect after 5 points", mean.seen, 0.95);
  }
}

// --- Time

// Of this thread: other work on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void time_appends(const Settings& settings, Gates& gates) {
  Random random(44);
  const std::vector<double> values = draw_series(kNoises[0], settings.tries(100'000, 3000), random);
  const double start = cpu_seconds();
  analyse::SeriesHistory history;
  for (const double value : values) history.append(value);
  const double microseconds = 1e6 * (cpu_seconds() - start) / static_cast<double>(values.size());
  fmt::print("\nappending a point, watched: {:.2f} us on average over {}\n", microseconds, values.size());
  if (settings.quick) return;  // may be a build without optimisation
  gates.at_most("changes: microseconds to append a point", microseconds, 20);
}

// 100,000 series of 500 points within 60 s on two cores.
void time_scan(const Settings& settings, Gates& gates) {
  constexpr double kAll = 100'000;
  constexpr double kCores = 2;
  const std::size_t series = settings.tries(2000, 20);
  const std::vector<double> seconds = in_parallel<double>(series, 45, [](Random& random) {
    std::vector<double> values = draw_series(kNoises[0], 500, random);
    const std::size_t at = static_cast<std::size_t>(uniform(50, 450, random));
    for (std::size_t i = at; i < values.size(); ++i) values[i] *= uniform(0, 1, random) < 0.5 ? 1.02 : 1.021;
    const double start = cpu_seconds();
    const analyse::Changes changes = analyse::change_points(values);
    return changes.skipped > 0 ? 1e9 : cpu_seconds() - start;
  });
  double sum = 0;
  for (const double each : seconds) sum += each;
  const double projected = sum / static_cast<double>(series) * kAll / kCores;
  fmt::print("a series of 500 points: {:.3f} ms; 100,000 on two cores: {:.1f} s\n",
             1e3 * sum / static_cast<double>(series), projected);
  if (settings.quick) return;
  gates.at_most("changes: seconds for 100,000 series of 500 points, 2 cores", projected, 60);
}

}  // namespace

void run_changes(const Settings& settings, Gates& gates) {
  score_labelled(gates);
  count_false_alarms(settings, gates);
  find_steps(settings, gates);
  time_appends(settings, gates);
  time_scan(settings, gates);
}

}  // namespace kilter::verdicts
