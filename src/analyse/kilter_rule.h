#pragma once

#include "analyse/column.h"
#include "analyse/compare.h"
#include "analyse/metric_verdicts.h"
#include "analyse/time_copies.h"
#include "model/verdict.h"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Our rule of change, over all metrics of a comparison: metric_verdicts.h for what was measured, Fisher's
// exact test for what failed.
namespace kilter::analyse {

// What a table shows of one verdict.
[[nodiscard]] model::RowVerdict row_verdict(const MetricVerdict& verdict, const Evidence& evidence,
                                            double minimal_effect, std::size_t history);

// The verdict of one metric by itself: for campaigns and bisections. `history`: its runs in earlier builds,
// oldest first. nullopt when a side has no value.
struct MetricQuestion {
  std::span<const LabelledSample> a;
  std::span<const LabelledSample> b;
  History history;
  AnswerRule rule = {.level = kHeadlineLevel, .minimal_effect = kHeadlineMinimalEffect};
};
[[nodiscard]] std::optional<model::RowVerdict> metric_verdict(const MetricQuestion& question);

// So many of so many runs failed.
struct FailureCounts {
  std::size_t failed = 0;
  std::size_t runs = 0;
};
// p of Fisher's exact test. The answer is "changed" when q, its false discovery rate among such rows, is at
// most `level`, or when all of three or more runs of one side failed and none of as many of the other:
// so few runs cannot do better.
struct FailureRule {
  double q = 0;  // of its family; at least p
  double level = kReportLevel;
};
[[nodiscard]] model::RowVerdict failure_verdict(const FailureCounts& base, const FailureCounts& other,
                                                const FailureRule& rule = {});

// All verdicts of a comparison.
class KilterRule {
 public:
  // `all`: hidden metrics are tested, too, by themselves. Everything passed must outlive it.
  KilterRule(std::span<const CompareInput> inputs, std::span<const Column> columns, const KeyTable& keys,
             const CompareOptions& options);

  // Of one key in one column but the first; nullopt: not tested.
  [[nodiscard]] const std::optional<model::RowVerdict>& verdict(std::size_t key, std::size_t column) const {
    return verdicts_[column - 1][key];
  }
  [[nodiscard]] model::AnswerCounts counts(std::size_t column) const { return counts_[column - 1]; }
  // Metrics that would be tested, had both sides a value.
  [[nodiscard]] std::size_t one_sided(std::size_t column) const { return one_sided_[column - 1]; }

 private:
  struct Family;
  void judge_column(std::size_t column);
  void judge_family(std::size_t column, const Family& family, bool counted);
  void judge_failures(std::size_t column);
  [[nodiscard]] Family family_of(std::size_t column, bool hidden) const;
  [[nodiscard]] bool is_tested(std::size_t key, std::size_t column) const;
  [[nodiscard]] std::vector<double> values_of(std::size_t key, std::size_t column) const;
  [[nodiscard]] std::vector<RunLabel> labels_of(std::size_t column);

  std::span<const CompareInput> inputs_;
  std::span<const Column> columns_;
  const KeyTable& keys_;
  const CompareOptions& options_;
  TimeCopies times_;
  std::vector<bool> failures_;  // by key: counts failing runs
  std::vector<std::vector<std::optional<model::RowVerdict>>> verdicts_;
  std::vector<model::AnswerCounts> counts_;
  std::vector<std::size_t> one_sided_;
  std::vector<std::vector<RunLabel>> labels_;  // of each column's complete runs
  std::deque<std::string> names_;              // of runs of which nothing is known
};

// What is known of a metric, its direction from the lists where no suite tells it.
[[nodiscard]] model::MetricInfo info_of_metric(const std::string& key, const CompareOptions& options);

}  // namespace kilter::analyse
