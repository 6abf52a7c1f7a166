#include "base/log.h"
#include "base/text.h"
#include "cli/job_words.h"
#include "cli/verbs.h"
#include "execute/describe.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class SplitJob final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.positional("JOB", words_.jobs, "Job files; words of the form key=value are overrides")
        .option("-o,--output", "DIR", output_, "Where the unit jobs go (default: here)")
        .option("-t,--testbox", "BOX", testbox_, "The machine they are for (default: this one)")
        .option("-s,--set", "'K: V'", words_.overrides, "Override a key; may be repeated")
        .option("-k,--commit", "COMMIT", commit_, "Set the commit")
        .option("-c,--kconfig", "KCONFIG", kconfig_, "Set the kernel configuration")
        .option("--compatible", compatible_, "The job is from a report: keep only what is not of its machine")
        .option("--no-defaults", no_defaults_, "Leave the include files out");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(model::Machine box, execute::identify_machine(world.root));
    const job::ExpandOptions options = make_options(box);
    if (words_.jobs.empty())
      return usage_error("split-job: no job file given", "kilter split-job jobs/netperf.yaml");
    if (!output_.empty()) TRY(os::make_directories(output_));
    const job::FileReader read = robot::job_reader(world.home, box);
    for (const std::string& word : words_.jobs) {
      ASSIGN_OR_RETURN(const std::string file, job_path(words_, word, read));
      TRY(split(world, box, options, file));
    }
    return 0;
  }

 private:
  job::ExpandOptions make_options(const model::Machine& box) {
    move_overrides(words_);
    if (!commit_.empty()) words_.overrides.push_back("commit: " + commit_);
    if (!kconfig_.empty()) words_.overrides.push_back("kconfig: " + kconfig_);
    job::ExpandOptions options = robot::expand_options(box, words_.overrides);
    if (!testbox_.empty()) options.testbox = testbox_;
    options.compatible = compatible_;
    options.defaults = !no_defaults_;
    return options;
  }

  Status split(World& world, const model::Machine& box, const job::ExpandOptions& options,
               const std::string& file) const {
    ASSIGN_OR_RETURN(const std::vector<model::UnitJob> jobs,
                     robot::load_jobs(file, world.home, box, options));
    std::string report;
    for (const model::UnitJob& job : jobs) {
      for (const std::string& warning : job.warnings) log::warn(warning);
      const os::Path path = os::Path(output_) / (job.name + ".yaml");
      TRY(os::write_changed_file(path, job.text));
      report += fmt::format("{} => {}\n", file, path.string());
    }
    return world.print(report);
  }

  JobWords words_;
  std::string output_;
  std::string testbox_;
  std::string commit_;
  std::string kconfig_;
  bool compatible_ = false;
  bool no_defaults_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_split_job() {
  return std::make_unique<SplitJob>();
}

}  // namespace kilter::cli
