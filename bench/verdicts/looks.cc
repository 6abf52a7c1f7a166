// Part "looks": data looked at again and again while they grow.
#include "analyse/looks.h"

#include "verdicts/noise.h"
#include "verdicts/part.h"

#include <fmt/core.h>

#include <array>
#include <string>

namespace kilter::verdicts {
namespace {

constexpr std::size_t kBatch = 250;
constexpr std::size_t kMostRuns = analyse::kLooks.back();
constexpr std::size_t kHistoryRuns = 5;

// The builds of one series are known to add nothing: what the published figures assume.
constexpr analyse::RecPriors kNoBuildEffect = {.build_ratio = {.value = 1, .df = 1e12}};

struct Sequence {
  double level = 0.01;
  double effect = 0;
  double minimal_effect = 0;
  double build = 0;    // scale of what a build adds
  bool naive = false;  // each look at the whole level
  analyse::RecPriors priors = kNoBuildEffect;
};

struct Ends {
  double changed = 0;
  double same = 0;
  double runs = 0;
};

Experiment first_runs(const Experiment& all, std::size_t runs) {
  Experiment part{.builds = all.builds};
  part.a.assign(all.a.begin(), all.a.begin() + static_cast<std::ptrdiff_t>(runs));
  part.b.assign(all.b.begin(), all.b.begin() + static_cast<std::ptrdiff_t>(runs));
  return part;
}

Experiment draw_sequence(const Sequence& sequence, Random& random) {
  const NoiseModel noise{
      .name = "gauss", .scale = 0.01, .draw = noise_models()[1].draw, .build = sequence.build};
  Experiment all =
      draw_experiment(noise, {.runs = kMostRuns, .history = 0, .effect = sequence.effect}, random);
  all.builds = draw_experiment(noise, {.runs = kHistoryRuns}, random).builds;
  return all;
}

// One campaign, from the first look to its end.
void run_sequence(const Sequence& sequence, Random& random, Ends& ends) {
  const Experiment all = draw_sequence(sequence, random);
  const analyse::AnswerRule rule{
      .level = sequence.naive ? sequence.level / analyse::kLookShare : sequence.level,
      .minimal_effect = sequence.minimal_effect};
  std::optional<std::size_t> runs = analyse::next_look(0);
  while (runs) {
    const analyse::Look now = analyse::look(rec_of(first_runs(all, *runs), sequence.priors), rule);
    ends.changed += now.answer == analyse::Answer::changed ? 1 : 0;
    ends.same += now.answer == analyse::Answer::same ? 1 : 0;
    if (!now.next) ends.runs += static_cast<double>(*runs);
    runs = now.next;
  }
}

Ends ends_of(const Sequence& sequence, std::size_t tries) {
  const std::size_t batches = (tries + kBatch - 1) / kBatch;
  const std::vector<Ends> all = in_parallel<Ends>(batches, 5, [&](Random& random) {
    Ends ends;
    for (std::size_t i = 0; i < kBatch; ++i) run_sequence(sequence, random, ends);
    return ends;
  });
  Ends means;
  for (const Ends& ends : all) {
    const double share = 1 / static_cast<double>(batches * kBatch);
    means.changed += share * ends.changed;
    means.same += share * ends.same;
    means.runs += share * ends.runs;
  }
  return means;
}

void run_null_sequences(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(40'000, 500);
  fmt::print(
      "false positives of whole sequences of looks at 3, 5, 8, 12, 20 runs\n{:>6} {:>12} {:>9} {:>16} "
      "{:>13}\n",
      "level", "naive looks", "kilter's", "builds learnt", "build effect");
  for (const double level : {0.05, 0.01, 0.001}) {
    const double naive = ends_of({.level = level, .naive = true}, tries).changed;
    const double ours = ends_of({.level = level}, tries).changed;
    const double learnt = ends_of({.level = level, .priors = {}}, tries).changed;
    const double builds = ends_of({.level = level, .build = 0.003, .priors = {}}, tries).changed;
    fmt::print("{:>6} {:>11.2f}% {:>8.2f}% {:>15.2f}% {:>12.2f}%\n", level, 100 * naive, 100 * ours,
               100 * learnt, 100 * builds);
    const double bound = level + sampling_margin(level, static_cast<double>(tries));
    gates.at_most(fmt::format("looks: false positives of a sequence at {}", level), ours, bound);
    gates.at_most(fmt::format("looks: the same, builds learnt, at {}", level), learnt, bound);
  }
}

struct KnownRuns {
  double effect = 0;
  double runs = 0;  // mean until decided
};
// With looks held to .36 of the level instead: 3.9, 7.1, 11.3 and 16.5, and 1.2 % false.
constexpr std::array kKnownRuns = {KnownRuns{0.03, 4.1}, KnownRuns{0.02, 7.5}, KnownRuns{0.015, 11.9},
                                   KnownRuns{0.01, 17.0}};
constexpr double kRunsSlack = 1.03;

void run_effects(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(10'000, 500);
  const double slack = settings.quick ? 1.1 : kRunsSlack;
  fmt::print("level .01, scatter 1 %\n{:>6} {:>8} {:>10} {:>15} {:>10}\n", "effect", "found", "runs/side",
             "builds: found", "runs/side");
  for (const KnownRuns& known : kKnownRuns) {
    const Ends ends = ends_of({.effect = known.effect}, tries);
    const Ends learnt = ends_of({.effect = known.effect, .priors = {}}, tries);
    fmt::print("{:>5.1f}% {:>7.1f}% {:>10.1f} {:>14.1f}% {:>10.1f}\n", 100 * known.effect, 100 * ends.changed,
               ends.runs, 100 * learnt.changed, learnt.runs);
    gates.at_most(fmt::format("looks: runs a side until {:.1f} % is decided", 100 * known.effect), ends.runs,
                  known.runs * slack);
  }
}

// Stopping early for "same": how often, how soon, and how often wrongly.
void run_sames(const Settings& settings, Gates& gates) {
  const std::size_t tries = settings.tries(10'000, 500);
  fmt::print("minimal effect 2 %, scatter 1 %\n{:>6} {:>8} {:>8} {:>10}\n", "effect", "changed", "same",
             "runs/side");
  for (const double effect : {0.0, 0.005, 0.02, 0.03}) {
    const Ends ends = ends_of({.effect = effect, .minimal_effect = 0.02}, tries);
    fmt::print("{:>5.1f}% {:>7.2f}% {:>7.2f}% {:>10.1f}\n", 100 * effect, 100 * ends.changed, 100 * ends.same,
               ends.runs);
    if (effect == 0.02)
      gates.at_most("looks: a change of the minimal effect called same", ends.same,
                    0.02 + sampling_margin(0.02, static_cast<double>(tries)));
  }
}

}  // namespace

void run_looks(const Settings& settings, Gates& gates) {
  run_null_sequences(settings, gates);
  run_effects(settings, gates);
  run_sames(settings, gates);
}

}  // namespace kilter::verdicts
