#include "bench/file_copy.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace kilter::bench;

TEST_CASE("the slowest third of the passes is dropped and the rest averaged geometrically") {
  const FileCopyResult result = combine({{100, 30}, {400, 30.2}, {10, 30}});
  CHECK(result.samples == 2);
  CHECK(result.kilobytes_per_second == doctest::Approx(200));
  CHECK(result.seconds == doctest::Approx(30.1));
  CHECK(combine(std::vector<FileCopyPass>(10, {5, 1})).samples == 7);
  CHECK(combine({{7, 1}}).kilobytes_per_second == doctest::Approx(7));
}

TEST_CASE("the report is UnixBench's, line for line") {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  const FileCopy what{.copies = 2, .seconds = 30};
  const RunTimes times{.begin = 1796040503, .end = 1796040551};
  CHECK(unixbench_report(what, {.kilobytes_per_second = 1108198.0, .seconds = 30, .samples = 1}, times, 2) ==
        "------------------------------------------------------------------------\n"
        "Benchmark Run: Mon Nov 30 2026 12:08:23 - 12:09:11\n"
        "2 CPUs in system; running 2 parallel copies of tests\n"
        "\n"
        "File Copy 256 bufsize 500 maxblocks         1108198.0 KBps  (30.0 s, 1 samples)\n"
        "\n"
        "System Benchmarks Partial Index              BASELINE       RESULT    INDEX\n"
        "File Copy 256 bufsize 500 maxblocks            1655.0    1108198.0   6696.1\n"
        "                                                                   ========\n"
        "System Benchmarks Index Score (Partial Only)                         6696.1\n"
        "\n");
}

TEST_CASE("sizes without a baseline have no index") {
  const FileCopy what{.copies = 1, .buffer_size = 512, .max_blocks = 7};
  const std::string text =
      unixbench_report(what, {.kilobytes_per_second = 5, .seconds = 1, .samples = 1}, {}, 1);
  CHECK(text.find("running 1 parallel copy of tests") != std::string::npos);
  CHECK(text.find("INDEX") == std::string::npos);
}

TEST_CASE("copies really copy") {
  const auto pass = run_pass({.copies = 2, .seconds = 0.05});
  REQUIRE(pass);
  CHECK(pass->kilobytes_per_second > 0);
  CHECK(pass->seconds >= 0.05);
}
