#include "robot/bisect.h"

#include "analyse/bisect_rest.h"
#include "base/hash.h"
#include "base/text.h"
#include "os/interrupt.h"
#include "robot/bisect_history.h"
#include "robot/bisect_text.h"
#include "robot/commit_runner.h"
#include "robot/revisions.h"
#include "store/reindex.h"
#include "suite/metric_info.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <set>

namespace kilter::robot {
namespace {

using analyse::BisectAnswer;
using analyse::BisectRun;
using analyse::BisectStep;
using analyse::RunReason;

constexpr const char* kCampaignKind = "bisect";
constexpr unsigned kSplitFrom = 4;         // runs of one commit that have a reference run among them
constexpr int kMostInfraInARow = 12;       // failures of the machine, of more than two commits
constexpr std::size_t kMostSearches = 16;  // ranges within ranges
constexpr double kShiftOfResting = .3;     // of the first shift: what is left beside it must be as large

// A range that is still to be searched.
struct RangeSearch {
  BisectRange range;
  std::string part;
  bool rest = false;
};

class ProjectBisect final : public Bisect {
 public:
  ProjectBisect(Lab& lab, BisectRequest request, const BisectHooks& hooks)
      : lab_(lab),
        request_(std::move(request)),
        hooks_(hooks),
        book_(request_.measurand),
        began_(lab.world.clock.monotonic()) {}

  Status open();
  Result<BisectReport> run() override;
  Result<std::vector<Estimate>> estimate(const std::vector<double>& shifts) const override;
  const BisectRange& range() const override { return range_; }

 private:
  Status open_campaign();
  Status read_back();
  Status read_history();
  [[nodiscard]] std::string campaign_key() const;
  [[nodiscard]] std::string campaign_request(const std::string& session) const;
  [[nodiscard]] model::Axes series_axes() const;
  Status take_runs(const store::RunQuery& query, const std::set<std::string>& shas);

  Result<BisectReport> search_all();
  Result<BisectFinding> search(const RangeSearch& what);
  Status make_runs(const RangeSearch& what, const BisectEvidence& evidence, const BisectStep& step);
  Status run_commit(const RangeSearch& what, std::size_t commit, const std::string& note);
  [[nodiscard]] std::vector<std::size_t> order_of(const BisectEvidence& evidence, const BisectRun& run);
  [[nodiscard]] Result<BisectEvidence> evidence_of(const RangeSearch& what) const;
  [[nodiscard]] BisectFinding idle_part(const RangeSearch& what) const;
  [[nodiscard]] bool ends_differ_too_little(const RangeSearch& what, const BisectEvidence& evidence,
                                            const BisectStep& step) const;
  [[nodiscard]] BisectFinding small_difference(const RangeSearch& what, const BisectEvidence& evidence,
                                               const analyse::BisectPosterior& posterior) const;
  [[nodiscard]] Status refuse_given_up_ends(const RangeSearch& what) const;
  [[nodiscard]] BisectFinding finding_of(const RangeSearch& what, const BisectEvidence& evidence,
                                         const BisectAnswer& answer) const;
  [[nodiscard]] std::vector<RangeSearch> rests_of(const RangeSearch& what, const BisectEvidence& evidence,
                                                  const BisectAnswer& answer) const;
  [[nodiscard]] Result<std::vector<RangeSearch>> branches_of(const BisectFinding& finding) const;
  void show(const RangeSearch& what, const BisectEvidence& evidence,
            const analyse::BisectPosterior& posterior, std::optional<std::size_t> busy,
            const std::string& doing) const;
  [[nodiscard]] bool out_of_time() const;

  Lab& lab_;
  BisectRequest request_;
  BisectHooks hooks_;
  std::unique_ptr<project::Repository> repository_;
  BisectRange range_;
  BisectBook book_;
  BisectHistory history_;
  std::optional<os::FileLock> lock_;
  std::unique_ptr<CommitRunner> runner_;
  std::int64_t campaign_ = 0;
  double began_;
  int first_runs_ = 0;  // of the book when this call began
  int end_rounds_ = 0;
  std::vector<RangeSearch> further_;  // found by the last search
};

Status ProjectBisect::open() {
  ASSIGN_OR_RETURN(project::Repository repository,
                   project::Repository::open(request_.project, lab_.world.home, lab_.world.runner));
  repository_ = std::make_unique<project::Repository>(std::move(repository));
  ASSIGN_OR_RETURN(range_, find_bisect_range(*repository_, request_.range));
  if (lab_.store == nullptr) return {};
  if (request_.dry) {
    TRY(read_back());
    return read_history();
  }
  TRY(remember_project(lab_.world.home, request_.project));
  TRY(open_campaign());
  TRY(read_back());
  return read_history();
}

std::string ProjectBisect::campaign_key() const {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", request_.project.name, range_.sha(0),
                  range_.sha(range_.last()), request_.measurand.metric, request_.measurand.outcome,
                  model::axes_key(series_axes()), lab_.box.fingerprint_id());
  return hash_hex(text);
}

std::string ProjectBisect::campaign_request(const std::string& session) const {
  nlohmann::json commits = nlohmann::json::array();
  for (const BisectCommit& commit : range_.commits) commits.push_back(commit.commit.sha);
  return nlohmann::json{{"session", session},
                        {"project", request_.project.name},
                        {"good", request_.range.good},
                        {"bad", request_.range.bad},
                        {"metric", request_.measurand.metric},
                        {"outcome", request_.measurand.outcome},
                        {"commits", commits}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The campaign of the same question goes on; its runs are known by their session.
Status ProjectBisect::open_campaign() {
  const std::string key = campaign_key();
  Result<os::FileLock> lock = os::FileLock::acquire(lab_.world.home / (".bisect-" + key.substr(0, 16)), 0);
  if (!lock) return failure("bisecting: another kilter does the same bisect now", "wait for it, or end it");
  lock_.emplace(std::move(*lock));
  ASSIGN_OR_RETURN(const std::vector<store::Campaign> campaigns, lab_.store->campaigns(kCampaignKind, key));
  if (!campaigns.empty() && !request_.fresh) {
    const nlohmann::json request = nlohmann::json::parse(campaigns.front().request, nullptr, false);
    if (request.is_object()) lab_.session = request.value("session", lab_.session);
    campaign_ = campaigns.front().id;
    return {};
  }
  lab_.session = "bisect-" + lab_.session;
  ASSIGN_OR_RETURN(campaign_, lab_.store->begin_campaign({.kind = kCampaignKind,
                                                          .key = key,
                                                          .request = campaign_request(lab_.session),
                                                          .started = lab_.world.clock.wall()}));
  return {};
}

model::Axes ProjectBisect::series_axes() const {
  const Subject subject{.commit = "", .kconfig = request_.project.name, .project = request_.project.name};
  const Result<PlannedRun> planned = make_plan(request_.job, lab_, {.monitors = false});
  const std::string engine = planned ? planned->plan.workload.engine : "upstream";
  return model::without(run_axes(lab_, request_.job, subject, engine), "commit");
}

Status ProjectBisect::take_runs(const store::RunQuery& query, const std::set<std::string>& shas) {
  ASSIGN_OR_RETURN(std::vector<store::StoredRun> runs, lab_.store->runs(query));
  std::ranges::reverse(runs);
  for (const store::StoredRun& run : runs) {
    const auto commit = run.record.axes.find("commit");
    if (commit == run.record.axes.end() || (!shas.empty() && !shas.contains(commit->second))) continue;
    const bool ours = run.record.session == lab_.session;
    const bool alike =
        run.record.boot_id == lab_.box.boot_id && run.record.fingerprint == lab_.box.fingerprint_id();
    if (!shas.empty() && (ours || !alike)) continue;
    model::Metrics metrics;
    if (run.record.outcome == model::Outcome::ok) {
      ASSIGN_OR_RETURN(metrics, lab_.store->metrics(run.id));
    }
    book_.add(run.record, metrics);
  }
  return {};
}

// Our own runs, and those that others made of the range in this boot under the same conditions.
Status ProjectBisect::read_back() {
  if (!request_.dry) static_cast<void>(store::catch_up(lab_.world.home, *lab_.store));
  TRY(take_runs({.session = lab_.session}, {}));
  first_runs_ = book_.runs();
  if (first_runs_ > 0 && hooks_.note)
    hooks_.note(fmt::format("going on where it was: {} runs are there", first_runs_));
  book_.forgive();
  if (request_.fresh) return {};
  std::set<std::string> shas;
  for (const BisectCommit& commit : range_.commits) shas.insert(commit.commit.sha);
  TRY(take_runs({.axes = series_axes(), .project = request_.project.name}, shas));
  if (const int others = book_.runs() - first_runs_; others > 0 && hooks_.note)
    hooks_.note(
        fmt::format("{} earlier runs of these commits count, made since this machine was booted", others));
  first_runs_ = book_.runs();
  book_.forgive();
  return {};
}

Status ProjectBisect::read_history() {
  if (request_.measurand.is_outcome()) return {};
  ASSIGN_OR_RETURN(const std::vector<store::SeriesPoint> points,
                   lab_.store->series(series_axes(), request_.measurand.metric));
  ASSIGN_OR_RETURN(history_, history_before(*repository_, range_.sha(0), points));
  return {};
}

Result<BisectEvidence> ProjectBisect::evidence_of(const RangeSearch& what) const {
  BisectSettings settings = request_.settings;
  settings.rest = what.rest;
  if (out_of_time()) settings.most_runs = 1;
  return BisectEvidence::of(what.range, book_, history_, settings);
}

bool ProjectBisect::out_of_time() const {
  return request_.budget > 0 && lab_.world.clock.monotonic() - began_ > request_.budget;
}

Status ProjectBisect::refuse_given_up_ends(const RangeSearch& what) const {
  for (const std::size_t end : {std::size_t{0}, what.range.last()}) {
    const BookPage& page = book_.page(what.range.sha(end));
    if (!page.given_up() || !page.runs.empty()) continue;
    return failure(
        fmt::format("bisecting: the {} end {} cannot be measured: {}", end == 0 ? "good" : "bad",
                    model::short_commit(what.range.sha(end)), printable(page.last_failure)),
        "choose an end beside it that builds and runs; --outcome failed bisects failures themselves");
  }
  return {};
}

Result<BisectReport> ProjectBisect::run() {
  Result<BisectReport> report = search_all();
  if (report || report.error().code != ErrorCode::interrupted) return report;
  return interrupted(
      fmt::format("bisecting was interrupted with {} runs made; the same command goes on", book_.runs()));
}

Result<BisectReport> ProjectBisect::search_all() {
  const CommitRunnerOptions options{.time_limit = request_.time_limit,
                                    .build_timeout = request_.build_timeout,
                                    .monitors = request_.monitors};
  ASSIGN_OR_RETURN(runner_, CommitRunner::create(lab_, *repository_, request_.job, options));
  BisectReport report;
  std::deque<RangeSearch> open = {{.range = range_, .part = "", .rest = false}};
  while (!open.empty() && report.findings.size() < kMostSearches) {
    const RangeSearch what = std::move(open.front());
    open.pop_front();
    ASSIGN_OR_RETURN(BisectFinding finding, search(what));
    report.findings.push_back(std::move(finding));
    ASSIGN_OR_RETURN(std::vector<RangeSearch> branches, branches_of(report.findings.back()));
    for (RangeSearch& branch : branches) open.push_front(std::move(branch));
    if (request_.first_only) continue;
    for (RangeSearch& rest : further_) open.push_back(std::move(rest));
  }
  const model::MetricInfo info = suite::metric_info(lab_.catalogue, request_.measurand.metric);
  report.metric = request_.measurand.is_outcome() ? request_.measurand.outcome : request_.measurand.metric;
  report.direction = request_.measurand.is_outcome() ? model::Direction::lower_better : info.direction;
  report.unit = info.unit;
  report.range = range_;
  report.runs = book_.runs();
  report.builds = book_.builds();
  report.seconds = lab_.world.clock.monotonic() - began_;
  report.session = lab_.session;
  report.book = book_;
  TRY(lab_.store->end_campaign(campaign_, bisect_json(report), lab_.world.clock.wall()));
  return report;
}

Result<BisectFinding> ProjectBisect::search(const RangeSearch& what) {
  further_.clear();
  for (;;) {
    if (os::interrupted()) return interrupted("bisecting was interrupted; the same command goes on");
    if (const Status ends = refuse_given_up_ends(what); !ends)
      return what.part.empty() ? Result<BisectFinding>(fail(ends.error())) : idle_part(what);
    Result<BisectEvidence> made = evidence_of(what);
    if (!made && !what.part.empty() && made.error().code != ErrorCode::interrupted) return idle_part(what);
    if (!made) return fail(made.error());
    const BisectEvidence& evidence = *made;
    const BisectStep step = analyse::bisect_step(evidence.state(), evidence.model(), evidence.options());
    if (ends_differ_too_little(what, evidence, step)) return small_difference(what, evidence, step.posterior);
    if (const BisectAnswer* answer = std::get_if<BisectAnswer>(&step.next)) {
      show(what, evidence, step.posterior, std::nullopt, "");
      BisectFinding finding = finding_of(what, evidence, *answer);
      if (finding.change && std::abs(finding.change->effect) < request_.settings.delta)
        return small_difference(what, evidence, step.posterior);
      further_ = rests_of(what, evidence, *answer);
      return finding;
    }
    TRY(make_runs(what, evidence, step));
  }
}

// The ends are known to differ by less than counts.
bool ProjectBisect::ends_differ_too_little(const RangeSearch& what, const BisectEvidence& evidence,
                                           const BisectStep& step) const {
  const BisectRun* const run = std::get_if<BisectRun>(&step.next);
  const double delta = request_.settings.delta;
  if (!(delta > 0) || (run != nullptr && run->reason == RunReason::ends)) return false;
  const std::optional<analyse::RecResult> ends = evidence.change(1, what.range.last());
  return ends && ends->low > -delta && ends->high < delta;
}

BisectFinding ProjectBisect::small_difference(const RangeSearch& what, const BisectEvidence& evidence,
                                              const analyse::BisectPosterior& posterior) const {
  BisectAnswer answer{.kind = BisectAnswer::Kind::no_difference,
                      .pair = analyse::compare_pair(evidence.state(), evidence.model(), evidence.options(),
                                                    posterior, 0, what.range.last())};
  BisectFinding finding = finding_of(what, evidence, answer);
  finding.least = request_.settings.delta;
  return finding;
}

// What cannot change, or cannot be measured, beside or below a culprit.
BisectFinding ProjectBisect::idle_part(const RangeSearch& what) const {
  return {.kind = BisectAnswer::Kind::no_difference,
          .parent = what.range.commits.front().commit,
          .bad = what.range.commits.back().commit,
          .part = what.part};
}

// Runs of both ends alternate, first one then the other in front; many runs of one commit have a run of an
// end among them, which shows whether the machine drifts.
std::vector<std::size_t> ProjectBisect::order_of(const BisectEvidence& evidence, const BisectRun& run) {
  const std::size_t last = evidence.state().last;
  const bool is_end = run.commit == 0 || run.commit == last;
  const auto runs = [&](std::size_t commit) { return analyse::runs_of(evidence.state(), commit).n; };
  if (run.reason == RunReason::ends && is_end) {
    const std::size_t other = run.commit == 0 ? last : 0;
    if (runs(other) > runs(run.commit)) return {run.commit};
    return ++end_rounds_ % 2 == 0 ? std::vector<std::size_t>{run.commit, other}
                                  : std::vector<std::size_t>{other, run.commit};
  }
  std::vector<std::size_t> order(run.runs, run.commit);
  if (run.reason == RunReason::information && run.runs >= kSplitFrom)
    order.insert(order.begin() + run.runs / 2, runs(0) <= runs(last) ? 0 : last);
  return order;
}

Status ProjectBisect::make_runs(const RangeSearch& what, const BisectEvidence& evidence,
                                const BisectStep& step) {
  const BisectRun& run = std::get<BisectRun>(step.next);
  const std::vector<std::size_t> order = order_of(evidence, run);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (os::interrupted() || (i > 0 && out_of_time())) return {};
    const std::string& sha = what.range.sha(order[i]);
    const std::string count = order.size() > 1 ? fmt::format(" {}/{}", i + 1, order.size()) : "";
    runner_->doing = [&](const std::string& text) {
      show(what, evidence, step.posterior, order[i], text + count);
    };
    const std::size_t before = book_.page(sha).runs.size();
    TRY(runner_->run(what.range.commits[order[i]].commit, book_));
    if (book_.infra_failures_in_a_row() >= kMostInfraInARow)
      return failure(fmt::format("bisecting: the machine failed {} times in a row: {}", kMostInfraInARow,
                                 printable(book_.page(sha).last_failure)),
                     "put that right; the same command goes on where it was");
    if (book_.page(sha).runs.size() == before) {
      if (book_.page(sha).given_up() && hooks_.note)
        hooks_.note(fmt::format("{} is skipped: {}", model::short_commit(sha),
                                printable(book_.page(sha).last_failure)));
      return {};
    }
  }
  return {};
}

void ProjectBisect::show(const RangeSearch& what, const BisectEvidence& evidence,
                         const analyse::BisectPosterior& posterior, std::optional<std::size_t> busy,
                         const std::string& doing) const {
  if (!hooks_.changed) return;
  BisectScene scene{.range = what.range,
                    .book = book_,
                    .evidence = evidence,
                    .posterior = posterior,
                    .part = what.part,
                    .busy = busy,
                    .doing = doing,
                    .seconds = lab_.world.clock.monotonic() - began_,
                    .left = std::nullopt};
  if (busy && posterior.noise > 0 && posterior.none < evidence.options().none_limit) {
    const double shift = posterior.shift() / posterior.noise;
    scene.left =
        analyse::estimate_bisect(evidence.state(), shift, evidence.noise_runs(), evidence.options()).cost;
  }
  hooks_.changed(scene);
}

BisectFinding ProjectBisect::finding_of(const RangeSearch& what, const BisectEvidence& evidence,
                                        const BisectAnswer& answer) const {
  const bool none = answer.kind == BisectAnswer::Kind::no_difference;
  const std::size_t last = what.range.last();
  const std::size_t first_suspect = none ? 1 : answer.commits.first;
  const std::size_t last_suspect = none ? last : answer.commits.last;
  BisectFinding finding{.kind = answer.kind,
                        .parent = what.range.commits[first_suspect - 1].commit,
                        .bad = what.range.commits[last_suspect].commit,
                        .probability = answer.commits.mass,
                        .verified = answer.verified,
                        .complete = answer.complete,
                        .tested = answer.verified || !out_of_time(),
                        .p = answer.pair.p,
                        .part = what.part};
  for (std::size_t i = first_suspect; !none && i <= last_suspect; ++i) {
    if (what.range.commits[i].weight == 0) continue;
    finding.commits.push_back(what.range.commits[i].commit);
    const BookPage& page = book_.page(what.range.sha(i));
    if (page.given_up())
      finding.skipped.push_back(
          fmt::format("{}: {}", model::short_commit(what.range.sha(i)), printable(page.last_failure)));
  }
  for (std::size_t i = 0; i <= last; ++i) {
    const BookPage& page = book_.page(what.range.sha(i));
    if (page.runs.empty() || (i >= first_suspect && i < last_suspect)) continue;
    BisectSide& side = i < first_suspect ? finding.before : finding.after;
    side.runs += page.runs.size();
    ++side.builds;
    for (const BookRun& run : page.runs) side.sum += run.value;
  }
  if (!book_.measurand().is_outcome()) finding.change = evidence.change(first_suspect, last_suspect);
  return finding;
}

// What is left beside the culprit and changes, too.
std::vector<RangeSearch> ProjectBisect::rests_of(const RangeSearch& what, const BisectEvidence& evidence,
                                                 const BisectAnswer& answer) const {
  std::vector<RangeSearch> rests;
  if (answer.kind == BisectAnswer::Kind::no_difference || !answer.verified || !answer.complete) return rests;
  const double least = std::abs(answer.pair.difference) * kShiftOfResting;
  for (const analyse::BisectRest& rest :
       analyse::bisect_rests(evidence.state(), evidence.model(), evidence.options(), answer.commits, least)) {
    if (!rest.holds_change) continue;
    BisectRange part = what.range.part(rest.first, rest.last);
    std::string name =
        fmt::format("{}..{}", model::short_commit(part.sha(0)), model::short_commit(part.sha(part.last())));
    rests.push_back({.range = std::move(part), .part = std::move(name), .rest = true});
  }
  return rests;
}

// A merge that is the culprit brought it in by one of its branches, or makes it by being a merge.
Result<std::vector<RangeSearch>> ProjectBisect::branches_of(const BisectFinding& finding) const {
  std::vector<RangeSearch> branches;
  if (finding.kind != BisectAnswer::Kind::culprit || finding.commits.front().parents.size() < 2)
    return branches;
  const model::Commit& merge = finding.commits.front();
  for (std::size_t parent = 1; parent < merge.parents.size(); ++parent) {
    ASSIGN_OR_RETURN(std::optional<BisectRange> range,
                     branch_range(*repository_, merge, parent, request_.range.paths));
    if (!range || range->last() == 0) continue;
    branches.push_back({.range = std::move(*range),
                        .part = fmt::format("the branch that {} merged", model::short_commit(merge.sha)),
                        .rest = true});
  }
  return branches;
}

Result<std::vector<Bisect::Estimate>> ProjectBisect::estimate(const std::vector<double>& shifts) const {
  const RangeSearch whole{.range = range_, .part = "", .rest = false};
  ASSIGN_OR_RETURN(const BisectEvidence evidence, evidence_of(whole));
  const analyse::BisectPosterior posterior = analyse::bisect_posterior(evidence.state(), evidence.model());
  const bool known = !posterior.gaps.empty() && posterior.noise > 0 && posterior.none < .5;
  std::vector<double> assumed = shifts;
  if (known) assumed = {std::abs(posterior.shift()) / posterior.noise};
  std::vector<Estimate> estimates;
  for (const double shift : assumed)
    estimates.push_back({.commits = range_.last(),
                         .shift = shift,
                         .known = known,
                         .expected = analyse::estimate_bisect(evidence.state(), shift, evidence.noise_runs(),
                                                              evidence.options()),
                         .run_seconds = book_.run_seconds().value_or(0),
                         .build_seconds = book_.build_seconds().value_or(0),
                         .runs_at_hand = book_.runs()});
  return estimates;
}

}  // namespace

Result<std::unique_ptr<Bisect>> Bisect::prepare(Lab& lab, BisectRequest request, const BisectHooks& hooks) {
  std::unique_ptr<ProjectBisect> bisect = std::make_unique<ProjectBisect>(lab, std::move(request), hooks);
  TRY(bisect->open());
  return bisect;
}

}  // namespace kilter::robot
