#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kilter::model {

// The name of a file, kept once for all nodes that came from it: as small as a pointer. Names are never
// forgotten; a program reads few files.
class FileName {
 public:
  FileName() = default;
  FileName(std::string_view name);
  FileName(const std::string& name) : FileName(std::string_view(name)) {}
  FileName(const char* name) : FileName(std::string_view(name)) {}
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] bool empty() const { return name_ == nullptr; }
  friend bool operator==(const FileName& a, const FileName& b) = default;

 private:
  const std::string* name_ = nullptr;  // nullptr: ""
};

// Where a node stood: 1-based; line 0 means it came from no file. `file` is empty for the job itself.
struct Mark {
  FileName file;
  int line = 0;
  int column = 0;
  // "jobs/netperf.yaml:12:5", or "" when it came from no file.
  [[nodiscard]] std::string text() const;
};

// A YAML value with document order, the scalar text as written, and its place in the file.
class Node {
 public:
  enum class Kind { null, scalar, list, map };
  using Entry = std::pair<std::string, Node>;

  Node() = default;
  // A null that was written as a word: `null`.
  static Node null(std::string text);
  static Node scalar(std::string text, bool quoted = false);
  static Node list(std::vector<Node> items = {});
  static Node map(std::vector<Entry> entries = {});

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
  [[nodiscard]] bool is_scalar() const { return kind_ == Kind::scalar; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::list; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::map; }

  // Scalar text; of a null the word it was written as, if any; "" for the others. `quoted`: it was quoted in
  // the file, so "1" is a string, not an integer.
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] bool quoted() const { return quoted_; }
  // Of a list, and of a map. Of every other node they are empty, and what is put into them is lost.
  [[nodiscard]] const std::vector<Node>& items() const;
  [[nodiscard]] std::vector<Node>& items();
  [[nodiscard]] const std::vector<Entry>& entries() const;
  [[nodiscard]] std::vector<Entry>& entries();

  // Map look-ups; nullptr when absent or not a map.
  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  // Text of a scalar entry, or `otherwise`.
  [[nodiscard]] std::string get(std::string_view key, std::string_view otherwise = {}) const;
  // Replaces in place or appends; what is no map becomes one.
  Node& set(std::string_view key, Node value);
  bool erase(std::string_view key);

  Mark mark;

  // Values, not marks.
  friend bool operator==(const Node& a, const Node& b);

 private:
  template <class Part>
  [[nodiscard]] const Part& part() const;
  template <class Part>
  [[nodiscard]] Part& part();

  Kind kind_ = Kind::null;
  bool quoted_ = false;
  // One at a time: jobs are made of very many nodes.
  std::variant<std::string, std::vector<Node>, std::vector<Entry>> content_;
};

}  // namespace kilter::model
