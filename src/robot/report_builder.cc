#include "robot/report_builder.h"

#include "analyse/verdict_notes.h"
#include "base/text.h"
#include "os/host.h"
#include "report/plot.h"
#include "robot/report_materials.h"
#include "robot/report_origin.h"
#include "robot/report_story.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

constexpr std::size_t kLogLines = 20;
constexpr std::uint64_t kLogBytes = 16384;

std::vector<double> samples(const Cell& cell, const std::string& key) {
  std::vector<double> values;
  const model::MatrixRow* row = cell.matrix.find(key);
  if (row == nullptr) return values;
  for (const std::optional<model::Number>& value : row->values)
    if (value) values.push_back(value->value());
  return values;
}

// "33.0% regression of toy.lat".
std::string opposite_text(const analyse::Headline& headline) {
  return fmt::format("a {} {} of {}", headline.text, analyse::verdict_name(headline.verdict), headline.key);
}

std::string change_text(const analyse::Headline& headline) {
  return fmt::format("{} {} {}", headline.key, headline.text, analyse::verdict_name(headline.verdict));
}

report::BoxedTest boxed(const Story& story, const std::string& change) {
  const std::vector<std::pair<std::string, std::string>> parameters = story.parameters();
  return {.testcase = story.axis("testcase"),
          .change = change,
          .machine = story.machine_text(),
          .parameters = {parameters.begin(), parameters.end()}};
}

// The further tests, and of every test what speaks against its own headline.
std::vector<report::BoxedTest> box_of(const std::vector<Story>& stories) {
  std::vector<report::BoxedTest> box;
  for (const Story& story : stories) {
    if (&story != &stories.front())
      box.push_back(boxed(story, story.headline ? change_text(*story.headline) : story.failure));
    if (story.opposite) box.push_back(boxed(story, change_text(*story.opposite)));
    if (!story.also_fails.empty()) box.push_back(boxed(story, story.also_fails));
  }
  return box;
}

// The program's log, else that of the build.
void add_log(report::MailSection& section, const Story& story) {
  if (story.failure.empty() || !story.example) return;
  const model::RunRecord& run = *story.example;
  const os::Path folder = run.directory;
  Result<std::string> text = failure("");
  for (const std::string& name : {story.job.program, story.axis("testcase"), std::string("build.log")})
    if (!name.empty() && (!text || trim(*text).empty())) text = os::read_tail(folder / name, kLogBytes);
  section.log_title = fmt::format("Run {} of {} ended as {}: {}", run.number, story.head().name,
                                  model::outcome_name(run.outcome), run.reason);
  if (!text) return;
  const std::vector<std::string_view> all = lines(*text);
  for (std::size_t i = all.size() - std::min(all.size(), kLogLines); i < all.size(); ++i)
    section.log.emplace_back(all[i]);
}

// A failure's table shows what failed, and no percentages.
model::CompareTable shown_table(const Story& story) {
  model::CompareTable table = *story.table;
  if (!story.headline) std::erase_if(table.rows, [](const model::CompareRow& row) { return !row.failure; });
  return table;
}

report::MailSection section_of(const Story& story, report::TableStyle style) {
  const std::string description = story.machine ? ": " + story.machine->description() : "";
  report::MailSection section{.machine = story.axis("tbox_group") + description,
                              .table = report::table_text(shown_table(story), {.style = style})};
  if (story.headline) {
    const std::string& key = story.headline->key;
    const bool lkp = style == report::TableStyle::lkp;
    section.plots.push_back(report::ascii_plot(key, samples((*story.columns)[kHeadColumn], key),
                                               samples((*story.columns)[0], key),
                                               lkp ? report::PlotStyle::lkp : report::PlotStyle::kilter));
  }
  add_log(section, story);
  return section;
}

void add_test(report::MailInput& mail, const Story& story) {
  mail.testcase = story.axis("testcase");
  mail.build = build_text(story);
  // The axis kconfig holds the project's name for what is no kernel.
  const auto is_told = [&story](const char* axis) { return !story.is_pair() || !story.compares(axis); };
  if (mail.build.empty() && is_told("kconfig")) mail.kconfig = story.axis("kconfig");
  if (is_told("compiler")) mail.compiler = story.axis("compiler");
  if (is_told("tbox_group")) mail.machine = story.machine_text();
  if (story.head().build && story.machine) mail.kernel = story.machine->kernel;
  mail.parameters = story.parameters();
}

void add_change(report::MailInput& mail, const Story& story) {
  mail.failure = story.failure;
  mail.evidence = story.evidence;
  mail.verdict = story.verdict;
  if (!story.headline) return;
  const model::CompareTable& table = *story.table;
  mail.metric = story.headline->key;
  mail.percent = story.headline->change;
  mail.points = std::ranges::any_of(
      table.rows, [&](const model::CompareRow& row) { return row.key == mail.metric && row.absolute; });
  mail.word = analyse::verdict_name(story.headline->verdict);
  if (story.opposite) mail.opposite.push_back(opposite_text(*story.opposite));
  if (!story.also_fails.empty()) mail.opposite.push_back(story.also_fails);
}

std::string day_of(double wall) {
  return replace_all(os::utc_timestamp(wall).substr(0, 10), "-", "");
}

// An id and an archive that nobody has yet, however many reports this minute makes.
void choose_id(const ReadingRoom& room, const Story& story, report::MailInput& mail, os::Path& archive) {
  const double now = room.world.clock.wall();
  const std::string host = story.machine ? story.machine->host : os::host_name();
  mail.date = static_cast<std::int64_t>(now);
  for (int attempt = 0; attempt == 0 || os::is_there(archive); ++attempt) {
    const std::string about = fmt::format("{} {} {} {:.9f} {} {}", mail.commit.sha, mail.metric, mail.failure,
                                          now, os::process_id(), attempt);
    mail.message_id = report::make_message_id(mail.date, about, host);
    archive = room.world.home / "archive" / day_of(now) / (mail.message_id + ".tar.gz");
  }
  if (!mail.closes.empty()) mail.closes += (mail.closes.ends_with('/') ? "" : "/") + mail.message_id;
}

Result<report::MailInput> make_mail(const ReadingRoom& room, const Revisions& revisions,
                                    const std::vector<Story>& stories, report::TableStyle style) {
  const Story& first = stories.front();
  report::MailInput mail;
  add_change(mail, first);
  TRY(add_origin(mail, first, room, revisions));
  const std::optional<FoundCommit> head = revisions.find(first.head().label, first.project());
  mail.from = reporter(head ? head->repository->project().mail.from : "", room.world.runner);
  add_test(mail, first);
  mail.further = box_of(stories);
  for (const Story& story : stories) mail.sections.push_back(section_of(story, style));
  if (style == report::TableStyle::lkp) mail.plot_legend = report::plot_legend(report::PlotStyle::lkp);
  return mail;
}

Status refuse_identical(const std::vector<Story>& stories, const ReportRequest& request) {
  for (const Story& story : stories)
    if (!story.table->identical.empty() && !request.comparison.force &&
        same_build((*story.columns)[0], (*story.columns)[kHeadColumn]))
      return failure(
          fmt::format("reporting {}: {}", join(request.comparison.operands, " "), story.table->identical),
          "--force reports it all the same");
  return {};
}

bool is_no_change(const Story& story) {
  return story.headline && story.verdict && story.verdict->answer != model::Answer::changed;
}

// A metric that was asked for by its name need not have changed.
Status drop_unchanged(std::vector<Story>& stories, const ReportRequest& request) {
  if (request.comparison.force) return {};
  if (std::ranges::all_of(stories, is_no_change))
    return failure(fmt::format("reporting '{}': {}", printable(stories.front().headline->key),
                               analyse::unchanged_text(*stories.front().verdict)),
                   "--force reports it all the same, and the mail says so");
  std::erase_if(stories, is_no_change);
  return {};
}

// Equal materials make equal archives: dated by their last run.
std::int64_t date_of(const std::vector<Story>& stories, std::int64_t now) {
  double last = 0;
  for (const Story& story : stories)
    for (const Side& side : story.sides)
      for (const model::RunRecord& run : side.runs) last = std::max(last, run.started);
  return last > 0 ? static_cast<std::int64_t>(last) : now;
}

// `published` is where the archives can be read; "" only on this machine.
std::string place_of(const os::Path& archive, std::string_view published) {
  if (published.empty()) return archive.string();
  while (published.ends_with('/')) published.remove_suffix(1);
  return fmt::format("{}/{}/{}", published, archive.parent_path().filename().string(),
                     archive.filename().string());
}

Status add_archive(Report& report, const ReadingRoom& room, const std::vector<Story>& stories) {
  report.mail.archive = place_of(report.archive, report.mail.archive);
  if (stories.front().is_of_kernels()) report.mail.materials = "kernel config and materials";
  report.mail.reproduce = reproduce_steps(stories.front(), report.mail.archive);
  std::vector<ArchiveMember> members = materials(room, stories, room.world.runner);
  members.insert(members.begin(), {.name = "mail.txt", .text = report::mail_body(report.mail)});
  return write_archive(report.archive, members, date_of(stories, report.mail.date));
}

}  // namespace

Result<Report> build_report(const ReadingRoom& room, const Revisions& revisions,
                            const ReportRequest& request) {
  ComparisonRequest asked = request.comparison;
  asked.options.wanted = request.metric;
  ASSIGN_OR_RETURN(const Comparison comparison, compare_operands(asked));
  ASSIGN_OR_RETURN(std::vector<Story> stories, find_stories(room, comparison, request.metric));
  TRY(drop_unchanged(stories, request));
  TRY(refuse_identical(stories, request));
  Report report{.notes = comparison.notes};
  ASSIGN_OR_RETURN(report.mail, make_mail(room, revisions, stories, request.style));
  report.mail.caveats = comparison.caveats;
  choose_id(room, stories.front(), report.mail, report.archive);
  if (request.archive)
    TRY(add_archive(report, room, stories));
  else
    report.mail.archive.clear();
  for (const Story& story : stories) report.tables.push_back(*story.table);
  report.subject = report::mail_subject(report.mail);
  report.message = report::mail_message(report.mail);
  return report;
}

}  // namespace kilter::robot
