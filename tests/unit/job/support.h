#pragma once

#include "job/expand.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

// Jobs out of a map of texts; doctest's own comparisons show what differs.
namespace kilter::job::testing {

using Files = std::map<std::string, std::string>;

inline FileReader reader(Files files) {
  return [files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

inline Result<std::vector<model::UnitJob>> expand_text(const std::string& text, Files files = {},
                                                       const ExpandOptions& options = {}) {
  files["jobs/x.yaml"] = text;
  return expand("jobs/x.yaml", reader(std::move(files)), options);
}

// The names, "x-" taken off; or the error.
inline std::vector<std::string> names(const Result<std::vector<model::UnitJob>>& units) {
  if (!units) return {"error: " + units.error().message};
  std::vector<std::string> all;
  for (const model::UnitJob& unit : *units) all.push_back(unit.name.substr(2));
  return all;
}

inline std::string error_of(const Result<std::vector<model::UnitJob>>& units) {
  return units ? "no error" : units.error().message;
}

using Names = std::vector<std::string>;

}  // namespace kilter::job::testing
