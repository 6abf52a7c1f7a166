#include "base/quantity.h"

#include "base/hash.h"

#include <doctest/doctest.h>

using namespace kilter;

TEST_CASE("LKP durations cut the fraction before the unit") {
  CHECK(parse_lkp_seconds("300s") == 300);
  CHECK(parse_lkp_seconds("1.5m") == 60);
  CHECK(parse_lkp_seconds("10w") == 6048000);
  CHECK(parse_lkp_seconds("600") == 600);
  CHECK_FALSE(parse_lkp_seconds("x"));
}

TEST_CASE("sizes are powers of 1024 and overflow is refused") {
  CHECK(parse_bytes("1mb") == 1048576);
  CHECK(parse_bytes("10K") == 10240);
  CHECK_FALSE(parse_bytes("1kj"));
  CHECK_FALSE(parse_bytes("10"));
  CHECK_FALSE(parse_bytes("99999999999P"));
}

TEST_CASE("durations of our own options") {
  CHECK(parse_duration("20m") == 1200.0);
  CHECK(parse_duration("500ms") == 0.5);
  CHECK_FALSE(parse_duration("20 fortnights"));
  CHECK(format_duration(75) == "1m15s");
}

TEST_CASE("SHA-256 gives the published digests") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
