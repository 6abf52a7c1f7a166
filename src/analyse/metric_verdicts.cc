#include "analyse/metric_verdicts.h"

#include "analyse/classic_tests.h"
#include "analyse/correlated.h"
#include "analyse/fdr.h"

#include <numeric>

namespace kilter::analyse {
namespace {

constexpr double kSmallP = 0.1;

using Verdicts = std::vector<std::optional<MetricVerdict>>;

// Those with a value on both sides: where they are, and what is tested.
struct Tested {
  std::vector<std::size_t> indices;
  std::vector<RecSamples> samples;
};

Tested testable(std::span<const MetricEvidence> metrics) {
  Tested tested;
  for (std::size_t index = 0; index < metrics.size(); ++index)
    if (std::optional<RecSamples> samples = rec_samples(metrics[index].runs)) {
      tested.indices.push_back(index);
      tested.samples.push_back(std::move(*samples));
    }
  return tested;
}

// The metrics that share a rate, as indices.
std::vector<std::size_t> sharers(std::span<const MetricEvidence> metrics, const Verdicts& verdicts) {
  std::vector<std::size_t> indices;
  for (std::size_t index = 0; index < metrics.size(); ++index)
    if (verdicts[index] && !metrics[index].headline) indices.push_back(index);
  return indices;
}

std::vector<std::size_t> groups_of(std::span<const MetricEvidence> metrics,
                                   std::span<const std::size_t> indices) {
  std::vector<std::vector<std::span<const double>>> blocks;
  for (const std::size_t index : indices) {
    const RecInput& runs = metrics[index].runs;
    std::vector<std::span<const double>>& own = blocks.emplace_back();
    own = {runs.a, runs.b};
    own.insert(own.end(), runs.history.rbegin(), runs.history.rend());
  }
  const std::vector<RunBlocks> views(blocks.begin(), blocks.end());
  return correlated_groups(views);
}

// Copies are looked for where they matter, among the small p. The others count as if each spoke for itself,
// which errs to the safe side.
std::vector<std::size_t> speakers_of(std::span<const MetricEvidence> metrics,
                                     std::span<const std::size_t> sharing, std::span<const double> p) {
  std::vector<std::size_t> speakers(sharing.size());
  std::iota(speakers.begin(), speakers.end(), std::size_t(0));
  std::vector<std::size_t> places;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < sharing.size(); ++i)
    if (p[i] <= kSmallP) {
      places.push_back(i);
      indices.push_back(sharing[i]);
    }
  const std::vector<std::size_t> groups = groups_of(metrics, indices);
  for (std::size_t i = 0; i < places.size(); ++i) speakers[places[i]] = places[groups[i]];
  return speakers;
}

void share_rate(std::span<const MetricEvidence> metrics, Verdicts& verdicts) {
  const std::vector<std::size_t> indices = sharers(metrics, verdicts);
  std::vector<double> p;
  for (const std::size_t index : indices) p.push_back(verdicts[index]->result.p);
  const std::vector<std::size_t> speakers = speakers_of(metrics, indices, p);
  const std::vector<double> q = benjamini_hochberg(p, speakers);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    verdicts[indices[i]]->q = q[i];
    verdicts[indices[i]]->speaker = indices[speakers[i]];
  }
}

// A headline with several levels is compared by means, which one run at another level shifts.
void doubt_levels(const MetricEvidence& metric, const RecSamples& samples, const VerdictOptions& options,
                  MetricVerdict& verdict) {
  if (metric.headline && verdict.result.multimodal &&
      !ranks_agree(samples.a, samples.b, options.headline_level))
    verdict.q = 1;
}

}  // namespace

Verdicts metric_verdicts(std::span<const MetricEvidence> metrics, const VerdictOptions& options) {
  Verdicts verdicts(metrics.size());
  const Tested tested = testable(metrics);
  const RecPriors priors = fit_rec_priors(tested.samples);
  for (std::size_t i = 0; i < tested.indices.size(); ++i) {
    const RecResult result = rec_test(tested.samples[i], priors);
    verdicts[tested.indices[i]] =
        MetricVerdict{.result = result, .q = result.p, .speaker = tested.indices[i]};
  }
  share_rate(metrics, verdicts);
  for (std::size_t i = 0; i < tested.indices.size(); ++i)
    doubt_levels(metrics[tested.indices[i]], tested.samples[i], options, *verdicts[tested.indices[i]]);
  for (std::size_t index = 0; index < metrics.size(); ++index)
    if (std::optional<MetricVerdict>& verdict = verdicts[index])
      verdict->answer =
          answer(verdict->result, verdict->q,
                 {.level = metrics[index].headline ? options.headline_level : options.report_level,
                  .minimal_effect = metrics[index].minimal_effect,
                  .fewest_runs = options.fewest_runs});
  return verdicts;
}

}  // namespace kilter::analyse
