#include "job/emit.h"

#include "base/text.h"
#include "job/merge.h"

#include <algorithm>
#include <array>

namespace kilter::job {
namespace {

using model::Node;

bool is_word(std::string_view text, std::initializer_list<std::string_view> all) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::ranges::find(all, lower) != all.end();
}

// A plain scalar of this text would be a number, a truth value or nothing.
bool reads_as_other(std::string_view text) {
  if (is_word(text, {"", "~", "null", "true", "false", "yes", "no", "on", "off"})) return true;
  const std::string digits = replace_all(std::string(text), "_", "");
  if (digits.starts_with("0x") && digits.size() > 2)
    return digits.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
  return parse_double(digits).has_value();
}

// Plain YAML cannot hold this text at all.
bool needs_quotes(std::string_view text) {
  constexpr std::string_view kIndicators = "{}[],&*#!|>'\"%@`";
  if (text.empty() || kIndicators.find(text.front()) != std::string_view::npos) return true;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return true;
  const bool dash = text.front() == '-' || text.front() == '?' || text.front() == ':';
  if (dash && (text.size() == 1 || text[1] == ' ')) return true;
  if (text.starts_with("---") || text == "...") return true;
  return text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos;
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; });
}

std::string double_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20)
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    else if (c == '"' || c == '\\')
      out += {'\\', c};
    else
      out += c;
  }
  return out + '"';
}

std::string quoted(const std::string& text) {
  if (is_word(text, {"y", "n"}) || has_control(text)) return double_quoted(text);
  return "'" + replace_all(text, "'", "''") + "'";
}

// "|" block when the lines can stand in one, else double quotes.
std::string multi_line(const std::string& text, std::size_t indent) {
  if (has_control(text) || text.starts_with('\n') || text.starts_with(' ')) return double_quoted(text);
  const std::size_t last = text.find_last_not_of('\n');
  if (last == std::string::npos) return double_quoted(text);
  const std::size_t ends = text.size() - last - 1;
  std::string out = ends == 0 ? "|-" : ends == 1 ? "|" : "|+";
  for (const std::string_view line : lines(text))
    out += "\n" + (line.empty() ? std::string() : std::string(indent, ' ') + std::string(line));
  return out;
}

std::string emit_text(const Node& scalar, std::size_t indent) {
  const std::string& text = scalar.text();
  if (text.find('\n') != std::string::npos) return multi_line(text, indent);
  const bool letter = is_word(text, {"y", "n"});
  const bool quotes =
      needs_quotes(text) || has_control(text) || letter || (scalar.quoted() && reads_as_other(text));
  return quotes ? quoted(text) : text;
}

std::string emit_key(const std::string& key) {
  const bool quotes = needs_quotes(key) || has_control(key) || key.find('\n') != std::string::npos;
  return quotes ? double_quoted(key) : key;
}

class Emitter {
 public:
  std::string take() { return std::move(out_); }

  void map(const Node& node, std::size_t indent, bool continues_line) {
    for (const Node::Entry& entry : node.entries()) {
      if (is_comment_key(entry.first) && indent == 0) {
        out_ += "\n" + entry.first + "\n";
        continue;
      }
      if (!continues_line) out_.append(indent, ' ');
      continues_line = false;
      out_ += emit_key(entry.first) + ":";
      value(entry.second, indent);
    }
  }

 private:
  // After "key:", which stands at `indent`.
  void value(const Node& node, std::size_t indent) {
    if (node.is_null()) {
      out_ += '\n';
    } else if (node.is_scalar()) {
      out_ += " " + emit_text(node, indent + 2) + "\n";
    } else if (node.items().empty() && node.entries().empty()) {
      out_ += node.is_list() ? " []\n" : " {}\n";
    } else if (node.is_map()) {
      out_ += '\n';
      map(node, indent + 2, false);
    } else {
      out_ += '\n';
      list(node, indent);
    }
  }

  void list(const Node& node, std::size_t indent) {
    for (const Node& item : node.items()) {
      out_.append(indent, ' ');
      out_ += '-';
      element(item, indent);
    }
  }

  void element(const Node& item, std::size_t indent) {
    const bool filled = !item.items().empty() || !item.entries().empty();
    if (item.is_map() && filled) {
      out_ += ' ';
      map(item, indent + 2, true);
    } else if (item.is_list() && filled) {
      out_ += '\n';
      list(item, indent + 2);
    } else {
      value(item, indent);
    }
  }

  std::string out_;
};

}  // namespace

std::string emit_scalar(const Node& scalar) {
  return emit_text(scalar, 2);
}

std::string emit_yaml(const Node& map) {
  Emitter emitter;
  emitter.map(map, 0, false);
  return emitter.take();
}

std::string emit_job(const Node& job) {
  return "---\n" + emit_yaml(job);
}

}  // namespace kilter::job
