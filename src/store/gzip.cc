#include "store/lkp_json.h"

#include <fmt/core.h>

#include <zlib.h>

namespace kilter::store {
namespace {

struct Inflater {
  z_stream stream = {};
  bool ready = false;
  Inflater() : ready(inflateInit2(&stream, 15 + 16) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
};

}  // namespace

Result<std::string> read_maybe_gzip(const Path& path, std::size_t limit) {
  ASSIGN_OR_RETURN(std::string bytes, os::read_file(path, limit));
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  Inflater inflater;
  inflater.stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  inflater.stream.avail_in = static_cast<uInt>(std::min(bytes.size(), std::size_t{0xffffffff}));
  std::string text;
  int state = inflater.ready ? Z_OK : Z_MEM_ERROR;
  while (state == Z_OK) {
    const std::size_t used = text.size();
    if (used > limit)
      return failure(
          fmt::format("reading '{}': larger than {} bytes when decompressed", path.string(), limit));
    text.resize(used + (std::size_t{1} << 18));
    inflater.stream.next_out = reinterpret_cast<Bytef*>(text.data() + used);
    inflater.stream.avail_out = static_cast<uInt>(text.size() - used);
    state = inflate(&inflater.stream, Z_NO_FLUSH);
    text.resize(text.size() - inflater.stream.avail_out);
  }
  if (state != Z_STREAM_END)
    return failure(fmt::format("reading '{}': the gzip data is damaged or cut off", path.string()));
  return text;
}

}  // namespace kilter::store
