#pragma once

#include "base/result.h"
#include "model/number.h"
#include "model/series.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Raw output of a benchmark -> named values. A parser is named by a string that a plan can carry:
//   "netperf"                        one of ours (parser_names())
//   "regex:\n<key>=<pattern>..."     one line per rule; the first group of the pattern is the value
//   "json:\n<key>=<path>..."         one line per value: "results[0].mean", "benchmarks[*].real_time"
//   "command:\n<argv0>\n<argv1>..."  an executable that reads the log on stdin and prints "key: value" lines
//   "none"                           nothing is expected of the output
// No parser fails on foreign text: what it cannot read gives no values.
namespace kilter::suite {

struct RawOutput {
  std::string text;                          // the program's log
  std::map<std::string, std::string> files;  // other files of the run by name: "fio.output"
};

// One value as LKP's parser of that program prints it: `text` keeps its form ("13.70", "fail").
struct ParsedValue {
  std::string key;  // without the program's prefix
  std::string text;
  bool measured = true;  // false: LKP prints a 0 for what this run did not measure (a mode that was not run)
};

struct ParsedOutput {
  std::vector<ParsedValue> values;  // in print order; a key may stand there more than once

  void add(std::string key, std::string text) { values.push_back({std::move(key), std::move(text)}); }
  // Printed as Ruby prints a Float ("20.0") or an Integer.
  void add_float(std::string key, double value) { add(std::move(key), model::Number(value).json()); }
  void add_integer(std::string key, std::int64_t value) { add(std::move(key), std::to_string(value)); }
};

// Runs `parser` on `output`. An Error only for an unknown parser name, a broken rule, or an external one.
[[nodiscard]] Result<ParsedOutput> parse_output(const std::string& parser, const RawOutput& output);

// "key: value" lines, exactly as LKP's parsers print them.
[[nodiscard]] std::string as_lines(const ParsedOutput& parsed);
// The number in a value's text: digits are an integer, anything else a float; nullopt when it is no number.
[[nodiscard]] std::optional<model::Number> value_number(std::string_view text);
// The content of "<program>.json": keys prefixed with "<program>.", a key seen twice has two values, values
// that are no numbers, and those not measured, left out. A measured zero is kept.
[[nodiscard]] model::SeriesFile to_series(const std::string& program, const ParsedOutput& parsed);

// An external parser is run by the caller: argv, log on stdin, stdout given to parse_output("key-value",
// ...).
[[nodiscard]] bool is_external_parser(std::string_view parser);
[[nodiscard]] std::vector<std::string> external_parser_argv(std::string_view parser);
// False for "none" and "auto": an end without any value is no failure to measure.
[[nodiscard]] bool expects_values(std::string_view parser);

[[nodiscard]] std::vector<std::string> parser_names();

}  // namespace kilter::suite
