#pragma once

#include "model/report_types.h"
#include "report/mail.h"

#include <span>
#include <string>

namespace kilter::report {

// The mail's data for programs:
//   {"subject", "message_id", "date", "from", "to": [..], "cc": [..], "archive", "metric", "percent", "word",
//    "failure", "verdict": {"answer", "p", "n": [base, head], "text", "effect", "low", "high", "resolution"}
//    | null, "opposite": [..], "commit": {"sha", "subject"} | null, "range": {"base": {"name", "sha",
//    "subject"}, "head": {..}, "commits"} | null, "patch": {"base", "subject", "link"} | null, "tree",
//    "tree_url", "branch", "still_there": [{"head", "sha"}], "testcase", "config", "build", "compiler",
//    "machine", "parameters": {..}, "further": [{"testcase", "change", "machine", "parameters"}],
//    "reproduce": [..], "tables": [..] as table_json.h has them}
[[nodiscard]] std::string mail_json(const MailInput& input, std::span<const model::CompareTable> tables);

}  // namespace kilter::report
