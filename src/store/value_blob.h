#pragma once

#include "model/number.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The values of one run as bytes, a few per value, in chunks of which a series reads one.
namespace kilter::store {

constexpr std::size_t kChunk = 128;  // values per chunk; the last may have fewer

// Exact for integers, for floats with up to 7 decimals, and for ratios of small integers (which means are);
// so a usual run takes 4 to 5 bytes a value. Other floats are kept whole, 8 bytes, unless the run has so many
// of them that it would exceed 5.5 bytes a value: then those are rounded to 31 bits (relative error
// < 2.4e-10).
[[nodiscard]] std::vector<std::string> encode_values(std::span<const model::Number> values);

// Appends the `count` values of a chunk; false when its bytes are damaged.
[[nodiscard]] bool decode_chunk(std::string_view bytes, std::size_t count,
                                std::vector<model::Number>& values);
// The value at `index` of a chunk of `count`; nullopt when the bytes are damaged.
[[nodiscard]] std::optional<model::Number> value_at(std::string_view bytes, std::size_t count,
                                                    std::size_t index);

}  // namespace kilter::store
