#include "robot/ab_request.h"

#include "robot/ab_metric.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::robot;

namespace {

using Words = std::vector<std::string>;

std::string fault_of(const Words& words) {
  AbRequest request;
  const Status status = set_commands(request, words);
  return status ? "" : status.error().message;
}

AbRequest two_commands() {
  AbRequest request;
  REQUIRE(set_commands(request, {"true", "--", "false"}));
  return request;
}

double read_metric(const std::string& pattern, const std::string& output) {
  const Result<OutputMetric> metric = OutputMetric::compile(pattern);
  REQUIRE(metric);
  const Result<double> value = metric->read(output);
  REQUIRE(value);
  return *value;
}

std::string metric_fault(const std::string& pattern, const std::string& output) {
  const Result<OutputMetric> metric = OutputMetric::compile(pattern);
  REQUIRE(metric);
  const Result<double> value = metric->read(output);
  REQUIRE_FALSE(value);
  return value.error().message;
}

}  // namespace

TEST_CASE("two commands stand on the two sides of the dashes, their words untouched") {
  AbRequest request;
  REQUIRE(set_commands(request, {"a", "$x; rm *", "-n", "--", "b", "--flag"}));
  CHECK(request.commands[0] == Words{"a", "$x; rm *", "-n"});
  CHECK(request.commands[1] == Words{"b", "--flag"});
  CHECK(argv_of(request, request.commands[0]) == Words{"a", "$x; rm *", "-n"});
  CHECK(command_text(request, 0) == "a '$x; rm *' -n");
}

TEST_CASE("missing, empty and surplus commands are told apart") {
  CHECK(fault_of({}) == "ab: no command was given");
  CHECK(fault_of({"a", "b"}) == "ab: there is one command, and a second '--' is missing");
  CHECK(fault_of({"--", "b"}) == "ab: command A is empty");
  CHECK(fault_of({"a", "--"}) == "ab: command B is empty");
  CHECK(fault_of({"a", "--", ""}) == "ab: command B is empty");
  CHECK(fault_of({"a", "--", "b", "--", "c"}) == "ab: there are more than two commands");
}

TEST_CASE("with a shell a command is one text") {
  AbRequest request;
  request.shell = true;
  REQUIRE(set_commands(request, {"cat f | wc -l", "--", "wc", "-l", "f"}));
  CHECK(argv_of(request, request.commands[0]) == Words{"/bin/sh", "-c", "cat f | wc -l"});
  CHECK(argv_of(request, request.commands[1]) == Words{"/bin/sh", "-c", "wc -l f"});
}

TEST_CASE("a request out of range is a usage error that names the flag") {
  const auto fault = [](auto change) {
    AbRequest request = two_commands();
    change(request);
    const Status status = check_request(request);
    REQUIRE_FALSE(status);
    CHECK(status.error().code == ErrorCode::usage);
    return status.error().message;
  };
  CHECK(check_request(two_commands()));
  CHECK(fault([](AbRequest& r) { r.repeat = -1; }).find("--repeat") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.samples = 100001; }).find("--nest") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.delta = 0; }).find("--delta") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.alpha = 1; }).find("--alpha") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.budget = 0; }).find("--budget") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.warmup = -1; }).find("--warmup") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.cpus = {8191}; }).find("CPU 8191 is not there") != std::string::npos);
  CHECK(fault([](AbRequest& r) { r.better = model::Direction::higher_better; }).find("--better") !=
        std::string::npos);
  CHECK(fault([](AbRequest& r) {
          r.metric = AbMetric::regex;
          r.pattern = "(";
        }).find("partner") != std::string::npos);
  CHECK(fault([](AbRequest& r) {
          r.metric = AbMetric::regex;
          r.pattern = "(.)";
          r.discard_output = true;
        }).find("--null") != std::string::npos);
}

TEST_CASE("what is measured makes the key of a campaign, its budget does not") {
  const model::Machine box{.cpu_model = "x", .boot_id = "1"};
  AbRequest request = two_commands();
  const std::string key = campaign_key(request, box);
  request.budget = 7;
  request.seed = 3;
  CHECK(campaign_key(request, box) == key);
  request.delta = 0.5;
  CHECK(campaign_key(request, box) != key);
  request.delta = 0.01;
  request.commands[1].push_back("x");
  CHECK(campaign_key(request, box) != key);
  request = two_commands();
  CHECK(campaign_key(request, {.cpu_model = "x", .boot_id = "2"}) != key);
}

TEST_CASE("the settled numbers of a request come back from its text") {
  AbRequest request = two_commands();
  request.repeat = 7;
  request.seed = 1234567890123456789U;
  request.commands[0] = {"\xff\xfe"};
  const Result<AbSettled> settled = settled_of(request_json(request));
  REQUIRE(settled);
  CHECK(settled->repeat == 7);
  CHECK(settled->seed == 1234567890123456789U);
  CHECK_FALSE(settled_of("{}"));
  CHECK_FALSE(settled_of("no json"));
}

TEST_CASE("the metric is the first group of the last match, or the whole where there is none") {
  CHECK(read_metric("x=([0-9.]+) (y)", "x=1 y\nx=2 y x=3.5 y\nz\n") == 3.5);
  CHECK(read_metric("[0-9]+$", "a 12\nb 34") == 34);
  CHECK(read_metric("ops: ([-0-9.e+]+)", "ops: -1.5e3\n") == -1500);
  CHECK(read_metric("([0-9]+)", std::string(1000000, 'a') + "\n7\n" + std::string(1000000, 'b')) == 7);
}

TEST_CASE("a metric that matches nothing, or no number, says so with what there was") {
  CHECK(metric_fault("x=(.*)", "abc\n") == "--metric 'x=(.*)' matches nothing of the output: abc");
  CHECK(metric_fault("x", "") == "--metric 'x' matches nothing of the output: there is none");
  for (const char* value : {"nan", "inf", "-inf", "abc", "", "1e999", "1,5"})
    CHECK(metric_fault("x=(.*)", std::string("x=") + value) ==
          std::string("--metric 'x=(.*)' matches '") + value + "', which is no number");
}

TEST_CASE("times are in seconds, whoever counts them") {
  AbRequest request = two_commands();
  CHECK(metric_unit(request) == "s");
  request.metric = AbMetric::perf;
  request.pattern = "task-clock:u";
  CHECK(metric_unit(request) == "s");
  request.pattern = "page-faults";
  CHECK(metric_unit(request).empty());
  request.metric = AbMetric::regex;
  CHECK(metric_unit(request).empty());
}
