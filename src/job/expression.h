#pragma once

#include "base/result.h"
#include "model/node.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The expressions of `{{ }}` and of `<% %>`: a small safe part of Ruby.
//   literals     12  1.5  'text'  "text"  true  false  nil  [a, b]
//   names        any job key (nr_threads); job['key']; ___ (the value that brought an include file in)
//   operators    ? :  || or  && and  ! not  == !=  < <= > >=  + - * / %  unary -  value[key]
//   methods      to_i to_f to_s nil? empty? size length downcase upcase strip start_with? end_with? include?
//                key? has_key?
// No assignment, no loops, no calls of anything else. A name the job does not have is nil.
namespace kilter::job {

struct Value;
using Values = std::vector<Value>;

struct Value {
  // The Node is a map of the job (`job`, `___`); it is not owned and outlives the evaluation.
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Values, const model::Node*> data;

  [[nodiscard]] bool is_nil() const { return std::holds_alternative<std::monostate>(data); }
  // All but nil and false.
  [[nodiscard]] bool truthy() const;
  // As Ruby's to_s: nil is "".
  [[nodiscard]] std::string text() const;
};

// What a scalar, list or map of the job is in an expression: plain 12 is an integer, quoted "12" is text.
[[nodiscard]] Value value_of(const model::Node& node);

struct Scope {
  // The value of a bare name; nil when there is none.
  std::function<Result<Value>(std::string_view name)> lookup;
  const model::Node* job = nullptr;      // job['key']
  const model::Node* trigger = nullptr;  // ___
};

// Errors name the place: `at` is where the text begins. Division by zero, overflow, comparing text with
// numbers, more than 4096 characters or 64 levels are errors.
[[nodiscard]] Result<Value> evaluate(std::string_view text, const Scope& scope, const model::Mark& at);

}  // namespace kilter::job
