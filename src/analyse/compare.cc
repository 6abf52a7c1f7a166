#include "analyse/compare.h"

#include "analyse/column.h"
#include "analyse/copies.h"
#include "analyse/direction.h"
#include "analyse/key_lists.h"
#include "analyse/kilter_rule.h"
#include "analyse/row_order.h"
#include "analyse/samples.h"
#include "analyse/time_copies.h"
#include "analyse/verdict_notes.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter::analyse {
namespace {

constexpr double kZeroBase = 1e-100;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kShortSha = 10;

bool is_absolute(std::string_view key) {
  return key.starts_with("perf-profile") || key.ends_with('%');
}

// The keys LKP compares over incomplete runs too.
bool is_early_log(std::string_view key) {
  return is_log_stat(key) && base_of(key) != "kmsg";
}

// Marks the keys that changed in any column.
class Selection {
 public:
  Selection(std::span<const CompareInput> inputs, std::span<const Column> columns, const KeyTable& keys,
            const CompareOptions& options, const KilterRule* verdicts)
      : inputs_(inputs),
        columns_(columns),
        keys_(keys),
        options_(options),
        verdicts_(verdicts),
        selected_(keys.size(), false) {
    lkp_keys_.reserve(keys.size());
    for (std::size_t index = 0; index < keys.size(); ++index) lkp_keys_.emplace_back(keys.key(index));
  }

  [[nodiscard]] const LkpKey& key(std::size_t index) const { return lkp_keys_[index]; }

  // Incomplete runs of the base count for failures until the first pair that has any was compared, then no
  // longer: LKP drops them from the base it keeps in memory, and tables of three columns show it.
  std::vector<bool> run() {
    if (options_.all) return select_all();
    Runs base_runs = Runs::all;
    for (std::size_t column = 1; column < columns_.size(); ++column) {
      const bool incomplete = columns_[column].marks_incomplete_runs() ||
                              (base_runs == Runs::all && columns_[0].marks_incomplete_runs());
      if (incomplete && !options_.rule.ignore_incomplete_runs)
        compare_all(column, Runs::all, base_runs, true);
      if (incomplete) base_runs = Runs::complete;
      compare_all(column, Runs::complete, base_runs, false);
    }
    return std::move(selected_);
  }

 private:
  std::vector<bool> select_all() {
    for (std::size_t index = 0; index < keys_.size(); ++index)
      selected_[index] = !options_.rule.kpi_only || is_kpi_stat(keys_.key(index), options_.rule.benchmarks);
    return std::move(selected_);
  }

  // A measured metric by its verdict; a failure, too, where one is shown without a difference for LKP's rule.
  [[nodiscard]] bool is_judged_changed(std::size_t index, std::size_t column, const LkpPair& pair) const {
    if (options_.wanted == keys_.key(index)) return true;
    const std::optional<model::RowVerdict>& verdict = verdicts_->verdict(index, column);
    return verdict && verdict->answer == model::Answer::changed &&
           (!lkp_keys_[index].function || lkp_considers(lkp_keys_[index], {}, {}, pair, options_.rule));
  }

  void compare_all(std::size_t column, Runs runs, Runs base_runs, bool logs_only) {
    const LkpPair pair = pair_of(column);
    for (std::size_t index = 0; index < keys_.size(); ++index) {
      if (selected_[index] || (logs_only && !is_early_log(keys_.key(index)))) continue;
      if (verdicts_ != nullptr && is_judged_changed(index, column, pair)) selected_[index] = true;
      if (selected_[index] || (verdicts_ != nullptr && !lkp_keys_[index].function)) continue;
      if (keys_.row(index, column) == nullptr && keys_.row(index, 0) == nullptr) continue;
      selected_[index] = has_changed(index, column, runs, base_runs, pair);
    }
  }

  [[nodiscard]] LkpPair pair_of(std::size_t column) const {
    const auto group = inputs_[column].axes.find("tbox_group");
    return {.tbox_group = group == inputs_[column].axes.end() ? "" : group->second,
            .base_has = [this](std::string_view key) { return keys_.has(key, 0); },
            .base_has_program = [this](std::string_view program) { return keys_.has_program(program, 0); }};
  }

  // What did not fail was not seen, and a symbol that a profile lacks is below its threshold: both are 0.
  bool has_changed(std::size_t index, std::size_t column, Runs runs, Runs base_runs, const LkpPair& pair) {
    const LkpKey& key = lkp_keys_[index];
    const bool zero = options_.missing_is_zero || key.function || key.profile;
    a_.clear();
    b_.clear();
    columns_[column].append_samples(keys_.row(index, column), runs, zero, a_);
    columns_[0].append_samples(keys_.row(index, 0), base_runs, zero, b_);
    const LkpSide a{.samples = a_, .present = keys_.row(index, column) != nullptr};
    const LkpSide b{.samples = b_, .present = keys_.row(index, 0) != nullptr};
    return lkp_change(key, a, b, pair, options_.rule).has_value();
  }

  std::span<const CompareInput> inputs_;
  std::span<const Column> columns_;
  const KeyTable& keys_;
  const CompareOptions& options_;
  const KilterRule* verdicts_;  // null: LKP's rule judges; else it tells of failures only
  std::vector<LkpKey> lkp_keys_;
  std::vector<bool> selected_;
  std::vector<model::Number> a_;
  std::vector<model::Number> b_;
};

double failure_change(const std::vector<model::CellSummary>& cells, std::size_t column, bool as_lkp) {
  const std::int64_t runs = cells[as_lkp ? column - 1 : column].runs;
  if (runs == 0 || cells[0].runs == 0) return kUndefined;
  return 100 * (static_cast<double>(cells[column].fails) / static_cast<double>(runs) -
                static_cast<double>(cells[0].fails) / static_cast<double>(cells[0].runs));
}

double relative_change(double base, double other, bool as_lkp) {
  if (base != 0) return 100 * (other - base) / base;
  if (as_lkp) return 100 * (other - kZeroBase) / kZeroBase;
  return other == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), other);
}

double measured_change(const model::CompareRow& row, std::size_t column, bool as_lkp) {
  const model::CellSummary& base = row.cells[0];
  const model::CellSummary& other = row.cells[column];
  if (!base.present || !other.present) return kUndefined;
  return row.absolute ? other.average - base.average : relative_change(base.average, other.average, as_lkp);
}

// A count that a table can hold, whatever the matrix says.
std::int64_t count_of(double sum) {
  constexpr double kMost = 1e15;
  return std::isnan(sum) ? 0 : static_cast<std::int64_t>(std::clamp(sum, -kMost, kMost));
}

// Makes the rows of the selected keys.
class RowMaker {
 public:
  RowMaker(std::span<const Column> columns, const KeyTable& keys, const CompareOptions& options,
           const KilterRule* verdicts)
      : columns_(columns), keys_(keys), options_(options), verdicts_(verdicts) {}

  SampledRow make(std::size_t index, const LkpKey& key) {
    SampledRow made;
    made.row.key = std::string(key.text);
    made.row.failure = key.function;
    made.row.absolute = !key.function && is_absolute(key.text);
    for (std::size_t column = 0; column < columns_.size(); ++column)
      made.row.cells.push_back(key.function ? failure_cell(index, column)
                                            : measured_cell(index, column, made.samples));
    for (std::size_t column = 1; column < columns_.size(); ++column)
      made.row.changes.push_back(key.function ? failure_change(made.row.cells, column, options_.as_lkp)
                                              : measured_change(made.row, column, options_.as_lkp));
    made.row.info = info_of_metric(made.row.key, options_);
    if (verdicts_ != nullptr) add_verdicts(made.row, index);
    return made;
  }

 private:
  void read(std::size_t index, std::size_t column, Runs runs, bool missing_is_zero) {
    numbers_.clear();
    columns_[column].append_samples(keys_.row(index, column), runs, missing_is_zero, numbers_);
    values_.clear();
    for (const model::Number& number : numbers_) values_.push_back(number.value());
  }

  model::CellSummary failure_cell(std::size_t index, std::size_t column) {
    read(index, column, Runs::all, true);
    return {.n = static_cast<int>(values_.size()),
            .present = keys_.row(index, column) != nullptr,
            .fails = count_of(compensated_sum(values_)),
            .runs = static_cast<std::int64_t>(columns_[column].runs(Runs::all))};
  }

  model::CellSummary measured_cell(std::size_t index, std::size_t column, std::vector<double>& samples) {
    read(index, column, Runs::complete, options_.missing_is_zero);
    samples.insert(samples.end(), values_.begin(), values_.end());
    const double average = mean(values_);
    return {.n = static_cast<int>(values_.size()),
            .average = average,
            .stddev = population_stddev(values_, average),
            .present = !values_.empty() || options_.missing_is_zero};
  }

  // What the test says is what the row says, in percent or in the unit of an absolute row.
  void add_verdicts(model::CompareRow& row, std::size_t index) const {
    for (std::size_t column = 1; column < columns_.size(); ++column) {
      const std::optional<model::RowVerdict>& verdict =
          row.verdicts.emplace_back(verdicts_->verdict(index, column));
      if (verdict && !row.failure && !verdict->from_zero)
        row.changes[column - 1] = verdict->effect * (row.absolute ? verdict->base : 100);
    }
  }

  std::span<const Column> columns_;
  const KeyTable& keys_;
  const CompareOptions& options_;
  const KilterRule* verdicts_;
  std::vector<model::Number> numbers_;
  std::vector<double> values_;
};

std::string axis_of(const model::Axes& axes, const std::string& name) {
  const auto it = axes.find(name);
  return it == axes.end() ? "" : it->second;
}

std::string compared_value(const model::Axes& axes, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names) values.push_back(axis_of(axes, name));
  return join(values, "/");
}

model::CompareColumn title_of(const CompareInput& input, const Column& column,
                              const CompareOptions& options) {
  model::CompareColumn title;
  title.commit = compared_value(input.axes, options.compare_axes);
  title.subject = input.subject;
  title.label = input.label;
  if (title.label.empty())
    title.label =
        input.subject.empty()
            ? title.commit
            : fmt::format("{} (\"{}\")", model::short_commit(title.commit, kShortSha), input.subject);
  title.runs = static_cast<int>(column.runs(Runs::all));
  return title;
}

model::Axes shared_axes(const model::Axes& axes, const CompareOptions& options) {
  model::Axes shared = axes;
  for (const std::string& name : options.compare_axes) shared.erase(name);
  return shared;
}

// Where a column differs from the first in an axis that is not the compared one.
std::vector<std::string> axis_notes(std::span<const CompareInput> inputs, const CompareOptions& options) {
  std::vector<std::string> notes;
  const model::Axes base = shared_axes(inputs[0].axes, options);
  for (std::size_t column = 1; column < inputs.size(); ++column) {
    const model::Axes other = shared_axes(inputs[column].axes, options);
    model::Axes all = base;
    all.insert(other.begin(), other.end());
    for (const auto& [name, value] : all)
      if (axis_of(base, name) != axis_of(other, name))
        notes.push_back(fmt::format("column {} differs in {}: '{}', not '{}'", column + 1, name,
                                    axis_of(other, name), axis_of(base, name)));
  }
  return notes;
}

bool are_enough(std::span<const Column> columns) {
  return std::ranges::any_of(columns,
                             [](const Column& column) { return column.runs(Runs::complete) >= kEnoughRuns; });
}

std::vector<std::string> run_notes(std::span<const Column> columns, bool nothing_changed,
                                   const CompareOptions& options) {
  std::vector<std::string> notes;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::size_t all = columns[column].runs(Runs::all);
    const std::size_t complete = columns[column].runs(Runs::complete);
    if (complete < all)
      notes.push_back(fmt::format("column {}: {} of {} runs incomplete, left out of the averages", column + 1,
                                  all - complete, all));
  }
  if (options.judged_by == ChangeRule::kilter) return notes;
  if (!are_enough(columns) && !options.all && !options.rule.whole)
    notes.push_back("not enough data: no column has 3 complete runs, so no measured value was judged");
  else if (nothing_changed)
    notes.push_back("no metric changed");
  return notes;
}

void set_axes(model::CompareTable& table, std::span<const CompareInput> inputs,
              const CompareOptions& options) {
  for (const auto& [name, value] : shared_axes(inputs[0].axes, options)) {
    table.axis_names.push_back(name);
    table.axis_values.push_back(value);
  }
  table.compare_axis = join(options.compare_axes, "/");
}

std::string headline_change(const model::CompareRow& row, std::size_t column) {
  const model::CellSummary& cell = row.cells[column];
  if (!cell.present) return "-";
  std::string figure = model::figure_text(cell.average);
  const double change = row.changes[column - 1];
  if (std::isnan(change)) return figure;
  return fmt::format("{} ({:+.1f}{})", figure, change, row.absolute ? "" : " %");
}

// "headline: toy.speed 6607 -> 6580 (-0.4 %): not a change by LKP's rule".
std::string headline_note(const model::CompareRow& row, bool judged) {
  std::vector<std::string> others;
  for (std::size_t column = 1; column < row.cells.size(); ++column)
    others.push_back(headline_change(row, column));
  return fmt::format("headline: {} {} -> {}: {}", row.key,
                     row.cells[0].present ? model::figure_text(row.cells[0].average) : "-",
                     join(others, ", "), judged ? "not a change by LKP's rule" : "not judged");
}

// The headlines that make no row.
std::vector<model::CompareRow> quiet_headlines(const KeyTable& keys, const Selection& selection,
                                               const std::vector<bool>& selected, RowMaker& maker,
                                               const CompareOptions& options) {
  constexpr std::size_t kMostQuiet = 100;
  std::vector<model::CompareRow> quiet;
  for (std::size_t index = 0; index < keys.size() && quiet.size() < kMostQuiet; ++index) {
    const LkpKey& key = selection.key(index);
    if (selected[index] || key.function || !is_test_program(base_of(key.text), options.rule.benchmarks))
      continue;
    model::CompareRow row = maker.make(index, key).row;
    if (row.info.headline) quiet.push_back(std::move(row));
  }
  return quiet;
}

// Rows of the selected keys, and the headlines that make none.
void add_rows(model::CompareTable& table, const KeyTable& keys, const Selection& selection,
              const std::vector<bool>& selected, RowMaker& maker, const CompareOptions& options) {
  const TimeCopies times(keys);
  std::vector<SampledRow> sampled;
  for (std::size_t index = 0; index < keys.size(); ++index)
    if (selected[index] && !(options.merge_copies && times.contains(keys.key(index))))
      sampled.push_back(maker.make(index, selection.key(index)));
  if (options.merge_copies)
    table.rows = merge_copies(std::move(sampled));
  else
    for (SampledRow& row : sampled) table.rows.push_back(std::move(row.row));
  sort_rows(table.rows, options.rule.benchmarks, options.order);
  if (options.order == RowOrder::headline_first)
    table.quiet_headlines = quiet_headlines(keys, selection, selected, maker, options);
}

// What LKP's rule leaves out.
std::vector<std::string> headline_notes(const std::vector<model::CompareRow>& quiet, bool judged) {
  constexpr std::size_t kMostNotes = 10;
  std::vector<std::string> notes;
  for (const model::CompareRow& row : std::span(quiet).first(std::min(quiet.size(), kMostNotes)))
    notes.push_back(headline_note(row, judged));
  return notes;
}

void judge(model::CompareTable& table, std::span<const CompareInput> inputs, std::span<const Column> columns,
           const CompareOptions& options) {
  const KeyTable keys(columns);
  std::optional<KilterRule> rule;
  if (options.judged_by == ChangeRule::kilter) rule.emplace(inputs, columns, keys, options);
  const KilterRule* const verdicts = rule ? &*rule : nullptr;
  Selection selection(inputs, columns, keys, options, verdicts);
  RowMaker maker(columns, keys, options, verdicts);
  add_rows(table, keys, selection, selection.run(), maker, options);
  table.has_verdicts = verdicts != nullptr;
  const auto add_notes = [&table](std::vector<std::string> notes) {
    std::ranges::move(notes, std::back_inserter(table.notes));
  };
  add_notes(run_notes(columns, table.rows.empty(), options));
  if (verdicts == nullptr) {
    add_notes(headline_notes(table.quiet_headlines, are_enough(columns) || options.rule.whole));
    table.quiet_headlines.clear();
    return;
  }
  for (std::size_t column = 1; column < columns.size(); ++column)
    table.columns[column].answers = verdicts->counts(column);
  add_notes(verdict_notes(table, *verdicts, inputs, options));
}

// A run's own testcase is a benchmark, whether a list names it or not.
void add_testcases(std::span<const CompareInput> inputs, Benchmarks& benchmarks) {
  for (const CompareInput& input : inputs)
    for (const char* const name : {"testcase", "suite"})
      if (std::string program = axis_of(input.axes, name); !program.empty())
        benchmarks.insert(std::move(program));
}

}  // namespace

Result<model::CompareTable> compare(std::span<const CompareInput> inputs, const CompareOptions& asked) {
  if (inputs.size() < 2)
    return usage_error(fmt::format("comparing {} column{}: at least two are needed", inputs.size(),
                                   inputs.size() == 1 ? "" : "s"));
  CompareOptions options = asked;
  options.missing_is_zero = asked.missing_is_zero || asked.as_lkp;
  options.rule.as_lkp = asked.as_lkp;
  add_testcases(inputs, options.rule.benchmarks);
  std::vector<Column> columns;
  for (const CompareInput& input : inputs) columns.emplace_back(*input.matrix);
  model::CompareTable table;
  set_axes(table, inputs, options);
  for (std::size_t column = 0; column < inputs.size(); ++column)
    table.columns.push_back(title_of(inputs[column], columns[column], options));
  table.notes = axis_notes(inputs, options);
  judge(table, inputs, columns, options);
  return table;
}

}  // namespace kilter::analyse
