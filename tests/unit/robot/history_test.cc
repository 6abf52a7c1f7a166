#include "robot/history.h"

#include "model/json.h"
#include "model/machine.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <limits>

namespace kilter::robot {
namespace {

std::string commit_named(int number) {
  return fmt::format("{:040x}", number);
}

CommitLines line_of(int commits) {
  project::FirstParentLog log;
  std::vector<std::string> measured;
  for (int i = 1; i <= commits; ++i) {
    log.commits.push_back({.sha = commit_named(i),
                           .parent = i == 1 ? "" : commit_named(i - 1),
                           .time = i,
                           .subject = fmt::format("subject {}", i)});
    measured.push_back(commit_named(i));
  }
  log.tips = {{"main", commit_named(commits)}};
  return {{"lib", CommitLine(std::move(log), measured)}};
}

struct LayoutFixture {
  os::TempDir home = *os::TempDir::create("/tmp", "kilter-layout");
  std::unique_ptr<store::Store> store = *store::open_store(home.path() / "kilter.db");
  MachineKinds kinds{*store};
  int runs = 0;

  void put(const std::string& commit, double started, double value, const std::string& governor = "",
           const std::string& project = "lib", const std::string& boot = "") {
    model::RunRecord record;
    record.axes = {{"testcase", "t"}, {"commit", commit}};
    const os::Path directory = home.path() / "results" / std::to_string(runs++);
    record.directory = directory.string();
    record.outcome = model::Outcome::ok;
    record.started = started;
    record.project = project;
    record.boot_id = boot;
    if (!governor.empty()) {
      model::Machine machine;
      machine.cpu_model = "cpu";
      machine.governor = governor;
      record.fingerprint = machine.fingerprint_id();
      REQUIRE(os::make_directories(directory));
      REQUIRE(os::write_file(directory / "machine.json", model::dump_json(nlohmann::json(machine))));
    }
    REQUIRE(store->put(record, {{.key = "t.speed", .value = value}}));
  }

  std::vector<SeriesLayout> layouts(const CommitLines& lines, const std::string& project = "") {
    const store::SeriesTable table = store->series_table({{"testcase", "t"}}, {}).value();
    return lay_out(table, lines, kinds, project);
  }

  // The last digits of the commits, in their order.
  static std::string order(const SeriesLayout& layout) {
    std::string text;
    for (const PointLayout& point : layout.points) text += point.commit.back();
    return text;
  }
};

}  // namespace

TEST_CASE_FIXTURE(LayoutFixture, "points follow the commits, however the clock jumped") {
  put(commit_named(3), 100, 1);
  put(commit_named(1), 900, 1);
  put(commit_named(2), 0, 1);
  put(commit_named(1), 50, 1);
  const std::vector<SeriesLayout> layouts = this->layouts(line_of(4));
  REQUIRE(layouts.size() == 1);
  CHECK(order(layouts[0]) == "123");
  CHECK(layouts[0].line == "main");
  CHECK(layouts[0].points[0].runs.size() == 2);
  CHECK(layouts[0].points[0].started == 50);
  CHECK(layouts[0].points[0].subject == "subject 1");
  CHECK(layouts[0].points[2].place == 2);
}

TEST_CASE_FIXTURE(LayoutFixture, "without a repository points stand in the order of time") {
  put(commit_named(3), 100, 1);
  put(commit_named(1), 900, 1);
  put(commit_named(2), 200, 1);
  const std::vector<SeriesLayout> layouts = this->layouts({});
  CHECK(order(layouts[0]) == "321");
  CHECK(layouts[0].line.empty());
  CHECK(layouts[0].points[0].place == -1);
}

TEST_CASE_FIXTURE(LayoutFixture, "commits that are gone stand where they were measured") {
  put(commit_named(1), 100, 1);
  put(commit_named(0x77), 150, 1);
  put(commit_named(2), 200, 1);
  put(commit_named(0x88), 50, 1);
  put(commit_named(3), 300, 1);
  put(commit_named(0x99), 400, 1);
  CHECK(order(layouts(line_of(4))[0]) == "817239");
}

TEST_CASE_FIXTURE(LayoutFixture, "patched commits are left out and said to be") {
  put(commit_named(1), 100, 1);
  put(commit_named(2) + "+0123456789", 150, 1);
  const std::vector<SeriesLayout> layouts = this->layouts(line_of(4));
  CHECK(order(layouts[0]) == "1");
  REQUIRE(layouts[0].notes.size() == 1);
  CHECK(layouts[0].notes[0].contains("1 patched commit is left out"));
}

TEST_CASE_FIXTURE(LayoutFixture, "unlike machines stand one after the other, with the reason") {
  put(commit_named(1), 1, 1, "performance");
  put(commit_named(2), 2, 1, "performance");
  put(commit_named(3), 3, 1, "powersave");
  put(commit_named(4), 4, 1, "powersave");
  put(commit_named(1), 5, 1, "powersave");
  const SeriesLayout layout = layouts(line_of(4))[0];
  CHECK(order(layout) == "12134");
  CHECK(layout.points[1].stretch == 0);
  CHECK(layout.points[2].stretch == 1);
  REQUIRE(layout.whys.size() == 1);
  CHECK(layout.whys[0] == "machines differ: governor (performance, powersave)");
}

TEST_CASE_FIXTURE(LayoutFixture, "a machine without a record is like every other") {
  put(commit_named(1), 1, 1, "performance");
  put(commit_named(2), 2, 1);
  put(commit_named(3), 3, 1, "performance");
  const SeriesLayout layout = layouts(line_of(4))[0];
  CHECK(order(layout) == "123");
  CHECK(layout.whys.empty());
}

TEST_CASE_FIXTURE(LayoutFixture, "projects do not mix, and results of none find the line they fit") {
  put(commit_named(2), 1, 1, "", "");
  put(commit_named(1), 2, 1, "", "");
  put(commit_named(1), 3, 1, "", "lib");
  put(commit_named(1), 4, 1, "", "other");
  CHECK(layouts(line_of(4)).size() == 3);
  const std::vector<SeriesLayout> chosen = layouts(line_of(4), "lib");
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].project.empty());
  CHECK(order(chosen[0]) == "12");
  CHECK(chosen[1].project == "lib");
}

TEST_CASE_FIXTURE(LayoutFixture, "a history keeps every run and leaves out what has no number") {
  put(commit_named(1), 1, 10, "", "lib", "x");
  put(commit_named(1), 2, 20, "", "lib", "y");
  put(commit_named(1), 3, 12, "", "lib", "x");
  put(commit_named(2), 4, std::numeric_limits<double>::quiet_NaN());
  put(commit_named(3), 5, 9);
  const store::SeriesTable table = store->series_table({{"testcase", "t"}}, {}).value();
  const SeriesLayout layout = lay_out(table, line_of(4), kinds, "")[0];
  const model::Axes axes = {{"testcase", "t"}};
  const std::string key = "t.speed";
  const model::MetricHistory history =
      metric_history(layout, table.row(0), {.axes = axes, .key = key, .info = {}});
  REQUIRE(history.points.size() == 2);
  CHECK(history.points[0].runs.size() == 3);
  CHECK(history.points[0].value == 15.5);
  CHECK(history.points[1].commit == commit_named(3));
  CHECK(history.changes.empty());
}

}  // namespace kilter::robot
