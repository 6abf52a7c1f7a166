#pragma once

#include "model/node.h"
#include "suite/metric_rule.h"

#include <string>
#include <utility>
#include <vector>

// A suite file as data. docs/suites.md describes the form. Templates stay as written: workload.h fills them
// in.
namespace kilter::suite {

struct Parameter {
  enum class Type {
    text,
    integer,
    count,    // "8", "50%" (of the CPUs), "3x", "64t"
    seconds,  // "300", "300s", "5m"
    bytes,    // "4096", "10K", "50%" (of the memory)
    flag,     // "1" or ""
  };
  std::string name;
  Type type = Type::text;
  std::string fallback;  // of a number: an expression; "" = unset
  std::vector<std::string> choices;
  bool required = false;
  std::string help;
};

// One process: words, environment and directory are templates, `copies` an expression.
struct CommandTemplate {
  model::Node argv;  // a list of words, groups and conditional groups
  std::string when;  // condition; empty = always
  std::vector<std::pair<std::string, std::string>> env;
  std::string cwd;
  std::string stdin_text;
  std::string copies;
  bool timed = false;
  bool quiet = false;
  bool may_fail = false;
  bool disable_aslr = false;
};

struct Install {
  std::vector<std::string> packages;    // Debian's names
  std::string url;                      // git; empty: nothing to fetch
  std::string revision;                 // branch, tag or commit to check out; empty: the default branch
  std::vector<CommandTemplate> unpack;  // makes the source directory when there is no URL
  std::vector<CommandTemplate> build;   // run in the source directory
  std::vector<std::string> provides;    // programs (of PATH, or paths) that must be there afterwards
};

// One way to run the suite: "builtin" is kilter-bench, "upstream" the original programs.
struct Engine {
  std::string name;
  std::string when;  // the parameters it can serve; empty = all
  std::vector<CommandTemplate> daemons;
  std::string ready_port;
  std::vector<CommandTemplate> run;
  std::string times;    // expression: run the body so often
  std::string seconds;  // expression: or, without `times`, until so many seconds are over
  bool report_iterations = false;
  Install install;
};

struct Suite {
  std::string name;
  std::string program;  // of the job file and of the log; usually the name
  std::string summary;
  std::string homepage;
  std::string file;  // where it was read from
  std::vector<Parameter> parameters;
  std::vector<std::pair<std::string, std::string>> values;  // "let": name -> expression, in order
  std::string positional;       // the parameter that takes a scalar given to the program itself
  std::vector<Engine> engines;  // the first that can serve the parameters is the default
  std::string expected;         // expression, seconds
  std::string time_limit;       // expression, seconds
  std::string parser;           // template of parse.h's parser string
  std::vector<MetricRule> metrics;

  [[nodiscard]] const Parameter* find_parameter(std::string_view parameter) const;
  [[nodiscard]] const Engine* find_engine(std::string_view engine) const;
};

}  // namespace kilter::suite
