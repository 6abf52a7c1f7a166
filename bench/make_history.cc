// Makes a database of histories without their run directories, to time `kilter history --all` on it.
// usage: kilter_make_history HOME [GROUPS [METRICS [COMMITS]]]     (default 100 x 100 x 500)
// One metric in ten takes a step somewhere, one in a hundred a second one; the others are noise of 1 %.

#include "os/clock.h"
#include "store/store.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <random>

using namespace kilter;

namespace {

struct Shape {
  std::size_t groups = 100;
  std::size_t metrics = 100;
  std::size_t commits = 500;
};

// Where a metric's level changes, and by how much.
struct Step {
  std::size_t first = 0;
  std::size_t second = 0;
  double size = 0;
};

std::vector<Step> make_steps(const Shape& shape, std::mt19937_64& random) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < shape.metrics; ++i) {
    Step step{.first = shape.commits, .second = shape.commits, .size = 0};
    if (random() % 10 == 0) step = {.first = random() % shape.commits, .second = shape.commits, .size = .05};
    if (random() % 100 == 0) step.second = random() % shape.commits;
    steps.push_back(step);
  }
  return steps;
}

double level_at(const Step& step, std::size_t commit) {
  return (commit >= step.first ? step.size : 0) + (commit >= step.second ? -step.size / 2 : 0);
}

Status put_group(store::Store& store, const os::Path& home, const Shape& shape, std::size_t group) {
  std::mt19937_64 random(group + 1);
  std::normal_distribution<double> noise(0, .01);
  const std::vector<Step> steps = make_steps(shape, random);
  for (std::size_t commit = 0; commit < shape.commits; ++commit) {
    model::RunRecord record;
    record.axes = {{"testcase", fmt::format("bench-{:04}", group)},
                   {"tbox_group", "box"},
                   {"commit", fmt::format("{:040x}", commit + 1)}};
    record.directory =
        (home / "results" / record.axes["testcase"] / "box" / record.axes["commit"] / "0").string();
    record.outcome = model::Outcome::ok;
    record.fingerprint = "0123456789abcdef";
    record.boot_id = "c8e7d1b2-9a44-4b51-8ae3-6f0f7f3d5a10";
    record.started = 1.7e9 + static_cast<double>(commit * 3600 + group);
    model::Metrics metrics;
    for (std::size_t i = 0; i < shape.metrics; ++i) {
      const double value = 1000 * std::exp(noise(random) + level_at(steps[i], commit));
      metrics.push_back({fmt::format("bench.metric_{:04}", i), model::Number(value)});
    }
    ASSIGN_OR_RETURN([[maybe_unused]] const std::int64_t id, store.put(record, metrics));
  }
  return {};
}

std::size_t count_of(int argc, char** argv, int place, std::size_t otherwise) {
  return argc > place ? std::strtoull(argv[place], nullptr, 10) : otherwise;
}

Status make(const os::Path& home, const Shape& shape) {
  TRY(os::make_directories(home));
  ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, store::open_store(home / "kilter.db"));
  const double start = os::system_clock().monotonic();
  for (std::size_t group = 0; group < shape.groups; ++group)
    TRY(store->together([&] { return put_group(*store, home, shape, group); }));
  fmt::print("{} series of {} points made in {:.1f} s\n", shape.groups * shape.metrics, shape.commits,
             os::system_clock().monotonic() - start);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Shape shape{.groups = count_of(argc, argv, 2, 100),
                    .metrics = count_of(argc, argv, 3, 100),
                    .commits = count_of(argc, argv, 4, 500)};
  const Status made = make(argv[1], shape);
  if (!made) fmt::print(stderr, "{}\n", made.error().message);
  return made ? 0 : 3;
}
