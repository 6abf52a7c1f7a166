#include "analyse/bisect_step.h"

#include "analyse/bisect_candidates.h"
#include "analyse/bisect_rest.h"
#include "analyse/classic_tests.h"
#include "analyse/information.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace kilter::analyse {
namespace {

constexpr double kDoubtfulNone = .6;    // the rest of a range is not known to stay as it is
constexpr double kDoubtfulAlpha = .02;  // of alpha, where the range shows more than one shift
constexpr std::size_t kMostReferences = 32;
constexpr double kReferenceMass =
    .05;  // commits this unlikely to be past (before) the culprit are as good as ends
constexpr double kLeastGain = 1e-3;  // of what a run at even odds would tell

// A step in the making: the table of contents is bisect_step() below.
class Stepper {
 public:
  Stepper(const BisectState& state, const BisectModel& model, const BisectOptions& options)
      : state_(state), model_(model), options_(options), posterior_(bisect_posterior(state, model)) {}

  [[nodiscard]] BisectStep take() {
    std::variant<BisectRun, BisectAnswer> next = choose();
    return {.posterior = std::move(posterior_), .next = next};
  }

 private:
  using Next = std::variant<BisectRun, BisectAnswer>;

  Next choose() {
    if (const std::optional<BisectRun> run = missing_end()) return *run;
    if (posterior_.none > options_.none_limit) return compare_ends();
    if (const std::optional<CommitSet> found = likely_atom()) return verify(*found);
    if (total_runs(state_) >= options_.most_runs) return best_known();
    if (const std::optional<BisectRun> run = neglected_end()) return *run;
    return look();
  }

  // Both ends have their first runs.
  std::optional<BisectRun> missing_end() const {
    const double good = runs_of(state_, 0).n;
    const double bad = runs_of(state_, state_.last).n;
    const double wanted = std::max(1u, options_.end_runs);
    if (good >= wanted && bad >= wanted) return std::nullopt;
    const bool is_good = good <= bad;
    return BisectRun{.commit = is_good ? 0 : state_.last,
                     .runs = unsigned(wanted - (is_good ? good : bad)),
                     .reason = RunReason::ends};
  }

  Next compare_ends() const {
    const double of_good = side_runs(true);
    const double of_bad = side_runs(false);
    if (std::min(of_good, of_bad) >= options_.end_budget || total_runs(state_) >= options_.most_runs) {
      return refusal();
    }
    return reference(of_good <= of_bad, RunReason::ends);
  }

  BisectAnswer refusal() const {
    return {.kind = BisectAnswer::Kind::no_difference,
            .commits = {1, state_.last, 1 - posterior_.none},
            .pair = evidence(0, state_.last)};
  }

  // Runs that teach the level of one side: of its end, or, where a build is a sample of its own, of the
  // commits next to it.
  BisectRun reference(bool good, RunReason reason) const {
    const std::size_t end = good ? 0 : state_.last;
    BisectRun best{.commit = end, .runs = 1, .reason = reason};
    if (!(build_ratio() > 0)) return best;
    double most = 0;
    for (std::size_t step = 0; step < std::min(state_.last, kMostReferences); ++step) {
      const std::size_t commit = good ? step : state_.last - step;
      if (step > 0 && !is_reference(commit, good)) break;
      if (state_.skipped[commit]) continue;
      for (const unsigned runs : options_.batches) {
        const double rate = weight_gain(commit, runs) / (build_price(commit) + runs * options_.costs.run);
        if (rate <= most) continue;
        most = rate;
        best = {.commit = commit, .runs = runs, .reason = reason};
      }
    }
    return best;
  }

  double weight_gain(std::size_t commit, unsigned more) const {
    const double lam = build_ratio();
    const double n = runs_of(state_, commit).n;
    return (n + more) / (1 + lam * (n + more)) - n / (1 + lam * n);
  }

  double build_price(std::size_t commit) const { return state_.cached[commit] ? 0 : options_.costs.build; }

  bool is_reference(std::size_t commit, bool good) const {
    const double by = probability_by(state_, posterior_, commit) / (1 - posterior_.none);
    return good ? by < kReferenceMass : by > 1 - kReferenceMass;
  }

  // Runs that show the level of one side; of its end alone where builds are alike.
  double side_runs(bool good) const {
    if (!(build_ratio() > 0)) return runs_of(state_, good ? 0 : state_.last).n;
    double sum = 0;
    for (const CommitRuns& runs : state_.tested) {
      const bool is_end = runs.commit == (good ? 0 : state_.last);
      if (is_end || is_reference(runs.commit, good)) sum += runs.n;
    }
    return sum;
  }

  double build_ratio() const {
    const ShiftModel* shift = std::get_if<ShiftModel>(&model_);
    return shift != nullptr ? shift->build_ratio : 0;
  }

  // Commits that no test can tell apart (all between were skipped) and that hold the culprit.
  std::optional<CommitSet> likely_atom() const {
    for (const BisectGap& gap : posterior_.gaps) {
      if (gap.mass < options_.confidence) continue;
      const double width = state_.prior[gap.upto] - state_.prior[gap.after];
      std::size_t before = gap.after;
      for (std::size_t i = gap.after + 1; i <= gap.upto; ++i) {
        if (i != gap.upto && state_.skipped[i]) continue;
        const double mass = gap.mass * (state_.prior[i] - state_.prior[before]) / width;
        if (mass >= options_.confidence) return CommitSet{before + 1, i, mass};
        before = i;
      }
    }
    return std::nullopt;
  }

  // The tested commits that stand for those around a set: nothing that may be the culprit lies between.
  PairEvidence pair_around(const CommitSet& set) const {
    std::size_t parent = set.first - 1;
    std::size_t commit = set.last;
    for (const BisectGap& gap : posterior_.gaps) {
      if (gap.upto < set.last || gap.after >= set.first) continue;
      if (state_.prior[gap.after] == state_.prior[parent]) parent = gap.after;
      if (state_.prior[gap.upto] == state_.prior[commit]) commit = gap.upto;
    }
    return evidence(parent, commit);
  }

  PairEvidence evidence(std::size_t parent, std::size_t commit) const {
    return compare_pair(state_, model_, options_, posterior_, parent, commit);
  }

  Next verify(const CommitSet& found) const {
    const PairEvidence pair = pair_around(found);
    const double parent = runs_of(state_, pair.parent).n;
    const double commit = runs_of(state_, pair.commit).n;
    const double least = std::min(parent, commit);
    const bool one_shift = !another_shift(found);
    const double alpha = one_shift ? options_.alpha : options_.alpha * kDoubtfulAlpha;
    const double budget = one_shift ? pair_budget() : 2 * pair_budget();
    const bool differs = least >= 3 && pair.p < alpha && agrees(pair);
    const bool spent = least >= budget || total_runs(state_) >= options_.most_runs;
    if (differs || spent) return answer(found, pair, differs);
    const double d = std::max(.25, separation());
    return BisectRun{.commit = parent <= commit ? pair.parent : pair.commit,
                     .runs = unsigned(std::clamp(8 / (d * d), 1., 8.)),
                     .reason = RunReason::verification};
  }

  // The rest of the range changes too: one shift is not all there is, and the posterior, which knows of one
  // only, is too sure of itself.
  bool another_shift(const CommitSet& found) const {
    const std::vector<BisectRest> rests = bisect_rests(state_, model_, options_, found, 0);
    return model_has_none() && std::any_of(rests.begin(), rests.end(), [](const BisectRest& rest) {
             return rest.holds_change || rest.none < kDoubtfulNone;
           });
  }

  bool model_has_none() const {
    return std::visit([](const auto& any) { return any.none > 0; }, model_);
  }

  bool agrees(const PairEvidence& pair) const { return pair.difference * posterior_.shift() > 0; }

  double pair_budget() const {
    const double d = std::max(.05, separation());
    return std::max(3., 2 * 16 / (d * d));
  }

  // The shift in units of a run's noise.
  double separation() const {
    if (std::holds_alternative<ShiftModel>(model_)) return std::abs(posterior_.shift()) / posterior_.noise;
    const double rate = (posterior_.good.mean + posterior_.bad.mean) / 2;
    return std::abs(posterior_.shift()) / std::sqrt(std::max(1e-6, rate * (1 - rate)));
  }

  BisectAnswer answer(const CommitSet& found, const PairEvidence& pair, bool verified) const {
    const CommitSet set = smallest_set(state_, posterior_, options_.confidence);
    const CommitSet& commits = set.mass >= options_.confidence ? set : found;
    const bool is_one = commits.first == commits.last;
    return {.kind = is_one ? BisectAnswer::Kind::culprit : BisectAnswer::Kind::one_of,
            .commits = commits,
            .verified = verified,
            .complete = true,
            .pair = pair};
  }

  BisectAnswer best_known() const {
    const CommitSet set = smallest_set(state_, posterior_, options_.confidence);
    const PairEvidence pair = pair_around(set);
    return {.kind = BisectAnswer::Kind::one_of,
            .commits = set,
            .verified = pair.p < options_.alpha && agrees(pair),
            .complete = false,
            .pair = pair};
  }

  // An end that is run too seldom for its level to be trusted.
  std::optional<BisectRun> neglected_end() const {
    const double good = side_runs(true);
    const double bad = side_runs(false);
    if (std::min(good, bad) >= options_.end_share * total_runs(state_)) return std::nullopt;
    return reference(good <= bad, RunReason::reference);
  }

  Next look() const {
    const std::vector<BisectCandidate> candidates = bisect_candidates(state_, posterior_, options_.costs);
    const BisectChoice choice = best_choice(candidates, model_, options_, posterior_);
    if (choice.runs > 0 && choice.rate >= least_rate()) {
      return BisectRun{choice.commit, choice.runs, RunReason::information, choice.bits};
    }
    // Nothing separates: better known levels may help, for a while.
    const bool good = side_runs(true) <= side_runs(false);
    if (side_runs(good) >= options_.end_budget && side_runs(good) * 4 >= total_runs(state_))
      return best_known();
    return reference(good, RunReason::reference);
  }

  double least_rate() const {
    const double d = std::max(.25, separation());
    return kLeastGain * information_bits(.5, d) / (options_.costs.build + options_.costs.run);
  }

  const BisectState& state_;
  const BisectModel& model_;
  const BisectOptions& options_;
  BisectPosterior posterior_;
};

std::uint64_t failures_of(const CommitRuns& runs) {
  return std::uint64_t(std::llround(std::clamp(runs.mean, 0., 1.) * runs.n));
}

FisherTable fisher_table(const CommitRuns& a, const CommitRuns& b) {
  const std::uint64_t a_fails = failures_of(a);
  const std::uint64_t b_fails = failures_of(b);
  return {.a_yes = a_fails,
          .a_no = std::uint64_t(a.n) - a_fails,
          .b_yes = b_fails,
          .b_no = std::uint64_t(b.n) - b_fails};
}

double rate_error(const CommitRuns& a, const CommitRuns& b) {
  const double rate = (a.mean * a.n + b.mean * b.n) / (a.n + b.n);
  return std::sqrt(std::max(1e-12, rate * (1 - rate) * (1 / a.n + 1 / b.n)));
}

}  // namespace

unsigned end_runs_for(double shift, double noise_runs) {
  const double least = noise_runs >= 10 ? 2 : 3;
  const double wanted = std::ceil(12 / std::max(.01, shift * shift));
  return unsigned(std::max(least, wanted));
}

const char* reason_name(RunReason reason) {
  switch (reason) {
    case RunReason::ends:
      return "ends";
    case RunReason::reference:
      return "reference";
    case RunReason::information:
      return "information";
    case RunReason::verification:
      return "verification";
  }
  return "";
}

BisectPosterior bisect_posterior(const BisectState& state, const BisectModel& model) {
  if (const ShiftModel* shift = std::get_if<ShiftModel>(&model)) return shift_posterior(state, *shift);
  return outcome_posterior(state, std::get<OutcomeModel>(model));
}

PairEvidence compare_pair(const BisectState& state, const BisectModel& model, const BisectOptions& options,
                          const BisectPosterior& posterior, std::size_t parent, std::size_t commit) {
  const CommitRuns before = runs_of(state, parent);
  const CommitRuns after = runs_of(state, commit);
  PairEvidence pair{.parent = parent, .commit = commit};
  if (before.n == 0 || after.n == 0) return pair;
  pair.difference = after.mean - before.mean;
  if (const ShiftModel* shift = std::get_if<ShiftModel>(&model)) {
    pair.error = posterior.noise * std::sqrt(1 / before.n + 1 / after.n + 2 * shift->build_ratio);
    pair.p = std::erfc(std::abs(pair.difference) / pair.error / std::sqrt(2.));
  } else {
    pair.error = rate_error(before, after);
    pair.p = fisher_exact(fisher_table(before, after));
  }
  if (options.pair_p) pair.p = options.pair_p(parent, commit);
  return pair;
}

BisectStep bisect_step(const BisectState& state, const BisectModel& model, const BisectOptions& options) {
  return Stepper(state, model, options).take();
}

}  // namespace kilter::analyse
