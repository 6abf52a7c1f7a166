#include "analyse/hierarchy.h"

#include "analyse/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace kilter::analyse {
namespace {

using LabelPlace = std::array<std::string_view, 3>;  // build, boot, process; "" below the level at hand

constexpr std::array kLowToHigh = {EvidenceLevel::process, EvidenceLevel::boot, EvidenceLevel::build};

std::size_t index_of(EvidenceLevel level) {
  return static_cast<std::size_t>(level);
}

// The places one level higher, each once, and who goes into them.
std::vector<LabelPlace> gather_places(const std::vector<LabelPlace>& below, EvidenceLevel level,
                                      std::vector<std::vector<std::uint32_t>>& children) {
  std::map<LabelPlace, std::size_t> found;
  std::vector<LabelPlace> places;
  for (std::size_t i = 0; i < below.size(); ++i) {
    LabelPlace place;
    std::copy_n(below[i].begin(), index_of(level) + 1, place.begin());
    const auto [at, is_new] = found.try_emplace(place, places.size());
    if (is_new) {
      places.push_back(place);
      children.emplace_back();
    }
    children[at->second].push_back(static_cast<std::uint32_t>(i));
  }
  return places;
}

bool is_missing(double value) {
  return !std::isfinite(value);
}

std::size_t finite_count(std::span<const double> values) {
  return values.size() - static_cast<std::size_t>(std::ranges::count_if(values, is_missing));
}

bool has_gaps(std::span<const double> values) {
  return std::ranges::any_of(values, is_missing);
}

std::vector<RunLabel> labels_with_value(std::span<const RunLabel> labels, std::span<const double> values) {
  std::vector<RunLabel> kept;
  for (std::size_t i = 0; i < std::min(labels.size(), values.size()); ++i)
    if (!is_missing(values[i])) kept.push_back(labels[i]);
  return kept;
}

bool has_one(std::span<const RunLabel> runs, std::string_view RunLabel::* label) {
  return !runs.empty() &&
         std::ranges::all_of(runs, [&](const RunLabel& run) { return run.*label == runs.front().*label; });
}

// A side has only one, and the other does not have just the same one.
bool rests_on_one(std::span<const RunLabel> a, std::span<const RunLabel> b,
                  std::string_view RunLabel::* label) {
  const bool one_in_a = has_one(a, label);
  const bool one_in_b = has_one(b, label);
  if (one_in_a && one_in_b) return a.front().*label != b.front().*label;
  return one_in_a || one_in_b;
}

EvidenceLevel highest_level(const RunTree& a, const RunTree& b) {
  for (const EvidenceLevel level : {EvidenceLevel::build, EvidenceLevel::boot, EvidenceLevel::process})
    if (a.members(level) >= 2 && b.members(level) >= 2) return level;
  return EvidenceLevel::iteration;
}

void split_samples(std::span<const LabelledSample> samples, std::vector<RunLabel>& labels,
                   std::vector<double>& values) {
  for (const LabelledSample& sample : samples) {
    labels.push_back({.build = sample.build, .boot = sample.boot, .process = sample.process});
    values.push_back(sample.value);
  }
}

}  // namespace

std::string_view level_name(EvidenceLevel level) {
  static constexpr std::array<std::string_view, 4> kNames = {"build", "boot", "process", "iteration"};
  return kNames[index_of(level)];
}

RunTree::RunTree(std::span<const RunLabel> runs) : runs_(runs.size()) {
  std::vector<LabelPlace> places;
  for (const RunLabel& run : runs) places.push_back({run.build, run.boot, run.process});
  for (const EvidenceLevel level : kLowToHigh)
    places = gather_places(places, level, levels_[index_of(level)]);
}

std::size_t RunTree::members(EvidenceLevel level) const {
  return level == EvidenceLevel::iteration ? runs_ : levels_[index_of(level)].size();
}

std::vector<double> RunTree::reduced(std::span<const double> values, EvidenceLevel level) const {
  std::vector<double> means(values.begin(), values.end());
  std::vector<double> present;
  for (const EvidenceLevel at : kLowToHigh) {
    if (at < level) break;
    const Children& children = levels_[index_of(at)];
    if (children.size() == means.size()) continue;  // one each: those means are themselves
    std::vector<double> higher;
    for (const std::vector<std::uint32_t>& members : children) {
      present.clear();
      for (const std::uint32_t member : members)
        if (!is_missing(means[member])) present.push_back(means[member]);
      higher.push_back(present.empty() ? std::numeric_limits<double>::quiet_NaN() : mean(present));
    }
    means = std::move(higher);
  }
  return means;
}

EvidenceLayout::EvidenceLayout(std::span<const RunLabel> a, std::span<const RunLabel> b)
    : a_(a),
      b_(b),
      level_(highest_level(a_.tree, b_.tree)),
      one_build_(rests_on_one(a, b, &RunLabel::build)),
      one_boot_(rests_on_one(a, b, &RunLabel::boot)) {}

Evidence EvidenceLayout::evidence(std::span<const double> a, std::span<const double> b) const {
  Evidence found{.level = level_, .one_build = one_build_, .one_boot = one_boot_};
  if (has_gaps(a) || has_gaps(b)) {
    const std::vector<RunLabel> with_a = labels_with_value(a_.labels, a);
    const std::vector<RunLabel> with_b = labels_with_value(b_.labels, b);
    found.one_build = rests_on_one(with_a, with_b, &RunLabel::build);
    found.one_boot = rests_on_one(with_a, with_b, &RunLabel::boot);
    while (found.level != EvidenceLevel::iteration && (finite_count(a_.tree.reduced(a, found.level)) < 2 ||
                                                       finite_count(b_.tree.reduced(b, found.level)) < 2))
      found.level = static_cast<EvidenceLevel>(index_of(found.level) + 1);
  }
  found.a = a_.tree.reduced(a, found.level);
  found.b = b_.tree.reduced(b, found.level);
  return found;
}

Evidence evidence(std::span<const LabelledSample> a, std::span<const LabelledSample> b) {
  std::vector<RunLabel> labels_a;
  std::vector<RunLabel> labels_b;
  std::vector<double> values_a;
  std::vector<double> values_b;
  split_samples(a, labels_a, values_a);
  split_samples(b, labels_b, values_b);
  Evidence found = EvidenceLayout(labels_a, labels_b).evidence(values_a, values_b);
  std::erase_if(found.a, is_missing);
  std::erase_if(found.b, is_missing);
  return found;
}

}  // namespace kilter::analyse
