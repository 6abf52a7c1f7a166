#pragma once

#include "base/result.h"
#include "cli/flags.h"
#include "cli/world.h"

#include <memory>
#include <span>
#include <string_view>

namespace kilter::cli {

// One verb at work: it declares its flags, they are filled, it runs.
class Verb {
 public:
  virtual ~Verb() = default;
  virtual void declare(Flags& flags) = 0;
  // The exit code: 0, or 1 where it was asked to fail on a change.
  [[nodiscard]] virtual Result<int> run(World& world) = 0;
};

// A row of the command table (commands.cc): --help, the man page and shell completion come from it.
struct Command {
  std::string_view name;
  std::string_view group;    // heading in `kilter --help`; "" hides the verb
  std::string_view summary;  // one line
  std::string_view example;  // shown by --help, one command a line
  std::unique_ptr<Verb> (*make)();
};

// LKP's name of a verb, with the words that it stands for.
struct Alias {
  std::string_view name;
  std::string_view verb;
  std::string_view words;  // put before the user's, "" none
};

[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] std::span<const Alias> aliases();
[[nodiscard]] const Command* find_command(std::string_view name);
// The same for LKP's names; nullptr: it is none.
[[nodiscard]] const Alias* find_alias(std::string_view name);

}  // namespace kilter::cli
