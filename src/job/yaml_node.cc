#include "job/yaml_node.h"

#include "base/text.h"
#include "base/utf8.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

constexpr std::size_t kMaxText = std::size_t{16} << 20;
constexpr std::size_t kMaxValues = 200000;
constexpr std::size_t kMostWarnings = 10;  // of a document
constexpr std::size_t kIndexFrom = 32;     // maps larger than this find their keys by hash

// Thrown inside this file only: the event interface of yaml-cpp has no other way out.
struct Rejected {
  Mark mark;
  std::string message;
  std::string hint;
};

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

Node plain_scalar(const std::string& text) {
  if (text.size() <= 5) {
    if (one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"}))
      return Node::scalar("true");
    if (one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"}))
      return Node::scalar("false");
  }
  return Node::scalar(text);
}

constexpr std::string_view kNull = "null";

// yaml-cpp tells of a null only where it stands; of an empty value, where the next token does.
bool is_null_word(std::string_view text, const YAML::Mark& at) {
  if (at.pos < 0 || static_cast<std::size_t>(at.pos) >= text.size()) return false;
  const std::string_view rest = text.substr(static_cast<std::size_t>(at.pos));
  if (!rest.starts_with(kNull)) return false;
  const std::string_view line = lines(rest.substr(0, rest.find('\n'))).front();
  const std::string_view after = line.substr(kNull.size());
  const std::size_t next = after.find_first_not_of(" \t\r");
  return next == std::string_view::npos || std::string_view(",]}#").contains(after[next]);
}

class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, const std::string& file, std::span<const int> lines, std::size_t& values)
      : text_(text), file_(file), lines_(lines), values_(values) {}

  int document_line = 0;

  Node take() { return std::move(root_); }
  std::vector<std::string> take_warnings() { return std::move(warnings_); }

  Mark mark(const YAML::Mark& at) const {
    const int line = at.line + 1;
    const bool mapped = at.line >= 0 && static_cast<std::size_t>(at.line) < lines_.size();
    return Mark{file_, mapped ? lines_[static_cast<std::size_t>(at.line)] : line, at.column + 1};
  }

  void OnDocumentStart(const YAML::Mark& at) override { document_line = at.line + 1; }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& at, YAML::anchor_t anchor) override {
    add(is_null_word(text_, at) ? Node::null(std::string(kNull)) : Node(), at, anchor);
  }

  void OnScalar(const YAML::Mark& at, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool quoted = tag == "!";
    add(quoted || wants_key() ? Node::scalar(value, quoted) : plain_scalar(value), at, anchor);
  }

  void OnAlias(const YAML::Mark& at, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw Rejected{mark(at), "alias of a value that is not complete", ""};
    count(found->second.values, at);
    Node copy = found->second.node;
    place(std::move(copy), at, true);
  }

  void OnSequenceStart(const YAML::Mark& at, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::list(), at, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& at, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::map(), at, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::Mark at;
    YAML::anchor_t anchor = 0;
    std::size_t values_before = 0;
    std::optional<std::string> key;
    std::vector<Node> merges;  // of `<<: *alias`
    std::unordered_map<std::string, std::size_t> index;
  };
  struct Anchored {
    Node node;
    std::size_t values = 1;
  };

  bool wants_key() const {
    return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().key.has_value();
  }

  void count(std::size_t values, const YAML::Mark& at) {
    values_ += values;
    if (values_ > kMaxValues)
      throw Rejected{mark(at), fmt::format("more than {} values, aliases expanded", kMaxValues),
                     "split the file"};
  }

  void open(Node node, const YAML::Mark& at, YAML::anchor_t anchor) {
    if (wants_key()) throw Rejected{mark(at), "a key must be text, not a map or a list", ""};
    count(1, at);
    frames_.push_back({std::move(node), at, anchor, values_, std::nullopt, {}, {}});
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (const Node& merge : frame.merges)
      for (const Node::Entry& entry : merge.entries())
        if (frame.node.find(entry.first) == nullptr) frame.node.entries().push_back(entry);
    if (frame.anchor != 0) anchors_[frame.anchor] = {frame.node, values_ - frame.values_before + 1};
    place(std::move(frame.node), frame.at, false);
  }

  void add(Node node, const YAML::Mark& at, YAML::anchor_t anchor) {
    count(1, at);
    node.mark = mark(at);
    if (anchor != 0) anchors_[anchor] = {node, 1};
    place(std::move(node), at, false);
  }

  void place(Node node, const YAML::Mark& at, bool alias) {
    node.mark = mark(at);
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.is_list()) {
      frame.node.items().push_back(std::move(node));
    } else if (!frame.key) {
      take_key(frame, node);
    } else {
      add_entry(frame, std::move(node), alias);
      frame.key.reset();
    }
  }

  static void take_key(Frame& frame, const Node& node) {
    if (node.is_map() || node.is_list())
      throw Rejected{node.mark, "a key must be text, not a map or a list", ""};
    frame.key = node.text();
    key_mark(frame) = node.mark;
  }
  // Keys carry no mark of their own: an empty map's mark is lent to the key until its value comes.
  static Mark& key_mark(Frame& frame) { return frame.node.mark; }

  void add_entry(Frame& frame, Node node, bool alias) {
    const std::string& key = *frame.key;
    node.mark = node.is_scalar() ? node.mark : key_mark(frame);
    if (key == "<<" && alias && merge_alias(frame, node)) return;
    if (key == "<<" || !replace(frame, key, node)) {
      if (frame.node.entries().size() >= kIndexFrom) frame.index.emplace(key, frame.node.entries().size());
      frame.node.entries().emplace_back(key, std::move(node));
      if (frame.node.entries().size() == kIndexFrom) build_index(frame);
    }
  }

  static bool merge_alias(Frame& frame, const Node& node) {
    if (!node.is_map()) return false;
    frame.merges.push_back(node);
    return true;
  }

  static void build_index(Frame& frame) {
    for (std::size_t i = 0; i < frame.node.entries().size(); ++i)
      frame.index.emplace(frame.node.entries()[i].first, i);
  }

  // A key written twice: the later value wins, in the first one's place.
  bool replace(Frame& frame, const std::string& key, Node& node) {
    Node* old = nullptr;
    if (frame.index.empty()) {
      old = frame.node.find(key);
    } else if (const auto found = frame.index.find(key); found != frame.index.end()) {
      old = &frame.node.entries()[found->second].second;
    }
    if (old == nullptr) return false;
    if (key.empty() || key[0] != '#') warn_of_two(key, key_mark(frame), old->mark);
    *old = std::move(node);
    return true;
  }

  void warn_of_two(const std::string& key, const Mark& later, const Mark& earlier) {
    if (warnings_.size() < kMostWarnings)
      warnings_.push_back(fmt::format("{}: key '{}' stands in line {} already: the later value counts",
                                      later.text(), printable(key), earlier.line));
  }

  std::string_view text_;
  model::FileName file_;
  std::span<const int> lines_;
  Node root_;
  std::vector<std::string> warnings_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t& values_;  // of all documents so far
};

Error rejected(const Rejected& why) {
  return {ErrorCode::usage, fmt::format("{}: {}", why.mark.text(), printable(why.message)), why.hint};
}

std::string syntax_hint(std::string_view message) {
  if (message.find("end of map") != std::string_view::npos ||
      message.find("illegal map") != std::string_view::npos)
    return "look at the indentation of this line and of the one before, and for a missing ': '";
  return "a value that begins with one of {}[]&*!|>'\"%@` must be quoted; indent with blanks, not tabs";
}

std::string position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return fmt::format("{}:{}", std::ranges::count(before, '\n') + 1, column + 1);
}

}  // namespace

Status check_text(std::string_view text, const std::string& file) {
  if (text.size() > kMaxText)
    return usage_error(fmt::format("reading '{}': larger than 16 MiB", file), "split the file");
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (text[i] == '\0')
      return usage_error(fmt::format("{}:{}: NUL byte in a text file", file, position(text, i)));
    if (length == 0)
      return usage_error(fmt::format("{}:{}: invalid UTF-8", file, position(text, i)),
                         "save the file as UTF-8");
    i += length;
  }
  return {};
}

Result<std::vector<YamlDocument>> parse_yaml(std::string_view text, const std::string& file,
                                             std::span<const int> source_lines) {
  std::vector<YamlDocument> documents;
  std::optional<Error> error;
  std::size_t values = 0;
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    for (bool more = true; more;) {
      Builder builder(text, file, source_lines, values);
      try {
        more = parser.HandleNextDocument(builder);
      } catch (const YAML::Exception& e) {
        error = {ErrorCode::usage, fmt::format("{}: {}", builder.mark(e.mark).text(), printable(e.msg)),
                 syntax_hint(e.msg)};
        break;
      }
      if (more) documents.push_back({builder.take(), builder.document_line, 0, builder.take_warnings()});
    }
  } catch (const Rejected& why) {
    error = rejected(why);
  } catch (const std::exception& e) {
    error = {ErrorCode::usage, fmt::format("reading '{}': {}", file, e.what()), ""};
  }
  if (error) return fail(std::move(*error));
  const int end = static_cast<int>(std::ranges::count(text, '\n')) + 2;
  for (std::size_t i = 0; i < documents.size(); ++i)
    documents[i].end_line = i + 1 < documents.size() ? documents[i + 1].line : end;
  return documents;
}

}  // namespace kilter::job
