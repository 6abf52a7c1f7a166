#pragma once

#include "analyse/rec.h"
#include "verdicts/tries.h"

#include <span>
#include <string_view>
#include <vector>

// Benchmarks that never were: samples of known noise.
namespace kilter::verdicts {

// How runs scatter, as logarithms about 0.
struct NoiseModel {
  std::string_view name;
  double scale = 0.01;
  double (*draw)(double scale, Random& random);
  double build = 0;  // what each build adds to all its runs
  // The published rates of false positives at level .01 with 3, 5 and 8 runs; the largest of them.
  double known_rate = 0.01;
};
[[nodiscard]] std::span<const NoiseModel> noise_models();

using Samples = std::vector<double>;

// Two sides and the builds before them, as measured (about 1,000).
struct Experiment {
  Samples a;
  Samples b;
  std::vector<Samples> builds;

  [[nodiscard]] std::vector<std::span<const double>> history() const {
    return {builds.begin(), builds.end()};
  }
};

struct ExperimentPlan {
  std::size_t runs = 5;      // a side and a build
  std::size_t history = 20;  // builds
  double effect = 0;         // of b
};
[[nodiscard]] Experiment draw_experiment(const NoiseModel& noise, const ExperimentPlan& plan, Random& random);

[[nodiscard]] double normal(Random& random);
[[nodiscard]] double student_t(double df, Random& random);
[[nodiscard]] double uniform(double low, double high, Random& random);

// kilter's test of an experiment.
[[nodiscard]] analyse::RecResult rec_of(const Experiment& experiment, const analyse::RecPriors& priors = {});

}  // namespace kilter::verdicts
