#include "robot/bisect_text.h"

#include <doctest/doctest.h>

using namespace kilter;

namespace {

robot::BisectFinding culprit_finding() {
  robot::BisectFinding finding{
      .kind = analyse::BisectAnswer::Kind::culprit,
      .commits = {{.sha = "4f2a91c0b1d2", .subject = "x: slow\x1b[31m", .author_name = "Ann"}},
      .parent = {.sha = "975660a46f56"},
      .probability = .9971,
      .verified = true,
      .complete = true,
      .p = 3e-7};
  finding.change.emplace();
  finding.change->effect = -.058;
  finding.change->low = -.069;
  finding.change->high = -.046;
  finding.before = {.runs = 24, .builds = 4, .sum = 24000};
  finding.after = {.runs = 31, .builds = 5};
  return finding;
}

robot::BisectReport report_of(model::Direction direction) {
  robot::BisectReport report{.metric = "lib.speed", .direction = direction};
  report.range.commits.resize(65);
  report.findings = {culprit_finding()};
  return report;
}

}  // namespace

TEST_CASE("a culprit is told in one sentence, which way the metric is meant included") {
  const robot::BisectReport report = report_of(model::Direction::higher_better);
  CHECK(robot::finding_text(report, report.findings[0]) ==
        "4f2a91c0b1d2 (\"x: slow[31m\", Ann) makes lib.speed 5.8 % lower (99 % interval -6.9..-4.6 %), a "
        "regression; "
        "probability 99.7 %, 24 + 31 runs of 4 + 5 builds; verified against 975660a46f56 (p = 3e-07)");
  const robot::BisectReport latency = report_of(model::Direction::lower_better);
  CHECK(robot::finding_text(latency, latency.findings[0]).find("an improvement") != std::string::npos);
  const robot::BisectReport unknown = report_of(model::Direction::unknown);
  CHECK(robot::finding_text(unknown, unknown.findings[0]).find("%); probability") != std::string::npos);
}

TEST_CASE("what was looked at beside a culprit and did not change is left out of the text") {
  robot::BisectReport report = report_of(model::Direction::higher_better);
  robot::BisectFinding rest{.kind = analyse::BisectAnswer::Kind::no_difference, .part = "a..b"};
  report.findings.push_back(rest);
  CHECK(robot::bisect_text(report).find("do not differ") == std::string::npos);
  report.findings[1].part = "the branch that 4f2a91c merged";
  CHECK(robot::bisect_text(report).find("the merge itself") != std::string::npos);
  CHECK(robot::bisect_json(report).find("no-difference") != std::string::npos);
}

TEST_CASE("an outcome is told by its counts") {
  robot::BisectReport report = report_of(model::Direction::lower_better);
  report.metric = "crashed";
  report.book = robot::BisectBook({.metric = "", .outcome = "crashed"});
  report.findings[0].before.sum = 0;
  report.findings[0].change.reset();
  report.findings[0].before.sum = 0;
  report.findings[0].after.sum = 14;
  CHECK(robot::finding_text(report, report.findings[0])
            .find("makes 'crashed' appear: 0 of 24 runs before, 14 of 31 from it on") != std::string::npos);
}
