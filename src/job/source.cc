#include "job/source.h"

#include "base/assets.h"
#include "base/text.h"
#include "job/merge.h"
#include "job/template.h"
#include "job/yaml_node.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

constexpr std::size_t kMaxNesting = 16;
constexpr int kMaxFiles = 1000;

std::string directory_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

// A comment worth keeping: one line of plain characters, so that it can be a key.
bool is_kept_comment(std::string_view line) {
  if (line.size() < 3 || line.front() != '#' || (line[1] != ' ' && line[1] != '!')) return false;
  return std::ranges::all_of(line.substr(1), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("- !|/?@<>.,_+=%~").contains(c);
  });
}

struct Comment {
  int line = 0;  // in the text, 1-based
  std::string text;
};

std::vector<Comment> kept_comments(std::string_view text) {
  std::vector<Comment> comments;
  int number = 0;
  bool after_blank = false;
  for (const std::string_view line : lines(text)) {
    ++number;
    if (after_blank && is_kept_comment(line)) comments.push_back({number, std::string(line)});
    after_blank = line.empty();
  }
  return comments;
}

// Puts the comments of the document's lines in front of the keys they stand before.
void insert_comments(YamlDocument& document, const std::vector<Comment>& comments,
                     const std::vector<int>& lines) {
  if (!document.root.is_map()) return;
  std::vector<Node::Entry>& entries = document.root.entries();
  const auto first = std::ranges::lower_bound(comments, document.line, {}, &Comment::line);
  const auto end = std::ranges::lower_bound(first, comments.end(), document.end_line, {}, &Comment::line);
  for (const Comment& comment : std::ranges::subrange(first, end)) {
    const std::size_t index = static_cast<std::size_t>(comment.line - 1);
    const int line = index < lines.size() ? lines[index] : comment.line;
    const auto place = std::ranges::find_if(
        entries, [line](const Node::Entry& entry) { return entry.second.mark.line > line; });
    if (document.root.find(comment.text) != nullptr) continue;
    Node key;
    key.mark = {document.root.mark.file, line, 1};
    entries.emplace(place, comment.text, std::move(key));
  }
}

Error at(const Mark& mark, const std::string& message, std::string hint = {}) {
  return {ErrorCode::usage, fmt::format("{}: {}", mark.text(), printable(message)), std::move(hint)};
}

}  // namespace

std::optional<std::string> SourceLoader::read_file(const FileReader& read, const std::string& path) {
  if (std::optional<std::string> text = read(path)) return text;
  std::string inside = path;  // programs/NAME/include travels as include/programs/NAME
  if (inside.starts_with("programs/") && inside.ends_with("/include"))
    inside = "include/" + inside.substr(0, inside.size() - std::string_view("/include").size());
  const std::optional<std::string_view> built_in = asset(inside);
  return built_in ? std::optional<std::string>(*built_in) : std::nullopt;
}

Result<std::vector<Node>> SourceLoader::load(const std::string& path, const SourceOptions& options) {
  if (std::ranges::find(open_, path) != open_.end())
    return usage_error(fmt::format("reading '{}': it includes itself, by {}", path, join(open_, " -> ")),
                       "take one of the '<<' entries out");
  if (open_.size() >= kMaxNesting || ++files_ > kMaxFiles)
    return usage_error(fmt::format("reading '{}': too many files included", path));
  std::optional<std::string> text = read_file(read_, path);
  if (!text)
    return usage_error(fmt::format("reading '{}': no such file", path), "give the path of a job file");
  open_.push_back(path);
  Result<std::vector<Node>> documents = parse(std::move(*text), path, options);
  open_.pop_back();
  return documents;
}

Result<std::vector<Node>> SourceLoader::parse(std::string text, const std::string& file,
                                              const SourceOptions& options) {
  TRY(check_text(text, file));
  text = plain_comments(std::move(text));
  if (options.compatible) text = keep_job_sections(text);
  SourceText source = source_text(std::move(text));
  if (options.erb &&
      (source.text.contains("<%") || source.text.contains("\n%") || source.text.starts_with('%'))) {
    ASSIGN_OR_RETURN(source, expand_erb(source.text, file, scope_));
  }
  ASSIGN_OR_RETURN(const MaskedText masked, mask_expressions(std::move(source), file));
  ASSIGN_OR_RETURN(std::vector<YamlDocument> parsed,
                   parse_yaml(masked.source.text, file, masked.source.lines));
  const std::vector<Comment> comments = kept_comments(masked.source.text);
  std::vector<Node> documents;
  for (YamlDocument& document : parsed) {
    std::ranges::move(document.warnings, std::back_inserter(warnings_));
    if (document.root.is_null()) document.root = Node::map();
    if (!document.root.is_map())
      return fail(at(document.root.mark, "a job document is a map of keys and values"));
    if (&document == &parsed.front()) document.line = 0;
    insert_comments(document, comments, masked.source.lines);
    unmask_expressions(document.root, masked.expressions);
    ASSIGN_OR_RETURN(std::vector<Node> merged, merge_documents(std::move(document.root), file, true));
    std::ranges::move(merged, std::back_inserter(documents));
  }
  return documents;
}

// `<<: FILE` stands for the text of FILE: what is before it joins FILE's first document, what comes after it
// the last.
Result<std::vector<Node>> SourceLoader::merge_documents(Node document, const std::string& file, bool top) {
  const bool merges = document.find("<<") != nullptr;
  std::vector<Node> documents = {Node::map()};
  documents.back().mark = document.mark;
  for (Node::Entry& entry : document.entries()) {
    if (entry.first != "<<") {
      TRY(merge_below(entry.second, file));
      if (merges)
        documents.back().set(entry.first, std::move(entry.second));
      else
        documents.back().entries().push_back(std::move(entry));
      continue;
    }
    ASSIGN_OR_RETURN(std::vector<Node> more, included(entry.second, file));
    if (!top && more.size() > 1)
      return fail(at(entry.second.mark, "'<<' below a key needs a file of one document",
                     "put the '<<' at the top level, or split the file"));
    for (std::size_t i = 0; i < more.size(); ++i) {
      if (i > 0) documents.push_back(Node::map());
      for (Node::Entry& inner : more[i].entries()) documents.back().set(inner.first, std::move(inner.second));
    }
  }
  return documents;
}

Status SourceLoader::merge_below(Node& value, const std::string& file) {
  for (Node& item : value.items()) TRY(merge_below(item, file));
  if (!value.is_map()) return {};
  if (value.find("<<") == nullptr) {
    for (Node::Entry& entry : value.entries()) TRY(merge_below(entry.second, file));
    return {};
  }
  ASSIGN_OR_RETURN(std::vector<Node> merged, merge_documents(std::move(value), file, false));
  value = std::move(merged.front());
  return {};
}

// FILE, or {file: FILE, key: value..., ignore: [key...]}: the keys are set in, or taken out of, every
// document.
Result<std::vector<Node>> SourceLoader::included(const Node& what, const std::string& from) {
  const bool with_changes = what.is_map() && what.find("file") != nullptr;
  if (!what.is_scalar() && !with_changes)
    return fail(at(what.mark, "'<<' needs a file name or a map with 'file'", "write '<<: jobs/NAME.yaml'"));
  const std::string name = with_changes ? what.get("file") : what.text();
  ASSIGN_OR_RETURN(const std::string path, find_file(name, what.mark, from));
  Result<std::vector<Node>> documents = load(path, {});
  if (!documents) return fail(documents.error().in(what.mark.text()));
  if (!with_changes) return documents;
  Node changes = what;
  const Node ignored = what.find("ignore") == nullptr ? Node() : *what.find("ignore");
  changes.erase("file");
  changes.erase("ignore");
  for (Node& document : *documents) {
    merge(document, changes, Priority::overrides);
    for (const Node& key : ignored.items()) document.erase(key.text());
    if (ignored.is_scalar()) document.erase(ignored.text());
  }
  return documents;
}

// Beside the including file, below the root, in jobs/, in the job directory of the file's own name.
Result<std::string> SourceLoader::find_file(const std::string& name, const Mark& mark,
                                            const std::string& from) {
  std::vector<std::string> places = {directory_of(from) + name, name, "jobs/" + name};
  for (std::string stem = name.substr(0, name.rfind('.')); !stem.empty();) {
    places.push_back("jobs/" + stem + "/" + name);
    const std::size_t dash = stem.rfind('-');
    stem = dash == std::string::npos ? std::string() : stem.substr(0, dash);
  }
  for (const std::string& place : places)
    if (!name.empty() && read_file(read_, place)) return place;
  return fail(at(mark, fmt::format("included file '{}' not found", name),
                 fmt::format("it is looked for beside '{}', below the root and in jobs/", from)));
}

}  // namespace kilter::job
