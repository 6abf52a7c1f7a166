#include "store/key_set.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kilter::store {
namespace {

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const unsigned char byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

struct Range {
  std::int64_t first = 0;
  std::int64_t length = 0;
};

// The next range; `end` is where the one before it ended.
std::optional<Range> take_range(std::string_view& bytes, std::int64_t end) {
  const std::optional<std::uint64_t> step = take_varint(bytes);
  const std::optional<std::uint64_t> length = step ? take_varint(bytes) : std::nullopt;
  if (!length || *length == 0 || *length >> 40 != 0 || *step >> 40 != 0) return std::nullopt;
  const std::int64_t signed_step =
      static_cast<std::int64_t>(*step >> 1) ^ -static_cast<std::int64_t>(*step & 1);
  return Range{end + signed_step, static_cast<std::int64_t>(*length)};
}

}  // namespace

std::string encode_ids(std::span<const std::int64_t> ids) {
  std::string bytes;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t length = 1;
    while (i + length < ids.size() && ids[i + length] == ids[i] + static_cast<std::int64_t>(length)) ++length;
    const std::int64_t step = ids[i] - end;
    put_varint(bytes, (static_cast<std::uint64_t>(step) << 1) ^ static_cast<std::uint64_t>(step >> 63));
    put_varint(bytes, length);
    end = ids[i] + static_cast<std::int64_t>(length);
    i += length;
  }
  return bytes;
}

std::optional<std::vector<std::int64_t>> decode_ids(std::string_view bytes, std::size_t limit) {
  std::vector<std::int64_t> ids;
  std::int64_t end = 0;
  while (!bytes.empty()) {
    const std::optional<Range> range = take_range(bytes, end);
    if (!range || static_cast<std::size_t>(range->length) > limit - ids.size()) return std::nullopt;
    end = range->first + range->length;
    for (std::int64_t id = range->first; id < end; ++id) ids.push_back(id);
  }
  return ids;
}

std::optional<std::size_t> position_of(std::string_view bytes, std::int64_t id) {
  std::size_t before = 0;
  std::int64_t end = 0;
  while (!bytes.empty()) {
    const std::optional<Range> range = take_range(bytes, end);
    if (!range) return std::nullopt;
    end = range->first + range->length;
    if (id >= range->first && id < end) return before + static_cast<std::size_t>(id - range->first);
    before += static_cast<std::size_t>(range->length);
  }
  return std::nullopt;
}

namespace {

// Both halves of the 128-bit product: every bit of the factors reaches every bit of the result.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

// SHA-256 was measured to take 60 % of a put; nothing here needs more than that keys met by chance differ.
void KeyHash::add(std::string_view key) {
  std::uint64_t word = key.size();
  while (true) {
    a_ = mix(a_ ^ word, 0xa0761d6478bd642f) + 1;
    b_ = mix(b_ + word, 0xe7037ed1a0b428db) + 1;
    if (key.empty()) return;
    word = 0;
    const std::size_t size = std::min(key.size(), sizeof word);
    std::memcpy(&word, key.data(), size);
    key.remove_prefix(size);
  }
}

std::string KeyHash::hex() const {
  return fmt::format("{:016x}{:016x}", a_, b_);
}

}  // namespace kilter::store
