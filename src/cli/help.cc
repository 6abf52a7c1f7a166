#include "cli/help.h"

#include "base/text.h"
#include "base/version.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 26;

std::string option_label(const Flag& flag) {
  std::string label = replace_all(flag.names, ",", ", ");
  if (!flag.value.empty()) label += " " + flag.value;
  return label;
}

std::string wrap(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  for (const std::string_view word : words(text)) {
    if (used > 0 && indent + used + word.size() + 1 > kWidth) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    }
    if (used > 0) out += ' ';
    out += word;
    used += word.size() + 1;
  }
  return out;
}

std::string row(const std::string& label, const std::string& help) {
  const bool fits = label.size() + 2 < kColumn;
  const std::string gap =
      fits ? std::string(kColumn - 2 - label.size(), ' ') : "\n" + std::string(kColumn, ' ');
  return "  " + label + gap + wrap(help, kColumn) + "\n";
}

std::string usage_words(const std::vector<Flag>& flags) {
  std::string text = " [OPTIONS]";
  for (const Flag& flag : flags) {
    if (flag.kind == Flag::Kind::option || flag.hidden) continue;
    const bool many = std::holds_alternative<std::vector<std::string>*>(flag.target);
    const std::string word = flag.names + (many && flag.kind == Flag::Kind::positional ? ".." : "");
    if (flag.kind == Flag::Kind::rest)
      text += " [-- " + flag.names + "]";
    else
      text += flag.required ? " " + word : " [" + word + "]";
  }
  return text;
}

std::string indent_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines(text)) out += "  " + std::string(line) + "\n";
  return out;
}

Flags flags_of(const Command& command, std::unique_ptr<Verb>& keep) {
  keep = command.make();
  Flags flags;
  keep->declare(flags);
  return flags;
}

std::vector<std::string_view> groups() {
  std::vector<std::string_view> names;
  for (const Command& command : commands())
    if (!command.group.empty() && std::ranges::find(names, command.group) == names.end())
      names.push_back(command.group);
  return names;
}

std::string troff(std::string_view text) {
  std::string escaped = replace_all(std::string(text), "\\", "\\e");
  return replace_all(escaped, "-", "\\-");
}

// "_rt (--strip run), rt"
std::string lkp_names(const Command& command) {
  std::string text;
  for (const Alias& alias : aliases()) {
    if (alias.verb != command.name) continue;
    text += (text.empty() ? "" : ", ") + std::string(alias.name);
    if (!alias.words.empty()) text += fmt::format(" ({})", alias.words);
  }
  return text;
}

std::string man_flags(const std::vector<Flag>& flags) {
  std::string text;
  for (const Flag& flag : flags) {
    if (flag.hidden) continue;
    text += ".TP\n.B " + troff(option_label(flag)) + "\n" + troff(flag.help) + "\n";
  }
  return text;
}

}  // namespace

void declare_global(Flags& flags, GlobalFlags& target) {
  flags.option("--home", "DIR", target.home, "State folder (default: $KILTER_HOME, ~/.local/share/kilter)");
  flags.option("-v,--verbose", target.verbose, "Say more of what is done");
  flags.option("-q,--quiet", target.quiet, "Say only what went wrong");
}

std::string program_help() {
  std::string text =
      "kilter: a performance test robot. It runs benchmarks under monitors, revision by revision, tells a "
      "real\n"
      "change from noise, and writes the mail.\n\nUsage: kilter VERB [OPTIONS]\n";
  for (const std::string_view group : groups()) {
    text += "\n" + std::string(group) + ":\n";
    for (const Command& command : commands())
      if (command.group == group) text += row(std::string(command.name), std::string(command.summary));
  }
  return text +
         "\n  kilter VERB --help shows a verb's options and an example; man kilter tells all.\n"
         "  State lives in --home DIR (default $KILTER_HOME or ~/.local/share/kilter); deleting it forgets "
         "all.\n";
}

std::string verb_help(const Command& command) {
  std::unique_ptr<Verb> keep;
  const Flags flags = flags_of(command, keep);
  std::string text =
      fmt::format("{}\n\nUsage: kilter {}{}\n", command.summary, command.name, usage_words(flags.all()));
  std::string arguments;
  std::string options;
  for (const Flag& flag : flags.all()) {
    if (flag.hidden) continue;
    if (flag.kind == Flag::Kind::option)
      options += row(option_label(flag), flag.help);
    else
      arguments += row(flag.names, flag.help);
  }
  if (!arguments.empty()) text += "\n" + arguments;
  if (!options.empty()) text += "\nOptions:\n" + options;
  if (!command.example.empty()) text += "\nExample:\n" + indent_lines(command.example);
  if (const std::string names = lkp_names(command); !names.empty())
    text += "\nLKP's names for it: " + names + "\n";
  return text;
}

std::string man_page() {
  std::string text = fmt::format(
      ".TH KILTER 1 \"\" \"kilter {}\" \"User commands\"\n.SH NAME\nkilter \\- a performance test robot\n"
      ".SH SYNOPSIS\n.B kilter\n.I VERB\n[OPTIONS]\n.SH DESCRIPTION\nRuns benchmarks under monitors, "
      "revision by "
      "revision; compares them; reports changes by mail.\n.SH VERBS\n",
      version());
  for (const Command& command : commands()) {
    if (command.group.empty()) continue;
    std::unique_ptr<Verb> keep;
    const Flags flags = flags_of(command, keep);
    text += fmt::format(".SS \"kilter {}{}\"\n{}\n", command.name, troff(usage_words(flags.all())),
                        troff(command.summary));
    text += man_flags(flags.all());
    if (!command.example.empty()) text += ".PP\n.nf\n" + troff(indent_lines(command.example)) + ".fi\n";
    if (const std::string names = lkp_names(command); !names.empty())
      text += ".PP\nLKP's names for it: " + troff(names) + ".\n";
  }
  GlobalFlags ignored;
  Flags global;
  declare_global(global, ignored);
  text += ".SH OPTIONS OF EVERY VERB\n" + man_flags(global.all());
  return text +
         ".SH EXIT STATUS\n0 fine; 1 a change was found where asked to fail on one; 2 usage; 3 failure; 130 "
         "interrupted.\n.SH ENVIRONMENT\n.TP\n.B KILTER_HOME\nThe state folder.\n.TP\n.B NO_COLOR\nNo "
         "colour, even on "
         "a terminal.\n.SH FILES\n.TP\n.I ~/.local/share/kilter\nResults, the database, builds and the "
         "outbox.\n";
}

}  // namespace kilter::cli
