#include "robot/binding.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace kilter;
using namespace kilter::robot;
using model::Node;

namespace {

model::UnitJob job_with(std::vector<std::pair<std::string, std::string>> settings) {
  model::UnitJob job;
  job.file = "x.yaml";
  job.body = Node::map();
  for (const auto& [key, value] : settings) {
    Node node = Node::scalar(value);
    node.mark = {"", 3, 7};
    job.body.set(key, std::move(node));
  }
  job.mapped = std::move(settings);
  return job;
}

// Six CPUs on two nodes, CPU 5 switched off.
struct TwoNodes {
  TwoNodes() : dir(*os::TempDir::create("/tmp", "binding-test")), root(dir.path()) {
    write("cpu/online", "0-4\n");
    write("node/online", "0-1\n");
    write("node/node0/cpulist", "0-2\n");
    write("node/node1/cpulist", "3-4\n");
  }
  void write(const std::string& path, const std::string& text) const {
    const os::Path file = dir.path() / "sys/devices/system" / path;
    REQUIRE(os::make_directories(file.parent_path()));
    REQUIRE(os::write_file(file, text));
  }
  [[nodiscard]] std::string fault(std::vector<std::pair<std::string, std::string>> settings) const {
    const Result<Binding> binding = workload_binding(job_with(std::move(settings)), root);
    if (binding) return "fits";
    CHECK(binding.error().code == ErrorCode::usage);
    return binding.error().message;
  }
  os::TempDir dir;
  os::Root root;
};

}  // namespace

TEST_CASE("a workload is bound to the CPUs and nodes that the job names") {
  const TwoNodes machine;
  const Result<Binding> cpus = workload_binding(job_with({{"cpus", "0-2,4"}}), machine.root);
  REQUIRE(cpus);
  CHECK(cpus->cpus == std::vector<int>{0, 1, 2, 4});
  CHECK(cpus->mem_nodes.empty());
  CHECK(cpus->instances == 1);
  const Result<Binding> nodes = workload_binding(
      job_with({{"cpu_node_bind", "1"}, {"mem_node_bind", "0-1"}, {"nr_instances", "3"}}), machine.root);
  REQUIRE(nodes);
  CHECK(nodes->cpus == std::vector<int>{3, 4});
  CHECK(nodes->mem_nodes == std::vector<int>{0, 1});
  CHECK(nodes->instances == 3);
  const Result<Binding> both =
      workload_binding(job_with({{"cpus", "2-3"}, {"cpu_node_bind", "0"}}), machine.root);
  CHECK(both.value().cpus == std::vector<int>{2});
  CHECK(workload_binding(model::UnitJob(), machine.root).value().cpus.empty());
}

TEST_CASE("a CPU or node that does not exist is named with its place") {
  const TwoNodes machine;
  CHECK(machine.fault({{"cpus", "99"}}) == "x.yaml:3:7: planning 'cpus: 99': CPU 99 does not exist here");
  CHECK(machine.fault({{"cpus", "4-5"}}).contains("CPU 5 does not exist here"));
  CHECK(machine.fault({{"cpus", "x,1-"}}).contains("'x' is no CPU or range"));
  CHECK(machine.fault({{"mem_node_bind", "2"}}).contains("NUMA node 2 does not exist here"));
  CHECK(machine.fault({{"cpu_node_bind", "even"}}).contains("'even' is no CPU or range"));
  CHECK(machine.fault({{"nr_instances", "0"}}).contains("no number of copies"));
  CHECK(machine.fault({{"cpus", "0"}, {"cpu_node_bind", "1"}}).contains("none of these CPUs"));
}

TEST_CASE("a machine without NUMA has node 0, with all CPUs") {
  const os::Root nothing("/nonexistent");
  CHECK(workload_binding(job_with({{"mem_node_bind", "0"}}), nothing).value().mem_nodes ==
        std::vector<int>{0});
  CHECK(workload_binding(job_with({{"cpu_node_bind", "0"}}), nothing).value().cpus.empty());
  CHECK_FALSE(workload_binding(job_with({{"mem_node_bind", "1"}}), nothing));
}

TEST_CASE("instances multiply the body, bindings hold for daemons too") {
  model::Workload workload;
  workload.daemons.push_back({.argv = {"server"}});
  workload.body.push_back({.argv = {"client"}, .copies = 4});
  workload.body.push_back({.argv = {"other"}, .cpus = {1}});
  bind_workload(workload, {.cpus = {0, 2}, .mem_nodes = {1}, .instances = 2});
  CHECK(workload.daemons[0].cpus == std::vector<int>{0, 2});
  CHECK(workload.daemons[0].copies == 1);
  CHECK(workload.body[0].copies == 8);
  CHECK(workload.body[0].mem_nodes == std::vector<int>{1});
  CHECK(workload.body[1].cpus == std::vector<int>{1});
}

TEST_CASE("recorders run where no command of the workload is bound to") {
  model::Workload workload;
  workload.daemons.push_back({.cpus = {1}});
  workload.body.push_back({.cpus = {0, 2}});
  CHECK(left_over_cpus(workload, {0, 1, 2, 3, 5}) == std::vector<int>{3, 5});
  CHECK(left_over_cpus(workload, {0, 1}).empty());
  workload.body.push_back({});
  CHECK(left_over_cpus(workload, {0, 1, 2, 3}).empty());
}
