#include "robot/bisect_text.h"

#include "base/quantity.h"
#include "base/text.h"
#include "model/axes.h"
#include "model/json.h"
#include "model/report_types.h"
#include "model/verdict.h"
#include "robot/effect_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

using analyse::BisectAnswer;
using Json = nlohmann::json;

constexpr const char* kBranchPart = "the branch";
constexpr std::size_t kListedSuspects = 20;

std::string commit_words(const model::Commit& commit) {
  return fmt::format("{} (\"{}\", {})", model::short_commit(commit.sha), printable(commit.subject),
                     printable(commit.author_name));
}

std::string p_text(double p) {
  return p < 1e-4 ? fmt::format("{:.0e}", p) : fmt::format("{:.2g}", p);
}

std::string probability_words(double probability) {
  constexpr double kAsGoodAsSure = .9995;
  if (probability >= kAsGoodAsSure) return "probability over 99.9 %";
  return fmt::format("probability {:.1f} %", 100 * probability);
}

std::string counts_text(const BisectFinding& finding) {
  return fmt::format("{} + {} runs of {} + {} builds", finding.before.runs, finding.after.runs,
                     finding.before.builds, finding.after.builds);
}

// "makes tokens_per_sec 5.8 % lower (99 % interval -6.9 to -4.6 %), a regression"
std::string shift_words(const BisectReport& report, const BisectFinding& finding) {
  const analyse::RecResult& change = *finding.change;
  if (finding.before.sum == 0)
    return fmt::format("takes {} away from 0, to {} on average", report.metric,
                       model::figure_text(finding.after.sum / double(finding.after.runs)));
  const std::string verdict = verdict_words(report.direction, change.effect);
  return fmt::format("makes {} {} ({}){}", report.metric, effect_words(change.effect),
                     interval_words(change.low, change.high), verdict.empty() ? "" : ", " + verdict);
}

// "makes runs end as test-failed: 0 of 30 before, 14 of 31 from it on"
std::string rate_words(const BisectReport& report, const BisectFinding& finding) {
  const bool appears =
      finding.after.sum * double(finding.before.runs) > finding.before.sum * double(finding.after.runs);
  return fmt::format("makes '{}' {}: {:.0f} of {} runs before, {:.0f} of {} from it on", report.metric,
                     appears ? "appear" : "go away", finding.before.sum, finding.before.runs,
                     finding.after.sum, finding.after.runs);
}

std::string change_words(const BisectReport& report, const BisectFinding& finding) {
  if (!finding.change && !report.book.measurand().is_outcome())
    return fmt::format("changes {} by more than can be told", report.metric);
  return finding.change ? shift_words(report, finding) : rate_words(report, finding);
}

std::string verified_words(const BisectFinding& finding) {
  if (finding.verified)
    return fmt::format("verified against {} (p = {})", model::short_commit(finding.parent.sha),
                       p_text(finding.p));
  if (!finding.tested) return "not verified: the budget ended before";
  return fmt::format("not verified: it and {} could not be told apart by themselves (p = {})",
                     model::short_commit(finding.parent.sha), p_text(finding.p));
}

std::string culprit_text(const BisectReport& report, const BisectFinding& finding) {
  return fmt::format("{} {}; {}, {}; {}", commit_words(finding.commits.front()),
                     change_words(report, finding), probability_words(finding.probability),
                     counts_text(finding), verified_words(finding));
}

std::string why_several(const BisectFinding& finding) {
  if (!finding.complete) return "the budget ended the search";
  return finding.skipped.empty() ? "runs do not tell them apart" : "those between could not be measured";
}

std::string one_of_text(const BisectReport& report, const BisectFinding& finding) {
  return fmt::format("one of {} commits after {} up to {} {}; {}, {}; {}", finding.commits.size(),
                     model::short_commit(finding.parent.sha), model::short_commit(finding.bad.sha),
                     change_words(report, finding), probability_words(finding.probability),
                     counts_text(finding), why_several(finding));
}

std::string none_text(const BisectReport& report, const BisectFinding& finding) {
  if (!finding.part.empty() && finding.part.starts_with(kBranchPart))
    return fmt::format("{} does not show it ({}): the merge itself makes the change", finding.part,
                       counts_text(finding));
  const std::string ends =
      fmt::format("{} and {}", model::short_commit(finding.parent.sha), model::short_commit(finding.bad.sha));
  if (!finding.change && !report.book.measurand().is_outcome())
    return fmt::format("{} cannot be compared: their values of {} are no numbers to reckon with", ends,
                       report.metric);
  if (!finding.change)
    return fmt::format("{} do not differ: '{}' in {:.0f} of {} and {:.0f} of {} runs (p = {}); refused", ends,
                       report.metric, finding.before.sum, finding.before.runs, finding.after.sum,
                       finding.after.runs, p_text(finding.p));
  const analyse::RecResult& change = *finding.change;
  const std::string enough =
      finding.least > 0 ? fmt::format(" by {} % or more", model::percent_figure(finding.least)) : "";
  std::string text = fmt::format("{} do not differ{} in {}: {} % ({}), {}", ends, enough, report.metric,
                                 model::signed_percent(change.effect),
                                 interval_words(change.low, change.high), counts_text(finding));
  if (std::isfinite(change.resolution))
    text += fmt::format("; {} % could have been seen", model::percent_figure(change.resolution));
  return text + "; refused";
}

Json commit_json(const model::Commit& commit) {
  return {{"sha", commit.sha},
          {"subject", commit.subject},
          {"author", commit.author_name},
          {"email", commit.author_email}};
}

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

const char* kind_word(BisectAnswer::Kind kind) {
  switch (kind) {
    case BisectAnswer::Kind::culprit:
      return "culprit";
    case BisectAnswer::Kind::one_of:
      return "one-of";
    case BisectAnswer::Kind::no_difference:
      return "no-difference";
  }
  return "";
}

Json side_json(const BisectSide& side, bool outcome) {
  Json json = {{"runs", side.runs}, {"builds", side.builds}};
  if (outcome) json["seen"] = side.sum;
  return json;
}

Json finding_json(const BisectReport& report, const BisectFinding& finding) {
  const bool outcome = report.book.measurand().is_outcome();
  Json json = {{"kind", kind_word(finding.kind)},
               {"sentence", finding_text(report, finding)},
               {"part", finding.part},
               {"commits", Json::array()},
               {"parent", commit_json(finding.parent)},
               {"last", commit_json(finding.bad)},
               {"probability", finding.probability},
               {"verified", finding.verified},
               {"complete", finding.complete},
               {"p", finding.p},
               {"before", side_json(finding.before, outcome)},
               {"after", side_json(finding.after, outcome)},
               {"skipped", finding.skipped}};
  for (const model::Commit& commit : finding.commits) json["commits"].push_back(commit_json(commit));
  if (finding.change) {
    json["effect"] = number_json(finding.change->effect);
    json["interval"] = {number_json(finding.change->low), number_json(finding.change->high)};
    json["resolution"] = number_json(finding.change->resolution);
    json["verdict"] = verdict_words(report.direction, finding.change->effect);
  }
  return json;
}

Json tested_json(const BisectReport& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i <= report.range.last(); ++i) {
    const BookPage& page = report.book.page(report.range.sha(i));
    if (page.runs.empty() && page.last_failure.empty()) continue;
    Json values = Json::array();
    for (const BookRun& run : page.runs) values.push_back(run.value);
    list.push_back({{"index", i},
                    {"sha", report.range.sha(i)},
                    {"values", values},
                    {"failure", page.given_up() ? page.last_failure : ""}});
  }
  return list;
}

// The whole list of those it is one of, with why each was not tested.
std::string suspects_text(const BisectFinding& finding) {
  if (finding.kind != BisectAnswer::Kind::one_of) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(finding.commits.size(), kListedSuspects); ++i)
    text += "  " + commit_words(finding.commits[i]) + "\n";
  if (finding.commits.size() > kListedSuspects)
    text += fmt::format("  and {} more\n", finding.commits.size() - kListedSuspects);
  for (const std::string& skipped : finding.skipped) text += "  not measured: " + skipped + "\n";
  return text;
}

// What beside a culprit was looked at and does not change after all.
bool is_idle_rest(const BisectReport& report, const BisectFinding& finding) {
  return &finding != &report.findings.front() && finding.kind == BisectAnswer::Kind::no_difference &&
         !finding.part.starts_with(kBranchPart);
}

std::string estimate_line(const Bisect::Estimate& estimate) {
  const char* what = estimate.known ? "the change is" : "a change of";
  return fmt::format("  {} {:.1f} times the noise of a run: about {:.0f} runs, {:.0f} builds, {}\n", what,
                     estimate.shift, estimate.expected.runs, estimate.expected.builds,
                     format_duration(estimate.expected.cost));
}

}  // namespace

std::string finding_text(const BisectReport& report, const BisectFinding& finding) {
  switch (finding.kind) {
    case BisectAnswer::Kind::culprit:
      return culprit_text(report, finding);
    case BisectAnswer::Kind::one_of:
      return one_of_text(report, finding);
    case BisectAnswer::Kind::no_difference:
      return none_text(report, finding);
  }
  return "";
}

std::string bisect_text(const BisectReport& report) {
  std::string text;
  for (const BisectFinding& finding : report.findings)
    if (!is_idle_rest(report, finding)) text += finding_text(report, finding) + "\n" + suspects_text(finding);
  return text + fmt::format("{} commits, {} runs, {} builds, {}\n", report.range.last(), report.runs,
                            report.builds, format_duration(report.seconds));
}

std::string bisect_json(const BisectReport& report) {
  Json json = {{"metric", report.metric},
               {"good", commit_json(report.range.commits.front().commit)},
               {"bad", commit_json(report.range.commits.back().commit)},
               {"range", report.range.last()},
               {"runs", report.runs},
               {"builds", report.builds},
               {"seconds", report.seconds},
               {"session", report.session},
               {"findings", Json::array()},
               {"tested", tested_json(report)}};
  for (const BisectFinding& finding : report.findings)
    json["findings"].push_back(finding_json(report, finding));
  return model::dump_json(json) + "\n";
}

std::string estimate_text(const BisectRange& range, const std::vector<Bisect::Estimate>& list) {
  std::string text = fmt::format("{} commits: {}..{}\n", range.last(), model::short_commit(range.sha(0)),
                                 model::short_commit(range.sha(range.last())));
  for (const Bisect::Estimate& estimate : list) text += estimate_line(estimate);
  if (list.empty()) return text;
  const Bisect::Estimate& any = list.front();
  if (any.runs_at_hand > 0) text += fmt::format("  {} runs are there already\n", any.runs_at_hand);
  if (any.run_seconds > 0)
    text += fmt::format("  a run takes {}, a build {}\n", format_duration(any.run_seconds),
                        any.build_seconds > 0 ? format_duration(any.build_seconds) : "an unknown time");
  if (!(any.run_seconds > 0))
    text += "  how long a run and a build take is not known yet: 1 s and 10 s assumed\n";
  return text;
}

std::string estimate_json(const BisectRange& range, const std::vector<Bisect::Estimate>& list) {
  Json json = {{"good", range.sha(0)},
               {"bad", range.sha(range.last())},
               {"range", range.last()},
               {"estimates", Json::array()}};
  for (const Bisect::Estimate& estimate : list)
    json["estimates"].push_back({{"shift", estimate.shift},
                                 {"known", estimate.known},
                                 {"runs", estimate.expected.runs},
                                 {"builds", estimate.expected.builds},
                                 {"seconds", estimate.expected.cost}});
  return model::dump_json(json) + "\n";
}

}  // namespace kilter::robot
