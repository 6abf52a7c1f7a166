#pragma once

#include "analyse/bisect_estimate.h"
#include "analyse/direction.h"
#include "model/unit_job.h"
#include "project/project.h"
#include "robot/bisect_evidence.h"
#include "robot/lab.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// `kilter bisect`: which commit changed a metric, or made an outcome appear, and how sure that is. Every run
// is kept like any other and found again, so a bisect goes on where it was, whatever ended it.
namespace kilter::robot {

struct BisectRequest {
  project::Project project;
  model::UnitJob job;
  RangeRequest range;
  Measurand measurand;
  BisectSettings settings;
  double budget = 0;         // seconds of this call; 0: none
  double time_limit = 0;     // of a run; 0: the suite's
  double build_timeout = 0;  // 0: the project's
  bool monitors = false;
  bool fresh = false;       // take no run that is there already
  bool first_only = false;  // one culprit will do
  bool dry = false;         // nothing is begun: for estimate()
};

// One search: of the range that was asked for, of a branch, of what is left beside a culprit.
struct BisectScene {
  const BisectRange& range;
  const BisectBook& book;
  const BisectEvidence& evidence;
  const analyse::BisectPosterior& posterior;
  std::string part;                 // "" for the whole range, "branch of 4f2a91c", "a..b"
  std::optional<std::size_t> busy;  // the commit that is built or measured
  std::string doing;                // "building", "measuring 2/3"
  double seconds = 0;               // since this call began
  std::optional<double> left;       // seconds, roughly
};

struct BisectHooks {
  std::function<void(const BisectScene&)> changed;
  std::function<void(const std::string&)> note;
};

struct BisectSide {
  std::size_t runs = 0;
  std::size_t builds = 0;
  double sum = 0;  // of an outcome: how often it was seen
};

struct BisectFinding {
  analyse::BisectAnswer::Kind kind = analyse::BisectAnswer::Kind::no_difference;
  std::vector<model::Commit> commits;  // the culprit, or those it is one of; none when nothing differs
  model::Commit parent;                // the commit before them; for no_difference the good end
  model::Commit bad;                   // the last of them; for no_difference the bad end
  double probability = 0;
  bool verified = false;
  bool complete = false;  // not ended by the budget
  double least = 0;       // of no_difference: what the ends differ by counts for less than this
  bool tested = true;     // there was time for the test of the pair around the culprit
  double p = 1;           // of that pair
  // All runs before against all runs after, inside the range that was searched.
  std::optional<analyse::RecResult> change;  // nullopt for outcomes
  BisectSide before;
  BisectSide after;
  std::string part;
  std::vector<std::string> skipped;  // why some of `commits` were not tested: "4f2a91c: build failed: ..."
};

struct BisectReport {
  std::string metric;
  model::Direction direction = model::Direction::unknown;
  std::string unit;
  BisectRange range;
  std::vector<BisectFinding> findings;  // the first is of the whole range
  BisectBook book{Measurand{}};
  int runs = 0;    // of this bisect, in all calls
  int builds = 0;  // in this call
  double seconds = 0;
  std::string session;
};

class Bisect {
 public:
  // Resolves the ends, checks all that can be checked without measuring, finds the runs that are there.
  [[nodiscard]] static Result<std::unique_ptr<Bisect>> prepare(Lab& lab, BisectRequest request,
                                                               const BisectHooks& hooks);
  virtual ~Bisect() = default;
  [[nodiscard]] virtual Result<BisectReport> run() = 0;

  struct Estimate {
    std::size_t commits = 0;
    double shift = 0;    // in units of a run's noise
    bool known = false;  // from the runs at hand; else assumed
    analyse::BisectEstimate expected;
    double run_seconds = 0;
    double build_seconds = 0;
    int runs_at_hand = 0;
  };
  // For each of `shifts`, or for the one that is known.
  [[nodiscard]] virtual Result<std::vector<Estimate>> estimate(const std::vector<double>& shifts) const = 0;
  [[nodiscard]] virtual const BisectRange& range() const = 0;
};

}  // namespace kilter::robot
