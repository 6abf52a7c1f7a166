#include "robot/bisect_evidence.h"

#include "analyse/bisect_rest.h"
#include "analyse/history_scale.h"

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

using analyse::BisectState;

constexpr double kSecondsPerHour = 3600;
constexpr double kMostNoiseRuns = 60;  // what a history is worth: conditions change
constexpr unsigned kFirstEndRuns = 4;
constexpr unsigned kFirstEndRunsKnown = 3;  // where the noise is known
constexpr unsigned kFirstEndRunsOutcome = 6;
constexpr unsigned kEndBudget = 60;
constexpr unsigned kEndBudgetOutcome = 120;
constexpr double kDefaultRunSeconds = 1;
constexpr double kDefaultBuildRuns = 10;  // a build costs so many runs, until one was made
constexpr double kBuildBase = .5;         // of a build's cost, however near the last one was

// The spans that analyse wants of a history.
struct HistorySpans {
  explicit HistorySpans(const BisectHistory& history) : spans(history.begin(), history.end()) {}
  std::vector<std::span<const double>> spans;
};

bool all_positive(const std::vector<std::vector<double>>& values) {
  return std::ranges::all_of(values, [](const std::vector<double>& runs) {
    return std::ranges::all_of(runs, [](double value) { return value > 0; });
  });
}

BisectHistory logarithms(BisectHistory history) {
  for (std::vector<double>& runs : history)
    for (double& value : runs) value = std::log(value);
  return history;
}

// A commit that is built to the same bytes as the one before it changes nothing.
void clear_identical(const BisectRange& range, const BisectBook& book, std::vector<double>& weights) {
  std::size_t before = 0;
  std::string id = book.page(range.sha(0)).build_id;
  for (std::size_t i = 1; i <= range.last(); ++i) {
    const std::string& own = book.page(range.sha(i)).build_id;
    if (own.empty()) continue;
    if (own == id)
      std::fill(weights.begin() + std::ptrdiff_t(before), weights.begin() + std::ptrdiff_t(i), 0);
    before = i;
    id = own;
  }
}

}  // namespace

double rec_p(const std::vector<double>& a, const std::vector<double>& b, const BisectHistory& history) {
  const HistorySpans spans(history);
  const std::optional<analyse::RecSamples> samples =
      analyse::rec_samples({.a = a, .b = b, .history = spans.spans});
  return samples ? analyse::rec_test(*samples).p : 1;
}

Result<BisectEvidence> BisectEvidence::of(const BisectRange& range, const BisectBook& book,
                                          const BisectHistory& history, const BisectSettings& settings) {
  BisectEvidence evidence;
  evidence.history_ = std::make_shared<const BisectHistory>(history);
  evidence.take_values(range, book);
  if (!book.measurand().is_outcome()) evidence.take_drift(range, book);
  TRY(evidence.make_state(range, book));
  evidence.make_model(book, history, settings);
  evidence.make_options(book, settings);
  return evidence;
}

void BisectEvidence::take_values(const BisectRange& range, const BisectBook& book) {
  values_ = std::make_shared<std::vector<std::vector<double>>>(range.commits.size());
  for (std::size_t i = 0; i <= range.last(); ++i)
    for (const BookRun& run : book.page(range.sha(i)).runs) (*values_)[i].push_back(run.value);
  logarithmic_ = !book.measurand().is_outcome() && all_positive(*values_);
}

void BisectEvidence::take_drift(const BisectRange& range, const BisectBook& book) {
  std::vector<analyse::TimedSample> samples;
  double first = 0;
  for (std::size_t i = 0; i <= range.last(); ++i)
    for (const BookRun& run : book.page(range.sha(i)).runs) {
      if (samples.empty()) first = run.started;
      samples.push_back(
          {i, (run.started - first) / kSecondsPerHour, logarithmic_ ? std::log(run.value) : run.value});
    }
  drift_ = analyse::drift_of(samples);
  if (drift_ && !analyse::is_evident(*drift_)) drift_.reset();
  if (!drift_ || !std::isfinite(drift_->slope)) return;
  std::size_t next = 0;
  for (std::vector<double>& runs : *values_)
    for (double& value : runs) {
      const double by = drift_->slope * samples[next++].time;
      value = logarithmic_ ? value * std::exp(-by) : value - by;
    }
}

Status BisectEvidence::make_state(const BisectRange& range, const BisectBook& book) {
  std::vector<double> weights;
  for (std::size_t i = 1; i <= range.last(); ++i) weights.push_back(range.commits[i].weight);
  clear_identical(range, book, weights);
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
    return failure("bisecting: good and bad are built to identical artefacts: nothing can differ",
                   "is what changed part of the project's artefacts?");
  ASSIGN_OR_RETURN(state_, analyse::make_bisect(weights));
  state_.distance.assign(range.commits.size(), 0);
  for (std::size_t i = 0; i <= range.last(); ++i) {
    const BookPage& page = book.page(range.sha(i));
    if (i > 0) state_.distance[i] = state_.distance[i - 1] + double(range.commits[i].files);
    state_.skipped[i] = page.given_up();
    state_.cached[i] = page.built;
    for (const double value : (*values_)[i])
      TRY(analyse::add_run(state_, i, logarithmic_ ? std::log(value) : value));
  }
  return {};
}

void BisectEvidence::make_model(const BisectBook& book, const BisectHistory& history,
                                const BisectSettings& settings) {
  if (book.measurand().is_outcome()) {
    model_ = analyse::OutcomeModel{.least = settings.delta};
  } else {
    analyse::ShiftModel model;
    const bool usable = !logarithmic_ || all_positive(history);
    const BisectHistory scaled = logarithmic_ && usable ? logarithms(history) : history;
    const HistorySpans spans(scaled);
    if (const std::optional<analyse::HistoryScale> scale = analyse::history_scale(spans.spans);
        scale && usable && scale->variance > 0) {
      model.noise = std::sqrt(scale->variance);
      model.noise_runs = std::min(scale->df, kMostNoiseRuns);
      if (scale->compared)
        model.build_ratio =
            analyse::build_effect(*scale, analyse::kBuildRatioPrior).variance / scale->variance;
    }
    const double level = std::abs(analyse::runs_of(state_, 0).mean);
    model.least = logarithmic_ ? std::log1p(settings.delta) : settings.delta * level;
    noise_runs_ = model.noise_runs;
    model_ = model;
  }
  if (settings.rest) model_ = analyse::model_of_rest(model_);
}

void BisectEvidence::make_options(const BisectBook& book, const BisectSettings& settings) {
  const bool outcome = book.measurand().is_outcome();
  const double run = book.run_seconds().value_or(kDefaultRunSeconds);
  const double build = book.build_seconds().value_or(run * kDefaultBuildRuns);
  const double files = std::max(1., state_.distance.back());
  const unsigned first = noise_runs_ >= 10 ? kFirstEndRunsKnown : kFirstEndRuns;
  options_.confidence = settings.confidence;
  options_.alpha = settings.alpha;
  options_.end_runs = settings.end_runs != 0 ? settings.end_runs : outcome ? kFirstEndRunsOutcome : first;
  options_.end_budget = settings.end_budget != 0 ? settings.end_budget
                        : outcome                ? kEndBudgetOutcome
                                                 : kEndBudget;
  options_.most_runs = settings.most_runs;
  options_.costs = {.run = run, .build = kBuildBase * build, .distance = build / files};
  if (outcome) return;
  options_.pair_p = [values = values_, history = history_](std::size_t parent, std::size_t commit) {
    return rec_p((*values)[parent], (*values)[commit], *history);
  };
}

double BisectEvidence::as_measured(double level) const {
  return logarithmic_ ? std::exp(level) : level;
}

std::optional<analyse::RecResult> BisectEvidence::change(std::size_t first, std::size_t last) const {
  std::vector<double> before;
  std::vector<double> after;
  for (std::size_t i = 0; i < first; ++i) before.insert(before.end(), values(i).begin(), values(i).end());
  for (std::size_t i = last; i < values_->size(); ++i)
    after.insert(after.end(), values(i).begin(), values(i).end());
  const HistorySpans spans(*history_);
  const std::optional<analyse::RecSamples> samples =
      analyse::rec_samples({.a = before, .b = after, .history = spans.spans});
  if (!samples) return std::nullopt;
  return analyse::rec_test(*samples);
}

}  // namespace kilter::robot
