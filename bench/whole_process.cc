// Times a command as a whole process: kilter_whole_process RUNS LIMIT_MS LABEL COMMAND..
// Prints the fastest and the median wall time beside the bar; the fastest is the figure to trust on a busy
// machine.
#include "base/text.h"
#include "os/process.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int runs = std::atoi(argv[1]);
  kilter::os::Command command{.argv = {argv + 4, argv + argc}};
  command.out.kind = kilter::os::Stream::Kind::discard;
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const kilter::Result<kilter::os::ProcessResult> result = kilter::os::system_runner().run(command);
    if (!result || !result->ok()) {
      fmt::print("{}: the command failed: {}\n", argv[3], result ? result->err : result.error().message);
      return 3;
    }
    times.push_back(result->elapsed * 1e3);
  }
  std::ranges::sort(times);
  fmt::print("{:<44} {:>8.2f} ms fastest {:>8.2f} ms median   bar {} ms\n", argv[3], times.front(),
             times[times.size() / 2], argv[2]);
  return 0;
}
