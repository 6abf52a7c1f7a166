#pragma once

#include "base/result.h"
#include "model/unit_job.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A job file -> its unit jobs, as LKP's split-job makes them. Pure: files come through the reader, then from
// those built into the program (jobs/, include/).
namespace kilter::job {

// Text of a job/include/hosts file, or nullopt. Paths as LKP writes them: "jobs/netperf.yaml",
// "include/category/benchmark", "hosts/tbox", or a path relative to the including file.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

struct ExpandOptions {
  std::string testbox;  // host name, "tbox"; "" leaves testbox and tbox_group out
  std::string arch = "x86_64";
  std::vector<std::string> overrides;  // "KEY: VALUE" or "key=value", dotted keys allowed, KEY+ / KEY- forms
  bool compatible = false;             // --compatible: the job is out of a report
  bool defaults = true;                // include files
  std::size_t limit = 100000;          // more unit jobs than this is an error, found before they are built
};

// The unit jobs in document order. Of two with the same name the later one is kept, with a warning. Errors
// name file, line and column.
[[nodiscard]] Result<std::vector<model::UnitJob>> expand(const std::string& job_path, const FileReader& read,
                                                         const ExpandOptions& options);

// An atomic job (has `arch`) as `run` takes it; overrides applied.
[[nodiscard]] Result<model::UnitJob> load_unit_job(const std::string& path, const FileReader& read,
                                                   const ExpandOptions& options);

// Either of the two, by what the file is: a unit job has a top-level `arch` key.
[[nodiscard]] Result<std::vector<model::UnitJob>> load_jobs(const std::string& path, const FileReader& read,
                                                            const ExpandOptions& options);

// "vm-snb-12" -> "vm-snb", "ivb42-3-x-7" -> "ivb42-x", "lkp-spr-2sp3" as it is.
[[nodiscard]] std::string tbox_group(std::string_view host);

}  // namespace kilter::job
