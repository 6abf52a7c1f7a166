#include "analyse/direction.h"

#include <doctest/doctest.h>

namespace kilter::analyse {
namespace {

using model::Direction;

model::CompareRow row(const std::string& key, double base, double other, double stddev, Direction direction) {
  return {.key = key,
          .cells = {{.n = 3, .average = base, .stddev = stddev, .present = true},
                    {.n = 3, .average = other, .stddev = stddev, .present = true}},
          .changes = {100 * (other - base) / base},
          .info = {.direction = direction}};
}

TEST_CASE("directions of foreign results come from the lists, and only theirs") {
  CHECK(direction_of("netperf.Throughput_tps") == Direction::higher_better);
  CHECK(direction_of("will-it-scale.per_process_ops") == Direction::higher_better);
  CHECK(direction_of("kbuild.buildtime_per_iteration") == Direction::lower_better);
  CHECK(direction_of("schbench.wakeup_latency_max_us") == Direction::lower_better);
  CHECK(direction_of("iostat.sda.await.max") == Direction::lower_better);
  CHECK(direction_of("hackbench.throughput") == Direction::higher_better);
  for (const char* key :
       {"netperf.ThroughputBoth_tps", "netperf.Throughput_total_tps", "will-it-scale.workload",
        "stress-ng.sem.ops", "kbuild.workload", "vmstat.system.cs", "will-it-scale.16.processes"})
    CHECK_MESSAGE(direction_of(key) == Direction::unknown, key);
}

TEST_CASE("bisect candidates end with the heaviest benchmark metric") {
  std::vector<std::string> keys = {"netperf.Throughput_tps", "vmstat.system.cs", "iostat.sda.wkB/s",
                                   "kbuild.user_time_per_iteration"};
  sort_bisect_stats(keys);
  CHECK(keys == std::vector<std::string>{"vmstat.system.cs", "iostat.sda.wkB/s",
                                         "kbuild.user_time_per_iteration", "netperf.Throughput_tps"});
  CHECK(bisect_score("iostat.sda.wkB/s") == -99);
  CHECK(bisect_score("pgbench.latency_ms") == -255);
}

TEST_CASE("the headline is the largest real change of a directed metric") {
  model::CompareTable table;
  table.rows = {row("netperf.workload", 100, 200, 1, Direction::unknown),
                row("stress-ng.a.ops_per_sec", 1000, 1020, 1, Direction::higher_better),
                row("stress-ng.b.ops_per_sec", 1000, 944, 1, Direction::higher_better),
                row("stress-ng.c.ops_per_sec", 1000, 1200, 500, Direction::higher_better)};
  const std::optional<Headline> headline = pick_headline(table);
  REQUIRE(headline);
  CHECK(headline->key == "stress-ng.b.ops_per_sec");
  CHECK(headline->text == "5.6%");
  CHECK(verdict_name(headline->verdict) == "regression");
}

TEST_CASE("a lower number of a lower-is-better metric is an improvement") {
  model::CompareTable table;
  table.rows = {row("kbuild.buildtime_per_iteration", 100, 80, 1, Direction::lower_better)};
  CHECK(pick_headline(table)->verdict == Verdict::improvement);
  table.rows = {row("kbuild.buildtime_per_iteration", 80, 100, 1, Direction::lower_better)};
  CHECK(pick_headline(table)->verdict == Verdict::regression);
}

TEST_CASE("a named metric heads a report, whatever is known of its direction") {
  model::CompareTable table;
  table.rows = {row("x.rate", 1000, 1050, 1, Direction::higher_better),
                row("x.time", 10, 12, 5, Direction::unknown), row("x.zero", 0, 5, 0, Direction::unknown)};
  table.rows[1].copies = {"x.time.max"};
  CHECK(named_headline(table, "x.rate")->verdict == Verdict::improvement);
  CHECK(verdict_name(named_headline(table, "x.time")->verdict) == "change");
  CHECK(named_headline(table, "x.time.max")->key == "x.time");
  CHECK_FALSE(named_headline(table, "x.zero"));
  CHECK_FALSE(named_headline(table, "nope"));
  table.rows[1].absolute = true;
  CHECK(named_headline(table, "x.time")->text == "20.0");
}

TEST_CASE("a change the other way is found beside the headline") {
  model::CompareTable table;
  table.rows = {row("toy.speed", 1000, 1400, 1, Direction::higher_better),
                row("toy.rate", 1000, 1200, 1, Direction::higher_better),
                row("toy.lat", 3, 4, 0.1, Direction::lower_better),
                row("toy.noise", 3, 4, 2, Direction::lower_better)};
  const Headline headline = *pick_headline(table);
  const std::optional<Headline> opposite = pick_opposite(table, headline);
  REQUIRE(opposite);
  CHECK(opposite->key == "toy.lat");
  CHECK(opposite->verdict == Verdict::regression);
  table.rows.erase(table.rows.begin() + 2);
  CHECK_FALSE(pick_opposite(table, headline));
}

TEST_CASE("a suite's headline goes before larger changes of other metrics") {
  model::CompareTable table;
  table.rows = {row("x.latency_ms", 10, 30, 1, Direction::lower_better),
                row("x.rate", 1000, 1050, 1, Direction::higher_better)};
  table.rows[1].info.headline = true;
  CHECK(pick_headline(table)->key == "x.rate");
}

model::CompareRow failing(const std::string& key, double rate) {
  return {.key = key, .failure = true, .cells = {{.runs = 4}, {.runs = 4}}, .changes = {rate}};
}

TEST_CASE("a regression is a headline that got worse, or failures that appear") {
  const auto regressed = [](std::vector<model::CompareRow> rows) {
    model::CompareTable table;
    table.rows = std::move(rows);
    return has_regressed(table, 1);
  };
  CHECK(regressed({row("x.rate", 1000, 900, 1, Direction::higher_better)}));
  CHECK_FALSE(regressed({row("x.rate", 900, 1000, 1, Direction::higher_better)}));
  CHECK(regressed({failing("last_state.timed-out", 100)}));
  CHECK(
      regressed({failing("dmesg.WARNING:at_x", 25), row("x.rate", 900, 1000, 1, Direction::higher_better)}));
  CHECK_FALSE(regressed({failing("last_state.timed-out", -100)}));
  CHECK(regressed({failing("x.pass", -25)}));
  CHECK_FALSE(regressed({failing("x.pass", 25)}));
  CHECK(regressed({failing("last_state.is_incomplete_run", 25)}));
  CHECK_FALSE(
      regressed({failing("last_state.infra-failed", 25), failing("last_state.is_incomplete_run", 25)}));
  CHECK_FALSE(has_regressed({}, 0));
  CHECK_FALSE(has_regressed({}, 3));
}

TEST_CASE("without a directed change beyond the noise there is no headline") {
  model::CompareTable table;
  CHECK_FALSE(pick_headline(table));
  table.rows = {row("x.rate", 1000, 1000.1, 0, Direction::higher_better),
                row("x.other", 10, 20, 0, Direction::unknown),
                row("x.zero", 0, 5, 0, Direction::higher_better)};
  CHECK_FALSE(pick_headline(table));
  CHECK_FALSE(pick_headline(table, 0));
  CHECK_FALSE(pick_headline(table, 7));
}

}  // namespace
}  // namespace kilter::analyse
