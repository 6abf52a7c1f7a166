#include "suite/parse.h"

#include "base/text.h"
#include "os/files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>

using namespace kilter;
using namespace kilter::suite;

namespace {

namespace fs = std::filesystem;

ParsedOutput parse(const std::string& parser, std::string text) {
  const Result<ParsedOutput> parsed = parse_output(parser, {std::move(text), {}});
  REQUIRE(parsed);
  return *parsed;
}

// All golden inputs with their parsers.
std::vector<std::pair<std::string, std::string>> golden_inputs() {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const char* set : {"lkp", "capture"}) {
    for (const fs::path& directory : os::list_directory(fs::path(TESTS_DIR) / "golden/suite" / set)) {
      std::string parser = os::read_file(directory / "parser").value_or("");
      while (parser.ends_with('\n')) parser.pop_back();
      inputs.emplace_back(parser, os::read_file(directory / "in.txt").value_or(""));
    }
  }
  return inputs;
}

bool keys_are_sound(const ParsedOutput& parsed) {
  for (const ParsedValue& value : parsed.values)
    if (value.key.empty() || value.key.find_first_of(" \t\n") != std::string::npos ||
        value.key != printable(value.key))
      return false;
  return true;
}

// A byte changed, a piece cut out, a piece doubled.
std::string damage(std::string text, std::mt19937& random) {
  for (int i = 0; i < 5 && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const std::size_t length = random() % 200;
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
      default:
        text.insert(at, "99999999999999999999e300 -0 nan \t: ");
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a value is an integer when it is written so, a float otherwise, and nothing else") {
  CHECK(value_number("12")->is_integer());
  CHECK(value_number("13.70")->json() == "13.7");
  CHECK(value_number("51.1 ")->value() == 51.1);
  CHECK(value_number("1e3")->json() == "1000.0");
  CHECK_FALSE(value_number("fail"));
  CHECK_FALSE(value_number("0x10"));
  CHECK_FALSE(value_number("nan"));
  CHECK_FALSE(value_number(""));
}

TEST_CASE("a series file has the program's prefix, all values of a key, and zeros as they were measured") {
  ParsedOutput parsed;
  parsed.add("a", "1");
  parsed.add("b", "0");
  parsed.add("text", "hello");
  parsed.add("a", "2.5");
  const model::SeriesFile file = to_series("prog", parsed);
  CHECK(file.name == "prog");
  REQUIRE(file.series.size() == 2);
  CHECK(file.series[0].key == "prog.a");
  REQUIRE(file.series[0].values.size() == 2);
  CHECK(file.series[0].values[0].is_integer());
  CHECK(file.series[0].values[1].value() == 2.5);
  CHECK(file.series[1].key == "prog.b");
  CHECK(file.series[1].values[0].value() == 0);
}

TEST_CASE("an unknown parser is named, with the nearest known one") {
  const Result<ParsedOutput> parsed = parse_output("google-benchmrk", {});
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code == ErrorCode::usage);
  CHECK(parsed.error().message == "parsing: there is no parser 'google-benchmrk'");
  CHECK(parsed.error().hint.contains("did you mean 'google-benchmark'?"));
}

TEST_CASE("a broken rule is an error that names its key") {
  CHECK(parse_output("regex:\nrate=(", {}).error().message.starts_with("reading the regex of 'rate'"));
  CHECK(parse_output("regex:\nno rule", {}).error().message.contains("is not of the form key=rule"));
  CHECK(parse_output("json:\nrate=a[x].b", {}).error().message.contains("'a[x].b' is not a path"));
}

TEST_CASE("an external parser is a command line for the caller") {
  const std::string parser = "command:\n./parse.py\n--all";
  CHECK(is_external_parser(parser));
  CHECK(external_parser_argv(parser) == std::vector<std::string>{"./parse.py", "--all"});
  CHECK_FALSE(is_external_parser("netperf"));
  CHECK_FALSE(parse_output(parser, {}));
  CHECK(expects_values("netperf"));
  CHECK_FALSE(expects_values("auto"));
}

TEST_CASE("no parser finds a value in nothing, in noise, or in another program's log") {
  std::string noise;
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) noise += static_cast<char>(random());
  const std::string foreign = "make: Entering directory\n  CC main.o\nSegmentation fault (core dumped)\n";
  for (const std::string& parser : parser_names()) {
    CAPTURE(parser);
    CHECK(parse(parser, "").values.empty());
    CHECK(parse(parser, foreign).values.empty());
    CHECK(parse(parser, std::string(1000, '\0')).values.empty());
    CHECK(keys_are_sound(parse(parser, noise)));
  }
}

TEST_CASE("a log without end or without line ends is read in bounded memory") {
  const std::string line(3'000'000, 'x');
  std::string rows;
  for (int i = 0; i < 200'000; ++i) rows += "a: 1\n";
  for (const std::string& parser : parser_names()) {
    CAPTURE(parser);
    CHECK(parse(parser, line).values.empty());
    CHECK(parse(parser, rows).values.size() <= 100'000);
  }
  CHECK(parse("regex:\na=(x+x+)+y", line.substr(0, 30)).values.empty());
  CHECK(parse("google-benchmark", std::string(100'000, '[')).values.empty());
  CHECK(parse("iperf", std::string(100'000, '{')).values.empty());
}

TEST_CASE("truncated and damaged logs never crash a parser and never give a broken key") {
  std::mt19937 random(20240229);
  for (const auto& [parser, text] : golden_inputs()) {
    CAPTURE(parser);
    for (int i = 0; i < 10; ++i) {
      const std::string cut = text.substr(0, random() % (text.size() + 1));
      CHECK(keys_are_sound(parse(parser, cut)));
      CHECK(keys_are_sound(parse(parser, damage(text, random))));
    }
  }
}

TEST_CASE("zero operations of a stressor are a failure, not a value") {
  const ParsedOutput parsed =
      parse("stress-ng",
            "stress-ng: metrc: [1]                           (secs)    (secs)    (secs)   (real time) "
            "(usr+sys time)\n"
            "stress-ng: metrc: [1] sem     0      1.00      0.20      0.61     0.00       0.00\n"
            "stress-ng: info:  [1] for a 1.00s run time:\n");
  CHECK(as_lines(parsed) == "sem.fail: 1\n");
}

TEST_CASE("a row of netperf may be shorter than its title says") {
  const ParsedOutput parsed =
      parse("netperf",
            "Socket  Message  a  b  c  d  Elapsed\nSize    Size     Time     Throughput\n"
            "bytes   bytes    secs            10^6bits/sec\n212992 64 1 100\n");
  REQUIRE_FALSE(parsed.values.empty());
  CHECK(parsed.values[0].key == "Throughput_Mbps");
  CHECK(value_number(parsed.values[0].text)->value() == 100);
}

TEST_CASE("hackbench in several instances has their names in the keys") {
  const std::string run =
      "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\n"
      "Each sender will pass 1024 messages of 100 bytes\nTime: 2.0\n";
  const ParsedOutput parsed = parse("hackbench", "Instance: 1\n" + run + "Instance: 2\n" + run);
  REQUIRE(parsed.values.size() == 8);
  CHECK(parsed.values[0].key == "throughput.instance1");
  CHECK(parsed.values[0].text == "2000.0");
  CHECK(parsed.values[5].key == "throughput_best.instance2");
}

TEST_CASE("will-it-scale over several task counts has a mean per task and its scalability") {
  const ParsedOutput parsed = parse("will-it-scale",
                                    "tasks,processes,processes_idle,threads,threads_idle,linear\n"
                                    "0,0,100,0,100,0\n"
                                    "1,100,50.0,90,50.1,100\n"
                                    "2,150,0.0,100,0.0,200\n");
  const std::string lines = as_lines(parsed);
  CHECK(lines.contains("2.linear: 200\n"));
  CHECK(lines.contains("per_process_ops: 87\n"));
  CHECK(lines.contains("per_thread_ops: 70\n"));
  CHECK(lines.contains("scalability: 0.750000\n"));
  CHECK(lines.contains("workload: 440\n"));
}

TEST_CASE("what a run did not measure is printed as LKP does and left out of its series") {
  const Result<ParsedOutput> parsed =
      parse_output("will-it-scale", {.text = "tasks,processes,processes_idle,threads,threads_idle,linear\n"
                                             "0,0,100,0,100,0\n16,1600,0.10,0,0.00,0\n",
                                     .files = {}});
  REQUIRE(parsed);
  CHECK(as_lines(*parsed).contains("per_thread_ops: 0\n"));
  std::string keys;
  for (const model::Series& series : to_series("will-it-scale", *parsed).series) keys += series.key + " ";
  CHECK(keys ==
        "will-it-scale.16.processes will-it-scale.16.processes_idle will-it-scale.per_process_ops "
        "will-it-scale.workload ");
}
