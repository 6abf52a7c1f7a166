#include "verdicts/bisect_world.h"

#include <algorithm>
#include <cmath>

namespace kilter::verdicts {

BisectWorld::BisectWorld(const BisectWorldOptions& options, std::uint64_t seed)
    : options_(options),
      dice_(seed),
      luck_(options.commits + 1, 0),
      has_luck_(options.commits + 1, false),
      broken_(options.commits + 1, false) {
  std::uniform_int_distribution<std::size_t> any(1, options.commits);
  while (culprits_.size() < options.culprits) {
    const std::size_t commit = any(dice_);
    if (!is_culprit(commit)) culprits_.push_back(commit);
  }
  std::bernoulli_distribution breaks(options.unbuildable);
  for (std::size_t i = 1; i < options.commits; ++i) broken_[i] = breaks(dice_);
}

bool BisectWorld::is_culprit(std::size_t commit) const {
  return std::find(culprits_.begin(), culprits_.end(), commit) != culprits_.end();
}

double BisectWorld::noise() {
  if (!options_.heavy_tails) return normal_(dice_);
  std::student_t_distribution<double> tails(3);
  return tails(dice_) / std::sqrt(3.);
}

double BisectWorld::free_run(std::size_t commit) {
  double level = 0;
  for (const std::size_t culprit : culprits_) level += commit >= culprit ? options_.shift : 0;
  if (options_.outcomes) {
    std::bernoulli_distribution fails(level > 0 ? options_.bad_rate : options_.good_rate);
    return fails(dice_) ? 1 : 0;
  }
  if (options_.build_deviation > 0 && (options_.fresh_layout || !has_luck_[commit])) {
    luck_[commit] = options_.build_deviation * normal_(dice_);
    has_luck_[commit] = true;
  }
  return level + luck_[commit] + noise();
}

double BisectWorld::run(std::size_t commit) {
  ++runs_;
  built_.insert(commit);
  return free_run(commit);
}

}  // namespace kilter::verdicts
