#include "analyse/hierarchy.h"

#include <doctest/doctest.h>

#include <limits>

namespace kilter::analyse {
namespace {

using Labelled = std::vector<LabelledSample>;

TEST_CASE("two builds a side are two pieces of evidence, however many runs they had") {
  const Labelled a = {{10, "b1", "x", "1"}, {12, "b1", "x", "2"}, {20, "b2", "x", "3"}};
  const Labelled b = {{30, "b3", "y", "4"}, {40, "b4", "y", "5"}, {50, "b4", "y", "6"}};
  const Evidence found = evidence(a, b);
  CHECK(found.level == EvidenceLevel::build);
  CHECK(found.a == std::vector<double>{11, 20});
  CHECK(found.b == std::vector<double>{30, 45});
  CHECK_FALSE(found.one_build);
  CHECK(found.one_boot);
}

TEST_CASE("one build a side is said, and boots are counted") {
  const Labelled a = {{1, "old", "x", "1"}, {3, "old", "x", "2"}, {5, "old", "y", "3"}};
  const Labelled b = {{6, "new", "z", "4"}, {7, "new", "w", "5"}};
  const Evidence found = evidence(a, b);
  CHECK(found.level == EvidenceLevel::boot);
  CHECK(level_name(found.level) == "boot");
  CHECK(found.a == std::vector<double>{2, 5});
  CHECK(found.one_build);
  CHECK_FALSE(found.one_boot);
}

TEST_CASE("iterations of one process are one value, means of means above") {
  const Labelled a = {{1, "v", "x", "1"}, {2, "v", "x", "1"}, {3, "v", "x", "1"}, {8, "v", "x", "2"}};
  const Labelled b = {{5, "w", "x", "3"}, {7, "w", "x", "4"}};
  const Evidence found = evidence(a, b);
  CHECK(found.level == EvidenceLevel::process);
  CHECK(found.a == std::vector<double>{2, 8});
  CHECK(found.one_build);
  CHECK_FALSE(found.one_boot);  // both sides ran in the same boot, whose luck is theirs alike
  const Labelled boots = {
      {1, "v", "x", "1"}, {2, "v", "x", "1"}, {3, "v", "x", "1"}, {8, "v", "x", "2"}, {5, "v", "y", "3"}};
  CHECK(evidence(boots, boots).a == std::vector<double>{5, 5});
}

TEST_CASE("a level counts only where both sides have two members") {
  const Labelled a = {{1, "v1", "x", "1"}, {2, "v2", "x", "2"}};
  const Labelled b = {{5, "w", "x", "3"}, {7, "w", "x", "4"}};
  const Evidence found = evidence(a, b);
  CHECK(found.level == EvidenceLevel::process);
  CHECK(found.one_build);
}

TEST_CASE("a boot number that two builds share is two boots") {
  const Labelled a = {{1, "v", "1", "1"}, {2, "v", "2", "2"}};
  const Labelled b = {{5, "w", "1", "1"}, {7, "w", "2", "2"}};
  CHECK(evidence(a, b).level == EvidenceLevel::boot);
}

TEST_CASE("one run a side is its iterations, and what is no number is none") {
  const Labelled a = {
      {1, "v", "x", "1"}, {2, "v", "x", "1"}, {std::numeric_limits<double>::quiet_NaN(), "v", "x", "2"}};
  const Labelled b = {{5, "v", "x", "3"}};
  const Evidence found = evidence(a, b);
  CHECK(found.level == EvidenceLevel::iteration);
  CHECK(found.a == std::vector<double>{1, 2});
  CHECK(found.b == std::vector<double>{5});
  CHECK_FALSE(found.one_build);
  CHECK(evidence({}, b).a.empty());
}

TEST_CASE("ten thousand iterations of a process are one value") {
  Labelled a;
  Labelled b;
  for (int i = 0; i < 10'000; ++i) {
    a.push_back({static_cast<double>(i % 2), "v", "x", i < 5000 ? "1" : "2"});
    b.push_back({2.0 + i % 2, "w", "x", i < 5000 ? "3" : "4"});
  }
  CHECK(evidence(a, b).a == std::vector<double>{0.5, 0.5});
  CHECK(evidence(a, b).b == std::vector<double>{2.5, 2.5});
}

}  // namespace
}  // namespace kilter::analyse
