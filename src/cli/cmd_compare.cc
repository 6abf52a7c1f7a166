#include "analyse/direction.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/comparison_flags.h"
#include "cli/verbs.h"
#include "os/interrupt.h"
#include "report/table.h"
#include "report/table_html.h"
#include "report/table_json.h"
#include "report/table_markdown.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

using model::CompareTable;

constexpr int kChangeFound = 1;

class Compare final : public Verb {
 public:
  void declare(Flags& flags) override {
    what_.declare(flags);
    flags.option("--as-lkp", as_lkp_, "LKP's known faults too (docs/differences-from-lkp.md)")
        .option("-a,--all", all_, "All metrics, changed or not")
        .choice("--fail-on", fail_on_, {"change", "regression"}, "Exit 1 when there is one")
        .choice("--format", format_, {"text", "json", "html", "md"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    TRY(what_.settle("compare"));
    const os::EndAtInterrupt nothing_to_tear_down;
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(const robot::Revisions revisions,
                     robot::Revisions::open(world.home, what_.project(), world.runner, notes));
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    ASSIGN_OR_RETURN(robot::ComparisonRequest request, what_.request(room, revisions));
    request.options.all = all_;
    request.options.as_lkp = as_lkp_;
    if (as_lkp_) request.options.judged_by = analyse::ChangeRule::lkp;
    if (all_) request.options.merge_copies = false;
    ASSIGN_OR_RETURN(const robot::Comparison comparison, robot::compare_operands(request));
    for (const std::string& note : comparison.notes) log::note(note);
    // LKP's table has no place for it.
    for (const CompareTable& table : comparison.tables)
      if (what_.style() == report::TableStyle::lkp && !table.identical.empty()) log::note(table.identical);
    TRY(world.print(render(comparison.tables, world.colour)));
    return verdict(comparison.tables);
  }

 private:
  [[nodiscard]] std::string render(const std::vector<CompareTable>& tables, bool colour) const {
    const report::TableOptions options{.style = what_.style(), .colour = colour};
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
      if (fail_on_ == "change" && analyse::has_changed(table)) return kChangeFound;
      for (std::size_t column = 1; column < table.columns.size(); ++column)
        if (analyse::has_regressed(table, column)) return kChangeFound;
    }
    return 0;
  }

  ComparisonFlags what_;
  std::string fail_on_;
  std::string format_ = "text";
  bool as_lkp_ = false;
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_compare() {
  return std::make_unique<Compare>();
}

}  // namespace kilter::cli
