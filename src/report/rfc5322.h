#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The form of a mail message: RFC 5322 headers, RFC 2047 encoded words, RFC 2045 bodies. Lines end with \n,
// as in a Maildir; what sends the message makes them \r\n. No foreign text can end a header or make a line
// too long.
namespace kilter::report {

struct Mailbox {
  std::string name;   // may be empty; any UTF-8
  std::string email;  // "user@host"
};

// Valid UTF-8 on one line: line ends, controls and broken bytes become blanks or U+FFFD.
[[nodiscard]] std::string header_text(std::string_view text);
// An address that can be written into a header as it is: plain ASCII, one @, no blanks or specials.
[[nodiscard]] bool is_address(std::string_view email);
// "Name <user@host>", `"Last, First" <user@host> # v6.1+`, "user@host"; email "" when there is none.
[[nodiscard]] Mailbox parse_mailbox(std::string_view text);

// "Subject: ...\n", folded at blanks (runs of blanks survive), encoded when it is not plain ASCII.
[[nodiscard]] std::string text_header(std::string_view name, std::string_view text);
// "Cc: ...\n"; mailboxes that are no address are left out; "" when none is left.
[[nodiscard]] std::string address_header(std::string_view name, std::span<const Mailbox> mailboxes);
// "Mon, 21 Apr 2025 05:48:27 +0000".
[[nodiscard]] std::string date_text(std::int64_t seconds_since_1970);

// The MIME headers of a text body, a blank line, and the body: as it is when its lines are short enough (7bit
// or 8bit), else quoted-printable. Controls but tab and newline are removed, broken UTF-8 is replaced.
[[nodiscard]] std::string text_part(std::string_view body);

}  // namespace kilter::report
