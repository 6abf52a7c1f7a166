#include "analyse/hierarchy.h"

#include "analyse/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace kilter::analyse {
namespace {

using LabelPlace = std::array<std::string_view, 3>;  // build, boot, process; "" below the level at hand

struct EvidenceMember {
  LabelPlace place;
  double value = 0;
};

std::size_t depth_of(EvidenceLevel level) {
  return static_cast<std::size_t>(level) + 1;
}

std::vector<EvidenceMember> iterations_of(std::span<const LabelledSample> samples) {
  std::vector<EvidenceMember> members;
  for (const LabelledSample& sample : samples)
    if (std::isfinite(sample.value))
      members.push_back({.place = {sample.build, sample.boot, sample.process}, .value = sample.value});
  return members;
}

// Members of one level less: those that share the first `depth` labels become their mean.
std::vector<EvidenceMember> merged_members(const std::vector<EvidenceMember>& members, std::size_t depth) {
  std::map<LabelPlace, std::size_t> found;
  std::vector<LabelPlace> places;
  std::vector<std::vector<double>> values;
  for (const EvidenceMember& member : members) {
    LabelPlace place;
    std::copy_n(member.place.begin(), depth, place.begin());
    const auto [at, is_new] = found.try_emplace(place, places.size());
    if (is_new) {
      places.push_back(place);
      values.emplace_back();
    }
    values[at->second].push_back(member.value);
  }
  std::vector<EvidenceMember> means;
  for (std::size_t i = 0; i < places.size(); ++i) means.push_back({places[i], mean(values[i])});
  return means;
}

// One side, reduced to every level.
struct ReducedSide {
  std::array<std::vector<EvidenceMember>, 4> levels;  // by EvidenceLevel
  [[nodiscard]] const std::vector<EvidenceMember>& at(EvidenceLevel level) const {
    return levels[static_cast<std::size_t>(level)];
  }
};

ReducedSide reduced_side(std::span<const LabelledSample> samples) {
  ReducedSide side;
  std::vector<EvidenceMember> members = iterations_of(samples);
  side.levels[3] = members;
  for (const EvidenceLevel level : {EvidenceLevel::process, EvidenceLevel::boot, EvidenceLevel::build}) {
    members = merged_members(members, depth_of(level));
    side.levels[static_cast<std::size_t>(level)] = members;
  }
  return side;
}

EvidenceLevel level_of_evidence(const ReducedSide& a, const ReducedSide& b) {
  for (const EvidenceLevel level : {EvidenceLevel::build, EvidenceLevel::boot, EvidenceLevel::process})
    if (a.at(level).size() >= 2 && b.at(level).size() >= 2) return level;
  return EvidenceLevel::iteration;
}

// Does all of this side carry one label, in this column of LabelPlace?
bool has_one(const ReducedSide& side, std::size_t column) {
  const std::vector<EvidenceMember>& members = side.at(EvidenceLevel::iteration);
  return !members.empty() && std::ranges::all_of(members, [&](const EvidenceMember& member) {
    return member.place[column] == members.front().place[column];
  });
}

std::string_view first_label(const ReducedSide& side, std::size_t column) {
  return side.at(EvidenceLevel::iteration).front().place[column];
}

// A side has only one, and the other does not have just the same one.
bool rests_on_one(const ReducedSide& a, const ReducedSide& b, std::size_t column) {
  const bool one_in_a = has_one(a, column);
  const bool one_in_b = has_one(b, column);
  if (one_in_a && one_in_b) return first_label(a, column) != first_label(b, column);
  return one_in_a || one_in_b;
}

std::vector<double> values_of(const std::vector<EvidenceMember>& members) {
  std::vector<double> values;
  for (const EvidenceMember& member : members) values.push_back(member.value);
  return values;
}

}  // namespace

std::string_view level_name(EvidenceLevel level) {
  static constexpr std::array<std::string_view, 4> kNames = {"build", "boot", "process", "iteration"};
  return kNames[static_cast<std::size_t>(level)];
}

Evidence evidence(std::span<const LabelledSample> a, std::span<const LabelledSample> b) {
  const ReducedSide from = reduced_side(a);
  const ReducedSide to = reduced_side(b);
  const EvidenceLevel level = level_of_evidence(from, to);
  return {.level = level,
          .a = values_of(from.at(level)),
          .b = values_of(to.at(level)),
          .one_build = rests_on_one(from, to, 0),
          .one_boot = rests_on_one(from, to, 1)};
}

}  // namespace kilter::analyse
