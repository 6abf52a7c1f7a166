#pragma once

#include "analyse/direction.h"
#include "report/mail.h"
#include "report/table.h"
#include "robot/comparison.h"
#include "robot/lab.h"
#include "robot/revisions.h"

#include <optional>
#include <string>
#include <vector>

// Comparison -> the mail and its archive of materials.
namespace kilter::robot {

struct ReportRequest {
  std::vector<std::string> operands;  // base first, then the changed revision; more become further columns
  std::string metric;                 // the headline; "" picks it
  report::TableStyle style = report::TableStyle::kilter;
  bool force = false;
  model::Axes restrict;
};

struct Report {
  std::string subject;
  std::string message;  // RFC 5322
  os::Path archive;     // where the materials were written
  std::string message_id;
};

// Writes the archive below <home>/archive; delivering the message is the caller's. Fails when nothing
// directed changed, naming what was compared.
[[nodiscard]] Result<Report> build_report(const ReadingRoom& room, const Revisions& revisions,
                                          const ReportRequest& request);

}  // namespace kilter::robot
