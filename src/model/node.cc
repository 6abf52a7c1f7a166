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
  node.content_ = std::move(text);
  node.quoted_ = quoted;
  return node;
}

Node Node::null(std::string text) {
  Node node;
  node.content_ = std::move(text);
  return node;
}

Node Node::list(std::vector<Node> items) {
  Node node;
  node.kind_ = Kind::list;
  node.content_ = std::move(items);
  return node;
}

Node Node::map(std::vector<Entry> entries) {
  Node node;
  node.kind_ = Kind::map;
  node.content_ = std::move(entries);
  return node;
}

template <class Part>
const Part& Node::part() const {
  static const Part kNothing;
  const Part* held = std::get_if<Part>(&content_);
  return held == nullptr ? kNothing : *held;
}

template <class Part>
Part& Node::part() {
  thread_local Part nothing;
  if (Part* held = std::get_if<Part>(&content_)) return *held;
  nothing.clear();
  return nothing;
}

const std::string& Node::text() const {
  return part<std::string>();
}

const std::vector<Node>& Node::items() const {
  return part<std::vector<Node>>();
}

std::vector<Node>& Node::items() {
  return part<std::vector<Node>>();
}

const std::vector<Node::Entry>& Node::entries() const {
  return part<std::vector<Entry>>();
}

std::vector<Node::Entry>& Node::entries() {
  return part<std::vector<Entry>>();
}

const Node* Node::find(std::string_view key) const {
  const std::vector<Entry>& all = entries();
  const auto it = std::ranges::find(all, key, &Entry::first);
  return it == all.end() ? nullptr : &it->second;
}

Node* Node::find(std::string_view key) {
  std::vector<Entry>& all = entries();
  const auto it = std::ranges::find(all, key, &Entry::first);
  return it == all.end() ? nullptr : &it->second;
}

std::string Node::get(std::string_view key, std::string_view otherwise) const {
  const Node* node = find(key);
  return node != nullptr && node->is_scalar() ? node->text() : std::string(otherwise);
}

Node& Node::set(std::string_view key, Node value) {
  if (Node* old = find(key)) return *old = std::move(value);
  if (kind_ != Kind::map) {
    kind_ = Kind::map;
    content_ = std::vector<Entry>();
  }
  std::vector<Entry>& all = entries();
  all.emplace_back(std::string(key), std::move(value));
  return all.back().second;
}

bool Node::erase(std::string_view key) {
  return std::erase_if(entries(), [key](const Entry& entry) { return entry.first == key; }) > 0;
}

bool operator==(const Node& a, const Node& b) {
  return a.kind_ == b.kind_ && (a.is_null() || a.text() == b.text()) && a.items() == b.items() &&
         a.entries() == b.entries();
}

}  // namespace kilter::model
