// kilter_verdicts: what kilter's statistics are worth, measured on noise that is known. Exit code 1: a gate
// is missed.
#include "verdicts/part.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

namespace kilter::verdicts {
namespace {

constexpr int kMissed = 1;
constexpr int kUsage = 2;

struct Asked {
  Settings settings;
  std::vector<std::string_view> parts;  // none: all
  bool understood = true;
};

bool is_part(std::string_view name) {
  return std::ranges::any_of(parts(), [name](const Part& part) { return part.name == name; });
}

Asked parse(std::vector<std::string_view> words) {
  Asked asked;
  for (const std::string_view word : words) {
    if (word == "--quick")
      asked.settings.quick = true;
    else if (is_part(word))
      asked.parts.push_back(word);
    else if (word != "--full")
      asked.understood = false;
  }
  return asked;
}

void print_usage() {
  fmt::print("kilter_verdicts [--full|--quick] [PART..]\n\n");
  for (const Part& part : parts()) fmt::print("  {:<8} {}\n", part.name, part.summary);
}

void run_part(const Part& part, const Settings& settings, Gates& gates) {
  fmt::print("\n== {}: {}\n", part.name, part.summary);
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  part.run(settings, gates);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("({:.1f} s)\n", took.count());
}

int run(const Asked& asked) {
  if (!asked.understood) {
    print_usage();
    return kUsage;
  }
  Gates gates;
  for (const Part& part : parts())
    if (asked.parts.empty() || std::ranges::find(asked.parts, part.name) != asked.parts.end())
      run_part(part, asked.settings, gates);
  return gates.report() ? 0 : kMissed;
}

}  // namespace
}  // namespace kilter::verdicts

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  return kilter::verdicts::run(kilter::verdicts::parse({argv + 1, argv + argc}));
}
