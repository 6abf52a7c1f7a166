#pragma once

#include "cli/command.h"

#include <memory>

// One factory per cmd_<name>.cc, for the command table.
namespace kilter::cli {

std::unique_ptr<Verb> make_ab();
std::unique_ptr<Verb> make_bisect();
std::unique_ptr<Verb> make_compare();
std::unique_ptr<Verb> make_completion();
std::unique_ptr<Verb> make_doctor();
std::unique_ptr<Verb> make_history();
std::unique_ptr<Verb> make_import();
std::unique_ptr<Verb> make_install();
std::unique_ptr<Verb> make_machine();
std::unique_ptr<Verb> make_man();
std::unique_ptr<Verb> make_reindex();
std::unique_ptr<Verb> make_report();
std::unique_ptr<Verb> make_result();
std::unique_ptr<Verb> make_run();
std::unique_ptr<Verb> make_sample();
std::unique_ptr<Verb> make_split_job();
std::unique_ptr<Verb> make_stat();

}  // namespace kilter::cli
