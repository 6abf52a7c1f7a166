#include "store/value_blob.h"

#include "store/key_set.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using kilter::model::Number;
using namespace kilter::store;

namespace {

std::vector<Number> usual_values(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<Number> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t n = static_cast<std::int64_t>(random() % 100000000);
    if (i % 3 == 0) values.emplace_back(n);
    if (i % 3 == 1) values.emplace_back(static_cast<double>(n) / 1000);
    if (i % 3 == 2) values.emplace_back(static_cast<double>(n) / 11);
  }
  return values;
}

std::size_t size_of(const std::vector<std::string>& chunks) {
  std::size_t size = 0;
  for (const std::string& chunk : chunks) size += chunk.size();
  return size;
}

// nullopt when a chunk is refused.
std::optional<std::vector<Number>> decode(const std::vector<std::string>& chunks, std::size_t count) {
  std::vector<Number> values;
  for (const std::string& chunk : chunks)
    if (!decode_chunk(chunk, std::min(kChunk, count - values.size()), values)) return std::nullopt;
  return values;
}

}  // namespace

TEST_CASE("every kind of number comes back exactly") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<Number> values = {0,
                                      1,
                                      -1,
                                      127,
                                      255,
                                      256,
                                      std::int64_t{9007199254740993},
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::min(),
                                      0.0,
                                      -0.0,
                                      20.0,
                                      151.434,
                                      79671.18181818182,
                                      2.0 / 3,
                                      -1.0 / 3,
                                      1e300,
                                      -1e-300,
                                      tiny,
                                      huge,
                                      3.141592653589793,
                                      0.1 + 0.2,
                                      8.088e10,
                                      1e15,
                                      9007199254740992.0,
                                      123456789.123};
  const std::optional<std::vector<Number>> read = decode(encode_values(values), values.size());
  REQUIRE(read.has_value());
  CHECK(*read == values);
  CHECK(std::signbit((*read)[10].value()));
}

TEST_CASE("one value is read without the others, in every chunk") {
  const std::vector<Number> values = usual_values(1000);
  const std::vector<std::string> chunks = encode_values(values);
  CHECK(decode(chunks, values.size()) == values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t count = std::min(kChunk, values.size() - i / kChunk * kChunk);
    REQUIRE(value_at(chunks[i / kChunk], count, i % kChunk) == values[i]);
  }
  CHECK_FALSE(value_at(chunks[0], kChunk, kChunk).has_value());
}

TEST_CASE("a usual run of 2,000 values takes less than 11 KB") {
  CHECK(size_of(encode_values(usual_values(2000))) < 11000);
}

TEST_CASE("a run of nothing but odd floats is rounded to nine digits and fits in 12 KB") {
  std::mt19937_64 random(1);
  std::vector<Number> values;
  for (int i = 0; i < 2000; ++i) values.emplace_back(std::ldexp(static_cast<double>(random() >> 11), -20));
  const std::vector<std::string> chunks = encode_values(values);
  CHECK(size_of(chunks) < 11500);
  const std::vector<Number> read = *decode(chunks, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    REQUIRE(std::abs(read[i].value() / values[i].value() - 1) < 2.4e-10);
}

TEST_CASE("damaged value bytes are an error, never a crash") {
  const std::string bytes = encode_values(usual_values(kChunk))[0];
  std::vector<Number> values;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(decode_chunk(std::string_view(bytes).substr(0, size), kChunk, values));
    (void)value_at(std::string_view(bytes).substr(0, size), kChunk, 127);
  }
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string wrong = bytes;
    for (int i = 0; i < 4; ++i) wrong[random() % wrong.size()] = static_cast<char>(random());
    (void)decode_chunk(wrong, kChunk, values);
    (void)value_at(wrong, kChunk, random() % kChunk);
  }
}

TEST_CASE("a set of metric ids keeps its order and finds the place of each") {
  const std::vector<std::int64_t> ids = {5, 6, 7, 100, 8, 9, 1, 2, 3000000};
  const std::string bytes = encode_ids(ids);
  CHECK(decode_ids(bytes, 100) == ids);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(position_of(bytes, ids[i]) == i);
  CHECK_FALSE(position_of(bytes, 4).has_value());
  CHECK_FALSE(decode_ids(bytes, 8).has_value());
  CHECK_FALSE(decode_ids(std::string_view(bytes).substr(0, bytes.size() - 1), 100).has_value());
  CHECK_FALSE(decode_ids("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 100).has_value());
}
