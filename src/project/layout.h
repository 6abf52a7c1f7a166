#pragma once

#include "project/recipe.h"

#include <string>
#include <vector>

// The same sources in several layouts. Where functions lie in memory changes speeds by percents, whatever the
// sources say (Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009;
// Curtsinger and Berger, "Stabilizer", ASPLOS 2013): several builds, each linked in another order, show what
// is the layout's and what the commit's.
namespace kilter::project {

struct Layout {
  int rebuilds = 1;            // builds of each revision; 1: one, as the recipe makes it
  std::string linker = "lld";  // or "mold": both shuffle sections by a seed
};
[[nodiscard]] std::vector<std::string> layout_linkers();

// The recipe whose linker shuffles sections by `seed` (0: as it is): by CFLAGS, CXXFLAGS, LDFLAGS and
// RUSTFLAGS of the environment, after what the recipe has there, and KILTER_LAYOUT_SEED for those who heed
// none of them.
// "{layout_seed}" in steps and arguments becomes the seed. Usage error: Go, whose linker cannot.
[[nodiscard]] Result<Recipe> with_layout(Recipe recipe, const Layout& layout, int seed);
// What it takes beside the recipe's own tools.
[[nodiscard]] std::string layout_tool(const Layout& layout);

}  // namespace kilter::project
