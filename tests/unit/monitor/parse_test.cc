#include "monitor/parse.h"

#include "monitor/registry.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace kilter;
using namespace kilter::monitor;

namespace fs = std::filesystem;

namespace {

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string without_final_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("recordings parse to the lines that LKP's parsers print") {
  int count = 0;
  for (const auto& monitor : fs::directory_iterator(TESTS_DIR "/golden/monitor"))
    for (const auto& one : fs::directory_iterator(monitor.path())) {
      const std::string name = monitor.path().filename().string();
      CAPTURE(one.path().string());
      const Result<std::string> lines = parser_lines(name, slurp(one.path() / "in.txt"));
      REQUIRE(lines);
      CHECK(without_final_newline(*lines) == without_final_newline(slurp(one.path() / "expected.txt")));
      ++count;
    }
  CHECK(count >= 15);
}

TEST_CASE("states of cpuidle keep their names, and the sum over all of them is given too") {
  const char* raw = "time: 1\ncpu0.POLL.time: 1\ncpu0.POLL.usage: 2\ncpu1.POLL.time: 3\ncpu1.C1E.time: 5\n";
  CHECK(parser_lines("cpuidle", raw).value() ==
        "POLL.time: 4\nPOLL.usage: 2\nC1E.time: 5\n.time: 9\n.usage: 2\n");
}

TEST_CASE("counters too large to be summed stop at the largest number") {
  const std::string most = "9223372036854775807";
  CHECK(parser_lines("softirqs", "  CPU0 CPU1\n  HI: " + most + " 7\n")
            .value()
            .ends_with("HI: " + most + "\n"));
  CHECK(parser_lines("cpuidle", "time: 1\ncpu0.POLL.time: " + most + "\ncpu1.POLL.time: 3\n")
            .value()
            .starts_with("POLL.time: " + most + "\n"));
  CHECK(parser_lines("meminfo", "MemTotal: " + most + " kB\nMemFree: -5 kB\n")
            .value()
            .contains("Memused: " + most + "\n"));
}

TEST_CASE("diskstats of old and new kernels are read") {
  const std::string old_line = "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11";
  CHECK(parser_lines("diskstats", old_line).value().contains("time_in_queue.sda: 11\n"));
  CHECK_FALSE(parser_lines("diskstats", old_line).value().contains("discard"));
  CHECK(parser_lines("diskstats", old_line + " 12 13 14 15").value().contains("discard_ticks.sda: 15\n"));
  CHECK(parser_lines("diskstats", old_line + " 12 13 14 15 16 17").value().contains("flush_ticks.sda: 17\n"));
}

TEST_CASE("interrupts of a single CPU and of CPUs with holes in their numbers") {
  CHECK(parser_lines("softirqs", "   CPU0 \n  HI: 7\n").value() == "CPU0.HI: 7\nHI: 7\n");
  CHECK(parser_lines("interrupts", "  CPU0 CPU2\nLOC: 1 2 Local timer interrupts\n").value() ==
        "CPU0.LOC:Local_timer_interrupts: 1\nCPU2.LOC:Local_timer_interrupts: 2\n"
        "LOC:Local_timer_interrupts: 3\n");
}

TEST_CASE("iostat of newer sysstat has no colon after Device") {
  const char* raw = "2026-11-30T10:11:15+0100\nDevice r/s %util\nsda 1.00 2.00\n";
  CHECK(parser_lines("iostat", raw).value() == "time: 1796029875\nsda.r/s: 1.00\nsda.util: 2.00\n");
}

TEST_CASE("recordings that were cut off or garbled do not make a parser fail") {
  unsigned random = 1;
  for (const auto& monitor : fs::directory_iterator(TESTS_DIR "/golden/monitor"))
    for (const auto& one : fs::directory_iterator(monitor.path())) {
      const std::string name = monitor.path().filename().string();
      const std::string text = slurp(one.path() / "in.txt").substr(0, 4096);
      for (int round = 0; round < 40; ++round) {
        std::string garbled = text;
        for (int i = 0; i < 8 && !garbled.empty(); ++i) {
          random = random * 1664525 + 1013904223;
          garbled[(random >> 8) % garbled.size()] = static_cast<char>(random >> 24);
        }
        garbled.resize((random >> 4) % (garbled.size() + 1));
        CHECK(parser_lines(name, garbled));
      }
    }
}

TEST_CASE("no text makes a parser fail") {
  const std::string texts[] = {"",         "\n",           ":",         ": ",
                               "time:",    "time: ",       "a: b: c",   "{\"statistics\": [{",
                               "Node",     "Node 0, zone", "CPU0\n24:", std::string(100, '\0'),
                               "cpu0.: 1", "r\nr b\n1"};
  for (const Monitor& monitor : monitors())
    for (const std::string& text : texts)
      if (monitor.parse != nullptr) CHECK(parser_lines(monitor.name, text));
  CHECK_FALSE(parser_lines("no-such-monitor", ""));
}
