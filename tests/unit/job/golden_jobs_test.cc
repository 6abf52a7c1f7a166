#include "base/text.h"
#include "job/expand.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

using namespace kilter;

namespace {

std::optional<std::string> file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::string kDirectory = TESTS_DIR "/golden/job/";

// The golden jobs under the names they had: "jobs/kbuild/kbuild.yaml".
std::optional<std::string> read_golden(const std::string& path) {
  if (path == "hosts/tbox") return file_text(kDirectory + "hosts-tbox.yaml");
  if (path.starts_with("jobs/")) return file_text(kDirectory + path.substr(path.rfind('/') + 1));
  return std::nullopt;
}

// The list under need_kconfig is ours, not LKP's.
std::string without_kconfig(std::string_view text) {
  std::string out;
  bool inside = false;
  for (const std::string_view line : lines(text)) {
    if (inside && line.starts_with("- ")) continue;
    inside = line == "need_kconfig:";
    out += std::string(line) + "\n";
  }
  return out;
}

std::string origin_in(const std::string& expected) {
  const std::size_t start = expected.find("#! ") + 3;
  return expected.substr(start, expected.find('\n', start) - start);
}

const std::vector<std::string> kJobs = {"aim9",         "hackbench",
                                        "iperf",        "kbuild",
                                        "mytest",       "netperf",
                                        "schbench",     "perf-bench-futex",
                                        "sysbench-cpu", "perf-bench-sched-pipe",
                                        "tbench",       "stress-ng-scheduler",
                                        "unixbench",    "will-it-scale-part1"};

}  // namespace

TEST_CASE("LKP's jobs expand to LKP's unit jobs, by name") {
  for (const std::string& name : kJobs) {
    CAPTURE(name);
    const std::string first = file_text(kDirectory + "expected/" + name + ".first.yaml").value();
    const Result<std::vector<model::UnitJob>> units =
        job::expand(origin_in(first), read_golden, {.testbox = "tbox"});
    REQUIRE_MESSAGE(units.has_value(), (units ? "" : units.error().message));
    std::vector<std::string> names;
    for (const model::UnitJob& unit : *units) names.push_back(unit.name + ".yaml");
    std::ranges::sort(names);
    const std::string list = file_text(kDirectory + "expected/" + name + ".files").value();
    std::vector<std::string> expected;
    for (const std::string_view line : lines(list)) expected.emplace_back(line);
    std::ranges::sort(expected);
    CHECK(join(names, "\n") == join(expected, "\n"));
  }
}

TEST_CASE("the first unit job of each of LKP's jobs reads as LKP writes it") {
  for (const std::string& name : kJobs) {
    CAPTURE(name);
    const std::string first = file_text(kDirectory + "expected/" + name + ".first.yaml").value();
    const Result<std::vector<model::UnitJob>> units =
        job::expand(origin_in(first), read_golden, {.testbox = "tbox"});
    REQUIRE(units.has_value());
    const model::UnitJob& unit = *std::ranges::min_element(*units, {}, &model::UnitJob::name);
    CHECK(without_kconfig(unit.text) == without_kconfig(first));
    CHECK(unit.warnings.empty());
  }
}

TEST_CASE("the job of a robot's mail, its sections written as keys, is stripped to its own part") {
  const job::FileReader read = [](const std::string& path) -> std::optional<std::string> {
    if (path == "hosts/near-1") return "nr_cpu: 8\nmemory: 16G\n";
    return read_golden(path);
  };
  const std::string path = "jobs/report-job.yaml";
  const auto units = job::expand(path, read, {.testbox = "near-1", .compatible = true});
  REQUIRE(units.has_value());
  REQUIRE(units->size() == 1);
  const model::UnitJob& unit = units->front();
  CHECK(unit.path_params == "process-100%-eventfd1");
  CHECK(unit.body.get("nr_cpu") == "8");
  CHECK(unit.body.get("memory") == "16G");
  CHECK(unit.body.get("testbox") == "near-1");
  CHECK(unit.body.get("disable_latency_stats") == "1");
  for (const char* foreign : {"LKP_SERVER", "bootloader_append", "commit", "rootfs", "kconfig", "queue",
                              "model", "rootfs_partition", "enqueue_time"})
    CHECK_MESSAGE(unit.body.find(foreign) == nullptr, foreign);
  CHECK_FALSE(unit.text.contains(":#"));

  const auto whole = job::load_jobs(path, read, {.testbox = "near-1"});
  REQUIRE(whole.has_value());
  CHECK(whole->front().body.get("LKP_SERVER") == "inn");
  CHECK_FALSE(whole->front().text.contains(":#"));
  REQUIRE(whole->front().warnings.size() == 1);
  CHECK(whole->front().warnings.front().starts_with("jobs/report-job.yaml: a unit job of lkp-csl-2ap3"));
  CHECK(job::load_jobs(path, read, {.testbox = "lkp-csl-2ap3"})->front().warnings.empty());
}
