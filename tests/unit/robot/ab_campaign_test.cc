#include "robot/ab_campaign.h"

#include "os/files.h"
#include "robot/ab_judge.h"
#include "robot/interleave.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

using namespace kilter;
using namespace kilter::robot;
using model::AbReport;
using model::AbSample;
using model::AbSide;

namespace {

class HandClock final : public os::Clock {
 public:
  [[nodiscard]] double wall() const override { return 1e9 + now_; }
  [[nodiscard]] double monotonic() const override { return now_; }
  void sleep_until(double seconds) override { now_ = seconds; }
  void advance(double seconds) { now_ += seconds; }

 private:
  double now_ = 1000;
};

// A command whose value is a formula of the side and of how many samples were taken before.
class FormulaSampler final : public AbSampler {
 public:
  using Formula = std::function<double(AbSide, int)>;
  FormulaSampler(HandClock& clock, Formula formula) : clock_(clock), formula_(std::move(formula)) {}

  [[nodiscard]] Result<AbSample> take(AbSide side, int executions, int padding) override {
    if (calls == fail_at) return failure("command A exited with 3");
    const double value = formula_(side, calls++);
    clock_.advance(value * executions);
    order += model::side_name(side);
    paddings.push_back(padding);
    return AbSample{
        .side = side, .padding = padding, .value = value, .wall = value, .executions = executions};
  }

  int calls = 0;
  int fail_at = -1;
  std::string order;
  std::vector<int> paddings;

 private:
  HandClock& clock_;
  Formula formula_;
};

// About 1 s with 1 % of noise that repeats on every machine.
double noisy(AbSide side, int index, double factor) {
  const double noise = static_cast<double>(lot(77, static_cast<std::uint64_t>(index)) % 1000) / 1000 - 0.5;
  return (side == AbSide::b ? factor : 1) * (1 + 0.03 * noise);
}

struct Bench {
  Bench() {
    Result<os::TempDir> made = os::TempDir::create(std::filesystem::temp_directory_path(), "ab");
    REQUIRE(made);
    folder.emplace(std::move(*made));
    Result<std::unique_ptr<store::Store>> opened = store::open_store(folder->path() / "kilter.db");
    REQUIRE(opened);
    store = std::move(*opened);
    request.commands = {std::vector<std::string>{"a"}, {"b"}};
    request.repeat = 1;
    request.seed = 5;
  }

  Result<AbReport> run(FormulaSampler& sampler, bool fresh = false) {
    const AbCampaign campaign{.store = *store,
                              .clock = clock,
                              .sampler = sampler,
                              .hooks = {.note = [this](const std::string& text) { notes.push_back(text); }},
                              .key = "k",
                              .fresh = fresh};
    return run_ab(campaign, request);
  }

  std::optional<os::TempDir> folder;
  std::unique_ptr<store::Store> store;
  HandClock clock;
  AbRequest request;
  std::vector<std::string> notes;
};

AbReport report_of(const std::vector<double>& a, const std::vector<double>& b) {
  AbReport report{.better = model::Direction::lower_better, .is_time = true, .delta = 0.01, .level = 0.01};
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size()) report.samples.push_back({.side = AbSide::a, .value = a[i], .wall = a[i]});
    if (i < b.size()) report.samples.push_back({.side = AbSide::b, .value = b[i], .wall = b[i]});
  }
  judge(report);
  return report;
}

bool has_note(const AbReport& report, const std::string& part) {
  for (const std::string& note : ab_notes(report))
    if (note.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a large difference is decided at an early look, with warm-ups that do not count") {
  Bench bench;
  FormulaSampler sampler(bench.clock, [](AbSide side, int index) { return noisy(side, index, 1.2); });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->answer == AbReport::Answer::changed);
  CHECK(report->effect == doctest::Approx(0.2).epsilon(0.1));
  CHECK(report->n[0] <= 5);
  CHECK(report->n[0] == report->n[1]);
  CHECK(sampler.calls == 2 + static_cast<int>(report->samples.size()));
  CHECK(report->samples.front().block == 0);
}

TEST_CASE("equal commands are called the same, and the order is blocks of four") {
  Bench bench;
  FormulaSampler sampler(bench.clock, [](AbSide side, int index) { return noisy(side, index, 1); });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->answer == AbReport::Answer::same);
  const std::string order = sampler.order.substr(2);
  for (std::size_t at = 0; at + 4 <= order.size(); at += 4)
    CHECK((order.substr(at, 4) == "ABBA" || order.substr(at, 4) == "BAAB"));
  for (const int padding : sampler.paddings) CHECK((padding >= 0 && padding <= 4096));
  CHECK(sampler.paddings[2] != sampler.paddings[3]);
}

TEST_CASE("a fixed number of samples is taken, whatever they show") {
  Bench bench;
  bench.request.samples = 7;
  bench.request.padding = false;
  FormulaSampler sampler(bench.clock, [](AbSide side, int index) { return noisy(side, index, 2); });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->n == std::array<std::size_t, 2>{7, 7});
  CHECK(report->end == AbReport::End::runs);
  CHECK(report->level == 0.01);
  CHECK(sampler.paddings.back() == 0);
}

TEST_CASE("the budget ends a campaign before the pair that would overrun it") {
  Bench bench;
  bench.request.budget = 11.5;
  FormulaSampler sampler(bench.clock, [](AbSide side, int index) {
    return 1 + 0.4 * std::sin(index * 7.0) + (side == AbSide::b ? 0.01 : 0);
  });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->end == AbReport::End::budget);
  CHECK(report->answer == AbReport::Answer::unknown);
  CHECK(report->spent <= 11.5);
  CHECK(report->n[0] == report->n[1]);
  CHECK(report->n[0] >= 3);
}

TEST_CASE("a budget smaller than a pair gives no sample, and no crash") {
  Bench bench;
  bench.request.budget = 0.5;
  FormulaSampler sampler(bench.clock, [](AbSide, int) { return 1.0; });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->samples.empty());
  CHECK_FALSE(report->tested);
}

TEST_CASE("a campaign that an error ended goes on where it was, and takes nothing twice") {
  Bench whole;
  whole.request.samples = 6;
  const auto formula = [](AbSide side, int index) { return noisy(side, index, 1.1); };
  FormulaSampler unbroken(whole.clock, formula);
  REQUIRE(whole.run(unbroken));

  Bench bench;
  bench.request.samples = 6;
  FormulaSampler first(bench.clock, formula);
  first.fail_at = 7;
  const Result<AbReport> broken = bench.run(first);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().hint.find("5 samples are kept") != std::string::npos);
  bench.request.seed = 99;  // the campaign's own order goes on
  FormulaSampler second(bench.clock, formula);
  const Result<AbReport> report = bench.run(second);
  REQUIRE(report);
  CHECK(report->samples.size() == 12);
  CHECK(second.calls == 2 + 7);
  CHECK(first.order.substr(2) + second.order.substr(2) == unbroken.order.substr(2));
  REQUIRE(bench.notes.size() == 1);
  CHECK(bench.notes[0].starts_with("resuming: 5 samples from "));
  for (std::size_t i = 1; i < report->samples.size(); ++i)
    CHECK(report->samples[i].ended > report->samples[i - 1].ended);
}

TEST_CASE("a finished campaign, an old one and --fresh start anew") {
  Bench bench;
  bench.request.samples = 4;
  const auto formula = [](AbSide side, int index) { return noisy(side, index, 1.1); };
  FormulaSampler done(bench.clock, formula);
  REQUIRE(bench.run(done));
  FormulaSampler again(bench.clock, formula);
  again.fail_at = 4;
  REQUIRE_FALSE(bench.run(again));
  CHECK(bench.notes.empty());
  FormulaSampler fresh(bench.clock, formula);
  fresh.fail_at = 4;
  REQUIRE_FALSE(bench.run(fresh, true));
  CHECK(bench.notes.empty());
  bench.clock.advance(2 * 86400.0);
  FormulaSampler late(bench.clock, formula);
  REQUIRE(bench.run(late));
  CHECK(bench.notes.empty());
  CHECK(late.calls == 2 + 8);
}

TEST_CASE("short commands are executed many times a sample unless told otherwise") {
  Bench bench;
  bench.request.repeat = 0;
  bench.request.samples = 3;
  FormulaSampler sampler(bench.clock, [](AbSide, int) { return 0.001; });
  const Result<AbReport> report = bench.run(sampler);
  REQUIRE(report);
  CHECK(report->repeat == 50);
  CHECK(report->samples.front().executions == 50);
  CHECK(has_note(*report, "starting a process"));
}

TEST_CASE("samples without any scatter that differ are a change, equal ones the same") {
  CHECK(report_of(std::vector<double>(5, 1000), std::vector<double>(5, 1000)).answer ==
        AbReport::Answer::same);
  const AbReport changed = report_of(std::vector<double>(5, 1000), std::vector<double>(5, 1100));
  CHECK(changed.answer == AbReport::Answer::changed);
  CHECK(changed.effect == doctest::Approx(0.1));
}

TEST_CASE("one sample a side, or none, is not enough data") {
  CHECK(report_of({1}, {2}).answer == AbReport::Answer::unknown);
  CHECK(report_of({1}, {}).tested == false);
  CHECK(report_of({std::numeric_limits<double>::quiet_NaN()}, {1}).tested == false);
}

TEST_CASE("two levels, drift, outliers, slow first samples and small differences are noted") {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 12; ++i) {
    a.push_back(noisy(AbSide::a, i, 1));
    b.push_back(noisy(AbSide::a, i + 50, 1));
  }
  CHECK(ab_notes(report_of(a, b)).empty());
  std::vector<double> levels = a;
  for (std::size_t i = 0; i < levels.size(); i += 2) levels[i] *= 1.3;
  CHECK(has_note(report_of(levels, b), "A has two levels: 6 samples about"));
  CHECK_FALSE(has_note(report_of(levels, b), "B has two levels"));
  std::vector<double> outlier = b;
  outlier[5] = 3;
  CHECK(has_note(report_of(a, outlier), "1 of 12 samples of B lie far out, the farthest at 3"));
  std::vector<double> slow_a = a;
  std::vector<double> slow_b = b;
  slow_a[0] = slow_b[0] = 1.5;
  CHECK(has_note(report_of(slow_a, slow_b), "the first sample of each took"));
  std::vector<double> rising_a = a;
  std::vector<double> rising_b = b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    rising_a[i] *= 1 + 0.02 * static_cast<double>(i);
    rising_b[i] *= 1 + 0.02 * static_cast<double>(i);
  }
  CHECK(has_note(report_of(rising_a, rising_b), "both drifted together"));
  std::vector<double> exact;
  for (int i = 0; i < 12; ++i) exact.push_back(1 + 1e-5 * (i % 3));
  std::vector<double> little = exact;
  for (double& value : little) value *= 1.004;
  CHECK(has_note(report_of(exact, little), "smaller than the 1 % of --delta"));
}

TEST_CASE("on a machine whose speed wanders, neighbours are compared") {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 20; ++i) {
    const double speed = 1 + 0.3 * std::sin(i * 0.4);
    a.push_back(speed * noisy(AbSide::a, i, 1));
    b.push_back(speed * noisy(AbSide::b, i + 50, 1.04));
  }
  const AbReport report = report_of(a, b);
  CHECK(report.paired);
  CHECK(report.answer == AbReport::Answer::changed);
  CHECK(has_note(report, "speed wandered"));
}

namespace {

// A share from (0, 1) and a normal deviate, by lot.
double share_of(std::uint64_t seed, std::uint64_t index) {
  return (static_cast<double>(lot(seed, index) >> 11U) + 0.5) * 0x1p-53;
}

double normal_of(std::uint64_t seed, std::uint64_t index) {
  constexpr double kTwoPi = 6.283185307179586;
  return std::sqrt(-2 * std::log(share_of(seed, 2 * index))) *
         std::cos(kTwoPi * share_of(seed, 2 * index + 1));
}

struct WorldNoise {
  double memory = 0;  // of the machine's speed, from sample to sample
  double spikes = 0;  // share of samples that something else disturbed
  double second = 0;  // share of samples on a second level, 30 % higher
};

// One campaign of looks until a difference is found; the effect is 0 but for `effect`.
bool finds_difference(const WorldNoise& noise, double effect, std::uint64_t seed) {
  AbReport report{.is_time = true, .delta = 1e-9, .level = ab_look_level(0.01)};
  double speed = 0;
  std::uint64_t index = 0;
  std::size_t pairs = 0;
  for (const Slot& slot : shuffled_blocks(2, 80, seed)) {
    speed = noise.memory * speed + normal_of(seed, index++);
    double value = std::exp(0.02 * speed) * (slot.revision == 1 ? 1 + effect : 1);
    if (share_of(seed + 1, index) < noise.spikes) value *= 1 + share_of(seed + 2, index);
    if (share_of(seed + 3, index) < noise.second) value *= 1.3;
    report.samples.push_back({.side = slot.revision == 0 ? AbSide::a : AbSide::b, .value = value});
    if (report.samples.size() % 2 == 1 || next_ab_look(pairs++) != pairs) continue;
    judge(report);
    if (report.significant) return true;
  }
  return false;
}

double share_found(const WorldNoise& noise, double effect, int tries) {
  int found = 0;
  for (int i = 0; i < tries; ++i)
    found += finds_difference(noise, effect, 1000 * static_cast<std::uint64_t>(i)) ? 1 : 0;
  return static_cast<double>(found) / tries;
}

}  // namespace

TEST_CASE("of campaigns without a difference one in a hundred finds one, whatever the noise") {
#ifdef __SANITIZE_ADDRESS__  // thirty times as slow
  constexpr int kTries = 60;
#else
  constexpr int kTries = 1500;
#endif
  const double kMost = 0.01 + 2.2 * std::sqrt(0.01 * 0.99 / kTries);  // deviations of a share of .01
  for (const WorldNoise noise : {WorldNoise{},
                                 {.memory = 0.6},
                                 {.memory = 0.95},
                                 {.spikes = 0.1},
                                 {.second = 0.5},
                                 {.second = 0.25},
                                 {.memory = 0.8, .spikes = 0.1}}) {
    CAPTURE(noise.memory);
    CAPTURE(noise.spikes);
    CAPTURE(noise.second);
    const double found = share_found(noise, 0, kTries);
    MESSAGE("memory " << noise.memory << ", spikes " << noise.spikes << ", second " << noise.second << ": "
                      << 100 * found << " %");
    CHECK(found <= kMost);
  }
}

TEST_CASE("a difference of the size of the noise is found, on a wandering machine too") {
#ifdef __SANITIZE_ADDRESS__
  constexpr int kSome = 15;
#else
  constexpr int kSome = 100;
#endif
  for (const WorldNoise noise : {WorldNoise{}, {.memory = 0.95}, {.spikes = 0.1}, {.second = 0.1}}) {
    CAPTURE(noise.memory);
    const double found = share_found(noise, 0.025, kSome);
    MESSAGE("memory " << noise.memory << ", spikes " << noise.spikes << ", second " << noise.second << ": "
                      << 100 * found << " %");
    CHECK(found >= 0.8);
  }
}
