#include "project/layout.h"

#include "base/text.h"

#include <fmt/core.h>

#include <array>

namespace kilter::project {
namespace {

struct ShufflingLinker {
  const char* name;
  const char* tool;
  const char* flag;  // with the seed in it
};
constexpr std::array kLinkers = {
    ShufflingLinker{"lld", "ld.lld", "-Wl,--shuffle-sections=*={}"},
    ShufflingLinker{"mold", "mold", "-Wl,--shuffle-sections={}"},
};

const ShufflingLinker& linker_of(const Layout& layout) {
  for (const ShufflingLinker& linker : kLinkers)
    if (layout.linker == linker.name) return linker;
  return kLinkers.front();
}

void append_flag(std::map<std::string, std::string>& env, const char* name, const std::string& flags) {
  std::string& value = env[name];
  value += (value.empty() ? "" : " ") + flags;
}

void fill_in(std::vector<std::string>& words, const std::string& seed) {
  for (std::string& word : words) word = replace_all(std::move(word), "{layout_seed}", seed);
}

}  // namespace

std::vector<std::string> layout_linkers() {
  std::vector<std::string> names;
  for (const ShufflingLinker& linker : kLinkers) names.emplace_back(linker.name);
  return names;
}

std::string layout_tool(const Layout& layout) {
  return linker_of(layout).tool;
}

Result<Recipe> with_layout(Recipe recipe, const Layout& layout, int seed) {
  const std::string number = std::to_string(seed);
  fill_in(recipe.args, number);
  for (Argv& step : recipe.steps) fill_in(step, number);
  if (seed == 0) return recipe;
  if (recipe.template_name == "go")
    return usage_error("building in several layouts: Go's linker does not shuffle functions",
                       "leave 'layout' out of the project file");
  const ShufflingLinker& linker = linker_of(layout);
  const std::string link =
      fmt::format("-fuse-ld={} {}", linker.name, fmt::format(fmt::runtime(linker.flag), seed));
  append_flag(recipe.env, "CFLAGS", "-ffunction-sections");
  append_flag(recipe.env, "CXXFLAGS", "-ffunction-sections");
  append_flag(recipe.env, "LDFLAGS", link);
  append_flag(recipe.env, "RUSTFLAGS",
              fmt::format("-C link-arg=-fuse-ld={} -C link-arg={}", linker.name,
                          fmt::format(fmt::runtime(linker.flag), seed)));
  recipe.env["KILTER_LAYOUT_SEED"] = number;
  return recipe;
}

}  // namespace kilter::project
