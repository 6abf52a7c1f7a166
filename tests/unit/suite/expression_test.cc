#include "suite/expression.h"

#include "base/text.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::suite;

namespace {

const Values kValues = {{"runtime", "305"}, {"nr_cpu", "8"}, {"ip", "ipv6"}, {"unset", ""}, {"flag", "1"}};

double number(std::string_view expression) {
  const Result<std::optional<double>> value = evaluate(expression, kValues);
  REQUIRE(value);
  REQUIRE(value->has_value());
  return **value;
}

std::string error(std::string_view expression) {
  const Result<std::optional<double>> value = evaluate(expression, kValues);
  return value ? "no error" : value.error().message;
}

bool condition(std::string_view text) {
  const Result<bool> held = holds(text, kValues);
  REQUIRE(held);
  return *held;
}

}  // namespace

TEST_CASE("expressions know the four operations, parentheses, min and max") {
  CHECK(number("1 + 2 * 3") == 7);
  CHECK(number("(1 + 2) * 3 - -1") == 10);
  CHECK(number("runtime / 10") == 30.5);
  CHECK(number("max(1, min(5, runtime / 100))") == doctest::Approx(3.05));
  CHECK(number("1.25*nr_cpu") == 10);
}

TEST_CASE("an expression with an unset value is unset") {
  const Result<std::optional<double>> value = evaluate("unset * 2", kValues);
  REQUIRE(value);
  CHECK_FALSE(value->has_value());
}

TEST_CASE("a wrong expression says what is wrong") {
  CHECK(error("runtme / 2") ==
        "evaluating 'runtme / 2': there is no value 'runtme', did you mean 'runtime'?");
  CHECK(error("1 +") == "evaluating '1 +': a number or a name is missing");
  CHECK(error("(1") == "evaluating '(1': ')' is missing");
  CHECK(error("1 2") == "evaluating '1 2': '2' is not understood");
  CHECK(error("ip + 1") == "evaluating 'ip + 1': 'ip' is 'ipv6', which is no number");
  CHECK(error("1 / 0") == "evaluating '1 / 0': the result is not finite");
  CHECK(error(std::string(10000, '(')).contains("nested too deeply"));
}

TEST_CASE("conditions compare texts and ask what is set") {
  CHECK(condition("flag"));
  CHECK_FALSE(condition("unset"));
  CHECK(condition("not unset"));
  CHECK(condition("ip == ipv6"));
  CHECK(condition("ip != ipv4"));
  CHECK(condition("ip in ipv4 ipv6"));
  CHECK(condition("ip not in ipv4 unix"));
  CHECK(condition("flag and ip == ipv6 and not unset"));
  CHECK_FALSE(condition("flag and ip == ipv4"));
  CHECK(holds("ipp == ipv4", kValues).error().message.contains("there is no value 'ipp'"));
  CHECK(holds("ip = ipv4", kValues).error().message.contains("is not understood"));
}

TEST_CASE("texts are filled in, doubled braces stay, unknown names are errors") {
  CHECK(*fill("--time={runtime}s", kValues) == "--time=305s");
  CHECK(*fill("{{literal}} {nr_cpu}", kValues) == "{literal} 8");
  CHECK(*fill("x{unset}y", kValues) == "xy");
  CHECK(fill("{nr_cpus}", kValues).error().message.contains("did you mean 'nr_cpu'?"));
  CHECK(fill("{open", kValues).error().message.contains("is missing"));
}

TEST_CASE("a command line is split as a shell would, without anything a shell would do") {
  CHECK(*split_command_line("a 'b c' \"d \\\" e\" f\\ g") ==
        std::vector<std::string>{"a", "b c", "d \" e", "f g"});
  CHECK(*split_command_line("  x  ''  $(rm) ;") == std::vector<std::string>{"x", "", "$(rm)", ";"});
  CHECK_FALSE(split_command_line("a 'b"));
  const std::vector<std::string> argv = {"sh", "-c", "echo 'it''s' \"$x\"", "", "a\\b", "new\nline"};
  CHECK(*split_command_line(shell_join(argv)) == argv);
}
