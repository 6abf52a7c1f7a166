#include "robot/mended_builds.h"

#include <algorithm>

namespace kilter::robot {
namespace {

using model::Outcome;
using store::StoredRun;

bool failed_to_build(const StoredRun& run) {
  return run.record.outcome == Outcome::build_failed;
}

bool mends(const StoredRun& good, const StoredRun& failed) {
  return !failed_to_build(good) && !good.record.build_id.empty() &&
         good.record.project == failed.record.project && good.record.started >= failed.record.started;
}

}  // namespace

Status forget_mended_builds(store::Store& store, std::vector<StoredRun>& runs) {
  const auto failed = std::ranges::find_if(runs, failed_to_build);
  if (failed == runs.end()) return {};
  const auto commit = failed->record.axes.find("commit");
  if (commit == failed->record.axes.end()) return {};
  ASSIGN_OR_RETURN(const std::vector<StoredRun> all, store.runs({.axes = {*commit}}));
  std::erase_if(runs, [&all](const StoredRun& run) {
    return failed_to_build(run) &&
           std::ranges::any_of(all, [&run](const StoredRun& good) { return mends(good, run); });
  });
  return {};
}

}  // namespace kilter::robot
