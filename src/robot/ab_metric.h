#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>

// A number in what a command prints. Pure.
namespace kilter::robot {

class OutputMetric {
 public:
  // A bad pattern is a usage error that says what is wrong with it.
  [[nodiscard]] static Result<OutputMetric> compile(const std::string& pattern);
  OutputMetric(OutputMetric&&) noexcept;
  OutputMetric& operator=(OutputMetric&&) noexcept;
  ~OutputMetric();

  // The first group (the whole, where the pattern has none) of the last match, which lies within one line. No
  // match, and what is no finite number, are Errors.
  [[nodiscard]] Result<double> read(std::string_view output) const;

 private:
  struct Compiled;
  explicit OutputMetric(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace kilter::robot
