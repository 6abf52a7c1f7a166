#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

// Two forms: the table of runtest.py and of kilter-bench,
//   tasks,processes,processes_idle,threads,threads_idle,linear
// and the text of upstream's own binaries after a "tasks: N mode: processes" line of ours: "average:7369251".
namespace kilter::suite {
namespace {

constexpr std::array<std::string_view, 5> kColumns = {"processes", "processes_idle", "threads",
                                                      "threads_idle", "linear"};
constexpr std::string_view kHeader = "tasks,processes,processes_idle,threads,threads_idle,linear";

struct Row {
  std::int64_t tasks = 0;
  double processes = 0;
  double threads = 0;
  double linear = 0;
};

struct Table {
  std::vector<Row> rows;
};

void add_row(std::string_view line, Table& table, ParsedOutput& parsed) {
  const std::vector<std::string_view> cells = split(line, ',');
  if (cells.size() != kColumns.size() + 1) return;
  const std::optional<std::int64_t> tasks = parse_int(trim(cells[0]));
  std::array<double, 5> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<double> number = parse_double(trim(cells[i + 1]));
    if (!number) return;
    numbers[i] = *number;
  }
  if (!tasks || *tasks <= 0 || (numbers[0] == 0 && numbers[2] == 0)) return;
  table.rows.push_back({*tasks, numbers[0], numbers[2], numbers[4]});
  for (std::size_t i = 0; i < numbers.size(); ++i)
    parsed.add(std::to_string(*tasks) + "." + std::string(kColumns[i]), std::string(trim(cells[i + 1])));
}

// The row of the binary that ran last, or a new one.
void add_average(std::int64_t tasks, bool threads, std::string_view count, Table& table,
                 ParsedOutput& parsed) {
  const std::optional<double> number = parse_double(trim(count));
  if (!number || tasks <= 0) return;
  if (table.rows.empty() || table.rows.back().tasks != tasks) table.rows.push_back({.tasks = tasks});
  (threads ? table.rows.back().threads : table.rows.back().processes) = *number;
  parsed.add(std::to_string(tasks) + (threads ? ".threads" : ".processes"), std::string(trim(count)));
}

std::int64_t per_task(const std::vector<Row>& rows, double Row::* count) {
  std::vector<double> rates;
  for (const Row& row : rows) rates.push_back(row.*count / static_cast<double>(row.tasks));
  return truncated(mean(rates));
}

void summarise(const std::vector<Row>& rows, ParsedOutput& parsed) {
  parsed.add_integer("per_process_ops", per_task(rows, &Row::processes));
  parsed.add_integer("per_thread_ops", per_task(rows, &Row::threads));
  double workload = 0;
  double scalability = 0;
  for (const Row& row : rows) {
    workload += row.processes + row.threads;
    if (row.linear != 0 && row.tasks != 1) scalability = row.processes / row.linear;
  }
  if (scalability != 0) parsed.add("scalability", fmt::format("{:.6f}", scalability));
  parsed.add_integer("workload", truncated(workload));
}

// A mode that was not run prints zeros, and `linear` is only known when one task was measured.
void mark_unmeasured(const std::vector<Row>& rows, ParsedOutput& parsed) {
  const bool processes = std::ranges::any_of(rows, [](const Row& row) { return row.processes != 0; });
  const bool threads = std::ranges::any_of(rows, [](const Row& row) { return row.threads != 0; });
  for (ParsedValue& value : parsed.values) {
    const bool of_processes = value.key.contains(".processes") || value.key == "per_process_ops";
    const bool of_threads = value.key.contains(".threads") || value.key == "per_thread_ops";
    const bool zero_linear = value.key.ends_with(".linear") && value_number(value.text)->value() == 0;
    if ((of_processes && !processes) || (of_threads && !threads) || zero_linear) value.measured = false;
  }
}

}  // namespace

void parse_will_it_scale(const RawOutput& output, ParsedOutput& parsed) {
  Table table;
  std::int64_t tasks = 0;
  bool threads = false;
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("tasks: ")) {
      tasks = parse_int(word_after(line, "tasks: ").value_or("")).value_or(0);
      threads = word_after(line, "mode: ") == "threads";
    } else if (line.starts_with("average:")) {
      add_average(tasks, threads, line.substr(8), table, parsed);
    } else if (line.contains("Assertion") && line.contains("failed")) {
      const std::string_view text = line.substr(line.find("Assertion"));
      parsed.add(squeeze(key_part(text), " `'\"_.,:;()[]"), "1");
    } else if (!line.starts_with(kHeader)) {
      add_row(line, table, parsed);
    }
  }
  if (table.rows.empty()) return;
  summarise(table.rows, parsed);
  mark_unmeasured(table.rows, parsed);
}

}  // namespace kilter::suite
