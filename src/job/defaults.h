#pragma once

#include "base/result.h"
#include "job/expand.h"
#include "job/programs.h"
#include "model/node.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace kilter::job {

// hosts/ and include/ files of a job. Each is read once; each that is loaded leaves its "#! path" in the job.
class Defaults {
 public:
  explicit Defaults(const FileReader& read) : read_(read) {}

  // hosts/<tbox_group>, else hosts/<testbox>; nothing when there is neither.
  [[nodiscard]] Status add_host(model::Node& job, const std::string& testbox);

  // For each key of the job: programs/<key>/include when it is a program, else include/<key>/<value> by
  // growing prefixes of the value (vm, vm-lkp, ...), or OTHERS; and ALL. With `settled_only`, keys whose
  // value the matrix may still change are left for later.
  [[nodiscard]] Status add_includes(model::Node& job, bool settled_only);

 private:
  struct Trigger {
    std::string key;
    model::Node value;
    bool program = false;
  };
  [[nodiscard]] std::vector<Trigger> triggers(const model::Node& job, std::size_t from, bool settled_only);
  [[nodiscard]] Status add_file(model::Node& job, const std::string& path, const model::Node& trigger,
                                bool& found);
  [[nodiscard]] Status add_for_value(model::Node& job, const std::string& key, const model::Node& value);
  [[nodiscard]] const std::optional<std::string>& text_of(const std::string& path);

  const FileReader& read_;
  std::unordered_map<std::string, std::optional<std::string>> texts_;
  std::unordered_map<std::string, model::Node> parsed_;  // by path, and expanded text of a template
};

}  // namespace kilter::job
