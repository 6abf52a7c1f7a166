#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// The kernel's tcrypt module in its timed modes:
//   testing speed of async cbc(aes) (cbc-aes-aesni) encryption
//   test 0 (128 bit key, 16 byte blocks): 18725572 operations in 2 seconds (299609152 bytes)
// A test's value is the mean over its block sizes, in bytes per second.
namespace kilter::suite {
namespace {

struct Test {
  std::string key;
  std::vector<double> rates;
};

void add(const Test& test, ParsedOutput& parsed) {
  if (!test.rates.empty()) parsed.add_integer(test.key, truncated(mean(test.rates)));
}

std::string tcrypt_key(std::string_view title) {
  std::string key;
  for (const std::string_view word : words(title)) key += (key.empty() ? "" : ".") + std::string(word);
  return key_part(key);
}

}  // namespace

void parse_tcrypt(const RawOutput& output, ParsedOutput& parsed) {
  Test now;
  for (const std::string_view line : lines(output.text)) {
    if (const auto title = after(line, "testing speed of ")) {
      add(now, parsed);
      now = {.key = tcrypt_key(*title), .rates = {}};
      continue;
    }
    const auto seconds = parse_double(word_after(line, " operations in ").value_or(""));
    const std::size_t open = line.rfind('(');
    if (!seconds || *seconds <= 0 || open == std::string_view::npos || !line.ends_with(" bytes)")) continue;
    if (const auto bytes = leading_number(line.substr(open + 1))) now.rates.push_back(*bytes / *seconds);
  }
  add(now, parsed);
}

const std::vector<MetricRule>& tcrypt_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"*.encryption", {"B/s", higher_better, true}},
                                                 {"*.decryption", {"B/s", higher_better, true}}};
  return kRules;
}

}  // namespace kilter::suite
