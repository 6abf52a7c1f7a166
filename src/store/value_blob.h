#pragma once

#include "base/result.h"
#include "model/number.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The values of one run as bytes, a few per value, any one of which can be read without the others.
namespace kilter::store {

// Exact for integers, for floats with up to 7 decimals, and for ratios of small integers (which means are);
// so a usual run takes 4 to 5 bytes a value. Other floats are kept whole, 8 bytes, unless the run has so many
// of them that it would exceed 5.5 bytes a value: then those are rounded to 31 bits (relative error
// < 2.4e-10).
[[nodiscard]] std::string encode_values(std::span<const model::Number> values);

// All `count` values; damaged bytes are an error, never a crash.
[[nodiscard]] Result<std::vector<model::Number>> decode_values(std::string_view bytes, std::size_t count);
// The value at `index` of `count`; nullopt when the bytes are damaged.
[[nodiscard]] std::optional<model::Number> value_at(std::string_view bytes, std::size_t count,
                                                    std::size_t index);

}  // namespace kilter::store
