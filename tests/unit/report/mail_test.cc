#include "report/mail.h"

#include "base/text.h"
#include "os/files.h"
#include "os/process.h"
#include "report/plot.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace kilter;
using namespace kilter::report;

namespace {

std::string read_expected() {
  std::ifstream file(std::string(TESTS_DIR) + "/golden/report/mail/expected.txt");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The facts of the mail in tests/golden/report/mail.
MailInput netperf_mail() {
  MailInput input;
  input.robot = "kernel test robot";
  input.metric = "netperf.Throughput_tps";
  input.percent = 23.1;
  input.word = "improvement";
  input.commit.sha = "27ce8299bc1ec6df8306073785ff82b30b3cc5ee";
  input.commit.subject = "x86/bugs: Don't fill RSB on context switch with eIBRS";
  input.tree = "linus";
  input.tree_url = "https://git.kernel.org/cgit/linux/kernel/git/torvalds/linux.git";
  input.branch = "master";
  input.testcase = "netperf";
  input.kconfig = "x86_64-rhel-9.4";
  input.compiler = "gcc-12";
  input.machine =
      "192 threads 2 sockets Intel(R) Xeon(R) Platinum 8468V  CPU @ 2.4GHz (Sapphire Rapids) with 384G "
      "memory";
  input.parameters = {{"ip", "ipv4"},        {"runtime", "300s"},
                      {"nr_threads", "50%"}, {"cluster", "cs-localhost"},
                      {"test", "TCP_RR"},    {"cpufreq_governor", "performance"}};
  input.further = {
      {"stress-ng",
       "stress-ng.sem.sem_wait_calls_per_sec 10.0% improvement",
       "224 threads 2 sockets Intel(R) Xeon(R) Platinum 8480CTDX (Sapphire Rapids) with 256G memory",
       {{"cpufreq_governor", "performance"}, {"nr_threads", "100%"}, {"test", "sem"}, {"testtime", "60s"}}},
      {"netperf",
       "netperf.Throughput_Mbps 21.7% improvement",
       input.machine,
       {{"cluster", "cs-localhost"},
        {"cpufreq_governor", "performance"},
        {"ip", "ipv4"},
        {"nr_threads", "50%"},
        {"runtime", "300s"},
        {"send_size", "10K"},
        {"test", "SCTP_STREAM_MANY"}}}};
  input.from = {"kernel test robot", "robot@example.org"};
  input.message_id = "202504211337.3c954295-kilter@example.org";
  input.date = 1745214507;
  return input;
}

std::string after(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(at);
}

}  // namespace

TEST_CASE("the mail equals the original byte for byte up to its details") {
  const std::string original = read_expected();
  const std::size_t start = original.find("\n\n") + 2;
  const std::string expected =
      original.substr(start, original.find('\n', original.find("----->")) + 1 - start);
  CHECK(mail_body(netperf_mail()).substr(0, expected.size()) == expected);
  CHECK(mail_body(netperf_mail()).find("Reported-by") == std::string::npos);
}

TEST_CASE("the subject is the original's") {
  CHECK(mail_subject(netperf_mail()) ==
        "[linus:master] [x86/bugs]  27ce8299bc:  netperf.Throughput_tps 23.1% improvement");
  MailInput input = netperf_mail();
  input.tree.clear();
  CHECK(mail_subject(input).starts_with("[x86/bugs]  27ce8299bc:  netperf"));
  input.commit.subject = "no prefix here";
  CHECK(mail_subject(input).starts_with("27ce8299bc:  netperf"));
  input.tree = "linus";
  CHECK(mail_subject(input).starts_with("[linus:master]  27ce8299bc:  netperf"));
}

TEST_CASE("a regression asks for tags, unsigned, four empty lines apart") {
  MailInput input = netperf_mail();
  input.further.clear();
  input.percent = -4.44;
  input.word = "regression";
  input.closes = "https://example.org/m/1";
  const std::string body = mail_body(input);
  CHECK(body.find("noticed a 4.4% regression of netperf.Throughput_tps on:") != std::string::npos);
  CHECK(
      body.find(
          "\tcpufreq_governor: performance\n\n\n\n\nIf you fix the issue in a separate patch/commit (i.e. "
          "not "
          "just a new version of\nthe same patch/commit), kindly add following tags\n| Reported-by: kernel "
          "test robot <robot@example.org>\n| Closes: https://example.org/m/1\n\n\nDetails are as below:\n") !=
      std::string::npos);
}

TEST_CASE("a failing test is named without a percentage") {
  MailInput input = netperf_mail();
  input.failure = "BUG:KASAN:use-after-free_in_x";
  input.still_there = {{"linus/master", std::string(40, 'a')}, {"linux-next/master", std::string(40, 'b')}};
  const std::string body = mail_body(input);
  CHECK(body.find("kernel test robot noticed \"BUG:KASAN:use-after-free_in_x\" on:") != std::string::npos);
  CHECK(body.find("master\n\n[test failed on linus/master      " + std::string(40, 'a') +
                  "]\n[test failed on linux-next/master " + std::string(40, 'b') +
                  "]\n\ntestcase: netperf\n") != std::string::npos);
  CHECK(body.find("Reported-by") != std::string::npos);
  CHECK(mail_subject(input).ends_with("27ce8299bc:  BUG:KASAN:use-after-free_in_x"));
}

TEST_CASE("a patch series names its base and link") {
  MailInput input = netperf_mail();
  input.patch = MailPatch{"https://u", "https://b master", "https://l", "[PATCH v4 14/21] x"};
  CHECK(mail_body(input).find(
            "\nurl: https://u\nbase: https://b master\npatch link: https://l\npatch subject: [PATCH "
            "v4 14/21] x\n\n\ntestcase") != std::string::npos);
}

TEST_CASE("a range blames no commit") {
  MailInput input = netperf_mail();
  MailRange range{.base = {"v6.14", std::string(40, 'a'), "Linux 6.14"},
                  .head = {"", std::string(40, 'b'), "x86/bugs: fix"},
                  .commits = 7,
                  .bisect = "kilter bisect -p linux --good v6.14 --bad bbbb"};
  range.listed = {model::Commit{.sha = std::string(40, 'c'), .subject = "one"}};
  input.range = range;
  CHECK(mail_subject(input) ==
        "[linus:master]  v6.14..bbbbbbbbbb:  netperf.Throughput_tps 23.1% improvement");
  const std::string body = mail_body(input);
  CHECK(body.contains("improvement of netperf.Throughput_tps between:\n\n\nbase: v6.14 " +
                      std::string(40, 'a') + " (\"Linux 6.14\")\nhead: " + std::string(40, 'b') +
                      " (\"x86/bugs: fix\")\n"));
  CHECK(
      body.contains("\n7 commits lead from v6.14 to bbbbbbbbbb; bisect to find the one that did it:\n"
                    "  kilter bisect -p linux --good v6.14 --bad bbbb\n\n"
                    "  cccccccccc (\"one\")\n  ... and 6 more\n"));
  CHECK_FALSE(body.contains("commit: 27ce"));
  input.range->commits = 0;
  input.range->why = "Neither was made from the other.";
  CHECK(mail_body(input).contains("\nNeither was made from the other.\n"));
  input.range = MailRange{.base = {"", "6.1.0-18-amd64", ""}, .head = {"", "6.12.0-1-amd64", ""}};
  CHECK(mail_subject(input).contains("]  6.1.0-18-amd64..6.12.0-1-amd64:  netperf"));
}

TEST_CASE("what is not known is left out") {
  MailInput input = netperf_mail();
  input.commit.subject.clear();
  input.machine.clear();
  input.kconfig.clear();
  input.parameters.clear();
  input.tree.clear();
  input.further = {{"t", "t.x 1.0% improvement", "", {}}};
  const std::string body = mail_body(input);
  for (const char* absent : {"(\"\")", "config:", "test machine", "parameters:"})
    CHECK_MESSAGE(!body.contains(absent), absent);
  CHECK(body.contains("commit: 27ce8299bc1ec6df8306073785ff82b30b3cc5ee\n"));
}

TEST_CASE("what speaks against the headline is told, and asks for tags") {
  MailInput input = netperf_mail();
  input.opposite = {"a 33.0% regression of toy.lat"};
  CHECK(mail_body(input).contains("\nAt the same time: a 33.0% regression of toy.lat.\n"));
  CHECK(mail_body(input).contains("Reported-by:"));
  input.opposite.clear();
  input.word = "change";
  CHECK_FALSE(mail_body(input).contains("Reported-by:"));
  CHECK(mail_subject(input).ends_with("netperf.Throughput_tps 23.1% change"));
}

TEST_CASE("a patch is named by its own subject and hash") {
  MailInput input = netperf_mail();
  input.commit = {.sha = std::string(40, 'a') + "+0123456789", .subject = "[PATCH v4 14/21] lib: be fast"};
  input.patch = MailPatch{.base = "https://b master " + std::string(40, 'a') + " (\"x\")",
                          .subject = "[PATCH v4 14/21] lib: be fast"};
  CHECK(mail_subject(input).starts_with("[linus:master] [lib]  aaaaaaaaaa+0123456789:  netperf"));
  CHECK(mail_body(input).contains("+0123456789 (\"[PATCH v4 14/21] lib: be fast\")\nbase: https://b"));
  CHECK_FALSE(mail_body(input).contains("patch link"));
  input.subject_prefix = "[queue]";
  CHECK(mail_subject(input).starts_with("[queue] [linus:master] [lib]  aaa"));
}

TEST_CASE("a failure shows the end of the log") {
  MailInput input = netperf_mail();
  input.failure = "toy.test-failed";
  input.sections = {{.machine = "",
                     .table = "====\ntable\n",
                     .log_title = "Run 0 of abc ended as test-failed: exit code 3",
                     .log = {"oh\033[2Jno", "it broke"}}};
  CHECK(mail_body(input).contains(
      "table\n\nRun 0 of abc ended as test-failed: exit code 3\n\n  oh [2Jno\n  it broke\n"));
}

TEST_CASE("sections, plots, steps and footer follow the details in order") {
  MailInput input = netperf_mail();
  input.archive = "/home/me/report.tar.zst";
  input.reproduce = {"sh reproduce.sh", "", "kilter install job.yaml"};
  const std::vector<double> bad = {1, 2};
  const std::vector<double> good = {3, 4};
  input.sections = {{"", "====\ntable one\n\n", {ascii_plot("m", bad, good)}},
                    {"box-2: 8 threads", "====\ntable two\n", {}},
                    {"box-3: 9 threads", "====\ntable three\n", {}}};
  const std::string body = after(mail_body(input), "Details are");
  CHECK(body.starts_with("Details are as below:\n" + std::string(98, '-') +
                         ">\n\n\nThe build config and materials to reproduce are available at:\n"
                         "/home/me/report.tar.zst\n\nTo reproduce:\n\n        sh reproduce.sh\n\n        "
                         "kilter install job.yaml\n"));
  CHECK(body.find("\n\n====\ntable one\n\n" + std::string(80, ' ') + "\n") != std::string::npos);
  CHECK(body.find("\n\n[+] good sample\n[O] bad  sample  ([@] both)\n\n\n" + std::string(99, '*') +
                  "\nbox-2: 8 threads\n====\ntable two\n\n\n\n" + std::string(99, '*') + "\nbox-3") !=
        std::string::npos);
  CHECK(body.find("table three\n\n\n\n\n\nDisclaimer:\n") != std::string::npos);
  CHECK(body.ends_with("\n\n\n-- \nKilter, a performance test robot\n\n\n"));
}

TEST_CASE("hostile names and subjects cannot add headers or break lines") {
  MailInput input = netperf_mail();
  input.commit.subject = "x: y\r\nBcc: evil@example.com\r\n\r\nHello";
  input.branch = "master\nX-Evil: 1";
  input.metric = std::string(3000, 'm');
  input.from.name = "A\r\nB";
  input.recipients.to = {{"T\n\nbody", "t@example.org"}};
  input.message_id = "a@b>\nX: y";
  const std::string message = mail_message(input);
  const std::string headers = message.substr(0, message.find("\n\n"));
  for (const std::string_view line : lines(headers)) {
    CHECK_FALSE(line.starts_with("Bcc"));
    CHECK_FALSE(line.starts_with("X"));
  }
  for (const std::string_view line : lines(message)) CHECK(line.size() <= 998);
  CHECK(headers.find("quoted-printable") != std::string::npos);
  CHECK(headers.find("Message-ID") == std::string::npos);
}

TEST_CASE("a message id has its date, a hash and a host") {
  CHECK(make_message_id(1745214507, "x", "my.host") ==
        "202504210548." + make_message_id(0, "x", "h").substr(13, 8) + "-kilter@my.host");
  CHECK(make_message_id(0, "y", "bad host\n").ends_with("@badhost"));
  CHECK(make_message_id(0, "y", "..").ends_with("@localhost"));
}

TEST_CASE("python's email package reads the message back") {
  const os::Path python = os::find_program("python3");
  if (python.empty()) return;
  MailInput input = netperf_mail();
  input.commit.subject =
      "caf\xc3\xa9: gr\xc3\xb6\xc3\x9f"
      "er \xe2\x82\xac";
  input.recipients.to = {{"J\xc3\xbcrgen Gro\xc3\x9f", "jgross@example.com"}};
  input.recipients.cc = {{"Last, First", "a@example.com"}, {"", "list@example.org"}};
  input.sections = {{"", std::string(1200, 'x') + "\xc3\xa9 =\n", {}}};
  const os::TempDir dir = *os::TempDir::create("/tmp", "kilter-mail");
  REQUIRE(os::write_file(dir.path() / "mail", mail_message(input)).has_value());
  REQUIRE(os::write_file(dir.path() / "body", mail_body(input)).has_value());
  const std::string script =
      "import email, email.policy, sys\n"
      "m = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)\n"
      "assert not m.defects, m.defects\n"
      "print(m['subject']); print(m['to']); print(m['cc']); print(m['message-id']); print(m['date'])\n"
      "for h in m.keys(): assert not m[h].defects, (h, m[h].defects)\n"
      "assert m.get_content() == open(sys.argv[2], encoding='utf-8').read()\n";
  os::Command command;
  command.argv = {python.string(), "-c", script, (dir.path() / "mail").string(),
                  (dir.path() / "body").string()};
  command.env = {{"PYTHONIOENCODING", "utf-8"}};
  const os::ProcessResult result = os::system_runner().run(command).value();
  CHECK(result.err == "");
  CHECK(result.out ==
        "[linus:master] [caf\xc3\xa9]  27ce8299bc:  netperf.Throughput_tps 23.1% improvement\n"
        "J\xc3\xbcrgen Gro\xc3\x9f <jgross@example.com>\n\"Last, First\" <a@example.com>, list@example.org\n"
        "<202504211337.3c954295-kilter@example.org>\nMon, 21 Apr 2025 05:48:27 +0000\n");
}

TEST_CASE("a pair of settings blames nobody and names both") {
  MailInput input = netperf_mail();
  input.tree.clear();
  input.tree_url.clear();
  input.branch.clear();
  input.testcase = "will-it-scale";
  input.metric = "will-it-scale.per_thread_ops";
  input.percent = -30;
  input.word = "regression";
  input.commit = {.sha = "6.1.0-18-amd64"};
  input.pair = {{"nr_task", "1", "100%"}};
  CHECK(mail_subject(input) ==
        "[will-it-scale]  nr_task=1..100%:  will-it-scale.per_thread_ops 30.0% regression");
  const std::string body = mail_body(input);
  CHECK(
      body.contains("noticed a 30.0% regression of will-it-scale.per_thread_ops between nr_task=1 and "
                    "nr_task=100%, on the same kernel:\n\n\nkernel: 6.1.0-18-amd64\n"));
  CHECK(body.contains("In addition to that, the change also has"));
  CHECK_FALSE(body.contains("Reported-by"));
  CHECK_FALSE(body.contains("commit: "));
}

TEST_CASE("a pair of a project's commit names tree and commit, and each of several axes") {
  MailInput input = netperf_mail();
  input.pair = {{"mode", "process", "thread"}, {"size", "", "4k\nX-Evil: 1"}};
  CHECK(mail_subject(input).starts_with(
      "[linus:master] [netperf]  mode=process/size=none..mode=thread/size=4k X-Evil: 1:  netperf"));
  const std::string body = mail_body(input);
  CHECK(
      body.contains("between mode=process/size=none and mode=thread/size=4k X-Evil: 1, on the same commit:"));
  CHECK(body.contains("commit: 27ce8299bc1ec6df8306073785ff82b30b3cc5ee (\"x86/bugs: Don't fill RSB"));
  input.pair = {{"", "base", "head"}};
  input.commit = {};
  CHECK(mail_subject(input).starts_with("[linus:master] [netperf]  base..head:  netperf"));
  CHECK(mail_body(input).contains("between base and head:\n"));
}

TEST_CASE("what differs beside the commits is told under them") {
  MailInput input = netperf_mail();
  input.also_differs = {{"compiler", "gcc-12", "clang-19"}};
  CHECK(mail_body(input).contains("\nNot alike, too: compiler=gcc-12 and clang-19.\n"));
  CHECK(mail_subject(input).contains("27ce8299bc:"));
}

TEST_CASE("what was not set up as the job wanted stands under the parameters") {
  MailInput input = netperf_mail();
  input.caveats = {"these results bear settings that were not made: disk"};
  CHECK(mail_body(input).contains("\n\nnote: these results bear settings that were not made: disk\n"));
}
