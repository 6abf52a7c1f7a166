#include "base/text.h"
#include "job/expression.h"
#include "model/number.h"

namespace kilter::job {

using model::Node;

bool Value::truthy() const {
  const bool* flag = std::get_if<bool>(&data);
  return !is_nil() && (flag == nullptr || *flag);
}

std::string Value::text() const {
  if (const bool* flag = std::get_if<bool>(&data)) return *flag ? "true" : "false";
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&data)) return std::to_string(*integer);
  if (const double* number = std::get_if<double>(&data)) return model::Number(*number).json();
  const std::string* text = std::get_if<std::string>(&data);
  return text != nullptr ? *text : std::string();
}

Value value_of(const Node& node) {
  if (node.is_null()) return {};
  if (node.is_map()) return {&node};
  if (node.is_list()) {
    Values values;
    for (const Node& item : node.items()) values.push_back(value_of(item));
    return {std::move(values)};
  }
  if (node.quoted()) return {node.text()};
  if (node.text() == "true" || node.text() == "false") return {node.text() == "true"};
  if (const std::optional<std::int64_t> integer = parse_int(node.text())) return {*integer};
  const bool point = node.text().find('.') != std::string::npos;
  if (const std::optional<double> number = parse_double(node.text()); number && point) return {*number};
  return {node.text()};
}

}  // namespace kilter::job
