// Part "bisect": searches for one culprit among 1,024 commits.
#include "analyse/bisect_rest.h"
#include "analyse/information.h"
#include "verdicts/bisect_searches.h"
#include "verdicts/bisect_trials.h"
#include "verdicts/part.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace kilter::verdicts {
namespace {

using analyse::BisectAnswer;

constexpr std::array kShifts = {.5, 1., 2., 4., 10.};
constexpr double kBuildCost = 20;  // an uncached build, in runs
constexpr double kBuildDeviation = .5;
constexpr double kBuildRatio = .25;

BisectTrial trial_of(const BisectWorld& world, const BayesOutcome& outcome) {
  BisectTrial trial = trial_naming(world, outcome.likeliest);
  const BisectAnswer& answer = outcome.answer;
  trial.refused = answer.kind == BisectAnswer::Kind::no_difference;
  trial.named = answer.kind == BisectAnswer::Kind::culprit;
  trial.right = false;
  for (const std::size_t culprit : world.culprits()) {
    if (!trial.refused && culprit >= answer.commits.first && culprit <= answer.commits.last)
      trial.right = true;
  }
  return trial;
}

BisectSearch kilter_search(const BayesSearch& search) {
  return [search](BisectWorld& world) { return trial_of(world, search_bayes(world, search)); };
}

BayesSearch with_history(double shift) {
  BayesSearch search = bayes_search(shift);
  search.free_runs = 60;
  std::get<analyse::ShiftModel>(search.model).noise_runs = 60;
  search.options.end_runs = 1;
  return search;
}

BayesSearch with_build_cost(double shift) {
  BayesSearch search = bayes_search(shift);
  search.options.costs.build = kBuildCost;
  return search;
}

BayesSearch with_build_effect(double shift) {
  BayesSearch search = bayes_search(shift);
  std::get<analyse::ShiftModel>(search.model).build_ratio = kBuildRatio;
  search.options.most_runs = 300;
  return search;
}

class BisectReport {
 public:
  BisectReport(const Settings& settings, Gates& gates) : settings_(settings), gates_(gates) {}

  void run() {
    main_table();
    build_effect_table();
    cost_table();
    two_culprits_table();
    prior_table();
    hard_worlds_table();
    outcomes_table();
    null_table();
  }

 private:
  using ForShift = std::function<BisectSearch(double)>;

  [[nodiscard]] BisectTally measure(const BisectWorldOptions& world, const BisectSearch& search,
                                    std::size_t trials) const {
    return tally(world, search, settings_.tries(trials, std::max<std::size_t>(20, trials / 40)));
  }

  void title(const std::string& text) const { fmt::print("\n{}\n", text); }

  static void row(const std::string& name, const std::string& figures) {
    fmt::print("  {:<44}{}\n", name, figures);
  }

  static std::string cell(const BisectTally& t) { return fmt::format("{:>7.1f} %{:>7.1f}", t.exact, t.runs); }

  // A share in percent; the quick set may lack what its few trials explain.
  void gate_share(const std::string& name, double percent, double least, std::size_t trials) {
    const double margin =
        settings_.quick ? 100 * sampling_margin(least / 100, static_cast<double>(trials)) : 0;
    gates_.at_least(name, percent, least - margin);
  }

  void gate_search(const std::string& name, const BisectTally& t, double exact, double units,
                   double build_cost) {
    gate_share(fmt::format("bisect, {}: exact, %", name), t.exact, exact, t.trials);
    // Runs scatter by about 45 % from trial to trial.
    const double margin = settings_.quick ? 3 * .45 / std::sqrt(static_cast<double>(t.trials)) : 0;
    gates_.at_most(fmt::format("bisect, {}: {}", name, build_cost > 0 ? "units" : "runs"),
                   t.runs + build_cost * t.builds, units * (1 + margin));
  }

  std::vector<BisectTally> shifts_row(const std::string& name, std::size_t trials, const ForShift& search) {
    std::vector<BisectTally> tallies;
    std::string figures;
    for (const double shift : kShifts) {
      tallies.push_back(measure({.shift = shift}, search(shift), shift < 1 ? trials / 5 : trials));
      figures += cell(tallies.back());
    }
    row(name, figures);
    return tallies;
  }

  void main_table() {
    title("1,024 commits, levels unknown: exact answers, mean runs (those of the ends included)");
    std::string head;
    std::string bound;
    for (const double shift : kShifts) {
      head += fmt::format("{:>16}", fmt::format("shift/noise {:g}", shift));
      const double capacity = analyse::information_bits(.5, shift);
      bound += fmt::format("{:>16.1f}", .99 * 10 / capacity + std::log(100) / (shift * shift / 2));
    }
    row("", head);
    row("bound (levels known)", bound);
    for (const unsigned n : {3u, 5u, 10u, 20u, 40u}) {
      shifts_row(fmt::format("binary search, {} runs a step", n), 2000,
                 [n](double) { return naming([n](BisectWorld& world) { return search_fixed(world, n); }); });
    }
    for (const unsigned n : {5u, 10u}) {
      shifts_row(fmt::format("binary search by LKP's rule, {} runs", n), 2000,
                 [n](double) { return naming([n](BisectWorld& world) { return search_lkp(world, n); }); });
    }
    shifts_row("adaptive, 5 to 160 runs (as Pinpoint)", 1000, [](double) { return naming(search_doubling); });
    const std::vector<BisectTally> ours =
        shifts_row("Kilter, .99", 1000, [](double shift) { return kilter_search(bayes_search(shift)); });
    shifts_row("Kilter, .99, 60 runs a side from history", 400,
               [](double shift) { return kilter_search(with_history(shift)); });
    gate_search("shift/noise 1", ours[1], 99, 155, 0);
    gate_search("shift/noise 2", ours[2], 99, 45, 0);
    gate_search("shift/noise 4", ours[3], 99, 20, 0);
  }

  BisectTally build_row(const std::string& name, const BisectWorldOptions& world,
                        const BisectSearch& search) {
    const BisectTally t = measure(world, search, 400);
    row(name, fmt::format("{}{:>9.1f} %{:>9.1f} %", cell(t), t.near, t.right));
    return t;
  }

  void build_effect_table() {
    title(
        "A build effect of half the run noise, at most 300 runs: exact, runs, within 2 commits, answer is "
        "right");
    for (const double shift : {2., 4.}) {
      const BisectWorldOptions world{.shift = shift, .build_deviation = kBuildDeviation};
      BisectWorldOptions fresh = world;
      fresh.fresh_layout = true;
      BayesSearch blind = bayes_search(shift);
      blind.options.most_runs = 300;
      const std::string at = fmt::format(", shift/noise {:g}", shift);
      build_row("binary search, 5 runs" + at, world,
                naming([](BisectWorld& w) { return search_fixed(w, 5); }));
      build_row("binary search, 20 runs" + at, world,
                naming([](BisectWorld& w) { return search_fixed(w, 20); }));
      build_row("adaptive" + at, world, naming(search_doubling));
      build_row("Kilter, effect ignored" + at, world, kilter_search(blind));
      const BisectTally modelled =
          build_row("Kilter, effect modelled" + at, world, kilter_search(with_build_effect(shift)));
      const BisectTally drawn = build_row("Kilter, fresh layout each run" + at, fresh, kilter_search(blind));
      const bool two = shift < 3;
      gate_search("modelled build effect" + at, modelled, two ? 93 : 99, two ? 203 : 24, 0);
      gate_share("bisect, modelled build effect" + at + ": within 2 commits, %", modelled.near, 99,
                 modelled.trials);
      gate_search("fresh layout each run" + at, drawn, two ? 98 : 99, two ? 52 : 24, 0);
    }
  }

  BisectTally cost_row(double shift, const std::string& name, const BisectSearch& search,
                       std::size_t trials) {
    const BisectTally t = measure({.shift = shift}, search, trials);
    row(fmt::format("{}, shift/noise {:g}", name, shift),
        fmt::format("{}{:>7.1f} builds{:>8.1f} units", cell(t), t.builds, t.runs + kBuildCost * t.builds));
    return t;
  }

  void cost_table() {
    title("A build costs 20 runs: exact, runs, builds, cost");
    for (const double shift : {1., 2., 4.}) {
      BayesSearch blind = bayes_search(shift);
      blind.options.batches = {1};
      cost_row(shift, "binary search, 20 runs", naming([](BisectWorld& w) { return search_fixed(w, 20); }),
               1000);
      cost_row(shift, "Kilter, blind to costs", kilter_search(blind), 200);
      const BisectTally t = cost_row(shift, "Kilter", kilter_search(with_build_cost(shift)), 2000);
      if (shift == 1) gate_search("cost-aware, shift/noise 1", t, 99, 460, kBuildCost);
    }
  }

  // Finds one, then asks on both sides of it with the runs at hand.
  static BisectTrial find_both(BisectWorld& world, const BayesSearch& search) {
    const BayesOutcome first = search_bayes(world, search);
    BisectTrial trial = trial_of(world, first);
    if (first.answer.kind == BisectAnswer::Kind::no_difference) return trial;
    std::vector<std::size_t> found = {first.likeliest};
    for (const analyse::BisectRest& rest :
         analyse::bisect_rests(first.state, search.model, search.options, first.answer.commits, 0)) {
      if (!rest.holds_change) continue;
      BayesSearch again = search;
      again.model = analyse::model_of_rest(search.model);
      const BayesOutcome second =
          search_part(world, again, analyse::part_of(first.state, rest.first, rest.last), rest.first);
      if (second.answer.kind != BisectAnswer::Kind::no_difference) found.push_back(second.likeliest);
    }
    trial.all = true;
    for (const std::size_t culprit : world.culprits()) {
      if (std::find(found.begin(), found.end(), culprit) == found.end()) trial.all = false;
    }
    return trial;
  }

  void two_culprits_table() {
    title(
        "Two culprits of equal shift: one of them found, runs; both found, with the rest bisected by the "
        "runs at hand");
    for (const double shift : {1., 2., 4.}) {
      const BisectWorldOptions world{.shift = shift, .culprits = 2};
      const BayesSearch search = bayes_search(shift);
      const BisectTally fixed =
          measure(world, naming([](BisectWorld& w) { return search_fixed(w, 20); }), 1000);
      row(fmt::format("binary search, 20 runs, shift/noise {:g}", shift), cell(fixed));
      const BisectTally t = measure(world, [&](BisectWorld& w) { return find_both(w, search); }, 400);
      row(fmt::format("Kilter, shift/noise {:g}", shift), fmt::format("{}{:>9.1f} %", cell(t), t.all));
    }
  }

  static BisectTrial with_prior(BisectWorld& world, double shift, bool informed) {
    BayesSearch search = bayes_search(shift);
    search.weights.assign(world.options().commits, 1);
    std::uniform_int_distribution<std::size_t> any(0, search.weights.size() - 1);
    for (int i = 0; i < 51; ++i) search.weights[any(world.dice())] = 10;
    const bool right = std::bernoulli_distribution(.7)(world.dice());
    if (right) search.weights[world.culprits().front() - 1] = 10;
    if (!informed) search.weights.clear();
    return trial_of(world, search_bayes(world, search));
  }

  void prior_table() {
    title("5 % of the commits are ten times as likely, the culprit among them in 70 %: exact, runs");
    for (const double shift : {1., 2.}) {
      for (const bool informed : {false, true}) {
        const BisectTally t =
            measure({.shift = shift}, [&](BisectWorld& w) { return with_prior(w, shift, informed); }, 400);
        row(fmt::format("Kilter, {} prior, shift/noise {:g}", informed ? "that" : "flat", shift), cell(t));
      }
    }
  }

  void hard_worlds_table() {
    title("Worlds off the model, shift/noise 2: exact, runs, answer (commit or set) is right");
    const BisectSearch search = kilter_search(bayes_search(2));
    const BisectTally tails = measure({.shift = 2, .heavy_tails = true}, search, 1000);
    row("Kilter, Student's t noise (3 degrees)", fmt::format("{}{:>9.1f} %", cell(tails), tails.right));
    const BisectTally broken = measure({.shift = 2, .unbuildable = .1}, search, 1000);
    row("Kilter, 10 % of the commits do not build", fmt::format("{}{:>9.1f} %", cell(broken), broken.right));
    gate_share("bisect, 10 % unbuildable: answer right, %", broken.right, 99, broken.trials);
  }

  void outcomes_table() {
    title("A crash that appears, good runs never crash: exact, runs");
    for (const double rate : {1., .5, .2}) {
      BayesSearch search = bayes_search(2);
      search.model = analyse::OutcomeModel{.sign = 1};
      search.options.end_budget = 120;
      search.options.end_runs = 3;
      const BisectTally t = measure({.outcomes = true, .bad_rate = rate}, kilter_search(search), 400);
      row(fmt::format("Kilter, bad runs crash in {:g} %", 100 * rate), cell(t));
      gate_share(fmt::format("bisect, crash rate {:g}: exact, %", rate), t.exact, 98, t.trials);
    }
  }

  // At a confidence of .99 one in a hundred may be named; we ask for none in 200, and a fifth of it in 1,000.
  void null_gate(const std::string& name, const BisectWorldOptions& world, const BayesSearch& search) {
    const BisectTally t = tally(world, kilter_search(search), settings_.tries(1000, 200));
    row(name, fmt::format("{:>7.2f} % named{:>8.1f} % refused{:>8.1f} runs{:>6.1f} builds", t.named,
                          t.refused, t.runs, t.builds));
    gates_.at_most(fmt::format("bisect, no change, {}: named, %", name), t.named,
                   settings_.tries(1000, 200) > 200 ? .2 : 0);
  }

  void null_table() {
    title("Ranges without a change, searched for a shift of ...");
    for (const double shift : {1., 2., 4.}) {
      null_gate(fmt::format("{:g} x noise", shift), {.shift = 0}, bayes_search(shift));
    }
    null_gate("2 x noise, build effect modelled", {.shift = 0, .build_deviation = kBuildDeviation},
              with_build_effect(2));
    null_gate("2 x noise, heavy tails", {.shift = 0, .heavy_tails = true}, bayes_search(2));
    BayesSearch crash = bayes_search(2);
    crash.model = analyse::OutcomeModel{.sign = 1};
    null_gate("5 % of all runs crash", {.shift = 0, .outcomes = true, .good_rate = .05}, crash);
  }

  Settings settings_;
  Gates& gates_;
};

}  // namespace

void run_bisect(const Settings& settings, Gates& gates) {
  BisectReport(settings, gates).run();
}

}  // namespace kilter::verdicts
