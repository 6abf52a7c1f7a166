#include "robot/report_builder.h"

#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"
#include "report/plot.h"
#include "robot/archive.h"
#include "robot/compare_request.h"
#include "robot/planner.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

using analyse::Headline;
using model::CompareTable;

constexpr std::size_t kHead = 1;  // the column a report is about

// One table with a headline, and the runs behind it.
struct Story {
  const CompareTable* table = nullptr;
  const std::vector<Cell>* columns = nullptr;
  Headline headline;
  model::Machine machine;
  model::UnitJob job;
};

std::vector<std::string> run_directories(const ReadingRoom& room, const Cell& cell) {
  std::vector<std::string> directories;
  if (room.store == nullptr) return directories;
  const Result<std::vector<store::StoredRun>> runs = room.store->runs({.axes = cell.axes});
  if (!runs) return directories;
  for (const store::StoredRun& run : *runs)
    if (run.record.axes == cell.axes) directories.push_back(run.record.directory);
  std::ranges::reverse(directories);
  return directories;
}

model::Machine machine_of(const std::string& run) {
  const Result<std::string> text = os::read_file(os::Path(run) / "machine.json");
  if (!text) return {};
  const Result<nlohmann::json> json = model::parse_json(*text, "reading machine.json");
  if (!json) return {};
  return model::machine_from_json(*json).value_or(model::Machine{});
}

// The job as it was run, for parameters in their order.
model::UnitJob job_of(const ReadingRoom& room, const std::string& run) {
  const std::string path = (os::Path(run) / "job.yaml").string();
  const Result<model::UnitJob> job = job::load_unit_job(path, job_reader(room.world.home, machine_of(run)),
                                                        expand_options(machine_of(run), {}));
  return job ? *job : model::UnitJob{};
}

std::optional<Headline> headline_of(const CompareTable& table, const std::string& metric) {
  if (metric.empty()) return analyse::pick_headline(table, kHead);
  CompareTable only = table;
  std::erase_if(only.rows, [&](const model::CompareRow& row) { return row.key != metric; });
  return analyse::pick_headline(only, kHead);
}

std::vector<Story> find_stories(const ReadingRoom& room, const Comparison& comparison,
                                const std::string& metric) {
  std::vector<Story> stories;
  for (std::size_t i = 0; i < comparison.tables.size(); ++i) {
    std::optional<Headline> headline = headline_of(comparison.tables[i], metric);
    if (!headline) continue;
    Story story{
        .table = &comparison.tables[i], .columns = &comparison.columns[i], .headline = std::move(*headline)};
    const std::vector<std::string> runs = run_directories(room, comparison.columns[i][kHead]);
    if (!runs.empty()) {
      story.machine = machine_of(runs.front());
      story.job = job_of(room, runs.front());
    }
    stories.push_back(std::move(story));
  }
  std::ranges::stable_sort(stories, std::greater<>(),
                           [](const Story& story) { return std::abs(story.headline.change); });
  return stories;
}

std::string axis(const Story& story, const char* name) {
  const model::Axes& axes = (*story.columns)[kHead].axes;
  const auto it = axes.find(name);
  return it == axes.end() ? "" : it->second;
}

std::vector<double> samples(const Cell& cell, const std::string& key) {
  std::vector<double> values;
  const model::MatrixRow* row = cell.matrix.find(key);
  if (row == nullptr) return values;
  for (const std::optional<model::Number>& value : row->values)
    if (value) values.push_back(value->value());
  return values;
}

std::string change_text(const Headline& headline) {
  return fmt::format("{} {} {}", headline.key, headline.text, analyse::verdict_name(headline.verdict));
}

report::BoxedTest boxed(const Story& story) {
  return {.testcase = axis(story, "testcase"),
          .change = change_text(story.headline),
          .machine = story.machine.description(),
          .parameters = {story.job.parameters.begin(), story.job.parameters.end()}};
}

report::MailSection section(const Story& story, report::TableStyle style) {
  const std::string plot =
      report::ascii_plot(story.headline.key, samples((*story.columns)[kHead], story.headline.key),
                         samples((*story.columns)[0], story.headline.key));
  return {.machine = fmt::format("{}: {}", axis(story, "tbox_group"), story.machine.description()),
          .table = report::table_text(*story.table, {.style = style}),
          .plots = {plot}};
}

void add_commit(report::MailInput& mail, const Revisions& revisions, const std::string& label) {
  const std::optional<FoundCommit> found = revisions.find(label);
  if (!found) {
    mail.commit.sha = label;
    return;
  }
  mail.commit = found->commit;
  const project::Project& project = found->repository->project();
  mail.tree = project.name;
  mail.tree_url = project.url;
  const Result<std::vector<std::string>> branches = found->repository->branches_containing(found->commit.sha);
  if (branches && !branches->empty()) mail.branch = branches->front();
  std::vector<std::string> list = project.mail.to;
  list.insert(list.end(), project.mail.cc.begin(), project.mail.cc.end());
  mail.recipients = report::recipients(mail.commit, list);
  mail.from = report::parse_mailbox(project.mail.from);
}

report::MailInput make_mail(const std::vector<Story>& stories, const Revisions& revisions,
                            report::TableStyle style) {
  const Story& first = stories.front();
  report::MailInput mail;
  mail.metric = first.headline.key;
  mail.percent = first.headline.change;
  mail.word = analyse::verdict_name(first.headline.verdict);
  add_commit(mail, revisions, axis(first, "commit"));
  mail.testcase = axis(first, "testcase");
  mail.kconfig = axis(first, "kconfig");
  mail.compiler = axis(first, "compiler");
  mail.machine = first.machine.description();
  mail.parameters = first.job.parameters;
  for (const Story& story : stories) {
    if (&story != &first) mail.further.push_back(boxed(story));
    mail.sections.push_back(section(story, style));
  }
  mail.reproduce = report::default_reproduce_steps("job.yaml");
  return mail;
}

bool worth_keeping(const os::Path& file) {
  const std::string name = file.filename().string();
  return !name.ends_with(".tmp") && name != kSamplerSpec && !name.ends_with(".json.gz");
}

// All of a run's own files; parsed series can be made again from the raw ones.
void add_run(const os::Path& run, const std::string& folder, std::vector<ArchiveMember>& members) {
  for (const os::Path& file : os::list_directory(run)) {
    std::error_code ignored;
    const bool plain = std::filesystem::is_regular_file(std::filesystem::symlink_status(file, ignored));
    if (plain && worth_keeping(file))
      members.push_back({.name = folder + "/" + file.filename().string(),
                         .file = file,
                         .text = {},
                         .executable = file.filename() == "reproduce.sh"});
  }
}

void add_cell(const ReadingRoom& room, const Cell& cell, const std::string& folder,
              std::vector<ArchiveMember>& members) {
  for (const std::string& run : run_directories(room, cell)) {
    add_run(run, folder + "/" + os::Path(run).filename().string(), members);
  }
}

// job.yaml and reproduce.sh at the top are those of the headline's changed revision.
void add_top(const ReadingRoom& room, const Story& story, std::vector<ArchiveMember>& members) {
  const std::vector<std::string> runs = run_directories(room, (*story.columns)[kHead]);
  if (runs.empty()) return;
  for (const char* name :
       {"job.yaml", "machine.json", "plan.json", "reproduce.sh", "build.log", "build.json"}) {
    const os::Path file = os::Path(runs.front()) / name;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      members.push_back(
          {.name = name, .file = file, .text = {}, .executable = std::string_view(name) == "reproduce.sh"});
  }
}

Status write_materials(const ReadingRoom& room, const std::vector<Story>& stories, const std::string& body,
                       const os::Path& path) {
  std::vector<ArchiveMember> members{{.name = "mail.txt", .file = {}, .text = body, .executable = false}};
  add_top(room, stories.front(), members);
  for (std::size_t i = 0; i < stories.size(); ++i)
    for (const Cell& cell : *stories[i].columns) {
      const auto commit = cell.axes.find("commit");
      const std::string label = commit == cell.axes.end() ? "column" : commit->second.substr(0, 12);
      add_cell(room, cell, fmt::format("results/{}/{}", i, label), members);
    }
  return write_archive(path, members);
}

std::string day_of(double wall) {
  return replace_all(os::utc_timestamp(wall).substr(0, 10), "-", "");
}

}  // namespace

Result<Report> build_report(const ReadingRoom& room, const Revisions& revisions,
                            const ReportRequest& request) {
  ComparisonRequest comparison = comparison_request(room, revisions, request.operands);
  comparison.force = request.force;
  comparison.context.restrict = request.restrict;
  ASSIGN_OR_RETURN(const Comparison compared, compare_operands(comparison));
  const std::vector<Story> stories = find_stories(room, compared, request.metric);
  if (stories.empty())
    return failure(
        fmt::format("reporting {}: no directed metric changed in {} table{}", join(request.operands, " "),
                    compared.tables.size(), compared.tables.size() == 1 ? "" : "s"),
        "kilter compare shows what did; --metric KEY names a headline yourself");
  report::MailInput mail = make_mail(stories, revisions, request.style);
  const double now = room.world.clock.wall();
  mail.date = static_cast<std::int64_t>(now);
  mail.message_id =
      report::make_message_id(mail.date, mail.commit.sha + mail.metric, stories.front().machine.host);
  Report result{.subject = {}, .message = {}, .archive = {}, .message_id = mail.message_id};
  result.archive = room.world.home / "archive" / day_of(now) / (mail.message_id + ".tar.gz");
  mail.archive = result.archive.string();
  TRY(write_materials(room, stories, report::mail_body(mail), result.archive));
  result.subject = report::mail_subject(mail);
  result.message = report::mail_message(mail);
  return result;
}

}  // namespace kilter::robot
