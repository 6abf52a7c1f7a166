#include "base/text.h"
#include "robot/bisect_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace kilter;

namespace {

// 201 commits, of which every tenth was run.
struct View {
  robot::BisectBook book{{.metric = "lib.speed", .outcome = ""}};
  robot::BisectRange range;

  View() {
    for (std::size_t i = 0; i <= 200; ++i)
      range.commits.push_back(
          {.commit = {.sha = std::to_string(1000000000 + i),
                      .subject = "step \x1b[2J" + std::to_string(i) + std::string(200, 'x')},
           .files = 1});
    for (std::size_t i = 0; i <= 200; i += 10)
      for (int run = 0; run < 3; ++run) add(i, (i < 120 ? 100 : 90) + run);
  }
  void add(std::size_t commit, double value) {
    model::RunRecord record;
    record.axes["commit"] = range.sha(commit);
    record.outcome = model::Outcome::ok;
    book.add(record, {{"lib.speed", model::Number(value)}});
  }
  std::vector<std::string> lines(const robot::BisectLayout& layout) {
    const robot::BisectEvidence evidence = robot::BisectEvidence::of(range, book, {}, {}).value();
    const analyse::BisectPosterior posterior = analyse::bisect_posterior(evidence.state(), evidence.model());
    return robot::bisect_lines({.range = range,
                                .book = book,
                                .evidence = evidence,
                                .posterior = posterior,
                                .part = "",
                                .busy = 115,
                                .doing = "building",
                                .seconds = 61,
                                .left = 30},
                               layout);
  }
};

bool has(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("the view of a bisect fits the terminal and shows what matters") {
  View view;
  for (const std::size_t height : {9, 16, 24, 60}) {
    const std::vector<std::string> lines = view.lines({.width = 80, .height = height});
    CHECK(lines.size() <= height);
    for (const std::string& line : lines) CHECK(display_width(line) <= 80);
    CHECK(has(lines, "good: step"));
    CHECK(has(lines, "bad: step"));
    CHECK(has(lines, "1000000115"));
    CHECK(lines.front() == "lib.speed: 200 commits, 63 runs, 0 builds, 1m01s, about 30s left");
    CHECK(lines.back() == "1000000115: building");
  }
  CHECK(has(view.lines({.width = 80, .height = 24}), "1000000120"));
}

TEST_CASE("without UTF-8 the view is ASCII, and what commits say cannot move the cursor") {
  View view;
  for (const std::string& line : view.lines({.unicode = false})) {
    CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c < 127; }));
  }
}
