#include "base/log.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "execute/describe.h"
#include "robot/config.h"
#include "suite/install.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

constexpr double kStepSeconds = 1800;

bool installed(World& world, const std::string& package) {
  os::Command query{.argv = {"dpkg-query", "-W", "-f=${Status}", package}};
  query.err.kind = os::Stream::Kind::discard;
  const Result<os::ProcessResult> result = world.runner.run(query);
  return result && result->ok() && result->out.contains("ok installed");
}

class Install final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.positional("JOB", jobs_, "Job files or suite names (default: every suite)", false)
        .option("-e,--engine", "ENGINE", engine_, "builtin or upstream (default: what the job runs)")
        .option("--url", "URL", url_,
                "Clone the suite's source from here this once (lasting mirrors: <home>/config.yaml)")
        .option("-f,--force", force_, "Build again what is there")
        .option("--dry-run", dry_run_, "Say what would be done");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(const model::Machine box, execute::describe_machine(world.root, &world.runner));
    ASSIGN_OR_RETURN(const suite::Catalogue catalogue,
                     suite::Catalogue::load(robot::user_suites(world.home)));
    ASSIGN_OR_RETURN(const std::vector<suite::InstallPlan> plans, make_plans(world, box, catalogue));
    std::vector<std::string> packages;
    for (const suite::InstallPlan& plan : plans)
      for (const std::string& package : plan.packages)
        if (std::ranges::find(packages, package) == packages.end() && !installed(world, package))
          packages.push_back(package);
    if (dry_run_) return show(world, packages, plans);
    TRY(make_home(world.home));
    TRY(install_packages(world, packages));
    for (const suite::InstallPlan& plan : plans) TRY(build(world, plan));
    return report(world, plans);
  }

 private:
  static std::string mirror_hint(const World& world) {
    return fmt::format("mirrors for all: {} with 'mirrors: {{https://github.com/: file:///srv/git/}}'",
                       (world.home / "config.yaml").string());
  }

  static Result<int> report(World& world, const std::vector<suite::InstallPlan>& plans) {
    std::string out;
    for (const suite::InstallPlan& plan : plans)
      out += fmt::format("{} ({}): ready\n", plan.suite, plan.engine);
    TRY(world.print(out));
    return 0;
  }

  Result<std::vector<const suite::Suite*>> suites(World& world, const model::Machine& box,
                                                  const suite::Catalogue& catalogue) const {
    std::vector<const suite::Suite*> found;
    const std::vector<std::string> words = jobs_.empty() ? catalogue.names() : jobs_;
    for (const std::string& word : words) {
      if (const suite::Suite* suite = catalogue.find(word)) {
        if (std::ranges::find(found, suite) == found.end()) found.push_back(suite);
        continue;
      }
      ASSIGN_OR_RETURN(const std::vector<model::UnitJob> unit_jobs,
                       robot::load_jobs(word, world.home, box, robot::expand_options(box, {})));
      for (const model::UnitJob& job : unit_jobs) {
        const suite::Suite* suite = catalogue.find(job.testcase);
        if (suite == nullptr) suite = catalogue.find_program(job.program);
        if (suite == nullptr)
          return failure(fmt::format("installing what '{}' needs: no suite '{}'", word, job.program));
        if (std::ranges::find(found, suite) == found.end()) found.push_back(suite);
      }
    }
    return found;
  }

  Result<std::vector<suite::InstallPlan>> make_plans(World& world, const model::Machine& box,
                                                     const suite::Catalogue& catalogue) const {
    suite::HostFacts facts{.nr_cpu = box.nr_cpu, .memory_kb = box.memory_kb};
    facts.kilter_bench = (os::program_directory() / "kilter-bench").string();
    facts.install_root = (world.home / "tools").string();
    ASSIGN_OR_RETURN(const std::vector<const suite::Suite*> chosen, suites(world, box, catalogue));
    if (!url_.empty() && chosen.size() > 1)
      return usage_error(
          fmt::format("install: --url is the source of one suite, and {} are to be installed", chosen.size()),
          mirror_hint(world));
    ASSIGN_OR_RETURN(const robot::Config config, robot::read_config(world.home));
    std::vector<suite::InstallPlan> plans;
    for (const suite::Suite* suite : chosen) {
      ASSIGN_OR_RETURN(suite::InstallPlan plan, suite::install_plan(*suite, facts, engine_, url_));
      if (const std::string mirror = config.mirrored(plan.url); url_.empty() && mirror != plan.url) {
        ASSIGN_OR_RETURN(plan, suite::install_plan(*suite, facts, engine_, mirror));
      }
      plans.push_back(std::move(plan));
    }
    return plans;
  }

  static Result<int> show(World& world, const std::vector<std::string>& packages,
                          const std::vector<suite::InstallPlan>& plans) {
    std::string out;
    if (!packages.empty()) out += "apt-get install -y --no-install-recommends " + shell_join(packages) + "\n";
    for (const suite::InstallPlan& plan : plans)
      for (const suite::InstallStep& step : plan.steps)
        out +=
            (step.cwd.empty() ? "" : "cd " + shell_quote(step.cwd) + " && ") + shell_join(step.argv) + "\n";
    TRY(world.print(out.empty() ? "nothing to do: all is there\n" : out));
    return 0;
  }

  static Status install_packages(World& world, const std::vector<std::string>& packages) {
    if (packages.empty()) return {};
    if (::geteuid() != 0)
      return failure("installing " + join(packages, " ") + ": needs root",
                     "sudo apt-get install --no-install-recommends " + join(packages, " "));
    log::note("installing " + join(packages, " "));
    os::Command command{.argv = {"apt-get", "install", "-y", "-qq", "--no-install-recommends"},
                        .env = {{"DEBIAN_FRONTEND", "noninteractive"}}};
    command.argv.insert(command.argv.end(), packages.begin(), packages.end());
    command.timeout = kStepSeconds;
    TRY(os::run_checked(world.runner, command));
    return {};
  }

  [[nodiscard]] bool ready(const suite::InstallPlan& plan) const {
    return !force_ && std::ranges::all_of(plan.provides, os::is_installed);
  }

  // A source that was only half fetched or built is removed, so that the next try starts clean.
  Status build(World& world, const suite::InstallPlan& plan) const {
    if (plan.steps.empty() || ready(plan)) return {};
    if (force_ && !plan.source.empty()) TRY(os::remove_tree(plan.source));
    if (!plan.source.empty()) TRY(os::make_directories(os::Path(plan.source).parent_path()));
    Progress line(world);
    for (const suite::InstallStep& step : plan.steps) {
      line.keep(fmt::format("{}: {}", plan.suite, shell_join(step.argv)));
      os::Command command{.argv = step.argv, .env = step.env, .cwd = step.cwd};
      command.timeout = kStepSeconds;
      const Result<std::string> done = os::run_checked(world.runner, command);
      if (done) continue;
      if (!plan.source.empty()) TRY(os::remove_tree(plan.source));
      return fail(done.error()
                      .in("installing " + plan.suite)
                      .with_hint("a mirror can be named with --url file:///...; " + mirror_hint(world)));
    }
    return {};
  }

  std::vector<std::string> jobs_;
  std::string engine_;
  std::string url_;
  bool force_ = false;
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_install() {
  return std::make_unique<Install>();
}

}  // namespace kilter::cli
