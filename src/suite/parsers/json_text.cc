#include "suite/parsers/json_text.h"

#include "model/number.h"

#include <optional>

namespace kilter::suite {
namespace {

constexpr int kDeepestJson = 100;
constexpr std::size_t kMostDocuments = 10'000;

// Length of the balanced text at the start of `text`, strings skipped; nullopt when it never closes.
std::optional<std::size_t> balanced(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"' || c == '\n') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepestJson) return std::nullopt;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::nullopt;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

std::vector<nlohmann::json> json_documents(std::string_view text) {
  std::vector<nlohmann::json> documents;
  std::size_t at = 0;
  int failures = 0;
  while (at < text.size() && documents.size() < kMostDocuments && failures < 100) {
    const std::size_t begin = text.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) break;
    if (text[begin] != '{' && text[begin] != '[') {
      at = next_line(text, begin);
      continue;
    }
    const std::optional<std::size_t> length = balanced(text.substr(begin));
    nlohmann::json document;
    if (length) document = nlohmann::json::parse(text.substr(begin, *length), nullptr, false);
    if (length && !document.is_discarded()) {
      documents.push_back(std::move(document));
      at = begin + *length;
    } else {
      ++failures;
      at = next_line(text, begin);
    }
  }
  return documents;
}

bool number_text(const nlohmann::json& object, const char* key, std::string& text) {
  if (!object.is_object()) return false;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return false;
  text = it->is_number_integer() ? it->dump() : model::Number(it->get<double>()).json();
  return true;
}

const nlohmann::json& child(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  const auto it = object.find(key);
  return it == object.end() ? kNothing : *it;
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = child(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace kilter::suite
