#include "robot/comparison.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

// Runs of kernels, as `kilter run` without a project stores them.
class Kernels {
 public:
  Kernels() : directory_(*os::TempDir::create("/tmp", "kernels")) {
    store_ = std::move(*store::open_store(directory_.path() / "kilter.db"));
  }

  // Three runs of a kernel; its configuration is `axes`' kconfig.
  void measure(const std::string& release, const model::Axes& axes, const std::string& build_id = "") {
    for (int run = 0; run < 3; ++run) {
      model::RunRecord record;
      record.axes = axes;
      record.axes["testcase"] = "netperf";
      record.build_id = build_id;
      record.started = ++clock_;
      record.outcome = model::Outcome::ok;
      const os::Path folder = directory_.path() / "runs" / std::to_string(clock_);
      record.directory = folder.string();
      REQUIRE(os::make_directories(folder));
      REQUIRE(os::write_file(folder / "kernel.json", fmt::format(R"({{"release": "{}"}})", release)));
      REQUIRE(os::write_file(folder / "machine.json", fmt::format(R"({{"kernel": "{}"}})", release)));
      REQUIRE(store_->put(record, {{.key = "netperf.Throughput_tps", .value = 100.0 * clock_}}));
    }
  }

  [[nodiscard]] Result<Comparison> compare(const std::string& base, const std::string& head,
                                           const std::string& resolved = "") const {
    OperandContext context{.store = store_.get()};
    context.resolve = [resolved](const std::string& spec) {
      std::vector<ProjectCommit> found;
      if (spec.starts_with('v') && !resolved.empty()) found = {{"linux", resolved}};
      return found;
    };
    context.running = "6.8.0-rc1";
    return compare_operands({.operands = {base, head}, .context = context});
  }

  // The commits of the one table.
  [[nodiscard]] std::vector<std::string> commits(const std::string& base, const std::string& head,
                                                 const std::string& resolved = "") const {
    const Result<Comparison> comparison = compare(base, head, resolved);
    if (!comparison) return {comparison.error().message};
    std::vector<std::string> found;
    for (const model::CompareColumn& column : comparison->tables.at(0).columns)
      found.push_back(column.commit);
    return found;
  }

 private:
  os::TempDir directory_;
  std::unique_ptr<store::Store> store_;
  int clock_ = 0;
};

using Names = std::vector<std::string>;

TEST_CASE("a kernel is found by release, by its beginning, by commit, by name, and as the running one") {
  Kernels kernels;
  kernels.measure("6.8.0-rc1", {{"commit", "6.8.0-rc1"}});
  kernels.measure("6.8.0-rc2-00012-gabcdef123456", {{"commit", "abcdef123456"}});
  kernels.measure("6.9.0-rc1+", {{"commit", "with-patch"}});
  const Names both = {"6.8.0-rc1", "abcdef123456"};
  CHECK(kernels.commits("6.8.0-rc1", "6.8.0-rc2-00012-gabcdef123456") == both);
  CHECK(kernels.commits("running", "6.8.0-rc2") == both);
  CHECK(kernels.commits("6.8.0-rc1", "abcdef") == both);
  // A tree knows the whole sha, a kernel tells its first digits.
  CHECK(kernels.commits("6.8.0-rc1", "v6.8-rc2", "abcdef123456" + std::string(28, '0')) == both);
  CHECK(kernels.commits("6.8.0-rc1", "with-patch") == Names{"6.8.0-rc1", "with-patch"});
  CHECK(kernels.commits("6.8.0-rc1", "6.9.0-rc1+") == Names{"6.8.0-rc1", "with-patch"});
  CHECK(kernels.compare("6.8.0-rc1", "6.10").error().message.contains("no run of it is stored"));
}

TEST_CASE("a release that several kernels bear is not guessed at") {
  Kernels kernels;
  kernels.measure("6.8.0-rc1", {{"commit", "one"}});
  kernels.measure("6.8.0-rc1", {{"commit", "two"}});
  const Result<Comparison> comparison = kernels.compare("6.8.0", "one");
  REQUIRE_FALSE(comparison);
  CHECK(comparison.error().message == "comparing '6.8.0': 2 kernels' releases begin so");
  CHECK(comparison.error().hint == "their commits: one, two");
}

TEST_CASE("kernels that are unlike in configuration and compiler are compared, and the table says so") {
  Kernels kernels;
  // The constant is what older versions stored.
  kernels.measure("6.8.0", {{"commit", "6.8.0"}, {"kconfig", "defconfig"}, {"compiler", "gcc-12"}});
  kernels.measure("6.9.0", {{"commit", "6.9.0"}, {"kconfig", "x86_64-12345678"}, {"compiler", "clang-19"}});
  const Result<Comparison> comparison = kernels.compare("6.8.0", "6.9.0");
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  const model::CompareTable& table = comparison->tables[0];
  CHECK(table.compare_axis == "commit");
  CHECK(table.columns[1].commit == "6.9.0");
  CHECK_FALSE(table.warning);  // they run on two kernels, of course
  for (const char* note :
       {"column 2 differs in kconfig: 'x86_64-12345678', not 'defconfig'", "differs in compiler: 'clang-19'"})
    CHECK(std::ranges::any_of(table.notes, [&](const std::string& text) { return text.contains(note); }));
}

TEST_CASE("a kernel's like is preferred to one that is unlike") {
  Kernels kernels;
  kernels.measure("6.8.0", {{"commit", "6.8.0"}, {"kconfig", "a"}});
  kernels.measure("6.8.0", {{"commit", "6.8.0"}, {"kconfig", "b"}});
  kernels.measure("6.9.0", {{"commit", "6.9.0"}, {"kconfig", "b"}});
  const Result<Comparison> comparison = kernels.compare("6.8.0", "6.9.0");
  REQUIRE(comparison);
  REQUIRE(comparison->tables.size() == 1);
  CHECK(comparison->tables[0].axis_values.front() == "b");
  CHECK(comparison->notes.size() == 1);
}

TEST_CASE("one build under two names, and two builds under one, are told") {
  Kernels kernels;
  kernels.measure("6.8.0", {{"commit", "a"}}, "1111");
  kernels.measure("6.8.0", {{"commit", "b"}}, "1111");
  kernels.measure("6.8.0", {{"commit", "c"}}, "2222");
  kernels.measure("6.8.0", {{"commit", "c"}}, "3333");
  CHECK(kernels.compare("a", "b")->tables[0].identical ==
        "a and b are one build of the kernel: a difference between them is noise");
  const Result<Comparison> mixed = kernels.compare("a", "c");
  REQUIRE(mixed);
  CHECK(mixed->tables[0].identical.empty());
  REQUIRE(mixed->notes.size() == 1);
  CHECK(mixed->notes[0].starts_with("'c' was measured on 2 kernels that bear this name"));
}

}  // namespace
}  // namespace kilter::robot
