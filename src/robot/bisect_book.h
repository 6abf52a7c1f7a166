#pragma once

#include "model/run.h"
#include "model/series.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// What a bisect knows of each commit, by its sha: read back from the runs that are kept, so that nothing is
// measured twice whatever ended the program.
namespace kilter::robot {

// A metric, or an outcome that appears: "crashed"; "failed" is crashed, test-failed or timed-out.
struct Measurand {
  std::string metric;
  std::string outcome;

  [[nodiscard]] bool is_outcome() const { return !outcome.empty(); }
  // What a run says of it: its metric, or 1 (this outcome) and 0 (it ended well); nullopt: nothing.
  [[nodiscard]] std::optional<double> value(const model::RunRecord& record,
                                            const model::Metrics& metrics) const;
};
// The names an outcome may have here.
[[nodiscard]] std::vector<std::string> outcome_words();

struct BookRun {
  double value = 0;
  double started = 0;  // seconds since 1970
  std::string directory;
  std::string build_id;
};

struct BookPage {
  std::vector<BookRun> runs;  // that say something
  int failures = 0;           // that say nothing, and not because of the machine
  int infra_failures = 0;
  std::string last_failure;   // "timed-out: no end after 60 s"
  bool build_failed = false;  // `last_failure` says why
  bool built = false;         // at hand
  std::string build_id;

  // Does not build, boot or run: asking again is no use.
  [[nodiscard]] bool given_up() const;
};

class BisectBook {
 public:
  explicit BisectBook(Measurand measurand) : measurand_(std::move(measurand)) {}

  void add(const model::RunRecord& record, const model::Metrics& metrics);
  void add_build(const std::string& sha, const std::string& build_id, double seconds, bool from_cache);
  // A commit that cannot even be built, for now.
  void give_up(const std::string& sha, const std::string& why);
  // An empty page for a commit that nothing is known of.
  [[nodiscard]] const BookPage& page(const std::string& sha) const;
  [[nodiscard]] const Measurand& measurand() const { return measurand_; }
  // The machine's, since the last run that was none, of those added after forgive().
  [[nodiscard]] int infra_failures_in_a_row() const { return infra_in_a_row_; }
  // Failures of the machine are forgotten: it may have been put right since.
  void forgive();
  [[nodiscard]] int runs() const { return runs_; }      // that were made, failures too
  [[nodiscard]] int builds() const { return builds_; }  // made, not taken from the cache
  // Mean seconds of a run with all around it, and of a build; nullopt before the first.
  [[nodiscard]] std::optional<double> run_seconds() const;
  [[nodiscard]] std::optional<double> build_seconds() const;

 private:
  Measurand measurand_;
  std::map<std::string, BookPage> pages_;
  int runs_ = 0;
  int infra_in_a_row_ = 0;
  int timed_runs_ = 0;
  int builds_ = 0;
  int timed_builds_ = 0;
  double seconds_of_runs_ = 0;
  double seconds_of_builds_ = 0;
};

}  // namespace kilter::robot
