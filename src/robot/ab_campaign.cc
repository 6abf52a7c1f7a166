#include "robot/ab_campaign.h"

#include "base/quantity.h"
#include "model/json.h"
#include "robot/ab_judge.h"
#include "robot/interleave.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

using model::AbReport;
using model::AbSample;
using model::AbSide;

constexpr const char* kAbKind = "ab";
constexpr double kResumable = 86400;               // seconds after its beginning
constexpr int kMostPadding = 4096;                 // bytes
constexpr int kMostAutomatic = 1000;               // executions in a sample
constexpr int kLongestSequence = 200;              // samples a side, the last look
constexpr std::uint64_t kPaddingLot = 0x70616464;  // apart from the lots of the blocks

class AbRun {
 public:
  AbRun(const AbCampaign& campaign, AbRequest request)
      : campaign_(campaign), request_(std::move(request)), began_(campaign.clock.monotonic()) {}

  Result<AbReport> run() {
    set_up_report();
    TRY(take_up());
    if (const Status done = sample_until_done(); !done) return fail(told_to_go_on(done.error()));
    judge(report_);
    report_.notes = ab_notes(report_);
    if (id_ != 0) TRY(campaign_.store.end_campaign(id_, answer_json(), campaign_.clock.wall()));
    return std::move(report_);
  }

 private:
  void set_up_report() {
    report_.commands = {command_text(request_, 0), command_text(request_, 1)};
    report_.metric = request_.metric == AbMetric::time ? "time" : request_.pattern;
    report_.is_time = request_.metric == AbMetric::time;
    report_.unit = metric_unit(request_);
    report_.better = report_.is_time ? model::Direction::lower_better : request_.better;
    report_.delta = request_.delta;
    report_.alpha = request_.alpha;
    report_.level = request_.samples > 0 ? request_.alpha : ab_look_level(request_.alpha);
    report_.budget = request_.budget;
  }

  // Takes over what an earlier sitting left.
  Status take_up() {
    if (campaign_.fresh) return {};
    ASSIGN_OR_RETURN(const std::vector<store::Campaign> earlier,
                     campaign_.store.campaigns(kAbKind, campaign_.key));
    if (earlier.empty() || earlier.front().ended) return {};
    const double age = campaign_.clock.wall() - earlier.front().started;
    if (age < 0 || age > kResumable) return {};
    ASSIGN_OR_RETURN(const std::vector<std::string> steps,
                     campaign_.store.campaign_steps(earlier.front().id));
    ASSIGN_OR_RETURN(const AbSettled settled, settled_of(earlier.front().request));
    for (const std::string& step : steps) {
      ASSIGN_OR_RETURN(AbSample sample, model::parse_ab_sample(step));
      report_.samples.push_back(sample);
    }
    id_ = earlier.front().id;
    settle(settled);
    if (!report_.samples.empty()) spent_before_ = report_.samples.back().ended;
    if (campaign_.hooks.note) campaign_.hooks.note(resuming_text(age));
    return {};
  }

  [[nodiscard]] Error told_to_go_on(const Error& error) const {
    if (report_.samples.empty()) return error;
    const std::string kept =
        fmt::format("{} samples are kept: the same command line goes on from there", report_.samples.size());
    return error.with_hint(error.hint.empty() ? kept : error.hint + "; " + kept);
  }

  [[nodiscard]] std::string resuming_text(double age) const {
    return fmt::format("resuming: {} samples from {} ago (--fresh starts anew)", report_.samples.size(),
                       format_duration(age));
  }

  void settle(const AbSettled& settled) {
    request_.repeat = report_.repeat = settled.repeat;
    request_.seed = report_.seed = settled.seed;
    slots_ = shuffled_blocks(2, request_.samples > 0 ? request_.samples : kLongestSequence, request_.seed);
  }

  // Warms up, and begins the campaign when none was taken up.
  Status get_ready() {
    ready_ = true;
    double slower = 0;
    for (int i = 0; i < request_.warmup; ++i) {
      for (const AbSide side : {AbSide::a, AbSide::b}) {
        tell("warming up");
        ASSIGN_OR_RETURN(const AbSample sample, campaign_.sampler.take(side, 1, 0));
        slower = std::max(slower, sample.wall);
      }
    }
    if (request_.repeat == 0) request_.repeat = automatic_repeat(slower);
    pair_seconds_ = (spent() - spent_before_) / std::max(1, request_.warmup) * request_.repeat;
    if (id_ != 0) return {};
    settle({.repeat = request_.repeat, .seed = request_.seed});
    ASSIGN_OR_RETURN(id_, campaign_.store.begin_campaign({.kind = kAbKind,
                                                          .key = campaign_.key,
                                                          .request = request_json(request_),
                                                          .started = campaign_.clock.wall()}));
    return {};
  }

  [[nodiscard]] int automatic_repeat(double seconds) const {
    if (!(seconds > 0) || !request_.pre.empty() || !request_.post.empty() || request_.sync) return 1;
    return static_cast<int>(std::clamp(std::ceil(kShortSample / seconds), 1.0, double{kMostAutomatic}));
  }

  [[nodiscard]] double spent() const { return spent_before_ + campaign_.clock.monotonic() - began_; }

  // A pair is one sample of each; whether to stop is asked before each.
  Status sample_until_done() {
    while (!done()) {
      if (!ready_) {
        TRY(get_ready());
        if (out_of_time()) break;
      }
      TRY(take_next());
    }
    report_.spent = spent();
    return {};
  }

  [[nodiscard]] bool done() {
    const std::size_t taken = report_.samples.size();
    if (taken % 2 == 1) return false;
    const std::size_t pairs = taken / 2;
    if (!slots_.empty() && taken >= slots_.size()) {
      report_.end = request_.samples > 0 ? AbReport::End::runs : AbReport::End::looks;
      if (request_.samples == 0) decided();
      return true;
    }
    if (request_.samples == 0 && pairs > 0 && next_ab_look(pairs - 1) == pairs && decided()) return true;
    return ready_ && out_of_time();
  }

  bool decided() {
    judge(report_);
    if (report_.answer == AbReport::Answer::unknown) return false;
    report_.end = AbReport::End::decided;
    return true;
  }

  // The next pair would not end within the budget.
  bool out_of_time() {
    if (spent() + pair_seconds_ <= request_.budget) return false;
    report_.end = AbReport::End::budget;
    return true;
  }

  Status take_next() {
    tell("");
    const std::size_t index = report_.samples.size();
    const Slot& slot = slots_[index];
    const int padding =
        request_.padding ? static_cast<int>(lot(request_.seed ^ kPaddingLot, index) % (kMostPadding + 1)) : 0;
    const double before = campaign_.clock.monotonic();
    ASSIGN_OR_RETURN(AbSample sample, campaign_.sampler.take(slot.revision == 0 ? AbSide::a : AbSide::b,
                                                             request_.repeat, padding));
    sample.block = slot.block;
    sample.place = slot.place;
    sample.ended = spent();
    TRY(campaign_.store.add_campaign_step(id_, model::ab_sample_text(sample)));
    report_.samples.push_back(sample);
    const double seconds = campaign_.clock.monotonic() - before;
    pair_seconds_ = index == 0 ? 2 * seconds : pair_seconds_ + (2 * seconds - pair_seconds_) / 8;
    return {};
  }

  void tell(const std::string& doing) {
    if (!campaign_.hooks.progress) return;
    campaign_.hooks.progress({.report = report_, .doing = doing, .seconds_left = seconds_left()});
  }

  [[nodiscard]] double seconds_left() const {
    if (slots_.empty()) return 0;
    const double pairs = static_cast<double>(slots_.size() - report_.samples.size()) / 2;
    return std::min(pairs * pair_seconds_, std::max(0.0, request_.budget - spent()));
  }

  [[nodiscard]] std::string answer_json() const {
    const nlohmann::json json = {{"answer", static_cast<int>(report_.answer)},
                                 {"effect", report_.effect},
                                 {"low", report_.low},
                                 {"high", report_.high},
                                 {"p", report_.p},
                                 {"n", report_.n}};
    return json.dump();
  }

  const AbCampaign& campaign_;
  AbRequest request_;
  double began_;
  double spent_before_ = 0;  // seconds, in earlier sittings
  double pair_seconds_ = 0;
  bool ready_ = false;
  std::int64_t id_ = 0;
  std::vector<Slot> slots_;
  AbReport report_;
};

}  // namespace

Result<AbReport> run_ab(const AbCampaign& campaign, AbRequest request) {
  return AbRun(campaign, std::move(request)).run();
}

}  // namespace kilter::robot
