#include "job/blocks.h"

#include "base/text.h"
#include "job/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace kilter::job {
namespace {

using model::Node;

bool is_role_word(std::string_view word) {
  return std::ranges::all_of(
      word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; });
}

// "if role server", "if role server client".
bool asks_for_role(std::string_view key) {
  const std::vector<std::string_view> parts = words(key);
  return parts.size() > 2 && parts[0] == "if" && parts[1] == "role" &&
         std::ranges::all_of(parts, is_role_word);
}

bool is_shell(std::string_view key) {
  if (key.starts_with("function ") || key.starts_with("script ")) return true;
  return is_block_key(key) && !asks_for_role(key);
}

const Node::Entry* find_shell(const Node& map) {
  for (const Node::Entry& entry : map.entries()) {
    if (is_shell(entry.first)) return &entry;
    if (const Node::Entry* found = find_shell(entry.second)) return found;
  }
  return nullptr;
}

}  // namespace

Status refuse_shell_blocks(const model::UnitJob& unit) {
  const Node::Entry* shell = find_shell(unit.body);
  if (shell == nullptr) return {};
  const std::string place = place_of(unit, shell->second);
  return usage_error(
      fmt::format("{}{}planning {}: shell blocks are not run by kilter: '{}'", place,
                  place.empty() ? "" : ": ", unit.testcase, printable(shell->first)),
      "write a list under an option for a loop, {{ }} for a condition, a suite file for a script");
}

}  // namespace kilter::job
