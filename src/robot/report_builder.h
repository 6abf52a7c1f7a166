#pragma once

#include "report/mail.h"
#include "report/table.h"
#include "robot/comparison.h"
#include "robot/lab.h"
#include "robot/revisions.h"

#include <string>
#include <vector>

// Comparison -> the mail and its archive of materials.
namespace kilter::robot {

struct ReportRequest {
  // Base first, then what is reported; more become further columns. Forced: unlike machines, and revisions
  // that built to the same program, too.
  ComparisonRequest comparison;
  std::string metric;  // the headline, directed or not; "" picks a directed one, or a failure
  report::TableStyle style = report::TableStyle::kilter;
  bool archive = true;  // false: nothing is written, and the mail speaks of no materials
};

struct Report {
  std::string subject;
  std::string message;  // RFC 5322
  os::Path archive;     // where the materials were written, or would be
  report::MailInput mail;
  std::vector<model::CompareTable> tables;  // in the order of the mail's sections
  std::vector<std::string> notes;           // of the comparison: what was left out
};

// Writes the archive, if wanted, below <home>/archive, never over another; delivering the message is the
// caller's. Fails when there is nothing to tell, naming what was compared.
[[nodiscard]] Result<Report> build_report(const ReadingRoom& room, const Revisions& revisions,
                                          const ReportRequest& request);

}  // namespace kilter::robot
