#include "analyse/compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kilter::analyse {
namespace {

using model::Matrix;
using model::MatrixRow;
using model::Number;

using Values = std::vector<std::optional<Number>>;

const double kNan = std::numeric_limits<double>::quiet_NaN();

Result<model::CompareTable> compare_all(const std::vector<Matrix>& matrices,
                                        const CompareOptions& options = {}) {
  std::vector<CompareInput> inputs;
  for (const Matrix& matrix : matrices)
    inputs.push_back(
        {.axes = {{"testcase", "x"}, {"commit", std::string(1, static_cast<char>('a' + inputs.size()))}},
         .matrix = &matrix});
  return compare(inputs, options);
}

std::vector<std::string> keys_of(const Result<model::CompareTable>& table) {
  REQUIRE(table);
  std::vector<std::string> keys;
  for (const model::CompareRow& row : table->rows) keys.push_back(row.key);
  return keys;
}

Matrix matrix(std::vector<MatrixRow> rows) {
  return {.rows = std::move(rows)};
}

// Metrics of fixed levels under noise; those of any seed but 1 lie higher, each fifth excepted.
Matrix random_matrix(unsigned seed, int keys, int runs) {
  std::mt19937 noise(seed);
  std::mt19937 levels(99);
  Matrix made;
  for (int k = 0; k < keys; ++k) {
    MatrixRow row{.key = "perf-sched.m" + std::to_string(k), .values = {}};
    const double shift = seed == 1 ? 1 : 1 + static_cast<double>(k % 5) / 16;
    const double level = shift * (1 + static_cast<double>(levels() % 100000) / 64);
    for (int r = 0; r < runs; ++r)
      row.values.emplace_back(level * (1 + static_cast<double>(noise() % 1000) / 65536));
    made.rows.push_back(std::move(row));
  }
  return made;
}

Matrix toy_matrix(double speed, double other) {
  const auto row = [](const std::string& key, double value) {
    return MatrixRow{.key = key, .values = {Number(value), Number(value), Number(value)}};
  };
  return matrix({row("vmstat.cs", other), row("x.aaa", other), row("x.lat", other), row("x.speed", speed)});
}

CompareOptions toy_options() {
  CompareOptions options{.merge_copies = false, .order = RowOrder::headline_first};
  options.metric_info = [](const std::string& key) {
    model::MetricInfo info;
    if (key == "x.speed") info.headline = true;
    if (key == "x.speed" || key == "x.lat") info.direction = model::Direction::higher_better;
    return info;
  };
  return options;
}

TEST_CASE("our rows begin with the headline, then directed metrics, then others, then monitors") {
  const std::vector<Matrix> matrices = {toy_matrix(100, 200), toy_matrix(150, 300)};
  CHECK(keys_of(compare_all(matrices, toy_options())) ==
        std::vector<std::string>{"x.speed", "x.lat", "x.aaa", "vmstat.cs"});
  CompareOptions lkp = toy_options();
  lkp.order = RowOrder::lkp;
  CHECK(keys_of(compare_all(matrices, lkp)) ==
        std::vector<std::string>{"x.aaa", "x.lat", "x.speed", "vmstat.cs"});
}

TEST_CASE("a headline that did not change is told in a note") {
  const std::vector<Matrix> matrices = {toy_matrix(6607, 200), toy_matrix(6580, 200)};
  const Result<model::CompareTable> table = compare_all(matrices, toy_options());
  CHECK(keys_of(table).empty());
  CHECK(table->notes ==
        std::vector<std::string>{"no metric changed",
                                 "headline: x.speed 6607 -> 6580 (-0.4 %): not a change by LKP's rule"});
  CHECK(compare_all(matrices)->notes == std::vector<std::string>{"no metric changed"});
}

TEST_CASE("one column is no comparison") {
  const Result<model::CompareTable> table = compare_all({matrix({})});
  REQUIRE_FALSE(table);
  CHECK(table.error().message == "comparing 1 column: at least two are needed");
}

TEST_CASE("averages, deviations, counts and changes of a row") {
  const Result<model::CompareTable> table = compare_all(
      {matrix({{"netperf.x", {100, 110, 120}}}), matrix({{"netperf.x", {200, 220, std::nullopt}}})});
  REQUIRE(keys_of(table) == std::vector<std::string>{"netperf.x"});
  const model::CompareRow& row = table->rows[0];
  CHECK(row.cells[0].average == doctest::Approx(110));
  CHECK(row.cells[0].stddev == doctest::Approx(8.165).epsilon(0.001));
  CHECK(row.cells[0].n == 3);
  CHECK(row.cells[1].average == doctest::Approx(210));
  CHECK(row.cells[1].n == 2);
  CHECK(row.changes[0] == doctest::Approx(90.909).epsilon(0.001));
}

TEST_CASE("a missing sample is missing, or zero where LKP's matrices say so") {
  const std::vector<Matrix> pair = {matrix({{"netperf.x", {100, 100, 100}}, {"netperf.y", {1, 1, 1}}}),
                                    matrix({{"netperf.x", {200, 200}}, {"netperf.y", {1, 1, 1}}})};
  CHECK(compare_all(pair)->rows[0].cells[1].average == 200);
  CHECK(compare_all(pair, {.all = true, .missing_is_zero = true})->rows[0].cells[1].average ==
        doctest::Approx(133.333).epsilon(1e-4));
}

TEST_CASE("a base of zero has no percentage, an absent one no change at all") {
  const std::vector<Matrix> pair = {matrix({{"netperf.x", {0, 0, 0}}}),
                                    matrix({{"netperf.x", {5, 5, 5}}, {"netperf.y", {5, 5, 5}}})};
  const Result<model::CompareTable> table = compare_all(pair, {.all = true});
  REQUIRE(keys_of(table) == std::vector<std::string>{"netperf.x", "netperf.y"});
  CHECK(std::isinf(table->rows[0].changes[0]));
  CHECK(std::isnan(table->rows[1].changes[0]));
  CHECK_FALSE(table->rows[1].cells[0].present);
  CHECK(compare_all(pair, {.as_lkp = true})->rows[0].changes[0] > 1e100);
}

TEST_CASE("failures count over all runs, and each column by its own") {
  const std::vector<Matrix> three = {
      matrix({{"netperf.x", Values(10, Number(1))}}),
      matrix({{"netperf.x", Values(6, Number(1))}, {"dmesg.WARNING:at_x", {0, 1, 1, 1, 0, 1}}}),
      matrix({{"netperf.x", Values(4, Number(1))}, {"dmesg.WARNING:at_x", {1, 1, 1, 1}}})};
  const Result<model::CompareTable> right = compare_all(three);
  REQUIRE(keys_of(right) == std::vector<std::string>{"dmesg.WARNING:at_x"});
  CHECK(right->rows[0].changes[0] == doctest::Approx(66.667).epsilon(1e-4));
  CHECK(right->rows[0].changes[1] == doctest::Approx(100));
  CHECK(right->rows[0].cells[2].fails == 4);
  CHECK(right->rows[0].cells[0].runs == 10);
  const Result<model::CompareTable> faulty = compare_all(three, {.as_lkp = true});
  CHECK(faulty->rows[0].changes[0] == doctest::Approx(40));
  CHECK(faulty->rows[0].changes[1] == doctest::Approx(66.667).epsilon(1e-4));
}

TEST_CASE("incomplete runs stay out of the averages and in the failures") {
  const Result<model::CompareTable> table = compare_all(
      {matrix({{"netperf.x", {100, 100, 100, 1}}, {"last_state.is_incomplete_run", {0, 0, 0, 1}}}),
       matrix({{"netperf.x", {200, 200, 200}}})});
  REQUIRE(keys_of(table) == std::vector<std::string>{"last_state.is_incomplete_run", "netperf.x"});
  CHECK(table->rows[0].cells[0].fails == 1);
  CHECK(table->rows[0].cells[0].runs == 4);
  CHECK(table->rows[1].cells[0].average == 100);
  CHECK(table->notes[0].contains("1 of 4 runs incomplete"));
  CompareOptions options;
  options.rule.ignore_incomplete_runs = true;
  CHECK(keys_of(compare_all(
            {matrix({{"netperf.x", {100, 100, 100, 1}}, {"last_state.is_incomplete_run", {0, 0, 0, 1}}}),
             matrix({{"netperf.x", {200, 200, 200}}})},
            options)) == std::vector<std::string>{"netperf.x"});
}

TEST_CASE("the testcase of the runs is a benchmark like those of the lists") {
  const auto of = [](double rate, double wait) {
    return matrix({{"toy.rate", {rate, rate, rate, rate}},
                   {"toy.fail", {0, 0, 0, rate < 1000 ? 1 : 0}},
                   {"toy.pass", {1, 1, 1, 1}},
                   {"meminfo.Mapped", {5000 + wait, 5000 + wait, 5000 + wait, 5000 + wait}},
                   {"vmstat.system.cs", {wait, wait, wait, wait}}});
  };
  const std::vector<Matrix> pair = {of(1000, 1000), of(970, 5000)};
  const std::vector<CompareInput> inputs = {
      {.axes = {{"testcase", "toy"}, {"commit", "a"}}, .matrix = &pair[0]},
      {.axes = {{"testcase", "toy"}, {"commit", "b"}}, .matrix = &pair[1]}};
  const Result<model::CompareTable> table = compare(inputs, {});
  // Failures first, then benchmarks, then monitors.
  CHECK(keys_of(table) ==
        std::vector<std::string>{"toy.fail", "toy.rate", "meminfo.Mapped", "vmstat.system.cs"});
  CHECK(table->rows[1].changes[0] == doctest::Approx(-3));
  CompareOptions kpi;
  kpi.rule.kpi_only = true;
  CHECK(keys_of(compare(inputs, kpi)).size() == 2);
  // The same numbers of a program that nobody names need 5 %.
  CHECK(keys_of(compare_all(pair)) ==
        std::vector<std::string>{"toy.fail", "meminfo.Mapped", "vmstat.system.cs"});
  CompareOptions named;
  named.rule.benchmarks = {"toy"};
  CHECK(keys_of(compare_all(pair, named)).size() == 4);
}

TEST_CASE("time.* is judged like <test>.time.*, and makes no row beside it") {
  const Values few = {11.3, 11.3, 11.4};
  const Values fewer = {10, 10.1, 10};
  const std::vector<Matrix> alone = {matrix({{"time.voluntary_context_switches", few}}),
                                     matrix({{"time.voluntary_context_switches", fewer}})};
  CHECK(keys_of(compare_all(alone)).empty());
  CHECK(keys_of(compare_all(alone, {.as_lkp = true})).size() == 1);
  const std::vector<Matrix> both = {
      matrix({{"time.user_time", {100, 100, 101}}, {"stress-ng.time.user_time", {50, 50, 51}}}),
      matrix({{"time.user_time", {200, 200, 201}}, {"stress-ng.time.user_time", {150, 150, 151}}})};
  CHECK(keys_of(compare_all(both)) == std::vector<std::string>{"stress-ng.time.user_time"});
  CHECK(keys_of(compare_all(both, {.merge_copies = false})).size() == 2);
}

TEST_CASE("the mark of incomplete runs makes no row beside the outcomes it sums up") {
  const Matrix base = matrix({{"netperf.x", {1, 1, 1, 1}}});
  const Values marks = {0, 1, 1, 1};
  const Matrix two = matrix({{"netperf.x", {1}},
                             {"last_state.is_incomplete_run", marks},
                             {"last_state.crashed", {0, 1, 0, 0}},
                             {"last_state.timed-out", {0, 0, 1, 1}}});
  CHECK(keys_of(compare_all({base, two})) ==
        std::vector<std::string>{"last_state.crashed", "last_state.timed-out"});
  const Matrix unexplained = matrix(
      {{"netperf.x", {1}}, {"last_state.is_incomplete_run", marks}, {"last_state.crashed", {0, 1, 0, 0}}});
  CHECK(keys_of(compare_all({base, unexplained})).size() == 2);
  CHECK(keys_of(compare_all({base, two}, {.merge_copies = false})).size() == 3);
}

TEST_CASE("too few runs and no change are two answers") {
  const Matrix two = matrix({{"netperf.x", {1, 2}}});
  const Matrix three = matrix({{"netperf.x", {1, 2, 3}}});
  CHECK(compare_all({two, two})->notes[0].starts_with("not enough data"));
  CHECK(compare_all({three, three})->notes[0] == "no metric changed");
}

TEST_CASE("rows that say the same thing become one, which names the others") {
  const Values tps_a = {52270.5, 52280.25, 52285.75};
  const Values tps_b = {64340.5, 64350.25, 64346.75};
  const auto pages = [](double x, double y, double z) { return Values{x, y, z}; };
  const std::vector<Matrix> pair = {matrix({{"netperf.ThroughputBoth_tps", tps_a},
                                            {"netperf.Throughput_tps", tps_a},
                                            {"netperf.time.elapsed_time.max", {300.5, 300.25, 300.75}},
                                            {"netperf.time.elapsed_time", {300.5, 300.25, 300.75}},
                                            {"numa-vmstat.node1.nr_shmem", pages(36537, 36600, 36400)},
                                            {"numa-meminfo.node1.Shmem", pages(146148, 146400, 145610)},
                                            {"numa-meminfo.node0.Shmem", pages(146148, 146400, 145610.5)},
                                            {"interrupts.CPU0.x", {1, 1, 1}},
                                            {"interrupts.CPU1.x", {1, 1, 1}}}),
                                    matrix({{"netperf.ThroughputBoth_tps", tps_b},
                                            {"netperf.Throughput_tps", tps_b},
                                            {"netperf.time.elapsed_time.max", {400.5, 400.25, 400.75}},
                                            {"netperf.time.elapsed_time", {400.5, 400.25, 400.75}},
                                            {"numa-vmstat.node1.nr_shmem", pages(47492, 47500, 47400)},
                                            {"numa-meminfo.node1.Shmem", pages(189968, 190000, 189610)},
                                            {"numa-meminfo.node0.Shmem", pages(189968, 195000, 189610)},
                                            {"interrupts.CPU0.x", {5, 5, 5}},
                                            {"interrupts.CPU1.x", {5, 5, 5}}})};
  const Result<model::CompareTable> table = compare_all(pair, {.all = true});
  CHECK(keys_of(table) == std::vector<std::string>{"netperf.Throughput_tps", "netperf.time.elapsed_time",
                                                   "interrupts.CPU0.x", "interrupts.CPU1.x",
                                                   "numa-meminfo.node0.Shmem", "numa-meminfo.node1.Shmem"});
  CHECK(table->rows[0].copies == std::vector<std::string>{"netperf.ThroughputBoth_tps"});
  CHECK(table->rows[1].copies == std::vector<std::string>{"netperf.time.elapsed_time.max"});
  CHECK(table->rows[5].copies == std::vector<std::string>{"numa-vmstat.node1.nr_shmem"});
  CHECK(keys_of(compare_all(pair, {.all = true, .merge_copies = false})).size() == 9);
}

TEST_CASE("equal shares of a profile are different functions") {
  const Matrix base = matrix(
      {{"perf-profile.self.a", {10.5, 10.25, 10.125}}, {"perf-profile.self.b", {10.5, 10.25, 10.125}}});
  const Matrix head = matrix(
      {{"perf-profile.self.a", {20.5, 20.25, 20.125}}, {"perf-profile.self.b", {20.5, 20.25, 20.125}}});
  CHECK(compare_all({base, head})->rows.size() == 2);
}

TEST_CASE("the kept row is the headline, whatever its name") {
  CompareOptions options;
  options.metric_info = [](const std::string& key) {
    return model::MetricInfo{.unit = "ops/s", .headline = key == "x.a_much_longer_name"};
  };
  const Result<model::CompareTable> table =
      compare_all({matrix({{"x.n", {100.5, 101.5, 102.5}}, {"x.a_much_longer_name", {100.5, 101.5, 102.5}}}),
                   matrix({{"x.n", {200.5, 201.5, 202.5}}, {"x.a_much_longer_name", {200.5, 201.5, 202.5}}})},
                  options);
  REQUIRE(keys_of(table) == std::vector<std::string>{"x.a_much_longer_name"});
  CHECK(table->rows[0].info.unit == "ops/s");
}

TEST_CASE("the order of runs does not matter") {
  const Matrix base = random_matrix(1, 300, 7);
  Matrix head = random_matrix(2, 300, 7);
  const Result<model::CompareTable> before = compare_all({base, head});
  for (MatrixRow& row : head.rows) std::ranges::reverse(row.values);
  const Result<model::CompareTable> after = compare_all({base, head});
  CHECK(keys_of(before).size() > 100);
  CHECK(keys_of(before) == keys_of(after));
}

TEST_CASE("the unit does not matter where no threshold is in it") {
  Matrix base = random_matrix(1, 300, 5);
  Matrix head = random_matrix(2, 300, 5);
  const std::vector<std::string> before = keys_of(compare_all({base, head}, {.merge_copies = false}));
  for (Matrix* side : {&base, &head})
    for (MatrixRow& row : side->rows)
      for (std::optional<Number>& value : row.values) value = Number(value->value() * 1024.0);
  CHECK(keys_of(compare_all({base, head}, {.merge_copies = false})) == before);
}

TEST_CASE("a third column adds rows and takes none away") {
  const Matrix base = random_matrix(1, 200, 5);
  const Matrix head = random_matrix(2, 200, 5);
  const Matrix same = base;
  std::vector<std::string> two = keys_of(compare_all({base, head}, {.merge_copies = false}));
  std::vector<std::string> three = keys_of(compare_all({base, head, same}, {.merge_copies = false}));
  std::ranges::sort(two);
  std::ranges::sort(three);
  CHECK(two == three);
  CHECK(keys_of(compare_all({base, same})).empty());
}

TEST_CASE("columns that differ in more than the compared axis are noted") {
  const Matrix x = matrix({{"netperf.x", {1, 2, 3}}});
  const std::vector<CompareInput> inputs = {
      {.axes = {{"commit", "a"}, {"nr", "1"}}, .matrix = &x},
      {.axes = {{"commit", "b"}, {"nr", "2"}}, .subject = "net: faster", .matrix = &x}};
  const Result<model::CompareTable> table = compare(inputs, {});
  REQUIRE(table);
  CHECK(table->notes[0] == "column 2 differs in nr: '2', not '1'");
  CHECK(table->columns[1].label == "b (\"net: faster\")");
  CHECK(table->axis_names == std::vector<std::string>{"nr"});
}

TEST_CASE("numbers that are none, too large or too many are survived") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(compare_all({matrix({}), matrix({})})->rows.empty());
  const Result<model::CompareTable> table = compare_all({matrix({{"netperf.a", {kNan, inf, -inf}},
                                                                 {"netperf.b", {1e308, 1e308, 1e308}},
                                                                 {"x.fail", {1e308, 1e308, 1e308}},
                                                                 {"", {1, 2, 3}}}),
                                                         matrix({{"netperf.a", {1, 2, 3}},
                                                                 {"netperf.b", {-1e308, -1e308, -1e308}},
                                                                 {"x.fail", {0, 0, 0}},
                                                                 {"netperf.c", {}}})},
                                                        {.all = true});
  REQUIRE(table);
  CHECK(table->rows.size() == 5);
  CHECK(table->rows[0].key == "x.fail");
  CHECK(table->rows[0].cells[0].fails == 1000000000000000);
}

TEST_CASE("100,000 keys are compared") {
  Matrix base;
  Matrix head;
  for (int i = 0; i < 100000; ++i) {
    base.rows.push_back({"perf-profile.k" + std::to_string(i), {1.5, 1.5, 1.5}});
    head.rows.push_back({"perf-profile.n" + std::to_string(i), {2.5, 2.5, 2.5}});
  }
  CHECK(compare_all({base, head})->rows.size() == 100000);
}

}  // namespace
}  // namespace kilter::analyse
