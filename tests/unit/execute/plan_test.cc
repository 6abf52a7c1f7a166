#include "model/plan.h"

#include "model/json.h"

#include <doctest/doctest.h>

#include <string>

using namespace kilter;
using nlohmann::json;

namespace {

constexpr const char* kPlan =
    R"({"testcase": "t", "setup": [{"name": "s", "kind": "run", "argv": ["true"]}],
        "recorders": [{"name": "r", "argv": ["x"], "cpus": [0]}],
        "workload": {"program": "p", "timeout": 1.5, "iterations": 2,
                     "body": [{"argv": ["a"], "env": {"K": "v"}, "copies": 3, "timed": true}]}})";

// What is said of the plan once `value` stands at `place`.
std::string refusal(const std::string& place, const json& value) {
  json plan = json::parse(kPlan);
  plan[json::json_pointer(place)] = value;
  const Result<model::Plan> read = model::plan_from_json(plan);
  return read ? "accepted" : read.error().message;
}

std::string words_of(const std::string& text) {
  const Result<json> read = model::parse_json(text, "reading 'x'");
  return read ? "accepted" : read.error().message;
}

}  // namespace

TEST_CASE("a plan is read back as it was written, and may lack what has a default") {
  const Result<model::Plan> plan = model::plan_from_json(json::parse(kPlan));
  REQUIRE(plan);
  CHECK(plan->workload.body[0].copies == 3);
  CHECK(plan->workload.timeout == 1.5);
  CHECK(plan->setup[0].kind == model::Step::Kind::run);
  const Result<model::Plan> again = model::plan_from_json(json(*plan));
  REQUIRE_MESSAGE(again, again.error().message);
  CHECK(json(*again) == json(*plan));
  CHECK(json(*plan)["setup"][0]["kind"] == "run");
  CHECK(refusal("/workload/timeout", nullptr) == "accepted");
  CHECK(refusal("/setup/0/kind", 2) == "accepted");  // as older kilters wrote it
}

TEST_CASE("a member of a wrong kind is refused by its name") {
  CHECK(refusal("/testcase", 7) == "the plan's member 'testcase' must be text");
  CHECK(refusal("/workload", json::array()) == "the plan's member 'workload' must be an object");
  CHECK(refusal("/workload/iterations", -1) ==
        "the plan's member 'workload.iterations' must be a whole number, 0 or more");
  CHECK(refusal("/workload/iterations", 1e30) != "accepted");
  CHECK(refusal("/workload/timeout", "soon") ==
        "the plan's member 'workload.timeout' must be a number, 0 or more");
  CHECK(refusal("/workload/body", "a") == "the plan's member 'workload.body' must be a list");
  CHECK(refusal("/workload/body/0", 1) == "the plan's member 'workload.body[0]' must be an object");
  CHECK(refusal("/workload/body/0/argv", json::array({"a", 1})) ==
        "the plan's member 'workload.body[0].argv' must be a list of texts");
  CHECK(refusal("/workload/body/0/env", json{{"K", 1}}) ==
        "the plan's member 'workload.body[0].env' must be a map of texts");
  CHECK(refusal("/workload/body/0/timed", "yes") ==
        "the plan's member 'workload.body[0].timed' must be true or false");
  CHECK(refusal("/recorders/0/cpus", json::array({-1})) ==
        "the plan's member 'recorders[0].cpus' must be a list of whole numbers, 0 or more");
  CHECK(refusal("/setup/0/kind", 3) != "accepted");
  CHECK(refusal("/setup/0/kind", "erase") ==
        "the plan's member 'setup[0].kind' must be write, run or drop_caches");
}

TEST_CASE("what is no JSON is told in plain words with its place") {
  CHECK(words_of("{\n  \"a\": x}") == "reading 'x': not valid JSON: line 2, column 8: unexpected 'x'");
  CHECK(words_of("{\"a\": 1") == "reading 'x': not valid JSON: it ends too early, in line 1");
  CHECK(words_of("") == "reading 'x': not valid JSON: it ends too early, in line 1");
  CHECK(words_of("[\x01]") == "reading 'x': not valid JSON: line 1, column 2: unexpected byte 0x01");
  CHECK(words_of("[1e999]") == "reading 'x': not valid JSON: a number is out of range");
}
