#pragma once

#include <cstdint>
#include <string>

namespace kilter::model {

// A measured value that remembers whether it was written as an integer: LKP's JSON, tables and thresholds
// tell 3 from 3.0. Integers beyond 2^53 keep their digits.
class Number {
 public:
  Number() = default;
  Number(std::int64_t value) : integer_(value), is_integer_(true) {}
  Number(int value) : Number(static_cast<std::int64_t>(value)) {}
  Number(double value) : value_(value) {}

  [[nodiscard]] double value() const { return is_integer_ ? static_cast<double>(integer_) : value_; }
  [[nodiscard]] bool is_integer() const { return is_integer_; }
  // 0 where it is no integer.
  [[nodiscard]] std::int64_t integer() const { return is_integer_ ? integer_ : 0; }
  // As Ruby's JSON writes it: integers plain, floats shortest round-trip with ".0" when whole ("20.0",
  // "8.088e+10").
  [[nodiscard]] std::string json() const;

  friend bool operator==(const Number& a, const Number& b) {
    if (a.is_integer_ != b.is_integer_) return false;
    return a.is_integer_ ? a.integer_ == b.integer_ : a.value_ == b.value_;
  }

 private:
  // 16 bytes, for a matrix holds a hundred thousand.
  union {
    std::int64_t integer_;
    double value_ = 0;
  };
  bool is_integer_ = false;
};

}  // namespace kilter::model
