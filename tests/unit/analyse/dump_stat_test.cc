#include "analyse/dump_stat.h"

#include "analyse/matrix.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace kilter;
using namespace kilter::analyse;

namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

model::SeriesFile dump(std::string_view monitor, std::string_view lines, bool as_lkp = false) {
  return dump_stat(monitor, lines, {.as_lkp = as_lkp}).value();
}

std::string values(const model::SeriesFile& file, const std::string& key) {
  for (const model::Series& series : file.series) {
    if (series.key != key) continue;
    std::string text;
    for (const model::Number& value : series.values) text += (text.empty() ? "" : " ") + value.json();
    return text;
  }
  return "none";
}

}  // namespace

TEST_CASE("parser lines become LKP's JSON, byte for byte") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TESTS_DIR "/golden/analyse/agg")) {
    if (entry.path().extension() != ".lines") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const model::SeriesFile file = dump(name, bytes_of(entry.path()), true);
    CHECK(series_json(file) == bytes_of(entry.path().parent_path() / (name + ".json")));
    ++count;
  }
  CHECK(count == 16);
}

TEST_CASE("a key that comes late or once is filled with zeros before it, and the gaps are known") {
  const model::SeriesFile file = dump("m", "time: 1\na: 5\ntime: 2\na: 6\ntime: 3\na: 7\nlast: 9\n");
  CHECK(values(file, "m.last") == "0 0 9");
  CHECK(file.series.back().gaps == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("numbers are read as written, and as LKP reads them where asked") {
  CHECK(values(dump("m", "a: 1e3\nb: 0x10\nc: 2.50\nd: -7\n"), "m.a") == "1000.0");
  CHECK(values(dump("m", "a: 1e3\nb: 0x10\n"), "m.b") == "16");
  CHECK(values(dump("m", "a: 1e3\nb: 0x10\nc: 2.50\n", true), "m.a") == "1");
  CHECK(values(dump("m", "a: 1e3\nc: 2.50\n", true), "m.c") == "2.5");
}

TEST_CASE("a value that is no number takes its record with it and leaves the others in line") {
  const model::SeriesFile file =
      dump("m", "time: 1\na: 1\nb: 10\ntime: 2\na: x\nb: 20\ntime: 3\na: 3\nb: 30\n");
  CHECK(values(file, "m.time") == "1 3");
  CHECK(values(file, "m.a") == "1 3");
  CHECK(values(file, "m.b") == "10 30");
}

TEST_CASE("values out of the possible range are left out") {
  const model::SeriesFile file =
      dump("vmstat", "time: 1\ncpu.us: 50\ntime: 2\ncpu.us: 5000\ntime: 3\ncpu.us: 60\n");
  CHECK(values(file, "vmstat.cpu.us") == "50 60");
}

TEST_CASE("a blank in a key rejects the text, a comment or a line without a value does not") {
  CHECK_FALSE(dump_stat("m", "a b: 1\n"));
  CHECK(dump("m", "# x\nhello\n\na: 1\n").series.size() == 1);
}

TEST_CASE("a record that was cut off is left out, one that lacks a key in the middle is not") {
  const char* cut = "time: 1\na: 1\nb: 1\ntime: 2\na: 2\nb: 2\ntime: 3\na: 3\n";
  CHECK(values(dump("m", cut), "m.a") == "1 2");
  CHECK(values(dump("m", cut, true), "m.a") == "1 2");
  const char* gone = "time: 1\na: 1\nb: 1\ntime: 2\na: 2\nb: 2\ntime: 3\nb: 3\n";
  CHECK(values(dump("m", gone), "m.b") == "1 2 3");
  CHECK(values(dump("m", gone, true), "m.b") == "1 2");
}

TEST_CASE("series that are zero throughout are dropped from wide tables, and from all as LKP does") {
  CHECK(values(dump("vmstat", "a: 0\nb: 1\n"), "vmstat.a") == "0");
  CHECK(values(dump("vmstat", "a: 0\nb: 1\n", true), "vmstat.a") == "none");
  CHECK(values(dump("slabinfo", "a: 0\nb: 1\n"), "slabinfo.a") == "none");
}

TEST_CASE("hostile text is bounded by its own size") {
  CHECK(dump("m", std::string(1 << 16, ':')).series.empty());
  CHECK(values(dump("m", "a: 99999999999999999999999\n"), "m.a") == "1.0e+23");
  CHECK(dump("m", "a: NaN\nb: Infinity\n").series.empty());
}
