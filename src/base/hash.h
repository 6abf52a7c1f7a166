#pragma once

#include <string>
#include <string_view>

namespace kilter {

// SHA-256 (FIPS 180-4), as 64 hex digits: build ids, cache keys.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
// Its first 16 digits, for ids people read.
[[nodiscard]] std::string hash_hex(std::string_view bytes);

// The same over parts, for files too large for memory.
class Sha256 {
 public:
  void update(std::string_view bytes);
  [[nodiscard]] std::string finish_hex();

 private:
  void block(const unsigned char* bytes);

  unsigned state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned char buffer_[64] = {};
  unsigned long long size_ = 0;
};

}  // namespace kilter
