#include "base/utf8.h"

#include "base/text.h"

#include <doctest/doctest.h>

using namespace kilter;

TEST_CASE("what is no UTF-8 becomes the replacement character, byte by byte") {
  CHECK(valid_utf8("speed\xff") == "speed\uFFFD");
  CHECK(valid_utf8("\xc3\xa9t\xc3") == "\u00e9t\uFFFD");
  CHECK(valid_utf8("\xe2\x82") == "\uFFFD\uFFFD");
  CHECK(valid_utf8("\xc0\xaf") == "\uFFFD\uFFFD");
  CHECK(valid_utf8("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(valid_utf8("\xf4\x90\x80\x80").size() == 12);
  CHECK(valid_utf8("\u20ac \U0001F600") == "\u20ac \U0001F600");
}

TEST_CASE("a terminal is given neither controls nor marks that turn the direction of writing") {
  CHECK(printable("\x1b[31mred\x7f") == "[31mred");
  CHECK(printable("a\xc2\x9b"
                  "31m") == "a\uFFFD\uFFFD31m");
  CHECK(printable("\x9b"
                  "31m") == "\uFFFD31m");
  CHECK(printable("a\u202Eb\u2066c") == "abc");
  CHECK(printable("na\u00efve \u2030\n\t") == "na\u00efve \u2030\n\t");
}
