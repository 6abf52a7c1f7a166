#include "job/template.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::job {
namespace {

using model::Mark;
using model::Node;

constexpr std::string_view kMaskHead = "__kilter_expression_";
constexpr std::string_view kMaskTail = "__";

// The expander reads from the front; `pos_` is the place in the text, at() its mark.
class Expander {
 public:
  Expander(std::string_view text, const std::string& file, const Scope& scope)
      : text_(text), file_(file), scope_(scope) {}

  Result<SourceText> run() {
    while (position_ < text_.size()) {
      const bool line_start = position_ == 0 || text_[position_ - 1] == '\n';
      if (line_start && text_[position_] == '%') {
        TRY(percent_line());
      } else if (text_.substr(position_).starts_with("<%")) {
        TRY(tag());
      } else {
        put(text_[position_]);
        step(1);
      }
    }
    if (!branches_.empty())
      return usage_error(
          fmt::format("{}: '{}' has no end", branches_.back().at.text(), branches_.back().code),
          "close it with <% end %>");
    return std::move(out_);
  }

 private:
  struct Branch {
    Mark at;
    std::string code;
    bool outer = true;   // the text around it is taken
    bool taken = false;  // one of its parts was
    bool now = false;    // this part is
    bool last = false;   // after else
  };

  bool active() const { return branches_.empty() || branches_.back().now; }
  Mark at() const { return {file_, line_, column_}; }

  void step(std::size_t count) {
    for (; count > 0 && position_ < text_.size(); --count, ++position_, ++column_)
      if (text_[position_] == '\n') {
        ++line_;
        column_ = 0;
      }
  }

  void put(char c) {
    if (!active()) return;
    if (out_.text.empty() || out_.text.back() == '\n') out_.lines.push_back(line_);
    out_.text += c;
  }

  Status percent_line() {
    if (text_.substr(position_).starts_with("%%")) {
      step(1);
      put('%');
      step(1);
      return {};
    }
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    step(1);
    TRY(statement(text_.substr(position_, end - position_)));
    step(end + 1 - position_);
    return {};
  }

  Status tag() {
    if (text_.substr(position_).starts_with("<%%")) {
      put('<');
      put('%');
      step(3);
      return {};
    }
    const Mark start = at();
    step(2);
    const std::size_t close = text_.find("%>", position_);
    if (close == std::string_view::npos)
      return usage_error(fmt::format("{}: '<%' has no '%>'", start.text()));
    std::string_view code = text_.substr(position_, close - position_);
    if (code.starts_with('-')) step(1), code.remove_prefix(1);
    const bool trims = code.ends_with('-');
    if (trims) code.remove_suffix(1);
    if (code.starts_with('=')) {
      step(1);
      TRY(output(code.substr(1)));
    } else if (!code.starts_with('#')) {
      TRY(statement(code));
    }
    step(close + 2 - position_);
    if (trims && position_ < text_.size() && text_[position_] == '\n') step(1);
    return {};
  }

  Status output(std::string_view code) {
    if (!active()) return {};
    ASSIGN_OR_RETURN(const Value value, evaluate(code, scope_, at()));
    for (const char c : value.text()) put(c);
    return {};
  }

  Status statement(std::string_view code) {
    const std::string_view trimmed = trim(code);
    const std::size_t blank = std::min(trimmed.find_first_of(" \t\n("), trimmed.size());
    const std::string_view word = trimmed.substr(0, blank);
    const std::string_view rest = trimmed.substr(blank);
    step(static_cast<std::size_t>(trimmed.data() - code.data()));
    if (trimmed.empty() || trimmed.starts_with('#')) return {};
    if (word == "if" || word == "unless") return open(rest, std::string(word));
    if (word == "elsif" || word == "else") return next_part(word, rest);
    if (word == "end" && trim(rest).empty()) return end();
    return usage_error(fmt::format("{}: template code '{}' is not supported", at().text(),
                                   printable(std::string(trimmed.substr(0, 60)))),
                       "templates know if, unless, elsif, else, end and <%= expression %>");
  }

  Result<bool> holds(std::string_view condition) {
    std::string_view text = trim(condition);
    if (text.ends_with(" then")) text.remove_suffix(5);
    step(static_cast<std::size_t>(text.data() - condition.data()));
    ASSIGN_OR_RETURN(const Value value, evaluate(text, scope_, at()));
    return value.truthy();
  }

  Status open(std::string_view condition, const std::string& word) {
    Branch branch{at(), word, active(), false, false, false};
    step(word.size());
    if (branch.outer) {
      ASSIGN_OR_RETURN(const bool yes, holds(condition));
      branch.now = branch.taken = yes == (word == "if");
    }
    branches_.push_back(std::move(branch));
    return {};
  }

  Status next_part(std::string_view word, std::string_view condition) {
    if (branches_.empty() || branches_.back().last)
      return usage_error(fmt::format("{}: '{}' without an open if", at().text(), word));
    Branch& branch = branches_.back();
    branch.now = branch.outer && !branch.taken;
    branch.last = word == "else";
    step(word.size());
    if (branch.now && word == "elsif") {
      ASSIGN_OR_RETURN(branch.now, holds(condition));
    }
    branch.taken = branch.taken || branch.now;
    return {};
  }

  Status end() {
    if (branches_.empty()) return usage_error(fmt::format("{}: 'end' without an open if", at().text()));
    branches_.pop_back();
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  const Scope& scope_;
  SourceText out_;
  std::size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
  std::vector<Branch> branches_;
};

std::string unmasked(std::string text, const std::vector<std::string>& expressions) {
  std::size_t from = 0;  // what was put back is not looked at again
  for (std::size_t start = text.find(kMaskHead); start != std::string::npos;
       start = text.find(kMaskHead, from)) {
    from = start + 1;
    const std::size_t digits = start + kMaskHead.size();
    const std::size_t end = text.find(kMaskTail, digits);
    if (end == std::string::npos) break;
    const std::optional<std::int64_t> number = parse_int(std::string_view(text).substr(digits, end - digits));
    if (!number || *number < 0 || static_cast<std::size_t>(*number) >= expressions.size()) continue;
    const std::string& expression = expressions[static_cast<std::size_t>(*number)];
    text.replace(start, end + kMaskTail.size() - start, expression);
    from = start + expression.size();
  }
  return text;
}

bool commented(std::string_view text, std::size_t position) {
  const std::size_t newline = text.rfind('\n', position);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return trim(text.substr(begin, position - begin)).starts_with('#');
}

// ":#! hosts/tbox:" and "\":# text: more\":" without colons and quotes; other lines as they are.
std::string plain_comment(std::string_view line) {
  const std::string_view key = trim(line);
  std::string_view rest = key;
  if (rest.starts_with('"')) rest.remove_prefix(1);
  if (!rest.starts_with(":# ") && !rest.starts_with(":#! ")) return std::string(line);
  for (const std::string_view null : {" ~", " null"})
    if (rest.ends_with(null)) rest.remove_suffix(null.size());
  if (!rest.ends_with(':')) return std::string(line);
  rest.remove_suffix(1);
  if (key.starts_with('"') && rest.ends_with('"')) rest.remove_suffix(1);
  return std::string(line.substr(0, line.find_first_not_of(" \t"))) + std::string(rest.substr(1));
}

}  // namespace

SourceText source_text(std::string text) {
  SourceText source{std::move(text), {}};
  const std::ptrdiff_t count = std::ranges::count(source.text, '\n') + 1;
  for (int line = 1; line <= count; ++line) source.lines.push_back(line);
  return source;
}

Result<SourceText> expand_erb(std::string_view text, const std::string& file, const Scope& scope) {
  return Expander(text, file, scope).run();
}

Result<MaskedText> mask_expressions(SourceText source, const std::string& file) {
  MaskedText masked;
  const std::string_view text = source.text;
  std::size_t line = 0;
  const auto put = [&](char c) {
    std::string& out = masked.source.text;
    if (out.empty() || out.back() == '\n')
      masked.source.lines.push_back(line < source.lines.size() ? source.lines[line] : 0);
    out += c;
    if (c == '\n') ++line;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!text.substr(i).starts_with("{{") || commented(text, i)) {
      put(text[i++]);
      continue;
    }
    const std::size_t close = text.find("}}", i + 2);
    if (close == std::string_view::npos) {
      const std::size_t newline = text.rfind('\n', i);
      const std::size_t column = newline == std::string_view::npos ? i + 1 : i - newline;
      const int at = line < source.lines.size() ? source.lines[line] : 0;
      return usage_error(fmt::format("{}:{}:{}: '{{{{' has no '}}}}'", file, at, column));
    }
    const std::string_view expression = text.substr(i, close + 2 - i);
    for (const char c : fmt::format("{}{}{}", kMaskHead, masked.expressions.size(), kMaskTail)) put(c);
    line += static_cast<std::size_t>(std::ranges::count(expression, '\n'));
    masked.expressions.emplace_back(expression);
    i = close + 2;
  }
  return masked;
}

void unmask_expressions(Node& node, const std::vector<std::string>& expressions) {
  if (expressions.empty()) return;
  if (node.is_scalar()) {
    Node restored = Node::scalar(unmasked(node.text(), expressions), node.quoted());
    restored.mark = node.mark;
    node = std::move(restored);
  }
  for (Node& item : node.items()) unmask_expressions(item, expressions);
  for (Node::Entry& entry : node.entries()) {
    entry.first = unmasked(std::move(entry.first), expressions);
    unmask_expressions(entry.second, expressions);
  }
}

std::string plain_comments(std::string text) {
  if (!text.contains(":#")) return text;
  std::string plain;
  for (const std::string_view line : lines(text)) plain += plain_comment(line) + "\n";
  return plain;
}

std::string keep_job_sections(std::string_view text) {
  std::string kept;
  bool keeping = true;
  for (const std::string_view line : lines(text)) {
    if (line.starts_with("#! ")) keeping = trim(line).ends_with(".yaml");
    if (keeping || line == "---") kept += line;
    kept += '\n';
  }
  return kept;
}

}  // namespace kilter::job
