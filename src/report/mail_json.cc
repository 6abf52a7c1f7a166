#include "report/mail_json.h"

#include "model/json.h"
#include "report/table_json.h"

#include <cmath>

namespace kilter::report {
namespace {

using Json = nlohmann::json;

std::string mailbox_text(const Mailbox& mailbox) {
  return mailbox.name.empty() ? mailbox.email : mailbox.name + " <" + mailbox.email + ">";
}

Json mailboxes(const std::vector<Mailbox>& list) {
  Json all = Json::array();
  for (const Mailbox& mailbox : list) all.push_back(mailbox_text(mailbox));
  return all;
}

Json end_json(const MailRange::End& end) {
  return {{"name", end.name}, {"sha", end.sha}, {"subject", end.subject}};
}

Json range_json(const MailInput& input) {
  if (!input.range) return nullptr;
  return {{"base", end_json(input.range->base)},
          {"head", end_json(input.range->head)},
          {"commits", input.range->commits > 0 ? Json(input.range->commits) : Json(nullptr)}};
}

Json commit_json(const MailInput& input) {
  if (input.range) return nullptr;
  return {{"sha", input.commit.sha}, {"subject", input.commit.subject}};
}

Json axes_json(const std::vector<MailAxis>& axes) {
  Json all = Json::array();
  for (const MailAxis& axis : axes)
    all.push_back({{"axis", axis.name}, {"base", axis.base}, {"head", axis.head}});
  return all;
}

Json patch_json(const MailInput& input) {
  if (!input.patch) return nullptr;
  return {{"base", input.patch->base}, {"subject", input.patch->subject}, {"link", input.patch->link}};
}

Json further_json(const std::vector<BoxedTest>& tests) {
  Json all = Json::array();
  for (const BoxedTest& test : tests)
    all.push_back({{"testcase", test.testcase},
                   {"change", test.change},
                   {"machine", test.machine},
                   {"parameters", test.parameters}});
  return all;
}

Json heads_json(const MailInput& input) {
  Json all = Json::array();
  for (const auto& [head, sha] : input.still_there) all.push_back({{"head", head}, {"sha", sha}});
  return all;
}

Json verdict_json(const MailInput& input) {
  if (!input.verdict) return nullptr;
  const model::RowVerdict& verdict = *input.verdict;
  Json json = {{"answer", model::answer_name(verdict.answer)},
               {"p", verdict.p},
               {"n", {verdict.base_n, verdict.n}},
               {"text", input.evidence}};
  if (input.failure.empty() && !verdict.from_zero && std::isfinite(verdict.resolution))
    json.update({{"effect", verdict.effect},
                 {"low", verdict.low},
                 {"high", verdict.high},
                 {"resolution", verdict.resolution}});
  return json;
}

Json tables_json(std::span<const model::CompareTable> tables) {
  Json all = Json::array();
  for (const model::CompareTable& table : tables)
    all.push_back(model::parse_json(table_json(table), "a table").value_or(Json(nullptr)));
  return all;
}

}  // namespace

std::string mail_json(const MailInput& input, std::span<const model::CompareTable> tables) {
  Json json = {{"subject", mail_subject(input)},
               {"message_id", input.message_id},
               {"date", input.date},
               {"from", mailbox_text(input.from)},
               {"to", mailboxes(input.recipients.to)},
               {"cc", mailboxes(input.recipients.cc)},
               {"archive", input.archive},
               {"metric", input.metric},
               {"percent", input.failure.empty() ? Json(input.percent) : Json(nullptr)},
               {"word", input.word},
               {"failure", input.failure},
               {"verdict", verdict_json(input)},
               {"opposite", input.opposite},
               {"commit", commit_json(input)},
               {"range", range_json(input)},
               {"pair", input.pair.empty() ? Json(nullptr) : axes_json(input.pair)},
               {"also_differs", axes_json(input.also_differs)},
               {"patch", patch_json(input)},
               {"tree", input.tree},
               {"tree_url", input.tree_url},
               {"branch", input.branch},
               {"still_there", heads_json(input)},
               {"testcase", input.testcase},
               {"config", input.kconfig},
               {"build", input.build},
               {"compiler", input.compiler},
               {"machine", input.machine},
               {"kernel", input.kernel},
               {"further", further_json(input.further)},
               {"reproduce", input.reproduce},
               {"tables", tables_json(tables)}};
  json["parameters"] = Json::object();
  for (const auto& [key, value] : input.parameters) json["parameters"][key] = value;
  return model::dump_json(json);
}

}  // namespace kilter::report
