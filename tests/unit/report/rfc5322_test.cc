#include "report/rfc5322.h"

#include "base/text.h"
#include "report/recipients.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::report;

TEST_CASE("foreign text stays on its line") {
  CHECK(header_text("a\r\nBcc: evil@example.com") == "a  Bcc: evil@example.com");
  CHECK(header_text("  tab\tand\x1b[31m ") == "tab and [31m");
  CHECK(header_text("caf\xc3\xa9") == "caf\xc3\xa9");
  CHECK(header_text("\xff\xc3(\xed\xa0\x80") ==
        "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("headers fold at blanks and keep runs of them") {
  const std::string text = "[linus:master] [x86/bugs]  27ce8299bc:  netperf.Throughput_tps 23.1% improvement";
  const std::string header = text_header("Subject", text);
  CHECK(header ==
        "Subject: [linus:master] [x86/bugs]  27ce8299bc:  netperf.Throughput_tps 23.1%\n improvement\n");
  CHECK(text_header("Subject", "") == "Subject:\n");
}

TEST_CASE("text that is not ASCII becomes encoded words of whole characters") {
  CHECK(text_header("Subject", "caf\xc3\xa9") == "Subject: =?UTF-8?B?Y2Fmw6k=?=\n");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "\xe2\x82\xac";
  for (const std::string_view line : lines(text_header("Subject", many))) CHECK(line.size() <= 78);
  CHECK(text_header("Subject", "=?UTF-8?Q?trick?=").find("=?UTF-8?B?") != std::string::npos);
}

TEST_CASE("no header line is over 998 bytes") {
  for (const std::string& text : {std::string(5000, 'x'), std::string(5000, ' ') + "x",
                                  "a" + std::string(5000, ' ') + "b", std::string(990, 'y') + " z"})
    for (const std::string_view line : lines(text_header("Subject", text))) CHECK(line.size() <= 998);
  const std::vector<Mailbox> mailboxes = {{std::string(3000, 'n') + "\"", "a@b.c"}, {"A B", "x@y.z"}};
  for (const std::string_view line : lines(address_header("Cc", mailboxes))) CHECK(line.size() <= 998);
}

TEST_CASE("display names are quoted or encoded as they need it") {
  const std::vector<Mailbox> mailboxes = {{"Josh Poimboeuf", "jpoimboe@kernel.org"},
                                          {"Torvalds, Linus \"L\"", "l@k.org"},
                                          {"J\xc3\xbcrgen", "j@k.de"},
                                          {"", "list@k.org"},
                                          {"Evil\nBcc: x@y.z", "e@k.org"},
                                          {"No", "not an address"}};
  const std::string header = address_header("Cc", mailboxes);
  CHECK(replace_all(header, "\n ", " ") ==
        "Cc: Josh Poimboeuf <jpoimboe@kernel.org>, \"Torvalds, Linus \\\"L\\\"\" <l@k.org>, "
        "=?UTF-8?B?SsO8cmdlbg==?= <j@k.de>, <list@k.org>, \"Evil Bcc: x@y.z\" <e@k.org>\n");
  CHECK(address_header("Cc", {}).empty());
}

TEST_CASE("addresses are read from tags as people write them") {
  CHECK(parse_mailbox("Ingo Molnar <mingo@kernel.org>").name == "Ingo Molnar");
  CHECK(parse_mailbox("\"Last, First\" <a@b.c>").name == "Last, First");
  CHECK(parse_mailbox("Stable <stable@vger.kernel.org> # v6.1+").email == "stable@vger.kernel.org");
  CHECK(parse_mailbox("plain@host.org").email == "plain@host.org");
  CHECK(parse_mailbox("no one").email.empty());
  CHECK(parse_mailbox("X <a@b.c\r\nBcc: d@e.f>").email.empty());
  CHECK_FALSE(is_address("a@b@c"));
  CHECK_FALSE(is_address("a..b@c.d"));
  CHECK_FALSE(is_address("@c.d"));
}

TEST_CASE("dates are right at the edges of months and leap years") {
  CHECK(date_text(0) == "Thu, 01 Jan 1970 00:00:00 +0000");
  CHECK(date_text(1745214507) == "Mon, 21 Apr 2025 05:48:27 +0000");
  CHECK(date_text(951782400) == "Tue, 29 Feb 2000 00:00:00 +0000");
  CHECK(date_text(1735689599) == "Tue, 31 Dec 2024 23:59:59 +0000");
  CHECK(date_text(4107542400) == "Mon, 01 Mar 2100 00:00:00 +0000");
}

TEST_CASE("a body is sent as it is, or quoted when a line is too long") {
  CHECK(text_part("plain").ends_with("Transfer-Encoding: 7bit\n\nplain\n"));
  CHECK(text_part("caf\xc3\xa9").find("8bit") != std::string::npos);
  CHECK(text_part("a\x1b[0mb\r\nc\n").ends_with("\n\na[0mb\nc\n"));
  const std::string quoted = text_part(std::string(2000, '=') + " \nend\n");
  CHECK(quoted.find("quoted-printable") != std::string::npos);
  for (const std::string_view line : lines(quoted)) CHECK(line.size() <= 76);
  CHECK(quoted.find("=20\nend\n") != std::string::npos);
}

TEST_CASE("a report goes to the author, and to lists and people once each") {
  model::Commit commit;
  commit.author_name = "Josh";
  commit.author_email = "josh@kernel.org";
  commit.tags = {{"Signed-off-by", "Josh <JOSH@kernel.org>"},
                 {"Reviewed-by", "Ingo <mingo@kernel.org>"},
                 {"Fixes", "abc <x@y.z>"},
                 {"Acked-by", "I. Molnar <mingo@KERNEL.org>"},
                 {"Cc", "stable@vger.kernel.org # v6"},
                 {"Tested-by", "nobody"}};
  const std::vector<std::string> list = {"Project list <list@example.org>", "mingo@kernel.org"};
  const Recipients found = recipients(commit, list);
  REQUIRE(found.to.size() == 1);
  CHECK(found.to[0].email == "josh@kernel.org");
  REQUIRE(found.cc.size() == 2);
  CHECK(found.cc[0].name == "Project list");
  CHECK(found.cc[1].email == "mingo@kernel.org");
}
