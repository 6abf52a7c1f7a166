#include "job/expand.h"

#include "job/blocks.h"
#include "support.h"

using namespace kilter;
using namespace kilter::job;
using namespace kilter::job::testing;

TEST_CASE("the first list of the document is the outermost loop") {
  const auto units = expand_text(
      "suite: hackbench\ntestcase: hackbench\nnr_threads: [100%, 1600%]\n"
      "hackbench:\n  mode: [process, threads]\n  ipc: [pipe, socket]\n");
  CHECK(names(units) == Names{"pipe-process-100%", "socket-process-100%", "pipe-threads-100%",
                              "socket-threads-100%", "pipe-process-1600%", "socket-process-1600%",
                              "pipe-threads-1600%", "socket-threads-1600%"});
}

TEST_CASE("a list under a key that is no option stays a list") {
  const auto units = expand_text("suite: tbench\ntestcase: tbench\nnotanoption: [one, two]\ntbench:\n");
  REQUIRE(units.has_value());
  REQUIRE(units->size() == 1);
  CHECK(units->front().body.find("notanoption")->items().size() == 2);
}

TEST_CASE("every later document is laid over the first, never over each other") {
  const auto units = expand_text("suite: s\ntestcase: s\nnr_task: 1\ns:\n---\nnr_task: 2\n---\nruntime: 5\n");
  CHECK(names(units) == Names{"1", "2", "1-5"});
}

TEST_CASE("a first document that runs nothing makes no job of its own") {
  const auto units = expand_text(
      "suite: vm-scalability\ntestcase: vm-scalability\ncategory: benchmark\n---\n"
      "vm-scalability:\n  test: a\n---\nvm-scalability:\n  test: b\n");
  CHECK(names(units) == Names{"a", "b"});
  CHECK(names(expand_text("suite: boot\ntestcase: boot\n")) == Names{"defaults"});
}

TEST_CASE("kconfig is in the name when it is a dimension, commit and rootfs always") {
  const std::string job = "suite: s\ntestcase: s\ncommit: v6.1\nrootfs: /os/debian-12.cgz\ns:\n";
  CHECK(names(expand_text(job + "kconfig: [a, b]\n")) ==
        Names{"defaults-v6.1-debian-12.cgz-a", "defaults-v6.1-debian-12.cgz-b"});
  CHECK(names(expand_text(job + "kconfig: a\n")) == Names{"defaults-v6.1-debian-12.cgz"});
}

TEST_CASE("a path holds the first 31 characters of a value, odd ones as underscores") {
  const auto units =
      expand_text("suite: mytest\ntestcase: mytest\nmytest: 'échö a/b ..%+=:. 0123456789012345678901234'\n");
  CHECK(names(units) == Names{"_ch__a_b_..%+=:._01234567890123"});
}

TEST_CASE("set-up programs with a value are parameters, in the name and in the axes") {
  const auto units = expand_text(
      "suite: fio-basic\ntestcase: fio-basic\ncpufreq_governor: performance\ndisk: [1HDD, 2SSD]\nfs: ext4\n"
      "runtime: 10s\nrw: randread\nbs: 4k\nnr_task: 50%\nfio-setup-basic:\nfio:\n",
      {{"hosts/tbox", "nr_cpu: 8\nmemory: 16G\n"}}, {.testbox = "tbox"});
  CHECK(names(units) ==
        Names{"4k-performance-1HDD-ext4-50%-10s-randread", "4k-performance-2SSD-ext4-50%-10s-randread"});
  REQUIRE(units.has_value());
  const model::UnitJob& unit = units->front();
  CHECK(unit.axes == model::Axes{{"testcase", "fio-basic"},
                                 {"cpufreq_governor", "performance"},
                                 {"disk", "1HDD"},
                                 {"fs", "ext4"},
                                 {"runtime", "10s"},
                                 {"rw", "randread"},
                                 {"bs", "4k"},
                                 {"nr_task", "50%"}});
  CHECK(unit.parameters.front() == std::pair<std::string, std::string>{"cpufreq_governor", "performance"});
  CHECK(unit.program == "fio");
  CHECK(unit.programs == Names{"cpufreq_governor", "disk", "fs", "fio-setup-basic", "fio"});
  const auto mapped = [&unit](const std::string& key) {
    const auto found = std::ranges::find(unit.mapped, key, &std::pair<std::string, std::string>::first);
    return found == unit.mapped.end() ? "none" : found->second;
  };
  CHECK(mapped("nr_task") == "4");
  CHECK(mapped("runtime") == "10");
  CHECK(mapped("nr_hdd") == "1");
}

TEST_CASE("an unknown program has every key of its map and the well-known names as options") {
  const auto units = expand_text(
      "suite: newbench\ntestcase: newbench\nruntime: [1s, 2s]\nnewbench:\n  flavour: [sweet, sour]\n");
  CHECK(names(units) == Names{"sweet-1s", "sour-1s", "sweet-2s", "sour-2s"});
}

TEST_CASE("an unknown program under another suite's name is found by its form") {
  CHECK(names(expand_text(
            "suite: group-x\ntestcase: case-x\ncluster: cs-localhost\nif role server:\n  x-server:\n"
            "if role client:\n  x-client:\n    test: [a, b]\n")) ==
        Names{"cs-localhost-a", "cs-localhost-b"});
  CHECK(names(expand_text("suite: group-x\ntestcase: case-x\nother:\n  flavour: [a, b]\n")) ==
        Names{"a", "b"});
}

TEST_CASE("options of monitors are neither expanded nor named") {
  const auto units = expand_text(
      "suite: tbench\ntestcase: tbench\nperf-profile:\n  duration: [1, 2]\noom-killer:\n  ignored: "
      "1\ntbench:\n");
  CHECK(names(units) == Names{"defaults"});
  REQUIRE(units.has_value());
  REQUIRE(units->front().monitors.size() == 2);
  CHECK(units->front().monitors[1].first == "oom-killer");
  CHECK(units->front().monitors[1].second.get("ignored") == "1");
}

TEST_CASE("a matrix over maps takes each map's own lists") {
  CHECK(names(expand_text(
            "suite: fio-x\ntestcase: fio-x\nfio:\n  - bs: [4k, 8k]\n    rw: read\n  - bs: 1M\n")) ==
        Names{"4k-read", "8k-read", "1M"});
}

TEST_CASE("two unit jobs of one name: the later one is kept, with a warning") {
  const auto units =
      expand_text("suite: tbench\ntestcase: tbench\nruntime: 1\nnote: a\ntbench:\n---\nnote: b\n");
  REQUIRE(units.has_value());
  REQUIRE(units->size() == 1);
  CHECK(units->front().body.get("note") == "b");
  REQUIRE(units->front().warnings.size() == 1);
  CHECK(units->front().warnings[0] ==
        "jobs/x.yaml: 1 unit jobs have the name of a later one and are left out");
}

TEST_CASE("a matrix over the limit is refused with its dimensions, before it is built") {
  std::string many = "[0";
  for (int i = 1; i < 400; ++i) many += "," + std::to_string(i);
  many += "]";
  const auto units =
      expand_text("suite: s\ntestcase: s\nruntime: " + many + "\ns:\n  test: " + many + "\n  mode: [a, b]\n");
  CHECK(error_of(units) ==
        "expanding 'jobs/x.yaml': more than 100000 unit jobs: runtime (400) x test (400) x mode (2)");
  const std::string deep = "suite: s\ntestcase: s\ns:\n";
  std::string dims;
  for (int i = 0; i < 100; ++i) dims += "  k" + std::to_string(i) + ": [1, 2, 3, 4, 5, 6, 7, 8, 9]\n";
  CHECK(error_of(expand_text(deep + dims))
            .starts_with("expanding 'jobs/x.yaml': more than 100000 unit jobs: k0 (9) x"));
  CHECK(names(expand_text("suite: s\ntestcase: s\ns:\n  test: [a, b, c]\n", {}, {.limit = 3})).size() == 3);
  CHECK(error_of(expand_text("suite: s\ntestcase: s\ns:\n  test: [a, b, c]\n", {}, {.limit = 2})) ==
        "expanding 'jobs/x.yaml': more than 2 unit jobs: test (3)");
}

TEST_CASE("an empty list is an error, not an empty result") {
  CHECK(error_of(expand_text("suite: s\ntestcase: s\ns:\n  test: []\n")) ==
        "jobs/x.yaml:4:3: 'test' is an empty list");
}

TEST_CASE("slips in the keys that make a job are errors, others are warnings") {
  const auto slip = expand_text("suite: tbench\ntestcase: tbench\ncategoty: benchmark\ntbench:\n");
  REQUIRE(!slip.has_value());
  CHECK(slip.error().message == "jobs/x.yaml:3:1: unknown key 'categoty'");
  CHECK(slip.error().hint == "did you mean 'category'?");
  CHECK(error_of(expand_text("suite: tbench\ntestcse: tbench\ntbench:\n")) ==
        "jobs/x.yaml:2:1: unknown key 'testcse'");
  const auto warned = expand_text(
      "suite: netperf\ntestcase: netperf\nnr_thread: 5\nsome_knob: 1\nif role client:\n  netperf:\n    tets: "
      "TCP_RR\n");
  REQUIRE(warned.has_value());
  CHECK(warned->front().warnings ==
        Names{"jobs/x.yaml:3:1: unknown key 'nr_thread', did you mean 'nr_threads'?",
              "jobs/x.yaml:7:11: unknown key 'tets', did you mean 'test'?"});
}

TEST_CASE("a key that stands twice in a map is told with its places, the later value counts") {
  const auto units = expand_text(
      "suite: tbench\ntestcase: tbench\nruntime: 5s\nneed_x: a\nbase: &b {p: 1}\nruntime: 10s\ntbench:\n  "
      "<<: *b\n  "
      "p: 2\n  p: 3\n---\nruntime: 20s\nneed_x: b\n");
  REQUIRE(units.has_value());
  CHECK(units->front().warnings ==
        Names{"jobs/x.yaml:6:1: key 'runtime' stands in line 3 already: the later value counts",
              "jobs/x.yaml:10:3: key 'p' stands in line 9 already: the later value counts"});
  CHECK(units->front().body.get("runtime") == "10s");
  CHECK(expand_text("<<: y.yaml\n<<: z.yaml\nsuite: tbench\ntestcase: tbench\ntbench:\n",
                    {{"jobs/y.yaml", "runtime: 1s\n"}, {"jobs/z.yaml", "runtime: 2s\n"}})
            ->front()
            .warnings.empty());
}

TEST_CASE("an override merges no file in") {
  for (const char* word : {"<<: /dev/zero", "<<=x", "tbench: {<<: x.yaml}", "a: [{<<: x}]"}) {
    const auto units = expand_text("suite: tbench\ntestcase: tbench\ntbench:\n", {}, {.overrides = {word}});
    CHECK_MESSAGE(error_of(units).contains("'<<' merges a file into a job file"), word);
  }
}

TEST_CASE("overrides replace, reach into programs, add, append and remove") {
  const std::string job =
      "suite: netperf\ntestcase: netperf\nnr_threads: [50%, 200%]\nruntime: 300s\nneed_x: [a, b]\nif role "
      "client:\n"
      "  netperf:\n    test: [TCP_RR, UDP_RR]\n";
  CHECK(names(expand_text(job, {}, {.overrides = {"nr_threads: 1", "test=TCP_CRR"}})) ==
        Names{"1-300s-TCP_CRR"});
  CHECK(names(expand_text(job, {},
                          {.overrides = {"netperf.send_size: 10K", "nr_threads=[1, 2]", "test: X"}})) ==
        Names{"1-300s-10K-X", "2-300s-10K-X"});
  const auto added = expand_text(
      job, {},
      {.overrides = {"nr_threads=1", "test=X", "rootfs: debian", "need_x+: c", "need_x-: a", "runtime-:"}});
  REQUIRE(names(added) == Names{"1-X-debian"});
  CHECK(added->front().text.ends_with("\n#! user overrides\nrootfs: debian\n"));
  CHECK(added->front().text.contains("need_x:\n- b\n- c\n"));
  CHECK(error_of(expand_text(job, {}, {.overrides = {"nothing"}})) ==
        "reading override 'nothing': no key and value");
}

TEST_CASE("overrides hold for every document and bring include files in") {
  const auto units = expand_text("suite: tbench\ntestcase: tbench\ntbench:\n---\nnr_threads: 4\n", {},
                                 {.overrides = {"nr_threads: 2", "disk: 1HDD"}});
  CHECK(names(units) == Names{"1HDD-2"});
  REQUIRE(units.has_value());
  CHECK(units->front().text.contains("#! user overrides"));
  CHECK(units->front().text.contains("#! include/disk/nr_hdd"));
}

TEST_CASE("the host file gives what the job does not say") {
  const auto units = expand_text("suite: tbench\ntestcase: tbench\nmemory: 1G\ntbench:\n",
                                 {{"hosts/vm-snb", "memory: 8G\nnr_cpu: 4\n"}}, {.testbox = "vm-snb-12"});
  REQUIRE(units.has_value());
  const model::Node& body = units->front().body;
  CHECK(body.get("memory") == "1G");
  CHECK(body.get("nr_cpu") == "4");
  CHECK(body.get("testbox") == "vm-snb-12");
  CHECK(body.get("tbox_group") == "vm-snb");
  CHECK(units->front().text.contains("\n#! hosts/vm-snb\nnr_cpu: 4\n"));
  CHECK(units->front().text.contains("\n#! include/tbox_group/vm\n"));
}

TEST_CASE("the category brings its monitors in LKP's order") {
  const auto monitors = [](const std::string& category, const std::string& more = "",
                           const ExpandOptions& options = {}) {
    const auto units = expand_text(
        "suite: tbench\ntestcase: tbench\ncategory: " + category + "\n" + more + "tbench:\n", {}, options);
    std::string all;
    for (const auto& [name, value] : units.value().front().monitors) all += name + " ";
    return all;
  };
  CHECK(monitors("benchmark") ==
        "kmsg boot-time uptime iostat heartbeat vmstat numa-numastat numa-vmstat numa-meminfo proc-vmstat "
        "proc-stat "
        "meminfo slabinfo interrupts lock_stat perf-sched softirqs bdi_dev_mapping diskstats nfsstat cpuidle "
        "cpufreq-stats turbostat sched_debug perf-stat mpstat perf-c2c perf-profile ");
  CHECK(monitors("functional") == "kmsg heartbeat meminfo ");
  CHECK(monitors("other") == "kmsg meminfo ");
  CHECK(monitors("power") == "kmsg heartbeat interrupts turbostat ");
  CHECK(monitors("noise-benchmark") == "");
  CHECK(!monitors("benchmark", "nr_vm: 2\n").contains("perf-profile"));
  CHECK(!monitors("benchmark", "", {.arch = "aarch64"}).contains("turbostat"));
  CHECK(monitors("benchmark", "", {.defaults = false}) == "");
}

TEST_CASE("a job's own include files stand before those built in") {
  const auto units =
      expand_text("suite: tbench\ntestcase: tbench\ncategory: benchmark\nfoo: a-b-c\ntbench:\n",
                  {{"include/category/benchmark", "kmsg:\n"},
                   {"include/foo/a-b", "from_prefix: <%= ___ %>\n"},
                   {"include/foo/OTHERS", "from_others: 1\n"},
                   {"include/foo/ALL", "from_all: 1\nfoo: never\n"},
                   {"programs/tbench/include", "from_program: 1\n"}});
  REQUIRE(units.has_value());
  const model::UnitJob& unit = units->front();
  CHECK(unit.monitors.size() == 1);
  CHECK(unit.body.get("from_prefix") == "a-b-c");
  CHECK(unit.body.get("from_all") == "1");
  CHECK(unit.body.get("from_program") == "1");
  CHECK(unit.body.get("foo") == "a-b-c");
  CHECK(unit.body.find("from_others") == nullptr);
  CHECK(expand_text("suite: s\ntestcase: s\nfoo: x\ns:\n", {{"include/foo/OTHERS", "from_others: 1\n"}})
            .value()
            .front()
            .body.get("from_others") == "1");
}

TEST_CASE("a slip in an override's key is an error, a key nobody knows a warning") {
  const std::string text =
      "suite: hackbench\ntestcase: hackbench\ncategory: benchmark\nlab_color: red\n"
      "ipc: '{{ transport }}'\nhackbench:\n";
  const auto expanded = [&](const std::string& word) {
    return expand_text(text, {}, {.overrides = {"transport: pipe", word}});
  };
  const auto slip = expanded("nr_thread: 50%");
  REQUIRE_FALSE(slip.has_value());
  CHECK(slip.error().message == "override: unknown key 'nr_thread', did you mean 'nr_threads'?");
  const auto strange = expanded("weather: fine");
  REQUIRE(strange.has_value());
  REQUIRE(strange->front().warnings.size() == 1);
  CHECK(strange->front().warnings.front().starts_with("override: unknown key 'weather'"));
  for (const char* fine : {"nr_threads: 2", "lab_color: blue", "hackbench.nr_thread: 2", "vmstat:"}) {
    const auto units = expanded(fine);
    REQUIRE_MESSAGE(units.has_value(), fine);
    CHECK_MESSAGE(units->front().warnings.empty(), fine);
  }
}

TEST_CASE("a job out of a report is expanded for this machine") {
  const std::string report =
      "---\n\n#! jobs/tbench.yaml\nsuite: tbench\ntestcase: tbench\ncategory: functional\nnr_threads: 100%\n"
      "cluster: cs-localhost\nif role client:\n  tbench:\njob_origin: jobs/tbench.yaml\ntestbox: "
      "far-1\narch: x86_64\n"
      "tbox_group: far\nnode_roles: server client\n\n#! queue options\nqueue: bisect\ncommit: abc\n\n"
      "#! hosts/far\nnr_cpu: 192\n\n#! include/category/functional\nkmsg:\n\n#! user "
      "overrides\nenqueue_time: now\n";
  const auto units =
      expand_text(report, {{"hosts/near", "nr_cpu: 4\n"}}, {.testbox = "near", .compatible = true});
  REQUIRE(names(units) == Names{"cs-localhost-100%"});
  const model::UnitJob& unit = units->front();
  CHECK(unit.body.get("testbox") == "near");
  CHECK(unit.body.get("nr_cpu") == "4");
  CHECK(unit.body.find("queue") == nullptr);
  CHECK(unit.body.find("enqueue_time") == nullptr);
  CHECK(unit.origin == "jobs/tbench.yaml");
  CHECK(unit.text.starts_with("---\n\n#! jobs/tbench.yaml\nsuite: tbench\n"));
  CHECK(unit.text.contains("\n#! hosts/near\n"));
}

TEST_CASE("a unit job is taken as it is, and written as it was") {
  const auto units =
      expand_text("suite: tbench\ntestcase: tbench\ncategory: benchmark\nnr_threads: 50%\ntbench:\n",
                  {{"hosts/tbox", "nr_cpu: 8\n"}}, {.testbox = "tbox"});
  REQUIRE(units.has_value());
  const FileReader read =
      reader({{"out/x-50%.yaml", units->front().text}, {"matrix.yaml", "suite: s\ns:\n"}});
  const Result<model::UnitJob> unit = load_unit_job("out/x-50%.yaml", read, {});
  REQUIRE(unit.has_value());
  CHECK(unit->text == units->front().text);
  CHECK(unit->name == "x-50%");
  CHECK(unit->axes == units->front().axes);
  CHECK(unit->mapped == units->front().mapped);
  CHECK(unit->monitors.size() == units->front().monitors.size());
  const Result<model::UnitJob> changed =
      load_unit_job("out/x-50%.yaml", read, {.overrides = {"nr_threads: 2"}});
  CHECK(changed.value().path_params == "2");
  const Result<model::UnitJob> matrix = load_unit_job("matrix.yaml", read, {});
  REQUIRE(!matrix.has_value());
  CHECK(matrix.error().message == "reading 'matrix.yaml': not a unit job, it has no 'arch'");
  CHECK(load_jobs("matrix.yaml", read, {}).value().front().name == "matrix-defaults");
  CHECK(load_jobs("out/x-50%.yaml", read, {}).value().front().name == "x-50%");
}

TEST_CASE("tbox_group takes the number off the host name") {
  CHECK(tbox_group("vm-snb-12") == "vm-snb");
  CHECK(tbox_group("ivb42-3-x-7") == "ivb42-x");
  CHECK(tbox_group("lkp-spr-2sp3") == "lkp-spr-2sp3");
  CHECK(tbox_group("tbox") == "tbox");
  CHECK(tbox_group("-7") == "-7");
  CHECK(tbox_group("") == "");
}

TEST_CASE("every job that comes with kilter expands without a warning") {
  const FileReader nothing = [](const std::string&) { return std::nullopt; };
  const std::map<std::string, std::size_t> sizes = {{"will-it-scale", 240},  {"netperf", 18},  {"mytest", 1},
                                                    {"perf-bench-futex", 5}, {"fio-basic", 8}, {"kbuild", 2}};
  for (const auto& [name, size] : sizes) {
    const auto units = expand("jobs/" + name + ".yaml", nothing, {.testbox = "tbox"});
    REQUIRE_MESSAGE(units.has_value(), error_of(units));
    CHECK(units->size() == size);
    CHECK(units->front().warnings.empty());
  }
}

TEST_CASE("a job from elsewhere has the hosts and include files beside it") {
  const FileReader read =
      reader({{"/lab/jobs/a/x.yaml", "suite: tbench\ntestcase: tbench\nfoo: v\ntbench:\n"},
              {"/lab/hosts/tbox", "nr_cpu: 3\n"},
              {"hosts/tbox", "nr_cpu: 4\n"},
              {"include/foo/v", "bar: 1\n"}});
  const auto units = expand("/lab/jobs/a/x.yaml", read, {.testbox = "tbox"});
  REQUIRE(units.has_value());
  CHECK(units->front().body.get("nr_cpu") == "3");
  CHECK(units->front().body.get("bar") == "1");
  CHECK(units->front().origin == "jobs/a/x.yaml");
}

TEST_CASE("a job whose every unit job is dropped is an error that shows the expression") {
  const auto units =
      expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\n  mode: \"{{ nope }}\"\n");
  REQUIRE_FALSE(units);
  CHECK(units.error().code == ErrorCode::usage);
  CHECK(units.error().message ==
        "jobs/x.yaml:4:9: expanding 'jobs/x.yaml': no unit job is left: '{{ nope }}' is nil");
}

TEST_CASE("a plain null is a word where the option has such a choice, and no value elsewhere") {
  CHECK(names(expand_text("suite: stress-ng\ntestcase: stress-ng\nstress-ng:\n  test: [null, sem]\n")) ==
        Names{"null", "sem"});
  const auto overridden =
      expand_text("suite: stress-ng\ntestcase: stress-ng\nstress-ng:\n  test: [pipe, sem]\n", {},
                  {.overrides = {"test: null"}});
  CHECK(names(overridden) == Names{"null"});
  CHECK(overridden->front().text.contains("test: 'null'"));
  CHECK(names(expand_text("suite: stress-ng\ntestcase: stress-ng\nstress-ng:\n  test:\n  method: null\n")) ==
        Names{"defaults"});
  CHECK(names(expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\n  mode: null\n")) ==
        Names{"defaults"});
}

TEST_CASE("a slip in the category is an error, an unknown one a warning") {
  const std::string job = "suite: s\ntestcase: s\ns:\ncategory: ";
  const auto slip = expand_text(job + "benchmrk\n");
  REQUIRE_FALSE(slip);
  CHECK(slip.error().message == "jobs/x.yaml:4:11: unknown category 'benchmrk'");
  CHECK(slip.error().hint == "did you mean 'benchmark'?");
  const auto unknown = expand_text(job + "throughput\n");
  REQUIRE(unknown);
  REQUIRE(unknown->front().warnings.size() == 1);
  CHECK(unknown->front().warnings[0].contains("no monitors come with it"));
  CHECK(expand_text(job + "mine\n", {{"include/category/mine", "vmstat:\n"}})->front().warnings.empty());
}

TEST_CASE("what a host file says is no unknown key") {
  const auto units = expand_text("suite: s\ntestcase: s\ns:\nmodel: Zen 3\nhdd_partitions:\n");
  REQUIRE(units);
  CHECK(units->front().warnings.empty());
  CHECK(units->front().programs == Names{"s"});
}

TEST_CASE("a CPU binding is a parameter: bound runs are told apart from unbound ones") {
  CHECK(names(expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\ncpus: [0-1, 2]\n")) ==
        Names{"0-1", "2"});
  CHECK(
      expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\ncpus: 1\n")->front().axes.at("cpus") ==
      "1");
}

TEST_CASE("shell blocks keep their names and are refused when a plan is made of them") {
  const auto fault = [](const std::string& block) -> std::string {
    const auto units = expand_text("suite: hackbench\ntestcase: hackbench\n" + block);
    if (!units) return units.error().message;
    const Status refused = refuse_shell_blocks(units->front());
    return refused ? "runs" : refused.error().message;
  };
  CHECK(fault("if role server:\n  hackbench:\nif role client-2:\n  sleep:\n") == "runs");
  CHECK(fault("for i in 1 2 3:\n  hackbench:\n") ==
        "jobs/x.yaml:3:1: planning hackbench: shell blocks are not run by kilter: 'for i in 1 2 3'");
  CHECK(fault("if role client:\n  if [ 1 = 2 ]:\n    hackbench:\n").starts_with("jobs/x.yaml:4:3: "));
  CHECK(fault("if role x && true:\n  hackbench:\n").contains("not run by kilter"));
  CHECK(fault("hackbench:\nfunction f: echo\n").contains("'function f'"));
  CHECK(fault("hackbench:\nscript tests/x: echo\n").contains("'script tests/x'"));
}

TEST_CASE("a value has its place in the file of its job") {
  const auto units = expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\n  mode: process\n");
  const model::UnitJob& unit = units.value().front();
  CHECK(place_of(unit, *unit.body.find("hackbench")->find("mode")) == "jobs/x.yaml:4:9");
  const auto overridden = expand_text("suite: hackbench\ntestcase: hackbench\nhackbench:\n  mode: process\n",
                                      {}, {.overrides = {"mode: threads"}});
  CHECK(place_of(overridden->front(), *overridden->front().body.find("hackbench")->find("mode")) ==
        "override");
}
