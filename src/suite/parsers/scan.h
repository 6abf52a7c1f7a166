#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the parsers have in common; pure and bounded.
namespace kilter::suite {

// The text between the first `left` and the next `right`, or nullopt.
[[nodiscard]] std::optional<std::string_view> between(std::string_view text, std::string_view left,
                                                      std::string_view right);
// The text after the first `left`, or nullopt.
[[nodiscard]] std::optional<std::string_view> after(std::string_view text, std::string_view left);
// The word that follows the first `left`, or nullopt.
[[nodiscard]] std::optional<std::string_view> word_after(std::string_view text, std::string_view left);
// Place of the word `word` among `words`.
[[nodiscard]] std::optional<std::size_t> index_of(std::span<const std::string_view> words,
                                                  std::string_view word);
// A number at the start of `text` ("9.5s" -> 9.5), or nullopt.
[[nodiscard]] std::optional<double> leading_number(std::string_view text);

// Whole numbers without a fraction, others shortest.
[[nodiscard]] std::string number_text(double value);
// Any text as one part of a key: blanks and control characters become one '_', cut at 200 bytes.
[[nodiscard]] std::string key_part(std::string_view text);
// Runs of the characters of `set` become one '_'; none at the ends.
[[nodiscard]] std::string squeeze(std::string_view text, std::string_view set);

// Ruby's arithmetic, which the expected values were made with: a plain left-to-right sum, and rounding half
// away from zero.
[[nodiscard]] double sum(std::span<const double> values);
[[nodiscard]] double mean(std::span<const double> values);
[[nodiscard]] double harmonic_mean(std::span<const double> values);
[[nodiscard]] double population_stddev(std::span<const double> values);
[[nodiscard]] double rounded(double value, int digits);
// value * factor, without the digits that only the multiplication made.
[[nodiscard]] double scaled(double value, double factor);
// Towards zero, held within the range of the type.
[[nodiscard]] std::int64_t truncated(double value);

}  // namespace kilter::suite
