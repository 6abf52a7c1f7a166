#include "model/unit_job.h"

namespace kilter::model {

std::string place_of(const UnitJob& job, const Node& node) {
  Mark mark = node.mark;
  if (mark.file.empty() && mark.line > 0) mark.file = job.file;
  return mark.text();
}

}  // namespace kilter::model
