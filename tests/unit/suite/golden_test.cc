#include "os/files.h"
#include "suite/parse.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace kilter;
using namespace kilter::suite;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  return os::read_file(path).value_or("");
}

RawOutput raw_of(const fs::path& directory) {
  RawOutput output{read(directory / "in.txt"), {}};
  if (fs::is_directory(directory / "in.files"))
    for (const fs::path& file : os::list_directory(directory / "in.files"))
      output.files[file.filename().string()] = read(file);
  return output;
}

// tests/golden/suite/<set>/<case>/{parser,in.txt,expected.txt}; KILTER_UPDATE_GOLDEN=1 rewrites what is
// expected.
void check_set(const std::string& set, int least) {
  int cases = 0;
  for (const fs::path& directory : os::list_directory(fs::path(TESTS_DIR) / "golden/suite" / set)) {
    CAPTURE(directory.string());
    std::string parser = read(directory / "parser");
    while (parser.ends_with('\n')) parser.pop_back();
    const Result<ParsedOutput> parsed = parse_output(parser, raw_of(directory));
    REQUIRE_MESSAGE(parsed, parser);
    if (std::getenv("KILTER_UPDATE_GOLDEN") != nullptr)
      REQUIRE(os::write_file(directory / "expected.txt", as_lines(*parsed)));
    CHECK(as_lines(*parsed) == read(directory / "expected.txt"));
    ++cases;
  }
  CHECK(cases >= least);
}

}  // namespace

TEST_CASE("LKP's benchmark logs give LKP's lines") {
  check_set("lkp", 40);
}

TEST_CASE("what the real programs printed gives the metrics that stand in it") {
  check_set("capture", 36);
}
