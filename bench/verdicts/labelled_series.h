#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

// Series whose changes people have marked, and how well a detector agrees with them.
namespace kilter::verdicts {

using Breaks = std::vector<std::size_t>;  // first points of new levels, ascending

struct LabelledSeries {
  std::string name;
  std::string kind;
  Breaks truth;
  std::vector<double> values;
};
// A line each: name, kind, marked points joined by commas (or -), values. Empty when the file cannot be read.
[[nodiscard]] std::vector<LabelledSeries> read_labelled_series(const std::string& path);

// As the Turing change point benchmark defines them (van den Burg and Williams 2020), for one annotator: F1
// with a margin of 5 points, where point 0 counts as found; covering, the mean best overlap (Jaccard) of the
// segments, weighted by length.
[[nodiscard]] double f1(const Breaks& truth, const Breaks& found);
[[nodiscard]] double covering(const Breaks& truth, const Breaks& found, std::size_t points);

}  // namespace kilter::verdicts
