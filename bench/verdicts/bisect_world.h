#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

// A history with a planted slowdown, to bisect in: a run of commit i is its level plus noise of variance 1.
namespace kilter::verdicts {

inline constexpr std::size_t kBisectCommits = 1024;

struct BisectWorldOptions {
  double shift = 1;            // in units of a run's noise; 0: nothing changes
  std::size_t culprits = 1;    // of equal shift
  double build_deviation = 0;  // of a build's own luck
  bool fresh_layout = false;   // ... which every run draws anew
  bool heavy_tails = false;    // Student's t with 3 degrees of freedom instead of normal noise
  std::size_t commits = kBisectCommits;
  double unbuildable = 0;  // share of commits that cannot be tested
  bool outcomes = false;   // runs fail (1) or not (0), with the rates below
  double good_rate = 0;
  double bad_rate = 1;
};

class BisectWorld {
 public:
  BisectWorld(const BisectWorldOptions& options, std::uint64_t seed);

  // One run; the first of a commit makes its build.
  double run(std::size_t commit);
  // Runs from a store: they cost nothing.
  double free_run(std::size_t commit);

  [[nodiscard]] const BisectWorldOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<std::size_t>& culprits() const { return culprits_; }
  [[nodiscard]] bool is_culprit(std::size_t commit) const;
  [[nodiscard]] bool builds(std::size_t commit) const { return !broken_[commit]; }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  [[nodiscard]] std::size_t build_count() const { return built_.size(); }
  std::mt19937_64& dice() { return dice_; }

 private:
  double noise();

  BisectWorldOptions options_;
  std::mt19937_64 dice_;
  std::normal_distribution<double> normal_;
  std::vector<std::size_t> culprits_;
  std::vector<double> luck_;  // per commit, drawn with its first run
  std::vector<bool> has_luck_;
  std::vector<bool> broken_;
  std::set<std::size_t> built_;
  std::size_t runs_ = 0;
};

}  // namespace kilter::verdicts
