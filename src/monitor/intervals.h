#pragma once

#include <deque>

namespace kilter::monitor {

// Turns moments into intervals for rates. The last interval is cut by the end of the workload: one shorter
// than half of the one before is joined to it, since a mean over intervals gives each the same weight.
// T has a member `monotonic` in seconds.
template <class T>
class Intervals {
 public:
  // Calls use(earlier, later) for each interval that is complete for certain.
  template <class Use>
  void add(T moment, Use use) {
    moments_.push_back(std::move(moment));
    if (moments_.size() <= 3) return;
    use(moments_[0], moments_[1]);
    moments_.pop_front();
  }

  template <class Use>
  void finish(Use use) {
    if (moments_.size() == 3 &&
        (moments_[2].monotonic - moments_[1].monotonic) * 2 < moments_[1].monotonic - moments_[0].monotonic)
      moments_.erase(moments_.begin() + 1);
    for (std::size_t i = 0; i + 1 < moments_.size(); ++i) use(moments_[i], moments_[i + 1]);
    moments_.clear();
  }

 private:
  std::deque<T> moments_;
};

}  // namespace kilter::monitor
