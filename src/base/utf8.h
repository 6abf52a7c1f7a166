#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// UTF-8 of foreign text.
namespace kilter {

// Bytes of the character at `at` (RFC 3629); 0 where none stands: broken bytes, overlong forms, surrogates.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
[[nodiscard]] bool is_utf8_continuation(char c);
// What is no character becomes U+FFFD, and so do the C1 controls U+0080..U+009F, which terminals obey.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace kilter
