#include "base/version.h"

namespace kilter {

std::string version_line(std::string_view program) {
  std::string line(program);
  line.append(" ").append(version());
  if (!built_commit().empty()) line.append(" (").append(built_commit()).append(")");
  return line;
}

}  // namespace kilter
