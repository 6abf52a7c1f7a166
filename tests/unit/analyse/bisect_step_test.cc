#include "analyse/bisect_step.h"

#include "analyse/bisect_estimate.h"
#include "analyse/bisect_rest.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <variant>
#include <vector>

namespace kilter::analyse {
namespace {

using Kind = BisectAnswer::Kind;

// Bisects what `measure` says; commits it cannot test are skipped when asked for.
struct Searched {
  BisectAnswer answer;
  BisectState state;
  std::size_t asked_skipped = 0;  // runs asked of a commit known to be untestable
};

Searched search_all(BisectState state, const BisectModel& model, const BisectOptions& options,
                    const std::function<double(std::size_t)>& measure,
                    const std::set<std::size_t>& broken = {}) {
  Searched searched{.answer = {}, .state = std::move(state)};
  for (int step = 0; step < 5000; ++step) {
    const BisectStep next = bisect_step(searched.state, model, options);
    if (const BisectAnswer* answer = std::get_if<BisectAnswer>(&next.next)) {
      searched.answer = *answer;
      return searched;
    }
    const BisectRun& run = std::get<BisectRun>(next.next);
    REQUIRE(run.runs > 0);
    REQUIRE(run.commit <= searched.state.last);
    if (searched.state.skipped[run.commit]) ++searched.asked_skipped;
    if (broken.contains(run.commit)) {
      searched.state.skipped[run.commit] = true;
      continue;
    }
    searched.state.cached[run.commit] = true;
    for (unsigned i = 0; i < run.runs; ++i) (void)add_run(searched.state, run.commit, measure(run.commit));
  }
  FAIL("no end");
  return searched;
}

std::function<double(std::size_t)> shift_at(std::size_t culprit, double shift, std::uint64_t seed) {
  return [=, dice = std::mt19937_64(seed), noise = std::normal_distribution<double>()](
             std::size_t i) mutable { return 100 + noise(dice) + (i >= culprit ? shift : 0); };
}

TEST_CASE("culprits are found, with few runs, at the stated confidence") {
  constexpr std::size_t kTries = 60;
  std::size_t exact = 0;
  double runs = 0;
  for (std::size_t seed = 0; seed < kTries; ++seed) {
    const std::size_t culprit = 1 + seed * 37 % 256;
    const Searched searched = search_all(*make_bisect(256), ShiftModel{.noise_runs = 20, .noise = 1}, {},
                                         shift_at(culprit, 4, seed));
    exact += searched.answer.kind == Kind::culprit && searched.answer.commits.first == culprit ? 1 : 0;
    runs += total_runs(searched.state);
  }
  CHECK(exact >= kTries - 2);
  CHECK(runs / double(kTries) < 20);
}

TEST_CASE("a range whose ends do not differ is refused before anything is built, and none is named") {
  std::size_t built = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Searched searched =
        search_all(*make_bisect(256), ShiftModel{}, {.end_budget = 24}, shift_at(300, 4, seed));
    CHECK(searched.answer.kind == Kind::no_difference);
    CHECK(searched.answer.pair.parent == 0);
    CHECK(searched.answer.pair.commit == 256);
    built += searched.state.tested.size() > 2 ? 1 : 0;
  }
  CHECK(built <= 8);
}

TEST_CASE("a range of one commit is a comparison of its ends") {
  const Searched searched = search_all(*make_bisect(1), ShiftModel{}, {}, shift_at(1, 10, 1));
  CHECK(searched.answer.kind == Kind::culprit);
  CHECK(searched.answer.commits.first == 1);
  CHECK(searched.answer.verified);
  CHECK(searched.answer.pair.p < .01);
}

TEST_CASE("a commit that cannot be tested gets no run, is not cleared, and may leave a set as the answer") {
  const std::set<std::size_t> broken = {19, 20, 21};
  const Searched searched =
      search_all(*make_bisect(32), ShiftModel{.noise_runs = 20, .noise = 1}, {}, shift_at(20, 8, 3), broken);
  CHECK(searched.asked_skipped == 0);
  for (const CommitRuns& runs : searched.state.tested) CHECK(!broken.contains(runs.commit));
  CHECK(searched.answer.kind == Kind::one_of);
  CHECK(searched.answer.complete);
  CHECK(searched.answer.verified);
  CHECK(searched.answer.commits.first == 19);
  CHECK(searched.answer.commits.last == 22);
  CHECK(searched.answer.commits.mass >= .99);
}

TEST_CASE("when every commit between the ends is skipped, the answer is the range") {
  BisectState state = *make_bisect(6);
  for (std::size_t i = 1; i < 6; ++i) state.skipped[i] = true;
  const Searched searched = search_all(std::move(state), ShiftModel{}, {}, shift_at(3, 10, 5));
  CHECK(searched.answer.kind == Kind::one_of);
  CHECK(searched.answer.commits.first == 1);
  CHECK(searched.answer.commits.last == 6);
  CHECK(searched.state.tested.size() == 2);
}

TEST_CASE("metrics without any noise bisect like git does") {
  const Searched searched =
      search_all(*make_bisect(1000), ShiftModel{}, {}, [](std::size_t i) { return i >= 617 ? 9. : 7.; });
  CHECK(searched.answer.kind == Kind::culprit);
  CHECK(searched.answer.commits.first == 617);
  CHECK(searched.answer.verified);
  CHECK(total_runs(searched.state) < 30);
}

TEST_CASE("commits with weight 0 are not named, and a likely one is found sooner") {
  std::vector<double> weights(128, 1);
  for (std::size_t i = 0; i < 60; ++i) weights[i] = 0;
  weights[99] = 50;
  const Searched searched =
      search_all(*make_bisect(weights), ShiftModel{.noise_runs = 20, .noise = 1}, {}, shift_at(100, 5, 11));
  CHECK(searched.answer.commits.first == 100);
  CHECK(total_runs(searched.state) < 16);
  for (const CommitRuns& runs : searched.state.tested) CHECK((runs.commit == 0 || runs.commit >= 60));
}

TEST_CASE("dear builds are made once and run often") {
  BisectOptions options;
  options.costs.build = 20;
  const BisectModel model = ShiftModel{.noise_runs = 20, .noise = 1};
  double dear = 0;
  double cheap = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    dear +=
        double(search_all(*make_bisect(256), model, options, shift_at(99, 1.5, seed)).state.tested.size());
    cheap += double(search_all(*make_bisect(256), model, {}, shift_at(99, 1.5, seed)).state.tested.size());
  }
  CHECK(dear / 8 < 12);
  CHECK(dear < cheap);
}

TEST_CASE("a build near one at hand is cheaper, and one at hand is free") {
  BisectState state = *make_bisect(64);
  for (int i = 0; i < 12; ++i) {
    (void)add_run(state, 0, i % 2);
    (void)add_run(state, 64, 10 + i % 2);
  }
  state.cached[0] = state.cached[64] = state.cached[28] = true;
  BisectOptions options;
  options.costs = {.run = 1, .build = 1, .distance = 1};
  const BisectStep step = bisect_step(state, ShiftModel{}, options);
  REQUIRE(std::holds_alternative<BisectRun>(step.next));
  CHECK(std::get<BisectRun>(step.next).commit == 28);
  CHECK(std::get<BisectRun>(step.next).reason == RunReason::information);
}

TEST_CASE("a budget that is spent ends with what is known") {
  BisectOptions options;
  options.most_runs = 30;
  const Searched searched =
      search_all(*make_bisect(1024), ShiftModel{.noise_runs = 20, .noise = 1}, options, shift_at(500, 2, 9));
  CHECK(searched.answer.kind == Kind::one_of);
  CHECK(!searched.answer.complete);
  CHECK(searched.answer.commits.first <= 500);
  CHECK(searched.answer.commits.last >= 500);
}

TEST_CASE("the two-sample test of the caller decides on parent and culprit") {
  BisectOptions options;
  std::size_t asked = 0;
  options.pair_p = [&](std::size_t, std::size_t) {
    ++asked;
    return 1.;
  };
  const Searched searched =
      search_all(*make_bisect(64), ShiftModel{.noise_runs = 20, .noise = 1}, options, shift_at(33, 4, 2));
  CHECK(asked > 0);
  CHECK(searched.answer.kind == Kind::culprit);
  CHECK(!searched.answer.verified);
}

TEST_CASE("the next step depends on nothing but what is known") {
  const BisectModel model = ShiftModel{.noise_runs = 20, .noise = 1};
  const Searched searched = search_all(*make_bisect(128), model, {}, shift_at(77, 3, 21));
  const BisectState copy = searched.state;
  const BisectStep again = bisect_step(copy, model, {});
  REQUIRE(std::holds_alternative<BisectAnswer>(again.next));
  CHECK(std::get<BisectAnswer>(again.next).commits.first == searched.answer.commits.first);
}

TEST_CASE("a crash that comes and goes is bisected by the same machinery") {
  for (const double rate : {1., .5}) {
    std::size_t exact = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      std::mt19937_64 dice(seed);
      std::bernoulli_distribution crashes(rate);
      const Searched searched = search_all(*make_bisect(64), OutcomeModel{.sign = 1}, {},
                                           [&](std::size_t i) { return i >= 41 && crashes(dice) ? 1. : 0.; });
      exact += searched.answer.kind == Kind::culprit && searched.answer.commits.first == 41 ? 1 : 0;
    }
    CHECK(exact >= 9);
  }
}

TEST_CASE("crashes that are as frequent at both ends are refused") {
  std::mt19937_64 dice(5);
  std::bernoulli_distribution crashes(.3);
  const Searched searched =
      search_all(*make_bisect(64), OutcomeModel{}, {}, [&](std::size_t) { return crashes(dice) ? 1. : 0.; });
  CHECK(searched.answer.kind == Kind::no_difference);
}

TEST_CASE("the rest of a range tells whether there is a second culprit") {
  const BisectModel model = ShiftModel{.noise_runs = 20, .noise = 1};
  std::mt19937_64 dice(3);
  std::normal_distribution<double> noise;
  const auto two = [&](std::size_t i) { return noise(dice) + (i >= 20 ? 9 : 0) + (i >= 50 ? 6 : 0); };
  const Searched first = search_all(*make_bisect(64), model, {}, two);
  REQUIRE(first.answer.kind == Kind::culprit);
  CHECK((first.answer.commits.first == 20 || first.answer.commits.first == 50));
  std::vector<std::size_t> found = {first.answer.commits.first};
  for (const BisectRest& rest : bisect_rests(first.state, model, {}, first.answer.commits, .5)) {
    if (!rest.holds_change) continue;
    const Searched second = search_all(part_of(first.state, rest.first, rest.last), model_of_rest(model), {},
                                       [&](std::size_t i) { return two(rest.first + i); });
    found.push_back(rest.first + second.answer.commits.first);
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::size_t>{20, 50});

  const Searched only = search_all(*make_bisect(64), model, {}, shift_at(20, 9, 4));
  for (const BisectRest& rest : bisect_rests(only.state, model, {}, only.answer.commits, .5)) {
    CHECK(!rest.holds_change);
  }
}

TEST_CASE("an estimate is near what simulations took") {
  const BisectState state = *make_bisect(1024);
  CHECK(prior_bits(state) == doctest::Approx(10));
  BisectOptions options;
  options.end_runs = 2;
  const BisectEstimate one = estimate_bisect(state, 1, 20, options);
  CHECK(one.bound == doctest::Approx(70.7).epsilon(.01));
  CHECK(one.runs == doctest::Approx(150).epsilon(.1));
  CHECK(estimate_bisect(state, 2, 20, options).runs == doctest::Approx(44).epsilon(.15));
  CHECK(estimate_bisect(state, 4, 20, options).runs == doctest::Approx(20).epsilon(.15));
  options.costs.build = 20;
  CHECK(estimate_bisect(state, 1, 20, options).cost == doctest::Approx(446).epsilon(.1));
  BisectState narrow = state;
  for (std::size_t i = 1; i < 1024; ++i) narrow.skipped[i] = true;
  CHECK(prior_bits(narrow) == 0);
}

}  // namespace
}  // namespace kilter::analyse
