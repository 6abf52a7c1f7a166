#include "robot/fitness.h"

#include "base/assets.h"
#include "base/text.h"
#include "model/json.h"
#include "robot/kernel.h"
#include "robot/presence.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

namespace kilter::robot {
namespace {

constexpr std::size_t kMostAlike = 1000;  // more are not compared with each other

std::vector<std::string> cpu_flags(const os::Root& root) {
  const std::string text = root.read("/proc/cpuinfo").value_or("");
  for (const std::string_view line : lines(text)) {
    const std::size_t colon = line.find(':');
    const std::string_view name = trim(line.substr(0, colon));
    if (colon == std::string_view::npos || (name != "flags" && name != "Features")) continue;
    std::vector<std::string> flags;
    for (const std::string_view flag : words(line.substr(colon + 1))) flags.emplace_back(flag);
    return flags;
  }
  return {};
}

void add_once(std::vector<std::string>& notes, const std::string& note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

// All that a run does, monitors aside.
std::string deeds(const model::Plan& plan) {
  model::Plan bare;
  bare.setup = plan.setup;
  bare.skipped = plan.skipped;
  bare.workload = plan.workload;
  return model::dump_json(bare);
}

// Whether `more` has every parameter of `less`, and others: then these changed nothing.
bool only_adds(const model::UnitJob& more, const model::UnitJob& less) {
  return more.axes.size() > less.axes.size() && std::ranges::all_of(less.axes, [&](const auto& axis) {
           const auto found = more.axes.find(axis.first);
           return found != more.axes.end() && found->second == axis.second;
         });
}

// Written by the user; a job that kilter brings is not theirs to mend, wherever a copy of it stands.
bool is_own_job(const Lab& lab, const std::string& file) {
  const std::optional<std::string_view> built_in = asset("jobs/" + os::Path(file).filename().string());
  const std::optional<std::string> text = job_reader(lab.world.home, lab.box)(file);
  return !built_in || !text || *text != *built_in;
}

}  // namespace

job::MachineFacts machine_facts(const Lab& lab) {
  const model::Machine& box = lab.box;
  constexpr std::int64_t kKilo = 1024;
  return {.numbers = {box.nr_cpu, box.nr_node, box.memory_kb * kKilo},
          .kernel = box.kernel,
          .cpu_model = std::string(trim(box.cpu_model + " " + box.microarchitecture)),
          .cpu_flags = cpu_flags(lab.world.root),
          .is_virtual = !box.hypervisor.empty(),
          .kconfig = kernel_config(lab.world.root, box.kernel)};
}

Status leave_out_unfit(const Lab& lab, std::vector<model::UnitJob>& jobs, std::vector<std::string>& notes) {
  const job::MachineFacts machine = machine_facts(lab);
  std::string last;
  std::erase_if(jobs, [&](const model::UnitJob& unit) {
    const std::optional<std::string> reason = job::reason_to_abandon(unit, machine);
    if (!reason) {
      for (const std::string& note : job::unchecked_needs(unit, machine)) add_once(notes, note);
      return false;
    }
    last = fmt::format("{} is left out: {}", unit.name, *reason);
    notes.push_back(last);
    return true;
  });
  if (jobs.empty() && !last.empty())
    return fail({ErrorCode::failure, "run: no unit job can run on this machine", last});
  return {};
}

Status check_plans(const Lab& lab, const PlanOptions& options, std::vector<model::UnitJob>& jobs,
                   std::vector<std::string>& notes) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ASSIGN_OR_RETURN(const PlannedRun planned, make_plan(jobs[i], lab, options));
    TRY(check_presence(jobs[i], planned));
    for (const std::string& warning : planned.warnings) add_once(notes, warning);
    alike[deeds(planned.plan)].push_back(i);
  }
  std::vector<bool> gone(jobs.size());
  for (const auto& [what, members] : alike) {
    if (members.size() > kMostAlike) continue;
    for (const std::size_t more : members)
      for (const std::size_t less : members) {
        if (gone[more] || !only_adds(jobs[more], jobs[less])) continue;
        gone[more] = true;
        if (is_own_job(lab, jobs[more].file))
          notes.push_back(fmt::format("{} is left out: it would measure what {} measures", jobs[more].name,
                                      jobs[less].name));
      }
  }
  std::vector<model::UnitJob> kept;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(jobs[i]));
  jobs = std::move(kept);
  return {};
}

}  // namespace kilter::robot
