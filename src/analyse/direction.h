#pragma once

#include "model/report_types.h"
#include "model/series.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which way is better, and which change may stand in a subject line.
namespace kilter::analyse {

// From the lists, for results that no suite describes; `unknown` for everything else, all monitors included.
[[nodiscard]] model::Direction direction_of(std::string_view key);

// LKP's order of candidates: the weight of a throughput, 100 less for a monitor, -255 for all others.
[[nodiscard]] int bisect_score(std::string_view key);
// Ascending by score, as LKP sorts them: take from the end.
void sort_bisect_stats(std::vector<std::string>& keys);

enum class Verdict { improvement, regression, change };  // change: nobody knows which way is better
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

// The change a report is about.
struct Headline {
  std::string key;
  double change = 0;  // percent, as in the table; a difference in an absolute row
  std::string text;   // "5.6%": its size with one decimal; "5.6" of a difference
  Verdict verdict = Verdict::improvement;
  std::size_t column = 1;                 // the column it was seen in
  std::optional<model::RowVerdict> test;  // that our rule made
};

// The largest change, between the base and `column`, of a metric that has a direction, is not zero and is
// called changed by the test or, under LKP's rule, exceeds its own noise. A suite's headline metric goes
// before throughputs, those before latencies. nullopt: nothing to head a report with.
[[nodiscard]] std::optional<Headline> pick_headline(const model::CompareTable& table, std::size_t column = 1);
// The change of one row that somebody asked for, whatever its direction and noise; nullopt when the row is
// not in the table, counts failures, or its change has no number.
[[nodiscard]] std::optional<Headline> named_headline(const model::CompareTable& table, const std::string& key,
                                                     std::size_t column = 1);
// The largest change that speaks against `headline`: a regression beside an improvement, and the other way
// round; by the same rules.
[[nodiscard]] std::optional<Headline> pick_opposite(const model::CompareTable& table,
                                                    const Headline& headline);

// Some row has changed: under LKP's rule every row of a table has.
[[nodiscard]] bool has_changed(const model::CompareTable& table);
// The headline of `column` is a regression, or its runs fail (pass) more (less) often than the base's, by
// more than chance where our rule judged. Runs that failed because of the machine (infra-failed) say nothing
// of what was measured.
[[nodiscard]] bool has_regressed(const model::CompareTable& table, std::size_t column);

}  // namespace kilter::analyse
