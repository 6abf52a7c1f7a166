#include "robot/campaign_text.h"

#include "base/text.h"
#include "model/json.h"
#include "robot/effect_words.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

std::string subject_word(const Subject& subject) {
  return subject.name.empty() ? model::short_commit(subject.commit) : printable(subject.name);
}

constexpr const char* kBuildLevel = "build";

std::string evidence_words(const model::RowVerdict& row) {
  return fmt::format("{} + {} {}", row.base_n, row.n, row.level == kBuildLevel ? "builds" : "runs");
}

std::string resolution_words(const model::RowVerdict& row) {
  if (!std::isfinite(row.resolution)) return "";
  return fmt::format("; this could have shown {} %", model::percent_figure(row.resolution));
}

std::string changed_words(const Lab& lab, const CampaignVerdict& verdict) {
  const model::RowVerdict& row = *verdict.row;
  if (row.from_zero) return fmt::format("no longer 0, by {}", evidence_words(row));
  const std::string word =
      verdict_words(suite::metric_info(lab.catalogue, verdict.metric).direction, row.effect);
  return fmt::format("{} ({}){}, by {}", effect_words(row.effect), interval_words(row.low, row.high),
                     word.empty() ? "" : ", " + word, evidence_words(row));
}

// Surely a difference, but whether it counts is open.
bool is_near_delta(const model::RowVerdict& row) {
  return row.low * row.high > 0 && std::min(std::abs(row.low), std::abs(row.high)) < row.delta;
}

std::string open_words(const CampaignVerdict& verdict) {
  const model::RowVerdict& row = *verdict.row;
  if (is_near_delta(row))
    return fmt::format("{} ({}), by {}; not known whether it is {} % or more", effect_words(row.effect),
                       interval_words(row.low, row.high), evidence_words(row),
                       model::percent_figure(row.delta));
  std::string text =
      fmt::format("{}: {} ({}), by {}{}", verdict.out_of_time ? "not known within the budget" : "not known",
                  effect_words(row.effect), interval_words(row.low, row.high), evidence_words(row),
                  resolution_words(row));
  if (row.runs_needed) text += fmt::format("; about {} of each would be needed", *row.runs_needed);
  return text;
}

std::string answer_words(const Lab& lab, const CampaignRequest& request, const CampaignVerdict& verdict) {
  if (!verdict.row) return "not known: a side has no value";
  const model::RowVerdict& row = *verdict.row;
  switch (row.answer) {
    case model::Answer::changed:
      return changed_words(lab, verdict);
    case model::Answer::same:
      return fmt::format("the same within {} % ({}), by {}{}", model::percent_figure(request.question->delta),
                         interval_words(row.low, row.high), evidence_words(row), resolution_words(row));
    default:
      return open_words(verdict);
  }
}

bool has_answer(const CampaignVerdict& verdict, model::Answer answer) {
  return verdict.row && verdict.row->answer == answer;
}

nlohmann::json finite_json(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace

std::string verdict_text(const Lab& lab, const CampaignRequest& request, const CampaignVerdict& verdict) {
  const std::string job = request.jobs.size() > 1 ? request.jobs[verdict.job].name + ": " : "";
  return fmt::format("{}{} against {}: {}: {}", job, subject_word(request.subjects[verdict.subject]),
                     subject_word(request.subjects.front()), verdict.metric,
                     answer_words(lab, request, verdict));
}

std::string verdicts_text(const Lab& lab, const CampaignRequest& request, const CampaignResult& result) {
  std::string text;
  bool one_build = false;
  bool few_builds = false;
  for (const CampaignVerdict& verdict : result.verdicts) {
    text += verdict_text(lab, request, verdict) + "\n";
    few_builds =
        few_builds || (has_answer(verdict, model::Answer::unknown) && verdict.row->level == kBuildLevel);
    one_build = one_build || (has_answer(verdict, model::Answer::changed) && verdict.row->one_build);
  }
  if (one_build && !request.subjects.front().project.empty())
    text += "  one build a side: the luck of its layout is not excluded ('layout: {rebuilds: 5}' does)\n";
  if (few_builds)
    text += "  more runs of these builds tell little, more builds do: 'layout: {rebuilds: N}'\n";
  return text;
}

nlohmann::json verdicts_json(const Lab& lab, const CampaignRequest& request, const CampaignResult& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const CampaignVerdict& verdict : result.verdicts) {
    const model::RowVerdict row = verdict.row.value_or(model::RowVerdict{});
    nlohmann::json json = {{"job", request.jobs[verdict.job].name},
                           {"base", request.subjects.front().commit},
                           {"commit", request.subjects[verdict.subject].commit},
                           {"metric", verdict.metric},
                           {"answer", model::answer_name(row.answer)},
                           {"level", row.level},
                           {"one_build", row.one_build},
                           {"out_of_time", verdict.out_of_time},
                           {"sentence", verdict_text(lab, request, verdict)}};
    if (verdict.row) {
      json["effect"] = finite_json(row.effect);
      json["interval"] = {finite_json(row.low), finite_json(row.high)};
      json["p"] = row.p;
      json["n"] = {row.base_n, row.n};
      json["resolution"] = finite_json(row.resolution);
    }
    if (row.answer == model::Answer::changed)
      json["verdict"] =
          verdict_words(suite::metric_info(lab.catalogue, verdict.metric).direction, row.effect);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace kilter::robot
