#include "base/assets.h"
#include "cli/verbs.h"
#include "execute/describe.h"
#include "model/json.h"
#include "robot/doctor.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

using robot::Finding;

const char* state_name(Finding::State state) {
  switch (state) {
    case Finding::State::ok:
      return "ok";
    case Finding::State::limited:
      return "limited";
    case Finding::State::absent:
      return "absent";
    case Finding::State::optional:
      return "optional";
    case Finding::State::missing:
      break;
  }
  return "missing";
}

bool is_wanting(const Finding& finding) {
  return finding.state == Finding::State::missing || finding.state == Finding::State::limited;
}

class Doctor final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.option("--jobs", jobs_, "List the built-in job files instead")
        .option("--missing", missing_, "Only what is missing or limited")
        .choice("--format", format_, {"text", "json"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    if (jobs_) return list_jobs(world);
    ASSIGN_OR_RETURN(const suite::Catalogue catalogue,
                     suite::Catalogue::load(robot::user_suites(world.home)));
    ASSIGN_OR_RETURN(const model::Machine box, execute::describe_machine(world.root, &world.runner));
    const std::vector<Finding> findings = robot::examine(robot_world(world), catalogue, box);
    TRY(world.print(format_ == "json" ? json(findings) : box.description() + "\n" + text(findings)));
    return 0;
  }

 private:
  static Result<int> list_jobs(World& world) {
    std::string out;
    for (const std::string_view path : assets_below("jobs/")) out += std::string(path) + "\n";
    TRY(world.print(out));
    return 0;
  }

  std::string text(const std::vector<Finding>& findings) const {
    std::string out;
    std::string topic;
    for (const Finding& finding : findings) {
      if (missing_ && !is_wanting(finding)) continue;
      if (finding.topic != topic) out += fmt::format("\n{}:\n", topic = finding.topic);
      out += fmt::format("  {:<8} {}", state_name(finding.state), finding.name);
      if (!finding.detail.empty()) out += ": " + finding.detail;
      if (!finding.remedy.empty()) out += " (" + finding.remedy + ")";
      out += "\n";
    }
    return out;
  }

  static std::string json(const std::vector<Finding>& findings) {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : findings)
      list.push_back({{"topic", finding.topic},
                      {"name", finding.name},
                      {"state", state_name(finding.state)},
                      {"detail", finding.detail},
                      {"remedy", finding.remedy}});
    return model::dump_json(list) + "\n";
  }

  bool jobs_ = false;
  bool missing_ = false;
  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Verb> make_doctor() {
  return std::make_unique<Doctor>();
}

}  // namespace kilter::cli
