# Run by cmake/Version.cmake: writes SOURCE for VERSION and the commit of TREE, unless it says so already.
execute_process(COMMAND git -C ${TREE} describe --always --abbrev=12 --exclude=* --dirty=+
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${SOURCE} @ONLY CONTENT [[#include "base/version.h"

namespace kilter {

std::string_view version() {
  return "@VERSION@";
}

std::string_view built_commit() {
  return "@commit@";
}

}  // namespace kilter
]])
