#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace kilter::report {

// A further test on which the same commit has a significant effect.
struct BoxedTest {
  std::string testcase;
  std::string change;   // "stress-ng.sem.sem_wait_calls_per_sec 10.0% improvement"
  std::string machine;  // its description; "" leaves the row out
  std::map<std::string, std::string> parameters;
};

// The frame of the mail's "In addition to that" part, a newline after each of its lines; "" without tests.
// Foreign text cannot break the frame.
[[nodiscard]] std::string box_frame(std::span<const BoxedTest> tests);

}  // namespace kilter::report
