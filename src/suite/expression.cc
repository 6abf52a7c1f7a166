#include "suite/expression.h"

#include "base/suggest.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace kilter::suite {
namespace {

constexpr int kDeepestExpression = 50;

std::string value_of(const Values& values, std::string_view name) {
  const auto it = values.find(name);
  return it == values.end() ? "" : it->second;
}

std::vector<std::string> known(const Values& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

// Recursive descent: sum -> product -> factor. `unset_` and `error_` end it early.
class Arithmetic {
 public:
  Arithmetic(std::string_view text, const Values& values) : text_(text), values_(values) {}

  Result<std::optional<double>> run() {
    const double value = sum(0);
    skip_blanks();
    if (error_.empty() && at_ != text_.size())
      error_ = fmt::format("'{}' is not understood", text_.substr(at_));
    if (!error_.empty()) return usage_error(fmt::format("evaluating '{}': {}", text_, error_));
    if (unset_) return std::optional<double>();
    if (!std::isfinite(value))
      return usage_error(fmt::format("evaluating '{}': the result is not finite", text_));
    return std::optional(value);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c) && error_.empty()) error_ = fmt::format("'{}' is missing", c);
  }

  double sum(int depth) {
    double value = product(depth);
    while (error_.empty()) {
      if (take('+'))
        value += product(depth);
      else if (take('-'))
        value -= product(depth);
      else
        break;
    }
    return value;
  }

  double product(int depth) {
    double value = factor(depth);
    while (error_.empty()) {
      if (take('*'))
        value *= factor(depth);
      else if (take('/'))
        value /= factor(depth);
      else
        break;
    }
    return value;
  }

  double factor(int depth) {
    if (depth > kDeepestExpression) error_ = "it is nested too deeply";
    if (!error_.empty()) return 0;
    if (take('-')) return -factor(depth + 1);
    if (take('(')) {
      const double value = sum(depth + 1);
      expect(')');
      return value;
    }
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    return named(text_.substr(begin, at_ - begin), depth);
  }

  double named(std::string_view word, int depth) {
    if (word.empty()) {
      error_ = "a number or a name is missing";
      return 0;
    }
    if (const std::optional<double> number = parse_double(word)) return *number;
    if (word == "min" || word == "max") return extreme(word == "min", depth);
    const auto it = values_.find(word);
    if (it == values_.end()) {
      error_ = fmt::format("there is no value '{}'{}", word, or_rather(word, known(values_)));
      return 0;
    }
    const std::optional<double> number = parse_double(it->second);
    if (!number && !it->second.empty())
      error_ = fmt::format("'{}' is '{}', which is no number", word, it->second);
    if (it->second.empty()) unset_ = true;
    return number.value_or(1);
  }

  double extreme(bool smaller, int depth) {
    expect('(');
    const double first = sum(depth + 1);
    expect(',');
    const double second = sum(depth + 1);
    expect(')');
    return smaller ? std::min(first, second) : std::max(first, second);
  }

  std::string_view text_;
  const Values& values_;
  std::size_t at_ = 0;
  bool unset_ = false;
  std::string error_;
};

Result<bool> clause_holds(std::string_view clause, const Values& values) {
  std::vector<std::string_view> parts = words(clause);
  const bool negated = parts.size() == 2 && parts[0] == "not";
  if (negated) parts.erase(parts.begin());
  if (parts.empty()) return usage_error("reading a condition: it is empty");
  if (!values.contains(parts[0])) {
    return usage_error(fmt::format("reading the condition '{}': there is no value '{}'{}", clause, parts[0],
                                   or_rather(parts[0], known(values))));
  }
  const std::string value = value_of(values, parts[0]);
  if (parts.size() == 1) return value.empty() == negated;
  if (parts.size() == 3 && parts[1] == "==") return value == parts[2];
  if (parts.size() == 3 && parts[1] == "!=") return value != parts[2];
  const bool not_in = parts.size() > 3 && parts[1] == "not" && parts[2] == "in";
  if (parts.size() > 2 && (parts[1] == "in" || not_in))
    return (std::find(parts.begin() + (not_in ? 3 : 2), parts.end(), value) != parts.end()) != not_in;
  return usage_error(fmt::format("reading the condition '{}': it is not understood", clause),
                     "forms: a, not a, a == x, a != x, a in x y, a not in x y, joined by ' and '");
}

}  // namespace

Result<std::optional<double>> evaluate(std::string_view expression, const Values& values) {
  return Arithmetic(expression, values).run();
}

std::string number_word(double value) {
  if (std::abs(value) < 1e15 && value == std::trunc(value))
    return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{}", value);
}

Result<bool> holds(std::string_view condition, const Values& values) {
  constexpr std::string_view kAnd = " and ";
  while (true) {
    const std::size_t end = condition.find(kAnd);
    ASSIGN_OR_RETURN(const bool one, clause_holds(trim(condition.substr(0, end)), values));
    if (!one || end == std::string_view::npos) return one;
    condition.remove_prefix(end + kAnd.size());
  }
}

Result<std::string> fill(std::string_view text, const Values& values) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool brace = text[i] == '{' || text[i] == '}';
    const bool doubled = brace && i + 1 < text.size() && text[i + 1] == text[i];
    if (text[i] != '{' || doubled) {
      filled += text[i];
      if (doubled) ++i;
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string_view::npos)
      return usage_error(fmt::format("filling in '{}': a '}}' is missing", text));
    const std::string_view name = text.substr(i + 1, end - i - 1);
    const auto it = values.find(name);
    if (it == values.end()) {
      return usage_error(fmt::format("filling in '{}': there is no value '{}'{}", text, name,
                                     or_rather(name, known(values))));
    }
    filled += it->second;
    i = end;
  }
  return filled;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    if (at + 1 < text.size() && text[at + 1] == '{') {
      at += 2;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    names.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return names;
}

Result<std::vector<std::string>> split_command_line(std::string_view line) {
  std::vector<std::string> found;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) found.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size() &&
                         (quote == 0 || std::string_view("\"\\$`").contains(line[i + 1]));
    if (escapes)
      word += line[++i];
    else if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else
      word += c;
  }
  if (quote != 0)
    return usage_error(fmt::format("reading the command '{}': a quote is not closed", printable(line)));
  if (in_word) found.push_back(word);
  return found;
}

}  // namespace kilter::suite
