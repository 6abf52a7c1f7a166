#include "verdicts/labelled_series.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace kilter::verdicts {
namespace {

constexpr std::size_t kMargin = 5;

Breaks parse_breaks(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  Breaks breaks;
  for (std::size_t at = 0; words >> at;) breaks.push_back(at);
  return breaks;
}

// How many of `truth` have a found point of their own within the margin, the nearest one.
std::size_t matched(const std::set<std::size_t>& truth, std::set<std::size_t> found) {
  std::size_t count = 0;
  for (const std::size_t at : truth) {
    std::set<std::size_t>::iterator nearest = found.end();
    std::size_t least = kMargin + 1;
    for (std::set<std::size_t>::iterator it = found.begin(); it != found.end(); ++it) {
      const std::size_t distance = std::max(at, *it) - std::min(at, *it);
      if (distance >= least) continue;
      least = distance;
      nearest = it;
    }
    if (nearest == found.end()) continue;
    found.erase(nearest);
    ++count;
  }
  return count;
}

using Segment = std::pair<std::size_t, std::size_t>;

std::vector<Segment> segments_of(const Breaks& breaks, std::size_t points) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  for (const std::size_t at : breaks) {
    if (at > begin && at < points) {
      segments.emplace_back(begin, at);
      begin = at;
    }
  }
  segments.emplace_back(begin, points);
  return segments;
}

double overlap(const Segment& a, const Segment& b) {
  const std::size_t begin = std::max(a.first, b.first);
  const std::size_t end = std::min(a.second, b.second);
  if (begin >= end) return 0;
  return static_cast<double>(end - begin) /
         static_cast<double>(std::max(a.second, b.second) - std::min(a.first, b.first));
}

}  // namespace

std::vector<LabelledSeries> read_labelled_series(const std::string& path) {
  std::ifstream file(path);
  std::vector<LabelledSeries> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    LabelledSeries series;
    std::string marked;
    words >> series.name >> series.kind >> marked;
    series.truth = parse_breaks(marked);
    for (double value = 0; words >> value;) series.values.push_back(value);
    all.push_back(std::move(series));
  }
  return all;
}

double f1(const Breaks& truth, const Breaks& found) {
  std::set<std::size_t> wanted(truth.begin(), truth.end());
  std::set<std::size_t> got(found.begin(), found.end());
  wanted.insert(0);
  got.insert(0);
  const double hits = static_cast<double>(matched(wanted, got));
  return 2 * hits / static_cast<double>(wanted.size() + got.size());
}

double covering(const Breaks& truth, const Breaks& found, std::size_t points) {
  double total = 0;
  for (const Segment& segment : segments_of(truth, points)) {
    double best = 0;
    for (const Segment& other : segments_of(found, points)) best = std::max(best, overlap(segment, other));
    total += best * static_cast<double>(segment.second - segment.first);
  }
  return total / static_cast<double>(points);
}

}  // namespace kilter::verdicts
