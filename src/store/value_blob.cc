#include "store/value_blob.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

// A chunk is a 4-bit form for each of its values, then their bytes in turn, little-endian.
//   0       the integer 0
//   1..7    an integer (zigzag) in so many bytes
//   8       an integer in 8 bytes
//   9       a float in 8 bytes
//   10      a float rounded to sign, 8 bits of exponent and 31 of mantissa: 5 bytes
//   11      integer / 10^k: a byte of k (3 bits) and length (3 bits), the integer (zigzag)
//   12      p / q: a byte of the lengths of p (3 bits) and q (3 bits), p (zigzag), q
// Compressing the whole instead (zlib, zstd) was rejected: a series reads one value of each of many runs, and
// inflating 10 KB a run costs more than all the rest of the query.
namespace kilter::store {
namespace {

using model::Number;

constexpr std::array<double, 8> kPowers = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
constexpr double kWhole = 9007199254740992.0;  // 2^53: integers up to here are exact as doubles

enum Form : unsigned { kZero = 0, kInteger8 = 8, kFloat = 9, kRounded = 10, kScaled = 11, kRatio = 12 };
enum class Floats { exact, rounded };

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>(code >> 1) ^ -static_cast<std::int64_t>(code & 1);
}

std::size_t bytes_of(std::uint64_t value) {
  return static_cast<std::size_t>(std::bit_width(value) + 7) / 8;
}

void put_bytes(std::string& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i));
}

std::uint64_t get_bytes(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

struct Ratio {
  std::int64_t p = 0;
  std::int64_t q = 0;
};

// The fraction with the smallest denominator that divides to exactly `value`, by continued fractions.
std::optional<Ratio> as_ratio(double value) {
  double rest = std::abs(value);
  Ratio previous{1, 0};
  Ratio current{static_cast<std::int64_t>(rest), 1};
  for (int depth = 0; depth < 20; ++depth) {
    if (static_cast<double>(current.p) / static_cast<double>(current.q) == std::abs(value))
      return Ratio{value < 0 ? -current.p : current.p, current.q};
    rest = 1 / (rest - std::floor(rest));
    if (!(rest < 1e7)) return std::nullopt;
    const std::int64_t whole = static_cast<std::int64_t>(rest);
    const Ratio next{whole * current.p + previous.p, whole * current.q + previous.q};
    if (next.q >= 1 << 20 || static_cast<double>(next.p) > 1e13) return std::nullopt;
    previous = std::exchange(current, next);
  }
  return std::nullopt;
}

bool encode_scaled(double value, std::string& out) {
  for (std::size_t k = 0; k < kPowers.size(); ++k) {
    const double scaled = std::round(value * kPowers[k]);
    if (std::abs(scaled) >= kWhole) return false;
    if (scaled / kPowers[k] != value || (scaled == 0 && std::signbit(value))) continue;
    const std::uint64_t code = zigzag(static_cast<std::int64_t>(scaled));
    const std::size_t size = bytes_of(code);
    if (size > 6) return false;
    out += static_cast<char>(k | size << 3);
    put_bytes(out, code, size);
    return true;
  }
  return false;
}

bool encode_ratio(double value, std::string& out) {
  if (value == 0 || !(std::abs(value) < 1e12)) return false;
  const std::optional<Ratio> ratio = as_ratio(value);
  if (!ratio) return false;
  const std::uint64_t p = zigzag(ratio->p);
  const std::uint64_t q = static_cast<std::uint64_t>(ratio->q);
  if (bytes_of(p) + bytes_of(q) > 6) return false;
  out += static_cast<char>(bytes_of(p) | bytes_of(q) << 3);
  put_bytes(out, p, bytes_of(p));
  put_bytes(out, q, bytes_of(q));
  return true;
}

// Sign, exponent - 1023 + 127 and the upper 31 bits of the mantissa; false outside that exponent range.
bool encode_rounded(double value, std::string& out) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) + (std::uint64_t{1} << 20);
  const std::uint64_t exponent = bits >> 52 & 0x7ff;
  if (exponent < 1023 - 127 || exponent > 1023 + 127) return false;
  const std::uint64_t mantissa = bits >> 21 & 0x7fffffff;
  put_bytes(out, bits >> 63 << 39 | (exponent - (1023 - 127)) << 31 | mantissa, 5);
  return true;
}

double decode_rounded(std::uint64_t code) {
  const std::uint64_t exponent = (code >> 31 & 0xff) + (1023 - 127);
  return std::bit_cast<double>(code >> 39 << 63 | exponent << 52 | (code & 0x7fffffff) << 21);
}

unsigned encode_integer(std::int64_t value, std::string& out) {
  const std::uint64_t code = zigzag(value);
  const std::size_t size = bytes_of(code);
  put_bytes(out, code, size);
  return static_cast<unsigned>(size);
}

unsigned encode_one(const Number& number, Floats floats, std::string& out) {
  if (number.is_integer()) return encode_integer(number.integer(), out);
  const double value = number.value();
  if (encode_scaled(value, out)) return kScaled;
  if (encode_ratio(value, out)) return kRatio;
  if (floats == Floats::rounded && encode_rounded(value, out)) return kRounded;
  put_bytes(out, std::bit_cast<std::uint64_t>(value), 8);
  return kFloat;
}

std::string encode_chunk(std::span<const Number> values, Floats floats) {
  std::string forms((values.size() + 1) / 2, '\0');
  std::string bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned form = encode_one(values[i], floats, bytes);
    forms[i / 2] = static_cast<char>(static_cast<unsigned char>(forms[i / 2]) | form << (i % 2 * 4));
  }
  return forms + bytes;
}

std::vector<std::string> encode_all(std::span<const Number> values, Floats floats) {
  std::vector<std::string> chunks;
  for (std::size_t from = 0; from < values.size(); from += kChunk)
    chunks.push_back(encode_chunk(values.subspan(from, std::min(kChunk, values.size() - from)), floats));
  return chunks;
}

// Takes `size` bytes off the front; short input gives nullopt.
std::optional<std::string_view> take(std::string_view& bytes, std::size_t size) {
  if (bytes.size() < size) return std::nullopt;
  const std::string_view part = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return part;
}

std::optional<Number> read_scaled(std::string_view& bytes) {
  const std::optional<std::string_view> head = take(bytes, 1);
  if (!head) return std::nullopt;
  const unsigned char shape = static_cast<unsigned char>(head->front());
  const std::optional<std::string_view> code = take(bytes, shape >> 3);
  if (!code || code->size() > 7) return std::nullopt;
  return Number(static_cast<double>(unzigzag(get_bytes(*code))) / kPowers[shape & 7]);
}

std::optional<Number> read_ratio(std::string_view& bytes) {
  const std::optional<std::string_view> head = take(bytes, 1);
  if (!head) return std::nullopt;
  const unsigned char shape = static_cast<unsigned char>(head->front());
  const std::optional<std::string_view> p = take(bytes, shape & 7);
  const std::optional<std::string_view> q = take(bytes, shape >> 3);
  if (!p || !q || q->empty() || q->size() > 7) return std::nullopt;
  return Number(static_cast<double>(unzigzag(get_bytes(*p))) / static_cast<double>(get_bytes(*q)));
}

std::optional<Number> read_plain(unsigned form, std::string_view& bytes) {
  const std::size_t size = form <= kInteger8 ? form : form == kFloat ? 8 : 5;
  const std::optional<std::string_view> part = take(bytes, size);
  if (!part) return std::nullopt;
  const std::uint64_t code = get_bytes(*part);
  if (form <= kInteger8) return Number(unzigzag(code));
  return Number(form == kFloat ? std::bit_cast<double>(code) : decode_rounded(code));
}

std::optional<Number> read_one(unsigned form, std::string_view& bytes) {
  if (form <= kRounded) return read_plain(form, bytes);
  if (form == kScaled) return read_scaled(bytes);
  return form == kRatio ? read_ratio(bytes) : std::nullopt;
}

// Steps over a value without making it; false when it is damaged.
bool skip_one(unsigned form, std::string_view& bytes) {
  std::size_t size = form <= kInteger8 ? form : form == kFloat ? 8 : 5;
  if (form > kRatio) return false;
  if (form == kScaled || form == kRatio) {
    if (bytes.empty()) return false;
    const unsigned char shape = static_cast<unsigned char>(bytes.front());
    size = 1u + (shape >> 3) + (form == kRatio ? shape & 7u : 0u);
  }
  return take(bytes, size).has_value();
}

unsigned form_of(std::string_view chunk, std::size_t i) {
  return static_cast<unsigned char>(chunk[i / 2]) >> (i % 2 * 4) & 0xf;
}

}  // namespace

std::vector<std::string> encode_values(std::span<const Number> values) {
  std::vector<std::string> exact = encode_all(values, Floats::exact);
  std::size_t size = 0;
  for (const std::string& chunk : exact) size += chunk.size();
  return size <= 64 + values.size() * 11 / 2 ? exact : encode_all(values, Floats::rounded);
}

bool decode_chunk(std::string_view bytes, std::size_t count, std::vector<Number>& values) {
  const std::string_view forms = bytes.substr(0, (count + 1) / 2);
  if (forms.size() < (count + 1) / 2) return false;
  bytes.remove_prefix(forms.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<Number> value = read_one(form_of(forms, i), bytes);
    if (!value) return false;
    values.push_back(*value);
  }
  return true;
}

std::optional<Number> value_at(std::string_view bytes, std::size_t count, std::size_t index) {
  const std::string_view forms = bytes.substr(0, (count + 1) / 2);
  if (index >= count || forms.size() < (count + 1) / 2) return std::nullopt;
  bytes.remove_prefix(forms.size());
  for (std::size_t i = 0; i < index; ++i)
    if (!skip_one(form_of(forms, i), bytes)) return std::nullopt;
  return read_one(form_of(forms, index), bytes);
}

}  // namespace kilter::store
