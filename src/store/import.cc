#include "store/import.h"

#include "base/text.h"
#include "os/interrupt.h"
#include "store/import_scan.h"
#include "store/lkp_json.h"
#include "store/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr std::size_t kLargestRun = std::size_t{512} << 20;
constexpr std::size_t kMostFiles = 1000;
constexpr std::size_t kLongestKey = 4096;

// A run copied below results/.tmp; removed with the object unless it was committed.
struct Staged {
  model::RunRecord record;
  os::TempDir directory;
};

Status check_keys(const model::Metrics& metrics, const std::string& name) {
  for (const model::Metric& metric : metrics) {
    const bool control =
        std::ranges::any_of(metric.key, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (metric.key.size() > kLongestKey || metric.key.empty() || control)
      return failure(fmt::format("reading '{}': key '{}' is empty, too long or holds control characters",
                                 name, printable(metric.key.substr(0, 60))));
  }
  return {};
}

// What is told goes over what the path says, made safe; axes given by hand go over both.
Identity merged(Identity identity, const Described& told, const ImportOptions& options) {
  for (const auto& [name, value] : told.axes) identity.axes[plain(name)] = plain(value);
  if (!told.path_params.empty()) identity.path_params = plain(told.path_params);
  add_path_params(identity.axes, identity.path_params);
  for (const auto& [name, value] : options.axes) identity.axes[name] = value;
  identity.axes.try_emplace("testcase", "imported");
  return identity;
}

class Importer {
 public:
  Importer(const Path& home, Store& store, const ImportOptions& options)
      : home_(home), store_(store), options_(options) {}

  Status stage(const Found& found);
  Result<ImportReport> commit();

 private:
  Status tolerate(const Status& done);
  Status stage_run(const Path& run);
  Status stage_matrix(const Path& file);
  Status stage_column(const model::Matrix& matrix, std::size_t column, const Path& file);
  Result<bool> is_here(const std::string& origin);
  Result<model::RunRecord> describe(const Path& run);
  [[nodiscard]] Described told(const Path& directory) const {
    return options_.describe ? options_.describe(directory) : Described{};
  }
  Result<os::TempDir> fresh_directory();
  Status copy_files(const Path& from, const Path& to);
  void take_back(const std::vector<std::int64_t>& ids);

  Path home_;
  Store& store_;
  const ImportOptions& options_;
  std::vector<Staged> staged_;
  ImportReport report_;
};

Status Importer::tolerate(const Status& done) {
  if (done || !options_.skip_bad || done.error().code == ErrorCode::interrupted) return done;
  report_.skipped.push_back(done.error().message);
  return {};
}

Result<bool> Importer::is_here(const std::string& origin) {
  RunQuery query;
  query.origin = origin;
  query.limit = 1;
  ASSIGN_OR_RETURN(const std::vector<StoredRun> runs, store_.runs(query));
  if (!runs.empty()) ++report_.already;
  return !runs.empty();
}

Result<os::TempDir> Importer::fresh_directory() {
  ASSIGN_OR_RETURN(const Path directory, begin_run(home_));
  return os::TempDir::adopt(directory);
}

Status Importer::stage(const Found& found) {
  const std::size_t total = found.runs.size() + found.matrices.size();
  std::size_t done = 0;
  for (const bool matrices : {false, true}) {
    for (const Path& path : matrices ? found.matrices : found.runs) {
      if (os::interrupted()) return interrupted("importing was interrupted, nothing was imported");
      const Status one = tolerate(matrices ? stage_matrix(path) : stage_run(path));
      if (!one) return one;
      if (options_.progress) options_.progress(++done, total);
    }
  }
  return {};
}

// A run of another kilter describes itself; one of LKP is described by its files and its path.
Result<model::RunRecord> Importer::describe(const Path& run) {
  model::RunRecord record;
  if (os::is_plain_file(run / "outcome.json")) {
    ASSIGN_OR_RETURN(record, read_record(run));
    for (const auto& [name, value] : options_.axes) record.axes[name] = value;
    return record;
  }
  Identity identity = merged(identity_of_path(run).value_or(Identity{}), told(run), options_);
  identity.axes.try_emplace("commit", plain(run.parent_path().filename().string()));
  record.axes = identity.axes;
  record.path_params = identity.path_params;
  record.outcome = model::Outcome::ok;
  return record;
}

// LKP has no outcome: a run without numbers, or marked as incomplete, is no measurement.
void judge(model::RunRecord& record, const model::Metrics& metrics) {
  const auto incomplete = std::ranges::find(metrics, "last_state.is_incomplete_run", &model::Metric::key);
  if (metrics.empty()) {
    record.outcome = model::Outcome::unmeasured;
    record.reason = "there was no stats.json";
  } else if (incomplete != metrics.end() && incomplete->value.value() != 0) {
    record.outcome = model::Outcome::test_failed;
    record.reason = "marked as incomplete";
  }
}

Status Importer::stage_run(const Path& run) {
  ASSIGN_OR_RETURN(const bool known, is_here(run.string()));
  if (known) return {};
  ASSIGN_OR_RETURN(model::RunRecord record, describe(run));
  ASSIGN_OR_RETURN(os::TempDir directory, fresh_directory());
  TRY(copy_files(run, directory.path()));
  // What is checked is the copy, which nobody changes any more.
  Result<model::Metrics> metrics = read_stats(directory.path());
  if (!metrics) {
    Error error = metrics.error();
    error.message = replace_all(error.message, directory.path().string(), run.string());
    return fail(error);
  }
  TRY(check_keys(*metrics, (run / "stats.json").string()));
  if (record.outcome == model::Outcome::ok) judge(record, *metrics);
  record.origin = run.string();
  staged_.push_back({std::move(record), std::move(directory)});
  return {};
}

Status Importer::copy_files(const Path& from, const Path& to) {
  std::size_t files = 0;
  std::size_t bytes = 0;
  for (const Path& entry : os::list_directory(from)) {
    std::error_code error;
    const bool regular = fs::is_regular_file(fs::symlink_status(entry, error));
    const std::uintmax_t size = regular ? fs::file_size(entry, error) : 0;
    if (!regular || error || size > kLargestFile || bytes + size > kLargestRun || files == kMostFiles) {
      ++report_.files_left;
      continue;
    }
    ASSIGN_OR_RETURN(const std::string content, os::read_file(entry, kLargestFile));
    TRY(os::write_file(to / entry.filename(), content));
    bytes += content.size();
    ++files;
  }
  return {};
}

Status Importer::stage_matrix(const Path& file) {
  ASSIGN_OR_RETURN(const model::Matrix matrix, read_matrix_file(file));
  std::size_t columns = matrix.sources.size();
  for (const model::MatrixRow& row : matrix.rows) columns = std::max(columns, row.values.size());
  for (std::size_t column = 0; column < columns; ++column) {
    if (os::interrupted()) return interrupted("importing was interrupted: nothing was imported");
    TRY(stage_column(matrix, column, file));
  }
  return {};
}

Status Importer::stage_column(const model::Matrix& matrix, std::size_t column, const Path& file) {
  const std::string origin = fmt::format("{}#{}", file.string(), column);
  ASSIGN_OR_RETURN(const bool known, is_here(origin));
  if (known) return {};
  model::Metrics metrics;
  for (const model::MatrixRow& row : matrix.rows) {
    const bool there = column < row.values.size();
    if (!there && options_.missing_is_zero) metrics.push_back({row.key, model::Number(0)});
    if (there && row.values[column] && std::isfinite(row.values[column]->value()))
      metrics.push_back({row.key, *row.values[column]});
  }
  TRY(check_keys(metrics, file.string()));
  const Path source = column < matrix.sources.size() ? Path(matrix.sources[column]).parent_path() : Path();
  const Path place = file.parent_path() / std::to_string(column);
  Identity identity = identity_of_path(source).value_or(identity_of_path(place).value_or(Identity{}));
  identity = merged(std::move(identity), told(file.parent_path()), options_);
  identity.axes.try_emplace("commit", plain(file.parent_path().filename().string()));
  ASSIGN_OR_RETURN(os::TempDir directory, fresh_directory());
  TRY(os::write_file(directory.path() / "stats.json", write_stats(metrics)));
  model::RunRecord record;
  record.axes = identity.axes;
  record.path_params = identity.path_params;
  record.outcome = model::Outcome::ok;
  record.origin = origin;
  judge(record, metrics);
  staged_.push_back({std::move(record), std::move(directory)});
  return {};
}

void Importer::take_back(const std::vector<std::int64_t>& ids) {
  (void)store_.together([&]() -> Status {
    for (const std::int64_t id : ids) TRY(store_.remove(id));
    return {};
  });
  for (const Staged& staged : staged_)
    if (!staged.record.directory.empty()) (void)os::remove_tree(staged.record.directory);
}

Result<ImportReport> Importer::commit() {
  std::vector<std::int64_t> ids;
  Status done;
  for (std::size_t i = 0; done && i < staged_.size(); ++i) {
    Staged& staged = staged_[i];
    staged.record.directory.clear();
    if (os::interrupted()) {
      done = interrupted("importing was interrupted: nothing was imported");
      break;
    }
    const Result<Path> place = commit_run(home_, staged.directory.path(), staged.record);
    if (!place) {
      staged.record.directory.clear();
      done = fail(place.error());
      break;
    }
    (void)staged.directory.release();
    const Result<model::Metrics> metrics = read_stats(*place);
    const Result<std::int64_t> id =
        metrics ? store_.put(staged.record, *metrics) : Result<std::int64_t>(fail(metrics.error()));
    if (!id) done = fail(id.error());
    if (id) ids.push_back(*id);
  }
  if (!done) take_back(ids);
  if (!done) return fail(done.error());
  report_.runs = staged_.size();
  return report_;
}

}  // namespace

Result<ImportReport> import_tree(const Path& source, const Path& home, Store& store,
                                 const ImportOptions& options) {
  ASSIGN_OR_RETURN(const Found found, scan_tree(source));
  Importer importer(home, store, options);
  TRY(importer.stage(found));
  return importer.commit();
}

}  // namespace kilter::store
