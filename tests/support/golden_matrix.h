#pragma once

#include "analyse/compare.h"
#include "model/series.h"

#include <string>
#include <utility>
#include <vector>

// The compare goldens: a job (its axes) and one matrix per commit, as JSON.
namespace kilter::test {

struct GoldenInput {
  std::vector<model::Matrix> matrices;
  std::vector<analyse::CompareInput> inputs;  // point into `matrices`
};

[[nodiscard]] GoldenInput read_golden_input(const std::string& path);
[[nodiscard]] std::string read_text(const std::string& path);

// Compares with the file, or writes it when KILTER_UPDATE_GOLDEN is set. Returns what the file holds.
[[nodiscard]] std::string golden_text(const std::string& path, const std::string& actual);

}  // namespace kilter::test
