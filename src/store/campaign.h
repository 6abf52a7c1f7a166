#pragma once

#include <cstdint>
#include <optional>
#include <string>

// What is measured over many runs, step by step, and goes on after anything that ends the program.
namespace kilter::store {

struct Campaign {
  std::int64_t id = 0;  // given by the store
  std::string kind;     // "ab", "run", "bisect"
  std::string key;      // what makes two requests the same campaign
  std::string request;  // JSON
  double started = 0;   // seconds since 1970
  std::optional<double> ended;
  std::string answer;  // JSON; "" until it has ended
};

}  // namespace kilter::store
