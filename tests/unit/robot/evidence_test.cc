#include "robot/evidence.h"

#include "analyse/kilter_rule.h"
#include "robot/run_matrix.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cmath>

namespace kilter::robot {
namespace {

using model::Answer;
using os::Path;

// A store of one series, "x.speed", three runs a commit.
class SeriesFixture {
 public:
  SeriesFixture() : directory_(*os::TempDir::create("/tmp", "evidence")) {
    Result<std::unique_ptr<store::Store>> opened = store::open_store(directory_.path() / "kilter.db");
    REQUIRE(opened);
    store_ = std::move(*opened);
  }

  [[nodiscard]] store::Store& store() const { return *store_; }

  void put(const std::string& commit, double level, double started,
           const std::string& fingerprint = "f") const {
    for (int run = 0; run < 3; ++run) {
      model::RunRecord record = record_of(commit, run, started, fingerprint);
      REQUIRE(
          store_->put(record, {{.key = "x.other", .value = 5}, {.key = "x.speed", .value = level + run}}));
    }
  }

  // The same as a cell, as comparisons have it.
  [[nodiscard]] Cell cell(const std::string& commit, double level, double started) const {
    Cell cell{.axes = {{"testcase", "x"}, {"commit", commit}}};
    std::vector<MeasuredRun> runs;
    for (int run = 0; run < 3; ++run) {
      runs.push_back({.record = record_of(commit, run, started, "f"),
                      .metrics = {{.key = "x.speed", .value = level + run}}});
      cell.runs.push_back(runs.back().record);
    }
    cell.matrix = matrix_of_runs(runs);
    return cell;
  }

 private:
  [[nodiscard]] model::RunRecord record_of(const std::string& commit, int run, double started,
                                           const std::string& fingerprint) const {
    return {.axes = {{"testcase", "x"}, {"commit", commit}},
            .number = run,
            .directory = (directory_.path() / fmt::format("results/{}/{}", commit, run)).string(),
            .outcome = model::Outcome::ok,
            .build_id = "build of " + commit,
            .boot_id = "boot",
            .fingerprint = fingerprint,
            .started = started + run};
  }

  os::TempDir directory_;
  std::unique_ptr<store::Store> store_;
};

TEST_CASE("the history of a comparison is the other builds, without patches and other machines") {
  const SeriesFixture series;
  series.put("c3", 1030, 300);
  series.put("c1", 1010, 100);
  series.put("c2", 1020, 200);
  series.put("c2+0123456789", 2000, 210);
  series.put("far", 3000, 250, "another machine");
  series.put("base", 1000, 400);
  series.put("head", 1000, 410);
  series.put("later", 4000, 500);
  const std::vector<Cell> columns = {series.cell("base", 1000, 400), series.cell("head", 1000, 410)};
  HistoryRequest request = history_request(columns, false);
  const Result<model::BuildHistory> history = load_history(series.store(), request);
  REQUIRE(history);
  CHECK(history->commits == std::vector<std::string>{"c1", "c2", "c3", "later"});
  CHECK(history->size() == 4);
  const std::vector<std::span<const double>> builds = history->of("x.speed");
  REQUIRE(builds.size() == 4);
  CHECK(std::vector<double>(builds[1].begin(), builds[1].end()) == std::vector<double>{1020, 1021, 1022});
  CHECK(history->of("x.none").empty());
  CHECK(history->runs.runs()[0].build == "build of c1");

  request.most = 2;
  CHECK(load_history(series.store(), request)->commits == std::vector<std::string>{"c2", "c3"});
  request.in_order = [](const std::vector<std::string>&) {
    return std::optional(std::vector<std::string>{"c3", "c2"});
  };
  CHECK(load_history(series.store(), request)->commits == std::vector<std::string>{"c3", "c2"});
  request.axes = {{"testcase", "unknown"}};
  CHECK(load_history(series.store(), request)->size() == 0);
}

TEST_CASE("a run that lacks a metric of others has none in the table of runs") {
  const SeriesFixture series;
  series.put("c1", 10, 100);
  Result<std::int64_t> id = series.store().put({.axes = {{"testcase", "x"}, {"commit", "c2"}},
                                                .directory = "/tmp/evidence-none",
                                                .outcome = model::Outcome::ok},
                                               {{.key = "x.only", .value = 1}});
  REQUIRE(id);
  const Result<model::RunTable> table = series.store().run_table({1, *id});
  REQUIRE(table);
  CHECK(table->keys() == std::vector<std::string>{"x.only", "x.other", "x.speed"});
  CHECK(std::isnan(table->of("x.speed")[1]));
  CHECK(table->of("x.speed")[0] == 10);
  CHECK(std::isnan(table->of("x.only")[0]));
  CHECK_FALSE(series.store().run_table({999}));
}

TEST_CASE("builds that differ by as much keep a difference from being a change") {
  const SeriesFixture series;
  const std::vector<Cell> columns = {series.cell("base", 1000, 400), series.cell("head", 1100, 410)};
  for (int build = 0; build < 8; ++build)
    series.put(fmt::format("c{}", build), build % 2 == 0 ? 1000 : 1100, 100 + 10 * build);
  const Result<model::BuildHistory> history = load_history(series.store(), history_request(columns, false));
  REQUIRE(history);
  std::vector<std::vector<analyse::LabelledSample>> sides;
  for (const Cell& cell : columns) {
    const std::vector<analyse::RunLabel> labels = run_labels(cell);
    REQUIRE(labels.size() == 3);
    std::vector<analyse::LabelledSample>& side = sides.emplace_back();
    for (std::size_t run = 0; run < 3; ++run)
      side.push_back({cell.matrix.rows[0].values[run]->value(), labels[run].build, labels[run].boot,
                      labels[run].process});
  }
  const std::optional<model::RowVerdict> alone = analyse::metric_verdict({.a = sides[0], .b = sides[1]});
  REQUIRE(alone);
  CHECK(alone->answer == Answer::changed);
  CHECK(alone->effect == doctest::Approx(0.1).epsilon(0.01));
  CHECK(alone->one_build);
  CHECK_FALSE(alone->one_boot);
  const std::vector<std::span<const double>> builds = history->of("x.speed");
  const std::optional<model::RowVerdict> known =
      analyse::metric_verdict({.a = sides[0], .b = sides[1], .history = builds});
  REQUIRE(known);
  CHECK(known->history == 8);
  CHECK(known->answer == Answer::unknown);
}

}  // namespace
}  // namespace kilter::robot
