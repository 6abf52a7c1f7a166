#include "suite/catalogue.h"

#include "base/text.h"
#include "os/files.h"
#include "suite/install.h"
#include "suite/metric_info.h"
#include "suite/parse.h"
#include "suite/suite_reader.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <utility>

using namespace kilter;
using namespace kilter::suite;
using enum model::Direction;

namespace {

std::string error_of(const std::string& text) {
  const Result<Suite> suite = read_suite(text, "s.yaml", "s");
  return suite ? "no error"
               : suite.error().message + (suite.error().hint.empty() ? "" : " | " + suite.error().hint);
}

const std::string kGood = "run:\n  - [./bench]\nparser: key-value\n";

Catalogue loaded() {
  Result<Catalogue> catalogue = Catalogue::load();
  REQUIRE(catalogue);
  return std::move(*catalogue);
}

model::Direction direction(const Catalogue& catalogue, const std::string& key) {
  return metric_info(catalogue, key).direction;
}

}  // namespace

TEST_CASE("an unknown suite is an error with the nearest name") {
  const Catalogue catalogue = loaded();
  const Result<const Suite*> suite = catalogue.get("hackbnch");
  REQUIRE_FALSE(suite);
  CHECK(suite.error().message == "looking up the suite 'hackbnch': there is no such suite");
  CHECK(suite.error().hint.contains("did you mean 'hackbench'?"));
  CHECK(catalogue.find("hackbnch") == nullptr);
}

TEST_CASE("a suite is found by its program too") {
  const Catalogue catalogue = loaded();
  REQUIRE(catalogue.find_program("fio") != nullptr);
  CHECK(catalogue.find_program("fio")->name == "fio-basic");
  CHECK(catalogue.find_program("netperf")->name == "netperf");
  CHECK(catalogue.find_program("vmstat") == nullptr);
}

TEST_CASE("a broken suite file is told with its line and column, when it is asked for") {
  const Result<Catalogue> catalogue = Catalogue::load({{"mine/broken.yaml", "summary: x\nrun: [\n"}});
  REQUIRE(catalogue);
  const Result<const Suite*> suite = catalogue->get("broken");
  REQUIRE_FALSE(suite);
  CHECK(suite.error().message.starts_with("reading mine/broken.yaml:3:1: "));
}

TEST_CASE("mistakes in a suite file are told with their place") {
  CHECK(error_of(kGood) == "no error");
  CHECK(error_of("run:\n  - [./bench]\nparsr: key-value\n")
            .starts_with("reading s.yaml:3:8: unknown key 'parsr', did you mean 'parser'?"));
  CHECK(error_of("run:\n  - ./bench --fast\nparser: key-value\n").starts_with("reading s.yaml:2:5: "));
  CHECK(error_of("run:\n  - argv: ./bench\nparser: none\n") ==
        "reading s.yaml:2:11: a list of words is wanted, not a shell line");
  CHECK(error_of("run:\n  - [./b, {if: x, words: [y]}]\nparser: none\n")
            .contains("s.yaml:2:16: 'if' is not understood here"));
  CHECK(error_of("run:\n  - [./b]\nparser: key-vlue\n")
            .contains("s.yaml:3:9: there is no parser 'key-vlue', did you mean 'key-value'?"));
  CHECK(error_of("run:\n  - [./b]\nparser: {regex: {a: '('}}\n").contains("reading the regex of 'a'"));
  CHECK(error_of("run:\n  - [./b]\nparser: {rgx: {a: '('}}\n").contains("unknown kind of parser 'rgx'"));
  CHECK(error_of(kGood + "metrics:\n  a: {better: more}\n") ==
        "reading s.yaml:5:15: 'better' is higher or lower, not 'more'");
  CHECK(error_of(kGood + "metrics:\n  a: {headline: true}\n").contains("a headline metric needs 'better'"));
  CHECK(error_of(kGood + "parameters:\n  n: {type: number}\n").contains("unknown type 'number'"));
  CHECK(
      error_of(kGood + "engines:\n  other: {run: [[x]]}\n").contains("an engine is 'builtin' or 'upstream'"));
  CHECK(error_of("parser: none\n").contains("'run' is missing"));
  CHECK(error_of("run:\n  - [./b]\n").contains("'parser' is missing"));
  CHECK(error_of("").contains("a map of keys and values is wanted here"));
  CHECK(error_of("[]").contains("a map of keys and values is wanted here"));
  CHECK(error_of(kGood + "summary: a\nsummary: b\n").contains("s.yaml:5:1: 'summary' stands here twice"));
}

TEST_CASE("a suite file that grows by aliases is refused") {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    std::string items = last;
    for (int j = 0; j < 9; ++j) items += "," + last;
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + items + "]\n";
  }
  CHECK(error_of(bomb).contains("the document is too large"));
  CHECK(error_of(std::string(100'000, '[')) != "no error");
}

TEST_CASE("units and directions are those of the suite files") {
  const Catalogue catalogue = loaded();
  CHECK(direction(catalogue, "netperf.Throughput_tps") == higher_better);
  CHECK(metric_info(catalogue, "netperf.Throughput_tps").headline);
  CHECK(metric_info(catalogue, "hackbench.throughput").headline);
  CHECK_FALSE(metric_info(catalogue, "hackbench.throughput_avg").headline);
  CHECK(direction(catalogue, "hackbench.throughput_avg") == higher_better);
  CHECK(direction(catalogue, "netperf.ThroughputBoth_tps") == unknown);
  CHECK(direction(catalogue, "netperf.workload") == unknown);
  CHECK(direction(catalogue, "will-it-scale.per_process_ops") == higher_better);
  CHECK(direction(catalogue, "will-it-scale.scalability") == higher_better);
  CHECK(direction(catalogue, "will-it-scale.16.processes") == unknown);
  CHECK(direction(catalogue, "stress-ng.sem.ops_per_sec") == higher_better);
  CHECK(direction(catalogue, "stress-ng.sem.ops") == unknown);
  CHECK(direction(catalogue, "unixbench.score") == higher_better);
  CHECK(direction(catalogue, "hackbench.throughput") == higher_better);
  CHECK(direction(catalogue, "kbuild.buildtime_per_iteration") == lower_better);
  CHECK(direction(catalogue, "kbuild.workload") == unknown);
  CHECK(direction(catalogue, "perf-bench-futex.requeued_time_ms") == lower_better);
  CHECK(direction(catalogue, "schbench.wakeup_latency_max_us") == lower_better);
  CHECK(direction(catalogue, "fio.read_bw_MBps") == higher_better);
  CHECK(direction(catalogue, "iperf.udp.bps") == higher_better);
  CHECK(direction(catalogue, "tbench.max_latency") == lower_better);
  CHECK(metric_info(catalogue, "hackbench.throughput").unit == "KB/s");
}

TEST_CASE("monitors and times have units, no direction") {
  const Catalogue catalogue = loaded();
  CHECK(metric_info(catalogue, "meminfo.MemFree").unit == "kB");
  CHECK(metric_info(catalogue, "vmstat.system.cs").unit == "1/s");
  CHECK(metric_info(catalogue, "mpstat.cpu.all.idle%").unit == "%");
  CHECK(metric_info(catalogue, "netperf.time.elapsed_time").unit == "s");
  CHECK(metric_info(catalogue, "time.elapsed_time.max").unit == "s");
  CHECK(metric_info(catalogue, "time.maximum_resident_set_size").unit == "kB");
  CHECK(direction(catalogue, "time.elapsed_time") == unknown);
  CHECK(metric_info(catalogue, "nothing").unit.empty());
}

TEST_CASE("a program without a suite, and an adapter's suite, have what their parser knows") {
  const std::string text =
      "run:\n  - [./bench]\nparser: google-benchmark\nmetrics:\n  \"*.depth\": {better: higher}\n";
  const Result<Catalogue> catalogue = Catalogue::load({{"tokenizer.yaml", text}});
  REQUIRE(catalogue);
  CHECK(direction(*catalogue, "tokenizer.BM_x/8.real_time_ns") == lower_better);
  CHECK(direction(*catalogue, "tokenizer.BM_x/8.items_per_second") == higher_better);
  CHECK(direction(*catalogue, "tokenizer.BM_x/8.depth") == higher_better);
  CHECK(direction(*catalogue, "mytest.BM_x.real_time_ns") == lower_better);
  CHECK(direction(*catalogue, "mytest.Encode.ns/op") == lower_better);
  CHECK(direction(*catalogue, "coremark.iterations_per_sec") == higher_better);
  CHECK(metric_info(*catalogue, "dbench.throughput_MB/s").unit == "MB/s");
}

TEST_CASE("patterns match whole keys with stars for any text") {
  CHECK(glob_match("*_ops", "per_process_ops"));
  CHECK_FALSE(glob_match("*_ops", "per_process_ops_x"));
  CHECK(glob_match("a*b*c", "axxbyybc"));
  CHECK_FALSE(glob_match("a*b*c", "axxbyyb"));
  CHECK(glob_match("*", ""));
  CHECK_FALSE(glob_match("", "x"));
}

TEST_CASE("an install plan has packages, the clone, and the build steps in the source directory") {
  const Catalogue catalogue = loaded();
  const HostFacts facts = {.nr_cpu = 4, .install_root = "/k/sources"};
  const Result<InstallPlan> plan = install_plan(*catalogue.find("will-it-scale"), facts, "upstream");
  REQUIRE(plan);
  CHECK(plan->packages == std::vector<std::string>{"build-essential", "git", "libhwloc-dev"});
  CHECK(plan->source == "/k/sources/will-it-scale");
  REQUIRE(plan->steps.size() == 2);
  CHECK(plan->steps[0].fetch);
  CHECK(plan->steps[0].argv == std::vector<std::string>{"git", "clone", "--depth", "1", "--",
                                                        "https://github.com/antonblanchard/will-it-scale",
                                                        "/k/sources/will-it-scale"});
  CHECK(plan->steps[1].argv == std::vector<std::string>{"make", "-s", "-j", "4"});
  CHECK(plan->steps[1].cwd == "/k/sources/will-it-scale");
  CHECK(plan->provides.front() == "/k/sources/will-it-scale/eventfd1_processes");
}

TEST_CASE("the URL of a source can be overridden, and what is no URL is refused") {
  const Catalogue catalogue = loaded();
  const HostFacts facts = {.nr_cpu = 4, .install_root = "/k/sources"};
  const Suite& kbuild = *catalogue.find("kbuild");
  CHECK(install_plan(kbuild, facts)->url.empty());
  CHECK(install_plan(kbuild, facts)->steps.back().argv.back() == "/usr/src/linux-source-6.1.tar.xz");
  const Result<InstallPlan> mirrored = install_plan(kbuild, facts, "", "file:///mirror/linux");
  REQUIRE(mirrored);
  REQUIRE(mirrored->steps.size() == 1);
  CHECK(mirrored->steps[0].argv[5] == "file:///mirror/linux");
  CHECK_FALSE(install_plan(kbuild, facts, "", "--upload-pack=x"));
  CHECK_FALSE(install_plan(kbuild, facts, "builtn"));
}

TEST_CASE("the default engine of a suite that kilter-bench serves needs no installing") {
  const Catalogue catalogue = loaded();
  const Result<InstallPlan> plan = install_plan(*catalogue.find("netperf"), {.install_root = "/k"});
  REQUIRE(plan);
  CHECK(plan->engine == "builtin");
  CHECK(plan->packages.empty());
  CHECK(plan->steps.empty());
}

namespace {

// The YAML blocks of docs/suites.md that follow a "<!-- suite: NAME -->" line.
std::vector<std::pair<std::string, std::string>> documented_suites() {
  std::vector<std::pair<std::string, std::string>> suites;
  const std::string page = os::read_file(std::filesystem::path(TESTS_DIR) / "../docs/suites.md").value_or("");
  std::string name;
  bool inside = false;
  for (const std::string_view line : lines(page)) {
    if (line.starts_with("<!-- suite: ")) name = line.substr(12, line.find(" -->") - 12);
    if (line == "```") inside = false;
    if (inside) suites.back().second += std::string(line) + "\n";
    if (line == "```yaml" && !name.empty()) {
      suites.emplace_back(std::exchange(name, ""), "");
      inside = true;
    }
  }
  return suites;
}

}  // namespace

TEST_CASE("each example of the documentation is a suite of at most eleven lines that plans a command") {
  const HostFacts facts = {.names = {{"bench", "/b/bench"},
                                     {"tool", "/b/tool"},
                                     {"build", "/b"},
                                     {"tests", "/b/t"},
                                     {"compiler", "/b/cc"}}};
  const std::vector<std::pair<std::string, std::string>> suites = documented_suites();
  CHECK(suites.size() == 11);
  for (const auto& [name, text] : suites) {
    CAPTURE(name);
    CHECK(lines(text).size() <= 11);
    const Result<Suite> suite = read_suite(text, "docs/suites.md", name);
    REQUIRE_MESSAGE(suite, suite.error().message);
    const Result<model::Workload> workload = plan_workload(*suite, {}, facts);
    REQUIRE_MESSAGE(workload, workload.error().message);
    CHECK((workload->parser == name || workload->parser.starts_with(name + ":\n")));
    if (is_external_parser(workload->parser))
      CHECK(external_parser_argv(workload->parser) == std::vector<std::string>{"/b/tools/parse-bench.py"});
    else
      CHECK(parse_output(workload->parser, {}));
  }
}
