#include "cli/flags.h"

#include "base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

CLI::Option* bind(CLI::App& app, const Flag& flag) {
  return std::visit(
      [&](auto* target) -> CLI::Option* {
        using Target = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<Target, bool>) {
          return app.add_flag(flag.names, *target, flag.help);
        } else if constexpr (std::is_same_v<Target, std::vector<std::string>>) {
          CLI::Option* option = app.add_option(flag.names, *target, flag.help);
          if (flag.kind == Flag::Kind::option) option->expected(1)->take_all()->allow_extra_args(false);
          return option;
        } else {
          return app.add_option(flag.names, *target, flag.help);
        }
      },
      flag.target);
}

void bind_all(CLI::App& app, const std::vector<Flag>& flags) {
  app.set_help_flag();
  for (const Flag& flag : flags) {
    if (flag.kind == Flag::Kind::rest) continue;
    CLI::Option* option = bind(app, flag);
    if (flag.required) option->required();
    if (!flag.choices.empty()) option->check(CLI::IsMember(flag.choices));
  }
}

std::vector<std::string> option_names(const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags)
    if (flag.kind == Flag::Kind::option)
      for (const std::string_view name : split(flag.names, ',')) names.emplace_back(name);
  return names;
}

std::string hint_for(const std::string& verb, const std::vector<Flag>& flags,
                     const std::vector<std::string>& words) {
  const std::vector<std::string> known = option_names(flags);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
    const std::string guess = did_you_mean(name, known);
    if (!guess.empty()) return guess;
  }
  return fmt::format("see kilter {} --help", verb);
}

// An option with an empty value is most often an unset variable of a script.
Status refuse_empty(const std::string& verb, const CLI::App& app, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags) {
    if (flag.kind != Flag::Kind::option || flag.value.empty()) continue;
    const std::string name = flag.long_name();
    const CLI::Option* option = app.get_option(name);
    if (std::ranges::find(option->results(), "") != option->results().end())
      return usage_error(fmt::format("{}: {}: its value is empty", verb, name),
                         "leave the option out, or give it a value");
  }
  return {};
}

// Moves the words after the first bare "--" into the rest flag's target, if the verb has one.
void take_rest(const std::vector<Flag>& flags, std::vector<std::string>& words) {
  const auto rest = std::ranges::find(flags, Flag::Kind::rest, &Flag::kind);
  const auto dashes = std::ranges::find(words, "--");
  if (rest == flags.end() || dashes == words.end()) return;
  std::get<std::vector<std::string>*>(rest->target)->assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

std::string one_line(std::string_view text) {
  return replace_all(printable(trim(text)), "\n", "; ");
}

}  // namespace

std::string Flag::long_name() const {
  return names.substr(names.rfind(',') + 1);
}

Flags& Flags::add(Flag flag) {
  flags_.push_back(std::move(flag));
  return *this;
}

Flags& Flags::option(const std::string& names, bool& target, const std::string& help) {
  return add({.names = names, .help = help, .target = &target});
}

Flags& Flags::option(const std::string& names, const std::string& value, std::string& target,
                     const std::string& help) {
  return add({.names = names, .value = value, .help = help, .target = &target});
}

Flags& Flags::option(const std::string& names, const std::string& value, int& target,
                     const std::string& help) {
  return add({.names = names, .value = value, .help = help, .target = &target});
}

Flags& Flags::option(const std::string& names, const std::string& value, double& target,
                     const std::string& help) {
  return add({.names = names, .value = value, .help = help, .target = &target});
}

Flags& Flags::option(const std::string& names, const std::string& value, std::vector<std::string>& target,
                     const std::string& help) {
  return add({.names = names, .value = value, .help = help, .target = &target});
}

Flags& Flags::choice(const std::string& names, std::string& target, std::vector<std::string> choices,
                     const std::string& help) {
  const std::string value = join(choices, "|");
  return add(
      {.names = names, .value = value, .help = help, .target = &target, .choices = std::move(choices)});
}

Flags& Flags::positional(const std::string& word, std::string& target, const std::string& help,
                         bool required) {
  return add(
      {.kind = Flag::Kind::positional, .names = word, .help = help, .target = &target, .required = required});
}

Flags& Flags::positional(const std::string& word, std::vector<std::string>& target, const std::string& help,
                         bool required) {
  return add(
      {.kind = Flag::Kind::positional, .names = word, .help = help, .target = &target, .required = required});
}

Flags& Flags::rest(const std::string& word, std::vector<std::string>& target, const std::string& help) {
  return add({.kind = Flag::Kind::rest, .names = word, .help = help, .target = &target});
}

Status Flags::parse(const std::string& verb, std::vector<std::string> words) const {
  take_rest(flags_, words);
  CLI::App app("", verb);
  try {
    bind_all(app, flags_);
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
    return refuse_empty(verb, app, flags_);
  } catch (const CLI::Error& error) {
    return usage_error(fmt::format("{}: {}", verb, one_line(error.what())), hint_for(verb, flags_, words));
  }
}

}  // namespace kilter::cli
