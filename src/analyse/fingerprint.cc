#include "analyse/fingerprint.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

namespace kilter::analyse {
namespace {

bool is_of_the_kernel(std::string_view part) {
  return part == "kernel" || part == "mitigations";
}

bool names_the_image(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "BOOT_IMAGE=", "initrd=", "root=", "rootuuid=", "RESULT_ROOT=", "job=", "commit=", "branch=", "ip="};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return word.starts_with(name); });
}

// A command line is a set of words: their order says nothing.
std::set<std::string_view> settings(std::string_view command_line) {
  std::set<std::string_view> kept;
  for (const std::string_view word : words(command_line))
    if (!names_the_image(word)) kept.insert(word);
  return kept;
}

bool differs(const std::string& part, const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  return part == "cmdline" ? settings(a) != settings(b) : a != b;
}

}  // namespace

std::vector<std::string> unlike(const Fingerprint& a, const Fingerprint& b,
                                const FingerprintOptions& options) {
  std::vector<std::string> parts;
  for (const auto& [part, value] : a) {
    if (options.kernel_is_compared && is_of_the_kernel(part)) continue;
    const auto other = b.find(part);
    if (other != b.end() && differs(part, value, other->second)) parts.push_back(part);
  }
  return parts;
}

std::string describe_unlike(const Fingerprint& a, const Fingerprint& b, const FingerprintOptions& options) {
  std::vector<std::string> parts;
  for (const std::string& part : unlike(a, b, options))
    parts.push_back(fmt::format("{} ({}, {})", part, printable(a.at(part)), printable(b.at(part))));
  return parts.empty() ? "" : "machines differ: " + join(parts, ", ");
}

}  // namespace kilter::analyse
