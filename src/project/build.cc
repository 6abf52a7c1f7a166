#include "project/build.h"

#include "base/log.h"
#include "os/clock.h"
#include "os/interrupt.h"
#include "project/source_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <list>
#include <thread>

namespace kilter::project {
namespace {

constexpr int kMaxSlots = 8;
constexpr double kPollPause = 0.01;

// The builds under way, at most `slots` at a time.
class Yard {
 public:
  Yard(BuildSite site, std::vector<BuildOrder> orders, std::size_t slots)
      : site_(std::move(site)), waiting_(std::move(orders)), slots_(slots) {}

  Result<std::map<std::string, BuildResult>> run() {
    while (next_ < waiting_.size() || !active_.empty()) {
      if (os::interrupted()) return interrupted("building was interrupted");
      while (active_.size() < slots_ && next_ < waiting_.size())
        active_.emplace_back(waiting_[next_].key, std::make_unique<Construction>(site_, waiting_[next_])),
            ++next_;
      ASSIGN_OR_RETURN(const bool moved, poll_all());
      os::Clock& clock = os::system_clock();
      if (!moved) clock.sleep_until(clock.monotonic() + kPollPause);
    }
    return std::move(done_);
  }

 private:
  Result<bool> poll_all() {
    bool moved = false;
    for (auto it = active_.begin(); it != active_.end();) {
      ASSIGN_OR_RETURN(const bool ended, it->second->poll());
      if (!ended) {
        ++it;
        continue;
      }
      done_[it->first] = it->second->take();
      it = active_.erase(it);
      moved = true;
    }
    return moved;
  }

  BuildSite site_;
  std::vector<BuildOrder> waiting_;
  std::size_t slots_;
  std::size_t next_ = 0;
  std::list<std::pair<std::string, std::unique_ptr<Construction>>> active_;
  std::map<std::string, BuildResult> done_;
};

int cpu_count() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Every step of every revision went well: whoever wrote the sources has no part in it.
tl::unexpected<Error> blame_recipe(const Project& project, const model::Revision& revision,
                                   const BuildResult& result) {
  return usage_error(fmt::format("building '{}' of project '{}': {}", model::short_commit(revision.label),
                                 project.name, result.reason),
                     fmt::format("put 'artefacts' or 'build' right in {}; log: {}", project.file.string(),
                                 result.build.log));
}

}  // namespace

Result<Builder> Builder::create(const Repository& repository, const os::Path& home,
                                os::ProcessRunner& runner) {
  const Project& project = repository.project();
  const Result<std::vector<Argv>> steps = build_steps(project.build);
  if (!steps) return fail(steps.error().in(fmt::format("project '{}'", project.name)));
  if (project.artefacts.empty())
    return usage_error(
        fmt::format("project '{}': it names no artefacts, so there is nothing to measure", project.name),
        "artefacts: {bench: build/bench/my_bench}");
  Sandbox sandbox =
      project.build.sandbox ? Sandbox::detect(runner) : Sandbox::none("the project file says so");
  if (!sandbox.usable())
    log::note(fmt::format("builds of '{}' run without a sandbox: {}", project.name, sandbox.reason()));
  const BuildSite site = {
      .repository = &repository, .runner = &runner, .places = {home / "build" / project.name}};
  TRY(site.places.make());
  sweep_slots(site.places);
  return Builder(site, std::move(sandbox));
}

BuildSite Builder::site() const {
  BuildSite site = site_;
  site.sandbox = &sandbox_;
  return site;
}

Result<BuildInputs> Builder::inputs_of(const model::Revision& revision, int layout) {
  const Project& project = site_.repository->project();
  ASSIGN_OR_RETURN(const Recipe recipe, with_layout(project.build, project.layout, layout));
  if (tools_.empty()) tools_ = tool_versions(*site_.runner, recipe_tools(project.build));
  BuildInputs inputs = {.env = recipe.env, .artefacts = project.artefacts, .tools = tools_};
  ASSIGN_OR_RETURN(inputs.steps, build_steps(recipe));
  if (layout != 0) inputs.tools.merge(tool_versions(*site_.runner, {layout_tool(project.layout)}));
  ASSIGN_OR_RETURN(inputs.tree, source_tree(*site_.repository, revision, site_.places.locks()));
  return inputs;
}

Result<std::string> Builder::key_of(const model::Revision& revision) {
  ASSIGN_OR_RETURN(const BuildInputs inputs, inputs_of(revision, 0));
  return cache_key(inputs);
}

Result<BuildResult> Builder::build(const model::Revision& revision, const BuildOptions& options) {
  ASSIGN_OR_RETURN(std::vector<BuildResult> results, build_all({&revision, 1}, options));
  return std::move(results[0]);
}

Result<std::vector<BuildResult>> Builder::build_all(std::span<const model::Revision> revisions,
                                                    const BuildOptions& options) {
  std::vector<BuildOrder> orders;
  std::vector<std::string> keys;
  for (const model::Revision& revision : revisions) {
    ASSIGN_OR_RETURN(BuildInputs inputs, inputs_of(revision, options.layout));
    keys.push_back(cache_key(inputs));
    if (std::ranges::find(keys.begin(), keys.end() - 1, keys.back()) != keys.end() - 1) continue;
    orders.push_back({.revision = revision, .inputs = std::move(inputs), .key = keys.back()});
  }
  const int jobs = options.jobs > 0 ? options.jobs : cpu_count();
  const int most = sandbox_.usable() ? std::min(options.slots > 0 ? options.slots : jobs, kMaxSlots) : 1;
  const int slots = std::clamp(static_cast<int>(orders.size()), 1, most);
  for (BuildOrder& order : orders) {
    order.timeout = options.timeout > 0 ? options.timeout : site_.repository->project().build.timeout;
    order.jobs = std::max(1, jobs / slots);
    order.progress = options.progress;
  }
  Yard yard(site(), std::move(orders), static_cast<std::size_t>(slots));
  ASSIGN_OR_RETURN(const auto done, yard.run());
  std::vector<BuildResult> results;
  results.reserve(keys.size());
  for (const std::string& key : keys) results.push_back(done.at(key));
  if (!results.empty() && std::ranges::all_of(results, &BuildResult::lacks_artefact))
    return blame_recipe(site_.repository->project(), revisions[0], results[0]);
  return results;
}

}  // namespace kilter::project
