#include "support/golden_matrix.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kilter::test {
namespace {

using Json = nlohmann::ordered_json;

model::Number number_of(const Json& value) {
  if (value.is_number_integer()) return {value.get<std::int64_t>()};
  return {value.get<double>()};
}

model::Matrix matrix_of(const Json& json) {
  model::Matrix matrix;
  for (const auto& [key, values] : json.items()) {
    model::MatrixRow& row = matrix.rows.emplace_back();
    row.key = key;
    for (const Json& value : values) row.values.emplace_back(number_of(value));
  }
  return matrix;
}

// Every scalar of the job and of its program's map but suite and category.
model::Axes axes_of(const Json& job) {
  model::Axes axes;
  for (const auto& [key, value] : job.items()) {
    if (key == "suite" || key == "category") continue;
    if (value.is_object())
      axes.merge(axes_of(value));
    else
      axes[key] = value.get<std::string>();
  }
  return axes;
}

}  // namespace

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

GoldenInput read_golden_input(const std::string& path) {
  const Json json = Json::parse(read_text(path));
  GoldenInput golden;
  for (const auto& [commit, matrix] : json.at("commits").items())
    golden.matrices.push_back(matrix_of(matrix));
  std::size_t index = 0;
  for (const auto& [commit, matrix] : json.at("commits").items()) {
    model::Axes axes = axes_of(json.at("job"));
    axes["commit"] = commit;
    golden.inputs.push_back({.axes = axes, .label = "", .subject = "", .matrix = &golden.matrices[index++]});
  }
  return golden;
}

std::string golden_text(const std::string& path, const std::string& actual) {
  if (std::getenv("KILTER_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  return read_text(path);
}

}  // namespace kilter::test
