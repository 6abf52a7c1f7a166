#include "analyse/matrix.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::analyse;

TEST_CASE("runs side by side: what a run lacks is missing") {
  const std::vector<RunMetrics> runs = {{"0/stats.json", {{"a", 1}, {"b", 2.5}}},
                                        {"1/stats.json", {{"a", 3}, {"c", 0}, {"sched_debug.x.3", 1}}}};
  const model::Matrix matrix = unite(runs);
  CHECK(matrix.columns() == 2);
  REQUIRE(matrix.rows.size() == 3);
  CHECK(matrix.find("a")->values == std::vector<std::optional<model::Number>>{1, 3});
  CHECK(matrix.find("b")->values == std::vector<std::optional<model::Number>>{2.5});
  CHECK(matrix.find("c")->values == std::vector<std::optional<model::Number>>{std::nullopt, 0});
}

TEST_CASE("JSON has LKP's form, and hostile keys stay inside their quotes") {
  CHECK(metrics_json({}) == "{}");
  CHECK(metrics_json({{"a", 1}, {"b", 20.0}}) == "{\n  \"a\": 1,\n  \"b\": 20.0\n}");
  CHECK(metrics_json({{"a\"\\\n", 1}}) == "{\n  \"a\\\"\\\\\\u000a\": 1\n}");
  CHECK(series_json({.name = "m", .series = {{.key = "m.a", .values = {1, 2.5}}}}) ==
        "{\n  \"m.a\": [\n    1,\n    2.5\n  ]\n}");
}
