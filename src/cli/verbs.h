#pragma once

#include "cli/command.h"

#include <memory>

// One factory per cmd_<name>.cc, for the command table.
namespace kilter::cli {

std::unique_ptr<Verb> make_completion();
std::unique_ptr<Verb> make_man();

}  // namespace kilter::cli
