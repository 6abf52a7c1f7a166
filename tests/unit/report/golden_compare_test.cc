#include "analyse/compare.h"
#include "report/table.h"
#include "support/golden_matrix.h"

#include <doctest/doctest.h>

namespace kilter {
namespace {

const std::string kDirectory = std::string(TESTS_DIR) + "/golden/compare/";

std::string table_of(const std::string& name, const analyse::CompareOptions& options,
                     report::TableStyle style) {
  const test::GoldenInput golden = test::read_golden_input(kDirectory + name + ".input.json");
  const Result<model::CompareTable> table = analyse::compare(golden.inputs, options);
  REQUIRE(table);
  return report::table_text(*table, {.style = style});
}

TEST_CASE("as LKP, a table is LKP's to the byte, its faults included") {
  for (const std::string name : {"golden1", "golden2", "golden3", "golden4"}) {
    CAPTURE(name);
    const std::string actual =
        table_of(name, {.as_lkp = true, .merge_copies = false}, report::TableStyle::lkp);
    CHECK(actual == test::read_text(kDirectory + name + ".expected.txt"));
  }
}

TEST_CASE("with LKP's rule and style, only its faults differ") {
  for (const std::string name : {"golden1", "golden2", "golden3", "golden4"}) {
    CAPTURE(name);
    const std::string actual =
        table_of(name, {.missing_is_zero = true, .merge_copies = false}, report::TableStyle::lkp);
    CHECK(actual == test::golden_text(kDirectory + name + ".corrected.txt", actual));
  }
}

TEST_CASE("our style has counts, merged rows and notes") {
  for (const std::string name : {"golden1", "golden2", "golden3", "golden4"}) {
    CAPTURE(name);
    const std::string actual = table_of(name, {}, report::TableStyle::kilter);
    CHECK(actual == test::golden_text(kDirectory + name + ".kilter.txt", actual));
  }
}

TEST_CASE("by our rule every row has its effect, interval, evidence and resolution") {
  for (const std::string name : {"golden1", "golden2", "golden3", "golden4"}) {
    CAPTURE(name);
    const std::string actual =
        table_of(name, {.judged_by = analyse::ChangeRule::kilter, .order = analyse::RowOrder::headline_first},
                 report::TableStyle::kilter);
    CHECK(actual == test::golden_text(kDirectory + name + ".verdicts.txt", actual));
  }
}

}  // namespace
}  // namespace kilter
