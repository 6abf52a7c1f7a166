#include "analyse/kilter_rule.h"

#include "analyse/classic_tests.h"
#include "analyse/direction.h"
#include "analyse/fdr.h"
#include "analyse/history_stretch.h"
#include "analyse/order_statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <tuple>

namespace kilter::analyse {

// A metric as the rule sees it.
struct RuleKey {
  std::size_t index = 0;
  bool headline = false;
  bool directed = false;
  bool benchmark = false;
  std::vector<double> a;
  std::vector<double> b;
};

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestOfAll = 3;  // runs that all fail on one side, and never on the other

void describe_key(RuleKey& key, std::string_view text, const CompareOptions& options) {
  if (!is_test_program(base_of(text), options.rule.benchmarks)) return;
  const model::MetricInfo info = info_of_metric(std::string(text), options);
  key.benchmark = is_kpi_stat(text, options.rule.benchmarks);
  key.directed = info.direction != model::Direction::unknown;
  key.headline = info.headline && key.directed;
}

// Few runs of every process each, or whole builds: what may be called changed by so many.
std::size_t fewest_runs(EvidenceLevel level) {
  return level == EvidenceLevel::build || level == EvidenceLevel::boot ? 2 : AnswerRule{}.fewest_runs;
}

bool lies_at_zero(std::span<const double> values) {
  return median(finite_values(values)) == 0;
}

// Earlier builds in the same pieces as the sides.
class ReducedHistory {
 public:
  ReducedHistory(const model::BuildHistory* history, EvidenceLevel level) : history_(history), level_(level) {
    if (history == nullptr || !is_reduced()) return;
    const std::vector<model::RunTable::Run>& runs = history->runs.runs();
    for (std::size_t build = 0; build < history->size(); ++build) {
      const std::size_t end = build + 1 < history->size() ? history->begins[build + 1] : runs.size();
      std::vector<RunLabel> labels;
      for (std::size_t run = history->begins[build]; run < end; ++run)
        labels.push_back({.build = runs[run].build, .boot = runs[run].boot, .process = runs[run].directory});
      trees_.emplace_back(labels);
    }
  }

  // Spans into the history or, where its runs are taken together, into `store`.
  [[nodiscard]] std::vector<std::span<const double>> of(std::string_view key,
                                                        std::deque<std::vector<double>>& store) const {
    if (history_ == nullptr) return {};
    std::vector<std::span<const double>> builds = history_->of(key);
    if (!is_reduced()) return builds;
    for (std::size_t build = 0; build < builds.size(); ++build) {
      store.push_back(trees_[build].reduced(builds[build], level_));
      builds[build] = store.back();
    }
    return builds;
  }

 private:
  [[nodiscard]] bool is_reduced() const {
    return level_ == EvidenceLevel::build || level_ == EvidenceLevel::boot;
  }

  const model::BuildHistory* history_;
  EvidenceLevel level_;
  std::vector<RunTree> trees_;
};

double fisher_of(const FailureCounts& a, const FailureCounts& b) {
  return fisher_exact(
      {.a_yes = a.failed, .a_no = a.runs - a.failed, .b_yes = b.failed, .b_no = b.runs - b.failed});
}

bool is_all_and_none(const FailureCounts& a, const FailureCounts& b) {
  return std::min(a.runs, b.runs) >= kFewestOfAll && a.failed == a.runs && b.failed == 0;
}

FailureCounts failure_counts(const Column& column, const model::MatrixRow* row) {
  std::vector<double> values;
  column.append_values(row, Runs::all, 0, values);
  return {.failed = values.size() - static_cast<std::size_t>(std::ranges::count(values, 0)),
          .runs = values.size()};
}

void count_answer(model::AnswerCounts& counts, model::Answer answer) {
  if (answer == model::Answer::changed) ++counts.changed;
  if (answer == model::Answer::same) ++counts.same;
  if (answer == model::Answer::unknown) ++counts.unknown;
}

// Large enough, for a metric like this, to matter.
bool is_worth_a_test(std::string_view key, std::span<const double> a, std::span<const double> b,
                     const CompareOptions& options) {
  double largest = 0;
  for (const std::span<const double> side : {a, b})
    for (const double value : side)
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  const std::optional<model::Number>& least = options.rule.perf_profile_threshold;
  // Written with a point on the command line; the default is a whole number, which no profile is.
  if (key.starts_with("perf-profile.")) return !least || least->is_integer() || largest > least->value();
  return lkp_is_reasonable(key, std::numeric_limits<double>::infinity(), largest, options.rule);
}

}  // namespace

model::RowVerdict row_verdict(const MetricVerdict& verdict, const Evidence& evidence, double minimal_effect,
                              std::size_t history) {
  const RecResult& result = verdict.result;
  return {.answer = verdict.answer,
          .effect = result.effect,
          .low = result.low,
          .high = result.high,
          .p = result.p,
          .q = verdict.q,
          .resolution = result.resolution,
          .delta = minimal_effect,
          .base = result.level,
          .from_zero = lies_at_zero(evidence.a),
          .level = std::string(level_name(evidence.level)),
          .base_n = result.a.n,
          .n = result.b.n,
          .base_flagged = result.a.flagged,
          .flagged = result.b.flagged,
          .history = history,
          .one_build = evidence.one_build,
          .one_boot = evidence.one_boot,
          .multimodal = result.multimodal,
          .copy_of = "",
          .runs_needed = runs_needed(result, minimal_effect)};
}

std::optional<model::RowVerdict> metric_verdict(const MetricQuestion& question) {
  const Evidence pieces = evidence(question.a, question.b);
  const History history = since_last_change(question.history);
  const std::optional<RecSamples> samples = rec_samples({.a = pieces.a, .b = pieces.b, .history = history});
  if (!samples) return std::nullopt;
  AnswerRule rule = question.rule;
  rule.fewest_runs = std::min(rule.fewest_runs, fewest_runs(pieces.level));
  const RecResult result = rec_test(*samples);
  const double p = ranks_agree(samples->a, samples->b, rule.level) ? result.p : 1;
  return row_verdict({.result = result, .answer = answer(result, p, rule), .q = p}, pieces,
                     rule.minimal_effect, history.size());
}

model::RowVerdict failure_verdict(const FailureCounts& base, const FailureCounts& other,
                                  const FailureRule& rule) {
  model::RowVerdict verdict{.p = fisher_of(base, other), .base_n = base.runs, .n = other.runs};
  verdict.q = std::max(rule.q, verdict.p);
  const bool plain = is_all_and_none(base, other) || is_all_and_none(other, base);
  if (verdict.q <= rule.level || plain) verdict.answer = model::Answer::changed;
  return verdict;
}

model::MetricInfo info_of_metric(const std::string& key, const CompareOptions& options) {
  model::MetricInfo info = options.metric_info ? options.metric_info(key) : model::MetricInfo{};
  if (info.direction == model::Direction::unknown) info.direction = direction_of(key);
  return info;
}

// Metrics that share a false discovery rate, those that speak for others first.
struct KilterRule::Family {
  std::vector<RuleKey> keys;
};

KilterRule::KilterRule(std::span<const CompareInput> inputs, std::span<const Column> columns,
                       const KeyTable& keys, const CompareOptions& options)
    : inputs_(inputs), columns_(columns), keys_(keys), options_(options), times_(keys) {
  for (std::size_t column = 0; column < columns.size(); ++column) labels_.push_back(labels_of(column));
  failures_.reserve(keys.size());
  for (std::size_t key = 0; key < keys.size(); ++key) failures_.push_back(is_function_stat(keys.key(key)));
  const std::size_t others = columns.size() - 1;
  verdicts_.assign(others, std::vector<std::optional<model::RowVerdict>>(keys.size()));
  counts_.resize(others);
  one_sided_.resize(others);
  for (std::size_t column = 1; column < columns.size(); ++column) judge_column(column);
}

void KilterRule::judge_column(std::size_t column) {
  judge_family(column, family_of(column, false), true);
  if (options_.all && !options_.rule.more) judge_family(column, family_of(column, true), false);
  judge_failures(column);
  for (std::size_t key = 0; key < keys_.size(); ++key)
    if (!failures_[key] && (keys_.row(key, 0) == nullptr) != (keys_.row(key, column) == nullptr) &&
        lkp_is_wanted(keys_.key(key), options_.rule) && !verdicts_[column - 1][key])
      ++one_sided_[column - 1];
}

bool KilterRule::is_tested(std::size_t key, std::size_t column) const {
  const bool in_base = keys_.row(key, 0) != nullptr;
  const bool in_other = keys_.row(key, column) != nullptr;
  // A symbol that a profile lacks is below its threshold, so 0, where there is a profile at all.
  const std::string_view text = keys_.key(key);
  if (text.starts_with("perf-profile."))
    return (in_base || keys_.has_program("perf-profile", 0)) &&
           (in_other || keys_.has_program("perf-profile", column));
  return options_.missing_is_zero ? in_base || in_other : in_base && in_other;
}

std::vector<double> KilterRule::values_of(std::size_t key, std::size_t column) const {
  const bool zero = options_.missing_is_zero || keys_.key(key).starts_with("perf-profile.");
  std::vector<double> values;
  values.reserve(labels_[column].size());
  columns_[column].append_values(keys_.row(key, column), Runs::complete, zero ? 0 : kMissing, values);
  return values;
}

KilterRule::Family KilterRule::family_of(std::size_t column, bool hidden) const {
  Family family;
  for (std::size_t index = 0; index < keys_.size(); ++index) {
    const std::string_view text = keys_.key(index);
    if (failures_[index] || !is_tested(index, column)) continue;
    RuleKey key{.index = index, .a = values_of(index, 0), .b = values_of(index, column)};
    const bool shown = lkp_is_wanted(text, options_.rule) && !times_.contains(text) &&
                       is_worth_a_test(text, key.a, key.b, options_);
    if ((shown || text == options_.wanted) == hidden) continue;
    describe_key(key, text, options_);
    family.keys.push_back(std::move(key));
  }
  std::ranges::stable_sort(family.keys, {}, [this](const RuleKey& key) {
    return std::tuple(!key.headline, !key.directed, keys_.key(key.index).size());
  });
  return family;
}

// The runs that count. What is known of none is a process of its own, of a build that all share.
std::vector<RunLabel> KilterRule::labels_of(std::size_t column) {
  const std::size_t runs = columns_[column].runs(Runs::all);
  const bool known = inputs_[column].runs.size() == runs;
  std::vector<RunLabel> labels;
  for (std::size_t run = 0; run < runs; ++run) {
    if (!columns_[column].counts(run, Runs::complete)) continue;
    if (known)
      labels.push_back(inputs_[column].runs[run]);
    else
      labels.push_back({.build = "", .boot = "", .process = names_.emplace_back(std::to_string(run))});
  }
  return labels;
}

void KilterRule::judge_family(std::size_t column, const Family& family, bool counted) {
  const EvidenceLayout layout(labels_[0], labels_[column]);
  const ReducedHistory history(options_.verdicts.history, layout.level());
  std::vector<Evidence> pieces;
  std::vector<std::vector<std::span<const double>>> builds;
  std::deque<std::vector<double>> store;
  std::vector<MetricEvidence> metrics;
  const std::vector<RuleKey>& tested = family.keys;
  for (const RuleKey& key : tested) {
    pieces.push_back(layout.evidence(key.a, key.b));
    builds.push_back(history.of(keys_.key(key.index), store));
  }
  for (std::size_t i = 0; i < tested.size(); ++i)
    metrics.push_back({.runs = {.a = pieces[i].a, .b = pieces[i].b, .history = since_last_change(builds[i])},
                       .headline = tested[i].headline,
                       .minimal_effect = tested[i].benchmark ? options_.verdicts.headline_delta
                                                             : options_.verdicts.other_delta});
  const std::vector<std::optional<MetricVerdict>> verdicts =
      metric_verdicts(metrics, {.headline_level = options_.verdicts.headline_level,
                                .report_level = options_.verdicts.report_level,
                                .fewest_runs = fewest_runs(layout.level())});
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (!verdicts[i]) continue;
    model::RowVerdict row =
        row_verdict(*verdicts[i], pieces[i], metrics[i].minimal_effect, metrics[i].runs.history.size());
    if (verdicts[i]->speaker != i) row.copy_of = keys_.key(tested[verdicts[i]->speaker].index);
    if (counted) count_answer(counts_[column - 1], row.answer);
    verdicts_[column - 1][tested[i].index] = std::move(row);
  }
}

void KilterRule::judge_failures(std::size_t column) {
  struct Seen {
    std::size_t key;
    FailureCounts base;
    FailureCounts other;
  };
  std::vector<Seen> seen;
  std::vector<double> p;
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (!failures_[key]) continue;
    seen.push_back({key, failure_counts(columns_[0], keys_.row(key, 0)),
                    failure_counts(columns_[column], keys_.row(key, column))});
    p.push_back(fisher_of(seen.back().base, seen.back().other));
  }
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t i = 0; i < seen.size(); ++i)
    verdicts_[column - 1][seen[i].key] =
        failure_verdict(seen[i].base, seen[i].other, {.q = q[i], .level = options_.verdicts.report_level});
}

}  // namespace kilter::analyse
