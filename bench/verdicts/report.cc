// Part "report": false discoveries among 5,000 metrics of unlike scatter, of which 4 % changed.
#include "analyse/classic_tests.h"
#include "analyse/fdr.h"
#include "analyse/metric_verdicts.h"
#include "verdicts/part.h"
#include "verdicts/rules.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace kilter::verdicts {
namespace {

constexpr std::size_t kMetrics = 5000;
constexpr std::size_t kBuilds = 20;
constexpr double kChangedShare = 0.04;
constexpr double kRate = 0.05;

struct DrawnReport {
  std::vector<Experiment> metrics;
  std::vector<bool> changed;
};

// Scatter is lognormal about 1 %; three metrics in ten have heavy tails; a build adds .3 of a run's scatter.
NoiseModel draw_noise(Random& random) {
  const double scale = 0.01 * std::exp(normal(random));
  if (uniform(0, 1, random) < 0.3)
    return {.name = "t4",
            .scale = scale,
            .draw = [](double size, Random& source) { return size * student_t(4, source) / std::sqrt(2.0); },
            .build = 0.3 * scale};
  return {.name = "gauss",
          .scale = scale,
          .draw = [](double size, Random& source) { return size * normal(source); },
          .build = 0.3 * scale};
}

DrawnReport draw_report(std::size_t runs, Random& random) {
  DrawnReport report;
  for (std::size_t i = 0; i < kMetrics; ++i) {
    report.changed.push_back(uniform(0, 1, random) < kChangedShare);
    const double size = uniform(0.01, 0.10, random) * (uniform(0, 1, random) < 0.5 ? -1 : 1);
    report.metrics.push_back(draw_experiment(
        draw_noise(random), {.runs = runs, .history = kBuilds, .effect = report.changed.back() ? size : 0},
        random));
  }
  return report;
}

// --- Procedures: a p or a rate for each metric, and the limit below which it is shown.

std::vector<double> lkp_as_p(const DrawnReport& report) {
  std::vector<double> p;
  for (const Experiment& metric : report.metrics) p.push_back(lkp_changed(metric.a, metric.b) ? 0 : 1);
  return p;
}

std::vector<double> welch_p(const DrawnReport& report) {
  std::vector<double> p;
  for (const Experiment& metric : report.metrics) p.push_back(welch_of_logarithms(metric.a, metric.b));
  return p;
}

std::vector<double> welch_rates(const DrawnReport& report) {
  return analyse::benjamini_hochberg(welch_p(report));
}

std::vector<double> rank_rates(const DrawnReport& report) {
  std::vector<double> p;
  for (const Experiment& metric : report.metrics) p.push_back(analyse::mann_whitney(metric.a, metric.b));
  return analyse::benjamini_hochberg(p);
}

// The whole of metric_verdicts.h: priors, test, copies, rates.
std::vector<std::optional<analyse::MetricVerdict>> verdicts_of(const DrawnReport& report, bool with_history) {
  std::vector<std::vector<std::span<const double>>> histories;
  for (const Experiment& metric : report.metrics) histories.push_back(metric.history());
  std::vector<analyse::MetricEvidence> evidence;
  for (std::size_t i = 0; i < report.metrics.size(); ++i)
    evidence.push_back(
        {.runs = {.a = report.metrics[i].a,
                  .b = report.metrics[i].b,
                  .history = with_history ? analyse::History(histories[i]) : analyse::History()}});
  return analyse::metric_verdicts(evidence);
}

template <bool with_history>
std::vector<double> rec_rates(const DrawnReport& report) {
  std::vector<double> rates;
  for (const std::optional<analyse::MetricVerdict>& verdict : verdicts_of(report, with_history))
    rates.push_back(verdict->q);
  return rates;
}

// "Changed" needs the minimal effect too: 5 % for counters.
std::vector<double> rec_answers(const DrawnReport& report) {
  std::vector<double> p;
  for (const std::optional<analyse::MetricVerdict>& verdict : verdicts_of(report, true))
    p.push_back(verdict->answer == analyse::Answer::changed ? 0 : 1);
  return p;
}

struct Procedure {
  std::string_view name;
  std::vector<double> (*rates)(const DrawnReport& report);
};

constexpr std::array kProcedures = {
    Procedure{"LKP", lkp_as_p},
    Procedure{"Welch p < .05", welch_p},
    Procedure{"Welch, BH 5 %", welch_rates},
    Procedure{"ranks, BH 5 %", rank_rates},
    Procedure{"REC, no history, BH 5 %", rec_rates<false>},
    Procedure{"REC, BH 5 %", rec_rates<true>},
    Procedure{"REC, changed by 5 % or more", rec_answers},
};

struct Score {
  double shown = 0;
  double wrong = 0;
  double false_share = 0;  // of what is shown
  double power = 0;        // share of the changed that is shown
};

Score score_of(const DrawnReport& report, const std::vector<double>& rates) {
  Score score;
  double changed = 0;
  double found = 0;
  for (std::size_t i = 0; i < kMetrics; ++i) {
    changed += report.changed[i] ? 1 : 0;
    if (rates[i] > kRate) continue;
    ++score.shown;
    ++(report.changed[i] ? found : score.wrong);
  }
  score.false_share = score.shown > 0 ? score.wrong / score.shown : 0;
  score.power = found / changed;
  return score;
}

using Scores = std::array<Score, kProcedures.size()>;

Scores mean_scores(std::size_t runs, std::size_t reports) {
  const std::vector<Scores> all = in_parallel<Scores>(reports, 1000 + runs, [&](Random& random) {
    const DrawnReport report = draw_report(runs, random);
    Scores scores;
    for (std::size_t i = 0; i < kProcedures.size(); ++i)
      scores[i] = score_of(report, kProcedures[i].rates(report));
    return scores;
  });
  Scores means{};
  for (const Scores& scores : all)
    for (std::size_t i = 0; i < kProcedures.size(); ++i) {
      const double share = 1 / static_cast<double>(reports);
      means[i].shown += share * scores[i].shown;
      means[i].wrong += share * scores[i].wrong;
      means[i].false_share += share * scores[i].false_share;
      means[i].power += share * scores[i].power;
    }
  return means;
}

struct Bars {
  std::size_t runs = 0;
  double false_share = 0;
  double power = 0;
};
constexpr std::array kBars = {Bars{3, 0.076, 0.65}, Bars{5, 0.07, 0.72}, Bars{8, 0.07, 0.75}};
constexpr double kQuickSlack = 0.05;  // a few reports scatter by this much

}  // namespace

void run_report(const Settings& settings, Gates& gates) {
  const std::size_t reports = settings.tries(60, 5);
  const double slack = settings.quick ? kQuickSlack : 0;
  fmt::print("5,000 metrics, 4 % changed by 1 to 10 %; means of {} reports\n", reports);
  fmt::print("{:>4}  {:<28} {:>7} {:>7} {:>7} {:>7}\n", "runs", "rule", "shown", "wrong", "FDR", "power");
  for (const Bars& bars : kBars) {
    const Scores scores = mean_scores(bars.runs, reports);
    for (std::size_t i = 0; i < kProcedures.size(); ++i) {
      const Score& score = scores[i];
      fmt::print("{:>4}  {:<28} {:>7.1f} {:>7.1f} {:>6.1f}% {:>6.1f}%\n", bars.runs, kProcedures[i].name,
                 score.shown, score.wrong, 100 * score.false_share, 100 * score.power);
      if (kProcedures[i].name != "REC, BH 5 %") continue;
      gates.at_most(fmt::format("report: false discoveries with {} runs", bars.runs), score.false_share,
                    bars.false_share + slack);
      gates.at_least(fmt::format("report: power with {} runs", bars.runs), score.power, bars.power - slack);
    }
  }
}

}  // namespace kilter::verdicts
