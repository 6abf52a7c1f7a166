#include "analyse/pelt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter::analyse {
namespace {

constexpr double kInfiniteCost = std::numeric_limits<double>::infinity();
// A candidate stays while it loses by less: rounding must not remove the best one. In units of the cost.
constexpr double kPruneTolerance = 1e-7;

}  // namespace

Pelt::Pelt(double penalty, std::size_t least_segment)
    : penalty_(penalty),
      least_segment_(std::max<std::size_t>(least_segment, 1)),
      best_{-penalty},
      last_break_{0} {}

void Pelt::append(double value) {
  sums_.append(value);
  const std::size_t end = size();
  if (end >= least_segment_) admit(end - least_segment_);
  double best = kInfiniteCost;
  std::size_t start = 0;
  for (const Piece& piece : pieces_) {
    const double total = best_[piece.start] + sums_.cost(piece.start, end) + penalty_;
    if (total < best || (total == best && piece.start < start)) {
      best = total;
      start = piece.start;
    }
  }
  best_.push_back(best);
  last_break_.push_back(start);
}

// A last segment may begin at `start` from now on. At level m an older candidate s stays the best one where
// F(s) + sum of (y - m)^2 over s..start <= F(start): an interval about the mean of these points.
void Pelt::admit(std::size_t start) {
  if (best_[start] == kInfiniteCost) return;
  next_pieces_.clear();
  if (pieces_.empty()) give_to(start, -kInfiniteCost, kInfiniteCost);
  for (const Piece& piece : pieces_) {
    const double slack = best_[start] - best_[piece.start] - sums_.cost(piece.start, start) + kPruneTolerance;
    const double mean = sums_.mean(piece.start, start);
    const double reach = slack < 0 ? -1 : std::sqrt(slack / static_cast<double>(start - piece.start));
    const double low = std::max(piece.low, mean - reach);
    const double high = std::min(piece.high, mean + reach);
    if (reach < 0 || low > high) {
      give_to(start, piece.low, piece.high);
      continue;
    }
    if (piece.low < low) give_to(start, piece.low, low);
    next_pieces_.push_back({.low = low, .high = high, .start = piece.start});
    if (high < piece.high) give_to(start, high, piece.high);
  }
  pieces_.swap(next_pieces_);
}

void Pelt::give_to(std::size_t start, double low, double high) {
  if (!next_pieces_.empty() && next_pieces_.back().start == start)
    next_pieces_.back().high = high;
  else
    next_pieces_.push_back({.low = low, .high = high, .start = start});
}

std::vector<std::size_t> Pelt::breaks() const {
  std::vector<std::size_t> breaks;
  for (std::size_t at = last_break_.back(); at > 0; at = last_break_[at]) breaks.push_back(at);
  std::ranges::reverse(breaks);
  return breaks;
}

void Pelt::mark(Mark& place) const {
  place.size = size();
  place.pieces = pieces_;
}

void Pelt::rewind(const Mark& place) {
  sums_.truncate(place.size);
  best_.resize(place.size + 1);
  last_break_.resize(place.size + 1);
  pieces_ = place.pieces;
}

}  // namespace kilter::analyse
