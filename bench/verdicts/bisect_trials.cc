#include "verdicts/bisect_trials.h"

#include "verdicts/tries.h"

#include <vector>

namespace kilter::verdicts {
namespace {

constexpr std::uint64_t kSeed = 1024;

bool is_near(const BisectWorld& world, std::size_t commit) {
  for (std::size_t i = commit >= 2 ? commit - 2 : 0; i <= commit + 2; ++i) {
    if (world.is_culprit(i)) return true;
  }
  return false;
}

double percent(std::size_t count, std::size_t of) {
  return 100. * double(count) / double(of);
}

template <class Field>
double share_of(const std::vector<BisectTrial>& trials, Field field) {
  std::size_t count = 0;
  for (const BisectTrial& trial : trials) count += trial.*field ? 1 : 0;
  return percent(count, trials.size());
}

}  // namespace

BisectTally tally(const BisectWorldOptions& options, const BisectSearch& search, std::size_t trials) {
  const std::vector<BisectTrial> done = in_parallel<BisectTrial>(trials, kSeed, [&](Random& random) {
    BisectWorld world(options, random());
    return search(world);
  });
  BisectTally sum{.trials = trials,
                  .exact = share_of(done, &BisectTrial::exact),
                  .near = share_of(done, &BisectTrial::near),
                  .named = share_of(done, &BisectTrial::named),
                  .right = share_of(done, &BisectTrial::right),
                  .refused = share_of(done, &BisectTrial::refused),
                  .all = share_of(done, &BisectTrial::all)};
  for (const BisectTrial& trial : done) {
    sum.runs += trial.runs / double(trials);
    sum.builds += trial.builds / double(trials);
  }
  return sum;
}

BisectTrial trial_naming(const BisectWorld& world, std::size_t commit) {
  const bool exact = world.is_culprit(commit);
  return {.exact = exact,
          .near = is_near(world, commit),
          .named = true,
          .right = exact,
          .runs = double(world.runs()),
          .builds = double(world.build_count())};
}

BisectSearch naming(std::function<std::size_t(BisectWorld&)> search) {
  return [search = std::move(search)](BisectWorld& world) {
    const std::size_t commit = search(world);
    return trial_naming(world, commit);
  };
}

}  // namespace kilter::verdicts
