#include "report/table.h"

#include "base/text.h"
#include "report/clean.h"
#include "report/table_html.h"
#include "report/table_json.h"
#include "report/table_markdown.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace kilter::report {
namespace {

using model::CellSummary;
using model::CompareRow;
using model::CompareTable;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

CellSummary cell(double average, double stddev, int n = 3) {
  return {.n = n, .average = average, .stddev = stddev, .present = true};
}

CompareTable table_of(std::vector<CompareRow> rows) {
  return {.axis_names = {"kconfig", "testcase"},
          .axis_values = {"defconfig", "netperf"},
          .columns = {{.commit = "aaaa", .label = "aaaa", .runs = 3},
                      {.commit = "bbbb", .subject = "x", .label = "bbbb (\"x\")", .runs = 3}},
          .rows = std::move(rows)};
}

std::string row_text(CompareRow row, const TableOptions& options = {.style = TableStyle::lkp}) {
  const std::string text = table_text(table_of({std::move(row)}), options);
  const std::vector<std::string_view> all = lines(text);
  return std::string(all[all.size() - 2]);
}

TEST_CASE("numbers of every size keep their place") {
  CHECK(row_text({.key = "k", .cells = {cell(999.996, 0), cell(99999999, 0)}, .changes = {1234567.0}}) ==
        "   1000.00        +1.2e+06%   99999999        k");
  CHECK(row_text({.key = "k", .cells = {cell(1e308, kInf), cell(-1e308, kNan)}, .changes = {-200}}) ==
        "    1e+308 ±999999%    -200.0%    -1e+308        k");
  CHECK(row_text({.key = "k", .cells = {cell(-5, 3), cell(0, 3)}, .changes = {-100}}) ==
        "     -5.00          -100.0%       0.00 ±  3%  k");
  CHECK(row_text({.key = "k", .cells = {cell(kInf, kNan), cell(kNan, kNan)}, .changes = {kInf}}) ==
        "       inf            +inf%        nan        k");
}

TEST_CASE("small numbers keep three digits in our style, and LKP's two decimals in its own") {
  const CompareRow row{.key = "k", .cells = {cell(0.0016, 0), cell(0.005, 0)}, .changes = {212.5}};
  CHECK(row_text(row) == "      0.00          +212.5%       0.01        k");
  CHECK(row_text(row, {}).starts_with("   0.00160         3    +212.5%    0.00500         3"));
  CHECK(table_markdown(table_of({row})).contains("| 0.00160 (n=3) | +212.5% | 0.00500 (n=3) |"));
  CHECK(table_html(table_of({row})).contains("<td>0.00160 "));
  const CompareRow points{
      .key = "k%", .absolute = true, .cells = {cell(0.5, 0), cell(0.52, 0)}, .changes = {0.02}};
  CHECK(row_text(points).contains("+0.0 "));
  CHECK(row_text(points, {}).contains("+0.0200 "));
  CHECK(model::figure_text(0) == "0.00");
  CHECK(model::figure_text(-1.6e-9) == "-1.60e-09");
  CHECK(model::figure_text(52278.9) == "52278");
}

TEST_CASE("that two columns ran the same program stands on top, whatever the form") {
  CompareTable table = table_of({{.key = "k", .cells = {cell(1, 0), cell(2, 0)}, .changes = {100}}});
  table.identical = "aaaa and bbbb <built> alike";
  CHECK(table_text(table).starts_with("note: aaaa and bbbb <built> alike\n\n====="));
  CHECK(table_text(table, {.style = TableStyle::lkp}).starts_with("====="));
  CHECK(table_markdown(table).starts_with("**Note:** "));
  CHECK(table_html(table).contains("aaaa and bbbb &lt;built&gt; alike"));
  CHECK(nlohmann::json::parse(table_json(table)).at("identical") == table.identical);
  table.identical.clear();
  CHECK(table_text(table).starts_with("====="));
}

TEST_CASE("a patched commit keeps what marks it in its heading") {
  CompareTable table = table_of({{.key = "k", .cells = {cell(1, 0), cell(2, 0)}, .changes = {100}}});
  const std::string sha(40, 'a');
  table.columns[0].commit = sha;
  table.columns[1].commit = sha + "+0123456789";
  const std::string text = table_text(table, {.style = TableStyle::kilter});
  CHECK(text.contains("\naaaaaaaaaaaaaaaa "));
  CHECK(text.contains(" aaaaaaaaaaaaaaaa+0123456789 "));
}

TEST_CASE("what is absent shows as absent") {
  CHECK(row_text({.key = "k", .cells = {{}, cell(5, 0)}, .changes = {kNan}}) ==
        "         -             new        5.00        k");
  CHECK(row_text({.key = "k", .cells = {cell(5, 0), {}}, .changes = {kNan}}) ==
        "      5.00            gone           -        k");
}

TEST_CASE("our style adds counts, units, other names and notes") {
  CompareTable table = table_of({{.key = "netperf.Throughput_tps",
                                  .cells = {cell(100, 10), cell(200, 0, 2)},
                                  .changes = {100},
                                  .info = {.unit = "tps"},
                                  .copies = {"netperf.ThroughputBoth_tps", "x"}}});
  table.notes = {"one\nline"};
  table.warning = "machines differ";
  const std::string text = table_text(table);
  CHECK(text.contains(
      "    100.00 ± 10%   3    +100.0%     200.00         2  netperf.Throughput_tps [tps]  (also: "
      "netperf.ThroughputBoth_tps, x)\n"));
  CHECK(text.ends_with("\nwarning: machines differ\nnote: one line\n"));
  CHECK_FALSE(table_text(table, {.style = TableStyle::lkp}).contains("note"));
}

TEST_CASE("our style has no axes lines where there are no axes") {
  CompareTable table = table_of({});
  table.axis_names.clear();
  table.axis_values.clear();
  CHECK(table_text(table).starts_with(std::string(89, '=') + "\ncommit: \n"));
  CHECK(table_text(table, {.style = TableStyle::lkp}).starts_with(std::string(89, '=') + "\n:\n  \n"));
}

TEST_CASE("colour comes only when asked, by direction") {
  CompareRow row{.key = "k",
                 .cells = {cell(100, 0), cell(200, 0)},
                 .changes = {100},
                 .info = {.direction = model::Direction::lower_better}};
  CHECK_FALSE(row_text(row).contains('\033'));
  CHECK(row_text(row, {.style = TableStyle::lkp, .colour = true}).contains("\033[31m    +100.0%\033[0m "));
  row.info.direction = model::Direction::higher_better;
  CHECK(row_text(row, {.style = TableStyle::lkp, .colour = true}).contains("\033[32m"));
  row.info.direction = model::Direction::unknown;
  CHECK_FALSE(row_text(row, {.style = TableStyle::lkp, .colour = true}).contains('\033'));
}

TEST_CASE("hostile keys are shown clean and short") {
  const std::string hostile = "k\033[2J\n\xff\xc2\x9b" + std::string(100000, 'x');
  const std::string text = row_text({.key = hostile, .cells = {cell(1, 0), cell(2, 0)}, .changes = {100}});
  CHECK(text.size() < 1200);
  CHECK_FALSE(text.contains('\033'));
  CHECK(text.contains("k[2J \xEF\xBF\xBD"));
  CHECK(text.ends_with("..."));
  CHECK(one_line("plain ± text") == "plain ± text");
  CHECK(one_line(std::string(10, 'x'), 6) == "xxx...");
  CHECK(one_line("±±±±±±", 6) == "±...");
}

TEST_CASE("HTML escapes what it is given") {
  CompareTable table = table_of({{.key = "<script>alert('\"&')</script>",
                                  .cells = {cell(1, 0), {}},
                                  .changes = {kNan},
                                  .info = {.unit = "<b>"},
                                  .copies = {"<i>"}}});
  table.axis_values[0] = "<img src=x onerror=1>";
  table.columns[0].label = "\"><script>";
  const std::string html = table_html(table);
  CHECK_FALSE(html.contains("<script"));
  CHECK_FALSE(html.contains("<img"));
  CHECK_FALSE(html.contains("<b>"));
  CHECK_FALSE(html.contains("<i>"));
  CHECK(html.contains("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)"));
  CHECK(html.contains("<td>gone</td>"));
}

TEST_CASE("Markdown escapes what it is given") {
  const std::string text = table_markdown(
      table_of({{.key = "a|b`c`<x>[y](z)_w_", .cells = {cell(1, 0), cell(2, 1)}, .changes = {100}},
                {.key = "x.fail",
                 .failure = true,
                 .cells = {{.runs = 3}, {.fails = 1, .runs = 3}},
                 .changes = {33.3}}}));
  CHECK(text.contains("a\\|b\\`c\\`\\<x\\>\\[y\\]\\(z\\)\\_w\\_"));
  CHECK(text.contains("| 1.00 (n=3) | +100.0% | 2.00 ± 50% (n=3) |"));
  CHECK(text.contains("| :3 | 33% | 1:3 | x.fail |"));
}

TEST_CASE("JSON has numbers, and null where there is none") {
  CompareTable table =
      table_of({{.key = "k\xff", .cells = {cell(0, -1, 1), cell(5, 1)}, .changes = {kInf}},
                {.key = "m%", .absolute = true, .cells = {{}, cell(5, 1)}, .changes = {kNan}},
                {.key = "x.fail",
                 .failure = true,
                 .cells = {{.runs = 3}, {.fails = 1, .runs = 3}},
                 .changes = {33.5}}});
  const nlohmann::json json = nlohmann::json::parse(table_json(table));
  CHECK(json["axes"]["kconfig"] == "defconfig");
  CHECK(json["columns"][1]["subject"] == "x");
  CHECK(json["rows"][0]["changes"][0].is_null());
  CHECK(json["rows"][0]["cells"][0]["stddev"].is_null());
  CHECK(json["rows"][0]["cells"][1]["average"] == 5);
  CHECK(json["rows"][1]["cells"][0].is_null());
  CHECK(json["rows"][1]["kind"] == "absolute");
  CHECK(json["rows"][2]["cells"][1]["fails"] == 1);
  CHECK(json["rows"][2]["changes"][0] == 33.5);
}

TEST_CASE("a table without columns or rows is a table") {
  CHECK(table_text({}).size() > 80);
  CHECK(table_markdown({}).size() > 1);
  CHECK(table_html({}).contains("</section>"));
  CHECK(nlohmann::json::parse(table_json({}))["rows"].empty());
}

}  // namespace
}  // namespace kilter::report
