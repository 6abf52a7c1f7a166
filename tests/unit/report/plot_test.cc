#include "report/plot.h"

#include "base/text.h"
#include "os/files.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

using namespace kilter;
using report::ascii_plot;
using report::PlotStyle;

namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::string(TESTS_DIR) + "/golden/report/plot/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("plots equal gnuplot's character by character") {
  using Series = std::vector<double>;
  const std::vector<std::array<Series, 2>> cases = nlohmann::json::parse(read("cases.json"));
  std::string expected = read("expected.txt");
  REQUIRE(cases.size() == 8);
  for (const std::array<Series, 2>& series : cases) {
    const std::size_t end = expected.find("\n#END\n");
    REQUIRE(end != std::string::npos);
    // Its first character is a form feed.
    CHECK(ascii_plot("x.y", series[0], series[1], PlotStyle::lkp) == expected.substr(1, end - 1));
    expected.erase(0, end + 6);
  }
}

TEST_CASE("every plot has 20 rows of 80 characters, however odd the samples are") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double most = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> odd = {
      {1},      {0, 0, 0},     {-5, -5},       {1e300, -1e300},  {nan, 2},
      {1e-300}, {most, -most}, {1, 1 + 1e-16}, {1e15, 1e15 + 1}, {-1e-9, 1e9}};
  for (const std::vector<double>& bad : odd)
    for (const std::vector<double>& good : odd) {
      const std::string plot = ascii_plot("a metric/with blanks", bad, good);
      const std::vector<std::string_view> rows = lines(plot);
      REQUIRE(rows.size() == 20);
      for (const std::string_view row : rows) REQUIRE(row.size() == 80);
      CHECK(plot.find("a_metric_with_blanks") != std::string::npos);
    }
  CHECK(ascii_plot("x", {}, std::vector<double>{nan}).empty());
  CHECK_FALSE(ascii_plot("x", std::vector<double>{1, 2}, {}).empty());
}

TEST_CASE("no sample lies under the frame or under another in our own plots") {
  const auto count = [](const std::string& plot, char sign) { return std::ranges::count(plot, sign); };
  const std::vector<double> low = {900, 900, 900};
  const std::vector<double> high = {1000, 1000, 1000};
  const std::string apart = ascii_plot("toy.speed", low, high);
  CHECK(count(apart, 'O') == 3);
  // Three vertices; the other plus signs are corners and tic marks.
  CHECK(count(apart, '+') - count(ascii_plot("toy.speed", low, high, PlotStyle::lkp), '+') >= 2);
  CHECK(count(ascii_plot("toy.speed", low, high, PlotStyle::lkp), 'O') == 0);
  const std::string alike = ascii_plot("x", std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3});
  CHECK(count(alike, '@') == 3);
  std::vector<double> many;
  for (int i = 0; i < 60; ++i) many.push_back(i % 7);
  CHECK(count(ascii_plot("x", many, {}), 'O') == 60);
}

TEST_CASE("our legend names the signs that are drawn, LKP's is kept for its mails") {
  CHECK(report::plot_legend() == "[+] good sample\n[O] bad  sample  ([@] both)\n");
  CHECK(report::plot_legend(PlotStyle::lkp) == "[*] bisect-good sample\n[O] bisect-bad  sample\n");
}
