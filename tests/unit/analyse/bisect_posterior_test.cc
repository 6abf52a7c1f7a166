#include "analyse/bisect_posterior.h"

#include "analyse/bisect_outcome.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

namespace kilter::analyse {
namespace {

void add_runs(BisectState& state, std::size_t commit, std::initializer_list<double> values) {
  for (const double value : values) REQUIRE(add_run(state, commit, value).has_value());
}

BisectState example(double sign = 1) {
  BisectState state = *make_bisect(1024);
  add_runs(state, 0, {.1 * sign, -.3 * sign, .4 * sign});
  add_runs(state, 1024, {2.2 * sign, 1.7 * sign, 2.4 * sign});
  add_runs(state, 512, {.2 * sign, .5 * sign});
  add_runs(state, 768, {1.9 * sign, 2.5 * sign});
  return state;
}

constexpr ShiftModel kExampleModel = {.noise_runs = 20, .noise = 1, .sign = 1, .least = .61, .none = 0};

double total_mass(const BisectPosterior& posterior) {
  double sum = posterior.none;
  for (const BisectGap& gap : posterior.gaps) sum += gap.mass;
  return sum;
}

TEST_CASE("the posterior of a shift has its published values") {
  const BisectPosterior posterior = shift_posterior(example(), kExampleModel);
  constexpr std::array kMass = {0.11421994442072615, 0.8599071654704322, 0.02587289010884174};
  constexpr std::array kShift = {1.5619047619047621, 1.9600000000000002, 1.342857142857143};
  REQUIRE(posterior.gaps.size() == kMass.size());
  for (std::size_t g = 0; g < kMass.size(); ++g) {
    const BisectGap& gap = posterior.gaps[g];
    CHECK(gap.mass == doctest::Approx(kMass[g]).epsilon(1e-9));
    CHECK(gap.right - gap.left == doctest::Approx(kShift[g]).epsilon(1e-9));
  }
  CHECK(posterior.gaps[1].after == 512);
  CHECK(posterior.gaps[1].upto == 768);
  CHECK(posterior.noise == doctest::Approx(0.9094021795789083).epsilon(1e-9));
}

TEST_CASE("the parts of a posterior sum to 1 with what is believed of no change") {
  const BisectState state = example();
  ShiftModel model = kExampleModel;
  for (const double none : {0., .1, .9}) {
    model.none = none;
    const BisectPosterior posterior = shift_posterior(state, model);
    CHECK(total_mass(posterior) == doctest::Approx(1));
    CHECK(probability_by(state, posterior, 1024) == doctest::Approx(1 - posterior.none));
    double sum = 0;
    for (std::size_t i = 0; i <= state.last; ++i) sum += probability_of(state, posterior, i);
    CHECK(sum == doctest::Approx(1 - posterior.none));
  }
}

TEST_CASE("a metric that falls is the mirror of one that rises") {
  ShiftModel falling = kExampleModel;
  falling.sign = -1;
  const BisectPosterior up = shift_posterior(example(), kExampleModel);
  const BisectPosterior down = shift_posterior(example(-1), falling);
  for (std::size_t g = 0; g < up.gaps.size(); ++g) {
    CHECK(down.gaps[g].mass == doctest::Approx(up.gaps[g].mass));
    CHECK(down.gaps[g].left == doctest::Approx(-up.gaps[g].left));
  }
  CHECK(down.shift() == doctest::Approx(-up.shift()));
}

TEST_CASE("a history read backwards, good for bad, has the posterior backwards") {
  BisectState forth = *make_bisect(100);
  BisectState back = *make_bisect(100);
  for (const auto& [commit, value] : {std::pair<std::size_t, double>{0, 1.},
                                      {0, 1.2},
                                      {0, .9},
                                      {40, 1.1},
                                      {40, .95},
                                      {70, 3.1},
                                      {100, 2.9},
                                      {100, 3.2},
                                      {100, 3.}}) {
    add_runs(forth, commit, {value});
    add_runs(back, 100 - commit, {value});
  }
  const BisectPosterior a = shift_posterior(forth, {.noise_runs = 5, .noise = .2});
  const BisectPosterior b = shift_posterior(back, {.noise_runs = 5, .noise = .2});
  CHECK(b.none == doctest::Approx(a.none));
  for (std::size_t g = 0; g < a.gaps.size(); ++g) {
    CHECK(b.gaps[a.gaps.size() - 1 - g].mass == doctest::Approx(a.gaps[g].mass));
  }
}

TEST_CASE("adding a constant and changing the unit change no posterior") {
  const BisectPosterior plain = shift_posterior(example(), {.noise_runs = 20, .noise = 1});
  BisectState moved = *make_bisect(1024);
  for (const CommitRuns& runs : example().tested) {
    moved.tested.push_back({runs.commit, runs.n, 1e6 + 50 * runs.mean, 2500 * runs.squares});
  }
  const BisectPosterior other = shift_posterior(moved, {.noise_runs = 20, .noise = 50});
  CHECK(other.none == doctest::Approx(plain.none).epsilon(1e-6));
  CHECK(other.gaps[1].mass == doctest::Approx(plain.gaps[1].mass).epsilon(1e-6));
}

TEST_CASE("data without noise leave no doubt and give no NaN") {
  BisectState state = *make_bisect(8);
  add_runs(state, 0, {100, 100, 100});
  add_runs(state, 8, {200, 200, 200});
  add_runs(state, 4, {200});
  const BisectPosterior posterior = shift_posterior(state, {});
  CHECK(posterior.gaps[0].mass > .999);
  CHECK(std::isfinite(posterior.noise));
  BisectState still = *make_bisect(8);
  add_runs(still, 0, {7, 7, 7});
  add_runs(still, 8, {7, 7, 7});
  CHECK(shift_posterior(still, {}).none > .5);
  CHECK(total_mass(shift_posterior(still, {})) == doctest::Approx(1));
}

TEST_CASE("a build effect makes many runs of one build weigh like few") {
  BisectState state = *make_bisect(2);
  for (int i = 0; i < 50; ++i) {
    add_runs(state, 0, {i % 2 == 0 ? 0. : .1});
    add_runs(state, 1, {i % 2 == 0 ? .4 : .5});
    add_runs(state, 2, {i % 2 == 0 ? 1. : 1.1});
  }
  const BisectPosterior sure = shift_posterior(state, {.noise_runs = 60, .noise = 1});
  const BisectPosterior less = shift_posterior(state, {.noise_runs = 60, .noise = 1, .build_ratio = 1});
  CHECK(less.none > sure.none);
  CHECK(less.good.error > sure.good.error);
}

TEST_CASE("mass within a gap is spread as the prior says, and the smallest set follows it") {
  std::vector<double> weights(10, 1);
  weights[6] = 91;  // commit 7
  BisectState state = *make_bisect(weights);
  add_runs(state, 0, {0, .1, -.1});
  add_runs(state, 10, {9, 9.1, 8.9});
  const BisectPosterior posterior = shift_posterior(state, {.none = 0});
  CHECK(probability_of(state, posterior, 7) == doctest::Approx(.91));
  CHECK(probability_by(state, posterior, 6) == doctest::Approx(.06));
  const CommitSet set = smallest_set(state, posterior, .9);
  CHECK(set.first == 7);
  CHECK(set.last == 7);
  CHECK(set.mass == doctest::Approx(.91));
  CHECK(smallest_set(state, posterior, .99).last - smallest_set(state, posterior, .99).first == 8);
}

TEST_CASE("what is no range, no prior or no run is refused") {
  CHECK(!make_bisect(0));
  CHECK(!make_bisect(std::vector<double>{0, 0}));
  CHECK(!make_bisect(std::vector<double>{1, -1}));
  CHECK(!make_bisect(std::vector<double>{1, std::nan("")}));
  BisectState state = *make_bisect(3);
  CHECK(!add_run(state, 4, 1.));
  CHECK(!add_run(state, 1, std::nan("")));
  CHECK(!add_run(state, 1, std::numeric_limits<double>::infinity()));
  CHECK(state.tested.empty());
  CHECK(shift_posterior(state, {}).gaps.empty());
}

TEST_CASE("a part of a range keeps its runs and is numbered anew") {
  BisectState state = example();
  state.skipped[600] = true;
  const BisectState part = part_of(state, 512, 768);
  CHECK(part.last == 256);
  REQUIRE(part.tested.size() == 2);
  CHECK(part.tested[1].commit == 256);
  CHECK(part.skipped[88]);
  CHECK(part.prior.front() == 0);
  CHECK(part.prior.back() == doctest::Approx(1));
}

TEST_CASE("the evidence of outcomes is that of the Beta distribution") {
  BisectState state = *make_bisect(2);
  add_runs(state, 0, {0, 0, 0, 0});
  add_runs(state, 1, {0, 1});
  add_runs(state, 2, {1, 1, 1});
  const RatePrior even{1, 1};
  // Without an order of the rates: B(1+f, 1+p) on both sides of each gap.
  const auto log_beta = [](double a, double b) {
    return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  };
  const double first = log_beta(1, 5) + log_beta(5, 2);
  const double second = log_beta(2, 6) + log_beta(4, 1);
  const BisectPosterior posterior =
      outcome_posterior(state, {.good = even, .bad = even, .sign = 1, .none = 0});
  // Both are all but surely in order, so that its restriction hardly matters here.
  CHECK(posterior.gaps[0].mass / posterior.gaps[1].mass ==
        doctest::Approx(std::exp(first - second)).epsilon(.03));
  CHECK(posterior.bad.mean > .6);
  CHECK(posterior.good.mean < .3);
  CHECK(total_mass(posterior) == doctest::Approx(1));
}

TEST_CASE("passing and failing exchanged is the same bisect") {
  BisectState fails = *make_bisect(16);
  BisectState passes = *make_bisect(16);
  for (const auto& [commit, value] : {std::pair<std::size_t, double>{0, 0.},
                                      {0, 0.},
                                      {0, 0.},
                                      {8, 0.},
                                      {12, 1.},
                                      {16, 1.},
                                      {16, 1.},
                                      {16, 0.}}) {
    add_runs(fails, commit, {value});
    add_runs(passes, commit, {1 - value});
  }
  const BisectPosterior a = outcome_posterior(fails, {.good = {.5, 4.5}, .bad = {1, 1}});
  const BisectPosterior b = outcome_posterior(passes, {.good = {4.5, .5}, .bad = {1, 1}});
  CHECK(b.none == doctest::Approx(a.none).epsilon(1e-6));
  CHECK(b.gaps[1].mass == doctest::Approx(a.gaps[1].mass).epsilon(1e-6));
}

}  // namespace
}  // namespace kilter::analyse
