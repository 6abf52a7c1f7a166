#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The metrics a run has, as ids in the order of their keys: shared by all runs that have the same ones.
namespace kilter::store {

// Runs of consecutive ids as (step, length) pairs; ids given in key order are mostly consecutive.
[[nodiscard]] std::string encode_ids(std::span<const std::int64_t> ids);
// nullopt when the bytes are damaged or speak of more than `limit` ids.
[[nodiscard]] std::optional<std::vector<std::int64_t>> decode_ids(std::string_view bytes, std::size_t limit);
// Where `id` stands in the set.
[[nodiscard]] std::optional<std::size_t> position_of(std::string_view bytes, std::int64_t id);

}  // namespace kilter::store
