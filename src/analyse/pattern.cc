#include "analyse/pattern.h"

#include <fmt/core.h>

#include <cctype>

namespace kilter::analyse {
namespace {

using Instruction = Pattern::Instruction;
using Op = Instruction::Op;
using Program = std::vector<Instruction>;

constexpr std::size_t kLongestPattern = 1000;
constexpr int kDeepestGroup = 20;

std::uint32_t size_of(const Program& program) {
  return static_cast<std::uint32_t>(program.size());
}

// Appends `part`, whose jumps are relative to its own start.
void append(Program& program, const Program& part) {
  const std::uint32_t base = size_of(program);
  for (Instruction instruction : part) {
    if (instruction.op == Op::split || instruction.op == Op::jump) {
      instruction.first += base;
      instruction.second += base;
    }
    program.push_back(instruction);
  }
}

Instruction split_to(std::uint32_t first, std::uint32_t second) {
  return {.op = Op::split, .first = first, .second = second};
}

Instruction jump_to(std::uint32_t target) {
  return {.op = Op::jump, .first = target};
}

Program repeated(const Program& part, char how) {
  const std::uint32_t size = size_of(part);
  Program program;
  if (how == '+') {
    append(program, part);
    program.push_back(split_to(0, size + 1));
    return program;
  }
  program.push_back(split_to(1, how == '*' ? size + 2 : size + 1));
  append(program, part);
  if (how == '*') program.push_back(jump_to(0));
  return program;
}

Program either(const Program& left, const Program& right) {
  Program program;
  program.push_back(split_to(1, size_of(left) + 2));
  append(program, left);
  program.push_back(jump_to(size_of(left) + size_of(right) + 2));
  append(program, right);
  return program;
}

// Recursive descent over the text; one instance compiles one pattern.
class Compiler {
 public:
  Compiler(std::string_view text, std::vector<std::bitset<256>>& sets) : text_(text), sets_(sets) {}

  Result<Program> compile() {
    if (text_.size() > kLongestPattern) return error("is too long");
    ASSIGN_OR_RETURN(Program program, alternatives(0));
    if (at_ != text_.size()) return error("has an unopened ')'");
    program.push_back({.op = Op::match});
    return program;
  }

 private:
  [[nodiscard]] bool more() const { return at_ < text_.size(); }

  [[nodiscard]] tl::unexpected<Error> error(std::string_view why) const {
    return failure(fmt::format("compiling pattern '{}': it {} (column {})", text_, why, at_ + 1));
  }

  Result<Program> alternatives(int depth) {
    if (depth > kDeepestGroup) return error("is nested too deeply");
    ASSIGN_OR_RETURN(Program program, sequence(depth));
    while (more() && text_[at_] == '|') {
      ++at_;
      ASSIGN_OR_RETURN(const Program right, sequence(depth));
      program = either(program, right);
    }
    return program;
  }

  Result<Program> sequence(int depth) {
    Program program;
    while (more() && text_[at_] != '|' && text_[at_] != ')') {
      ASSIGN_OR_RETURN(Program part, atom(depth));
      while (more() && std::string_view("?*+").contains(text_[at_])) part = repeated(part, text_[at_++]);
      append(program, part);
    }
    return program;
  }

  Result<Program> atom(int depth) {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return group(depth);
      case '[':
        return set();
      case '.':
        return Program{{.op = Op::any}};
      case '^':
        return Program{{.op = Op::begin}};
      case '$':
        return Program{{.op = Op::end}};
      case '?':
      case '*':
      case '+':
        return error("repeats nothing");
      case '\\':
        if (!more()) return error("ends in a backslash");
        return escaped(text_[at_++]);
      default:
        return Program{{.op = Op::literal, .byte = c}};
    }
  }

  Result<Program> escaped(char c) {
    if (c == 'd') return digits();
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) return error("has an unknown escape");
    return Program{{.op = Op::literal, .byte = c}};
  }

  Program digits() {
    std::bitset<256> set;
    for (char c = '0'; c <= '9'; ++c) set.set(static_cast<unsigned char>(c));
    return keep(set);
  }

  Result<Program> group(int depth) {
    ASSIGN_OR_RETURN(Program inner, alternatives(depth + 1));
    if (!more()) return error("has an unclosed '('");
    ++at_;
    return inner;
  }

  Result<Program> set() {
    const bool inverted = more() && text_[at_] == '^';
    if (inverted) ++at_;
    std::bitset<256> set;
    bool first = true;
    for (; more() && (first || text_[at_] != ']'); first = false) TRY(set_item(set));
    if (!more()) return error("has an unclosed '['");
    ++at_;
    return keep(inverted ? ~set : set);
  }

  Status set_item(std::bitset<256>& set) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    const unsigned char low = static_cast<unsigned char>(text_[at_++]);
    unsigned char high = low;
    if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
      high = static_cast<unsigned char>(text_[at_ + 1]);
      at_ += 2;
    }
    if (high < low) return error("has an inverted range");
    for (unsigned c = low; c <= high; ++c) set.set(c);
    return {};
  }

  Program keep(const std::bitset<256>& set) {
    sets_.push_back(set);
    return {{.op = Op::set, .first = static_cast<std::uint32_t>(sets_.size() - 1)}};
  }

  std::string_view text_;
  std::vector<std::bitset<256>>& sets_;
  std::size_t at_ = 0;
};

// Literals that follow each other from `at` on. What may be left out has its split in front, so the run is
// needed.
std::string literal_run(const Program& program, std::size_t at) {
  std::string run;
  for (; at < program.size() && program[at].op == Op::literal; ++at) run += program[at].byte;
  return run;
}

// Where the must-path goes on after the split at `at`: past what `?` and `*` may leave out, and past the way
// back of `+`. Alternatives end it.
std::size_t after_split(const Program& program, std::size_t at) {
  const std::size_t next = program[at].second;
  if (program[at].first <= at) return at + 1;
  const Instruction& last = program[next - 1];
  const bool alternatives = last.op == Op::jump && last.first >= next;
  return alternatives ? program.size() : next;
}

// The longest text that every match contains.
std::string needed_text(const Program& program) {
  std::string best;
  for (std::size_t at = 0; at < program.size();) {
    const std::string run = literal_run(program, at);
    if (run.size() > best.size()) best = run;
    at += run.size();
    if (at < program.size()) at = program[at].op == Op::split ? after_split(program, at) : at + 1;
  }
  return best;
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view text, Mode mode) {
  Pattern pattern;
  pattern.mode_ = mode;
  ASSIGN_OR_RETURN(pattern.program_, Compiler(text, pattern.sets_).compile());
  pattern.find_shortcuts();
  return pattern;
}

void Pattern::find_shortcuts() {
  const std::size_t begin = program_[0].op == Op::begin ? 1 : 0;
  if (begin == 1 || mode_ != Mode::search) {
    prefix_ = literal_run(program_, begin);
    prefix_decides_ = mode_ != Mode::full && program_[begin + prefix_.size()].op == Op::match;
  }
  needed_ = needed_text(program_);
  if (prefix_.contains(needed_)) needed_.clear();
}

bool Pattern::matches(std::string_view key) const {
  if (!key.starts_with(prefix_)) return false;
  if (prefix_decides_) return true;
  if (!needed_.empty() && !key.contains(needed_)) return false;
  if (mode_ != Mode::search || program_[0].op == Op::begin) return run(key, 0);
  for (std::size_t from = 0; from <= key.size(); ++from)
    if (run(key, from)) return true;
  return false;
}

// Backtracking that never visits a (instruction, position) pair twice.
bool Pattern::run(std::string_view key, std::size_t from) const {
  struct Thread {
    std::uint32_t at;
    std::size_t position;
  };
  const std::size_t width = key.size() + 1;
  thread_local std::vector<bool> seen;
  thread_local std::vector<Thread> stack;
  seen.assign(program_.size() * width, false);
  stack.assign(1, {0, from});
  while (!stack.empty()) {
    auto [at, position] = stack.back();
    stack.pop_back();
    while (!seen[at * width + position]) {
      seen[at * width + position] = true;
      const Instruction& instruction = program_[at];
      bool alive = true;
      switch (instruction.op) {
        case Op::match:
          alive = mode_ != Mode::full || position == key.size();
          break;
        case Op::begin:
          alive = position == 0;
          break;
        case Op::end:
          alive = position == key.size();
          break;
        case Op::any:
          alive = position < key.size() && key[position] != '\n';
          break;
        case Op::literal:
          alive = position < key.size() && key[position] == instruction.byte;
          break;
        case Op::set:
          alive = position < key.size() &&
                  sets_[instruction.first].test(static_cast<unsigned char>(key[position]));
          break;
        case Op::jump:
          at = instruction.first;
          continue;
        case Op::split:
          stack.push_back({instruction.second, position});
          at = instruction.first;
          continue;
      }
      if (!alive) break;
      if (instruction.op == Op::match) return true;
      if (instruction.op != Op::begin && instruction.op != Op::end) ++position;
      ++at;
    }
  }
  return false;
}

}  // namespace kilter::analyse
