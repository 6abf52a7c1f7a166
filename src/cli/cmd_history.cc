#include "base/civil_time.h"
#include "base/log.h"
#include "base/quantity.h"
#include "base/text.h"
#include "cli/live_view.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "os/interrupt.h"
#include "report/history_json.h"
#include "report/history_svg.h"
#include "report/history_text.h"
#include "robot/history_scan.h"
#include "robot/history_select.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace kilter::cli {
namespace {

using model::MetricHistory;

constexpr int kWidest = 100;
constexpr int kPipedWidth = 80;
constexpr int kMostBlocks = 3;
constexpr int kMostChanges = 50;
constexpr int kNoLimit = -1;  // was given

// "2026-11-01" or "30d" ago -> seconds since 1970.
Result<double> moment_of(const std::string& text, double now) {
  if (const std::optional<std::int64_t> day = utc_seconds(text, "00:00:00")) return static_cast<double>(*day);
  const std::optional<std::int64_t> ago =
      text.empty() || text.back() < 'a' || leading_digits(text).size() + 1 != text.size()
          ? std::nullopt
          : parse_lkp_seconds(text);
  if (ago) return now - static_cast<double>(*ago);
  return usage_error(fmt::format("history: --since '{}' is no date", printable(text)),
                     "a day (2026-11-01) or an age (12h, 30d, 2w, 1y)");
}

class History final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional("SERIES", request_.words,
                    "Axes (testcase=x), parts of the result path, or a metric; all must fit", false)
        .option("-m,--metric", "KEY", request_.metrics,
                "The metric, or the end of its name (default: the benchmark's headline)")
        .option("-p,--project", "P", request_.project, "Only runs of this project")
        .option("--branch", "NAME", branch_, "Follow the first parents of this branch")
        .option("--since", "TIME", since_, "Only commits measured since: 2026-11-01, 30d, 2w")
        .option("--last", "N", last_, "Only the newest N commits")
        .option("--limit", "N", limit_,
                "With more series than this, a list (default 3); of --all the newest changes (50; 0: all)")
        .option("--all", all_, "The changes of every series, newest first")
        .choice("--metrics", choice_, {"headline", "directed", "all"},
                "Of --all: which metrics (default: those of which better is known)")
        .option("-o,--out", "FILE", out_, "Write it there; a name ending in .svg or .json says the form")
        .choice("--format", format_, {"text", "json", "svg"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    // A scan asks for interrupts itself.
    std::optional<os::EndAtInterrupt> nothing_to_tear_down;
    if (!all_) nothing_to_tear_down.emplace();
    TRY(settle());
    double since = 0;
    if (!since_.empty()) {
      ASSIGN_OR_RETURN(since, moment_of(since_, world.clock.wall()));
    }
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    if (room.store_error) return fail(*room.store_error);
    if (room.store == nullptr) return no_results_yet(world, format_ == "json" ? "[]\n" : "");
    ASSIGN_OR_RETURN(const robot::CommitLines lines, read_lines(world, *room.store));
    if (all_) return scan(world, room, lines, since);
    ASSIGN_OR_RETURN(std::vector<MetricHistory> histories, robot::find_histories(room, lines, request_));
    for (MetricHistory& history : histories) cut(history, since);
    ASSIGN_OR_RETURN(const std::string shown, render(world, histories));
    TRY(out_.empty() ? world.print(shown) : os::write_file(out_, shown));
    return 0;
  }

 private:
  Status settle() {
    if (limit_ < kNoLimit) return usage_error("history: --limit is a number of series, or of changes");
    if (!choice_.empty() && !all_)
      return usage_error("history: --metrics goes with --all", "-m KEY chooses the metric of a series");
    if (all_ && (last_ > 0 || out_.ends_with(".svg") || format_ == "svg"))
      return usage_error("history: --all is a list of changes, without plots", "--since and --limit cut it");
    if (format_.empty()) format_ = out_.ends_with(".svg") ? "svg" : out_.ends_with(".json") ? "json" : "text";
    return {};
  }

  Result<int> scan(World& world, const robot::ReadingRoom& room, const robot::CommitLines& lines,
                   double since) const {
    Progress progress(world);
    robot::ScanRequest request{
        .axes = {},
        .project = request_.project,
        .metrics = request_.metrics,
        .choice = choice_ == "all"        ? robot::MetricChoice::all
                  : choice_ == "headline" ? robot::MetricChoice::headline
                                          : robot::MetricChoice::directed,
        .since = since,
        .limit = static_cast<std::size_t>(limit_ == kNoLimit ? kMostChanges : limit_),
        .progress = [&](std::size_t done, std::size_t all) {
          progress.show(fmt::format("scanning histories: {} of {} groups of series", done, all));
        }};
    for (const std::string& word : request_.words) {
      ASSIGN_OR_RETURN(const model::Axes axes, model::parse_axes(word));
      request.axes.insert(axes.begin(), axes.end());
    }
    ASSIGN_OR_RETURN(const model::FoundChanges found, robot::scan_histories(room, lines, request));
    progress.clear();
    const std::string shown = format_ == "json" ? report::found_changes_json(found)
                                                : report::found_changes_text(found, world.colour);
    TRY(out_.empty() ? world.print(shown) : os::write_file(out_, shown));
    return 0;
  }

  [[nodiscard]] Result<std::string> render(const World& world,
                                           const std::vector<MetricHistory>& histories) const {
    if (format_ == "json") return report::history_json(histories);
    if (format_ == "text") return text(world, histories);
    if (is_many(histories))
      return usage_error(fmt::format("history: {} series fit, too many for a picture", histories.size()),
                         "narrow it, or raise --limit; kilter history lists them without --format");
    return report::history_svg(histories);
  }

  [[nodiscard]] bool is_many(const std::vector<MetricHistory>& histories) const {
    return histories.size() > static_cast<std::size_t>(limit_ > 0 ? limit_ : kMostBlocks);
  }

  Result<robot::CommitLines> read_lines(World& world, store::Store& store) const {
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(const robot::Revisions revisions,
                     robot::Revisions::open(world.home, request_.project, world.runner, notes));
    ASSIGN_OR_RETURN(const std::vector<std::string> commits, store.commits());
    ASSIGN_OR_RETURN(robot::CommitLines lines, robot::commit_lines(revisions, commits, branch_, notes));
    for (const std::string& note : notes) log::note(note);
    return lines;
  }

  // Changes were looked for in all of it.
  void cut(MetricHistory& history, double since) const {
    std::size_t first = 0;
    while (first < history.points.size() && history.points[first].started < since) ++first;
    if (last_ > 0 && history.points.size() > static_cast<std::size_t>(last_))
      first = std::max(first, history.points.size() - static_cast<std::size_t>(last_));
    if (first == 0) return;
    history.notes.push_back(fmt::format("{} older commits are not shown", first));
    model::keep_from(history, first);
  }

  [[nodiscard]] std::string text(const World& world, const std::vector<MetricHistory>& histories) const {
    if (is_many(histories)) return report::history_list_text(histories);
    const report::HistoryPlotOptions options{
        .width = std::min(terminal_columns(STDOUT_FILENO, kPipedWidth), kWidest),
        .unicode = locale_is_unicode(),
        .colour = world.colour};
    std::string text;
    for (const MetricHistory& history : histories)
      text += (text.empty() ? "" : "\n") + report::history_text(history, options);
    return text;
  }

  robot::HistoryQuery request_;
  std::string branch_;
  std::string since_;
  int last_ = 0;
  int limit_ = kNoLimit;
  bool all_ = false;
  std::string choice_;
  std::string out_;
  std::string format_;
};

}  // namespace

std::unique_ptr<Verb> make_history() {
  return std::make_unique<History>();
}

}  // namespace kilter::cli
