#pragma once

#include "project/build.h"
#include "robot/bisect_book.h"
#include "robot/subjects.h"

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

// Builds commits of one project when they are first asked for, and measures one run at a time; where the
// project has several layouts they take turns.
namespace kilter::robot {

struct CommitRunnerOptions {
  double time_limit = 0;     // of a run; 0: the suite's
  double build_timeout = 0;  // 0: the project's
  bool monitors = false;
  // The first run of a build in this process is not counted; runs longer than this many seconds need none.
  double warm_up_below = 10;
};

class CommitRunner {
 public:
  // All of them must live longer.
  [[nodiscard]] static Result<std::unique_ptr<CommitRunner>> create(Lab& lab,
                                                                    const project::Repository& repository,
                                                                    const model::UnitJob& job,
                                                                    const CommitRunnerOptions& options);
  // What is being done, for progress.
  std::function<void(const std::string&)> doing;

  // One run more of `commit` in the book, or its failure. An Error when it was interrupted, or when nothing
  // can be kept or built at all.
  [[nodiscard]] Status run(const model::Commit& commit, BisectBook& book);

 private:
  CommitRunner(Lab& lab, const project::Repository& repository, const model::UnitJob& job,
               const CommitRunnerOptions& options, project::Builder builder);
  [[nodiscard]] Status build(const model::Commit& commit, int layout, BisectBook& book);
  [[nodiscard]] Status keep_failed_build(const model::Commit& commit, const project::BuildResult& result,
                                         BisectBook& book);
  [[nodiscard]] Result<Measured> measure_once(const Subject& subject, bool warm_up);
  [[nodiscard]] bool is_gone(const model::Commit& commit) const;

  Lab& lab_;
  const project::Repository& repository_;
  const model::UnitJob& job_;
  CommitRunnerOptions options_;
  project::Builder builder_;
  std::map<std::pair<std::string, int>, Subject> subjects_;  // by sha and layout: built in this process
  std::mt19937_64 random_;
  int place_ = 0;
};

}  // namespace kilter::robot
