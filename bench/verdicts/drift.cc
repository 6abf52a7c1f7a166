// Part "drift": why runs are interleaved. The machine's speed wanders while the runs are made.
#include "verdicts/part.h"
#include "verdicts/rules.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace kilter::verdicts {
namespace {

constexpr double kRunScale = 0.005;
constexpr std::size_t kBatch = 500;

double no_drift(std::size_t, std::size_t, double, Random&) {
  return 0;
}

// AR(1) of standard deviation 1 %: the next value from the last.
template <int hundredths>
double wandering(std::size_t run, std::size_t, double last, Random& random) {
  constexpr double kMemory = hundredths / 100.0;
  if (run == 0) return 0.01 * normal(random);
  return kMemory * last + 0.01 * std::sqrt(1 - kMemory * kMemory) * normal(random);
}

double getting_slower(std::size_t run, std::size_t runs, double, Random&) {
  return 0.02 * static_cast<double>(run) / static_cast<double>(runs - 1);
}

struct Drift {
  std::string_view name;
  double (*next)(std::size_t run, std::size_t runs, double last, Random& random);
};
constexpr std::array kDrifts = {Drift{"none", no_drift}, Drift{"wanders, AR .8", wandering<80>},
                                Drift{"wanders, AR .97", wandering<97>}, Drift{"2 % slower", getting_slower}};

bool is_b(std::size_t run, std::size_t runs, bool interleaved) {
  return interleaved ? run % 4 == 1 || run % 4 == 2 : run >= runs / 2;
}

Experiment draw_session(const Drift& drift, std::size_t runs, bool interleaved, Random& random) {
  Experiment session;
  double level = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    level = drift.next(run, runs, level, random);
    (is_b(run, runs, interleaved) ? session.b : session.a)
        .push_back(1000 * std::exp(level + kRunScale * normal(random)));
  }
  return session;
}

struct FalseRates {
  double welch = 0;
  double rec = 0;
};

FalseRates rates_of(const Drift& drift, std::size_t runs, bool interleaved, std::size_t tries) {
  const std::size_t batches = (tries + kBatch - 1) / kBatch;
  const std::vector<FalseRates> all = in_parallel<FalseRates>(batches, 3, [&](Random& random) {
    FalseRates rates;
    for (std::size_t i = 0; i < kBatch; ++i) {
      const Experiment session = draw_session(drift, runs, interleaved, random);
      rates.welch += welch_of_logarithms(session.a, session.b) < 0.05 ? 1 : 0;
      rates.rec += rec_of(session).p < 0.05 ? 1 : 0;
    }
    return rates;
  });
  FalseRates means;
  for (const FalseRates& rates : all) {
    means.welch += rates.welch / static_cast<double>(batches * kBatch);
    means.rec += rates.rec / static_cast<double>(batches * kBatch);
  }
  return means;
}

}  // namespace

void run_drift(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(10'000, 500);
  fmt::print("false positives at level .05, no change, no history\n{:<16} {:>4} {:>14} {:>9} {:>13} {:>9}\n",
             "drift", "runs", "AAABBB: Welch", "REC", "ABBA: Welch", "REC");
  for (const Drift& drift : kDrifts)
    for (const std::size_t runs : {4U, 6U, 10U}) {
      const FalseRates apart = rates_of(drift, 2 * runs, false, tries);
      const FalseRates mixed = rates_of(drift, 2 * runs, true, tries);
      fmt::print("{:<16} {:>4} {:>13.1f}% {:>8.1f}% {:>12.1f}% {:>8.1f}%\n", drift.name, runs,
                 100 * apart.welch, 100 * apart.rec, 100 * mixed.welch, 100 * mixed.rec);
      gates.at_most(fmt::format("drift: {}, {} runs in ABBA blocks, REC at .05", drift.name, runs), mixed.rec,
                    0.06 + sampling_margin(0.06, static_cast<double>(tries)));
    }
}

}  // namespace kilter::verdicts
