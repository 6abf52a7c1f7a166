#include "robot/bisect_book.h"

#include "base/text.h"
#include "robot/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

using model::Outcome;

constexpr int kMostFailures = 2;       // without a single run that says something
constexpr int kMostInfraFailures = 5;  // the machine's, which come and go
constexpr const char* kAnyFailure = "failed";

bool is_machines_fault(Outcome outcome) {
  return outcome == Outcome::infra_failed;
}

std::string program_of(const std::string& metric) {
  return metric.substr(0, metric.find('.'));
}

bool is_failure_of_test(Outcome outcome) {
  return outcome == Outcome::crashed || outcome == Outcome::test_failed || outcome == Outcome::timed_out;
}

}  // namespace

std::vector<std::string> outcome_words() {
  std::vector<std::string> words = {kAnyFailure};
  for (const Outcome outcome :
       {Outcome::crashed, Outcome::test_failed, Outcome::timed_out, Outcome::boot_failed})
    words.emplace_back(model::outcome_name(outcome));
  return words;
}

std::optional<double> Measurand::value(const model::RunRecord& record, const model::Metrics& metrics) const {
  if (is_outcome()) {
    if (record.outcome == Outcome::ok || record.outcome == Outcome::unmeasured) return 0;
    const bool any = outcome == kAnyFailure && is_failure_of_test(record.outcome);
    return any || model::outcome_name(record.outcome) == outcome ? std::optional<double>(1) : std::nullopt;
  }
  if (record.outcome != Outcome::ok) return std::nullopt;
  const auto found = std::ranges::find(metrics, metric, &model::Metric::key);
  if (found == metrics.end() || !std::isfinite(found->value.value())) return std::nullopt;
  return found->value.value();
}

bool BookPage::given_up() const {
  if (build_failed) return true;
  const int runs_that_say = static_cast<int>(runs.size());
  return failures >= kMostFailures + 2 * runs_that_say ||
         infra_failures >= kMostInfraFailures + 2 * runs_that_say;
}

void BisectBook::add(const model::RunRecord& record, const model::Metrics& metrics) {
  const auto commit = record.axes.find("commit");
  if (commit == record.axes.end()) return;
  BookPage& page = pages_[commit->second];
  if (record.outcome == Outcome::build_failed) {
    page.build_failed = true;
    page.last_failure = record.reason;
    return;
  }
  ++runs_;
  page.build_failed = false;
  page.built = true;
  if (!record.build_id.empty()) page.build_id = record.build_id;
  if (const std::optional<double> value = measurand_.value(record, metrics)) {
    infra_in_a_row_ = 0;
    page.runs.push_back({*value, record.started, record.directory, record.build_id});
    ++timed_runs_;
    seconds_of_runs_ += record.elapsed + record.overhead;
    return;
  }
  infra_in_a_row_ = is_machines_fault(record.outcome) ? infra_in_a_row_ + 1 : 0;
  ++(is_machines_fault(record.outcome) ? page.infra_failures : page.failures);
  page.last_failure = record.outcome == Outcome::ok
                          ? fmt::format("ended well without '{}'; {}", measurand_.metric,
                                        metrics_hint(metrics, program_of(measurand_.metric)))
                          : fmt::format("{}: {}", model::outcome_name(record.outcome), record.reason);
}

void BisectBook::add_build(const std::string& sha, const std::string& build_id, double seconds,
                           bool from_cache) {
  BookPage& page = pages_[sha];
  page.built = true;
  page.build_id = build_id;
  if (!from_cache) ++builds_;
  if (!(seconds > 0)) return;
  ++timed_builds_;
  seconds_of_builds_ += seconds;
}

void BisectBook::forgive() {
  infra_in_a_row_ = 0;
  for (auto& [sha, page] : pages_) page.infra_failures = 0;
}

void BisectBook::give_up(const std::string& sha, const std::string& why) {
  BookPage& page = pages_[sha];
  page.build_failed = true;
  page.last_failure = why;
}

const BookPage& BisectBook::page(const std::string& sha) const {
  static const BookPage empty;
  const auto found = pages_.find(sha);
  return found == pages_.end() ? empty : found->second;
}

std::optional<double> BisectBook::run_seconds() const {
  return timed_runs_ == 0 ? std::nullopt : std::optional(seconds_of_runs_ / timed_runs_);
}

std::optional<double> BisectBook::build_seconds() const {
  return timed_builds_ == 0 ? std::nullopt : std::optional(seconds_of_builds_ / timed_builds_);
}

}  // namespace kilter::robot
