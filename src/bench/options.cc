#include "bench/options.h"

#include "base/quantity.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace kilter::bench {
namespace {

// A flag word taken apart: "--tasks=4" -> {"--tasks", "4"}, "-t4" -> {"-t", "4"}.
struct Word {
  std::string_view flag;
  std::optional<std::string_view> value;
};

Word take_apart(std::string_view word) {
  if (!word.starts_with("--"))
    return {word.substr(0, 2), word.size() > 2 ? std::optional(word.substr(2)) : std::nullopt};
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

const Flag* find_flag(std::span<const Flag> flags, std::string_view word) {
  for (const Flag& flag : flags) {
    if (!flag.name.empty() && flag.name == word) return &flag;
    if (flag.letter != 0 && word.size() == 2 && word[0] == '-' && word[1] == flag.letter) return &flag;
  }
  return nullptr;
}

tl::unexpected<Error> unknown_flag(std::span<const Flag> flags, std::string_view word) {
  std::vector<std::string> names;
  for (const Flag& flag : flags)
    if (!flag.name.empty()) names.emplace_back(flag.name);
  return usage_error(fmt::format("reading the command line: unknown flag '{}'", printable(word)),
                     suggest(word, names, "--help lists the flags"));
}

Status wanted(std::string_view what) {
  return failure(std::string(what));
}

}  // namespace

Result<std::vector<std::string_view>> parse_flags(std::span<const Flag> flags, Args args) {
  std::vector<std::string_view> rest;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      rest.insert(rest.end(), args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
      break;
    }
    if (args[i].size() < 2 || args[i][0] != '-') {
      rest.push_back(args[i]);
      continue;
    }
    const Word word = take_apart(args[i]);
    const Flag* flag = find_flag(flags, word.flag);
    if (flag == nullptr) return unknown_flag(flags, word.flag);
    std::string_view value;
    if (!flag->value.empty()) {
      if (!word.value && i + 1 == args.size())
        return usage_error(fmt::format("reading '{}': it needs a value, {}", word.flag, flag->value));
      value = word.value ? *word.value : args[++i];
    } else if (word.value) {
      return usage_error(fmt::format("reading '{}': it takes no value", printable(args[i])));
    }
    if (const Status taken = flag->take(value); !taken)
      return usage_error(
          fmt::format("reading '{} {}': it wants {}", word.flag, printable(value), taken.error().message));
  }
  return rest;
}

Status no_words(std::span<const std::string_view> words) {
  if (words.empty()) return {};
  return usage_error(
      fmt::format("reading the command line: '{}' has no meaning here", printable(words.front())));
}

std::string suggest(std::string_view word, std::span<const std::string> candidates,
                    std::string_view otherwise) {
  const std::string likely = did_you_mean(word, candidates);
  return likely.empty() ? std::string(otherwise) : likely;
}

std::string flag_help(std::span<const Flag> flags) {
  std::string out;
  for (const Flag& flag : flags) {
    std::string left = flag.letter != 0 ? fmt::format("-{}", flag.letter) : std::string();
    if (!flag.name.empty()) left += (left.empty() ? "" : ", ") + std::string(flag.name);
    if (!flag.value.empty()) left += " " + std::string(flag.value);
    out += fmt::format("  {:<22} {}\n", left, flag.help);
  }
  return out;
}

Take set_true(bool& target) {
  return [&target](std::string_view) -> Status { return target = true, Status(); };
}

Take set_false(bool& target) {
  return [&target](std::string_view) -> Status { return target = false, Status(); };
}

Take text(std::string& target) {
  return [&target](std::string_view value) -> Status {
    if (value.empty()) return wanted("some text");
    target = value;
    return {};
  };
}

Take whole(int& target, Range<int> range) {
  return [&target, range](std::string_view value) -> Status {
    const std::optional<std::int64_t> number = parse_int(value);
    if (!number || *number < range.min || *number > range.max)
      return wanted(fmt::format("a whole number from {} to {}", range.min, range.max));
    target = static_cast<int>(*number);
    return {};
  };
}

Take real(double& target, Range<double> range) {
  return [&target, range](std::string_view value) -> Status {
    const std::optional<double> number = parse_double(value);
    if (!number || *number < range.min || *number > range.max)
      return wanted(fmt::format("a number from {} to {}", range.min, range.max));
    target = *number;
    return {};
  };
}

Take whole_list(std::vector<unsigned>& target, Range<int> range) {
  return [&target, range](std::string_view value) -> Status {
    target.clear();
    for (const std::string_view part : split(value, ',')) {
      const std::optional<std::int64_t> number = parse_int(part);
      if (!number || *number < range.min || *number > range.max)
        return wanted(fmt::format("whole numbers from {} to {}, separated by commas", range.min, range.max));
      target.push_back(static_cast<unsigned>(*number));
    }
    return {};
  };
}

Take bytes(int& target, Range<int> range) {
  return [&target, range](std::string_view value) -> Status {
    std::optional<std::int64_t> number = parse_int(value);
    if (!number) number = parse_bytes(value);
    if (!number || *number < range.min || *number > range.max)
      return wanted(fmt::format("a size from {} to {} bytes, such as 1024 or 10K", range.min, range.max));
    target = static_cast<int>(*number);
    return {};
  };
}

}  // namespace kilter::bench
