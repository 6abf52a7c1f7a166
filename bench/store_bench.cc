// What storing a run costs, and how fast a series comes back from a large database.
// usage: kilter_store_bench [RUNS]     (default 100000: 50 tests, 1,000 commits each, 2 runs a cell)

#include "base/text.h"
#include "os/clock.h"
#include "store/store.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <random>

using namespace kilter;
using model::Metrics;
using model::Number;

namespace {

constexpr std::size_t kMetrics = 2000;
constexpr std::size_t kVariants = 64;

double now() {
  return os::system_clock().monotonic();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Keys as monitors make them, at the lengths theirs have.
std::vector<std::string> make_keys() {
  std::vector<std::string> keys;
  for (std::size_t i = 0; keys.size() < kMetrics + kMetrics / 10; ++i) {
    keys.push_back(fmt::format("numa-vmstat.node{}.nr_zone_active_file_{}", i % 4, i));
    keys.push_back(fmt::format("interrupts.CPU{}.LOC:Local_timer_interrupts", i));
    keys.push_back(fmt::format("perf-profile.calltrace.cycles-pp.do_syscall_64.entry_SYSCALL_64.f{}", i));
    keys.push_back(fmt::format("sched_debug.cfs_rq:/.avg_vruntime.stat{}", i));
  }
  std::ranges::sort(keys);
  return keys;
}

// The mixture of a run of a minute sampled once a second: counters, means of integers and of decimals,
// two-digit percentages, and one in ten a ratio that needs all its digits.
Number make_value(std::size_t i, std::mt19937_64& random) {
  const std::int64_t count = static_cast<std::int64_t>(random() % (std::uint64_t{10} << (i % 7 * 4)));
  const double n = static_cast<double>(count);
  if (i % 10 < 3) return count;
  if (i % 10 < 6) return n / 61;
  if (i % 10 < 8) return static_cast<double>(random() % 10000) / 100;
  if (i % 10 < 9) return n / 10 / 61;
  return (n + 1) / static_cast<double>(random() % 1000000000 + 1);
}

// Every run lacks about half of the 200 keys that come and go.
Metrics make_metrics(const std::vector<std::string>& keys, std::mt19937_64& random) {
  Metrics metrics;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i % 11 != 0 || random() % 2 == 0) metrics.push_back({keys[i], make_value(i, random)});
  return metrics;
}

model::RunRecord make_record(const os::Path& home, std::size_t run, std::size_t tests) {
  model::RunRecord record;
  const std::string commit = fmt::format("{:040x}", run / tests / 2 * 7919 + 1);
  record.axes = {{"testcase", fmt::format("will-it-scale-{}", run % tests)},
                 {"tbox_group", "lkp-spr-2sp4"},
                 {"rootfs", "debian-12-x86_64"},
                 {"kconfig", "x86_64-rhel-9.4"},
                 {"compiler", "gcc-12"},
                 {"commit", commit},
                 {"nr_task", "100%"},
                 {"mode", "process"},
                 {"test", "futex4"}};
  record.path_params = "performance-process-100%-futex4";
  record.number = static_cast<int>(run / tests % 2);
  record.directory =
      (home / "results" / record.axes["testcase"] / "performance-process-100%-futex4" /
       "lkp-spr-2sp4/debian-12-x86_64/x86_64-rhel-9.4/gcc-12" / commit / std::to_string(record.number))
          .string();
  record.outcome = model::Outcome::ok;
  record.build_id = std::string(64, 'b');
  record.boot_id = "c8e7d1b2-9a44-4b51-8ae3-6f0f7f3d5a10";
  record.session = "20260101-120000-4711";
  record.fingerprint = "0123456789abcdef";
  record.started = 1.7e9 + static_cast<double>(run);
  record.elapsed = 60;
  return record;
}

bool report(const char* what, double value, const char* unit, double bar) {
  const bool kept = bar <= 0 || value <= bar;
  const std::string limit =
      bar > 0 ? fmt::format("  (bar {:g} {}){}", bar, unit, kept ? "" : "  MISSED") : "";
  fmt::print("{:<44} {:>10.3f} {}{}\n", what, value, unit, limit);
  std::fflush(stdout);
  return kept;
}

struct Filled {
  std::vector<double> warm_ms;  // of puts on their own
};

Result<Filled> fill(store::Store& store, const os::Path& home, std::size_t runs, std::size_t tests) {
  std::mt19937_64 random(1);
  const std::vector<std::string> keys = make_keys();
  std::vector<Metrics> variants;
  for (std::size_t i = 0; i < kVariants; ++i) variants.push_back(make_metrics(keys, random));
  Filled filled;
  for (std::size_t run = 0; run < runs;) {
    if (run % 10000 < 20) {
      const Metrics fresh = make_metrics(keys, random);
      const model::RunRecord record = make_record(home, run++, tests);
      const double start = now();
      ASSIGN_OR_RETURN([[maybe_unused]] const std::int64_t id, store.put(record, fresh));
      filled.warm_ms.push_back((now() - start) * 1000);
      continue;
    }
    TRY(store.together([&]() -> Status {
      for (std::size_t i = 0; i < 980 && run < runs && run % 10000 >= 20; ++i, ++run) {
        ASSIGN_OR_RETURN([[maybe_unused]] const std::int64_t id,
                         store.put(make_record(home, run, tests), variants[random() % kVariants]));
      }
      return {};
    }));
  }
  return filled;
}

// A put by a kilter that has just started, of a run with keys no run had before: the worst case.
Result<double> cold_put(const os::Path& home, std::size_t run, std::size_t tests) {
  std::mt19937_64 random(run);
  const Metrics metrics = make_metrics(make_keys(), random);
  ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, store::open_store(home / "kilter.db"));
  const double start = now();
  ASSIGN_OR_RETURN([[maybe_unused]] const std::int64_t id,
                   store->put(make_record(home, run, tests), metrics));
  return (now() - start) * 1000;
}

Result<bool> measure(const os::Path& home, std::size_t runs) {
  const std::size_t tests = std::max<std::size_t>(1, runs / 2000);
  bool kept = true;
  const double start = now();
  {
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, store::open_store(home / "kilter.db"));
    ASSIGN_OR_RETURN(const Filled filled, fill(*store, home, runs, tests));
    report("building the database", now() - start, "s", 0);
    kept &= report("put of one run of 2,000 metrics, median", median(filled.warm_ms), "ms", 5);
  }
  std::vector<double> cold;
  for (std::size_t i = 0; i < 11; ++i) {
    ASSIGN_OR_RETURN(const double ms, cold_put(home, runs + i, tests));
    cold.push_back(ms);
  }
  kept &= report("the same by a kilter just started, median", median(cold), "ms", 5);
  const double size = static_cast<double>(std::filesystem::file_size(home / "kilter.db"));
  kept &= report("bytes of the database per run", size / static_cast<double>(runs) / 1024, "KiB", 12);
  std::vector<double> series;
  std::size_t points = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    const double opened = now();
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store,
                     store::open_store(home / "kilter.db", store::Access::read));
    const model::Axes axes = model::without(make_record(home, i % tests, tests).axes, "commit");
    ASSIGN_OR_RETURN(
        const std::vector<store::SeriesPoint> found,
        store->series(axes, fmt::format("interrupts.CPU{}.LOC:Local_timer_interrupts", 10 * i + 1)));
    points = std::max(points, found.size());
    series.push_back((now() - opened) * 1000);
  }
  kept &= report(fmt::format("a series of {} runs of 1,000 cells, median", points).c_str(), median(series),
                 "ms", 20);
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t runs = argc > 1 ? parse_int(argv[1]).value_or(0) : 100000;
  if (runs < 1) {
    fmt::print(stderr, "usage: kilter_store_bench [RUNS]\n");
    return 2;
  }
  const Result<os::TempDir> home =
      os::TempDir::create(std::filesystem::temp_directory_path(), "kilter-store-bench");
  const Result<bool> kept =
      home ? measure(home->path(), static_cast<std::size_t>(runs)) : Result<bool>(fail(home.error()));
  if (!kept) fmt::print(stderr, "kilter_store_bench: {}\n", kept.error().message);
  return kept ? (*kept ? 0 : 1) : 3;
}
