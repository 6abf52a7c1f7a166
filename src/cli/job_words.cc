#include "cli/job_words.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

bool is_override(const std::string& word) {
  const std::size_t end = word.find('=');
  return end != std::string::npos && end > 0 && !os::is_there(word);
}

bool has_key(std::string_view text, std::string_view key) {
  return std::ranges::any_of(lines(text), [&](std::string_view line) { return line.starts_with(key); });
}

// "kilter run hackbench": a bare name.
bool is_name(const std::string& word) {
  return !word.empty() && !word.contains('/') && !word.ends_with(".yaml");
}

std::string quoting_hint(const JobWords& words, const std::string& word) {
  for (const std::string& override : words.overrides)
    if (override.ends_with(':'))
      return fmt::format("quote the override: -s '{} {}'", printable(override), printable(word));
  return "";
}

// The least job that runs `suite`.
std::string job_of_suite(const suite::Suite& suite) {
  std::string text = fmt::format("suite: {0}\ntestcase: {0}\ncategory: benchmark\n{1}:\n", suite.name,
                                 suite.program.empty() ? suite.name : suite.program);
  for (const suite::Parameter& parameter : suite.parameters)
    if (parameter.required) text += fmt::format("  {}: ...\n", parameter.name);
  text.pop_back();
  return text;
}

}  // namespace

void move_overrides(JobWords& words) {
  std::vector<std::string> jobs;
  for (std::string& word : words.jobs)
    (is_override(word) ? words.overrides : jobs).push_back(std::move(word));
  words.jobs = std::move(jobs);
}

std::set<std::string> told_axes(const JobWords& words) {
  std::set<std::string> told;
  for (const std::string& override : words.overrides) {
    const std::string key(trim(override.substr(0, override.find_first_of(":="))));
    for (const char* const axis : {"commit", "kconfig", "compiler", "rootfs"})
      if (key == axis) told.insert(key);
  }
  return told;
}

Result<std::string> job_path(const JobWords& words, const std::string& word, const job::FileReader& read) {
  if (const std::optional<std::string> text = read(word)) {
    if (has_key(*text, "url:") && !has_key(*text, "suite:"))
      return usage_error(fmt::format("reading job '{}': this is a project file", printable(word)),
                         fmt::format("kilter run --project {}", shell_quote(word)));
    return word;
  }
  std::string named = "jobs/" + word + ".yaml";
  if (is_name(word) && read(named)) return named;
  const std::string missing = fmt::format("reading job '{}': no such file", printable(word));
  if (const std::string hint = quoting_hint(words, word); !hint.empty()) return usage_error(missing, hint);
  const suite::Suite* suite = words.suites == nullptr ? nullptr : words.suites->find(word);
  if (suite != nullptr)
    return usage_error(fmt::format("reading job '{0}': '{0}' is a suite, and no job has its name", word),
                       fmt::format("a job for it is, as {}.yaml:\n{}", word, job_of_suite(*suite)));
  if (is_name(word) && !words.revisions.empty())
    return usage_error(missing, fmt::format("a revision? add --rev {}", shell_quote(word)));
  return word;  // whoever reads it guesses at built-in names
}

}  // namespace kilter::cli
