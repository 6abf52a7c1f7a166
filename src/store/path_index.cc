#include "store/path_index.h"

#include "base/regex_fault.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <set>

namespace kilter::store {
namespace {

using Match = std::function<bool(const std::string&)>;

constexpr std::size_t kLongestPattern = 500;
constexpr std::size_t kLongestPath = 2000;  // std::regex recurses once per character

Result<Match> matcher(const std::string& pattern) {
  if (pattern.size() > kLongestPattern)
    return usage_error(
        fmt::format("looking up results: a pattern is longer than {} characters", kLongestPattern));
  if (pattern.find_first_of("^$*+?[(|\\") == std::string::npos)
    return [pattern](const std::string& path) { return path.find(pattern) != std::string::npos; };
  try {
    const std::regex regex(pattern);
    return [regex](const std::string& path) {
      return path.size() <= kLongestPath && std::regex_search(path, regex);
    };
  } catch (const std::regex_error& error) {
    return usage_error(fmt::format("looking up results: '{}' is no regular expression ({})",
                                   printable(pattern), regex_fault(error)),
                       "put a backslash before a sign that stands for itself");
  }
}

// "hackbench" and "hackbench-pipe" of a path's ".../hackbench-pipe/...": whatever people type of it.
std::vector<std::string> path_parts(const Path& home, Store& store) {
  constexpr std::size_t kMostParts = 10000;
  const std::string root = (home / "results").string() + "/";
  std::set<std::string> parts;
  for (const std::string& directory : store.directories().value_or(std::vector<std::string>{})) {
    if (parts.size() > kMostParts) break;
    const std::string_view below =
        std::string_view(directory).substr(directory.starts_with(root) ? root.size() : 0);
    for (const std::string_view component : split(below, '/')) {
      parts.emplace(component);
      for (const std::string_view word : split(component, '-')) parts.emplace(word);
    }
  }
  return {parts.begin(), parts.end()};
}

}  // namespace

Error no_path_error(const Path& home, Store& store, std::span<const std::string> patterns) {
  const std::string all = "kilter result lists the runs there are";
  for (const std::string& pattern : patterns) {
    const Result<std::vector<std::string>> found = find_paths(home, store, std::span(&pattern, 1));
    if (!found || !found->empty()) continue;
    const std::string guess = did_you_mean(pattern, path_parts(home, store));
    return {.message = fmt::format("looking for results: no path matches '{}'", printable(pattern)),
            .hint = guess.empty() ? all : guess};
  }
  if (patterns.empty())
    return {.message = "looking for results: there are none yet",
            .hint = "kilter run JOB measures, kilter import DIR takes results in"};
  return {.message = fmt::format("looking for results: no path matches all of '{}'",
                                 printable(join(patterns, "' '"))),
          .hint = all};
}

Result<std::vector<std::string>> find_paths(const Path& home, Store& store,
                                            std::span<const std::string> patterns) {
  std::vector<Match> matches;
  for (const std::string& pattern : patterns) {
    ASSIGN_OR_RETURN(Match match, matcher(pattern));
    matches.push_back(std::move(match));
  }
  ASSIGN_OR_RETURN(const std::vector<StoredRun> runs, store.runs({}));
  const std::string root = (home / "results").string() + "/";
  std::vector<std::string> found;
  try {
    for (const StoredRun& run : runs) {
      const std::string& directory = run.record.directory;
      const std::string path = directory.starts_with(root) ? directory.substr(root.size()) : directory;
      if (std::ranges::all_of(matches, [&](const Match& match) { return match(path); }))
        found.push_back(directory);
    }
  } catch (const std::regex_error&) {
    return usage_error("looking up results: a pattern takes too long to match", "make it simpler");
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace kilter::store
