#include "job/expression.h"

#include "support.h"

using namespace kilter;
using namespace kilter::job;
using namespace kilter::job::testing;

namespace {

std::string value(const std::string& text) {
  static const std::map<std::string, Value> kKeys = {
      {"nr_cpu", {std::int64_t{8}}}, {"mode", {std::string("thread")}}, {"load", {2.5}}};
  const Scope scope{[](std::string_view name) -> Result<Value> {
    const auto found = kKeys.find(std::string(name));
    return found == kKeys.end() ? Value{} : found->second;
  }};
  const Result<Value> result = evaluate(text, scope, {"x.yaml", 3, 7});
  if (!result) return result.error().message;
  return result->is_nil() ? "nil" : result->text();
}

}  // namespace

TEST_CASE("expressions: arithmetic as in Ruby") {
  CHECK(value("1 + 2 * 3") == "7");
  CHECK(value("(1 + 2) * -3") == "-9");
  CHECK(value("7 / 2") == "3");
  CHECK(value("-7 / 2") == "-4");
  CHECK(value("-7 % 3") == "2");
  CHECK(value("nr_cpu * load") == "20.0");
  CHECK(value("'a' + 'b'") == "ab");
  CHECK(value("nr_cpu.to_s + 'x'") == "8x");
}

TEST_CASE("expressions: comparison, logic and choice") {
  CHECK(value("mode == 'thread' ? 'pipe' : 'socket'") == "pipe");
  CHECK(value("nr_cpu > 4 && mode != 'x'") == "true");
  CHECK(value("not nr_cpu >= 8 or false") == "false");
  CHECK(value("missing || 'other'") == "other");
  CHECK(value("missing && missing > 1") == "nil");
  CHECK(value("missing == nil") == "true");
  CHECK(value("!missing") == "true");
  CHECK(value("nr_cpu == 8.0") == "true");
  CHECK(value("true ? 1 : missing > 2") == "1");
  CHECK(value("nr_cpu > 4 ? nr_cpu > 6 ? 'a' : 'b' : 'c'") == "a");
}

TEST_CASE("expressions: methods") {
  CHECK(value("'50%'.to_i / 2") == "25");
  CHECK(value("'2.5x'.to_f") == "2.5");
  CHECK(value("mode.start_with?('x', 'thr')") == "true");
  CHECK(value("mode.upcase.downcase.size") == "6");
  CHECK(value("['a', mode].include?('thread')") == "true");
  CHECK(value("[1, 2][-1]") == "2");
  CHECK(value("missing.nil?") == "true");
  CHECK(value("missing.to_i") == "0");
}

TEST_CASE("expressions: what is not of the language is an error with its place") {
  CHECK(value("system('reboot')") == "x.yaml:3:7: expression 'system('reboot')': unknown function 'system'");
  CHECK(value("1 + missing") == "x.yaml:3:18: expression '1 + missing': '+' cannot join a number and nil");
  CHECK(value("1 / 0") == "x.yaml:3:12: expression '1 / 0': division by zero");
  CHECK(value("1 < 'a'") == "x.yaml:3:14: expression '1 < 'a'': '<' cannot compare a number with text");
  CHECK(value("mode.eval").contains("unknown method 'eval' of text"));
  CHECK(value("a = 1").contains("unexpected '= 1'"));
  CHECK(value("'open").contains("the closing quote is missing"));
  CHECK(value("\"#{nr_cpu}\"").contains("is not supported"));
  CHECK(value("").contains("a value is missing at the end"));
  CHECK(value("9223372036854775807 + 1").contains("the number is too large"));
  CHECK(value(std::string(5000, '1')).contains("longer than 4096 characters"));
  CHECK(value(std::string(4000, '(')).contains("too deeply nested"));
  CHECK(value(std::string(4000, '!')).contains("too deeply nested"));
  CHECK(value("1\n+ )").starts_with("x.yaml:4:3: "));
}

TEST_CASE("expressions in a job see its keys, and nil drops the unit job") {
  CHECK(names(expand_text(
            "suite: hackbench\ntestcase: hackbench\nnr_threads: [50%, 100%]\nhackbench:\n"
            "  ipc: \"{{ nr_threads == '50%' ? 'pipe' : 'socket' }}\"\n  mode: [process, threads]\n")) ==
        Names{"pipe-process-50%", "pipe-threads-50%", "socket-process-100%", "socket-threads-100%"});
  CHECK(
      names(expand_text("suite: hackbench\ntestcase: hackbench\nnr_threads: [1, 2, 3]\nhackbench:\n"
                        "  ipc: {{ nr_threads > 1 ? 'p' +\n   'q' : nil }}\n  loops: x{{nr_threads}}y\n")) ==
      Names{"pq-x2y-2", "pq-x3y-3"});
  CHECK(names(expand_text(
            "suite: hackbench\ntestcase: hackbench\nnr_threads:\n  - {{ nr_cpu * 2 }}\n  - 1\nhackbench:\n",
            {{"hosts/t", "nr_cpu: 8\n"}}, {.testbox = "t"})) == Names{"16", "1"});
}

TEST_CASE("errors of expressions in a job name line and column") {
  CHECK(error_of(expand_text("suite: s\ntestcase: s\ns:\n  test: a{{ 1 +* 2 }}\n")) ==
        "jobs/x.yaml:4:16: expression '1 +* 2': a value is expected here");
  CHECK(error_of(expand_text("suite: s\ntestcase: s\ns:\n  test: {{ 1 \n")) ==
        "jobs/x.yaml:4:9: '{{' has no '}}'");
  CHECK(error_of(expand_text("suite: s\ntestcase: s\na: '{{ b }}'\nb: '{{ a }}'\ns:\n"))
            .contains("refers to itself"));
}
