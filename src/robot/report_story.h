#pragma once

#include "analyse/direction.h"
#include "model/machine.h"
#include "model/run.h"
#include "model/unit_job.h"
#include "project/build_record.h"
#include "report/mail.h"
#include "robot/comparison.h"
#include "robot/kernel.h"
#include "robot/lab.h"

#include <optional>
#include <string>
#include <vector>

// What a comparison has to tell, table by table: the change or the failure, and the runs behind it.
namespace kilter::robot {

inline constexpr std::size_t kHeadColumn = 1;  // the column a report is about

// One column of a table: its runs, and how what they ran was built.
struct Side {
  std::string label;                   // the commit as stored
  std::string build_name;              // of the files of its build: "975660a46f56"
  std::string name;                    // of its own: the same or, of one commit, "nr_task-100%"
  std::vector<model::RunRecord> runs;  // oldest first; none for LKP's matrices
  std::optional<project::BuildRecord> build;
  std::optional<Kernel> kernel;  // that was measured, where nothing was built
};

struct Story {
  const model::CompareTable* table = nullptr;
  const std::vector<Cell>* columns = nullptr;
  std::vector<Side> sides;                    // one a column
  std::optional<analyse::Headline> headline;  // nullopt: a failure
  std::string failure;                        // "toy.test-failed", "BUG:KASAN:..."
  std::optional<analyse::Headline> opposite;  // what speaks against the headline
  // What our rule says of the headline or the failure, and as a sentence; "" of LKP's rule.
  std::optional<model::RowVerdict> verdict;
  std::string evidence;
  std::string also_fails;                   // beside a headline: "toy.test-failed in 2 of 6 runs"
  std::optional<model::RunRecord> example;  // the run of the head that is shown
  std::optional<model::Machine> machine;    // of that run
  model::UnitJob job;                       // of that run
  std::vector<report::MailAxis> differs;    // the compared axes in which head and base are not alike
  std::vector<report::MailAxis> also;       // others in which they are not: of directories and kernels

  [[nodiscard]] std::string axis(const std::string& name) const;  // of the head; "" when it has none
  [[nodiscard]] const Side& base() const { return sides.front(); }
  [[nodiscard]] const Side& head() const { return sides[kHeadColumn]; }
  [[nodiscard]] std::string project() const;  // that the head was measured for; "" when there is none
  // Base and head are not of two commits.
  [[nodiscard]] bool is_pair() const;
  // The sides are kernels, booted one after the other.
  [[nodiscard]] bool is_of_kernels() const;
  // Both sides are jobs of this machine: nothing differs but what a job sets.
  [[nodiscard]] bool is_job_pair() const;
  [[nodiscard]] bool compares(const std::string& axis) const;
  // The machine's description, else its group.
  [[nodiscard]] std::string machine_text() const;
  // In job order; without a job all axes that are no general ones. Those that differ are left out.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> parameters() const;
};

// Tables with something to tell: failures, then the largest change first. Without a metric that is the
// largest directed change of each table, else a test that fails on the head and not on the base. `metric`
// names a row instead, directed or not, and changed or not: `evidence` tells. An Error says why there is
// none.
[[nodiscard]] Result<std::vector<Story>> find_stories(const ReadingRoom& room, const Comparison& comparison,
                                                      const std::string& metric);

}  // namespace kilter::robot
