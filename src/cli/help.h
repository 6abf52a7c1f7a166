#pragma once

#include "cli/command.h"

#include <string>

// Texts made from the command table.
namespace kilter::cli {

[[nodiscard]] std::string program_help();  // kilter --help
// kilter VERB --help: at most a screen, with an example
[[nodiscard]] std::string verb_help(const Command& verb);
[[nodiscard]] std::string man_page();  // kilter(1), troff
// Flags that every verb takes before or after its name.
struct GlobalFlags {
  std::string home;
  bool verbose = false;
  bool quiet = false;
  bool help = false;
  bool version = false;
};
void declare_global(Flags& flags, GlobalFlags& target);

}  // namespace kilter::cli
