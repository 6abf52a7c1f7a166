#include "os/affinity.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("a thread can be bound to each CPU it may use, and back") {
  const Result<std::vector<int>> before = allowed_cpus();
  REQUIRE(before);
  REQUIRE_FALSE(before->empty());
  for (const int cpu : *before) {
    REQUIRE(bind_to({cpu}));
    CHECK(allowed_cpus() == std::vector<int>{cpu});
  }
  REQUIRE(bind_to(*before));
  CHECK(allowed_cpus() == *before);
}

TEST_CASE("binding to a CPU that does not exist is an error that names it") {
  const Status bound = bind_to({8000});
  REQUIRE_FALSE(bound);
  CHECK(bound.error().message.find("8000") != std::string::npos);
}
