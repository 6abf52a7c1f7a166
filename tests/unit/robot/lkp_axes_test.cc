#include "robot/lkp_axes.h"

#include <doctest/doctest.h>

namespace kilter::robot {
namespace {

using os::Path;

struct Tree {
  os::TempDir directory = *os::TempDir::create("/tmp", "lkp-axes");

  Path write(const std::string& name, const std::string& text) const {
    const Path file = directory.path() / name;
    REQUIRE(os::make_directories(file.parent_path()));
    REQUIRE(os::write_file(file, text));
    return file.parent_path();
  }
};

const std::string kGroup = "stress-ng/100%-sem-60s/box/debian/defconfig/gcc-12/6.18";
const std::string kJob =
    "suite: stress-ng\ntestcase: stress-ng\ncategory: benchmark\nnr_threads: 100%\ntesttime: 60s\n"
    "stress-ng:\n  test: sem\ntbox_group: other\nnr_node: 1\nnr_cpu: 8\nmemory: 28G\nbrand: some CPU\n"
    "queue: bisect\nkmsg:\nvmstat:\nneed_kconfig:\n- DEBUG_LIST: \"n\"\nkconfig: defconfig\nrootfs: debian\n"
    "compiler: gcc-12\ncommit: abc\n";

const model::Axes kAxes = {{"testcase", "stress-ng"}, {"nr_threads", "100%"},  {"testtime", "60s"},
                           {"test", "sem"},           {"tbox_group", "other"}, {"kconfig", "defconfig"},
                           {"rootfs", "debian"},      {"compiler", "gcc-12"},  {"commit", "abc"}};

TEST_CASE("a job's parameters are axes, and no fact of its host") {
  const Tree tree;
  for (const std::string prefix : {"", "arch: x86_64\n"}) {
    const LkpIdentity run = lkp_identity(tree.write(kGroup + "/0/job.yaml", prefix + kJob));
    CHECK(run.axes == kAxes);
    CHECK(run.path_params == "100%-sem-60s");
  }
  CHECK(lkp_identity(tree.directory.path() / kGroup).axes == kAxes);
  CHECK(lkp_identity(tree.write("bare/job.yaml", kJob)).axes == kAxes);
}

TEST_CASE("options of a benchmark that nobody knows are parameters, and so are those a server lists") {
  const Tree tree;
  const model::Axes axes =
      lkp_identity(
          tree.write("a/job.yaml", "testcase: toy\ntoy:\n  colour: red\npp:\n  toy:\n    depth: 3\n"))
          .axes;
  CHECK(axes == model::Axes{{"testcase", "toy"}, {"colour", "red"}, {"depth", "3"}});
}

TEST_CASE("a job without parameters has none, and a path of its own") {
  const Tree tree;
  const LkpIdentity plain =
      lkp_identity(tree.write("a/job.yaml", "testcase: mytest\nmytest:\ncommit: abc\n"));
  CHECK(plain.axes == model::Axes{{"testcase", "mytest"}, {"commit", "abc"}});
  CHECK(plain.path_params == "defaults");
  const LkpIdentity placed = lkp_identity(tree.write(kGroup + "/0/job.yaml", "testcase: stress-ng\n"));
  CHECK(placed.path_params == "100%-sem-60s");
  CHECK(placed.axes.at("path_params") == "100%-sem-60s");
}

TEST_CASE("without files the path tells, where it has LKP's form") {
  const Tree tree;
  const model::Axes axes = lkp_identity(tree.write(kGroup + "/3/stats.json", "{}")).axes;
  CHECK(axes.at("path_params") == "100%-sem-60s");
  CHECK(axes.at("commit") == "6.18");
  CHECK(axes.size() == 7);
  CHECK(lkp_identity(tree.write("a/b/c/d/e/f/g/h/0/stats.json", "{}")).axes.empty());
  const std::string sha(40, 'a');
  CHECK(lkp_identity(tree.write(sha + "/matrix.json", "{}")).axes == model::Axes{{"commit", sha}});
}

TEST_CASE("a description goes before jobs, and what is no map tells nothing") {
  const Tree tree;
  tree.write("x/0/job.yaml", kJob);
  CHECK(lkp_identity(tree.write("x/desc.yaml", ":axes:\n  :testcase: t\n  :ip: ipv4\n")).axes ==
        model::Axes{{"testcase", "t"}, {"ip", "ipv4"}});
  CHECK(lkp_identity(tree.write("y/job.yaml", "- 1\n")).axes.empty());
  CHECK(lkp_identity(tree.write("z/job.yaml", "a: [\n")).axes.empty());
}

}  // namespace
}  // namespace kilter::robot
