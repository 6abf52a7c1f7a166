#include "model/json.h"
#include "report/ab_text.h"

#include <cmath>

namespace kilter::report {
namespace {

using AbReportJson = nlohmann::json;
using model::AbReport;

AbReportJson finite_or_null(double value) {
  return std::isfinite(value) ? AbReportJson(value) : AbReportJson(nullptr);
}

std::string_view answer_word(AbReport::Answer answer) {
  switch (answer) {
    case AbReport::Answer::changed:
      return "changed";
    case AbReport::Answer::same:
      return "same";
    case AbReport::Answer::unknown:
      break;
  }
  return "unknown";
}

std::string_view end_word(AbReport::End end) {
  switch (end) {
    case AbReport::End::decided:
      return "decided";
    case AbReport::End::runs:
      return "runs";
    case AbReport::End::looks:
      return "looks";
    case AbReport::End::budget:
      break;
  }
  return "budget";
}

std::string_view better_word(model::Direction direction) {
  if (direction == model::Direction::unknown) return "unknown";
  return direction == model::Direction::higher_better ? "higher" : "lower";
}

AbReportJson samples_json(const AbReport& report) {
  AbReportJson samples = AbReportJson::array();
  for (const model::AbSample& sample : report.samples)
    samples.push_back(AbReportJson::parse(model::ab_sample_text(sample)));
  return samples;
}

}  // namespace

std::string ab_json(const AbReport& report) {
  const AbReportJson effect = !report.tested ? AbReportJson(nullptr)
                                             : AbReportJson{{"relative", finite_or_null(report.effect)},
                                                            {"low", finite_or_null(report.low)},
                                                            {"high", finite_or_null(report.high)},
                                                            {"p", report.p},
                                                            {"resolution", finite_or_null(report.resolution)},
                                                            {"of_median", report.absolute},
                                                            {"paired", report.paired}};
  return model::dump_json({{"answer", answer_word(report.answer)},
                           {"significant", report.significant},
                           {"sentence", ab_sentence(report)},
                           {"ended", end_word(report.end)},
                           {"commands", {{"A", report.commands[0]}, {"B", report.commands[1]}}},
                           {"metric", report.metric},
                           {"unit", report.unit},
                           {"better", better_word(report.better)},
                           {"effect", effect},
                           {"n", report.n},
                           {"more_needed", report.more},
                           {"delta", report.delta},
                           {"alpha", report.alpha},
                           {"level", report.level},
                           {"budget", report.budget},
                           {"spent", report.spent},
                           {"repeat", report.repeat},
                           {"seed", report.seed},
                           {"notes", report.notes},
                           {"samples", samples_json(report)}}) +
         "\n";
}

}  // namespace kilter::report
