#pragma once

#include "analyse/fit_f_dist.h"

#include <optional>
#include <span>

// How much one metric scatters without any change: within a build, and from build to build. Pure.
namespace kilter::analyse {

// The runs of the last builds of one series, oldest first, as one measures them or as logarithms.
using History = std::span<const std::span<const double>>;

inline constexpr std::size_t kMostHistory = 20;  // builds that count: the last ones
inline constexpr double kClip = 3;               // residuals beyond this many scales are outliers
inline constexpr ScalePrior kBuildRatioPrior{.value = 1, .df = 2};  // when no job group says better

struct HistoryScale {
  double variance = 0;  // of one run within a build, outliers clipped
  double df = 0;        // behind it: runs less builds
  double clip = 0;      // kClip scales; +infinity where nothing is clipped
  bool multimodal =
      false;  // more than a tenth of the residuals lie beyond kClip: means and plain variances then
  // Between successive builds:
  double difference = 0;  // mean squared difference of their locations, outliers clipped
  double sampling = 0;    // the part of it that the runs' scatter explains
  double df_between = 0;  // behind `difference`
  bool compared = false;  // there were at least 6 builds and thus a `difference`

  // difference / sampling, to fit a prior over the metrics of a job group; nullopt where there is none.
  [[nodiscard]] std::optional<ScaledEstimate> build_ratio() const;
};

// nullopt when no build has two runs. Values must be finite. With more than 64 runs a build, 64 of them,
// evenly spread, give the first estimate of scale.
[[nodiscard]] std::optional<HistoryScale> history_scale(History builds);

// Variance that a build adds to all its runs (code layout and the like).
struct BuildEffect {
  double variance = 0;
  double df = 0;
};
// The measured ratio moderated by the prior.
[[nodiscard]] BuildEffect build_effect(const HistoryScale& scale, const ScalePrior& ratio_prior);

}  // namespace kilter::analyse
