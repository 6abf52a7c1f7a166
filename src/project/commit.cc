#include "project/commit.h"

#include "base/text.h"

#include <algorithm>

namespace kilter::project {
namespace {

constexpr std::size_t kNameLimit = 512;
constexpr std::size_t kSubjectLimit = 4096;
constexpr std::size_t kBodyLimit = std::size_t{256} << 10;
constexpr std::size_t kTagLimit = 500;

// Cuts at a UTF-8 boundary.
std::string bounded(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return std::string(text.substr(0, limit));
}

// The text up to the next newline, taken off the front.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_tag_name(std::string_view name) {
  if (name.size() < 2 || name.size() > 40 || name[0] < 'A' || name[0] > 'Z') return false;
  if (!std::ranges::all_of(
          name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; }))
    return false;
  return name.contains('-') || name == "Cc" || name == "CC" || name == "Fixes" || name == "Link" ||
         name == "Closes";
}

bool parse_commit(std::string_view record, model::Commit& commit) {
  if (std::ranges::count(record, '\n') < 5) return false;
  commit.sha = std::string(take_line(record));
  for (const std::string_view parent : words(take_line(record))) commit.parents.emplace_back(parent);
  commit.author_name = bounded(take_line(record), kNameLimit);
  commit.author_email = bounded(take_line(record), kNameLimit);
  commit.author_time = parse_int(take_line(record)).value_or(0);
  commit.subject = bounded(take_line(record), kSubjectLimit);
  while (record.starts_with('\n')) record.remove_prefix(1);
  while (record.ends_with('\n')) record.remove_suffix(1);
  commit.body = bounded(record, kBodyLimit);
  commit.tags = commit_tags(commit.body);
  return commit.sha.size() >= 40;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> commit_tags(std::string_view body) {
  std::vector<std::pair<std::string, std::string>> tags;
  for (const std::string_view line : lines(body)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_tag_name(line.substr(0, colon))) continue;
    const std::string_view value = trim(line.substr(colon + 1));
    if (value.empty() || !line.substr(colon + 1).starts_with(' ')) continue;
    if (tags.size() < kTagLimit)
      tags.emplace_back(std::string(line.substr(0, colon)), bounded(value, kNameLimit));
  }
  return tags;
}

std::vector<model::Commit> parse_commits(std::string_view text) {
  std::vector<model::Commit> commits;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    model::Commit commit;
    if (parse_commit(text.substr(0, end), commit)) commits.push_back(std::move(commit));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return commits;
}

}  // namespace kilter::project
