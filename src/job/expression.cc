#include "job/expression.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxDepth = 64;

std::string_view kind_name(const Value& value) {
  constexpr std::array<std::string_view, 7> kNames = {"nil",  "true or false", "a number", "a number",
                                                      "text", "a list",        "a map"};
  return kNames[value.data.index()];
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value.data) || std::holds_alternative<double>(value.data);
}

double as_double(const Value& value) {
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data))
    return static_cast<double>(*integer);
  return std::get<double>(value.data);
}

bool same(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return as_double(a) == as_double(b);
  if (a.data.index() != b.data.index()) return false;
  if (const Values* list = std::get_if<Values>(&a.data))
    return std::ranges::equal(*list, std::get<Values>(b.data), same);
  if (const Node* const* node = std::get_if<const Node*>(&a.data))
    return **node == *std::get<const Node*>(b.data);
  return a.is_nil() || a.text() == b.text();
}

// Ruby's String#to_i and #to_f: the number the text begins with, else 0.
Value leading_number(const std::string& text, bool integer) {
  const std::string_view trimmed = trim(text);
  std::size_t end = 0;
  bool dot = false;
  while (end < trimmed.size() && end < 19) {
    const char c = trimmed[end];
    const bool sign = end == 0 && (c == '-' || c == '+');
    const bool point = !integer && !dot && c == '.';
    if (!sign && !point && !std::isdigit(static_cast<unsigned char>(c))) break;
    dot = dot || point;
    ++end;
  }
  const std::string_view digits = trimmed.substr(trimmed.starts_with('+') ? 1 : 0, end);
  if (integer) return {parse_int(digits).value_or(0)};
  return {parse_double(digits).value_or(0.0)};
}

// Recursive descent that evaluates as it reads. The part that is not taken (`a ? b : c`, `a && b`) is read
// with live_ false and yields nil. The first error is kept in error_ and ends everything.
class Evaluator {
 public:
  Evaluator(std::string_view text, const Scope& scope, const Mark& at)
      : text_(text), scope_(scope), at_(at) {}

  Result<Value> run() {
    if (text_.size() > kMaxLength) complain(fmt::format("longer than {} characters", kMaxLength));
    Value value = ternary();
    skip_blanks();
    if (!error_ && position_ < text_.size())
      complain(fmt::format("unexpected '{}'", printable(std::string(text_.substr(position_, 12)))));
    if (error_) return fail(std::move(*error_));
    return value;
  }

 private:
  static constexpr const char* kHint =
      "expressions know job keys, literals, ?:, && || !, == != < <= > >=, + - * / %, [key] and methods such "
      "as "
      "to_i, start_with?('x')";

  Value complain(const std::string& message) {
    if (error_) return {};
    Mark mark = at_;
    for (std::size_t i = 0; i < std::min(position_, text_.size()); ++i) {
      ++mark.column;
      if (text_[i] == '\n') mark = {mark.file, mark.line + 1, 1};
    }
    error_ = Error{ErrorCode::usage,
                   fmt::format("{}: expression '{}': {}", mark.text(),
                               printable(std::string(trim(text_.substr(0, 60)))), message),
                   kHint};
    return {};
  }

  bool going() const { return !error_; }
  bool working() const { return live_ && !error_; }

  void skip_blanks() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(position_).starts_with(symbol)) return false;
    position_ += symbol.size();
    return true;
  }
  static bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  bool take_word(std::string_view word) {
    skip_blanks();
    const std::string_view rest = text_.substr(position_);
    if (!rest.starts_with(word) || (rest.size() > word.size() && name_char(rest[word.size()]))) return false;
    position_ += word.size();
    return true;
  }
  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  char peek_after(std::size_t offset) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }
  void expect(std::string_view symbol) {
    if (going() && !take(symbol)) complain(fmt::format("'{}' expected", symbol));
  }

  // Reads one part that is evaluated only if `taken`.
  template <class Read>
  Value only_if(bool taken, Read read) {
    const bool before = live_;
    live_ = live_ && taken;
    Value value = read();
    live_ = before;
    return value;
  }

  Value ternary() {
    if (++depth_ > kMaxDepth) return complain("too deeply nested");
    Value value = either();
    if (going() && take("?")) {
      const bool condition = value.truthy();
      Value yes = only_if(condition, [this] { return ternary(); });
      expect(":");
      Value no = only_if(!condition, [this] { return ternary(); });
      value = condition ? std::move(yes) : std::move(no);
    }
    --depth_;
    return value;
  }

  Value either() {
    Value value = both();
    while (going() && (take("||") || take_word("or"))) {
      const bool known = value.truthy();
      Value other = only_if(!known, [this] { return both(); });
      if (!known) value = std::move(other);
    }
    return value;
  }

  Value both() {
    Value value = negation();
    while (going() && (take("&&") || take_word("and"))) {
      const bool open = value.truthy();
      Value other = only_if(open, [this] { return negation(); });
      if (open) value = std::move(other);
    }
    return value;
  }

  Value negation() {
    if (take_word("not")) return {!negation_operand().truthy()};
    return comparison();
  }
  Value negation_operand() {
    if (++depth_ > kMaxDepth) return complain("too deeply nested");
    Value value = negation();
    --depth_;
    return value;
  }

  Value comparison() {
    Value left = sum();
    for (const std::string_view symbol : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!going() || !take(symbol)) continue;
      const Value right = sum();
      return working() ? compare(symbol, left, right) : Value{};
    }
    return left;
  }

  Value compare(std::string_view symbol, const Value& a, const Value& b) {
    if (symbol == "==") return {same(a, b)};
    if (symbol == "!=") return {!same(a, b)};
    const bool texts =
        std::holds_alternative<std::string>(a.data) && std::holds_alternative<std::string>(b.data);
    if (!texts && !(is_number(a) && is_number(b)))
      return complain(fmt::format("'{}' cannot compare {} with {}", symbol, kind_name(a), kind_name(b)));
    const double order =
        texts ? static_cast<double>(a.text().compare(b.text())) : as_double(a) - as_double(b);
    if (symbol == "<") return {order < 0};
    if (symbol == "<=") return {order <= 0};
    return {symbol == ">" ? order > 0 : order >= 0};
  }

  Value sum() {
    Value value = product();
    while (going()) {
      if (take("+"))
        value = arithmetic('+', value, product());
      else if (take("-"))
        value = arithmetic('-', value, product());
      else
        break;
    }
    return value;
  }

  Value product() {
    Value value = unary();
    while (going()) {
      if (take("*"))
        value = arithmetic('*', value, unary());
      else if (take("/"))
        value = arithmetic('/', value, unary());
      else if (peek() == '%' && peek_after(1) != '>' && take("%"))
        value = arithmetic('%', value, unary());
      else
        break;
    }
    return value;
  }

  Value arithmetic(char symbol, const Value& a, const Value& b) {
    if (!working()) return {};
    const std::string* text = std::get_if<std::string>(&a.data);
    if (symbol == '+' && text != nullptr && std::holds_alternative<std::string>(b.data))
      return {*text + b.text()};
    if (!is_number(a) || !is_number(b))
      return complain(fmt::format("'{}' cannot join {} and {}", symbol, kind_name(a), kind_name(b)));
    const std::int64_t* x = std::get_if<std::int64_t>(&a.data);
    const std::int64_t* y = std::get_if<std::int64_t>(&b.data);
    return x != nullptr && y != nullptr ? integers(symbol, *x, *y)
                                        : doubles(symbol, as_double(a), as_double(b));
  }

  Value integers(char symbol, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    const bool divides = symbol == '/' || symbol == '%';
    if (divides && b == 0) return complain("division by zero");
    const bool overflow = symbol == '+'   ? __builtin_add_overflow(a, b, &result)
                          : symbol == '-' ? __builtin_sub_overflow(a, b, &result)
                          : symbol == '*' ? __builtin_mul_overflow(a, b, &result)
                                          : a == INT64_MIN && b == -1;
    if (overflow) return complain("the number is too large");
    if (!divides) return {result};
    const std::int64_t quotient =
        a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);  // floored, as in Ruby
    return {symbol == '/' ? quotient : a - quotient * b};
  }

  Value doubles(char symbol, double a, double b) {
    if ((symbol == '/' || symbol == '%') && b == 0) return complain("division by zero");
    switch (symbol) {
      case '+':
        return {a + b};
      case '-':
        return {a - b};
      case '*':
        return {a * b};
      case '/':
        return {a / b};
      default:
        return {a - std::floor(a / b) * b};
    }
  }

  Value unary() {
    if (++depth_ > kMaxDepth) return complain("too deeply nested");
    Value value;
    if (peek() == '!' && peek_after(1) != '=' && take("!"))
      value = {!unary().truthy()};
    else if (take("-"))
      value = arithmetic('-', Value{std::int64_t{0}}, unary());
    else
      value = postfix(primary());
    --depth_;
    return value;
  }

  Value postfix(Value value) {
    while (going()) {
      if (peek() == '[') {
        take("[");
        const Value key = ternary();
        expect("]");
        value = working() ? at(value, key) : Value{};
      } else if (peek() == '.' && !std::isdigit(static_cast<unsigned char>(peek_after(1)))) {
        take(".");
        value = method(value);
      } else {
        break;
      }
    }
    return value;
  }

  Value at(const Value& value, const Value& key) {
    if (const Node* const* node = std::get_if<const Node*>(&value.data)) {
      const Node* found = (*node)->find(key.text());
      return found == nullptr ? Value{} : value_of(*found);
    }
    const Values* list = std::get_if<Values>(&value.data);
    const std::int64_t* index = std::get_if<std::int64_t>(&key.data);
    if (list == nullptr || index == nullptr)
      return complain(fmt::format("[] cannot look into {}", kind_name(value)));
    const std::int64_t size = static_cast<std::int64_t>(list->size());
    const std::int64_t from_start = *index < 0 ? *index + size : *index;
    return from_start < 0 || from_start >= size ? Value{} : (*list)[static_cast<std::size_t>(from_start)];
  }

  std::string name() {
    skip_blanks();
    const std::size_t start = position_;
    while (position_ < text_.size() && name_char(text_[position_])) ++position_;
    return std::string(text_.substr(start, position_ - start));
  }

  Value method(const Value& value) {
    std::string called = name();
    if (position_ < text_.size() && text_[position_] == '?') called += text_[position_++];
    Values arguments;
    if (peek() == '(') arguments = list_until("(", ")");
    if (!working()) return {};
    return arguments.empty() ? query(value, called) : question(value, called, arguments);
  }

  Values list_until(std::string_view opening, std::string_view closing) {
    Values values;
    expect(opening);
    while (going() && !take(closing)) {
      values.push_back(ternary());
      if (peek() != closing.front()) expect(",");
    }
    return values;
  }

  Value query(const Value& value, const std::string& called) {
    const std::string text = value.text();
    const bool number = is_number(value);
    if (called == "nil?") return {value.is_nil()};
    if (called == "to_s") return {text};
    if (called == "to_i")
      return number ? Value{static_cast<std::int64_t>(as_double(value))} : leading_number(text, true);
    if (called == "to_f") return number ? Value{as_double(value)} : leading_number(text, false);
    if (called == "empty?") return {size_of(value) == 0};
    if (called == "size" || called == "length") return {size_of(value)};
    if (std::holds_alternative<std::string>(value.data)) {
      if (called == "strip") return {std::string(trim(text))};
      if (called == "downcase" || called == "upcase") return {recased(text, called == "upcase")};
    }
    return complain(fmt::format("unknown method '{}' of {}", printable(called), kind_name(value)));
  }

  static std::string recased(std::string text, bool upper) {
    for (char& c : text) {
      const unsigned char byte = static_cast<unsigned char>(c);
      c = static_cast<char>(upper ? std::toupper(byte) : std::tolower(byte));
    }
    return text;
  }

  static std::int64_t size_of(const Value& value) {
    if (const Values* list = std::get_if<Values>(&value.data)) return static_cast<std::int64_t>(list->size());
    if (const Node* const* node = std::get_if<const Node*>(&value.data))
      return static_cast<std::int64_t>((*node)->entries().size());
    return static_cast<std::int64_t>(value.text().size());
  }

  Value question(const Value& value, const std::string& called, const Values& arguments) {
    const auto any = [&arguments](auto holds) { return Value{std::ranges::any_of(arguments, holds)}; };
    if (const Node* const* node = std::get_if<const Node*>(&value.data)) {
      if (called == "key?" || called == "has_key?" || called == "include?")
        return any([node](const Value& key) { return (*node)->find(key.text()) != nullptr; });
    } else if (const Values* list = std::get_if<Values>(&value.data)) {
      if (called == "include?")
        return any([list](const Value& wanted) {
          return std::ranges::any_of(*list, [&wanted](const Value& item) { return same(item, wanted); });
        });
    } else if (const std::string* text = std::get_if<std::string>(&value.data)) {
      if (called == "start_with?") return any([text](const Value& v) { return text->starts_with(v.text()); });
      if (called == "end_with?") return any([text](const Value& v) { return text->ends_with(v.text()); });
      if (called == "include?") return any([text](const Value& v) { return text->contains(v.text()); });
    }
    return complain(fmt::format("unknown method '{}' of {}", printable(called), kind_name(value)));
  }

  Value primary() {
    const char next = peek();
    if (next == '(') {
      take("(");
      Value value = ternary();
      expect(")");
      return value;
    }
    if (next == '[') return {list_until("[", "]")};
    if (next == '\'' || next == '"') return quoted(next);
    if (std::isdigit(static_cast<unsigned char>(next))) return number();
    if (std::isalpha(static_cast<unsigned char>(next)) || next == '_') return named();
    return complain(next == '\0' ? std::string("a value is missing at the end") : "a value is expected here");
  }

  Value quoted(char quote) {
    std::string text;
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      if (text_[position_] == '#' && quote == '"' && peek_after(1) == '{')
        return complain("\"#{...}\" is not supported: join with +");
      if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
      text += text_[position_];
    }
    if (position_ >= text_.size()) return complain("the closing quote is missing");
    ++position_;
    return {text};
  }

  Value number() {
    const std::size_t start = position_;
    while (std::isdigit(static_cast<unsigned char>(peek_after(0)))) ++position_;
    if (peek_after(0) == '.' && std::isdigit(static_cast<unsigned char>(peek_after(1)))) {
      ++position_;
      while (std::isdigit(static_cast<unsigned char>(peek_after(0)))) ++position_;
      return {parse_double(text_.substr(start, position_ - start)).value_or(0.0)};
    }
    const std::optional<std::int64_t> value = parse_int(text_.substr(start, position_ - start));
    return value ? Value{*value} : complain("the number is too large");
  }

  Value named() {
    const std::size_t start = position_;
    const std::string word = name();
    if (word == "true" || word == "false") return {word == "true"};
    if (word == "nil") return {};
    if (peek_after(0) == '(') {
      position_ = start;
      return complain(fmt::format("unknown function '{}'", word));
    }
    if (!working()) return {};
    if (word == "job") return scope_.job == nullptr ? Value{} : Value{scope_.job};
    if (word == "___") return scope_.trigger == nullptr ? Value{} : value_of(*scope_.trigger);
    if (!scope_.lookup) return {};
    Result<Value> found = scope_.lookup(word);
    if (!found) {
      position_ = start;
      error_ = std::move(found).error();
      return {};
    }
    return std::move(*found);
  }

  std::string_view text_;
  const Scope& scope_;
  const Mark& at_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool live_ = true;
  std::optional<Error> error_;
};

}  // namespace

Result<Value> evaluate(std::string_view text, const Scope& scope, const Mark& at) {
  return Evaluator(text, scope, at).run();
}

}  // namespace kilter::job
