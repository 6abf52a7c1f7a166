#pragma once

#include "base/result.h"

#include <string>
#include <variant>
#include <vector>

namespace kilter::cli {

// One flag or argument of a verb, as data: parsing, --help, the man page and shell completion all read it.
struct Flag {
  enum class Kind { option, positional, rest };
  Kind kind = Kind::option;
  std::string names;  // "--runs", "-o,--out"; for positionals the word of the usage line: "JOB"
  std::string value;  // placeholder of an option's value: "N"; "" for a switch
  std::string help;
  std::variant<bool*, std::string*, int*, double*, std::vector<std::string>*> target;
  bool required = false;
  bool hidden = false;
  std::vector<std::string> choices;  // allowed values; empty: any
  std::string group;                 // heading in --help; "" the first one

  [[nodiscard]] std::string long_name() const;  // the last of `names`
};

// What a verb declares; see cmd_*.cc.
class Flags {
 public:
  Flags& add(Flag flag);
  // A switch, an option with a value (its type follows the target), a repeatable option.
  Flags& option(const std::string& names, bool& target, const std::string& help);
  Flags& option(const std::string& names, const std::string& value, std::string& target,
                const std::string& help);
  Flags& option(const std::string& names, const std::string& value, int& target, const std::string& help);
  Flags& option(const std::string& names, const std::string& value, double& target, const std::string& help);
  Flags& option(const std::string& names, const std::string& value, std::vector<std::string>& target,
                const std::string& help);
  Flags& choice(const std::string& names, std::string& target, std::vector<std::string> choices,
                const std::string& help);
  Flags& positional(const std::string& word, std::string& target, const std::string& help,
                    bool required = true);
  Flags& positional(const std::string& word, std::vector<std::string>& target, const std::string& help,
                    bool required = true);
  // All words after a bare "--".
  Flags& rest(const std::string& word, std::vector<std::string>& target, const std::string& help);

  [[nodiscard]] const std::vector<Flag>& all() const { return flags_; }
  // Fills the targets from the words after the verb; a mistake is a usage error with a hint.
  [[nodiscard]] Status parse(const std::string& verb, std::vector<std::string> words) const;

 private:
  std::vector<Flag> flags_;
};

}  // namespace kilter::cli
