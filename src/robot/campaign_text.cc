#include "robot/campaign_text.h"

#include "base/text.h"
#include "model/json.h"
#include "robot/effect_words.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::robot {
namespace {

std::string subject_word(const Subject& subject) {
  return subject.name.empty() ? model::short_commit(subject.commit) : printable(subject.name);
}

std::string evidence_words(const CampaignVerdict& verdict) {
  const analyse::RecResult& result = *verdict.result;
  const bool builds = verdict.level == analyse::EvidenceLevel::build;
  return fmt::format("{} + {} {}", result.a.n, result.b.n, builds ? "builds" : "runs");
}

std::string resolution_words(const analyse::RecResult& result) {
  if (!std::isfinite(result.resolution)) return "";
  return fmt::format("; this could have shown {:.2g} %", 100 * result.resolution);
}

std::string changed_words(const Lab& lab, const CampaignVerdict& verdict) {
  const analyse::RecResult& result = *verdict.result;
  const std::string word =
      verdict_words(suite::metric_info(lab.catalogue, verdict.metric).direction, result.effect);
  return fmt::format("{} ({}){}, by {}", effect_words(result.effect), interval_words(result),
                     word.empty() ? "" : ", " + word, evidence_words(verdict));
}

std::string open_words(const CampaignVerdict& verdict) {
  return fmt::format("{}: {} ({}), by {}{}", verdict.out_of_time ? "not known within the budget" : "not known",
                     effect_words(verdict.result->effect), interval_words(*verdict.result),
                     evidence_words(verdict), resolution_words(*verdict.result));
}

std::string answer_words(const Lab& lab, const CampaignRequest& request, const CampaignVerdict& verdict) {
  if (!verdict.result) return "not known: a side has no value";
  switch (verdict.answer) {
    case analyse::Answer::changed:
      return changed_words(lab, verdict);
    case analyse::Answer::same:
      return fmt::format("the same within {:.2g} % ({}), by {}{}", 100 * request.question->delta,
                         interval_words(*verdict.result), evidence_words(verdict),
                         resolution_words(*verdict.result));
    default:
      return open_words(verdict);
  }
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
    few_builds = few_builds || (verdict.level == analyse::EvidenceLevel::build && verdict.answer == analyse::Answer::unknown);
    one_build = one_build || (verdict.one_build && verdict.answer == analyse::Answer::changed);
  }
  if (one_build && !request.subjects.front().project.empty())
    text += "  one build a side: the luck of its layout is not excluded ('layout: {rebuilds: 5}' does)\n";
  if (few_builds) text += "  more runs of these builds tell little, more builds do: 'layout: {rebuilds: N}'\n";
  return text;
}

nlohmann::json verdicts_json(const Lab& lab, const CampaignRequest& request, const CampaignResult& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const CampaignVerdict& verdict : result.verdicts) {
    nlohmann::json json = {{"job", request.jobs[verdict.job].name},
                           {"base", request.subjects.front().commit},
                           {"commit", request.subjects[verdict.subject].commit},
                           {"metric", verdict.metric},
                           {"answer", analyse::answer_name(verdict.answer)},
                           {"level", analyse::level_name(verdict.level)},
                           {"one_build", verdict.one_build},
                           {"out_of_time", verdict.out_of_time},
                           {"sentence", verdict_text(lab, request, verdict)}};
    if (const std::optional<analyse::RecResult>& result_of = verdict.result) {
      json["effect"] = finite_json(result_of->effect);
      json["interval"] = {finite_json(result_of->low), finite_json(result_of->high)};
      json["p"] = result_of->p;
      json["n"] = {result_of->a.n, result_of->b.n};
      json["resolution"] = finite_json(result_of->resolution);
      if (verdict.answer == analyse::Answer::changed)
        json["verdict"] = verdict_words(suite::metric_info(lab.catalogue, verdict.metric).direction,
                                        result_of->effect);
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace kilter::robot
