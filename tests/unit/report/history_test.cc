#include "base/text.h"
#include "model/json.h"
#include "report/axis.h"
#include "report/history_json.h"
#include "report/history_svg.h"
#include "report/history_text.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <limits>

using namespace kilter;
using model::MetricHistory;

namespace {

MetricHistory drawn(std::size_t points, std::size_t change, const std::string& subject = "lib: slow down") {
  MetricHistory history;
  history.axes = {{"testcase", "toy"}};
  history.key = "toy.speed";
  history.info = {.unit = "ops/s", .direction = model::Direction::higher_better, .headline = true};
  history.project = "lib";
  history.line = "main";
  for (std::size_t i = 0; i < points; ++i)
    history.points.push_back({.commit = fmt::format("{:08x}{:032x}", i + 0x10000000, 0),
                              .subject = subject,
                              .started = 1.7e9 + 86400 * static_cast<double>(i),
                              .value = (i < change ? 1000 : 900) + static_cast<double>(i * 7 % 5),
                              .runs = {1, 2},
                              .build_id = "",
                              .stretch = 0,
                              .place = static_cast<std::int64_t>(i)});
  if (change == 0 || change >= points) {
    history.levels = {{.begin = 0, .end = points, .value = 900, .low = 890, .high = 910}};
    return history;
  }
  history.levels = {{.begin = 0, .end = change, .value = 1002, .low = 1000, .high = 1004},
                    {.begin = change, .end = points, .value = 902, .low = 900, .high = 904}};
  history.changes = {{.confirmed = true,
                      .index = change,
                      .before = 1002,
                      .after = 902,
                      .effect = -.0998,
                      .low = -.102,
                      .high = -.098,
                      .absolute = false,
                      .direction = model::Direction::higher_better,
                      .points_before = change,
                      .points_after = points - change,
                      .runs_before = 2 * change,
                      .runs_after = 2 * (points - change),
                      .untested = 0,
                      .same_build = false}};
  return history;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string_view line : lines(text)) widest = std::max(widest, display_width(line));
  return widest;
}

const report::HistoryPlotOptions kPlain{.width = 80, .unicode = false, .colour = false};

}  // namespace

TEST_CASE("the plot shows levels, the change and its commit, in plain characters and in fine ones") {
  const MetricHistory history = drawn(40, 20);
  const std::string plain = report::history_plot(history, kPlain);
  CHECK(widest_line(plain) <= 80);
  CHECK(std::ranges::all_of(plain, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
  CHECK(plain.contains("A\n"));
  CHECK(plain.contains("|"));
  CHECK(plain.contains("o"));
  CHECK(plain.contains("10000014"));
  CHECK(plain.contains("2023-11-14"));
  CHECK(plain.contains("1000+"));
  const std::string fine = report::history_plot(history);
  CHECK(widest_line(fine) <= 80);
  CHECK(fine.contains("─"));
  CHECK_FALSE(fine.contains("\033"));
  CHECK(report::history_plot(history, {.width = 80, .unicode = true, .colour = true}).contains("\033[31m"));
}

TEST_CASE("plots of nothing, of one point and of very many are drawn") {
  CHECK(report::history_plot(drawn(0, 0)).empty());
  CHECK(widest_line(report::history_plot(drawn(1, 0))) <= 80);
  CHECK(widest_line(report::history_plot(drawn(100'000, 5'000))) <= 80);
  CHECK(widest_line(report::history_plot(drawn(3, 0), {.width = 1})) <= 30);
  MetricHistory odd = drawn(5, 0);
  odd.points[1].value = 1e308;
  odd.points[2].value = -1e308;
  odd.points[3].value = std::numeric_limits<double>::quiet_NaN();
  CHECK(widest_line(report::history_plot(odd)) <= 80);
}

TEST_CASE("a split is a gap") {
  MetricHistory history = drawn(40, 0);
  history.splits = {{.index = 20, .why = "machines differ: governor (a, b)"}};
  for (std::size_t i = 20; i < 40; ++i) history.points[i].stretch = 1;
  history.levels = {{.begin = 0, .end = 20, .value = 902, .low = 900, .high = 904},
                    {.begin = 20, .end = 40, .value = 902, .low = 900, .high = 904}};
  const std::string text = report::history_text(history, kPlain);
  CHECK(text.contains("------  ---o"));
  CHECK(text.contains("--  -+--"));
  CHECK(text.contains("split before 100000140000: machines differ: governor (a, b)"));
}

TEST_CASE("changes say what happened, where, and what to do next") {
  MetricHistory history = drawn(40, 20);
  std::string text = report::history_text(history, kPlain);
  CHECK(text.contains("toy.speed [ops/s], higher is better"));
  CHECK(text.contains("lib: 40 commits along main, 80 runs, 2023-11-14 to 2023-12-23"));
  CHECK(text.contains("-10.0 % regression (99 %: -10.2 .. -9.8 %)  1002 -> 902"));
  CHECK(text.contains("100000140000 (\"lib: slow down\")\n      right after 100000130000"));
  CHECK(text.contains("n = 20+20 commits, 40+40 runs"));
  CHECK(text.contains("next: kilter report -p lib 100000130000 100000140000"));
  history.changes[0].untested = 3;
  CHECK(
      report::history_text(history, kPlain)
          .contains("next: kilter bisect -p lib --good 100000130000 --bad 100000140000 --metric toy.speed"));
  history.changes[0].confirmed = false;
  text = report::history_text(history, kPlain);
  CHECK(text.contains("suspects"));
  CHECK(text.contains("A? "));
  CHECK(text.contains("next: kilter run -p lib --rev 100000130000 --rev 100000140000 --runs 5"));
  history.changes[0].same_build = true;
  CHECK(report::history_text(history, kPlain).contains("byte for byte"));
}

TEST_CASE("hostile names reach neither terminal nor JSON as they are") {
  MetricHistory history = drawn(40, 20, "evil \033]0;title\a\r\n <b>&\"");
  history.key = "toy.\033[31mspeed";
  history.line = "ma\033[2Jin";
  const std::string text = report::history_text(history, kPlain);
  CHECK_FALSE(text.contains('\033'));
  CHECK_FALSE(text.contains('\a'));
  CHECK_FALSE(text.contains('\r'));
  CHECK(model::parse_json(report::history_json(std::span(&history, 1)), "it"));
}

TEST_CASE("the picture is one of escaped text, whatever the names") {
  MetricHistory history = drawn(40, 20, "</title><script>\033 & \"");
  history.key = "toy.<b>speed";
  history.axes["x"] = "]]><!--";
  history.splits = {{.index = 30, .why = "machines differ: <i>"}};
  const std::string svg = report::history_svg(std::span(&history, 1));
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK_FALSE(svg.contains("<script>"));
  CHECK_FALSE(svg.contains("<b>"));
  CHECK_FALSE(svg.contains("<i>"));
  CHECK_FALSE(svg.contains("<!--"));
  CHECK_FALSE(svg.contains('\033'));
  CHECK(svg.contains("class=\"gap\""));
  CHECK(svg.contains("A  -10.0 %"));
  CHECK(svg.contains("class=\"band\""));
}

TEST_CASE("pictures of nothing and of very many points stay small") {
  const MetricHistory none = drawn(0, 0);
  CHECK(report::history_svg(std::span(&none, 1)).contains("no run has a number"));
  CHECK(report::history_svg({}).ends_with("</svg>\n"));
  const MetricHistory many = drawn(100'000, 50'000);
  CHECK(report::history_svg(std::span(&many, 1)).size() < 1'000'000);
  MetricHistory odd = drawn(5, 0);
  odd.points[1].value = 1e308;
  odd.points[2].value = -1e308;
  CHECK_FALSE(report::history_svg(std::span(&odd, 1)).contains("inf"));
}

TEST_CASE("the letters go on after Z") {
  MetricHistory history;
  for (std::size_t i = 0; i < 60; ++i) history.changes.push_back({.confirmed = i != 59, .index = i});
  CHECK(report::history_mark(history, 0) == "A");
  CHECK(report::history_mark(history, 25) == "Z");
  CHECK(report::history_mark(history, 26) == "AA");
  CHECK(report::history_mark(history, 59) == "BH?");
}

TEST_CASE("JSON has every point and change, and null where there is no number") {
  MetricHistory history = drawn(4, 2);
  history.changes[0].low = -std::numeric_limits<double>::infinity();
  history.points[0].started = 0;
  const Result<nlohmann::json> json = model::parse_json(report::history_json(std::span(&history, 1)), "it");
  REQUIRE(json);
  const nlohmann::json& one = (*json)[0];
  CHECK(one["points"].size() == 4);
  CHECK(one["points"][0]["started"].is_null());
  CHECK(one["points"][0]["runs"].size() == 2);
  CHECK(one["changes"][0]["first_bad"] == history.points[2].commit);
  CHECK(one["changes"][0]["verdict"] == "regression");
  CHECK(one["changes"][0]["interval"][0].is_null());
  CHECK(one["better"] == "higher");
}

TEST_CASE("the newest points alone") {
  MetricHistory history = drawn(40, 20);
  model::keep_from(history, 10);
  CHECK(history.points.size() == 30);
  CHECK(history.changes[0].index == 10);
  CHECK(history.levels[0].end == 10);
  model::keep_from(history, 15);
  CHECK(history.changes.empty());
  REQUIRE(history.levels.size() == 1);
  CHECK(history.levels[0].begin == 0);
  CHECK_FALSE(report::history_text(history, kPlain).empty());
  model::keep_from(history, 1000);
  CHECK(report::history_text(history, kPlain).contains("no run has a number"));
}

TEST_CASE("axes have round ticks with labels that tell them apart") {
  using report::AxisRange;
  CHECK(report::axis_labels(report::axis_ticks(AxisRange{94'100, 101'000}, 4)) ==
        std::vector<std::string>{"96k", "98k", "100k"});
  CHECK(report::axis_labels(report::axis_ticks(AxisRange{0.0021, 0.0034}, 3)) ==
        std::vector<std::string>{"2.5m", "3.0m"});
  CHECK(report::axis_labels(report::axis_ticks(AxisRange{-3, 3}, 3)) ==
        std::vector<std::string>{"-2", "0", "2"});
  CHECK(report::axis_ticks(AxisRange{5, 5}, 4).size() == 1);
  CHECK(report::axis_ticks(AxisRange{-1e308, 1e308}, 4).size() >= 1);
}

TEST_CASE("a few far values do not squeeze the others, but levels are always seen") {
  std::vector<double> values(100, 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100 + static_cast<double>(i % 10);
  values[50] = 10'000;
  const report::AxisRange range = report::value_range(values, {});
  CHECK(range.high < 200);
  CHECK(range.low < 100);
  CHECK(report::value_range(values, std::vector<double>{500}).high > 500);
  CHECK(report::value_range({}, {}).high == 1);
}
