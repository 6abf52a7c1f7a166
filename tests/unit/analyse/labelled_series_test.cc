#include "analyse/change_points.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace kilter::analyse {
namespace {

constexpr std::size_t kMargin = 5;

TEST_CASE("the five changes of the labelled series are found, and nothing in the twenty others") {
  std::ifstream file(TESTS_DIR "/golden/analyse/cpd/sap_small.txt");
  int changed = 0;
  int unchanged = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::string kind;
    std::string truth;
    words >> name >> kind >> truth;
    std::vector<double> values;
    for (double value = 0; words >> value;) values.push_back(value);
    CAPTURE(name);
    CAPTURE(kind);
    const std::vector<ChangePoint> found = change_points(values).confirmed;
    if (truth == "-") {
      ++unchanged;
      CHECK(found.empty());
      continue;
    }
    ++changed;
    REQUIRE(found.size() == 1);
    const std::size_t at = std::stoul(truth);
    CHECK(std::max(found[0].index, at) - std::min(found[0].index, at) <= kMargin);
  }
  CHECK(changed == 5);
  CHECK(unchanged == 20);
}

}  // namespace
}  // namespace kilter::analyse
