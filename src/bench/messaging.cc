#include "bench/messaging.h"

#include "bench/cpu_clock.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr std::size_t kMessage = 100;
constexpr rlim_t kOwnDescriptors = 64;

struct Channel {
  os::Fd in;
  os::Fd out;
};
using Group = std::array<Channel, kMessagingSenders>;

Result<Channel> make_channel(bool pipe) {
  int ends[2];
  const int failed =
      pipe ? ::pipe2(ends, O_CLOEXEC) : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  if (failed != 0) return failure("making a channel: " + os::errno_text(errno));
  return Channel{os::Fd(ends[0]), os::Fd(ends[1])};
}

Status receive(Crew& crew, int in, std::uint64_t messages) {
  std::array<char, kMessage> message{};
  crew.wait_for_start();
  for (std::uint64_t i = 0; i < messages; ++i) {
    for (std::size_t done = 0; done < kMessage;) {
      const ssize_t got = ::read(in, message.data() + done, kMessage - done);
      if (got <= 0) return failure("receiving a message: " + os::errno_text(got == 0 ? EPIPE : errno));
      done += static_cast<std::size_t>(got);
    }
  }
  return {};
}

Status send(Crew& crew, const Group& group, int loops) {
  std::array<char, kMessage> message{};
  crew.wait_for_start();
  for (int i = 0; i < loops; ++i) {
    for (const Channel& channel : group) {
      for (std::size_t done = 0; done < kMessage;) {
        const ssize_t put = ::write(channel.out.get(), message.data() + done, kMessage - done);
        if (put < 0) return failure("sending a message: " + os::errno_text(errno));
        done += static_cast<std::size_t>(put);
      }
    }
  }
  return {};
}

// Threads hold the channels of all groups in one process.
Status raise_file_limit(const Messaging& what) {
  const rlim_t held = what.kind == Crew::Kind::threads ? static_cast<rlim_t>(what.groups) : 1;
  const rlim_t need = kOwnDescriptors + static_cast<rlim_t>(2 * kMessagingSenders) * held;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= need) return {};
  const rlim_t had = limit.rlim_max;
  limit = {.rlim_cur = need, .rlim_max = std::max(limit.rlim_max, need)};
  if (::setrlimit(RLIMIT_NOFILE, &limit) == 0) return {};
  return failure(fmt::format("running: it needs {} open files and the limit is {}", need, had),
                 "raise it with `ulimit -n`");
}

Status add_group(Crew& crew, const Messaging& what, const std::shared_ptr<Group>& group) {
  const std::uint64_t messages = std::uint64_t{kMessagingSenders} * static_cast<std::uint64_t>(what.loops);
  for (unsigned i = 0; i < kMessagingSenders; ++i)
    TRY(crew.add(
        [&crew, group, messages, i](unsigned) { return receive(crew, (*group)[i].in.get(), messages); }));
  for (unsigned i = 0; i < kMessagingSenders; ++i)
    TRY(crew.add([&crew, group, loops = what.loops](unsigned) { return send(crew, *group, loops); }));
  return {};
}

}  // namespace

Result<double> run(const Messaging& what) {
  TRY(raise_file_limit(what));
  const unsigned members = 2 * kMessagingSenders * static_cast<unsigned>(what.groups);
  ASSIGN_OR_RETURN(const std::unique_ptr<Crew> crew, Crew::create(what.kind, members));
  for (int i = 0; i < what.groups; ++i) {
    const std::shared_ptr<Group> group = std::make_shared<Group>();  // owned by its 40 members
    for (Channel& channel : *group) {
      ASSIGN_OR_RETURN(channel, make_channel(what.pipes));
    }
    TRY(add_group(*crew, what, group));
  }
  ASSIGN_OR_RETURN(const double begin, crew->start());
  TRY(crew->join());
  return now() - begin;
}

}  // namespace kilter::bench
