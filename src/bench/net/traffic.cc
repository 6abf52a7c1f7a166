#include "bench/net/traffic.h"

#include "bench/cpu_clock.h"
#include "bench/timer.h"
#include "os/files.h"

#include <sys/mman.h>
#include <sys/sendfile.h>

#include <cerrno>
#include <unistd.h>
#include <vector>

namespace kilter::bench::net {
namespace {

constexpr double kLostAfter = 1;       // seconds without an answer to a datagram
constexpr double kDrainPatience = 30;  // seconds for a stream to arrive
constexpr off_t kFileSize = off_t{1} << 20;

tl::unexpected<Error> failed(const char* action) {
  return failure(std::string(action) + ": " + os::errno_text(errno));
}

Result<Sent> exchange(Traffic& traffic) {
  Sent sent;
  const int fd = traffic.socket.get();
  char byte = 0;
  while (time_is_up == 0) {
    if (::send(fd, &byte, 1, 0) != 1) {
      if (errno == EINTR) continue;
      return failed("sending a request");
    }
    const ssize_t got = ::recv(fd, &byte, 1, 0);
    if (got == 1) {
      sent.operations += 1;
    } else if (got == 0) {
      return failure("receiving a response: the server closed the connection");
    } else if (errno != EINTR && errno != EAGAIN) {
      return failed("receiving a response");
    }
  }
  return sent;
}

Result<Sent> exchange_datagrams(Traffic& traffic) {
  set_receive_timeout(traffic.socket.get(), kLostAfter);  // a lost datagram is sent again
  return exchange(traffic);
}

// The server closes first: the port of this end is free again at once.
Result<bool> connect_and_exchange(const Traffic& traffic) {
  const os::Fd socket(::socket(traffic.peer.family(), SOCK_STREAM, 0));
  if (!socket) return failed("making a socket");
  const sockaddr* const peer = reinterpret_cast<const sockaddr*>(&traffic.peer.storage);
  if (::connect(socket.get(), peer, traffic.peer.size) != 0)
    return errno == EINTR ? Result<bool>(false) : failed("connecting");
  char byte = 0;
  if (::send(socket.get(), &byte, 1, 0) != 1)
    return errno == EINTR ? Result<bool>(false) : failed("sending a request");
  const ssize_t got = ::recv(socket.get(), &byte, 1, 0);
  if (got < 0) return errno == EINTR ? Result<bool>(false) : failed("receiving a response");
  if (got == 0) return failure("receiving a response: the server closed the connection");
  return ::recv(socket.get(), &byte, 1, 0) == 0;
}

Result<Sent> connect_each_time(Traffic& traffic) {
  Sent sent;
  while (time_is_up == 0) {
    ASSIGN_OR_RETURN(const bool done, connect_and_exchange(traffic));
    if (done) sent.operations += 1;
  }
  return sent;
}

// Waits until the other end has read everything and closed.
Status drain(int fd) {
  cancel_timer();
  ::shutdown(fd, SHUT_WR);
  set_receive_timeout(fd, kDrainPatience);
  char rest = 0;
  ssize_t got = 0;
  do got = ::recv(fd, &rest, 1, 0);
  while (got > 0 || (got < 0 && errno == EINTR));
  if (got == 0) return {};
  return failed("waiting for the end of the stream");
}

Result<Sent> stream(Traffic& traffic) {
  Sent sent;
  const int fd = traffic.socket.get();
  const std::vector<char> buffer(static_cast<std::size_t>(traffic.message_size), 'k');
  while (time_is_up == 0) {
    const ssize_t put = ::send(fd, buffer.data(), buffer.size(), 0);
    if (put < 0 && errno != EINTR) return failed("sending");
    if (put > 0) {
      sent.bytes += static_cast<double>(put);
      sent.operations += 1;
    }
  }
  TRY(drain(fd));
  return sent;
}

Result<Sent> stream_of_file(Traffic& traffic) {
  Sent sent;
  const os::Fd file(::memfd_create("kilter-bench", MFD_CLOEXEC));
  if (!file || ::ftruncate(file.get(), kFileSize) != 0) return failed("making the file to send");
  const int fd = traffic.socket.get();
  off_t offset = 0;
  while (time_is_up == 0) {
    const ssize_t put = ::sendfile(fd, file.get(), &offset, static_cast<std::size_t>(traffic.message_size));
    if (put < 0 && errno != EINTR) return failed("sending a file");
    if (put > 0) {
      sent.bytes += static_cast<double>(put);
      sent.operations += 1;
    }
    if (offset >= kFileSize) offset = 0;
  }
  TRY(drain(fd));
  return sent;
}

// The server keeps the time.
Result<Sent> reverse_stream(Traffic& traffic) {
  Sent sent;
  cancel_timer();
  const int fd = traffic.socket.get();
  set_receive_timeout(fd, kDrainPatience);
  std::vector<char> buffer(static_cast<std::size_t>(sizes_of(fd).receive));
  for (;;) {
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got == 0) return sent;
    if (got < 0) return failed("receiving");
    sent.bytes += static_cast<double>(got);
    sent.operations += 1;
  }
}

Result<Sent> stream_of_messages(Traffic& traffic) {
  Sent sent;
  const int fd = traffic.socket.get();
  const std::vector<char> buffer(static_cast<std::size_t>(traffic.message_size), 'k');
  while (time_is_up == 0) {
    const ssize_t put = ::send(fd, buffer.data(), buffer.size(), 0);
    if (put >= 0) {
      sent.bytes += static_cast<double>(put);
      sent.operations += 1;
    } else if (errno == ENOBUFS) {
      sent.errors += 1;
    } else if (errno != EINTR) {
      return failed("sending a datagram");
    }
  }
  return sent;
}

using Loop = Result<Sent> (*)(Traffic& traffic);

Loop loop_of(Kind kind) {
  switch (kind) {
    case Kind::request_response:
      return exchange;
    case Kind::connect_each_time:
      return connect_each_time;
    case Kind::stream:
      return stream;
    case Kind::reverse_stream:
      return reverse_stream;
    case Kind::sendfile_stream:
      return stream_of_file;
    case Kind::datagram_request_response:
      return exchange_datagrams;
    case Kind::datagram_stream:
    case Kind::message_stream:
      return stream_of_messages;
  }
  return nullptr;
}

}  // namespace

Result<Sent> run_traffic(Traffic& traffic) {
  const Loop loop = loop_of(traffic.test->kind);
  set_timer(traffic.seconds);
  const double begin = now();
  Result<Sent> sent = loop(traffic);
  if (sent) sent->elapsed = now() - begin;
  cancel_timer();
  return sent;
}

}  // namespace kilter::bench::net
