#include "base/text.h"
#include "bench/aslr.h"
#include "bench/command.h"
#include "bench/scale/csv.h"
#include "bench/scale/files.h"
#include "bench/scale/registry.h"
#include "bench/topology.h"
#include "os/affinity.h"

#include <fmt/core.h>

#include <cstdio>

namespace kilter::bench {
namespace {

using scale::Mode;

constexpr double kLongest = 1e6;       // seconds
constexpr double kUpstreamWarmUp = 6;  // upstream's binaries discard six samples
constexpr int kTaskLimit = static_cast<int>(scale::kMaxTasks);

struct Options {
  std::string mode = "both";
  std::vector<unsigned> tasks = {1};
  double seconds = 5;
  double warm_up = 5;
  bool bind = true;
  bool hardware_threads = false;
  bool verbose = false;
  bool list = false;
  bool help = false;
};

std::vector<Flag> flags_of(Options& options) {
  return {
      {"--mode", 0, "MODE", "process, thread or both (default)", text(options.mode)},
      {"--tasks", 't', "N[,N...]", "numbers of tasks, one row each (default 1)",
       whole_list(options.tasks, {1, kTaskLimit})},
      {"--seconds", 's', "S", "measured per row and mode, fractions allowed (default 5)",
       real(options.seconds, {0.001, kLongest})},
      {"--warmup", 'w', "W", "seconds before measuring (default 5)", real(options.warm_up, {0, kLongest})},
      {"--no-affinity", 'n', "", "let the kernel place the tasks", set_false(options.bind)},
      {"--smt", 'm', "", "bind to hardware threads, not to whole cores", set_true(options.hardware_threads)},
      {"--list", 'l', "", "list the tests", set_true(options.list)},
      {"--verbose", 'v', "", "say on stderr what is run where", set_true(options.verbose)},
      {"--help", 'h', "", "this text", set_true(options.help)},
  };
}

void print_test_list() {
  for (const scale::Test* test : scale::tests())
    std::printf("%-17.*s %.*s\n", static_cast<int>(test->name.size()), test->name.data(),
                static_cast<int>(test->description.size()), test->description.data());
}

Result<const scale::Test*> choose_test(std::string_view name) {
  if (const scale::Test* test = scale::find_test(name); test != nullptr) return test;
  std::vector<std::string> names;
  for (const scale::Test* test : scale::tests()) names.emplace_back(test->name);
  return usage_error(fmt::format("choosing a test: there is no '{}'", printable(name)),
                     suggest(name, names, "`kilter-bench will-it-scale --list` lists the tests"));
}

Result<std::vector<Place>> choose_places(bool bind, bool hardware_threads) {
  if (!bind) return std::vector<Place>();
  ASSIGN_OR_RETURN(const std::vector<int> allowed, os::allowed_cpus());
  std::vector<Place> found =
      places(os::Root(), allowed, hardware_threads ? Granularity::hardware_thread : Granularity::core);
  if (found.empty()) found.push_back(allowed);
  return found;
}

std::string describe(const std::vector<Place>& places) {
  if (places.empty()) return "not bound";
  std::string out;
  for (const Place& place : places) {
    std::string cpus;
    for (const int cpu : place) cpus += (cpus.empty() ? "" : ",") + std::to_string(cpu);
    out += (out.empty() ? "" : " ") + cpus;
  }
  return out;
}

void explain(const scale::Test& test, const std::vector<Place>& places) {
  const std::string directory = scale::work_directory();
  const std::string note =
      fmt::format("{}: {}\nplaces: {}\nwork directory: {} ({})\naddress randomisation: {}\n", test.name,
                  test.description, describe(places), printable(directory), scale::file_system_of(directory),
                  aslr_is_off() ? "off" : "on, it could not be turned off");
  std::fputs(note.c_str(), stderr);
}

Status print_rows(const scale::RunPlan& plan, const Options& options) {
  std::fputs(scale::Table::head().c_str(), stdout);
  scale::Table table;
  for (const unsigned tasks : options.tasks) {
    scale::Row row{.tasks = tasks};
    scale::RunPlan one = plan;
    one.tasks = tasks;
    if (options.mode != "thread") {
      one.mode = Mode::process;
      ASSIGN_OR_RETURN(row.processes, scale::measure(one));
    }
    if (options.mode != "process") {
      one.mode = Mode::thread;
      ASSIGN_OR_RETURN(row.threads, scale::measure(one));
    }
    std::fputs(table.row(row).c_str(), stdout);
  }
  return {};
}

}  // namespace

Result<int> run_will_it_scale(Args args) {
  Options options;
  const std::vector<Flag> flags = flags_of(options);
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (options.help) {
    print_help("kilter-bench will-it-scale TEST [FLAGS]",
               "Runs one scalability test with one or more numbers of tasks and prints operations a second\n"
               "of all tasks together, as CSV.",
               flags,
               "  kilter-bench will-it-scale eventfd1 --tasks 1,2,4 --seconds 10\n"
               "  kilter-bench will-it-scale page_fault3 --mode thread --tasks 16 --smt\n");
    return 0;
  }
  if (options.list) return print_test_list(), 0;
  if (words.size() != 1)
    return usage_error(fmt::format("choosing a test: {} names given, one is needed", words.size()),
                       "`kilter-bench will-it-scale --list` lists the tests");
  if (options.mode != "process" && options.mode != "thread" && options.mode != "both")
    return usage_error(
        fmt::format("reading '--mode {}': it is process, thread or both", printable(options.mode)));
  ASSIGN_OR_RETURN(const scale::Test* test, choose_test(words.front()));
  scale::RunPlan plan{.test = test, .warm_up = options.warm_up, .seconds = options.seconds};
  ASSIGN_OR_RETURN(plan.places, choose_places(options.bind, options.hardware_threads));
  if (options.verbose) explain(*test, plan.places);
  TRY(print_rows(plan, options));
  return 0;
}

Result<int> run_single_test(std::string_view program, Args args) {
  const auto [test, mode] = *scale::single_test(program);
  int tasks = 1;
  int samples = 0;
  bool bind = true;
  bool hardware_threads = false;
  bool help = false;
  scale::RunPlan plan{.test = test, .mode = mode, .warm_up = kUpstreamWarmUp, .print_samples = true};
  const std::vector<Flag> flags = {
      {"", 't', "N", "number of tasks (default 1)", whole(tasks, {1, kTaskLimit})},
      {"", 's', "N", "samples of one second to measure (default: for ever)",
       whole(samples, {0, static_cast<int>(kLongest)})},
      {"", 'm', "", "bind to hardware threads, not to whole cores", set_true(hardware_threads)},
      {"", 'n', "", "let the kernel place the tasks", set_false(bind)},
      {"", 'v', "", "a line for each task", set_true(plan.print_tasks)},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help(fmt::format("{} [-t N] [-s N] [-m|-n] [-v]", program), test->description, flags,
               fmt::format("  kilter-bench {} -t 2 -s 5\n", program));
    return 0;
  }
  if (!words.empty())
    return usage_error(
        fmt::format("reading the command line: '{}' has no meaning here", printable(words.front())));
  if (hardware_threads && !bind) return usage_error("reading the command line: -m and -n exclude each other");
  plan.tasks = static_cast<unsigned>(tasks);
  plan.seconds = samples;
  ASSIGN_OR_RETURN(plan.places, choose_places(bind, hardware_threads));
  ASSIGN_OR_RETURN(const scale::Measurement measured, scale::measure(plan));
  std::printf("average:%lu\n", static_cast<unsigned long>(measured.rate));
  return 0;
}

}  // namespace kilter::bench
