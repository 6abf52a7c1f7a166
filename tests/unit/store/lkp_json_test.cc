#include "store/lkp_json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <zlib.h>

using namespace kilter;
using model::Number;
using store::parse_matrix;
using store::parse_stats;

namespace {

std::string error_of(const Result<model::Metrics>& result) {
  return result ? "" : result.error().message;
}

std::string gzip(std::string_view text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

}  // namespace

TEST_CASE("stats.json is read sorted, integers and floats told apart") {
  const model::Metrics metrics = *parse_stats(
      "{ \"vmstat.system.cs\": 79671.18181818182,\n  \"cpuidle..usage\": 24536, \"a\": 20.0, \"n\": -3,"
      "\"e\": 8.088e+10, \"big\": 12345678901234567890, \"x\": null }",
      "stats.json");
  REQUIRE(metrics.size() == 6);
  CHECK(metrics[0].key == "a");
  CHECK(metrics[0].value == Number(20.0));
  CHECK(metrics[1].value == Number(12345678901234567890.0));
  CHECK(metrics[2].value == Number(24536));
  CHECK(metrics[3].value == Number(8.088e10));
  CHECK(metrics[4].value == Number(-3));
  CHECK(metrics[5].value == Number(79671.18181818182));
}

TEST_CASE("a key that comes twice counts with its last value") {
  const model::Metrics metrics = *parse_stats(R"({"b": 1, "a": 1, "a": 2, "b": 3})", "s");
  REQUIRE(metrics.size() == 2);
  CHECK(metrics[0].value == Number(2));
  CHECK(metrics[1].value == Number(3));
}

TEST_CASE("NaN is read, what is no number or out of range is not") {
  CHECK(std::isnan((*parse_stats("{\"a\": NaN, \"b\": 1}", "s"))[0].value.value()));
  CHECK(error_of(parse_stats("{\"a\": 1e999}", "s.json")) ==
        "reading 's.json': key 'a': '1e999' is no number, or out of range");
  CHECK(error_of(parse_stats("{\"a\": Infinity}", "s")).find("no number") != std::string::npos);
  CHECK(error_of(parse_stats("{\"a\": \"1\"}", "s")).find("no number") != std::string::npos);
  CHECK(error_of(parse_stats("{\"a\": [1]}", "s")).find("no number") != std::string::npos);
  for (const char* token : {"1-2", "0x10", "012", "-", "-x", "NaNa", "nulls", "+1"}) {
    const std::string row = std::string("{\"a\": ") + token + ", \"b\": 2}";
    CHECK_MESSAGE(error_of(parse_stats(row, "s")).find("no number") != std::string::npos, token);
    const std::string matrix = std::string("{\"a\": [1, ") + token + "], \"b\": [2, 3]}";
    CHECK_FALSE_MESSAGE(parse_matrix(matrix, "s").has_value(), token);
  }
  CHECK((*parse_stats("{\"a\": -0.5e-3 , \"b\": 0}", "s"))[0].value == Number(-0.5e-3));
}

TEST_CASE("damaged JSON is one clear error") {
  const std::string whole = R"({"a": 1, "b": 2.5, "c": 3})";
  REQUIRE(parse_stats(whole, "s").has_value());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string error = error_of(parse_stats(whole.substr(0, size), "s"));
    CHECK(error.starts_with("reading 's': "));
  }
  CHECK_FALSE(parse_stats(whole + " junk }", "s").has_value());
  CHECK_FALSE(parse_stats("[1, 2]", "s").has_value());
  CHECK_FALSE(parse_stats("{\"a\xff\": 1}", "s").has_value());
  CHECK_FALSE(parse_matrix(std::string(100000, '['), "s").has_value());
  CHECK_FALSE(parse_matrix("{\"a\": " + std::string(100000, '['), "s").has_value());
}

TEST_CASE("matrix.json is read in order, short rows stay short") {
  const model::Matrix matrix = *parse_matrix(
      R"({"z": [1, 2.5], "a": [0], "n": [null, NaN], "stats_source": ["/r/0/stats.json", "/r/1/stats.json"]})",
      "m");
  REQUIRE(matrix.rows.size() == 3);
  CHECK(matrix.rows[0].key == "z");
  CHECK(matrix.rows[0].values == std::vector<std::optional<Number>>{Number(1), Number(2.5)});
  CHECK(matrix.rows[1].values.size() == 1);
  CHECK_FALSE(matrix.rows[2].values[0].has_value());
  CHECK(matrix.sources[1] == "/r/1/stats.json");
  CHECK(matrix.columns() == 2);
}

TEST_CASE("a matrix is written as LKP does, holes as null or as its 0") {
  model::Matrix matrix;
  matrix.rows.push_back({"a\"b", {Number(1), std::nullopt, Number(2.0)}});
  matrix.rows.push_back({"e", {}});
  matrix.sources = {"/r/0/stats.json"};
  const std::string expected =
      "{\n  \"a\\\"b\": [\n    1,\n    null,\n    2.0\n  ],\n  \"e\": [],\n  \"stats_source\": [\n"
      "    \"/r/0/stats.json\"\n  ]\n}";
  CHECK(store::write_matrix(matrix) == expected);
  CHECK(store::write_matrix(matrix, store::Missing::zero).find("1,\n    0,\n    2.0") != std::string::npos);
  const model::Matrix again = *parse_matrix(expected, "m");
  CHECK(again.rows[0].key == "a\"b");
  CHECK(store::write_matrix(again) == expected);
}

TEST_CASE("gzip files are read as such, bombs and cut ones are refused") {
  const os::TempDir dir = *os::TempDir::create("/tmp", "kilter-gz");
  const os::Path file = dir.path() / "matrix.json.gz";
  const std::string bytes = gzip(R"({"a": [1, 2]})");
  REQUIRE(os::write_file(file, bytes).has_value());
  CHECK(store::read_matrix_file(file)->rows.at(0).values.size() == 2);
  REQUIRE(os::write_file(file, bytes.substr(0, bytes.size() / 2)).has_value());
  CHECK(store::read_matrix_file(file).error().message.find("damaged or cut off") != std::string::npos);
  REQUIRE(os::write_file(file, gzip(std::string(50000000, ' '))).has_value());
  CHECK(store::read_maybe_gzip(file, 1000000).error().message.find("larger than") != std::string::npos);
}

TEST_CASE("what is written can be read, whatever bytes a key has") {
  const std::string json =
      store::write_stats({{"a.speed\xff", model::Number(5)}, {"b\"\n", model::Number(6)}});
  const Result<model::Metrics> back = parse_stats(json, "stats.json");
  REQUIRE(back);
  REQUIRE(back->size() == 2);
  CHECK((*back)[0].key == "a.speed\uFFFD");
}
