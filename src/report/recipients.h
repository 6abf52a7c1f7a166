#pragma once

#include "model/project.h"
#include "report/rfc5322.h"

#include <span>
#include <string>
#include <vector>

namespace kilter::report {

struct Recipients {
  std::vector<Mailbox> to;
  std::vector<Mailbox> cc;
};

// To the author; Cc to the project's lists first, then to the people of the commit's tags (...-by, Cc).
// Nobody twice, whatever the case of the address; what is no address is left out.
[[nodiscard]] Recipients recipients(const model::Commit& commit, std::span<const std::string> project_list);

}  // namespace kilter::report
