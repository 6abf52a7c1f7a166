#include "verdicts/noise.h"

#include <array>
#include <cmath>

namespace kilter::verdicts {
namespace {

constexpr double kLevel = 1000;

double gauss(double scale, Random& random) {
  return scale * normal(random);
}

// Heavy tails, of standard deviation `scale`.
double heavy(double scale, Random& random) {
  return scale * student_t(3, random) / std::sqrt(3.0);
}

// 7 % of the runs are 5 to 30 % higher.
double outliers(double scale, Random& random) {
  const double wild = uniform(0, 1, random) < 0.07 ? uniform(0.05, 0.30, random) : 0;
  return scale * normal(random) + wild;
}

// Two modes three scales apart, 70 to 30.
double bimodal(double scale, Random& random) {
  return 0.33 * scale * normal(random) + (uniform(0, 1, random) < 0.3 ? 3 * scale : 0);
}

// Two modes twenty scales apart, even.
double bistable(double scale, Random& random) {
  return scale * normal(random) + (uniform(0, 1, random) < 0.5 ? 20 * scale : 0);
}

// Lognormal.
double skewed(double scale, Random& random) {
  constexpr double kShape = 0.8;
  const double mean = std::exp(kShape * kShape / 2);
  const double deviation = mean * std::sqrt(std::expm1(kShape * kShape));
  return scale * (std::exp(kShape * normal(random)) - mean) / deviation;
}

Samples draw_side(const NoiseModel& noise, std::size_t runs, double shift, Random& random) {
  const double build = noise.build > 0 ? noise.build * normal(random) : 0;
  Samples samples;
  for (std::size_t run = 0; run < runs; ++run)
    samples.push_back(kLevel * std::exp(noise.draw(noise.scale, random) + build + shift));
  return samples;
}

}  // namespace

std::span<const NoiseModel> noise_models() {
  static constexpr std::array kModels = {
      NoiseModel{.name = "gauss 0.5%", .scale = 0.005, .draw = gauss},
      NoiseModel{.name = "gauss 1%", .scale = 0.01, .draw = gauss},
      NoiseModel{.name = "gauss 5%", .scale = 0.05, .draw = gauss},
      NoiseModel{.name = "t3 1%", .scale = 0.01, .draw = heavy, .known_rate = 0.014},
      NoiseModel{.name = "outliers", .scale = 0.005, .draw = outliers, .known_rate = 0.026},
      NoiseModel{.name = "bimodal", .scale = 0.01, .draw = bimodal},
      NoiseModel{.name = "bistable", .scale = 0.01, .draw = bistable},
      NoiseModel{.name = "skewed", .scale = 0.01, .draw = skewed, .known_rate = 0.021},
      NoiseModel{.name = "build 0.5%", .scale = 0.005, .draw = gauss, .build = 0.005, .known_rate = 0.025},
  };
  return kModels;
}

Experiment draw_experiment(const NoiseModel& noise, const ExperimentPlan& plan, Random& random) {
  Experiment drawn{.a = draw_side(noise, plan.runs, 0, random),
                   .b = draw_side(noise, plan.runs, std::log1p(plan.effect), random)};
  for (std::size_t i = 0; i < plan.history; ++i)
    drawn.builds.push_back(draw_side(noise, plan.runs, 0, random));
  return drawn;
}

double normal(Random& random) {
  return std::normal_distribution<double>()(random);
}

double student_t(double df, Random& random) {
  return std::student_t_distribution<double>(df)(random);
}

double uniform(double low, double high, Random& random) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

analyse::RecResult rec_of(const Experiment& experiment, const analyse::RecPriors& priors) {
  const std::vector<std::span<const double>> history = experiment.history();
  return rec_test(analyse::rec_samples({.a = experiment.a, .b = experiment.b, .history = history}).value(),
                  priors);
}

}  // namespace kilter::verdicts
