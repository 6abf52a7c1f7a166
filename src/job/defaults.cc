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

Node header() {
  return {};
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

Status Defaults::add_includes(Node& job, const Vocabulary& vocabulary, bool settled_only) {
  // What an include file adds is at the end and has its turn, too.
  for (std::size_t i = 0; i < job.entries().size(); ++i) {
    const std::string key = job.entries()[i].first;
    const Node value = job.entries()[i].second;
    if (is_comment_key(key)) continue;
    if (value.is_scalar() && (!settled_only || is_settled(value))) TRY(add_for_value(job, key, value));
    for (const ProgramUse& program : vocabulary.programs())
      if (program.name == key) TRY(add_for_program(job, program, settled_only));
  }
  for (const ProgramUse& program : vocabulary.programs())
    if (job.find(program.name) == nullptr) TRY(add_for_program(job, program, settled_only));
  return {};
}

Status Defaults::add_for_program(Node& job, const ProgramUse& program, bool settled_only) {
  if (!is_path_word(program.name) || (settled_only && !is_settled(*program.value))) return {};
  const Node value = *program.value;
  bool found = false;
  return add_file(job, "programs/" + program.name + "/include", value, found);
}

Status Defaults::add_for_value(Node& job, const std::string& key, const Node& value) {
  if (!is_path_word(key)) return {};
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
  std::string expanded = *text;
  if (text->contains("<%") || text->contains("\n%") || text->starts_with('%')) {
    ASSIGN_OR_RETURN(SourceText source, expand_erb(*text, path, scope));
    expanded = std::move(source.text);
  }
  auto known = parsed_.find(path + '\n' + expanded);
  if (known == parsed_.end()) {
    // Lines of the file itself are wanted in errors, so the loader expands it once more.
    SourceLoader loader(read_, scope);
    ASSIGN_OR_RETURN(std::vector<Node> documents, loader.parse(*text, path, {}));
    known =
        parsed_.emplace(path + '\n' + expanded, documents.empty() ? Node::map() : documents.front()).first;
  }
  job.set(title, header());
  merge(job, known->second, Priority::defaults);
  return {};
}

}  // namespace kilter::job
