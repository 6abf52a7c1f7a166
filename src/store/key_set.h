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

// 128 bits over an ordered list of keys, as 32 hex digits: the name of its key set.
class KeyHash {
 public:
  void add(std::string_view key);
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t a_ = 0x9e3779b97f4a7c15;
  std::uint64_t b_ = 0xc2b2ae3d27d4eb4f;
};

}  // namespace kilter::store
