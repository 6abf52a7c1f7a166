#include "project/layout.h"

#include "project/project.h"

#include <doctest/doctest.h>

using namespace kilter;
using project::Recipe;

TEST_CASE("a layout is a seed in the flags of compiler and linker, after the recipe's own") {
  const Recipe recipe{.template_name = "cmake", .env = {{"LDFLAGS", "-s"}, {"CC", "clang"}}};
  const Recipe shuffled = project::with_layout(recipe, {.rebuilds = 3, .linker = "lld"}, 2).value();
  CHECK(shuffled.env.at("LDFLAGS") == "-s -fuse-ld=lld -Wl,--shuffle-sections=*=2");
  CHECK(shuffled.env.at("CXXFLAGS") == "-ffunction-sections");
  CHECK(shuffled.env.at("KILTER_LAYOUT_SEED") == "2");
  CHECK(shuffled.env.at("CC") == "clang");
  CHECK(project::with_layout(recipe, {.linker = "mold"}, 7)->env.at("LDFLAGS") ==
        "-s -fuse-ld=mold -Wl,--shuffle-sections=7");
}

TEST_CASE("the first layout is the recipe as it is, but for the seed in its words") {
  const Recipe recipe{.steps = {{"make", "SEED={layout_seed}"}}};
  const Recipe plain = project::with_layout(recipe, {.rebuilds = 3}, 0).value();
  CHECK(plain.env.empty());
  CHECK(plain.steps[0][1] == "SEED=0");
  CHECK(project::with_layout(recipe, {.rebuilds = 3}, 4)->steps[0][1] == "SEED=4");
}

TEST_CASE("Go has no layouts") {
  const Recipe recipe{.template_name = "go"};
  CHECK(project::with_layout(recipe, {}, 1).error().code == ErrorCode::usage);
  CHECK(project::with_layout(recipe, {}, 0).has_value());
}

TEST_CASE("a project file says how many layouts there are") {
  const std::string head = "name: x\nurl: repo\nbuild: make\nartefacts: {a: b}\n";
  const auto read = [&](const std::string& text) { return project::parse_project(head + text, "/p/x.yaml"); };
  CHECK(read("layout: {rebuilds: 5, linker: mold}\n")->layout.rebuilds == 5);
  CHECK(read("")->layout.rebuilds == 1);
  CHECK(read("layout: {rebuilds: 0}\n").error().message.starts_with("/p/x.yaml:5:"));
  CHECK(read("layout: {rebuilds: many}\n").error().code == ErrorCode::usage);
  CHECK(read("layout: {linker: bfd}\n").error().hint == "one of lld, mold");
}
