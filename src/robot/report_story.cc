#include "robot/report_story.h"

#include "analyse/verdict_notes.h"
#include "base/text.h"
#include "model/json.h"
#include "report/cell_text.h"
#include "robot/measure.h"
#include "store/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace kilter::robot {
namespace {

using model::CompareRow;
using model::CompareTable;

constexpr std::size_t kShortSha = 12;
constexpr std::size_t kNamedRows = 4;
constexpr std::string_view kState = "last_state.";
constexpr std::string_view kIncomplete = "last_state.is_incomplete_run";
constexpr std::string_view kKernelLog = "dmesg.";

constexpr std::string_view kDirectory = "directory";

std::string axis_value(const model::Axes& axes, const std::string& name) {
  const auto it = axes.find(name);
  return it == axes.end() ? "" : it->second;
}

// "975660a46f56", with the hash of its patches if any: unique and a safe file name.
std::string side_name(const std::string& label) {
  const std::size_t plus = label.find('+');
  const bool sha = label.find_first_not_of("0123456789abcdef") >= 40 && label.size() >= 40;
  if (!sha) return store::safe_component(label);
  if (plus == std::string::npos) return label.substr(0, kShortSha);
  return store::safe_component(label.substr(0, kShortSha) + "-" + label.substr(plus + 1));
}

std::optional<project::BuildRecord> build_of(const std::vector<model::RunRecord>& runs) {
  for (const model::RunRecord& run : runs) {
    const Result<std::string> text = os::read_file(os::Path(run.directory) / kBuildInfo);
    if (!text) continue;
    if (Result<project::BuildRecord> build = project::parse_build_record(*text)) return std::move(*build);
  }
  return std::nullopt;
}

Side side_of(const Cell& cell) {
  const auto commit = cell.axes.find("commit");
  Side side{.label = commit == cell.axes.end() ? cell.origin : commit->second};
  side.build_name = side_name(side.label);
  side.name = side.build_name;
  side.runs = cell.runs;
  side.build = build_of(side.runs);
  for (const model::RunRecord& run : side.runs)
    if (!side.kernel) side.kernel = kernel_of_run(run.directory);
  return side;
}

bool have_own_names(const std::vector<Side>& sides) {
  std::set<std::string> names;
  for (const Side& side : sides) names.insert(side.name);
  return names.size() == sides.size();
}

// A word for files: "nr_task-100%" of an axis and its value.
std::string file_word(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  std::string word;
  for (const char c : text.substr(0, kLongest)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("._%+-").contains(c);
    word += plain ? c : '-';
  }
  return word.empty() || word.front() == '.' || word.front() == '-' ? "_" + word : word;
}

// Sides of one commit are told apart by what is compared, or by their number where that makes no good names.
void name_sides(std::vector<Side>& sides, const std::vector<Cell>& columns,
                const std::vector<std::string>& compare_axes) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::vector<std::string> parts;
    for (const std::string& axis : compare_axes) {
      const std::string value = axis_value(columns[i].axes, axis);
      parts.push_back(axis == kDirectory ? value : axis + "-" + (value.empty() ? "none" : value));
    }
    sides[i].name = file_word(join(parts, "-"));
    if (!names.insert(sides[i].name).second) sides[i].name += fmt::format("-{}", i + 1);
  }
}

std::vector<report::MailAxis> differences(const std::vector<Cell>& columns,
                                          const std::vector<std::string>& names) {
  std::vector<report::MailAxis> differs;
  for (const std::string& axis : names) {
    report::MailAxis change{axis, axis_value(columns[0].axes, axis),
                            axis_value(columns[kHeadColumn].axes, axis)};
    if (axis == kDirectory) change.name.clear();
    if (change.base != change.head) differs.push_back(std::move(change));
  }
  return differs;
}

// The axes of base and head that are not compared.
std::vector<std::string> other_axes(const std::vector<Cell>& columns,
                                    const std::vector<std::string>& compare_axes) {
  model::Axes all = columns[0].axes;
  all.insert(columns[kHeadColumn].axes.begin(), columns[kHeadColumn].axes.end());
  std::vector<std::string> names;
  for (const auto& [name, value] : all)
    if (std::ranges::find(compare_axes, name) == compare_axes.end()) names.push_back(name);
  return names;
}

bool has_axis(const std::vector<report::MailAxis>& axes, const std::string& name) {
  return std::ranges::find(axes, name, &report::MailAxis::name) != axes.end();
}

std::optional<model::Machine> machine_of(const model::RunRecord& run) {
  const Result<std::string> text = os::read_file(os::Path(run.directory) / "machine.json");
  if (!text) return std::nullopt;
  const Result<nlohmann::json> json = model::parse_json(*text, "reading machine.json");
  if (!json) return std::nullopt;
  const Result<model::Machine> machine = model::machine_from_json(*json);
  if (!machine || machine->nr_cpu == 0) return std::nullopt;
  return *machine;
}

// The job as it was run, for parameters in their order.
model::UnitJob job_of(const ReadingRoom& room, const model::RunRecord& run,
                      const std::optional<model::Machine>& machine) {
  const model::Machine box = machine.value_or(model::Machine{});
  const std::string path = (os::Path(run.directory) / "job.yaml").string();
  const Result<model::UnitJob> job =
      job::load_unit_job(path, job_reader(room.world.home, box), expand_options(box, {}));
  return job ? *job : model::UnitJob{};
}

// A failure's story shows a run that failed, any other one that did not.
std::optional<model::RunRecord> example_of(const Story& story) {
  const bool failed = !story.failure.empty();
  for (const model::RunRecord& run : story.head().runs)
    if ((run.outcome != model::Outcome::ok) == failed) return run;
  if (story.head().runs.empty()) return std::nullopt;
  return story.head().runs.front();
}

// How much more often a row fails on the head, 0 to 1.
double failing_more(const CompareRow& row) {
  if (!row.failure || row.cells.size() <= kHeadColumn) return 0;
  const auto rate = [](const model::CellSummary& cell) {
    return cell.runs == 0 ? 0 : static_cast<double>(cell.fails) / static_cast<double>(cell.runs);
  };
  return rate(row.cells[kHeadColumn]) - rate(row.cells[0]);
}

// What the kernel or the test itself said names more than how the run ended.
int precision(const CompareRow& row) {
  if (row.key == kIncomplete) return 0;
  return row.key.starts_with(kState) ? 1 : 2;
}

std::string failure_name(const std::string& key, const std::string& testcase) {
  if (key.starts_with(kState)) return testcase + "." + key.substr(kState.size());
  return key.starts_with(kKernelLog) ? key.substr(kKernelLog.size()) : key;
}

// By the test; under LKP's rule every row is.
bool is_certain(const CompareRow& row) {
  if (row.verdicts.size() < kHeadColumn || !row.verdicts[kHeadColumn - 1]) return row.verdicts.empty();
  return row.verdicts[kHeadColumn - 1]->answer == model::Answer::changed;
}

// The row that fails more often on the head, by more than chance if there is such a one, and says most
// precisely what.
const CompareRow* find_failure(const CompareTable& table, const std::string& metric) {
  const CompareRow* best = nullptr;
  const auto place = [](const CompareRow& row) {
    return std::tuple(is_certain(row), precision(row), failing_more(row));
  };
  for (const CompareRow& row : table.rows) {
    const bool wanted = metric.empty() || row.key == metric;
    if (wanted && failing_more(row) > 0 && (best == nullptr || place(row) > place(*best))) best = &row;
  }
  return best;
}

// "toy.test-failed in 2 of 6 runs": beside a headline.
std::string also_failing(const CompareTable& table, const std::string& testcase) {
  const CompareRow* row = find_failure(table, "");
  if (row == nullptr) return "";
  const model::CellSummary& head = row->cells[kHeadColumn];
  return fmt::format("{} in {} of {} runs", failure_name(row->key, testcase), head.fails, head.runs);
}

std::optional<analyse::Headline> headline_of(const CompareTable& table, const std::string& metric) {
  return metric.empty() ? analyse::pick_headline(table, kHeadColumn)
                        : analyse::named_headline(table, metric, kHeadColumn);
}

const CompareRow* row_of(const CompareTable& table, const std::string& key) {
  for (const CompareRow& row : table.rows)
    if (row.key == key) return &row;
  return nullptr;
}

// "The 99 % interval of the change is +4.9..+6.3 %, of 6+6 runs; these could have shown 0.9 %."
std::string measured_evidence(const CompareRow& row, const model::RowVerdict& verdict) {
  if (verdict.answer != model::Answer::changed)
    return fmt::format("By the test this is no change: {}.", analyse::unchanged_text(verdict));
  const bool runs = verdict.level == "process" || verdict.level == "iteration";
  const std::string pieces = model::evidence_count(verdict) + " " + (runs ? "runs" : verdict.level + "s");
  if (verdict.from_zero && !row.absolute)
    return fmt::format("The base lies at zero; {} were compared.", pieces);
  return fmt::format("The 99 % interval of the change is {}{}, of {}; these could have shown {}.",
                     report::interval_text(row, kHeadColumn), row.absolute ? "" : " %", pieces,
                     replace_all(report::resolution_text(row, kHeadColumn), "%", " %"));
}

// "It happened in 4 of 6 runs, and in none of 6 before: by chance in 3 of 100 cases (p=0.03)."
std::string failure_evidence(const CompareRow& row, const model::RowVerdict& verdict) {
  const model::CellSummary& base = row.cells[0];
  const model::CellSummary& head = row.cells[kHeadColumn];
  return fmt::format("It happened in {} of {} runs, and in {} of {} of the base{} (Fisher's exact test: {}).",
                     head.fails, head.runs, base.fails, base.runs,
                     verdict.answer == model::Answer::changed ? "" : ", which may be chance",
                     report::p_text(row, kHeadColumn));
}

void add_evidence(Story& story, const CompareRow* row) {
  if (row == nullptr || row->verdicts.size() < kHeadColumn) return;
  story.verdict = row->verdicts[kHeadColumn - 1];
  if (!story.verdict) return;
  story.evidence =
      row->failure ? failure_evidence(*row, *story.verdict) : measured_evidence(*row, *story.verdict);
}

std::optional<Story> story_of(const ReadingRoom& room, const CompareTable& table,
                              const std::vector<Cell>& columns, const std::vector<std::string>& compare_axes,
                              const std::string& metric) {
  Story story{.table = &table, .columns = &columns, .headline = headline_of(table, metric)};
  const CompareRow* failing = story.headline ? nullptr : find_failure(table, metric);
  if (failing != nullptr) story.failure = failure_name(failing->key, story.axis("testcase"));
  if (!story.headline && story.failure.empty()) return std::nullopt;
  add_evidence(story, story.headline ? row_of(table, story.headline->key) : failing);
  if (story.headline && story.headline->verdict != analyse::Verdict::change)
    story.opposite = analyse::pick_opposite(table, *story.headline);
  if (story.headline) story.also_fails = also_failing(table, story.axis("testcase"));
  for (const Cell& cell : columns) story.sides.push_back(side_of(cell));
  story.differs = differences(columns, compare_axes);
  story.also = differences(columns, other_axes(columns, compare_axes));
  if (story.is_pair() || !have_own_names(story.sides)) name_sides(story.sides, columns, compare_axes);
  story.example = example_of(story);
  if (!story.example) return story;
  story.machine = machine_of(*story.example);
  story.job = job_of(room, *story.example, story.machine);
  return story;
}

// Every metric of every side.
std::vector<std::string> measured_keys(const Comparison& comparison) {
  std::set<std::string> keys;
  for (const std::vector<Cell>& columns : comparison.columns)
    for (const Cell& cell : columns)
      for (const model::MatrixRow& row : cell.matrix.rows) keys.insert(row.key);
  return {keys.begin(), keys.end()};
}

// Why there is nothing to tell.
tl::unexpected<Error> no_story(const Comparison& comparison, const std::string& metric) {
  const std::size_t tables = comparison.tables.size();
  const std::string where = fmt::format("in {} table{}", tables, tables == 1 ? "" : "s");
  const std::vector<std::string> keys = measured_keys(comparison);
  if (!metric.empty() && std::ranges::find(keys, metric) == keys.end())
    if (const std::string guess = did_you_mean(metric, keys); !guess.empty())
      return failure(fmt::format("reporting '{}': no run has this metric", printable(metric)), guess);
  std::vector<std::string> rows;
  std::vector<std::string> notes;
  for (const CompareTable& table : comparison.tables)
    notes.insert(notes.end(), table.notes.begin(), table.notes.end());
  for (const CompareTable& table : comparison.tables)
    for (const CompareRow& row : table.rows) rows.push_back(printable(row.key));
  // A headline's own answer says most.
  std::ranges::stable_partition(notes,
                                [](const std::string& note) { return note.starts_with("headline: "); });
  if (rows.empty())
    return failure("reporting: nothing changed " + where,
                   notes.empty() ? "kilter compare --all shows every metric" : printable(notes.front()));
  const std::string some = join(std::span(rows).first(std::min(rows.size(), kNamedRows)), ", ");
  if (!metric.empty())
    return failure(fmt::format("reporting '{}': it did not change {}", printable(metric), where),
                   did_you_mean(metric, rows).empty() ? "what changed: " + some : did_you_mean(metric, rows));
  return failure(fmt::format("reporting: no metric with a known direction changed {}", where),
                 fmt::format("--metric KEY names one yourself: {}", some));
}

double weight(const Story& story) {
  return story.headline ? std::abs(story.headline->change) : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string Story::axis(const std::string& name) const {
  return axis_value((*columns)[kHeadColumn].axes, name);
}

bool Story::compares(const std::string& axis) const {
  return has_axis(differs, axis);
}

bool Story::is_pair() const {
  return !differs.empty() && !compares("commit");
}

bool Story::is_of_kernels() const {
  return !is_pair() && std::ranges::all_of(sides, [](const Side& side) { return side.kernel.has_value(); });
}

bool Story::is_job_pair() const {
  return is_pair() && std::ranges::none_of(std::array{"tbox_group", "rootfs", "kconfig", "compiler"},
                                           [this](const char* axis) {
                                             return has_axis(differs, axis) || has_axis(also, axis);
                                           });
}

std::string Story::project() const {
  const std::set<std::string>& projects = (*columns)[kHeadColumn].projects;
  return projects.empty() ? "" : *projects.begin();
}

std::string Story::machine_text() const {
  return machine ? machine->description() : axis("tbox_group");
}

std::vector<std::pair<std::string, std::string>> Story::parameters() const {
  std::vector<std::pair<std::string, std::string>> all = job.parameters;
  const auto differ = [this](const std::string& name) {
    return has_axis(differs, name) || has_axis(also, name);
  };
  std::erase_if(all, [&](const auto& parameter) { return differ(parameter.first); });
  if (!job.parameters.empty() || machine) return all;
  static const std::set<std::string> kGeneral = {"testcase", "tbox_group", "rootfs", "kconfig",
                                                 "compiler", "commit",     "engine", "directory"};
  for (const auto& [name, value] : (*columns)[kHeadColumn].axes)
    if (!kGeneral.contains(name) && !differ(name)) all.emplace_back(name, value);
  return all;
}

Result<std::vector<Story>> find_stories(const ReadingRoom& room, const Comparison& comparison,
                                        const std::string& metric) {
  std::vector<Story> stories;
  for (std::size_t i = 0; i < comparison.tables.size(); ++i)
    if (std::optional<Story> story =
            story_of(room, comparison.tables[i], comparison.columns[i], comparison.compare_axes, metric))
      stories.push_back(std::move(*story));
  if (stories.empty()) return no_story(comparison, metric);
  std::ranges::stable_sort(stories, std::greater<>(), weight);
  return stories;
}

}  // namespace kilter::robot
