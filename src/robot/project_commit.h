#pragma once

#include <string>

namespace kilter::robot {

// What a project makes of a revision's name.
struct ProjectCommit {
  std::string project;
  std::string commit;  // as its runs are stored: a sha, sha+patch
};

}  // namespace kilter::robot
