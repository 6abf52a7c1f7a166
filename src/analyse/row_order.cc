#include "analyse/row_order.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace kilter::analyse {
namespace {

constexpr int kFailureStart = -10000;

using Weights = std::unordered_map<std::string_view, int>;

// Failure rows are counted first: a program that has one starts low.
Weights weights_of(const std::vector<model::CompareRow>& rows, const Benchmarks& benchmarks) {
  Weights weights;
  for (const bool failures : {true, false})
    for (const model::CompareRow& row : rows)
      if (row.failure == failures)
        ++weights.try_emplace(base_of(row.key), failures ? kFailureStart : 0).first->second;
  for (auto& [program, weight] : weights)
    if (is_test_program(program, benchmarks)) weight = 0;
  return weights;
}

std::string_view sort_key(std::string_view key) {
  if (base_of(key) != "perf-profile") return key;
  const std::size_t first = key.find('.');
  return key.substr(0, first == std::string_view::npos ? first : key.find('.', first + 1));
}

// A total order on changes: NaN after everything.
int order(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return a < b ? -1 : static_cast<int>(a > b);
}

int order(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const int difference = order(a[i], b[i]); difference != 0) return difference;
  return 0;
}

// Our blocks, below the failures.
int block_of(const model::CompareRow& row, const Benchmarks& benchmarks) {
  if (row.info.headline) return 0;
  if (!is_test_program(base_of(row.key), benchmarks)) return 3;
  return row.info.direction == model::Direction::unknown ? 2 : 1;
}

struct Place {
  const model::CompareRow* row;
  int block;  // 0 in LKP's order
  int weight;
  std::string_view key;
};

bool is_before(const Place& a, const Place& b) {
  if (a.row->failure != b.row->failure) return a.row->failure;
  if (a.block != b.block) return a.block < b.block;
  if (a.weight != b.weight) return a.weight < b.weight;
  if (a.key != b.key) return a.key < b.key;
  const int changes = order(a.row->changes, b.row->changes);
  return changes != 0 ? changes < 0 : a.row->key < b.row->key;
}

}  // namespace

void sort_rows(std::vector<model::CompareRow>& rows, const Benchmarks& benchmarks, RowOrder order) {
  const Weights weights = weights_of(rows, benchmarks);
  std::vector<Place> places;
  places.reserve(rows.size());
  for (const model::CompareRow& row : rows)
    places.push_back({.row = &row,
                      .block = order == RowOrder::lkp || row.failure ? 0 : block_of(row, benchmarks),
                      .weight = weights.at(base_of(row.key)),
                      .key = sort_key(row.key)});
  std::ranges::sort(places, is_before);
  std::vector<model::CompareRow> sorted;
  sorted.reserve(rows.size());
  for (const Place& place : places)
    sorted.push_back(std::move(rows[static_cast<std::size_t>(place.row - rows.data())]));
  rows = std::move(sorted);
}

}  // namespace kilter::analyse
