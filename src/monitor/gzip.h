#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kilter::monitor {

// Compresses a stream in gzip's format, fast rather than small.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(Gzip&&) noexcept;
  Gzip& operator=(Gzip&&) noexcept;

  // Appends compressed bytes to `out`.
  void add(std::string_view bytes, std::string& out);
  void finish(std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The inverse, for whole files of at most `limit` bytes when unpacked. A cut-off file gives what is before
// the cut.
[[nodiscard]] Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit);

}  // namespace kilter::monitor
