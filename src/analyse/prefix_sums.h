#pragma once

#include <cstddef>
#include <vector>

namespace kilter::analyse {

// Sums over any run of points of a growing series, in constant time. Extended precision: a series of 2,000
// points whose levels are 10^7 scales apart still has costs that are right to a hundredth of a scale.
class PrefixSums {
 public:
  PrefixSums() : sums_(1), squares_(1) {}

  void append(double value) {
    sums_.push_back(sums_.back() + value);
    squares_.push_back(squares_.back() + static_cast<long double>(value) * value);
  }
  void truncate(std::size_t size) {
    sums_.resize(size + 1);
    squares_.resize(size + 1);
  }
  [[nodiscard]] std::size_t size() const { return sums_.size() - 1; }

  // Of the points begin..end-1, begin < end.
  [[nodiscard]] double mean(std::size_t begin, std::size_t end) const {
    return static_cast<double>((sums_[end] - sums_[begin]) / static_cast<long double>(end - begin));
  }
  // Sum of squared distances from their mean.
  [[nodiscard]] double cost(std::size_t begin, std::size_t end) const {
    const long double sum = sums_[end] - sums_[begin];
    const long double cost =
        squares_[end] - squares_[begin] - sum * sum / static_cast<long double>(end - begin);
    return cost > 0 ? static_cast<double>(cost) : 0;
  }

 private:
  std::vector<long double> sums_;  // of the first i points
  std::vector<long double> squares_;
};

}  // namespace kilter::analyse
