#include "project/recipe.h"

#include "base/suggest.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::project {
namespace {

struct Template {
  const char* name;
  std::vector<Argv> (*steps)(const Recipe& recipe);
  std::vector<std::string> tools;
};

std::vector<Argv> cmake_steps(const Recipe& recipe) {
  Argv configure = {"cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"};
  append(configure, recipe.args);
  Argv build = {"cmake", "--build", "build", "-j", "{jobs}"};
  if (!recipe.targets.empty()) build.emplace_back("--target");
  append(build, recipe.targets);
  return {configure, build};
}

std::vector<Argv> meson_steps(const Recipe& recipe) {
  Argv setup = {"meson", "setup", "build", "--buildtype=debugoptimized"};
  append(setup, recipe.args);
  Argv compile = {"meson", "compile", "-C", "build", "-j", "{jobs}"};
  append(compile, recipe.targets);
  return {setup, compile};
}

std::vector<Argv> make_steps(const Recipe& recipe) {
  Argv make = {"make", "-j", "{jobs}"};
  append(make, recipe.args);
  append(make, recipe.targets);
  return {make};
}

std::vector<Argv> cargo_steps(const Recipe& recipe) {
  Argv build = {"cargo", "build", "--release", "-j", "{jobs}"};
  if (!recipe.network) build.emplace_back("--offline");
  append(build, recipe.args);
  for (const std::string& target : recipe.targets) append(build, {"--bin", target});
  return {build};
}

// The final slash makes `go build` write one file per command into the directory.
std::vector<Argv> go_steps(const Recipe& recipe) {
  Argv build = {"go", "build", "-p", "{jobs}", "-trimpath", "-buildvcs=false", "-o", "build/"};
  append(build, recipe.args);
  append(build, recipe.targets.empty() ? std::vector<std::string>{"./..."} : recipe.targets);
  return {{"mkdir", "-p", "build"}, build};
}

const std::vector<Template>& templates() {
  static const std::vector<Template> table = {
      {"cmake", cmake_steps, {"cmake", "make", "ninja", "cc", "c++", "ld"}},
      {"meson", meson_steps, {"meson", "ninja", "cc", "c++", "ld"}},
      {"make", make_steps, {"make", "cc", "gcc", "c++", "ld"}},
      {"cargo", cargo_steps, {"cargo", "rustc", "cc"}},
      {"go", go_steps, {"go"}},
  };
  return table;
}

const Template* find_template(const std::string& name) {
  for (const Template& entry : templates())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const Template& entry : templates()) names.emplace_back(entry.name);
  return names;
}

Result<std::vector<Argv>> build_steps(const Recipe& recipe) {
  if (!recipe.steps.empty()) return recipe.steps;
  const std::vector<std::string> names = template_names();
  if (recipe.template_name.empty())
    return usage_error("building: the project says neither a template nor steps",
                       "templates: " + join(names, ", "));
  const Template* found = find_template(recipe.template_name);
  if (found == nullptr)
    return usage_error(fmt::format("building: unknown template '{}'", printable(recipe.template_name)),
                       fmt::format("one of {}{}", join(names, ", "), or_rather(recipe.template_name, names)));
  return found->steps(recipe);
}

Argv with_jobs(Argv step, int jobs) {
  for (std::string& word : step) word = replace_all(std::move(word), "{jobs}", std::to_string(jobs));
  return step;
}

std::vector<std::string> recipe_tools(const Recipe& recipe) {
  std::set<std::string> tools;
  const Template* found = recipe.steps.empty() ? find_template(recipe.template_name) : nullptr;
  if (found != nullptr)
    tools.insert(found->tools.begin(), found->tools.end());
  else
    tools.insert({"cc", "c++", "ld"});
  for (const Argv& step : recipe.steps)
    if (!step.empty() && !step[0].contains('/')) tools.insert(step[0]);
  for (const char* name : {"CC", "CXX", "LD"}) {
    const auto it = recipe.env.find(name);
    if (it == recipe.env.end()) continue;
    for (const std::string_view word : words(it->second))
      if (!word.starts_with('-')) tools.insert(std::string(word));
  }
  return {tools.begin(), tools.end()};
}

}  // namespace kilter::project
