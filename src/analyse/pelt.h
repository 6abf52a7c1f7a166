#pragma once

#include "analyse/prefix_sums.h"

#include <cstddef>
#include <vector>

// The best way to cut a series into segments of constant mean: least sum of squared residuals plus `penalty`
// for each change, segments of at least `least_segment` points. Exact, and grows by a point at a time. Pure.
//
//   Pelt fit(5 * std::log(n));               values in units of their noise
//   for (double value : values) fit.append(value);
//   fit.breaks();
//
// Optimal partitioning, F(t) = min over s of F(s) + cost(s, t) + penalty (Jackson et al. 2005), with pruned
// candidates s. PELT's own rule (Killick, Fearnhead, Eckley 2012: drop s when F(s) + cost(s, t) > F(t)) keeps
// nearly every candidate while nothing changes, thus n of them; here a candidate lives only while there is a
// level at which its segment would be the best one (functional pruning: Rigaill 2010; Maidstone et al. 2017),
// which implies PELT's rule and leaves about a dozen whatever the length.
namespace kilter::analyse {

inline constexpr std::size_t kLeastSegment = 3;

class Pelt {
  // The levels low..high at which a last segment that begins at `start` is the best one.
  struct Piece {
    double low;
    double high;
    std::size_t start;
  };

 public:
  explicit Pelt(double penalty, std::size_t least_segment = kLeastSegment);

  // `value` is finite and within 10^7 of the others.
  void append(double value);

  [[nodiscard]] std::size_t size() const { return sums_.size(); }
  // First points of the second and later segments, ascending.
  [[nodiscard]] std::vector<std::size_t> breaks() const;
  // Where the last segment begins; 0 when there is but one.
  [[nodiscard]] std::size_t last_break() const { return last_break_.back(); }
  // Residuals and penalties; +infinity with fewer than `least_segment` points.
  [[nodiscard]] double cost() const { return best_.back(); }
  [[nodiscard]] std::size_t candidates() const { return pieces_.size(); }
  [[nodiscard]] const PrefixSums& sums() const { return sums_; }

  // A place to come back to, so that points may be tried: rewind() forgets what came after mark().
  class Mark {
    friend class Pelt;
    std::size_t size = 0;
    std::vector<Piece> pieces;
  };
  void mark(Mark& place) const;
  void rewind(const Mark& place);

 private:
  void admit(std::size_t start);
  void give_to(std::size_t start, double low, double high);

  double penalty_;
  std::size_t least_segment_;
  PrefixSums sums_;
  std::vector<double> best_;             // F(t); F(0) = -penalty
  std::vector<std::size_t> last_break_;  // of the best partition of the first t points
  std::vector<Piece> pieces_;            // ascending, without gaps
  std::vector<Piece> next_pieces_;       // what admit() makes
};

}  // namespace kilter::analyse
