#include "job/key_check.h"

#include "base/text.h"
#include "job/matrix.h"
#include "job/merge.h"
#include "job/typo.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

const std::vector<std::string>& needed_keys() {
  static const std::vector<std::string> keys = {"suite",   "testcase",   "category",
                                                "testbox", "tbox_group", "job_origin"};
  return keys;
}

// Known in every job.
std::vector<std::string> make_common_keys() {
  std::vector<std::string> known = Catalogue::builtin().names();
  for (const std::string_view key : Catalogue::builtin().well_known()) known.emplace_back(key);
  for (const std::string_view key : structural_keys()) known.emplace_back(key);
  return known;
}

std::optional<std::string> slip_of_known(std::string_view key, const Vocabulary& vocabulary) {
  static const std::vector<std::string> common = make_common_keys();
  const std::vector<std::string> options(vocabulary.options().begin(), vocabulary.options().end());
  if (std::optional<std::string> near = slip_of(key, options)) return near;
  return slip_of(key, common);
}

// "a.b+" -> "a".
std::string_view head_of(std::string_view key) {
  if (key.ends_with('+') || key.ends_with('-')) key.remove_suffix(1);
  return key.substr(0, key.find('.'));
}

bool is_known(std::string_view key, const Vocabulary& vocabulary) {
  return is_structural(key) || is_expandable(key, vocabulary) || vocabulary.is_monitor(key) || key == "<<" ||
         Catalogue::builtin().find(key) != nullptr;
}

// Whether `text` has `word` with nothing of a name beside it: an expression or a template may read it.
bool has_word(std::string_view text, std::string_view word) {
  const auto of_name = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !of_name(at - 1)) && !of_name(at + word.size())) return true;
  return false;
}

bool has_key(const Node& map, std::string_view key) {
  if (map.find(key) != nullptr) return true;
  return std::ranges::any_of(map.entries(),
                             [&](const Node::Entry& entry) { return has_key(entry.second, key); });
}

bool is_option_of_any(std::string_view key) {
  const Catalogue& programs = Catalogue::builtin();
  return std::ranges::any_of(programs.names(), [&](const std::string& name) {
    return std::ranges::find(programs.find(name)->options, key) != programs.find(name)->options.end();
  });
}

std::string unknown(const Mark& mark, std::string_view key, std::string_view near) {
  return fmt::format("{}: unknown key '{}', did you mean '{}'?", mark.text(), printable(key), near);
}

// The option maps of programs whose options are all known.
void check_options(const Vocabulary& vocabulary, const Node& document, std::vector<std::string>& warnings) {
  for (const ProgramUse& program : vocabulary.programs()) {
    const Program* known = Catalogue::builtin().find(program.name);
    if (known == nullptr || !known->complete || !program.value->is_map()) continue;
    const std::vector<std::string> options(known->options.begin(), known->options.end());
    for (const auto& [key, value] : program.value->entries()) {
      const std::optional<std::string> near = slip_of(key, options);
      const bool listed = std::ranges::find(options, key) != options.end();
      if (near && !listed && value.mark.file == document.mark.file)
        warnings.push_back(unknown(value.mark, key, *near));
    }
  }
}

}  // namespace

Result<std::vector<std::string>> check_keys(const Node& document, const Node& job,
                                            const Vocabulary& vocabulary) {
  std::vector<std::string> warnings;
  for (const auto& [key, value] : document.entries()) {
    const std::string_view head = head_of(key);
    if (is_comment_key(key) || is_block_key(key) || key.contains(' ') || is_known(head, vocabulary)) {
      if (!vocabulary.is_unknown_program(head)) continue;
    }
    Mark mark = value.mark;
    mark.column = 1;
    const std::optional<std::string> needed = slip_of(head, needed_keys());
    if (needed && job.find(*needed) == nullptr)
      return usage_error(fmt::format("{}: unknown key '{}'", mark.text(), printable(head)),
                         fmt::format("did you mean '{}'?", *needed));
    const std::optional<std::string> near = slip_of_known(head, vocabulary);
    if (near) warnings.push_back(unknown(mark, head, *near));
  }
  check_options(vocabulary, document, warnings);
  return warnings;
}

Node new_overrides(const Node& overrides, std::string_view job_text, const std::vector<Node>& held) {
  Node fresh = Node::map();
  for (const auto& [key, value] : overrides.entries()) {
    const std::string_view head = head_of(key);
    if (key.contains(' ') || has_word(job_text, head)) continue;
    if (std::ranges::any_of(held, [&](const Node& map) { return has_key(map, head); })) continue;
    fresh.set(key, value);
  }
  return fresh;
}

Result<std::vector<std::string>> check_override_keys(const Node& fresh, const Vocabulary& vocabulary) {
  std::vector<std::string> warnings;
  for (const auto& [key, value] : fresh.entries()) {
    const std::string_view head = head_of(key);
    if (is_known(head, vocabulary) && !vocabulary.is_unknown_program(head)) continue;
    const std::optional<std::string> near = slip_of_known(head, vocabulary);
    if (near && !is_option_of_any(head)) return usage_error(unknown(value.mark, head, *near));
    warnings.push_back(fmt::format("{}: unknown key '{}', it is kept and no program of the job takes it",
                                   value.mark.text(), printable(head)));
  }
  return warnings;
}

}  // namespace kilter::job
