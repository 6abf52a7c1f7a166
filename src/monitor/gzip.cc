#include "monitor/gzip.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <zlib.h>

namespace kilter::monitor {
namespace {

constexpr int kGzipFormat = 16;
constexpr int kWindowBits = 13;  // with kMemoryLevel about 48 KiB a stream
constexpr int kMemoryLevel = 6;
constexpr uInt kInflated = 65536;  // bytes at a time, not on the stack: it may be small

Bytef* input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

}  // namespace

struct Gzip::State {
  z_stream stream{};
  State() {
    ::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kWindowBits + kGzipFormat, kMemoryLevel,
                   Z_DEFAULT_STRATEGY);
  }
  ~State() { ::deflateEnd(&stream); }

  void run(std::string_view bytes, int flush, std::string& out) {
    std::array<char, 16384> room{};
    stream.next_in = input(bytes);
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = room.size();
      ::deflate(&stream, flush);
      out.append(room.data(), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
};

Gzip::Gzip() : state_(std::make_unique<State>()) {}
Gzip::~Gzip() = default;
Gzip::Gzip(Gzip&&) noexcept = default;
Gzip& Gzip::operator=(Gzip&&) noexcept = default;

void Gzip::add(std::string_view bytes, std::string& out) {
  state_->run(bytes, Z_NO_FLUSH, out);
}
void Gzip::finish(std::string& out) {
  state_->run({}, Z_FINISH, out);
}

Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit) {
  z_stream stream{};
  if (::inflateInit2(&stream, MAX_WBITS + kGzipFormat) != Z_OK) return failure("unpacking: out of memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, ::inflateEnd);
  std::string out;
  const std::unique_ptr<char[]> room = std::make_unique_for_overwrite<char[]>(kInflated);
  stream.next_in = input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(room.get());
    stream.avail_out = kInflated;
    status = ::inflate(&stream, Z_NO_FLUSH);
    out.append(room.get(), kInflated - stream.avail_out);
    if (out.size() > limit) return failure(fmt::format("unpacking: larger than {} bytes", limit));
    // Several streams one after another are one file.
    if (status == Z_STREAM_END && stream.avail_in > 0) status = ::inflateReset(&stream);
  }
  if (status == Z_DATA_ERROR && out.empty()) return failure("unpacking: not in gzip's format");
  return out;
}

}  // namespace kilter::monitor
