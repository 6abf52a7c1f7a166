#include "job/merge.h"

#include "job/programs.h"

#include <algorithm>

namespace kilter::job {
namespace {

using model::Node;

Node as_list(const Node& value) {
  if (value.is_list()) return value;
  if (value.is_null()) return Node::list();
  return Node::list({value});
}

void append(Node& target, const Node& value) {
  if (target.is_null()) {
    target = value;
  } else if (target.is_map() && value.is_map()) {
    for (const Node::Entry& entry : value.entries()) target.set(entry.first, entry.second);
  } else {
    Node list = as_list(target);
    list.mark = target.mark;
    const Node more = as_list(value);
    for (const Node& item : more.items())
      if (std::ranges::find(list.items(), item) == list.items().end()) list.items().push_back(item);
    target = std::move(list);
  }
}

// False: nothing is left, the key goes too.
bool remove(Node& target, const Node& value) {
  if (value.is_null()) return false;
  if (target.is_map()) {
    const Node keys = as_list(value);
    for (const Node& key : keys.items()) target.erase(key.text());
    for (const Node::Entry& entry : value.entries()) target.erase(entry.first);
    return true;
  }
  if (!target.is_list()) return !(target == value);
  const Node gone = as_list(value);
  std::erase_if(target.items(), [&gone](const Node& item) {
    return std::ranges::find(gone.items(), item) != gone.items().end();
  });
  return true;
}

// The map that holds `key` as a program: the job itself or a block in it.
Node* holder_of(Node& job, std::string_view key) {
  if (job.find(key) != nullptr) return &job;
  for (Node::Entry& entry : job.entries())
    if (is_block_key(entry.first) && entry.second.is_map())
      if (Node* inner = holder_of(entry.second, key)) return inner;
  return nullptr;
}

struct Place {
  Node* map = nullptr;
  std::string_view key;
};

// Where "a.b.c" lives. A key such as "memory.high" that leads into no map is a plain key.
Place place_of(Node& job, std::string_view key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return {&job, key};
  const std::string_view head = key.substr(0, dot);
  Node* map = holder_of(job, head);
  if (map == nullptr) {
    if (Catalogue::builtin().find(head) == nullptr) return {&job, key};
    job.set(head, Node());
    map = &job;
  }
  std::string_view rest = key;
  while (true) {
    const std::size_t next = rest.find('.');
    if (next == std::string_view::npos) return {map, rest};
    Node* inner = map->find(rest.substr(0, next));
    if (inner == nullptr) inner = &map->set(rest.substr(0, next), Node::map());
    if (inner->is_null()) *inner = Node::map();
    if (!inner->is_map()) return map == &job ? Place{&job, key} : Place{map, rest};
    map = inner;
    rest.remove_prefix(next + 1);
  }
}

void append_at(Node& job, std::string_view key, const Node& value) {
  const Place place = place_of(job, key);
  Node* old = place.map->find(place.key);
  append(old != nullptr ? *old : place.map->set(place.key, Node()), value);
}

void remove_at(Node& job, std::string_view key, const Node& value) {
  const Place place = place_of(job, key);
  Node* old = place.map->find(place.key);
  if (old != nullptr && !remove(*old, value)) place.map->erase(place.key);
}

}  // namespace

bool is_accumulative(std::string_view key) {
  if (key == "mail_to" || key == "mail_cc" || key == "constraints") return true;
  return key.starts_with("need_") && key != "need_memory" && key != "need_cpu" && key != "need_modules";
}

bool is_comment_key(std::string_view key) {
  return key.starts_with('#');
}

bool is_block_key(std::string_view key) {
  return key.starts_with("if ") || key.starts_with("for ") || key.starts_with("while ") ||
         key.starts_with("until ");
}

void merge_entry(Node& job, std::string_view key, const Node& value, Priority priority) {
  const std::string_view stem = key.substr(0, key.size() - (key.empty() ? 0 : 1));
  if (is_comment_key(key) || is_block_key(key)) {
    if (job.find(key) == nullptr || (priority == Priority::overrides && is_block_key(key)))
      job.set(key, value);
  } else if (key.ends_with('+')) {
    append_at(job, stem, value);
  } else if (key.ends_with('-')) {
    remove_at(job, stem, value);
  } else if (is_accumulative(key)) {
    append_at(job, key, value);
  } else {
    const Place place = place_of(job, key);
    if (priority == Priority::overrides || place.map->find(place.key) == nullptr)
      place.map->set(place.key, value);
  }
}

void merge(Node& job, const Node& more, Priority priority) {
  for (const Node::Entry& entry : more.entries()) merge_entry(job, entry.first, entry.second, priority);
}

}  // namespace kilter::job
