#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Small text helpers; all are pure and locale-free.
namespace kilter {

[[nodiscard]] std::string_view trim(std::string_view text);
// Splits at every `separator`; "a,,b" gives three parts, "" gives one empty part.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
// Splits at runs of blanks and tabs; no empty parts.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);
// The lines of `text` without their line ends; a final newline does not make an extra line.
[[nodiscard]] std::vector<std::string_view> lines(std::string_view text);
// The last `count` lines of foreign text that is not blank at its end, on one line: "one | two".
[[nodiscard]] std::string last_lines(std::string_view text, std::size_t count);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string replace_all(std::string text, std::string_view from, std::string_view to);

// "12" of "12abc"; "" when it begins with none.
[[nodiscard]] std::string_view leading_digits(std::string_view text);
// A commit's whole name: 40 lower-case hexadecimal digits.
[[nodiscard]] bool is_full_sha(std::string_view text);
// Whole-text number parsing: "12" yes, "12x", "", " 1" no. Doubles accept decimal and exponent forms, not inf
// or nan.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

// `text` as one word of a POSIX shell command line: quoted only when it needs it.
[[nodiscard]] std::string shell_quote(std::string_view text);
[[nodiscard]] std::string shell_join(std::span<const std::string> argv);

// The candidate nearest to `word` by edit distance, if near enough to be a typing mistake.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);
// "did you mean 'x'?", or "" when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// What a terminal may be given of foreign text: control characters (escapes) are removed except tab and
// newline, and so are the marks that turn the direction of writing; broken UTF-8 becomes U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);
// printable() for messages: words over 300 bytes and lines over 1000 are shown by their beginning and end.
[[nodiscard]] std::string message_text(std::string_view text);
// Number of terminal columns of UTF-8 `text`, each code point one column.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace kilter
