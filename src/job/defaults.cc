#include "job/defaults.h"

#include "base/text.h"
#include "job/map_params.h"
#include "job/matrix.h"
#include "job/merge.h"
#include "job/source.h"
#include "job/template.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace kilter::job {
namespace {

using model::Node;

// A word that may stand in a path below include/.
bool is_path_word(std::string_view word) {
  if (word.empty() || word.size() > 64 || word.starts_with('.')) return false;
  return std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_-.:%+").contains(c);
  });
}

std::vector<std::string> growing_prefixes(const std::string& value) {
  std::vector<std::string> prefixes;
  for (std::size_t i = 1; i <= value.size(); ++i)
    if (i == value.size() || value[i] == '-' || value[i] == ':') prefixes.push_back(value.substr(0, i));
  return prefixes;
}

bool has_list(const Node& node) {
  return node.is_list() ||
         std::ranges::any_of(node.entries(), [](const Node::Entry& e) { return has_list(e.second); });
}
bool is_settled(const Node& value) {
  return !has_list(value) && !has_expressions(value);
}

std::string include_of(const std::string& program) {
  return "programs/" + program + "/include";
}

}  // namespace

Status Defaults::add_host(Node& job, const std::string& testbox) {
  for (const std::string& name : {tbox_group(testbox), testbox}) {
    if (!is_path_word(name)) continue;
    bool found = false;
    TRY(add_file(job, "hosts/" + name, Node(), found));
    if (found) break;
  }
  return {};
}

std::vector<Defaults::Trigger> Defaults::triggers(const Node& job, std::size_t from, bool settled_only) {
  const Vocabulary vocabulary(job);
  std::vector<Trigger> found;
  const auto add_program = [&](const ProgramUse& program) {
    const bool ready = !settled_only || is_settled(*program.value);
    if (ready && is_path_word(program.name) && text_of(include_of(program.name)))
      found.push_back({program.name, *program.value, true});
  };
  for (std::size_t i = from; i < job.entries().size(); ++i) {
    const auto& [key, value] = job.entries()[i];
    if (value.is_scalar() && is_path_word(key) && (!settled_only || is_settled(value)))
      found.push_back({key, value, false});
    if (!vocabulary.is_program(key)) continue;
    for (const ProgramUse& program : vocabulary.programs())
      if (program.name == key) add_program(program);
  }
  for (const ProgramUse& program : vocabulary.programs())
    if (from == 0 && job.find(program.name) == nullptr) add_program(program);  // inside a block
  return found;
}

Status Defaults::add_includes(Node& job, bool settled_only) {
  // What an include file adds stands at the end and has its turn, too.
  for (std::size_t from = 0; from < job.entries().size();) {
    const std::vector<Trigger> found = triggers(job, from, settled_only);
    from = job.entries().size();
    for (const Trigger& trigger : found) {
      bool loaded = false;
      if (trigger.program)
        TRY(add_file(job, include_of(trigger.key), trigger.value, loaded));
      else
        TRY(add_for_value(job, trigger.key, trigger.value));
    }
  }
  return {};
}

Status Defaults::add_for_value(Node& job, const std::string& key, const Node& value) {
  std::vector<std::string> names = growing_prefixes(value.text());
  for (const auto& [mapped, text] : map_parameter(key, value.text(), {}))
    if (mapped != key) names.push_back(mapped);
  bool found = false;
  for (const std::string& name : names)
    if (is_path_word(name)) TRY(add_file(job, fmt::format("include/{}/{}", key, name), value, found));
  if (!found) TRY(add_file(job, fmt::format("include/{}/OTHERS", key), value, found));
  return add_file(job, fmt::format("include/{}/ALL", key), value, found);
}

const std::optional<std::string>& Defaults::text_of(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  return texts_.emplace(path, SourceLoader::read_file(read_, path)).first->second;
}

Status Defaults::add_file(Node& job, const std::string& path, const Node& trigger, bool& found) {
  const std::optional<std::string>& text = text_of(path);
  if (!text) return {};
  found = true;
  const std::string title = "#! " + path;
  if (job.find(title) != nullptr) return {};
  const Scope scope = scope_of(job, &trigger);
  std::string key = path;
  if (text->contains("<%") || text->contains("\n%") || text->starts_with('%')) {
    ASSIGN_OR_RETURN(const SourceText source, expand_erb(*text, path, scope));
    key += '\n' + source.text;
  }
  auto known = parsed_.find(key);
  if (known == parsed_.end()) {
    // Lines of the file itself are wanted in errors, so the loader expands it once more.
    SourceLoader loader(read_, scope);
    ASSIGN_OR_RETURN(std::vector<Node> documents, loader.parse(*text, path, {}));
    known = parsed_.emplace(key, documents.empty() ? Node::map() : documents.front()).first;
  }
  job.set(title, Node());
  merge(job, known->second, Priority::defaults);
  return {};
}

}  // namespace kilter::job
