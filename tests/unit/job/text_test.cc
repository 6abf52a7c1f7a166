#include "job/emit.h"
#include "job/merge.h"
#include "job/source.h"
#include "job/template.h"
#include "job/typo.h"
#include "job/yaml_node.h"
#include "support.h"

using namespace kilter;
using namespace kilter::job;
using namespace kilter::job::testing;
using model::Node;

namespace {

std::string erb(const std::string& text, const std::string& job = "") {
  static const FileReader nothing = [](const std::string&) { return std::nullopt; };
  const Scope none;
  SourceLoader loader(nothing, none);
  const Node root = job.empty() ? Node::map() : loader.parse(job, "j", {}).value().front();
  const Scope scope{{}, &root, nullptr};
  const Result<SourceText> out = expand_erb(text, "f", scope);
  return out ? out->text : "error: " + out.error().message;
}

std::string merged(const std::string& base, const std::string& more,
                   Priority priority = Priority::overrides) {
  Node job = parse_yaml(base, "a").value().front().root;
  merge(job, parse_yaml(more, "b").value().front().root, priority);
  return emit_yaml(job);
}

std::string round_trip(const std::string& text) {
  const auto documents = parse_yaml(text, "f");
  return documents ? emit_yaml(documents->front().root) : "error: " + documents.error().message;
}

}  // namespace

TEST_CASE("templates keep what their conditions say") {
  CHECK(erb("a: 1\n<% if job['x'] == 2 %>\nb: 1\n<% else %>\nc: 1\n<% end %>\n", "x: 2") ==
        "a: 1\n\nb: 1\n\n");
  CHECK(erb("% if job['x'] > 2\na\n% elsif job['x'] == 2\nb\n% else\nc\n% end\n", "x: 2") == "b\n");
  CHECK(erb("% unless job['x']\na\n% end\nz\n", "x: 2") == "z\n");
  CHECK(erb("k: <%= job['x'] * 2 -%>\n!<%# note %>\n", "x: 2") == "k: 4!\n");
  CHECK(erb("%% a\n<%% b %>\n") == "% a\n<% b %>\n");
  CHECK(erb("% if false\n% if nonsense(\n% end\n% end\nz") == "z");
}

TEST_CASE("templates: errors name the place") {
  CHECK(erb("a\n<% if true %>\n") == "error: f:2:4: 'if' has no end");
  CHECK(erb("a\n% end\n").starts_with("error: f:2:"));
  CHECK(erb("<% [1].each do |x| %>") == "error: f:1:4: template code '[1].each do |x|' is not supported");
  CHECK(erb("x <%= `id` %>").starts_with("error: f:1:7: expression '`id`'"));
  CHECK(erb("a <% if x") == "error: f:1:3: '<%' has no '%>'");
}

TEST_CASE("errors behind a template name the file's own line") {
  CHECK(error_of(expand_text("% if false\na: 1\n% end\nsuite: s\nb: c: d\n")) ==
        "jobs/x.yaml:5:5: illegal map value");
  CHECK(error_of(expand_text("suite: s\nb: {{ 1\n+\n2 }}\nc: d: e\n")) ==
        "jobs/x.yaml:5:5: illegal map value");
  CHECK(error_of(expand_text("suite: s\nb: [\n")) == "jobs/x.yaml:3:1: end of sequence flow not found");
}

TEST_CASE("incremental keys set, append and remove") {
  CHECK(merged("a:\n  b:\n    c: 1\n", "a.b.c: 2\na.b.d: 3\n") == "a:\n  b:\n    c: 2\n    d: 3\n");
  CHECK(merged("a:\n  b: [x]\n", "a.b+: [x, p]\n") == "a:\n  b:\n  - x\n  - p\n");
  CHECK(merged("a: x\n", "a+: p\n") == "a:\n- x\n- p\n");
  CHECK(merged("b: 1\n", "a+: [p]\n") == "b: 1\na:\n- p\n");
  CHECK(merged("a: {x: 1, y: 2}\n", "a+: {z: 3}\na-: x\n") == "a:\n  y: 2\n  z: 3\n");
  CHECK(merged("a:\n  b: [x, p, z]\n", "a.b-: [x, z]\n") == "a:\n  b:\n  - p\n");
  CHECK(merged("a: 1\nb: 2\n", "a-:\n") == "b: 2\n");
  CHECK(merged("memory: 28G\n", "memory.high: 1G\n") == "memory: 28G\nmemory.high: 1G\n");
  CHECK(merged("if role client:\n  netperf:\n    test: a\n", "netperf.test: b\n") ==
        "if role client:\n  netperf:\n    test: b\n");
  CHECK(merged("x: 1\n", "perf-profile.duration: 2\n") == "x: 1\nperf-profile:\n  duration: 2\n");
}

TEST_CASE("merging keeps places; accumulative keys append; defaults yield") {
  CHECK(merged("a: 1\nb: 2\n", "b: 3\na: 4\nc: 5\n") == "a: 4\nb: 3\nc: 5\n");
  CHECK(merged("a: {x: 1}\n", "a: {y: 1}\n") == "a:\n  y: 1\n");
  CHECK(merged("need_kconfig: [A]\nneed_cpu: 1\n", "need_kconfig: [A, B]\nneed_cpu: 2\n") ==
        "need_kconfig:\n- A\n- B\nneed_cpu: 2\n");
  CHECK(merged("mail_to: a\n", "mail_to: b\n") == "mail_to:\n- a\n- b\n");
  CHECK(merged("a: 1\nneed_modules: x\n", "a: 2\nb: 3\nneed_modules: y\n", Priority::defaults) ==
        "a: 1\nneed_modules: x\nb: 3\n");
}

TEST_CASE("other files are merged where '<<' stands") {
  const Files files = {
      {"jobs/base.yaml", "suite: tbench\ntestcase: tbench\nnr_threads: 1\ntbench:\n---\nruntime: 5\n"},
      {"jobs/part.yaml", "runtime: 7\nnr_threads: [3, 4]\n"}};
  CHECK(names(expand_text("<<: base.yaml\n", files)) == Names{"1", "1-5"});
  CHECK(names(expand_text("<<: {file: base.yaml, nr_threads: 9, ignore: [runtime]}\n", files)) == Names{"9"});
  CHECK(names(expand_text("<<:\n  file: jobs/base.yaml\n  nr_threads+: 2\n", files)) ==
        Names{"1", "2", "2-5"});
  CHECK(names(expand_text("suite: tbench\ntestcase: tbench\ntbench:\n  <<: part.yaml\n  runtime: 8\n",
                          files)) == Names{"3-8", "4-8"});
  CHECK(error_of(expand_text("suite: s\ns:\n  <<: base.yaml\n", files)) ==
        "jobs/x.yaml:3:7: '<<' below a key needs a file of one document");
  CHECK(error_of(expand_text("suite: s\n<<: nowhere.yaml\n", files)) ==
        "jobs/x.yaml:2:5: included file 'nowhere.yaml' not found");
  CHECK(error_of(expand_text("<<: x.yaml\n", files)) ==
        "jobs/x.yaml:1:5: reading 'jobs/x.yaml': it includes itself, by jobs/x.yaml");
  CHECK(error_of(expand_text("<<: [a]\n", files)).starts_with("jobs/x.yaml:1:1: '<<' needs a file name"));
  CHECK(names(expand_text("<<: hackbench-a.yaml\n", {{"jobs/hackbench/hackbench-a.yaml",
                                                      "suite: hackbench\nhackbench:\n  ipc: pipe\n"}})) ==
        Names{"pipe"});
}

TEST_CASE("all nodes of a file share its name") {
  const std::string file = "a/name/that/is/long/enough/not/to/fit/into/a/string/itself.yaml";
  const Node root = parse_yaml("a: {b: [1, 2]}\n", file).value().front().root;
  const model::Mark& outer = root.mark;
  const model::Mark& inner = root.find("a")->find("b")->items()[1].mark;
  CHECK(&outer.file.text() == &inner.file.text());
  CHECK(inner.text() == file + ":1:12");
  CHECK(inner.file == model::FileName(file));
  CHECK(model::Mark{}.text().empty());
  static_assert(sizeof(model::Mark) <= 2 * sizeof(void*));
}

TEST_CASE("YAML's own anchors and merges") {
  CHECK(round_trip("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\nc: *x\n") ==
        "a:\n  p: 1\n  q: 2\nb:\n  q: 3\n  p: 1\nc:\n  p: 1\n  q: 2\n");
  CHECK(round_trip("a: 1\nb: 2\na: 3\n") == "a: 3\nb: 2\n");
  CHECK(round_trip("a: yes\nb: 'yes'\nc: off\nd: ~\ne: null\nf: \"n\"\ng: n\nh: '1'\ni: 1\nj: ''\n") ==
        "a: true\nb: 'yes'\nc: false\nd:\ne:\nf: \"n\"\ng: \"n\"\nh: '1'\ni: 1\nj: ''\n");
}

TEST_CASE("what is written reads back as the same values") {
  for (const char* text :
       {"a: 'x: y'\n", "a: '# no comment'\n", "a: '*star'\n", "a: \"tab\\there\"\n", "a: |\n  one\n  two\n",
        "a: |-\n  one\n\n  two\n", "a: {b: {}, c: [], d: [[1, 2], {e: f}]}\n", "'a: b': 1\n", "a: 100%\n",
        "a: '%x'\n", "a: '- x'\n", "a: -x\n", "a: 'it''s'\n", "a:\n- b: 1\n  c: 2\n-\n- d\n",
        "a: \"\\x01\"\n", "a: ' x'\n", "a: \"\\n\"\n", "a: '0x1f'\n"}) {
    CAPTURE(text);
    const auto first = parse_yaml(text, "f");
    REQUIRE(first.has_value());
    const std::string written = emit_yaml(first->front().root);
    CAPTURE(written);
    const auto second = parse_yaml(written, "f");
    REQUIRE(second.has_value());
    CHECK(first->front().root == second->front().root);
    CHECK(emit_yaml(second->front().root) == written);
  }
}

TEST_CASE("comment lines after an empty line are kept in front of their keys") {
  const auto units = expand_text(
      "suite: tbench\ntestcase: tbench\n\n# a plain note\nruntime: 1\n# not after an empty line\n\n"
      "# it's (odd): not kept\ntbench:\n---\n# not kept\n\n#! kept too\nnr_threads: 2\n");
  REQUIRE(units.has_value());
  CHECK((*units)[0].text.contains("testcase: tbench\n\n# a plain note\nruntime: 1\ntbench:\n"));
  CHECK((*units)[1].text.contains("\n#! kept too\nnr_threads: 2\n"));
  CHECK(!(*units)[1].text.contains("not kept"));
  CHECK((*units)[0].body.find("# a plain note") == nullptr);
}

TEST_CASE("bad text is refused in one line with its place") {
  const auto refused = [](const std::string& text) { return error_of(expand_text(text)); };
  CHECK(refused("suite: s\na: [1, 2\nb: 3\n").starts_with("jobs/x.yaml:"));
  CHECK(refused("suite: s\n  bad: indent\n").starts_with("jobs/x.yaml:2:"));
  CHECK(refused("suite: s\n\tb: 1\n").starts_with("jobs/x.yaml:2:"));
  CHECK(refused("suite: \xff\xfe\n") == "jobs/x.yaml:1:8: invalid UTF-8");
  CHECK(refused("suite: \xc0\xaf\n") == "jobs/x.yaml:1:8: invalid UTF-8");
  CHECK(refused(std::string("suite: a\nb: \0c\n", 14)) == "jobs/x.yaml:2:4: NUL byte in a text file");
  CHECK(refused("- a\n- b\n") == "jobs/x.yaml:1:1: a job document is a map of keys and values");
  CHECK(refused("just words\n") == "jobs/x.yaml:1:1: a job document is a map of keys and values");
  CHECK(refused("") == "reading 'jobs/x.yaml': the job is empty");
  CHECK(refused("# nothing\n---\n---\n") == "reading 'jobs/x.yaml': the job is empty");
  CHECK(refused("? [a, b]\n: c\n") == "jobs/x.yaml:1:3: a key must be text, not a map or a list");
  CHECK(error_of(expand("jobs/none.yaml", reader({}), {})) == "reading 'jobs/none.yaml': no such file");
}

TEST_CASE("hostile text ends in an error, not in a crash") {
  const auto refused = [](const std::string& text) { return error_of(expand_text(text)); };
  CHECK(refused("a: " + std::string(100000, '[')).starts_with("jobs/x.yaml:1:"));
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "k:\n";
  CHECK(refused(deep).starts_with("jobs/x.yaml:"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string from = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + from;
    for (int j = 0; j < 9; ++j) bomb += ", " + from;
    bomb += "]\n";
  }
  CHECK(refused(bomb).ends_with("more than 200000 values, aliases expanded"));
  CHECK(refused("a: &x [*x]\n").starts_with("jobs/x.yaml:1:"));
  CHECK(refused(std::string((std::size_t{16} << 20) + 1, 'a')) ==
        "reading 'jobs/x.yaml': larger than 16 MiB");
  Files files;
  for (int i = 0; i < 20; ++i)
    files["jobs/" + std::to_string(i) + ".yaml"] =
        "a:\n  <<: " + std::to_string(i + 1) + ".yaml\nb:\n  <<: " + std::to_string(i + 1) + ".yaml\n";
  files["jobs/20.yaml"] = "c: 1\n";
  CHECK(error_of(expand_text("<<: 0.yaml\n", files)).contains("too many files included"));
}

TEST_CASE("a slip is one letter, or two in a long word") {
  const std::vector<std::string> known = {"category", "suite", "nr_threads"};
  CHECK(slip_of("categoty", known) == "category");
  CHECK(slip_of("catgeory", known) == "category");
  CHECK(slip_of("cutgeori", known) == std::nullopt);
  CHECK(slip_of("suit", known) == "suite");
  CHECK(slip_of("suite", known) == std::nullopt);
  CHECK(slip_of("nr_task", known) == std::nullopt);
}
