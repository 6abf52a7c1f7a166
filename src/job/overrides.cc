#include "job/overrides.h"

#include "base/text.h"
#include "job/merge.h"
#include "job/yaml_node.h"

#include <fmt/core.h>

namespace kilter::job {
namespace {

using model::Node;

constexpr const char* kHint = "write 'KEY: VALUE' or key=value, e.g. -s 'nr_threads: 50%'";

Result<Node> parse_value(const std::string& yaml, const std::string& word) {
  TRY(check_text(yaml, "override"));
  Result<std::vector<YamlDocument>> documents = parse_yaml(yaml, "override");
  if (!documents) return fail(documents.error().in(fmt::format("reading override '{}'", printable(word))));
  return documents->empty() ? Node() : std::move(documents->front().root);
}

void clear_marks(Node& node) {
  node.mark = {"override", 0, 0};
  for (Node& item : node.items()) clear_marks(item);
  for (Node::Entry& entry : node.entries()) clear_marks(entry.second);
}

bool holds_merge(const Node& node) {
  return node.find("<<") != nullptr || std::ranges::any_of(node.items(), holds_merge) ||
         std::ranges::any_of(node.entries(),
                             [](const Node::Entry& entry) { return holds_merge(entry.second); });
}

// The option maps below `map` that hold `key`.
void holders(Node& map, const std::string& key, std::vector<Node*>& found) {
  for (Node::Entry& entry : map.entries()) {
    if (!entry.second.is_map()) continue;
    if (entry.second.find(key) != nullptr)
      found.push_back(&entry.second);
    else
      holders(entry.second, key, found);
  }
}

bool exists(const Node& job, std::string_view key) {
  if (key.ends_with('+') || key.ends_with('-')) key.remove_suffix(1);
  return job.find(key) != nullptr;
}

}  // namespace

Result<Node> parse_overrides(const std::vector<std::string>& words) {
  Node all = Node::map();
  for (const std::string& word : words) {
    const std::size_t end = word.find_first_of("=:");
    if (end == std::string::npos || end == 0)
      return usage_error(fmt::format("reading override '{}': no key and value", printable(word)), kHint);
    if (word[end] == '=') {
      ASSIGN_OR_RETURN(Node value, parse_value(word.substr(end + 1), word));
      all.set(trim(std::string_view(word).substr(0, end)), std::move(value));
      continue;
    }
    ASSIGN_OR_RETURN(Node entries, parse_value(word, word));
    if (!entries.is_map())
      return usage_error(fmt::format("reading override '{}': no key and value", printable(word)), kHint);
    for (Node::Entry& entry : entries.entries()) all.set(entry.first, std::move(entry.second));
  }
  if (holds_merge(all))
    return usage_error("reading overrides: '<<' merges a file into a job file, not into an override",
                       "put the '<<: FILE' into the job file, or give its keys");
  clear_marks(all);
  return all;
}

Node apply_overrides(Node& job, const Node& overrides) {
  Node added = Node::map();
  for (const auto& [key, value] : overrides.entries()) {
    std::vector<Node*> inner;
    if (!key.contains('.') && !exists(job, key)) holders(job, key, inner);
    for (Node* map : inner) map->set(key, value);
    if (!inner.empty()) continue;
    const std::size_t before = job.entries().size();
    merge_entry(job, key, value, Priority::overrides);
    if (job.entries().size() <= before) continue;
    added.set(job.entries().back().first, std::move(job.entries().back().second));
    job.entries().pop_back();
  }
  return added;
}

void append_overrides(Node& job, const Node& added) {
  if (added.entries().empty()) return;
  job.set("#! user overrides", Node());
  for (const auto& [key, value] : added.entries()) job.set(key, value);
}

}  // namespace kilter::job
