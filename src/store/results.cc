#include "store/results.h"

#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"
#include "os/clock.h"
#include "os/host.h"
#include "store/lkp_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace kilter::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 200;
constexpr int kMostRuns = 1000000;
constexpr const char* kOutcome = "outcome.json";

struct Level {
  const char* axis;
  const char* otherwise;  // when the run has no such axis
};
// The scheme of LKP; path_params is no axis and stands second.
constexpr std::array<Level, 6> kLevels = {{{"testcase", "unknown"},
                                           {"tbox_group", "localhost"},
                                           {"rootfs", "unknown"},
                                           {"kconfig", "defconfig"},
                                           {"compiler", "unknown"},
                                           {"commit", "unknown"}}};

std::string tmp_stem() {
  return fmt::format("{}-{}-", safe_component(os::host_name()), os::process_id());
}

// Directories below `path` that are no links, sorted, hidden ones left out.
std::vector<Path> sub_directories(const Path& path) {
  std::vector<Path> found;
  for (const Path& entry : os::list_directory(path)) {
    if (os::is_plain_directory(entry) && !entry.filename().string().starts_with('.')) found.push_back(entry);
  }
  return found;
}

int first_free(const Path& parent) {
  for (int number = 0; number < kMostRuns; ++number) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(parent / std::to_string(number), ignored))) return number;
  }
  return kMostRuns;
}

}  // namespace

std::string safe_component(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    safe += c == '/' ? '-' : byte < 0x20 || byte == 0x7f ? '_' : c;
  }
  if (safe.empty()) return "none";
  if (safe.front() == '.') safe.front() = '_';
  if (safe.size() <= kLongest) return safe;
  std::size_t cut = kLongest - 17;
  while (cut > 0 && (static_cast<unsigned char>(safe[cut]) & 0xc0) == 0x80) --cut;
  return safe.substr(0, cut) + "-" + hash_hex(text);
}

std::string result_path(const model::RunRecord& record) {
  std::vector<std::string> parts;
  for (const Level& level : kLevels) {
    const auto axis = record.axes.find(level.axis);
    const bool known = axis != record.axes.end() && !axis->second.empty();
    parts.push_back(safe_component(known ? std::string_view(axis->second) : level.otherwise));
    if (parts.size() == 1) parts.push_back(safe_component(record.path_params));
  }
  return join(parts, "/");
}

Result<Path> begin_run(const Path& home) {
  const Path parent = home / "results" / ".tmp";
  TRY(os::make_directories(parent));
  ASSIGN_OR_RETURN(os::TempDir directory, os::TempDir::create(parent, tmp_stem()));
  return directory.release();
}

Result<Path> commit_run(const Path& home, const Path& directory, model::RunRecord& record) {
  const Path parent = home / "results" / result_path(record);
  TRY(os::make_directories(parent));
  for (int number = first_free(parent); number < kMostRuns; ++number) {
    Path final_place = parent / std::to_string(number);
    record.number = number;
    record.directory = final_place.string();
    TRY(os::write_file(directory / kOutcome, model::dump_json(record) + "\n", os::Durability::synced));
    ASSIGN_OR_RETURN(const bool moved, os::rename_new(directory, final_place));
    if (moved) return final_place;
  }
  return failure(fmt::format("storing a run in '{}': there are too many runs already", parent.string()));
}

std::size_t sweep_unfinished(const Path& home) {
  const std::string host = safe_component(os::host_name()) + "-";
  std::size_t removed = 0;
  std::error_code ignored;
  for (const Path& entry : os::list_directory(home / "results" / ".tmp")) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(host)) continue;
    const std::string_view rest = std::string_view(name).substr(host.size());
    const std::optional<std::int64_t> owner = parse_int(rest.substr(0, rest.find('-')));
    if (!owner || fs::exists(fmt::format("/proc/{}", *owner), ignored)) continue;
    if (os::remove_tree(entry)) ++removed;
  }
  return removed;
}

Result<model::RunRecord> read_record(const Path& directory) {
  const Path file = directory / kOutcome;
  ASSIGN_OR_RETURN(const std::string text, os::read_file(file, 1 << 20));
  ASSIGN_OR_RETURN(const nlohmann::json json,
                   model::parse_json(text, fmt::format("reading '{}'", file.string())));
  Result<model::RunRecord> record = model::run_record_from_json(json);
  if (!record) return fail(record.error().in(fmt::format("reading '{}'", file.string())));
  record->directory = directory.string();
  record->number = static_cast<int>(parse_int(directory.filename().string()).value_or(record->number));
  return record;
}

Result<model::Metrics> read_stats(const Path& directory) {
  const Path file = directory / "stats.json";
  if (!os::is_there(file)) return model::Metrics{};
  return read_stats_file(file);
}

std::vector<Path> run_directories(const Path& home) {
  std::vector<Path> level = sub_directories(home / "results");
  for (std::size_t depth = 1; depth < kLevels.size() + 2; ++depth) {
    std::vector<Path> next;
    for (const Path& directory : level)
      std::ranges::move(sub_directories(directory), std::back_inserter(next));
    level = std::move(next);
  }
  std::erase_if(level, [](const Path& run) { return !os::is_there(run / kOutcome); });
  return level;
}

}  // namespace kilter::store
