#include "robot/config.h"

#include <doctest/doctest.h>

namespace kilter::robot {
namespace {

struct Home {
  os::TempDir directory = *os::TempDir::create("/tmp", "config");
  [[nodiscard]] Result<Config> read(const std::string& text) const {
    REQUIRE(os::write_file(directory.path() / "config.yaml", text));
    return read_config(directory.path());
  }
};

TEST_CASE_FIXTURE(Home, "without a file, and with an empty one, URLs stay as they are") {
  CHECK(read_config(directory.path())->mirrored("https://x.org/a.git") == "https://x.org/a.git");
  CHECK(read("# nothing\n")->mirrors.empty());
}

TEST_CASE_FIXTURE(Home, "the longest prefix of a URL is replaced") {
  const Config config = read(
                            "mirrors:\n  https://github.com/: file:///srv/git/\n"
                            "  https://github.com/HewlettPackard/: 'git@lab:hp/'\n")
                            .value();
  CHECK(config.mirrored("https://github.com/a/b.git") == "file:///srv/git/a/b.git");
  CHECK(config.mirrored("https://github.com/HewlettPackard/netperf.git") == "git@lab:hp/netperf.git");
  CHECK(config.mirrored("https://gitlab.com/a") == "https://gitlab.com/a");
}

TEST_CASE_FIXTURE(Home, "what is not understood is said with its place") {
  CHECK(read("mirror: {}\n")
            .error()
            .message.contains("config.yaml:1:1: reading the configuration: unknown key"));
  CHECK(read("mirrors: [a]\n").error().message.contains("it is no map of URL prefixes"));
  CHECK(read("mirrors: {a: }\n").error().message.contains("mirror 'a'"));
  CHECK(read("- a\n").error().message.contains("no map"));
  CHECK_FALSE(read("mirrors: [\n"));
}

}  // namespace
}  // namespace kilter::robot
