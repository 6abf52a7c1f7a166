#include "bench/options.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::bench;

namespace {

struct Values {
  int tasks = 1;
  double seconds = 0;
  std::vector<unsigned> counts;
  int size = 0;
  bool verbose = false;
  std::string mode;
  std::vector<Flag> flags = {
      {"--tasks", 't', "N", "how many", whole(tasks, {1, 2048})},
      {"--seconds", 's', "S", "how long", real(seconds, {0, 10})},
      {"--counts", 0, "N[,N]", "list", whole_list(counts, {1, 9})},
      {"--size", 0, "B", "bytes", bytes(size, {1, 1 << 20})},
      {"--verbose", 'v', "", "talk", set_true(verbose)},
      {"--mode", 0, "MODE", "mode", text(mode)},
  };
  Result<std::vector<std::string_view>> parse(std::vector<std::string_view> args) {
    return parse_flags(flags, args);
  }
};

std::string error_of(std::vector<std::string_view> args) {
  Values values;
  const auto parsed = values.parse(std::move(args));
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code == ErrorCode::usage);
  return parsed.error().message + "\n" + parsed.error().hint;
}

}  // namespace

TEST_CASE("flags are read in every spelling and the other words come back in order") {
  Values values;
  const auto words =
      values.parse({"a", "--tasks=4", "-s", "0.5", "-v", "b", "--counts", "1,2", "--size", "10K"});
  REQUIRE(words);
  CHECK(*words == std::vector<std::string_view>{"a", "b"});
  CHECK(values.tasks == 4);
  CHECK(values.seconds == 0.5);
  CHECK(values.verbose);
  CHECK(values.counts == std::vector<unsigned>{1, 2});
  CHECK(values.size == 10240);
  REQUIRE(values.parse({"-t7"}));
  CHECK(values.tasks == 7);
}

TEST_CASE("words after -- are not flags") {
  Values values;
  CHECK(*values.parse({"--", "--tasks"}) == std::vector<std::string_view>{"--tasks"});
}

TEST_CASE("errors name the flag, what it wants and a likely spelling") {
  CHECK(error_of({"--tsaks", "1"}).find("did you mean '--tasks'") != std::string::npos);
  CHECK(error_of({"--tasks", "0"}) == "reading '--tasks 0': it wants a whole number from 1 to 2048\n");
  CHECK(error_of({"--tasks", "2049"}).find("2048") != std::string::npos);
  CHECK(error_of({"--tasks", "x"}).find("'--tasks x'") != std::string::npos);
  CHECK(error_of({"--tasks"}).find("it needs a value") != std::string::npos);
  CHECK(error_of({"--verbose=1"}).find("takes no value") != std::string::npos);
  CHECK(error_of({"--counts", "1,,2"}).find("separated by commas") != std::string::npos);
  CHECK(error_of({"--seconds", "nan"}).find("a number from") != std::string::npos);
  CHECK(error_of({"--size", "10Q"}).find("bytes") != std::string::npos);
  CHECK(error_of({"--mode="}).find("some text") != std::string::npos);
}

TEST_CASE("foreign control characters never reach the terminal") {
  CHECK(error_of({"--\x1b[31m"}).find('\x1b') == std::string::npos);
}
