#include "analyse/lkp_rule.h"

#include <doctest/doctest.h>

#include <cmath>

namespace kilter::analyse {
namespace {

using Samples = std::vector<model::Number>;

const LkpPair kBoxPair = {.tbox_group = "tbox",
                          .base_has = [](std::string_view) { return false; },
                          .base_has_program = [](std::string_view) { return false; }};

LkpPair base_with(const std::string& key) {
  LkpPair pair = kBoxPair;
  pair.base_has = [key](std::string_view asked) { return asked == key; };
  return pair;
}

std::optional<LkpChange> change(std::string_view key, const Samples& a, const Samples& b,
                                const LkpRuleOptions& options = {}, const LkpPair& pair = kBoxPair) {
  return lkp_change(key, {.samples = a}, {.samples = b}, pair, options);
}

Samples numbered(int count) {
  Samples samples;
  for (int i = 1; i <= count; ++i) samples.emplace_back(i);
  return samples;
}

TEST_CASE("a performance metric must change by half its threshold") {
  CHECK_FALSE(change("vmstat.system.cs", {100, 101, 102}, {110, 111, 112}));
  const std::optional<LkpChange> found = change("vmstat.system.cs", {1000, 1010, 1020}, {1100, 1110, 1120});
  REQUIRE(found);
  CHECK(found->ratio == doctest::Approx(1.099).epsilon(0.001));
  CHECK(found->delta == 100);
  CHECK(found->x == 20);
  CHECK(found->y == 80);
  CHECK(found->z == 20);
  CHECK(found->max == 1120);
  CHECK(found->interval() == "[ 1000       - 1020       ] -- [ 1100       - 1120       ]");
}

TEST_CASE("three runs on one side are enough, two on both are not") {
  CHECK_FALSE(change("vmstat.system.cs", {1000, 1010}, {1100, 1110}));
  CHECK(change("vmstat.system.cs", {1000, 1010}, {1100, 1110}, {.whole = true}));
  CHECK(change("vmstat.system.cs", {1000, 1010}, {1100, 1110, 1120}));
}

TEST_CASE("one percent is enough for performance metrics, five for others") {
  CHECK(change("perf-stat.i.ipc", {1.0, 1.0, 1.0}, {1.02, 1.02, 1.02}));
  CHECK_FALSE(change("perf-stat.i.ipc", {1.0, 1.0, 1.0}, {1.01, 1.01, 1.01}));
  CHECK_FALSE(change("numa-numastat.node0.local_node", {1000, 1000, 1000}, {1040, 1040, 1040}));
  CHECK(change("numa-numastat.node0.local_node", {1000, 1000, 1000}, {1060, 1060, 1060}));
}

TEST_CASE("small values of some programs are no change") {
  CHECK_FALSE(change("numa-meminfo.node0.AnonPages", {500, 510, 520}, {600, 610, 620}));
  CHECK(change("numa-meminfo.node0.AnonPages", {5000, 5100, 5200}, {6000, 6100, 6200}));
  CHECK(change("proc-vmstat.nr_dirty", {0, 0, 0}, {999, 999, 999}));
  CHECK(change("softirqs.CPU1.RCU", {11200, 11300, 11400}, {7400, 7500, 7600}, {.more = true}));
  CHECK_FALSE(change("softirqs.CPU1.RCU", {9200, 9300, 9400}, {7400, 7500, 7600}, {.more = true}));
  CHECK_FALSE(change("softirqs.CPU1.RCU", {11200, 11300, 11400}, {7400, 7500, 7600}));
}

TEST_CASE("the profile threshold counts only when it is of the class of the candidate's median") {
  const Samples low = {0.5, 0.5, 0.6};
  const Samples high = {1.0, 1.1, 1.2};
  const char* key = "perf-profile.self.cycles-pp.x";
  CHECK(change(key, high, low, {.perf_profile_threshold = std::nullopt}));
  CHECK(change(key, high, low, {.perf_profile_threshold = model::Number(5)}));
  CHECK_FALSE(change(key, high, low, {.perf_profile_threshold = model::Number(5.0)}));
  CHECK(change(key, {6.0, 6.0, 6.0}, {6.0, 6.0, 6.0}, {.perf_profile_threshold = model::Number(5.0)}));
  CHECK_FALSE(change(key, {0, 0, 0}, high));
  CHECK(change(key, {0, 0, 0}, {5.1, 5.2, 5.3}));
}

TEST_CASE("a verdict needs its counterpart in the base, a log line does not") {
  CHECK(change("x.fail", {1, 0, 0}, {0, 0, 0}, {}, base_with("x.pass")));
  CHECK_FALSE(change("x.fail", {1, 0, 0}, {0, 0, 0}));
  CHECK(change("x.pass", {0, 0, 0}, {1, 0, 0}, {}, base_with("x.warn")));
  CHECK_FALSE(change("x.pass", {0, 0, 0}, {1, 0, 0}, {}, base_with("y.warn")));
  CHECK(change("dmesg.WARNING:at_x", {1}, {0}));
  CHECK_FALSE(change("dmesg.WARNING:at_x", {1, 0}, {1, 0, 0}));
}

TEST_CASE("virtual boxes have no memory to speak of, virtual hosts nothing at all") {
  LkpPair vm = kBoxPair;
  vm.tbox_group = "vm-snb";
  const Samples a = {5000, 5100, 5200};
  const Samples b = {6000, 6100, 6200};
  CHECK_FALSE(change("meminfo.Mapped", a, b, {}, vm));
  CHECK(change("meminfo.Mapped", a, b, {.perf_test_vm = true}, vm));
  CHECK(change("vmstat.system.cs", a, b, {}, vm));
  vm.tbox_group = "vh-1";
  CHECK_FALSE(change("vmstat.system.cs", a, b, {}, vm));
}

TEST_CASE("what the base lacks is skipped but for profiles and locks of a program it has") {
  const Samples a = {5000, 5100, 5200};
  const Samples zeros = {0, 0, 0};
  LkpPair pair = kBoxPair;
  CHECK_FALSE(
      lkp_change(LkpKey("vmstat.system.cs"), {.samples = a}, {.samples = zeros, .present = false}, pair, {}));
  CHECK_FALSE(lkp_change(LkpKey("perf-profile.self.x"), {.samples = a}, {.samples = zeros, .present = false},
                         pair, {}));
  pair.base_has_program = [](std::string_view program) { return program == "perf-profile"; };
  CHECK(lkp_change(LkpKey("perf-profile.self.x"), {.samples = a}, {.samples = zeros, .present = false}, pair,
                   {}));
  CHECK(lkp_change(LkpKey("vmstat.system.cs"), {.samples = a}, {.samples = zeros, .present = false}, pair,
                   {.forced = {"vmstat.system.cs"}}));
}

TEST_CASE("a summary drops margins and no-data samples, its median is the upper one") {
  const std::optional<LkpSummary> wide = lkp_summary(numbered(70), 3);
  REQUIRE(wide);
  CHECK(wide->min == 3);
  CHECK(wide->max == 68);
  const std::optional<LkpSummary> narrow = lkp_summary(numbered(70), 1);
  REQUIRE(narrow);
  CHECK(narrow->min == 2);
  CHECK(narrow->max == 69);
  CHECK(lkp_summary(numbered(4), 3)->median == model::Number(3));
  CHECK(lkp_summary(Samples{-1, -1, 5, 7}, 3)->min == 5);
  CHECK_FALSE(lkp_summary(Samples{-1, -1}, 3));
  CHECK_FALSE(lkp_summary(Samples{}, 3));
  CHECK(lkp_summary(Samples{model::Number(std::nan("")), 2, 1}, 3)->max == 2);
}

TEST_CASE("the other rules of comparison") {
  const Samples a = {100, 101, 102};
  const Samples b = {200, 201, 202};
  const char* key = "netperf.x";
  CHECK(change(key, a, b, {.gap = 0.5}));
  CHECK_FALSE(change(key, a, b, {.gap = 1.5}));
  CHECK(change(key, a, b, {.distance = 5}));
  CHECK_FALSE(change(key, {100, 150, 199}, {200, 350, 400}, {.distance = 5}));
  CHECK_FALSE(change(key, a, {103, 140, 170}, {.distance = 5}));
  CHECK_FALSE(change(key, a, b, {.variance = 2}));
  CHECK(change(key, {10, 90, 10, 90, 10, 90, 10, 90, 10, 90}, {44, 45, 46, 44, 45, 46, 44, 45, 46, 47},
               {.variance = 3}));
  CHECK_FALSE(change(key, {300, 300, 300, 100, 100, 100, 100}, a));
  CHECK(change(key, {300, 300, 300, 100, 100, 100, 100}, a, {.resize = 3}));
  CHECK_FALSE(change("perf-sched.x", a, b, {.perf_only = true}));
  CHECK_FALSE(change("vmstat.system.cs", a, b, {.kpi_only = true}));
}

}  // namespace
}  // namespace kilter::analyse
