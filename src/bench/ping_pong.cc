#include "bench/ping_pong.h"

#include "bench/cpu_clock.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench {
namespace {

struct Pipe {
  os::Fd read_end;
  os::Fd write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure("making a pipe: " + os::errno_text(errno));
  return Pipe{os::Fd(ends[0]), os::Fd(ends[1])};
}

constexpr ssize_t kSize = sizeof(int);

Status play(int in, int out, int loops, bool serves) {
  int ball = 0;
  for (int i = 0; i < loops; ++i) {
    if (serves && ::write(out, &ball, kSize) != kSize)
      return failure("writing to a pipe: " + os::errno_text(errno));
    if (::read(in, &ball, kSize) != kSize) return failure("reading from a pipe: " + os::errno_text(errno));
    if (!serves && ::write(out, &ball, kSize) != kSize)
      return failure("writing to a pipe: " + os::errno_text(errno));
  }
  return {};
}

}  // namespace

Result<double> ping_pong(Crew::Kind kind, int loops) {
  ASSIGN_OR_RETURN(const Pipe there, make_pipe());
  ASSIGN_OR_RETURN(const Pipe back, make_pipe());
  ASSIGN_OR_RETURN(const std::unique_ptr<Crew> crew, Crew::create(kind, 2));
  const double begin = now();
  TRY(crew->add([&](unsigned) { return play(there.read_end.get(), back.write_end.get(), loops, false); }));
  TRY(crew->add([&](unsigned) { return play(back.read_end.get(), there.write_end.get(), loops, true); }));
  TRY(crew->join());
  return now() - begin;
}

}  // namespace kilter::bench
