#pragma once

#include "analyse/bisect_step.h"
#include "analyse/drift.h"
#include "analyse/rec.h"
#include "robot/bisect_book.h"
#include "robot/bisect_range.h"

#include <memory>
#include <optional>
#include <vector>

// The runs of a range in the form that analyse/bisect_step.h works on. Pure.
namespace kilter::robot {

struct BisectSettings {
  double confidence = .99;
  double alpha = .01;
  double delta = 0;         // the least relative change (of a rate: difference) that is looked for
  unsigned end_runs = 0;    // of each end at first; 0: by what the history says of noise
  unsigned end_budget = 0;  // of each end, until the range is refused; 0: 60, 120 for outcomes
  double most_runs = 6000;
  bool rest = false;  // what is left beside a culprit: the change may have either sign
};

// The runs of earlier builds, oldest first: of how much a metric scatters without a change.
using BisectHistory = std::vector<std::vector<double>>;

class BisectEvidence {
 public:
  // Fails where no commit can be the culprit: all that may are built to identical artefacts.
  [[nodiscard]] static Result<BisectEvidence> of(const BisectRange& range, const BisectBook& book,
                                                 const BisectHistory& history,
                                                 const BisectSettings& settings);

  [[nodiscard]] const analyse::BisectState& state() const { return state_; }
  [[nodiscard]] const analyse::BisectModel& model() const { return model_; }
  [[nodiscard]] const analyse::BisectOptions& options() const { return options_; }
  // Seen among the runs, and taken out of them.
  [[nodiscard]] const std::optional<analyse::Drift>& drift() const { return drift_; }  // per hour
  // Levels are logarithms: every value is positive, and changes are ratios.
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  [[nodiscard]] double as_measured(double level) const;
  // All runs before `first` against all from `last` on.
  [[nodiscard]] std::optional<analyse::RecResult> change(std::size_t first, std::size_t last) const;
  // The values of one commit, the drift taken out.
  [[nodiscard]] const std::vector<double>& values(std::size_t commit) const { return (*values_)[commit]; }
  [[nodiscard]] double noise_runs() const { return noise_runs_; }

 private:
  BisectEvidence() = default;
  void take_values(const BisectRange& range, const BisectBook& book);
  void take_drift(const BisectRange& range, const BisectBook& book);
  [[nodiscard]] Status make_state(const BisectRange& range, const BisectBook& book);
  void make_model(const BisectBook& book, const BisectHistory& history, const BisectSettings& settings);
  void make_options(const BisectBook& book, const BisectSettings& settings);

  analyse::BisectState state_;
  analyse::BisectModel model_;
  analyse::BisectOptions options_;
  std::optional<analyse::Drift> drift_;
  bool logarithmic_ = true;
  double noise_runs_ = 0;
  std::shared_ptr<std::vector<std::vector<double>>> values_;  // by commit, as measured
  std::shared_ptr<const BisectHistory> history_;
};

// Two-sided p that two samples have one level, by REC.
[[nodiscard]] double rec_p(const std::vector<double>& a, const std::vector<double>& b,
                           const BisectHistory& history);

}  // namespace kilter::robot
