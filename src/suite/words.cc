#include "suite/words.h"

#include <algorithm>

namespace kilter::suite {
namespace {

using OwnedWords = std::vector<std::string>;

Status append(const model::Node& item, const Values& values, OwnedWords& out);

Status append_all(const model::Node& list, const Values& values, OwnedWords& out) {
  for (const model::Node& item : list.items()) TRY(append(item, values, out));
  return {};
}

// "{cmd...}": the value is a command line of its own.
Status append_split(const std::string& text, const Values& values, OwnedWords& out) {
  ASSIGN_OR_RETURN(const std::string line, fill("{" + text.substr(1, text.size() - 5) + "}", values));
  ASSIGN_OR_RETURN(const OwnedWords split, split_command_line(line));
  out.insert(out.end(), split.begin(), split.end());
  return {};
}

Status append_word(const model::Node& item, const Values& values, OwnedWords& out) {
  const std::string& text = item.text();
  if (text.starts_with('{') && text.ends_with("...}")) return append_split(text, values, out);
  ASSIGN_OR_RETURN(std::string word, fill(text, values));
  if (!word.empty()) out.push_back(std::move(word));
  return {};
}

bool is_unset(const model::Node& item, const Values& values) {
  if (!item.is_scalar()) return false;
  return std::ranges::any_of(names_in(item.text()), [&values](const std::string& name) {
    const auto it = values.find(name);
    return it != values.end() && it->second.empty();
  });
}

Status append_group(const model::Node& group, const Values& values, OwnedWords& out) {
  const bool unset = std::ranges::any_of(
      group.items(), [&values](const model::Node& item) { return is_unset(item, values); });
  return unset ? Status{} : append_all(group, values, out);
}

Status append_conditional(const model::Node& item, const Values& values, OwnedWords& out) {
  ASSIGN_OR_RETURN(const bool yes, holds(item.get("when"), values));
  const model::Node* chosen = item.find(yes ? "words" : "otherwise");
  return chosen == nullptr ? Status{} : append_all(*chosen, values, out);
}

Status append(const model::Node& item, const Values& values, OwnedWords& out) {
  Status status;
  if (item.is_scalar())
    status = append_word(item, values, out);
  else if (item.is_list())
    status = append_group(item, values, out);
  else if (item.is_map())
    status = append_conditional(item, values, out);
  if (!status) return fail(status.error().in(item.mark.text()));
  return status;
}

Status check_item(const model::Node& item) {
  if (item.is_scalar()) return {};
  if (item.is_list()) return check_words(item);
  if (!item.is_map()) return usage_error("reading " + item.mark.text() + ": a word is missing");
  for (const auto& [key, value] : item.entries()) {
    if (key == "when" && value.is_scalar()) continue;
    if ((key != "words" && key != "otherwise") || !value.is_list()) {
      return usage_error("reading " + value.mark.text() + ": '" + key + "' is not understood here",
                         "conditional words are {when: CONDITION, words: [...], otherwise: [...]}");
    }
    TRY(check_words(value));
  }
  if (item.find("when") == nullptr) return usage_error("reading " + item.mark.text() + ": 'when' is missing");
  return {};
}

}  // namespace

Result<OwnedWords> expand_words(const model::Node& list, const Values& values) {
  OwnedWords out;
  TRY(append_all(list, values, out));
  return out;
}

Status check_words(const model::Node& list) {
  if (!list.is_list())
    return usage_error("reading " + list.mark.text() + ": a list of words is wanted, not a shell line");
  for (const model::Node& item : list.items()) TRY(check_item(item));
  return {};
}

}  // namespace kilter::suite
