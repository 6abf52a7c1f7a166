#include "execute/reproduce.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::execute {
namespace {

constexpr std::string_view kBench = "kilter-bench";
constexpr std::string_view kHead =
    "#!/bin/sh\n"
    "# Runs the benchmark again, without kilter. The set-up lines need root.\n";
// What was set up is put back at the end, last first.
constexpr std::string_view kUndo =
    "undo=:\n"
    "trap 'eval \"$undo\"' EXIT\n"
    "trap 'exit 130' INT TERM\n"
    "count=0\n"
    "set_file() {\n"
    "  count=$((count + 1))\n"
    "  eval \"file_$count=\\$1\"\n"
    "  eval \"old_$count=\\$(sed 's/.*\\[\\(.*\\)\\].*/\\1/' \\\"\\$1\\\")\"\n"
    "  echo \"$2\" > \"$1\" && undo=\"echo \\\"\\$old_$count\\\" > \\\"\\$file_$count\\\"; $undo\"\n"
    "}\n";

// A comment must not end early: foreign text on one line.
std::string comment(const std::string& text) {
  return "# " + replace_all(printable(text), "\n", " ") + "\n";
}

bool is_engine(const std::string& program) {
  return program == kBench || program.ends_with("/" + std::string(kBench));
}

std::string cpu_list(const std::vector<int>& cpus) {
  std::vector<std::string> numbers;
  for (const int cpu : cpus) numbers.push_back(std::to_string(cpu));
  return join(numbers, ",");
}

// A word of a command: the build's directory is known to the shell, so that another build may take its place.
std::string word_text(const std::string& word, const std::string& build) {
  std::string text;
  std::size_t begin = 0;
  if (!build.empty())
    for (std::size_t at = word.find(build); at != std::string::npos; at = word.find(build, begin)) {
      if (at > begin) text += shell_quote(word.substr(begin, at - begin));
      text += "\"$KILTER_BUILD\"";
      begin = at + build.size();
    }
  return begin < word.size() || word.empty() ? text + shell_quote(word.substr(begin)) : text;
}

std::string program_word(const std::string& program, const std::string& build) {
  return is_engine(program) ? "\"$KILTER_BENCH\"" : word_text(program, build);
}

// "printf %s 'text' | env A=b taskset -c 0 setarch -R stress-ng --sem 2"
std::string command_line(const model::PlannedCommand& planned, const std::string& build) {
  std::string line;
  if (!planned.stdin_text.empty()) line += "printf %s " + word_text(planned.stdin_text, build) + " | ";
  if (!planned.env.empty()) line += "env ";
  for (const auto& [name, value] : planned.env) line += word_text(name + "=" + value, build) + " ";
  if (!planned.mem_nodes.empty()) line += "numactl --membind=" + cpu_list(planned.mem_nodes) + " ";
  if (!planned.cpus.empty()) line += "taskset -c " + cpu_list(planned.cpus) + " ";
  if (planned.disable_aslr) line += "setarch -R ";
  for (std::size_t i = 0; i < planned.argv.size(); ++i)
    line += (i == 0 ? program_word(planned.argv[0], build) : " " + word_text(planned.argv[i], build));
  if (planned.quiet) line += " > /dev/null";
  if (!planned.cwd.empty()) line = "(cd " + word_text(planned.cwd, build) + " && " + line + ")";
  return line;
}

std::string body_lines(const model::PlannedCommand& planned, const std::string& build,
                       std::string_view indent) {
  const std::string line = command_line(planned, build);
  if (planned.copies <= 1) return fmt::format("{}{}\n", indent, line);
  std::string text = fmt::format("{}pids=\n", indent);
  for (int copy = 0; copy < planned.copies; ++copy)
    text += fmt::format("{}{} & pids=\"$pids $!\"\n", indent, line);
  return text + fmt::format("{}wait $pids\n", indent);
}

std::string step_lines(const model::Step& step, const std::string& skipped) {
  if (!skipped.empty()) return comment(fmt::format("not done: {} ({})", step.name, skipped));
  switch (step.kind) {
    case model::Step::Kind::write: {
      const bool pattern = step.path.find_first_of("*?") != std::string::npos;
      const std::string target = pattern ? step.path : shell_quote(step.path);
      return fmt::format("for file in {}; do set_file \"$file\" {}; done\n", target, shell_quote(step.value));
    }
    case model::Step::Kind::run:
      return shell_join(step.argv) + "\n" +
             (step.undo.empty() ? "" : "undo=" + shell_quote(shell_join(step.undo) + "; ") + "$undo\n");
    case model::Step::Kind::drop_caches:
      return fmt::format("sync; echo {} > /proc/sys/vm/drop_caches\n",
                         shell_quote(step.value.empty() ? "3" : step.value));
  }
  return {};
}

std::string engine_lines(const model::Workload& workload) {
  std::vector<model::PlannedCommand> all = workload.daemons;
  all.insert(all.end(), workload.body.begin(), workload.body.end());
  const std::vector<model::PlannedCommand>::const_iterator it =
      std::ranges::find_if(std::as_const(all), [](const model::PlannedCommand& planned) {
        return !planned.argv.empty() && is_engine(planned.argv[0]);
      });
  if (it == all.cend()) return {};
  return fmt::format("# The workload engine; any copy of it will do.\nKILTER_BENCH=${{KILTER_BENCH:-{}}}\n",
                     shell_quote(it->argv[0]));
}

std::string loop_lines(const model::Workload& workload, const std::string& build) {
  const bool timed = workload.min_seconds > 0;
  const bool loop = timed || workload.iterations > 1;
  std::string text;
  if (timed) text += fmt::format("end=$(($(date +%s) + {:.0f}))\nwhile :; do\n", workload.min_seconds);
  if (loop && !timed)
    text += fmt::format("iteration=0\nwhile [ $iteration -lt {} ]; do\n", workload.iterations);
  for (const model::PlannedCommand& planned : workload.body)
    text += body_lines(planned, build, loop ? "  " : "");
  if (timed) text += "  [ \"$(date +%s)\" -lt $end ] || break\ndone\n";
  if (loop && !timed) text += "  iteration=$((iteration + 1))\ndone\n";
  return text;
}

}  // namespace

std::string reproduce_script(const model::Plan& plan, const std::vector<StepResult>& steps) {
  std::string text(kHead);
  text += comment("test case: " + plan.testcase);
  for (const auto& [name, value] : plan.parameters) text += comment(name + ": " + value);
  text += engine_lines(plan.workload);
  if (!plan.build.empty())
    text += "# The programs under test; another build of them will do.\nKILTER_BUILD=${KILTER_BUILD:-" +
            shell_quote(plan.build) + "}\n";
  text += std::string(kUndo) + "export LC_ALL=C\n";
  for (std::size_t i = 0; i < plan.setup.size(); ++i)
    text += step_lines(plan.setup[i], i < steps.size() ? steps[i].skipped : "");
  for (const model::SkippedSetting& setting : plan.skipped)
    text += comment(fmt::format("not done: {} ({})", setting.name, setting.reason));
  text +=
      "scratch=$(mktemp -d) && export TMPDIR=\"$scratch\" && cd \"$scratch\" && undo=\"cd /; rm -rf "
      "\\\"\\$scratch\\\"; $undo\"\n";
  for (const model::PlannedCommand& daemon : plan.workload.daemons)
    text += command_line(daemon, plan.build) + " & undo=\"kill $! 2>/dev/null; $undo\"\n";
  if (!plan.workload.ready_port.empty())
    text += comment("the daemon must listen on " + plan.workload.ready_port) + "sleep 1\n";
  return text + loop_lines(plan.workload, plan.build);
}

}  // namespace kilter::execute
