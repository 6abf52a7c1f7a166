#include "cli/command.h"
#include "cli/verbs.h"

#include <algorithm>
#include <array>

namespace kilter::cli {
namespace {

// The one table of verbs.
constexpr std::array kCommands = {
    Command{"completion", "", "Set-up", "Prints the completion script of a shell",
            "kilter completion bash > /etc/bash_completion.d/kilter", make_completion},
    Command{"man", "", "", "Prints the manual page", "kilter man | man -l -", make_man},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto it = std::ranges::find_if(kCommands, [name](const Command& command) {
    return command.name == name || (!name.empty() && command.alias == name);
  });
  return it == kCommands.end() ? nullptr : &*it;
}

}  // namespace kilter::cli
