#include "store/import.h"

#include "store/import_scan.h"
#include "store/lkp_json.h"
#include "store/results.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace kilter;
using model::Number;
using store::ImportOptions;
using store::Path;

namespace {

struct Lab {
  os::TempDir dir = *os::TempDir::create("/tmp", "kilter-import");
  Path home = dir.path() / "home";
  Path tree = dir.path() / "result";
  std::unique_ptr<store::Store> db;

  Lab() {
    (void)os::make_directories(home);
    db = store::open_store(home / "kilter.db").value();
  }
  Path lkp_run(const std::string& number, std::string_view stats, std::string_view job = "") {
    const Path run = tree / "stress-ng/100%-sem-8s/tbox/debian/defconfig/gcc-12/6.18.44" / number;
    (void)os::make_directories(run);
    if (!stats.empty()) (void)os::write_file(run / "stats.json", stats);
    if (!job.empty()) (void)os::write_file(run / "job.yaml", job);
    return run;
  }
  Result<store::ImportReport> import(const ImportOptions& options = {}) {
    return store::import_tree(tree, home, *db, options);
  }
  bool home_is_empty() {
    std::error_code ignored;
    const bool no_tmp = os::list_directory(home / "results/.tmp").empty();
    return no_tmp && store::run_directories(home).empty() && db->runs({})->empty();
  }
};

}  // namespace

TEST_CASE_FIXTURE(Lab, "an LKP result tree comes in with its axes, twice is once") {
  lkp_run("0", R"({"stress-ng.sem.ops": 10, "vmstat.cs": 1.5})");
  lkp_run("1", R"({"stress-ng.sem.ops": 12})");
  ImportOptions options;
  options.describe = [](const Path& run) {
    if (run.filename() != "1") return store::Described{};
    return store::Described{.axes = {{"commit", "abc"}, {"test", "sem"}, {"nr_threads", "100%"}},
                            .path_params = "100%-sem"};
  };
  REQUIRE(import(options).has_value());
  CHECK(import(options)->already == 2);
  const std::vector<store::StoredRun> runs = *db->runs({});
  REQUIRE(runs.size() == 2);
  const auto by_path = db->runs({.axes = {{"path_params", "100%-sem-8s"}}}).value();
  REQUIRE(by_path.size() == 1);
  CHECK(by_path[0].record.axes.at("commit") == "6.18.44");
  CHECK(by_path[0].record.axes.at("tbox_group") == "tbox");
  CHECK(by_path[0].record.directory ==
        (home / "results/stress-ng/100%-sem-8s/tbox/debian/defconfig/gcc-12/6.18.44/0").string());
  const auto by_job = db->runs({.axes = {{"test", "sem"}, {"nr_threads", "100%"}}}).value();
  REQUIRE(by_job.size() == 1);
  CHECK(by_job[0].record.axes.at("commit") == "abc");
  CHECK_FALSE(by_job[0].record.axes.contains("path_params"));
  CHECK(by_job[0].record.path_params == "100%-sem");
  CHECK(db->metrics(by_job[0].id)->at(0).value == Number(12));
  CHECK(store::read_record(by_job[0].record.directory)
            ->origin.ends_with("result/stress-ng/100%-sem-8s/tbox/debian/"
                               "defconfig/gcc-12/6.18.44/1"));
}

TEST_CASE_FIXTURE(Lab, "runs without numbers or marked incomplete are no measurements") {
  lkp_run("0", "", "testcase: stress-ng\n");
  lkp_run("1", R"({"last_state.is_incomplete_run": 1, "a": 5})");
  CHECK(import()->runs == 2);
  CHECK(db->runs({.outcome = model::Outcome::unmeasured})->size() == 1);
  CHECK(db->runs({.outcome = model::Outcome::test_failed})->size() == 1);
}

TEST_CASE_FIXTURE(Lab, "a bare matrix comes in as a run per column, and holes stay holes") {
  const std::string root = "/lkp/result/netperf/50%/box/debian/cfg/gcc-9/deadbeef/";
  REQUIRE(os::make_directories(tree / "head").has_value());
  REQUIRE(os::write_file(tree / "head/matrix.json", R"({"a": [1, 2.5, 3], "b": [0.5], "c": [null, 7, NaN],)"
                                                    R"("stats_source": [")" +
                                                        root + "0/stats.json\", \"" + root +
                                                        "1/stats.json\"]}")
              .has_value());
  CHECK(import()->runs == 3);
  const model::Axes axes = {{"testcase", "netperf"}, {"tbox_group", "box"}, {"rootfs", "debian"},
                            {"kconfig", "cfg"},      {"compiler", "gcc-9"}, {"commit", "deadbeef"},
                            {"path_params", "50%"}};
  const model::Matrix matrix = *db->matrix(axes);
  REQUIRE(matrix.columns() == 2);
  CHECK_FALSE(matrix.find("b")->values[1].has_value());
  CHECK(matrix.find("c")->values[1] == Number(7));
  // The column without a source is named after its place.
  CHECK(db->runs({.axes = {{"testcase", "imported"}, {"commit", "head"}}})->size() == 1);
  ImportOptions options;
  options.missing_is_zero = true;
  options.axes = {{"commit", "zeros"}};
  REQUIRE(os::rename_path(tree / "head", tree / "again").has_value());
  CHECK(import(options)->runs == 3);
  CHECK(db->metrics(db->runs({.axes = {{"commit", "zeros"}}})->back().id)->size() >= 2);
}

TEST_CASE_FIXTURE(Lab, "one truncated file and nothing is imported, or all but that when asked") {
  lkp_run("0", R"({"a": 1})");
  const Path bad = lkp_run("1", R"({"a": 1, "b")");
  const Result<store::ImportReport> refused = import();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "reading '" + (std::filesystem::canonical(bad) / "stats.json").string() +
                                       "': the JSON is damaged or cut off");
  CHECK(home_is_empty());
  ImportOptions options;
  options.skip_bad = true;
  const store::ImportReport report = import(options).value();
  CHECK(report.runs == 1);
  CHECK(report.skipped.size() == 1);
}

TEST_CASE_FIXTURE(Lab, "hostile trees cannot leave their place, and links are not followed") {
  const Path run = lkp_run("0", R"({"a": 1})");
  ImportOptions options;
  options.describe = [](const Path&) {
    return store::Described{.axes = {{"testcase", "../../../../etc"},
                                     {"commit", ".."},
                                     {"tbox_group", "a\x1b[31m/b"},
                                     {"x\n", "y"}},
                            .path_params = "../.."};
  };
  std::filesystem::create_symlink("/etc/passwd", run / "secret");
  std::filesystem::create_directory_symlink("/", run.parent_path() / "9");
  std::filesystem::create_directory_symlink("..", run.parent_path() / "loop");
  const store::ImportReport report = import(options).value();
  CHECK(report.runs == 1);
  CHECK(report.files_left == 1);
  const model::RunRecord record = db->runs({})->front().record;
  CHECK(record.directory.starts_with((home / "results/").string()));
  CHECK(record.directory.find("/../") == std::string::npos);
  CHECK(record.axes.at("tbox_group") == "a[31m/b");
  CHECK_FALSE(std::filesystem::exists(Path(record.directory) / "secret"));
}

TEST_CASE_FIXTURE(Lab, "numbers out of range, bad keys and too many keys are refused by name") {
  lkp_run("0", R"({"huge": 1e999})");
  CHECK(import().error().message.find("key 'huge': '1e999'") != std::string::npos);
  lkp_run("0", "{\"a\\nb\": 1}");
  CHECK(import().error().message.find("control characters") != std::string::npos);
  lkp_run("0", "{\"" + std::string(5000, 'k') + "\": 1}");
  CHECK(import().error().message.find("too long") != std::string::npos);
  std::string many = "{";
  for (int i = 0; i <= 1000000; ++i) many += "\"k" + std::to_string(i) + "\":1,";
  many.back() = '}';
  lkp_run("0", many);
  CHECK(import().error().message.find("more than 1000000 keys") != std::string::npos);
  CHECK(home_is_empty());
}

TEST_CASE_FIXTURE(Lab, "what is not there, or holds no results, is said in one line") {
  CHECK(import().error().message.find("No such file") != std::string::npos);
  REQUIRE(os::make_directories(tree / "empty").has_value());
  CHECK(import().error().message.find("there is no run and no matrix.json in it") != std::string::npos);
}

TEST_CASE_FIXTURE(Lab, "runs of another kilter keep their record") {
  const Path other = dir.path() / "other";
  model::RunRecord record;
  record.axes = {{"testcase", "x"}, {"commit", "c"}};
  record.outcome = model::Outcome::timed_out;
  record.reason = "took too long";
  record.build_id = "b7";
  const Path tmp = *store::begin_run(other);
  REQUIRE(store::commit_run(other, tmp, record).has_value());
  CHECK(store::import_tree(other, home, *db, {})->runs == 1);
  const model::RunRecord read = db->runs({.origin = record.directory})->front().record;
  CHECK(read.outcome == model::Outcome::timed_out);
  CHECK(read.build_id == "b7");
}
