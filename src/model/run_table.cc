#include "model/run_table.h"

#include <algorithm>

namespace kilter::model {

RunTable::RunTable(std::vector<std::string> keys, std::vector<Run> runs)
    : keys_(std::move(keys)),
      runs_(std::move(runs)),
      values_(keys_.size() * runs_.size(), std::numeric_limits<double>::quiet_NaN()) {}

std::span<const double> RunTable::of(std::string_view key) const {
  const std::vector<std::string>::const_iterator it = std::ranges::lower_bound(keys_, key);
  if (it == keys_.end() || *it != key) return {};
  const std::size_t index = static_cast<std::size_t>(it - keys_.begin());
  return std::span(values_).subspan(index * runs_.size(), runs_.size());
}

std::vector<std::span<const double>> BuildHistory::of(std::string_view key) const {
  const std::span<const double> values = runs.of(key);
  std::vector<std::span<const double>> builds;
  if (values.empty()) return builds;
  builds.reserve(begins.size());
  for (std::size_t build = 0; build < begins.size(); ++build) {
    const std::size_t end = build + 1 < begins.size() ? begins[build + 1] : values.size();
    builds.push_back(values.subspan(begins[build], end - begins[build]));
  }
  return builds;
}

}  // namespace kilter::model
