#include "robot/comparison.h"

#include "report/table.h"
#include "robot/run_matrix.h"
#include "store/results.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace kilter::robot {
namespace {

using model::Outcome;
using os::Path;

class Fixture {
 public:
  Fixture() : directory_(*os::TempDir::create("/tmp", "compare")) {}

  [[nodiscard]] Path at(const std::string& name) const { return directory_.path() / name; }
  [[nodiscard]] std::string text(const std::string& name) const { return at(name).string(); }

  void write(const std::string& name, const std::string& bytes) const {
    REQUIRE(os::make_directories(at(name).parent_path()));
    REQUIRE(os::write_file(at(name), bytes));
  }

  // A stored run of commit `commit`, `place` in its cell.
  void put(store::Store& store, const std::string& commit, double value, double started,
           Outcome outcome = Outcome::ok, const std::string& nr_task = "1",
           const std::string& project = "") const {
    model::RunRecord record;
    record.project = project;
    record.axes = {{"testcase", "netperf"}, {"commit", commit}, {"nr_task", nr_task}};
    record.directory = text(fmt::format("results/{}/{}/{}", nr_task, commit, started));
    record.outcome = outcome;
    record.started = started;
    REQUIRE(store.put(record, {{.key = "netperf.Throughput_tps", .value = value}}));
  }

  [[nodiscard]] std::unique_ptr<store::Store> store() const {
    Result<std::unique_ptr<store::Store>> opened = store::open_store(at("kilter.db"));
    REQUIRE(opened);
    return std::move(*opened);
  }

 private:
  os::TempDir directory_;
};

std::string matrix(const std::string& values) {
  return "{\"netperf.Throughput_tps\": [" + values + "]}";
}

const std::string kOld = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const std::string kNew = "abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
const std::string kOther = "cccccccccccccccccccccccccccccccccccccccc";

TEST_CASE("two directories with a bare matrix.json are compared by their names") {
  const Fixture fixture;
  fixture.write("base/matrix.json", matrix("100.5, 101, 102"));
  fixture.write("head/matrix.json", matrix("200.5, 201, 202"));
  const Result<Comparison> comparison =
      compare_operands({.operands = {fixture.text("base"), fixture.text("head/matrix.json")}});
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  const model::CompareTable& table = comparison->tables[0];
  CHECK(table.compare_axis == "directory");
  CHECK(table.columns[0].commit == "base");
  CHECK(table.columns[1].commit == "head");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].changes[0] == doctest::Approx(98.8).epsilon(0.01));
}

TEST_CASE("run directories make a cell, each outcome in its place") {
  const Fixture fixture;
  for (const std::string side : {"a", "b"})
    for (int run = 0; run < 4; ++run) {
      const std::string directory = fmt::format("{}/{}/", side, run);
      const bool failed = side == "b" && run == 2;
      fixture.write(directory + "outcome.json",
                    fmt::format(R"({{"axes": {{"testcase": "netperf", "commit": "{}"}}, "outcome": "{}"}})",
                                side, failed ? "timed-out" : "ok"));
      fixture.write(directory + "stats.json",
                    fmt::format("{{\"netperf.Throughput_tps\": {}}}", failed ? 1 : 100 + run));
    }
  const Result<Comparison> comparison =
      compare_operands({.operands = {fixture.text("a"), fixture.text("b")}, .options = {.all = true}});
  REQUIRE(comparison);
  const std::vector<model::CompareRow>& rows = comparison->tables[0].rows;
  REQUIRE(rows.size() == 2);
  CHECK(comparison->tables[0].compare_axis == "commit");
  CHECK(rows[0].key == "last_state.timed-out");
  CHECK(rows[0].copies == std::vector<std::string>{"last_state.is_incomplete_run"});
  CHECK(rows[0].cells[1].fails == 1);
  CHECK(rows[0].changes[0] == 25);
  CHECK(rows[1].cells[1].n == 3);
  CHECK(rows[1].cells[1].average == doctest::Approx(101.333).epsilon(1e-4));
}

TEST_CASE("an imported run that LKP marked incomplete has that mark alone") {
  const MeasuredRun run{
      .record = {.outcome = Outcome::test_failed},
      .metrics = {{.key = "last_state.is_incomplete_run", .value = 1}, {.key = "x.y", .value = 5}},
      .source = "0/stats.json"};
  const model::Matrix matrix = matrix_of_runs(std::vector<MeasuredRun>{run});
  REQUIRE(matrix.rows.size() == 1);
  CHECK(matrix.rows[0].key == "last_state.is_incomplete_run");
}

TEST_CASE("what the runs say they measured is a benchmark, whatever its testcase is called") {
  const Fixture fixture;
  for (const std::string side : {"a", "b"})
    for (int run = 0; run < 4; ++run) {
      const std::string directory = fmt::format("{}/{}/", side, run);
      fixture.write(
          directory + "outcome.json",
          fmt::format(R"({{"axes": {{"testcase": "cmd", "commit": "{}"}}, "outcome": "ok"}})", side));
      fixture.write(directory + "plan.json", R"({"testcase": "cmd", "workload": {"program": "toy"}})");
      fixture.write(directory + "stats.json", fmt::format("{{\"toy.rate\": {}}}", side == "a" ? 1000 : 970));
    }
  const Result<Comparison> comparison =
      compare_operands({.operands = {fixture.text("a"), fixture.text("b")}});
  REQUIRE(comparison);
  REQUIRE(comparison->tables[0].rows.size() == 1);
  CHECK(comparison->tables[0].rows[0].changes[0] == doctest::Approx(-3));
}

TEST_CASE("settings that were not made are told beside what bears their name") {
  const Fixture fixture;
  for (const std::string side : {"a", "b"})
    for (int run = 0; run < 2; ++run) {
      const std::string directory = fmt::format("{}/{}/", side, run);
      fixture.write(directory + "outcome.json",
                    fmt::format(R"({{"axes": {{"testcase": "fio", "commit": "{}"}}, "outcome": "ok",)"
                                R"( "skipped_settings": ["disk: no such set-up"]}})",
                                side));
      fixture.write(directory + "stats.json", R"({"fio.read_iops": 100})");
    }
  const Result<Comparison> comparison =
      compare_operands({.operands = {fixture.text("a"), fixture.text("b")}, .options = {.all = true}});
  REQUIRE(comparison);
  CHECK(comparison->notes ==
        std::vector<std::string>{"these results bear settings that were not made: disk: no such set-up"});
}

TEST_CASE("a patched commit is found by its short name, and does not stand in the way of its base") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  const std::string patched = std::string(kOld) + "+0123456789";
  for (int run = 0; run < 3; ++run) {
    fixture.put(*store, kOld, 100 + run, 10 + run);
    fixture.put(*store, patched.c_str(), 200 + run, 20 + run);
  }
  const std::string base = model::short_commit(kOld);
  const Result<Comparison> comparison =
      compare_operands({.operands = {base, base + "+0123456789"}, .context = {.store = store.get()}});
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  CHECK(comparison->tables[0].columns[0].commit == kOld);
  CHECK(comparison->tables[0].columns[1].commit == patched);
}

TEST_CASE("stored commits are found by their first digits, and grouped by all other axes") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  for (int run = 0; run < 3; ++run) {
    fixture.put(*store, kOld, 100 + run, 10 + run);
    fixture.put(*store, kNew, 200 + run, 20 + run);
    fixture.put(*store, kOld, 300 + run, 30 + run, Outcome::ok, "2");
  }
  fixture.put(*store, kNew, 1, 40, Outcome::crashed);
  const Result<Comparison> comparison =
      compare_operands({.operands = {"aaaa", "abbbbb"}, .context = {.store = store.get()}});
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  CHECK(comparison->tables[0].axis_values == std::vector<std::string>{"1", "netperf"});
  CHECK(comparison->tables[0].columns[1].runs == 4);
  CHECK(comparison->tables[0].rows.back().cells[1].n == 3);
  REQUIRE(comparison->notes.size() == 1);
  CHECK(comparison->notes[0].contains("nr_task=2"));
}

TEST_CASE("axes find cells, with a commit's first digits too") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  for (int run = 0; run < 3; ++run) {
    fixture.put(*store, kNew, 200 + run, 10 + run);
    fixture.put(*store, kOld, 100 + run, 20 + run);
  }
  const OperandContext context{.store = store.get()};
  const Result<LoadedCells> all = load_operands(std::vector<std::string>{"testcase=netperf"}, context);
  REQUIRE(all);
  REQUIRE(all->cells.size() == 2);
  CHECK(all->cells[0].axes.at("commit") == kNew);  // ran first
  const Result<LoadedCells> one =
      load_operands(std::vector<std::string>{"testcase=netperf/commit=aaaa"}, context);
  REQUIRE(one);
  CHECK(one->cells.size() == 1);
  CHECK(override_axes("commit=a/testcase=x", "commit=b").value_or("") == "commit=b/testcase=x");
}

TEST_CASE("a revision goes through the project") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  fixture.put(*store, kOld, 1, 1);
  const OperandContext context{.store = store.get(), .resolve = [](const std::string& revision) {
                                 std::vector<ProjectCommit> found;
                                 if (revision == "HEAD~3") found = {{"toy", kOld}, {"unmeasured", kNew}};
                                 if (revision == "v1") found = {{"toy", kOld}, {"lib", kOther}};
                                 return found;
                               }};
  CHECK(load_operands(std::vector<std::string>{"HEAD~3"}, context)->cells[0].axes.at("commit") == kOld);
  CHECK_FALSE(load_operands(std::vector<std::string>{"HEAD~4"}, context));
  fixture.put(*store, kOther, 1, 1);
  const Result<LoadedCells> both = load_operands(std::vector<std::string>{"v1"}, context);
  REQUIRE_FALSE(both);
  CHECK(both.error().message == "comparing: 'v1' was measured in projects lib, toy");
}

TEST_CASE("runs of two projects are told apart, and a revision of both is refused") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  const std::vector<std::string> operand = {"aaaa"};
  const auto load = [&](const std::string& project) {
    return load_operands(operand, {.store = store.get(), .resolve = {}, .restrict = {}, .project = project});
  };
  fixture.put(*store, kOld, 1, 1, Outcome::ok, "1", "q");
  fixture.put(*store, kOld, 2, 2, Outcome::ok, "2", "g");
  fixture.put(*store, kOld, 3, 3, Outcome::ok, "3");
  const Result<LoadedCells> both = load("");
  REQUIRE_FALSE(both);
  CHECK(both.error().code == ErrorCode::usage);
  CHECK(both.error().message == "comparing: 'aaaa' was measured in projects g, q");
  CHECK(both.error().hint == "add -p g or -p q");
  const Result<LoadedCells> chosen = load("q");
  REQUIRE(chosen);
  REQUIRE(chosen->cells.size() == 2);
  CHECK(chosen->cells[0].axes.at("nr_task") == "1");
  CHECK(chosen->cells[0].projects == std::set<std::string>{"q"});
  CHECK(chosen->cells[1].axes.at("nr_task") == "3");  // of no project
}

TEST_CASE("axes over two projects are refused like a revision, directories go by the project chosen") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  fixture.put(*store, kOld, 1, 1, Outcome::ok, "1", "q");
  fixture.put(*store, kOld, 2, 2, Outcome::ok, "2", "g");
  const std::string axes = "commit=" + kOld;
  CHECK(load_operands(std::vector{axes}, {.store = store.get()}).error().hint == "add -p g or -p q");
  CHECK(load_operands(std::vector{axes + "/nr_task=2"}, {.store = store.get()}));
  for (const char* project : {"q", "g"})
    fixture.write(
        fmt::format("runs/{}/0/outcome.json", project),
        fmt::format(R"({{"axes": {{"testcase": "t"}}, "outcome": "ok", "project": "{}"}})", project));
  const std::vector<std::string> tree = {fixture.text("runs")};
  CHECK(load_operands(tree, {})->cells.size() == 2);
  const Result<LoadedCells> chosen = load_operands(tree, {.project = "g"});
  REQUIRE(chosen);
  REQUIRE(chosen->cells.size() == 1);
  CHECK(chosen->cells[0].projects == std::set<std::string>{"g"});
  CHECK(load_operands(std::vector{fixture.text("runs/q")}, {.project = "g"})
            .error()
            .message.contains("project 'g' has no run of it"));
}

TEST_CASE("what is not found or not clear is an error that helps") {
  const Fixture fixture;
  const std::unique_ptr<store::Store> store = fixture.store();
  const OperandContext context{.store = store.get()};
  CHECK(load_operands(std::vector<std::string>{"feed"}, context)
            .error()
            .hint.starts_with("nothing is stored yet"));
  fixture.put(*store, "abcd1111", 1, 1);
  fixture.put(*store, "abcd2222", 1, 2);
  CHECK(load_operands(std::vector<std::string>{"abcd"}, context).error().message ==
        "comparing 'abcd': 2 commits begin so");
  CHECK(load_operands(std::vector<std::string>{"feed"}, context).error().hint.contains("abcd1111"));
  CHECK_FALSE(load_operands(std::vector<std::string>{"testcase=none"}, context));
  fixture.write("empty/readme", "");
  CHECK(load_operands(std::vector<std::string>{fixture.text("empty")}, context)
            .error()
            .message.contains("no results"));
  fixture.write("broken/matrix.json", "{\"a\": [1,");
  CHECK(load_operands(std::vector<std::string>{fixture.text("broken")}, context)
            .error()
            .message.contains("matrix.json"));
  CHECK(compare_operands({.operands = {"abcd1111"}, .context = context})
            .error()
            .message.contains("no two results"));
  CHECK_FALSE(load_operands(std::vector<std::string>{"/does/not/exist"}, {}));
}

TEST_CASE("unlike machines are refused, or labelled when forced") {
  const Fixture fixture;
  for (const std::string side : {"a", "b"}) {
    fixture.write(side + "/matrix.json", matrix("1, 2, 3"));
    fixture.write(side + "/0/machine.json", fmt::format(R"({{"governor": "{}", "kernel": "{}"}})",
                                                        side == "a" ? "performance" : "powersave", side));
  }
  ComparisonRequest request{.operands = {fixture.text("a"), fixture.text("b")}};
  CHECK(compare_operands(request).error().message.contains(
      "machines differ: governor (performance, powersave), kernel (a, b)"));
  request.force = true;
  request.kernel_is_compared = true;
  CHECK(compare_operands(request)->tables[0].warning == "machines differ: governor (performance, powersave)");
}

TEST_CASE("LKP's result tree gives its axes by description, job or path") {
  const Fixture fixture;
  const std::string box = "netperf/ipv4-TCP_RR/tbox/debian/defconfig/gcc-12/";
  fixture.write(box + "v1/matrix.json", matrix("1, 2, 3"));
  fixture.write(box + "v2/matrix.json", matrix("11, 12, 13"));
  fixture.write(box + "v3/matrix.json", matrix("11, 12, 13"));
  fixture.write(box + "v3/desc.yaml", ":axes:\n  :testcase: netperf\n  :commit: v3\n  :ip: ipv4\n");
  fixture.write(box + "v4/matrix.json", "nonsense");
  const Result<Comparison> comparison = compare_operands({.operands = {fixture.text("netperf")}});
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  CHECK(comparison->tables[0].columns.size() == 2);
  CHECK(comparison->tables[0].axis_names[0] == "compiler");
  CHECK(comparison->notes.size() == 2);
}

TEST_CASE("a directory named by its commit is that commit's") {
  const Fixture fixture;
  for (const std::string& commit : {kOld, kNew}) {
    fixture.write("x/" + commit + "/matrix.json", matrix("1, 2, 3"));
    fixture.write("x/" + commit + "/job.yaml", "testcase: netperf\ntbox_group: box\n");
  }
  const Result<Comparison> comparison =
      compare_operands({.operands = {fixture.text("x/" + kOld), fixture.text("x/" + kNew + "/")}});
  REQUIRE(comparison);
  CHECK(comparison->tables[0].compare_axis == "commit");
  CHECK(comparison->tables[0].columns[0].commit == kOld);
}

TEST_CASE("a database that cannot be opened is in the way of stored runs only") {
  const Fixture fixture;
  fixture.write("a/matrix.json", matrix("1, 2, 3"));
  const OperandContext context{.store_error = Error{.message = "opening 'kilter.db': no"}};
  CHECK(load_operands(std::vector<std::string>{fixture.text("a")}, context));
  CHECK(load_operands(std::vector<std::string>{"abcd"}, context).error().message ==
        "opening 'kilter.db': no");
}

TEST_CASE("links out of a tree are not followed") {
  const Fixture fixture;
  fixture.write("outside/matrix.json", matrix("1, 2, 3"));
  fixture.write("tree/readme", "");
  REQUIRE(os::replace_symlink(fixture.at("outside"), fixture.at("tree/link")));
  CHECK_FALSE(load_operands(std::vector<std::string>{fixture.text("tree")}, {}));
}

}  // namespace
}  // namespace kilter::robot
