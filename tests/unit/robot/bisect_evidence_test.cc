#include "robot/bisect_evidence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace kilter;
using model::Outcome;
using robot::BisectBook;
using robot::BisectEvidence;
using robot::BisectRange;

namespace {

struct Runs {
  BisectBook book{{.metric = "lib.speed", .outcome = ""}};
  BisectRange range;
  double clock = 1000;

  explicit Runs(std::size_t last) {
    for (std::size_t i = 0; i <= last; ++i)
      range.commits.push_back({.commit = {.sha = "c" + std::to_string(i)}, .files = i == 0 ? 0U : 1U});
  }
  void add(std::size_t commit, double value, Outcome outcome = Outcome::ok, const std::string& build = "") {
    model::RunRecord record;
    record.axes["commit"] = range.sha(commit);
    record.outcome = outcome;
    record.reason = "because";
    record.started = clock += 10;
    record.elapsed = 2;
    record.build_id = build;
    model::Metrics metrics;
    if (outcome == Outcome::ok) metrics.push_back({"lib.speed", model::Number(value)});
    book.add(record, metrics);
  }
  BisectEvidence evidence(const robot::BisectSettings& settings = {}) {
    return BisectEvidence::of(range, book, {}, settings).value();
  }
};

}  // namespace

TEST_CASE("positive values are compared as logarithms, others as they are") {
  Runs runs(4);
  runs.add(0, 100);
  runs.add(4, 200);
  CHECK(runs.evidence().logarithmic());
  CHECK(analyse::runs_of(runs.evidence().state(), 4).mean == doctest::Approx(std::log(200)));
  runs.add(2, -1);
  CHECK_FALSE(runs.evidence().logarithmic());
  CHECK(analyse::runs_of(runs.evidence().state(), 4).mean == 200);
}

TEST_CASE("what cannot be measured is given up, and neither good nor bad") {
  Runs runs(6);
  runs.add(1, 0, Outcome::test_failed);
  CHECK_FALSE(runs.book.page("c1").given_up());
  runs.add(1, 0, Outcome::timed_out);
  CHECK(runs.book.page("c1").given_up());
  for (int i = 0; i < 4; ++i) runs.add(2, 0, Outcome::infra_failed);
  CHECK_FALSE(runs.book.page("c2").given_up());
  runs.add(2, 0, Outcome::infra_failed);
  CHECK(runs.book.page("c2").given_up());
  runs.add(3, 0, Outcome::build_failed);
  CHECK(runs.book.page("c3").given_up());
  runs.add(4, 7);
  runs.add(4, 0, Outcome::test_failed);
  runs.add(4, 0, Outcome::test_failed);
  CHECK_FALSE(runs.book.page("c4").given_up());
  runs.add(5, std::numeric_limits<double>::quiet_NaN());
  const BisectEvidence evidence = runs.evidence();
  CHECK(evidence.state().skipped == std::vector<bool>{false, true, true, true, false, false, false});
  CHECK(evidence.state().tested.size() == 1);
  CHECK(runs.book.page("c5").last_failure.starts_with("ended well without 'lib.speed'"));
}

TEST_CASE("a commit that was built well later has not failed to build") {
  Runs runs(2);
  runs.add(1, 0, Outcome::build_failed);
  runs.add(1, 5);
  CHECK_FALSE(runs.book.page("c1").given_up());
}

TEST_CASE("commits with the bytes of their neighbour are no suspects") {
  Runs runs(6);
  runs.add(0, 5, Outcome::ok, "x");
  runs.add(3, 5, Outcome::ok, "x");
  runs.add(6, 5, Outcome::ok, "y");
  const BisectEvidence evidence = runs.evidence();
  CHECK(evidence.state().prior[3] == 0);
  CHECK(evidence.state().prior[4] == doctest::Approx(1. / 3));
  runs.add(6, 5, Outcome::ok, "x");
  const Result<BisectEvidence> same = BisectEvidence::of(runs.range, runs.book, {}, {});
  REQUIRE_FALSE(same.has_value());
  CHECK(same.error().message.find("identical artefacts") != std::string::npos);
}

TEST_CASE("a machine that gets slower with every run does not look like a culprit") {
  Runs runs(8);
  for (int round = 0; round < 10; ++round)
    for (const std::size_t commit : {0, 4, 8})
      runs.add(commit, (1000 + round % 3) * std::exp(-.002 * (runs.clock - 1000) / 10));
  const BisectEvidence evidence = runs.evidence();
  REQUIRE(evidence.drift().has_value());
  const analyse::CommitRuns good = analyse::runs_of(evidence.state(), 0);
  const analyse::CommitRuns bad = analyse::runs_of(evidence.state(), 8);
  CHECK(std::abs(good.mean - bad.mean) < .001);
  CHECK(robot::rec_p(evidence.values(0), evidence.values(8), {}) > .05);
}

TEST_CASE("clocks that jump back leave the levels as they are") {
  Runs runs(2);
  for (int round = 0; round < 6; ++round) {
    runs.add(0, 100 + round % 2);
    runs.clock -= 5000;
    runs.add(2, 90 + round % 2);
  }
  const BisectEvidence evidence = runs.evidence();
  CHECK(analyse::runs_of(evidence.state(), 2).mean < analyse::runs_of(evidence.state(), 0).mean);
}

TEST_CASE("an outcome is a rate: other failures say nothing") {
  BisectBook book({.metric = "", .outcome = "crashed"});
  model::RunRecord record;
  record.axes["commit"] = "c0";
  for (const Outcome outcome : {Outcome::ok, Outcome::crashed, Outcome::timed_out, Outcome::unmeasured}) {
    record.outcome = outcome;
    book.add(record, {});
  }
  REQUIRE(book.page("c0").runs.size() == 3);
  CHECK(book.page("c0").runs[1].value == 1);
  CHECK(book.page("c0").failures == 1);
}

TEST_CASE("two bistable modes are noise, and ends that share them do not differ") {
  Runs runs(4);
  for (int i = 0; i < 60; ++i) {
    runs.add(0, i % 3 == 0 ? 50 : 100);
    runs.add(4, i % 3 == 1 ? 50 : 100);
  }
  const BisectEvidence evidence = runs.evidence();
  const analyse::BisectStep step =
      analyse::bisect_step(evidence.state(), evidence.model(), evidence.options());
  REQUIRE(std::holds_alternative<analyse::BisectAnswer>(step.next));
  CHECK(std::get<analyse::BisectAnswer>(step.next).kind == analyse::BisectAnswer::Kind::no_difference);
}

TEST_CASE("values that never move are refused after the first looks, not searched") {
  Runs runs(4);
  for (int i = 0; i < 60; ++i) {
    runs.add(0, 7);
    runs.add(4, 7);
  }
  const BisectEvidence evidence = runs.evidence();
  const analyse::BisectStep step =
      analyse::bisect_step(evidence.state(), evidence.model(), evidence.options());
  REQUIRE(std::holds_alternative<analyse::BisectAnswer>(step.next));
  CHECK(std::get<analyse::BisectAnswer>(step.next).kind == analyse::BisectAnswer::Kind::no_difference);
}
