// Parts "null" and "power": how often each rule says "changed" of one metric.
#include "verdicts/part.h"
#include "verdicts/rules.h"

#include <fmt/core.h>

#include <array>

namespace kilter::verdicts {
namespace {

constexpr std::size_t kBatch = 100;  // tries on one generator

// A test at a level.
struct ShownRate {
  std::string_view name;
  std::size_t test = 0;  // of tests()
  double level = 0;
};
constexpr std::array kShown = {ShownRate{"LKP", 0, 0.5},        ShownRate{"Welch .05", 1, 0.05},
                               ShownRate{"Welch .01", 1, 0.01}, ShownRate{"ranks .05", 2, 0.05},
                               ShownRate{"ranks .01", 2, 0.01}, ShownRate{"REC .05", 3, 0.05},
                               ShownRate{"REC .01", 3, 0.01},   ShownRate{"REC .001", 3, 0.001}};
constexpr std::size_t kRecAtHundredth = 6;

using Counts = std::array<double, kShown.size()>;

Counts count_changed(const NoiseModel& noise, const ExperimentPlan& plan, Random& random) {
  Counts counts{};
  for (std::size_t i = 0; i < kBatch; ++i) {
    const Experiment experiment = draw_experiment(noise, plan, random);
    std::vector<double> p;
    for (const Test& test : tests()) p.push_back(test.p(experiment));
    for (std::size_t column = 0; column < kShown.size(); ++column)
      counts[column] += p[kShown[column].test] < kShown[column].level ? 1 : 0;
  }
  return counts;
}

// Another one for each kind of noise, so that no two rows say the same thing twice.
std::uint64_t seed_of(const NoiseModel& noise, const ExperimentPlan& plan) {
  const auto place = &noise - noise_models().data();
  return static_cast<std::uint64_t>(place) * 100 + plan.runs;
}

// The share of `tries` that each test calls changed.
Counts rates_of(const NoiseModel& noise, const ExperimentPlan& plan, std::size_t tries) {
  const std::size_t batches = (tries + kBatch - 1) / kBatch;
  const std::vector<Counts> counts = in_parallel<Counts>(
      batches, seed_of(noise, plan), [&](Random& random) { return count_changed(noise, plan, random); });
  Counts rates{};
  for (const Counts& batch : counts)
    for (std::size_t column = 0; column < kShown.size(); ++column)
      rates[column] += batch[column] / static_cast<double>(batches * kBatch);
  return rates;
}

void print_head(std::string_view title) {
  fmt::print("{}\n{:<12} {:>4} {:>6}", title, "noise", "runs", "effect");
  for (const ShownRate& shown : kShown) fmt::print(" {:>9}", shown.name);
  fmt::print("\n");
}

void print_rates(const NoiseModel& noise, const ExperimentPlan& plan, const Counts& rates) {
  fmt::print("{:<12} {:>4} {:>5.1f}%", noise.name, plan.runs, 100 * plan.effect);
  for (const double rate : rates) fmt::print(" {:>8.2f}%", 100 * rate);
  fmt::print("\n");
}

}  // namespace

void run_null_rates(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(40'000, 500);
  print_head("rows called changed although nothing changed (20 builds of history)");
  for (const NoiseModel& noise : noise_models())
    for (const std::size_t runs : {3U, 5U, 8U}) {
      const ExperimentPlan plan{.runs = runs};
      const Counts rates = rates_of(noise, plan, tries);
      print_rates(noise, plan, rates);
      gates.at_most(fmt::format("null: {}, {} runs, REC at .01", noise.name, runs), rates[kRecAtHundredth],
                    noise.known_rate + sampling_margin(noise.known_rate, static_cast<double>(tries)));
    }
}

void run_power(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(4000, 100);
  print_head("rows called changed where b has changed");
  for (const NoiseModel& noise : noise_models())
    for (const std::size_t runs : {3U, 5U, 10U})
      for (const double effect : {0.005, 0.01, 0.02, 0.05}) {
        const ExperimentPlan plan{.runs = runs, .effect = effect};
        const Counts rates = rates_of(noise, plan, tries);
        print_rates(noise, plan, rates);
        // What the resolution at 5 runs promises: 2.64 scales nine times of ten, less what learning of builds
        // costs.
        if (noise.name == "gauss 0.5%" && runs == 5 && effect == 0.02)
          gates.at_least("power: 2 % beside 0.5 % noise, 5 runs, REC at .01", rates[kRecAtHundredth], 0.9);
      }
}

}  // namespace kilter::verdicts
