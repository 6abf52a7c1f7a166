#include "analyse/copies.h"

#include "analyse/column.h"
#include "analyse/key_lists.h"
#include "model/run.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace kilter::analyse {
namespace {

constexpr double kExact = 1e-6;
constexpr double kPagesTolerance = 2e-3;  // both are sampled once a second, not at the same moment
constexpr double kPagesSpreadTolerance = 0.1;
constexpr double kKbPerPage = 4;
constexpr double kInformative = 100;  // smaller averages print too few digits to tell rows apart
constexpr std::size_t kMostNeighbours = 64;

bool is_mergeable(const SampledRow& row) {
  return !row.row.failure && !row.row.key.starts_with("perf-profile.");
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

// Counts of a few events are equal by chance.
bool is_informative(const SampledRow& row) {
  const auto [low, high] = std::ranges::minmax_element(row.samples);
  if (row.samples.size() < 2 || *low == *high) return false;
  return std::ranges::any_of(row.samples, [](double sample) {
    return std::abs(sample) >= kInformative || sample != std::floor(sample);
  });
}

bool same_counts(const SampledRow& a, const SampledRow& b) {
  return std::ranges::equal(a.row.cells, b.row.cells, {}, &model::CellSummary::n, &model::CellSummary::n);
}

bool same_samples(const SampledRow& a, const SampledRow& b) {
  return std::ranges::equal(a.samples, b.samples, [](double x, double y) { return near(x, y, kExact); });
}

// The ± of a cell as tables show it.
double shown_percent(const model::CellSummary& cell) {
  const double percent = 100 * cell.stddev / cell.average;
  return percent > 2 ? std::floor(percent) : 0;
}

bool prints_alike(const model::CellSummary& a, const model::CellSummary& b) {
  return std::abs(a.average) >= kInformative &&
         model::figure_text(a.average) == model::figure_text(b.average) &&
         shown_percent(a) == shown_percent(b);
}

bool prints_alike(const SampledRow& a, const SampledRow& b) {
  return base_of(a.row.key) == base_of(b.row.key) &&
         std::ranges::equal(
             a.row.cells, b.row.cells,
             [](const model::CellSummary& x, const model::CellSummary& y) { return prints_alike(x, y); });
}

// "numa-vmstat.node0.nr_shmem" -> {"numa-vmstat", "node0"}; others {"proc-vmstat", ""}.
std::pair<std::string_view, std::string_view> place_of(std::string_view key) {
  const std::string_view program = base_of(key);
  if (!program.starts_with("numa-") || program.size() == key.size()) return {program, ""};
  return {program, base_of(key.substr(program.size() + 1))};
}

bool are_pages_and_kb(std::string_view pages, std::string_view kb) {
  const auto [pages_program, pages_node] = place_of(pages);
  const auto [kb_program, kb_node] = place_of(kb);
  return pages_node == kb_node && ((pages_program == "numa-vmstat" && kb_program == "numa-meminfo") ||
                                   (pages_program == "proc-vmstat" && kb_program == "meminfo"));
}

bool same_in_pages(const model::CellSummary& pages, const model::CellSummary& kb) {
  if (!near(pages.average * kKbPerPage, kb.average, kPagesTolerance)) return false;
  return pages.n < 2 || near(pages.stddev * kKbPerPage, kb.stddev, kPagesSpreadTolerance);
}

bool is_pages_of(const SampledRow& pages, const SampledRow& kb) {
  return are_pages_and_kb(pages.row.key, kb.row.key) &&
         std::ranges::equal(pages.row.cells, kb.row.cells, same_in_pages);
}

bool says_the_same(const SampledRow& a, const SampledRow& b) {
  return same_counts(a, b) &&
         (same_samples(a, b) || prints_alike(a, b) || is_pages_of(a, b) || is_pages_of(b, a));
}

// The smallest is kept.
std::tuple<bool, bool, std::size_t, std::string_view> preference(const model::CompareRow& row) {
  return {!row.info.headline, row.info.direction == model::Direction::unknown, row.key.size(), row.key};
}

// Rows of like values stand side by side: the sum of their averages, kB counted in pages.
double place_in_order(const SampledRow& row) {
  double sum = 0;
  for (const model::CellSummary& cell : row.row.cells) sum += std::abs(cell.average);
  const std::string_view program = base_of(row.row.key);
  return program == "meminfo" || program == "numa-meminfo" ? sum / kKbPerPage : sum;
}

struct Candidate {
  double place;
  std::size_t row;
};

// Rows that may have a copy.
std::vector<Candidate> candidates(const std::vector<SampledRow>& rows) {
  std::vector<Candidate> order;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is_mergeable(rows[i]) && is_informative(rows[i])) order.push_back({place_in_order(rows[i]), i});
  std::erase_if(order, [](const Candidate& candidate) { return !std::isfinite(candidate.place); });
  std::ranges::sort(order, {},
                    [](const Candidate& candidate) { return std::pair(candidate.place, candidate.row); });
  return order;
}

// leader[i]: the row that i is a copy of; itself when it is none.
std::vector<std::size_t> find_leaders(const std::vector<SampledRow>& rows) {
  std::vector<std::size_t> leader(rows.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const std::vector<Candidate> order = candidates(rows);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i].row;
    if (leader[row] != row) continue;
    const double limit = order[i].place * (1 + kPagesTolerance);
    for (std::size_t j = i + 1; j < order.size() && j - i < kMostNeighbours && order[j].place <= limit; ++j) {
      std::size_t& other = leader[order[j].row];
      if (other == order[j].row && says_the_same(rows[row], rows[other])) other = row;
    }
  }
  return leader;
}

bool is_outcome(const model::CompareRow& row) {
  constexpr std::string_view kState = "last_state.";
  return row.key.starts_with(kState) && model::parse_outcome(std::string_view(row.key).substr(kState.size()));
}

std::vector<std::int64_t> failures_of(const model::CompareRow& row) {
  std::vector<std::int64_t> fails;
  for (const model::CellSummary& cell : row.cells) fails.push_back(cell.fails);
  return fails;
}

// Every run that did not end well has one outcome: where those rows account for all of them, the mark that
// says "incomplete" is a copy.
void fold_incomplete_mark(std::vector<model::CompareRow>& rows) {
  const auto mark = std::ranges::find(rows, kIncompleteRun, &model::CompareRow::key);
  const auto first = std::ranges::find_if(rows, is_outcome);
  if (mark == rows.end() || first == rows.end()) return;
  std::vector<std::int64_t> sum(mark->cells.size(), 0);
  for (const model::CompareRow& row : rows)
    for (std::size_t column = 0; is_outcome(row) && column < sum.size(); ++column)
      sum[column] += row.cells[column].fails;
  if (sum != failures_of(*mark)) return;
  if (failures_of(*first) == sum) first->copies.push_back(mark->key);
  rows.erase(mark);
}

}  // namespace

std::vector<model::CompareRow> merge_copies(std::vector<SampledRow> rows) {
  const std::vector<std::size_t> leader = find_leaders(rows);
  std::vector<std::size_t> kept = leader;  // kept[leader]: the best of its group
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t& best = kept[leader[i]];
    if (preference(rows[i].row) < preference(rows[best].row)) best = i;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t best = kept[leader[i]];
    if (best != i) rows[best].row.copies.push_back(rows[i].row.key);
  }
  std::vector<model::CompareRow> merged;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (kept[leader[i]] == i) merged.push_back(std::move(rows[i].row));
  fold_incomplete_mark(merged);
  return merged;
}

}  // namespace kilter::analyse
