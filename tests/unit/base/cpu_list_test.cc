#include "base/cpu_list.h"

#include <doctest/doctest.h>

using namespace kilter;

TEST_CASE("CPU lists are read whole or not at all") {
  CHECK(parse_cpu_list("0-3,8") == std::vector<int>{0, 1, 2, 3, 8});
  CHECK(parse_cpu_list("8,0") == std::vector<int>{0, 8});
  for (const char* broken : {"", "a", "3-1", "1-2-3", "-1", "0,", "0-99999999"})
    CHECK_FALSE(parse_cpu_list(broken));
}
