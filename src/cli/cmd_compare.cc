#include "analyse/direction.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "os/interrupt.h"
#include "report/table.h"
#include "report/table_html.h"
#include "report/table_json.h"
#include "report/table_markdown.h"
#include "robot/compare_request.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

using model::CompareTable;

constexpr int kChangeFound = 1;

class Compare final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional("OPERAND", operands_,
                    "Revisions, directories (LKP's too), or axes; the first is the base", false)
        .option("-s,--axes", "AXES", axes_, "Cells with these axes: testcase=x/commit=y; restricts revisions")
        .option("-o,--other", "AXES", others_, "-s with these axes put in, as a further column")
        .option("-c,--compare-axes", "KEYS", keys_, "What may differ between columns (default commit)")
        .option("-p,--project", "P", project_, "Look revisions up in this project")
        .choice("--rule", rule_, {"lkp"}, "The rule of change: LKP's is the one there is")
        .choice("--style", style_, {"kilter", "lkp"}, "Layout: with n and units, or LKP's to the byte")
        .option("--as-lkp", as_lkp_, "LKP's known faults too (docs/differences-from-lkp.md)")
        .option("-a,--all", all_, "All metrics, changed or not")
        .option("-m,--more", more_, "Metrics that LKP hides, too")
        .option("-k,--kpi", kpi_, "The benchmarks' own metrics only")
        .option("--threshold", "V", threshold_, "Percent a profile row must exceed (default 5)")
        .option("--force", force_, "Compare unlike machines; the table says so")
        .choice("--fail-on", fail_on_, {"change", "regression"}, "Exit 1 when there is one")
        .choice("--format", format_, {"text", "json", "html", "md"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    TRY(make_operands());
    const os::EndAtInterrupt nothing_to_tear_down;
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(const robot::Revisions revisions,
                     robot::Revisions::open(world.home, project_, world.runner, notes));
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    ASSIGN_OR_RETURN(const robot::ComparisonRequest request, make_request(room, revisions));
    ASSIGN_OR_RETURN(const robot::Comparison comparison, robot::compare_operands(request));
    for (const std::string& note : comparison.notes) log::note(note);
    // LKP's table has no place for it.
    for (const CompareTable& table : comparison.tables)
      if (style_ == "lkp" && !table.identical.empty()) log::note(table.identical);
    TRY(world.print(render(comparison.tables, world.colour)));
    return verdict(comparison.tables);
  }

 private:
  Status make_operands() {
    if (!others_.empty() && axes_.empty())
      return usage_error("compare: -o changes the axes of -s, and there is none",
                         "-s testcase=x/commit=a -o commit=b");
    if (!operands_.empty()) return {};
    for (const std::string& axes : axes_) operands_.push_back(axes);
    for (const std::string& other : others_) {
      ASSIGN_OR_RETURN(std::string axes, robot::override_axes(axes_.back(), other));
      operands_.push_back(std::move(axes));
    }
    axes_.clear();
    if (operands_.empty()) return usage_error("compare: nothing to compare", "kilter compare BASE HEAD");
    return {};
  }

  Result<robot::ComparisonRequest> make_request(const robot::ReadingRoom& room,
                                                const robot::Revisions& revisions) const {
    robot::ComparisonRequest request = robot::comparison_request(room, revisions, operands_);
    for (const std::string& axes : axes_) {
      ASSIGN_OR_RETURN(const model::Axes restrict, model::parse_axes(axes));
      request.context.restrict.insert(restrict.begin(), restrict.end());
    }
    if (!keys_.empty()) {
      request.compare_axes.clear();
      for (const std::string_view key : split(keys_, ',')) request.compare_axes.emplace_back(key);
    }
    request.force = force_;
    request.lkp_zeros = style_ == "lkp";
    request.options.all = all_;
    request.options.as_lkp = as_lkp_;
    request.options.merge_copies = style_ != "lkp" && !all_;
    if (style_ != "lkp") request.options.order = analyse::RowOrder::headline_first;
    request.options.rule.more = more_;
    request.options.rule.kpi_only = kpi_;
    TRY(set_threshold(request));
    return request;
  }

  // Written with a point it is a Float, as on LKP's command line: the class decides which rows it applies to.
  Status set_threshold(robot::ComparisonRequest& request) const {
    if (threshold_.empty()) return {};
    const std::optional<double> value = parse_double(threshold_);
    if (!value)
      return usage_error(fmt::format("compare: --threshold '{}' is no number", printable(threshold_)));
    request.options.rule.perf_profile_threshold = model::Number(*value);
    return {};
  }

  [[nodiscard]] std::string render(const std::vector<CompareTable>& tables, bool colour) const {
    const report::TableOptions options{
        .style = style_ == "lkp" ? report::TableStyle::lkp : report::TableStyle::kilter, .colour = colour};
    if (format_ == "json") return json_list(tables);
    std::string text;
    for (const CompareTable& table : tables) {
      if (format_ == "html") text += report::table_html(table);
      if (format_ == "md") text += report::table_markdown(table);
      if (format_ == "text") text += report::table_text(table, options);
    }
    return text;
  }

  static std::string json_list(const std::vector<CompareTable>& tables) {
    std::vector<std::string> parts;
    for (const CompareTable& table : tables) parts.push_back(report::table_json(table));
    return "[" + join(parts, ",\n") + "]\n";
  }

  [[nodiscard]] int verdict(const std::vector<CompareTable>& tables) const {
    if (fail_on_.empty()) return 0;
    for (const CompareTable& table : tables) {
      if (fail_on_ == "change" && !table.rows.empty()) return kChangeFound;
      for (std::size_t column = 1; column < table.columns.size(); ++column)
        if (analyse::has_regressed(table, column)) return kChangeFound;
    }
    return 0;
  }

  std::vector<std::string> operands_;
  std::vector<std::string> axes_;
  std::vector<std::string> others_;
  std::string keys_;
  std::string project_;
  std::string rule_ = "lkp";
  std::string style_ = "kilter";
  std::string threshold_;
  std::string fail_on_;
  std::string format_ = "text";
  bool as_lkp_ = false;
  bool all_ = false;
  bool more_ = false;
  bool kpi_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_compare() {
  return std::make_unique<Compare>();
}

}  // namespace kilter::cli
