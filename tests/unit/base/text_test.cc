#include "base/text.h"

#include <doctest/doctest.h>

using namespace kilter;

TEST_CASE("splitting keeps empty parts and words does not") {
  CHECK(split("a,,b", ',').size() == 3);
  CHECK(split("", ',').size() == 1);
  CHECK(words("  a \t b ").size() == 2);
  CHECK(lines("a\r\nb\n").size() == 2);
}

TEST_CASE("numbers are read whole or not at all") {
  CHECK(parse_int("12") == 12);
  CHECK(parse_int("-3") == -3);
  CHECK_FALSE(parse_int("12x"));
  CHECK_FALSE(parse_int(""));
  CHECK(parse_double("1e3") == 1000.0);
  CHECK_FALSE(parse_double("nan"));
  CHECK_FALSE(parse_double("inf"));
}

TEST_CASE("shell words are quoted only when they need it") {
  CHECK(shell_quote("a-b_c=50%") == "a-b_c=50%");
  CHECK(shell_quote("it's") == "'it'\\''s'");
  CHECK(shell_quote("") == "''");
}

TEST_CASE("a typing mistake finds its word and nonsense does not") {
  const std::vector<std::string> names = {"netperf", "stress-ng", "hackbench"};
  CHECK(nearest("netpref", names) == "netperf");
  CHECK_FALSE(nearest("zzzzzz", names));
}

TEST_CASE("terminal escapes of foreign text are removed") {
  CHECK(printable("a\x1b[31mb\x07") == "a[31mb");
}

TEST_CASE("messages show long foreign text by its beginning and end, cut between characters") {
  const std::string short_one = "reading '" + std::string(280, 'x') + "': no such file";
  CHECK(message_text(short_one) == short_one);
  const std::string word = message_text("a '" + std::string(1'000'000, 'x') + "' b\nnext");
  CHECK(word == "a '" + std::string(99, 'x') + "..." + std::string(59, 'x') + "' b\nnext");
  std::string many;
  for (int i = 0; i < 500'000; ++i) many += "\u00e9 ";
  const std::string line = message_text(many);
  CHECK(line.size() < 1000);
  CHECK(line.contains("..."));
  CHECK(line == printable(line));
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "\u00e9";
  CHECK_FALSE(message_text("x" + accents).contains("\uFFFD"));
  CHECK(message_text("\x1b[1m") == "[1m");
}

TEST_CASE("a word of a million letters is nobody's typing mistake") {
  const std::vector<std::string> names = {"netperf"};
  CHECK_FALSE(nearest(std::string(1'000'000, 'n'), names));
}
