#include "model/series.h"

#include <algorithm>

namespace kilter::model {

std::size_t Matrix::columns() const {
  if (!sources.empty()) return sources.size();
  std::size_t longest = 0;
  for (const MatrixRow& row : rows) longest = std::max(longest, row.values.size());
  return longest;
}

const MatrixRow* Matrix::find(const std::string& key) const {
  const auto it = std::ranges::find(rows, key, &MatrixRow::key);
  return it == rows.end() ? nullptr : &*it;
}

}  // namespace kilter::model
