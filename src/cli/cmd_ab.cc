#include "base/cpu_list.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/quantity.h"
#include "base/text.h"
#include "cli/live_view.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "execute/describe.h"
#include "report/ab_text.h"
#include "robot/ab_campaign.h"
#include "robot/ab_judge.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>

namespace kilter::cli {
namespace {

constexpr int kAbChange = 1;
constexpr double kAbQuiet = 1;       // seconds without a progress line
constexpr double kAbProgress = 0.5;  // seconds between two
constexpr double kAbUnlimited = 30 * 86400.0;

class Ab final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .add(
            {.kind = Flag::Kind::positional, .names = "WORD", .help = "", .target = &strays_, .hidden = true})
        .rest("CMD_A -- CMD_B", words_, "The two commands; their words are not interpreted")
        .option("--time", time_, "Compare the time from start to exit (the default)")
        .option("--metric", "REGEX", metric_,
                "Compare a number they print: the first group of the last match")
        .option("--perf-stat", "EVENT", event_,
                "Compare a counter: instructions, task-clock, page-faults, ...")
        .choice("--better", better_, {"higher", "lower"}, "Which way the metric is better")
        .option("-r,--repeat", "I", repeat_,
                "A sample is the mean of I executions (default: as many as last 50 ms)")
        .option("-n,--runs,--nest", "J", samples_, "Take J samples of each (default: until it is decided)")
        .option("--delta", "P%", delta_, "Differences below do not matter (default 1%)")
        .option("--alpha", "P", alpha_, "Chance of finding a difference that is none (default 0.01)")
        .option("--budget", "T", budget_,
                "End after this long, decided or not (default 5m; with --nest none)")
        .option("--warmup", "N", warmup_, "Executions of each that are discarded (default 1)")
        .option("--null", null_, "Discard what they print (else it is kept in memory)")
        .option("--sync", sync_, "Write dirty pages to the disks before each execution")
        .option("--pre", "CMD", pre_, "Do this before each execution, not measured")
        .option("--post", "CMD", post_, "Do this after each execution, not measured")
        .option("--pin", "CPUS", pin_, "Run the commands on these CPUs: 1, 0-3,8")
        .option("--input", "FILE", input_, "Their standard input (default /dev/null)")
        .option("--shell", shell_, "CMD_A, CMD_B, --pre and --post are each a text for sh")
        .option("--no-env-padding", no_padding_, "Leave the size of the environment alone")
        .option("--time-limit", "T", time_limit_, "An execution that takes longer is killed, and has failed")
        .option("--ignore-failure", ignore_failure_, "Count executions that fail, and use them")
        .option("--seed", "N", seed_, "Of the order and the paddings (default: by chance)")
        .option("--fresh", fresh_, "Do not go on with an earlier, interrupted call")
        .choice("--fail-on", fail_on_, {"change", "regression"}, "Exit 1 when there is one")
        .choice("--format", format_, {"text", "json"}, "Form of the answer; json has all samples");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(robot::AbRequest request, read_request(world));
    ASSIGN_OR_RETURN(const std::unique_ptr<robot::AbSampler> sampler,
                     robot::open_ab_sampler(request, world.runner));
    ASSIGN_OR_RETURN(const model::Machine box, execute::describe_machine(world.root));
    TRY(make_home(world.home));
    const std::string key = robot::campaign_key(request, box);
    const os::Path lock_path = world.home / (".ab-" + key + ".lock");
    ASSIGN_OR_RETURN(const os::FileLock lock, take_lock(lock_path));
    Result<int> code = measure(world, std::move(request), *sampler, key);
    static_cast<void>(os::remove_tree(lock_path));
    return code;
  }

 private:
  Result<int> measure(const World& world, robot::AbRequest request, robot::AbSampler& sampler,
                      const std::string& key) {
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store,
                     store::open_store(robot::database_path(world.home)));
    Progress line(world);
    const robot::AbCampaign campaign{.store = *store,
                                     .clock = world.clock,
                                     .sampler = sampler,
                                     .hooks = hooks(world, line),
                                     .key = key,
                                     .fresh = fresh_};
    const Result<model::AbReport> report = robot::run_ab(campaign, std::move(request));
    line.clear();
    if (!report) return fail(report.error());
    TRY(world.print(format_ == "json"
                        ? report::ab_json(*report)
                        : report::ab_text(*report, {.utf8 = locale_is_unicode(), .colour = world.colour})));
    return verdict(*report);
  }

  Result<robot::AbRequest> read_request(const World& world) {
    if (!strays_.empty())
      return usage_error(fmt::format("ab: '{}' stands before the first '--'", printable(strays_.front())),
                         "kilter ab [OPTIONS] -- CMD_A -- CMD_B");
    robot::AbRequest request;
    TRY(robot::set_commands(request, words_));
    TRY(read_metric(request));
    TRY(read_numbers(request));
    ASSIGN_OR_RETURN(request.seed, seed(world));
    if (!pin_.empty()) {
      ASSIGN_OR_RETURN(request.cpus, cpus());
    }
    request.shell = shell_;
    request.discard_output = null_;
    request.sync = sync_;
    request.padding = !no_padding_;
    request.ignore_failure = ignore_failure_;
    request.pre = pre_;
    request.post = post_;
    request.input = input_;
    TRY(robot::check_request(request));
    if (fail_on_ == "regression" && !time_metric() && better_.empty())
      return usage_error("ab: --fail-on regression needs to know which way is better", "add --better lower");
    return request;
  }

  [[nodiscard]] bool time_metric() const { return metric_.empty() && event_.empty(); }

  Status read_metric(robot::AbRequest& request) const {
    if ((time_ ? 1 : 0) + (metric_.empty() ? 0 : 1) + (event_.empty() ? 0 : 1) > 1)
      return usage_error("ab: --time, --metric and --perf-stat exclude each other",
                         "all times are in the answer's table anyway");
    if (!metric_.empty()) request.metric = robot::AbMetric::regex;
    if (!event_.empty()) request.metric = robot::AbMetric::perf;
    request.pattern = metric_ + event_;
    if (!better_.empty())
      request.better = better_ == "higher" ? model::Direction::higher_better : model::Direction::lower_better;
    return {};
  }

  Status read_numbers(robot::AbRequest& request) const {
    TRY(at_least_one("--repeat", repeat_));
    TRY(at_least_one("--nest", samples_));
    request.repeat = std::max(repeat_, 0);
    request.samples = std::max(samples_, 0);
    request.warmup = warmup_;
    const std::optional<double> percent = parse_percent(delta_);
    if (!percent)
      return usage_error(fmt::format("ab: --delta '{}' is no percentage", printable(delta_)), "1%, 0.5%");
    request.delta = *percent / 100;
    request.alpha = alpha_;
    request.budget = request.samples > 0 ? kAbUnlimited : 300;
    if (!budget_.empty()) {
      ASSIGN_OR_RETURN(request.budget, duration("--budget", budget_));
    }
    if (!time_limit_.empty()) {
      ASSIGN_OR_RETURN(request.time_limit, duration("--time-limit", time_limit_));
    }
    return {};
  }

  static Status at_least_one(const char* flag, int value) {
    if (value == kUnset || value >= 1) return {};
    return usage_error(fmt::format("ab: {} {} is not at least 1", flag, value));
  }

  static Result<double> duration(const char* flag, const std::string& text) {
    const std::optional<double> seconds = parse_duration(text);
    if (seconds && *seconds > 0) return *seconds;
    return usage_error(fmt::format("ab: {} '{}' is no duration", flag, printable(text)),
                       "500ms, 30s, 5m, 1h");
  }

  [[nodiscard]] Result<std::vector<int>> cpus() const {
    Result<std::vector<int>> list = parse_cpu_list(pin_);
    if (list && !list->empty()) return list;
    return usage_error(fmt::format("ab: --pin '{}' is no list of CPUs", printable(pin_)), "1, 0-3,8");
  }

  [[nodiscard]] Result<std::uint64_t> seed(const World& world) const {
    std::uint64_t value = 0;
    if (seed_.empty()) {
      const std::string chance = hash_hex(fmt::format("{}", world.clock.monotonic()));
      std::from_chars(chance.data(), chance.data() + 13, value, 16);  // 52 bits: JSON keeps them everywhere
      return value;
    }
    const char* const end = seed_.data() + seed_.size();
    const std::from_chars_result read = std::from_chars(seed_.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end) return value;
    return usage_error(fmt::format("ab: --seed '{}' is no whole number", printable(seed_)));
  }

  static Result<os::FileLock> take_lock(const os::Path& path) {
    Result<os::FileLock> lock = os::FileLock::acquire(path, 0);
    if (lock) return lock;
    return failure("ab: another kilter is measuring the same two commands here",
                   "two at once would disturb each other; wait for its end");
  }

  robot::AbHooks hooks(const World& world, Progress& line) {
    const double began = world.clock.monotonic();
    next_line_ = began + kAbQuiet;
    return {.progress =
                [this, &world, &line](const robot::AbProgress& progress) {
                  const double now = world.clock.monotonic();
                  if (!world.progress || now < next_line_) return;
                  line.show(progress_text(progress));
                  next_line_ = now + kAbProgress;
                },
            .note = [&line](const std::string& text) { line.keep(text); }};
  }

  static std::string progress_text(const robot::AbProgress& progress) {
    if (!progress.doing.empty()) return "ab: " + progress.doing;
    model::AbReport now = progress.report;
    robot::judge(now);
    std::string text = "ab: " + report::ab_state(now);
    if (progress.seconds_left > 0)
      text += fmt::format(", at most {} left", format_duration(progress.seconds_left));
    return text;
  }

  [[nodiscard]] int verdict(const model::AbReport& report) const {
    if (fail_on_.empty() || report.answer != model::AbReport::Answer::changed) return 0;
    const bool higher = report.effect > 0;
    const bool worse = higher == (report.better == model::Direction::lower_better);
    return fail_on_ == "change" || worse ? kAbChange : 0;
  }

  static constexpr int kUnset = std::numeric_limits<int>::min();

  std::vector<std::string> strays_;
  std::vector<std::string> words_;
  std::string metric_;
  std::string event_;
  std::string better_;
  std::string delta_ = "1%";
  std::string budget_;
  std::string pre_;
  std::string post_;
  std::string pin_;
  std::string input_;
  std::string time_limit_;
  std::string seed_;
  std::string fail_on_;
  std::string format_ = "text";
  double alpha_ = 0.01;
  int repeat_ = kUnset;
  int samples_ = kUnset;
  int warmup_ = 1;
  bool time_ = false;
  bool null_ = false;
  bool sync_ = false;
  bool shell_ = false;
  bool no_padding_ = false;
  bool ignore_failure_ = false;
  bool fresh_ = false;
  double next_line_ = 0;
};

}  // namespace

std::unique_ptr<Verb> make_ab() {
  return std::make_unique<Ab>();
}

}  // namespace kilter::cli
