#include "os/lazy_library.h"

#include <doctest/doctest.h>

using kilter::os::LazyLibrary;

TEST_CASE("a library is loaded once and its functions are found") {
  LazyLibrary maths("libm.so.6", "libc6");
  REQUIRE(maths.load());
  REQUIRE(maths.load());
  REQUIRE(maths.function("cbrt") != nullptr);
  CHECK(reinterpret_cast<double (*)(double)>(maths.function("cbrt"))(27.0) == doctest::Approx(3.0));
  CHECK(maths.function("no_such_function") == nullptr);
}

TEST_CASE("a library that is not installed is named with its package") {
  LazyLibrary missing("libnone.so.1", "libnone1");
  const kilter::Status loaded = missing.load();
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().message.starts_with("loading 'libnone.so.1': "));
  CHECK(loaded.error().hint == "install libnone1");
}
