#include "analyse/pattern.h"

#include "analyse/pattern_set.h"

#include <doctest/doctest.h>

#include <regex>

namespace kilter::analyse {
namespace {

using Mode = Pattern::Mode;

bool matches(std::string_view pattern, std::string_view key, Mode mode = Mode::search) {
  const Result<Pattern> compiled = Pattern::compile(pattern, mode);
  REQUIRE_MESSAGE(compiled, pattern);
  return compiled->matches(key);
}

TEST_CASE("a pattern answers as a regular expression does") {
  const std::vector<std::string> patterns = {"abc",         "^abc",     "abc$",
                                             "^abc$",       "a.c",      "a.*c",
                                             "a.+c",        ".*abc",    ".+abc",
                                             "ab?c",        "ab*c",     "ab+c",
                                             "(ab)+c",      "a(b|cd)e", "a(b|)c",
                                             "[abc]+",      "[^_]*$",   "x|abc",
                                             "^(.*\\.)?ti", "a\\.b",    "[a-c]\\d",
                                             "(a|b)*c",     ".|b",      "(a(b|c)?)+d",
                                             "a(bc|bd)*e",  "^a|b$",    ".+\\.fail[^_]*$",
                                             "f[tw]q",      "(a|)?b",   ""};
  const std::vector<std::string> keys = {
      "",    "abc", "xabcx", "ac",     "abbc",     "abab",   "ababc",    "acde",       "abe",
      "a.b", "axb", "b7",    "time.x", "x.time.y", "x.fail", "x.fail_y", "x.y.failed", "ftq",
      "fwq", "fxq", "abacd", "acabd",  "b",        "_",      "a_",       "abdbce"};
  for (const std::string& pattern : patterns) {
    const std::regex search(pattern, std::regex::ECMAScript);
    for (const std::string& key : keys) {
      CAPTURE(pattern);
      CAPTURE(key);
      CHECK(matches(pattern, key) == std::regex_search(key, search));
      CHECK(matches(pattern, key, Mode::full) == std::regex_match(key, search));
      CHECK(matches(pattern, key, Mode::start) ==
            std::regex_search(key, search, std::regex_constants::match_continuous));
    }
  }
}

TEST_CASE("a pattern outside our forms is refused with its place") {
  for (const char* wrong : {"(a", "a)", "[a", "*a", "a|+", "a\\", "a\\w", "[z-a]"}) {
    CAPTURE(wrong);
    const Result<Pattern> compiled = Pattern::compile(wrong, Mode::search);
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().message.contains("column"));
  }
  CHECK_FALSE(Pattern::compile(std::string(5000, 'a'), Mode::search));
  CHECK_FALSE(Pattern::compile(std::string(500, '('), Mode::search));
}

TEST_CASE("matching time is bounded for patterns that make others explode") {
  CHECK_FALSE(matches("(a*)*(a*)*(a*)*b$", std::string(3000, 'a') + "c"));
}

TEST_CASE("a set answers with the first pattern that matches, wherever it is kept") {
  PatternSet set(Mode::search);
  for (const char* pattern : {"^vmstat\\.cpu", ".*vmstat", "^vmstat\\.", "^dmesg"}) REQUIRE(set.add(pattern));
  CHECK(set.first("vmstat.cpu.us") == 0);
  CHECK(set.first("vmstat.io.bi") == 1);
  CHECK(set.first("dmesg.x") == 3);
  CHECK_FALSE(set.first("meminfo.Mapped"));
  CHECK_FALSE(set.first(""));
  CHECK_FALSE(set.add("("));
}

}  // namespace
}  // namespace kilter::analyse
