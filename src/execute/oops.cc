#include "execute/oops.h"

#include "base/text.h"

#include <string_view>

namespace kilter::execute {
namespace {

// As the kernel's own code prints them. A fault of a program ("traps: prog[1] general protection fault
// ip:...") is none of these.
constexpr std::string_view kHeadlines[] = {"BUG: ", "Oops: ", "kernel BUG at ", "Kernel panic - "};

// "DEBUG: " is no "BUG: ".
bool has_headline(std::string_view message, std::string_view headline) {
  const std::size_t at = message.find(headline);
  if (at == std::string_view::npos) return false;
  return at == 0 || message[at - 1] == ' ' || message[at - 1] == ']';
}

}  // namespace

std::optional<std::string> find_oops(std::span<const std::string> messages) {
  for (const std::string& message : messages)
    for (const std::string_view headline : kHeadlines)
      if (has_headline(message, headline)) return printable(message);
  return std::nullopt;
}

}  // namespace kilter::execute
