#include "cli/completion.h"

#include "base/assets.h"
#include "base/text.h"
#include "cli/help.h"

#include <fmt/core.h>

#include <memory>
#include <vector>

namespace kilter::cli {
namespace {

// A verb as the shells need it.
struct Words {
  const Command* command = nullptr;
  std::vector<Flag> flags;  // its own and those of every verb, without the hidden
};

std::vector<Words> all_words() {
  std::vector<Words> all;
  for (const Command& command : commands()) {
    if (command.group.empty()) continue;
    const std::unique_ptr<Verb> verb = command.make();
    GlobalFlags ignored;
    Flags flags;
    verb->declare(flags);
    declare_global(flags, ignored);
    Words words{.command = &command, .flags = {}};
    for (const Flag& flag : flags.all())
      if (!flag.hidden) words.flags.push_back(flag);
    all.push_back(std::move(words));
  }
  return all;
}

std::string option_names(const Words& words) {
  std::string text = "-h --help";
  for (const Flag& flag : words.flags)
    if (flag.kind == Flag::Kind::option) text += " " + replace_all(flag.names, ",", " ");
  return text;
}

// "compare|ncompare": the names a verb answers to.
std::string pattern_of(const Command& command) {
  std::string text(command.name);
  for (const Alias& alias : aliases())
    if (alias.verb == command.name) text += "|" + std::string(alias.name);
  return text;
}

std::string built_in_jobs() {
  std::string text;
  for (const std::string_view job : assets_below("jobs/"))
    text += (text.empty() ? "" : " ") + std::string(job);
  return text;
}

// What may stand in the place of a positional; "" anything.
std::string positional_values(const Words& words) {
  for (const Flag& flag : words.flags) {
    if (flag.kind != Flag::Kind::positional) continue;
    return flag.names == "JOB" ? built_in_jobs() : join(flag.choices, " ");
  }
  return "";
}

std::string bash_verb(const Words& words) {
  std::string values;
  for (const Flag& flag : words.flags)
    if (flag.kind == Flag::Kind::option && !flag.choices.empty())
      values += fmt::format("        {}) values='{}' ;;\n", replace_all(flag.names, ",", "|"),
                            join(flag.choices, " "));
  std::string text = fmt::format("    {})\n      options='{}'\n      words='{}'\n",
                                 pattern_of(*words.command), option_names(words), positional_values(words));
  if (!values.empty()) text += "      case $before in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

std::string bash_completion() {
  std::string names;
  std::string verbs;
  for (const Words& words : all_words()) {
    names += (names.empty() ? "" : " ") + std::string(words.command->name);
    verbs += bash_verb(words);
  }
  return fmt::format(
      "# bash completion for kilter\n"
      "_kilter() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before= options= words= values= verb=${{COMP_WORDS[1]}}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} help --help --version' -- \"$word\" || :); return\n"
      "  fi\n"
      "  before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  # --option=value comes as three words\n"
      "  [ \"$before\" != = ] || before=${{COMP_WORDS[COMP_CWORD - 2]}}\n"
      "  [ \"$word\" != = ] || {{ word=; before=${{COMP_WORDS[COMP_CWORD - 1]}}; }}\n"
      "  case $verb in\n{}  esac\n"
      "  if [ -n \"$values\" ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\" || :); return\n"
      "  fi\n"
      "  case $word in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\" || :) ;;\n"
      "    *) mapfile -t COMPREPLY < <({{ compgen -W \"$words\" -- \"$word\"; compgen -f -- \"$word\"; }} || "
      ":) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _kilter kilter lkp\n",
      names, verbs);
}

std::string zsh_text(std::string_view text) {
  return replace_all(replace_all(std::string(text), "'", "'\\''"), ":", "\\:");
}

std::string zsh_verb(const Words& words) {
  std::string text = fmt::format("    {})\n", pattern_of(*words.command));
  for (const Flag& flag : words.flags)
    if (flag.kind == Flag::Kind::option && !flag.choices.empty())
      text += fmt::format("      case $words[CURRENT-1] in {}) compadd -- {}; return ;; esac\n",
                          replace_all(flag.names, ",", "|"), join(flag.choices, " "));
  const std::string values = positional_values(words);
  return text + fmt::format("      compadd -- {}\n      {}_files\n      ;;\n", option_names(words),
                            values.empty() ? "" : "compadd -- " + values + "; ");
}

std::string zsh_completion() {
  std::string names;
  std::string verbs;
  for (const Words& words : all_words()) {
    names += fmt::format("    '{}:{}'\n", words.command->name, zsh_text(words.command->summary));
    verbs += zsh_verb(words);
  }
  return fmt::format(
      "#compdef kilter lkp\n"
      "_kilter() {{\n  local -a verbs\n  verbs=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
      "  case $words[2] in\n{}    *) _files ;;\n  esac\n}}\n_kilter \"$@\"\n",
      names, verbs);
}

std::string fish_option(const std::string& verb, const Flag& flag) {
  std::string text = fmt::format("complete -c kilter -n '__fish_seen_subcommand_from {}'", verb);
  for (const std::string_view name : split(flag.names, ','))
    text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                   : fmt::format(" -s {}", name.substr(1));
  if (!flag.value.empty()) text += " -r";
  if (!flag.choices.empty()) text += " -f -a " + shell_quote(join(flag.choices, " "));
  return text + " -d " + shell_quote(flag.help) + "\n";
}

std::string fish_completion() {
  std::string text = "# fish completion for kilter\n";
  for (const Words& words : all_words()) {
    text += fmt::format("complete -c kilter -n __fish_use_subcommand -f -a {} -d {}\n", words.command->name,
                        shell_quote(words.command->summary));
    const std::string names = replace_all(pattern_of(*words.command), "|", " ");
    for (const Flag& flag : words.flags)
      if (flag.kind == Flag::Kind::option) text += fish_option(names, flag);
    if (const std::string values = positional_values(words); !values.empty())
      text += fmt::format("complete -c kilter -n '__fish_seen_subcommand_from {}' -a {}\n", names,
                          shell_quote(values));
  }
  return text;
}

}  // namespace

std::string completion(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  return "";
}

}  // namespace kilter::cli
