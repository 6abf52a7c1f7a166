#include "model/node.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace kilter::model {

FileName::FileName(std::string_view name) {
  static std::mutex lock;
  static std::unordered_set<std::string> names;
  if (name.empty()) return;
  const std::scoped_lock locked(lock);
  name_ = &*names.emplace(name).first;
}

const std::string& FileName::text() const {
  static const std::string kNone;
  return name_ == nullptr ? kNone : *name_;
}

std::string Mark::text() const {
  if (line == 0) return file.text();
  return fmt::format("{}:{}:{}", file.text(), line, column);
}

Node Node::scalar(std::string text, bool quoted) {
  Node node;
  node.kind_ = Kind::scalar;
  node.text_ = std::move(text);
  node.quoted_ = quoted;
  return node;
}

Node Node::null(std::string text) {
  Node node;
  node.text_ = std::move(text);
  return node;
}

Node Node::list(std::vector<Node> items) {
  Node node;
  node.kind_ = Kind::list;
  node.items_ = std::move(items);
  return node;
}

Node Node::map(std::vector<Entry> entries) {
  Node node;
  node.kind_ = Kind::map;
  node.entries_ = std::move(entries);
  return node;
}

const Node* Node::find(std::string_view key) const {
  const auto it = std::ranges::find(entries_, key, &Entry::first);
  return it == entries_.end() ? nullptr : &it->second;
}

Node* Node::find(std::string_view key) {
  const auto it = std::ranges::find(entries_, key, &Entry::first);
  return it == entries_.end() ? nullptr : &it->second;
}

std::string Node::get(std::string_view key, std::string_view otherwise) const {
  const Node* node = find(key);
  return node != nullptr && node->is_scalar() ? node->text() : std::string(otherwise);
}

Node& Node::set(std::string_view key, Node value) {
  if (Node* old = find(key)) return *old = std::move(value);
  entries_.emplace_back(std::string(key), std::move(value));
  return entries_.back().second;
}

bool Node::erase(std::string_view key) {
  return std::erase_if(entries_, [key](const Entry& entry) { return entry.first == key; }) > 0;
}

bool operator==(const Node& a, const Node& b) {
  return a.kind_ == b.kind_ && (a.is_null() || a.text_ == b.text_) && a.items_ == b.items_ &&
         a.entries_ == b.entries_;
}

}  // namespace kilter::model
