#include "suite/install.h"

#include "base/text.h"
#include "suite/words.h"

#include <fmt/core.h>

namespace kilter::suite {
namespace {

Status check_url(const std::string& url) {
  if (url.starts_with('-') || printable(url) != url || url.contains(' '))
    return usage_error(fmt::format("installing from '{}': that is no git URL", printable(url)),
                       "forms: https://..., git@host:path, file:///path");
  return {};
}

InstallStep clone_step(const std::string& url, const std::string& revision, const std::string& source) {
  InstallStep step{.argv = {"git", "clone", "--depth", "1"},
                   .env = {{"GIT_TERMINAL_PROMPT", "0"}},
                   .cwd = "",
                   .fetch = true};
  if (!revision.empty()) step.argv.insert(step.argv.end(), {"--branch", revision});
  step.argv.insert(step.argv.end(), {"--", url, source});
  return step;
}

Status add_steps(const std::vector<CommandTemplate>& commands, const Values& values, const std::string& cwd,
                 bool fetch, InstallPlan& plan) {
  for (const CommandTemplate& command : commands) {
    InstallStep step{.argv = {}, .env = {}, .cwd = cwd, .fetch = fetch};
    ASSIGN_OR_RETURN(step.argv, expand_words(command.argv, values));
    for (const auto& [name, text] : command.env) {
      ASSIGN_OR_RETURN(step.env[name], fill(text, values));
    }
    if (!command.cwd.empty()) {
      ASSIGN_OR_RETURN(step.cwd, fill(command.cwd, values));
    }
    plan.steps.push_back(std::move(step));
  }
  return {};
}

Result<const Engine*> engine_of(const Suite& suite, const std::string& name) {
  const Engine* engine = name.empty() ? &suite.engines.front() : suite.find_engine(name);
  if (engine == nullptr)
    return usage_error(fmt::format("installing {}: it has no engine '{}'", suite.name, printable(name)));
  return engine;
}

Status add_source(const Install& install, const Values& values, const std::string& url, InstallPlan& plan) {
  plan.source = values.at("source");
  plan.url = url;
  if (!url.empty()) {
    TRY(check_url(url));
    plan.steps.push_back(clone_step(url, install.revision, plan.source));
  } else {
    TRY(add_steps(install.unpack, values, "", true, plan));
  }
  return add_steps(install.build, values, plan.source, false, plan);
}

}  // namespace

Result<InstallPlan> install_plan(const Suite& suite, const HostFacts& facts, const std::string& engine,
                                 const std::string& url_override) {
  ASSIGN_OR_RETURN(const Engine* chosen, engine_of(suite, engine));
  const Install& install = chosen->install;
  const Values values = {{"nr_cpu", std::to_string(facts.nr_cpu)},
                         {"source", facts.install_root + "/" + suite.name}};
  InstallPlan plan{.suite = suite.name, .engine = chosen->name, .packages = install.packages};
  const std::string& url = url_override.empty() ? install.url : url_override;
  if (!url.empty() || !install.unpack.empty()) TRY(add_source(install, values, url, plan));
  for (const std::string& provided : install.provides) {
    ASSIGN_OR_RETURN(std::string path, fill(provided, values));
    plan.provides.push_back(std::move(path));
  }
  return plan;
}

}  // namespace kilter::suite
