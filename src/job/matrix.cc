#include "job/matrix.h"

#include "job/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

constexpr int kMaxReferences = 16;

bool passes_over(std::string_view key, const Vocabulary& vocabulary) {
  return is_comment_key(key) || vocabulary.is_monitor(key);
}

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? SIZE_MAX : result;
}
std::size_t sum(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? SIZE_MAX : result;
}

std::size_t size_below(const Node& map, const Vocabulary& vocabulary);

std::size_t size_of_value(const Node& value, bool expandable, const Vocabulary& vocabulary) {
  if (value.is_map()) return size_below(value, vocabulary);
  if (!expandable || !value.is_list()) return 1;
  std::size_t size = 0;
  for (const Node& item : value.items()) size = sum(size, size_of_value(item, true, vocabulary));
  return size;
}

std::size_t size_below(const Node& map, const Vocabulary& vocabulary) {
  std::size_t size = 1;
  for (const auto& [key, value] : map.entries())
    if (!passes_over(key, vocabulary))
      size = product(size, size_of_value(value, is_expandable(key, vocabulary), vocabulary));
  return size;
}

void list_dimensions(const Node& map, const Vocabulary& vocabulary, std::vector<Dimension>& found) {
  for (const auto& [key, value] : map.entries()) {
    if (passes_over(key, vocabulary)) continue;
    if (value.is_map()) list_dimensions(value, vocabulary, found);
    if (!value.is_list() || !is_expandable(key, vocabulary)) continue;
    found.push_back({key, value.items().size(), value.mark});
    for (const Node& item : value.items()) list_dimensions(item, vocabulary, found);
  }
}

Node* first_list(Node& map, const Vocabulary& vocabulary) {
  for (Node::Entry& entry : map.entries()) {
    if (passes_over(entry.first, vocabulary)) continue;
    if (entry.second.is_map()) {
      if (Node* found = first_list(entry.second, vocabulary)) return found;
    } else if (entry.second.is_list() && is_expandable(entry.first, vocabulary)) {
      return &entry.second;
    }
  }
  return nullptr;
}

const Node* find_anywhere(const Node& map, std::string_view name) {
  if (const Node* found = map.find(name)) return found;
  for (const Node::Entry& entry : map.entries())
    if (const Node* found = find_anywhere(entry.second, name)) return found;
  return nullptr;
}

Result<std::optional<Node>> substituted(const Node& scalar, const Scope& scope);

Result<Value> look_up(const Node& job, std::string_view name, int depth) {
  const Node* found = find_anywhere(job, name);
  if (found == nullptr) return Value{};
  if (!found->is_scalar() || !found->text().contains("{{")) return value_of(*found);
  if (depth > kMaxReferences)
    return usage_error(fmt::format("{}: the expression of '{}' refers to itself", found->mark.text(), name));
  Scope scope{[&job, depth](std::string_view inner) { return look_up(job, inner, depth + 1); }, &job,
              nullptr};
  ASSIGN_OR_RETURN(const std::optional<Node> value, substituted(*found, scope));
  return value ? value_of(*value) : Value{};
}

Result<std::string> text_of(const Value& value, const Mark& at) {
  if (std::holds_alternative<Values>(value.data) || std::holds_alternative<const Node*>(value.data))
    return usage_error(
        fmt::format("{}: the expression gives a list or a map, where text is needed", at.text()));
  return value.text();
}

// The scalar with its expressions evaluated; nullopt when one is nil.
Result<std::optional<Node>> substituted(const Node& scalar, const Scope& scope) {
  const std::string& text = scalar.text();
  std::string out;
  std::size_t from = 0;
  for (std::size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", from)) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string::npos) break;
    Mark at = scalar.mark;
    at.column += static_cast<int>(open) + 2;
    ASSIGN_OR_RETURN(const Value value,
                     evaluate(std::string_view(text).substr(open + 2, close - open - 2), scope, at));
    if (value.is_nil()) return std::optional<Node>();
    ASSIGN_OR_RETURN(const std::string replacement, text_of(value, at));
    out += text.substr(from, open - from) + replacement;
    from = close + 2;
  }
  Node result = Node::scalar(out + text.substr(from), scalar.quoted());
  result.mark = scalar.mark;
  return std::optional(std::move(result));
}

Result<std::optional<Nil>> substitute_below(Node& node, const Node& job) {
  if (node.is_scalar() && node.text().contains("{{")) {
    ASSIGN_OR_RETURN(std::optional<Node> value, substituted(node, scope_of(job)));
    if (!value) return Nil{node.text(), node.mark};
    node = std::move(*value);
  }
  for (Node& item : node.items()) {
    ASSIGN_OR_RETURN(std::optional<Nil> nil, substitute_below(item, job));
    if (nil) return nil;
  }
  for (Node::Entry& entry : node.entries()) {
    ASSIGN_OR_RETURN(std::optional<Nil> nil, substitute_below(entry.second, job));
    if (nil) return nil;
  }
  return std::optional<Nil>();
}

}  // namespace

bool is_expandable(std::string_view key, const Vocabulary& vocabulary) {
  if (vocabulary.is_option(key) || vocabulary.is_program(key)) return true;
  const std::vector<std::string_view>& fixed = expand_dimensions();
  return std::ranges::find(fixed, key) != fixed.end();
}

std::vector<Dimension> dimensions(const Node& job, const Vocabulary& vocabulary) {
  std::vector<Dimension> found;
  list_dimensions(job, vocabulary, found);
  return found;
}

std::size_t matrix_size(const Node& job, const Vocabulary& vocabulary) {
  return size_below(job, vocabulary);
}

Status expand_matrix(Node& job, const Vocabulary& vocabulary, const Visit& visit) {
  Node* list = first_list(job, vocabulary);
  if (list == nullptr) return visit(job);
  Node whole = std::move(*list);
  for (const Node& item : whole.items()) {
    *list = item;
    TRY(expand_matrix(job, vocabulary, visit));
  }
  *list = std::move(whole);
  return {};
}

bool has_expressions(const Node& job) {
  if (job.is_scalar()) return job.text().contains("{{");
  return std::ranges::any_of(job.items(), has_expressions) ||
         std::ranges::any_of(job.entries(),
                             [](const Node::Entry& entry) { return has_expressions(entry.second); });
}

Scope scope_of(const Node& job, const Node* trigger) {
  return {[&job](std::string_view name) { return look_up(job, name, 0); }, &job, trigger};
}

Result<std::optional<Nil>> substitute_expressions(Node& job) {
  return substitute_below(job, job);
}

}  // namespace kilter::job
