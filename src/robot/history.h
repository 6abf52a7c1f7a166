#pragma once

#include "analyse/change_points.h"
#include "base/result.h"
#include "model/history.h"
#include "robot/commit_line.h"
#include "store/store.h"
#include "suite/catalogue.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// The runs of one series -> points in the order of commits -> histories of its metrics.
namespace kilter::robot {

// Which machines are alike, by the fingerprints of their runs. Reads machine.json of one run for each.
class MachineKinds {
 public:
  explicit MachineKinds(store::Store& store) : store_(store) {}
  // What differs between the machines of two runs, as analyse::describe_unlike() says it; "" when they are
  // alike. An unknown machine is like every other.
  [[nodiscard]] std::string difference(const store::SeriesRun& a, const store::SeriesRun& b, bool kernels);

 private:
  const std::map<std::string, std::string>& parts_of(const store::SeriesRun& run);

  store::Store& store_;
  std::map<std::string, std::map<std::string, std::string>> parts_;  // by fingerprint id
};

// A point of all metrics of a series: the runs of one commit on like machines.
struct PointLayout {
  std::string commit;
  std::string subject;
  std::string build_id;
  double started = 0;
  std::size_t stretch = 0;
  std::int64_t place = -1;
  std::vector<std::size_t> runs;   // columns of the table, boot by boot
  std::vector<std::size_t> boots;  // where each boot ends in `runs`
};

struct SeriesLayout {
  std::string project;
  std::string line;  // its name; "" in the order of time
  std::vector<PointLayout> points;
  std::vector<std::string>
      whys;  // of each stretch but the first: how its machines differ from the last one's
  std::vector<std::string> notes;
};

// One for each project that the runs of the table were made for, results without a project apart; only that
// of `project` and those without one where it is given. Points of a project follow its line; commits that are
// not in the repository any more stand where their runs began, those beside the line are left out with a
// note. Results without a project follow the line that has the most of their commits. Without a line: by
// time.
[[nodiscard]] std::vector<SeriesLayout> lay_out(const store::SeriesTable& table, const CommitLines& lines,
                                                MachineKinds& kinds, const std::string& project);

// The values of one metric at the points of a layout; what has no number is left out of both.
struct MetricPoints {
  std::vector<std::size_t> points;  // of the layout
  std::vector<double> values;
};
[[nodiscard]] MetricPoints metric_points(const SeriesLayout& layout, std::span<const double> row);

// What is told of a metric beside its values.
struct MetricName {
  const model::Axes& axes;  // without the commit
  const std::string& key;
  const model::MetricInfo& info;
};
// Judged. `row`: the metric's row of the table.
[[nodiscard]] model::MetricHistory metric_history(const SeriesLayout& layout, std::span<const double> row,
                                                  const MetricName& name);
// The same with the changes of these points, where they are known already.
[[nodiscard]] model::MetricHistory metric_history(const SeriesLayout& layout, std::span<const double> row,
                                                  const MetricName& name, const MetricPoints& points,
                                                  const analyse::Changes& changes);

// From the suite, else by the lists of names that are known.
[[nodiscard]] model::MetricInfo history_metric_info(const suite::Catalogue& catalogue,
                                                    const std::string& key);

}  // namespace kilter::robot
