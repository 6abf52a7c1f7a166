#include "cli/comparison_flags.h"

#include "base/quantity.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace kilter::cli {

void ComparisonFlags::declare(Flags& flags) {
  flags
      .positional("OPERAND", operands_, "Revisions, directories (LKP's too), or axes; the first is the base",
                  false)
      .option("-s,--axes", "AXES", axes_, "Cells with these axes: testcase=x/commit=y; restricts revisions")
      .option("-o,--other", "AXES", others_, "-s with these axes put in, as a further column")
      .option("-c,--compare-axes", "KEYS", keys_, "What may differ between columns (default commit)")
      .option("-p,--project", "P", project_, "Look revisions up in this project")
      .choice("--rule", rule_, {"kilter", "lkp"}, "What a change is: by a test (default), or by LKP's ranges")
      .choice("--style", style_, {"kilter", "lkp"},
              "Layout: with intervals, or LKP's to the byte, by its rule")
      .option("--delta", "D", delta_,
              "The smallest change that matters (default 1%; of monitors' metrics 5%)")
      .option("--alpha", "A", alpha_, "Odds of a false headline (default 0.01)")
      .option("--fdr", "Q", fdr_, "Share of false rows among the other changes (default 0.05)")
      .option("-m,--more", more_, "Metrics that LKP hides, too")
      .option("-k,--kpi", kpi_, "The benchmarks' own metrics only")
      .option("--threshold", "V", threshold_, "Percent a profile row must exceed (default 5)")
      .option("--force", force_, "Unlike machines and identical programs, too; the table says so");
}

Status ComparisonFlags::settle(const std::string& verb) {
  if (!others_.empty() && axes_.empty())
    return usage_error(verb + ": -o changes the axes of -s, and there is none",
                       "-s testcase=x/commit=a -o commit=b");
  if (!operands_.empty()) return {};
  for (const std::string& axes : axes_) operands_.push_back(axes);
  for (const std::string& other : others_) {
    ASSIGN_OR_RETURN(std::string axes, robot::override_axes(axes_.back(), other));
    operands_.push_back(std::move(axes));
  }
  axes_.clear();
  if (operands_.empty())
    return usage_error(verb + ": nothing to compare", fmt::format("kilter {} BASE HEAD", verb));
  return {};
}

Result<robot::ComparisonRequest> ComparisonFlags::request(const robot::ReadingRoom& room,
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
  const bool lkp = style() == report::TableStyle::lkp;
  request.force = force_;
  request.lkp_zeros = lkp;
  // LKP's table cannot name the rows that were merged.
  request.options.merge_copies = !lkp;
  if (!lkp) request.options.order = analyse::RowOrder::headline_first;
  request.options.rule.more = more_;
  request.options.rule.kpi_only = kpi_;
  request.options.judged_by = rule();
  TRY(set_threshold(request));
  TRY(set_verdict_rule(request.options.verdicts));
  return request;
}

// Written with a point it is a Float, as on LKP's command line: the class decides which rows it applies to.
Status ComparisonFlags::set_threshold(robot::ComparisonRequest& request) const {
  if (threshold_.empty()) return {};
  const std::optional<double> value = parse_double(threshold_);
  if (!value)
    return usage_error(fmt::format("comparing: --threshold '{}' is no number", printable(threshold_)));
  request.options.rule.perf_profile_threshold = model::Number(*value);
  return {};
}

namespace {

// "1%" or "0.01", between the two.
Status set_fraction(const char* flag, const std::string& text, double& fraction) {
  if (text.empty()) return {};
  const std::optional<double> percent = parse_percent(text);
  const std::optional<double> value = percent ? *percent / 100 : parse_double(text);
  if (!value || !(*value > 0) || !(*value < 1))
    return usage_error(fmt::format("comparing: {} '{}' is no share between 0 and 1", flag, printable(text)),
                       fmt::format("{0} 1% or {0} 0.01", flag));
  fraction = *value;
  return {};
}

}  // namespace

Status ComparisonFlags::set_verdict_rule(analyse::VerdictRule& rule) const {
  TRY(set_fraction("--delta", delta_, rule.headline_delta));
  TRY(set_fraction("--alpha", alpha_, rule.headline_level));
  TRY(set_fraction("--fdr", fdr_, rule.report_level));
  rule.other_delta = std::max(rule.other_delta, rule.headline_delta);
  return {};
}

analyse::ChangeRule ComparisonFlags::rule() const {
  if (rule_.empty()) return style_ == "lkp" ? analyse::ChangeRule::lkp : analyse::ChangeRule::kilter;
  return rule_ == "lkp" ? analyse::ChangeRule::lkp : analyse::ChangeRule::kilter;
}

report::TableStyle ComparisonFlags::style() const {
  return style_ == "lkp" ? report::TableStyle::lkp : report::TableStyle::kilter;
}

}  // namespace kilter::cli
