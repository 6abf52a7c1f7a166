#pragma once

#include "base/result.h"
#include "cli/flags.h"
#include "report/table.h"
#include "robot/compare_request.h"

#include <string>
#include <vector>

namespace kilter::cli {

// What `compare` and `report` have in common: what is compared, by which rule, in which layout.
class ComparisonFlags {
 public:
  void declare(Flags& flags);
  // The words or, without any, what -s and -o name; a usage error of `verb` when there is neither.
  [[nodiscard]] Status settle(const std::string& verb);
  // After settle(). `room` and `revisions` must outlive it.
  [[nodiscard]] Result<robot::ComparisonRequest> request(const robot::ReadingRoom& room,
                                                         const robot::Revisions& revisions) const;
  [[nodiscard]] const std::string& project() const { return project_; }
  [[nodiscard]] report::TableStyle style() const;
  // LKP's where it is asked for by its name, or by its layout.
  [[nodiscard]] analyse::ChangeRule rule() const;

 private:
  [[nodiscard]] Status set_threshold(robot::ComparisonRequest& request) const;
  [[nodiscard]] Status set_verdict_rule(analyse::VerdictRule& rule) const;

  std::vector<std::string> operands_;
  std::vector<std::string> axes_;
  std::vector<std::string> others_;
  std::string keys_;
  std::string project_;
  std::string rule_;
  std::string style_ = "kilter";
  std::string threshold_;
  std::string delta_;
  std::string alpha_;
  std::string fdr_;
  bool more_ = false;
  bool kpi_ = false;
  bool force_ = false;
};

}  // namespace kilter::cli
