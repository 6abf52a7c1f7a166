#include "robot/skipped_settings.h"

#include "base/text.h"
#include "store/results.h"

#include <algorithm>

namespace kilter::robot {
namespace {

std::vector<std::string> settings_of(const Cell& cell) {
  for (const std::string& source : cell.matrix.sources)
    if (const Result<model::RunRecord> record = store::read_record(os::Path(source).parent_path()))
      return record->skipped_settings;
  return {};
}

}  // namespace

std::vector<std::string> skipped_settings_notes(std::span<const Cell> columns) {
  std::vector<std::string> notes;
  for (const Cell& cell : columns) {
    const std::vector<std::string> settings = settings_of(cell);
    if (settings.empty()) continue;
    const std::string note =
        "these results bear settings that were not made: " + printable(join(settings, "; "));
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  }
  return notes;
}

}  // namespace kilter::robot
