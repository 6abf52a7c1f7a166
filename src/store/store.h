#pragma once

#include "base/result.h"
#include "model/axes.h"
#include "model/run.h"
#include "model/run_table.h"
#include "model/series.h"
#include "os/files.h"
#include "store/campaign.h"
#include "store/series.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The index of all runs and every metric value of theirs. Runs go in, cells and series come out.
// It can always be rebuilt from results/ (store/reindex.h), so it holds nothing that is not there.
namespace kilter::store {

using os::Path;

struct StoredRun {
  std::int64_t id = 0;
  model::RunRecord record;
};

// All conditions hold together; the defaults ask for nothing.
struct RunQuery {
  model::Axes axes;  // every one of these axes has this value
  std::optional<model::Outcome> outcome;
  std::string session;
  std::string project;
  std::string build_id;
  std::string origin;
  double since = 0;  // started at or after, seconds since 1970
  int limit = 0;     // 0: all
};

// One run's value of the metric of a series.
struct SeriesPoint {
  std::string commit;
  std::int64_t run = 0;
  double started = 0;
  model::Number value;
  std::string boot_id;
  std::string build_id;
};

// The runs of one commit of a series that ended well.
struct SeriesBuild {
  struct Run {
    std::int64_t id = 0;
    std::string fingerprint;
  };
  std::string commit;
  double started = 0;     // of the first
  std::vector<Run> runs;  // oldest first
};

// How far a bulk operation is; called now and then, on the calling thread.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// Not to be shared between threads: each opens its own. Processes may write at the same time.
class Store {
 public:
  virtual ~Store() = default;

  // Keeps a run and its metrics, in one transaction; answers the run's id. A run of the same directory is
  // replaced. Values that are not a number are left out: they are missing.
  [[nodiscard]] virtual Result<std::int64_t> put(const model::RunRecord& record,
                                                 const model::Metrics& metrics) = 0;
  // Takes a run out again; one that is not there is fine. Its directory is the caller's.
  [[nodiscard]] virtual Status remove(std::int64_t run) = 0;
  // Newest first.
  [[nodiscard]] virtual Result<std::vector<StoredRun>> runs(const RunQuery& query) = 0;
  [[nodiscard]] virtual Result<model::Metrics> metrics(std::int64_t run) = 0;
  // The `ok` runs of one cell (all axes given), oldest first, side by side; rows sorted by key. Only what a
  // run has is there: a missing sample is nullopt.
  [[nodiscard]] virtual Result<model::Matrix> matrix(const model::Axes& cell) = 0;
  // The same for chosen runs, a column each, in the given order.
  [[nodiscard]] virtual Result<model::Matrix> matrix_of(const std::vector<std::int64_t>& runs) = 0;
  // One metric over all `ok` runs whose axes but for the commit are exactly these; oldest first.
  [[nodiscard]] virtual Result<std::vector<SeriesPoint>> series(const model::Axes& without_commit,
                                                                const std::string& key) = 0;
  // The commits of a series, by the start of their first run. The axes but for the commit are exactly these.
  [[nodiscard]] virtual Result<std::vector<SeriesBuild>> series_builds(const model::Axes& without_commit) = 0;
  // Every value of chosen runs, a column each, in the given order; in one pass and without copies of keys.
  [[nodiscard]] virtual Result<model::RunTable> run_table(const std::vector<std::int64_t>& runs) = 0;
  // Chosen metrics over all `ok` runs whose axes but for the commit are exactly these: each run is read once.
  [[nodiscard]] virtual Result<SeriesTable> series_table(const model::Axes& without_commit,
                                                         const KeyFilter& wanted) = 0;
  // What that would be made of, without reading a value.
  [[nodiscard]] virtual Result<SeriesShape> series_shape(const model::Axes& without_commit) = 0;
  // The distinct axes but for the commit of the cells that have all of `subset`, sorted by their key.
  [[nodiscard]] virtual Result<std::vector<model::Axes>> series_axes(const model::Axes& subset) = 0;
  // The distinct commit axes of all cells, sorted.
  [[nodiscard]] virtual Result<std::vector<std::string>> commits() = 0;
  // The distinct axes of the runs that have all of `subset`, sorted by their key.
  [[nodiscard]] virtual Result<std::vector<model::Axes>> cells(const model::Axes& subset) = 0;
  // The directories of all runs as they were put, sorted.
  [[nodiscard]] virtual Result<std::vector<std::string>> directories() = 0;
  // Answers its id. Unlike runs, campaigns are in the database alone; `reindex` keeps them.
  [[nodiscard]] virtual Result<std::int64_t> begin_campaign(const Campaign& campaign) = 0;
  // Newest first; an empty kind or key means any.
  [[nodiscard]] virtual Result<std::vector<Campaign>> campaigns(const std::string& kind,
                                                                const std::string& key) = 0;
  // One more thing that was done; kept when this returns, whatever ends the program then.
  [[nodiscard]] virtual Status add_campaign_step(std::int64_t campaign, const std::string& step) = 0;
  // In the order in which they were added.
  [[nodiscard]] virtual Result<std::vector<std::string>> campaign_steps(std::int64_t campaign) = 0;
  [[nodiscard]] virtual Status end_campaign(std::int64_t campaign, const std::string& answer,
                                            double ended) = 0;
  // Of one run; "" when there is none.
  [[nodiscard]] virtual Result<std::string> directory(std::int64_t run) = 0;
  // Many puts as one transaction: all of them, or none when `work` fails.
  [[nodiscard]] virtual Status together(const std::function<Status()>& work) = 0;
};

enum class Access { write, read };

// Opens `db` (SQLite), making or migrating it first when access is `write`. The run directories it speaks of
// are those of results/ beside it. A newer schema, a locked file and a read-only place are errors with a
// hint. With `read`, a place that this user may not write will do: what cannot be read in place there (an
// older schema, a log that was not closed) is read in a private copy, gone with the store.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const Path& db, Access access = Access::write);

}  // namespace kilter::store
