#include "analyse/pattern_set.h"

#include <algorithm>

namespace kilter::analyse {

Status PatternSet::add(std::string_view pattern) {
  ASSIGN_OR_RETURN(Pattern compiled, Pattern::compile(pattern, mode_));
  const std::uint32_t index = static_cast<std::uint32_t>(patterns_.size());
  if (compiled.prefix().empty())
    anywhere_.push_back(index);
  else
    by_byte_[static_cast<unsigned char>(compiled.prefix()[0])].push_back(index);
  patterns_.push_back(std::move(compiled));
  return {};
}

std::size_t PatternSet::first_of(const std::vector<std::uint32_t>& bucket, std::string_view key) const {
  for (const std::uint32_t index : bucket)
    if (patterns_[index].matches(key)) return index;
  return patterns_.size();
}

std::optional<std::size_t> PatternSet::first(std::string_view key) const {
  std::size_t found = first_of(anywhere_, key);
  if (!key.empty()) found = std::min(found, first_of(by_byte_[static_cast<unsigned char>(key[0])], key));
  if (found == patterns_.size()) return std::nullopt;
  return found;
}

}  // namespace kilter::analyse
