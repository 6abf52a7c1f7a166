#include "store/lkp_json.h"

#include "base/text.h"
#include "base/utf8.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <simdjson.h>

namespace kilter::store {
namespace {

using model::Matrix;
using model::MatrixRow;
using model::Metric;
using model::Metrics;
using model::Number;
namespace od = simdjson::ondemand;

constexpr std::size_t kUsualRow = 128;     // bytes of a row in a file
constexpr std::size_t kUsualColumns = 64;  // more of them grow as they come

// JSON in memory of which `allocated` bytes may be looked at: with room behind the text it need not be
// copied.
struct Source {
  std::string_view text;
  std::size_t allocated = 0;
};

// What is read and where, for the errors.
struct Place {
  const std::string& name;
  std::string key;

  [[nodiscard]] tl::unexpected<Error> error(std::string_view cause) const {
    std::string shown = printable(key.substr(0, 80));
    if (!key.empty()) shown = fmt::format("key '{}': ", shown);
    return failure(fmt::format("reading '{}': {}{}", name, shown, cause));
  }
  [[nodiscard]] tl::unexpected<Error> error(simdjson::error_code code) const {
    const bool cut = code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT || code == simdjson::EMPTY ||
                     code == simdjson::UNCLOSED_STRING || code == simdjson::TAPE_ERROR;
    return error(cut ? "the JSON is damaged or cut off" : simdjson::error_message(code));
  }
};

// "012" and "0x10" are none in JSON.
bool has_json_digits(std::string_view token) {
  const std::string_view digits = token.substr(token.starts_with('-') ? 1 : 0);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  return !leading_zero && !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
         token.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

// A scalar as its text; LKP writes NaN, which simdjson does not know.
Result<std::optional<Number>> number_of(od::value& value, const Place& place) {
  const std::string_view token = trim(value.raw_json_token());
  if (token == "null") return std::optional<Number>();
  if (token == "NaN") return std::optional<Number>(std::numeric_limits<double>::quiet_NaN());
  if (!has_json_digits(token))
    return place.error(fmt::format("'{}' is no number", printable(token.substr(0, 20))));
  if (token.find_first_of(".eE") == std::string_view::npos)
    if (const std::optional<std::int64_t> integer = parse_int(token)) return std::optional<Number>(*integer);
  const std::optional<double> real = parse_double(token);
  if (!real || !std::isfinite(*real))
    return place.error(fmt::format("'{}' is no number, or out of range", printable(token.substr(0, 40))));
  return std::optional<Number>(*real);
}

// Nearly all of them: what simdjson reads as a number that fits. The others take the way above.
bool is_plain_number(od::value& value, std::optional<Number>& number) {
  const char first = value.raw_json_token()[0];
  if (first != '-' && (first < '0' || first > '9')) return false;
  od::number read;
  if (value.get_number().get(read)) return false;
  if (read.is_double()) {
    number = Number(read.get_double());
    return true;
  }
  if (!read.is_int64()) return false;
  number = Number(read.get_int64());
  return true;
}

struct Document {
  simdjson::padded_string copy;
  od::parser parser;
  od::document document;
};

// Calls visit(key, value) for each member of the one object that `source` is.
template <class Visit>
Status each_member(const Source& source, Place& place, Visit&& visit) {
  if (source.text.size() > kMostBytes) return place.error("it is too large");
  Document json;
  simdjson::padded_string_view padded(source.text.data(), source.text.size(), source.allocated);
  if (source.allocated < source.text.size() + simdjson::SIMDJSON_PADDING) {
    json.copy = simdjson::padded_string(source.text);
    padded = json.copy;
  }
  if (const simdjson::error_code error = json.parser.iterate(padded).get(json.document))
    return place.error(error);
  od::object object;
  const simdjson::error_code kind = json.document.get_object().get(object);
  if (kind == simdjson::INCORRECT_TYPE) return place.error("it holds no JSON object");
  if (kind) return place.error(kind);
  std::size_t count = 0;
  for (auto field : object) {
    std::string_view key;
    od::value value;
    if (const simdjson::error_code error = field.unescaped_key().get(key)) return place.error(error);
    place.key = key;
    if (++count > kMostKeys) return place.error(fmt::format("more than {} keys", kMostKeys));
    if (const simdjson::error_code error = field.value().get(value)) return place.error(error);
    TRY(visit(key, value));
  }
  place.key.clear();
  const bool more = json.document.current_location().error() == simdjson::SUCCESS;
  return more ? place.error("there is more after the JSON object") : Status{};
}

Status read_sources(od::value& value, Place& place, std::vector<std::string>& sources) {
  od::array array;
  if (value.get_array().get(array)) return place.error("it is no list of paths");
  for (auto element : array) {
    std::string_view text;
    if (const simdjson::error_code error = element.get_string().get(text)) return place.error(error);
    if (sources.size() == kMostColumns) return place.error(fmt::format("more than {} columns", kMostColumns));
    sources.emplace_back(text);
  }
  return {};
}

Status read_row(od::value& value, Place& place, MatrixRow& row) {
  od::array array;
  if (value.get_array().get(array)) return place.error("it is no list of numbers");
  for (auto element : array) {
    od::value item;
    if (const simdjson::error_code error = element.get(item)) return place.error(error);
    if (row.values.size() == kMostColumns)
      return place.error(fmt::format("more than {} columns", kMostColumns));
    std::optional<Number>& number = row.values.emplace_back();
    if (is_plain_number(item, number)) continue;
    ASSIGN_OR_RETURN(number, number_of(item, place));
  }
  return {};
}

std::string json_text(std::string_view text) {
  std::string json = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"' || c == '\\')
      json += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      json += c;
  }
  return json + '"';
}

void write_list(std::string& json, std::string_view key, std::size_t size,
                const std::function<std::string(std::size_t)>& element) {
  json += json.size() > 1 ? ",\n  " : "\n  ";
  json += json_text(key) + ": [";
  for (std::size_t i = 0; i < size; ++i) json += (i == 0 ? "\n    " : ",\n    ") + element(i);
  json += size > 0 ? "\n  ]" : "]";
}

Result<Matrix> matrix_in(const Source& source, const std::string& name) {
  Matrix matrix;
  matrix.rows.reserve(source.text.size() / kUsualRow);
  Place place{name, {}};
  TRY(each_member(source, place, [&](std::string_view key, od::value& value) -> Status {
    if (key == "stats_source") return read_sources(value, place, matrix.sources);
    const std::size_t columns = matrix.rows.empty() ? 0 : matrix.rows.back().values.size();
    matrix.rows.push_back({std::string(key), {}});
    matrix.rows.back().values.reserve(std::min(columns, kUsualColumns));
    return read_row(value, place, matrix.rows.back());
  }));
  return matrix;
}

}  // namespace

Result<Metrics> parse_stats(std::string_view text, const std::string& name) {
  Metrics metrics;
  Place place{name, {}};
  TRY(each_member({text, text.size()}, place, [&](std::string_view key, od::value& value) -> Status {
    ASSIGN_OR_RETURN(const std::optional<Number> number, number_of(value, place));
    if (number) metrics.push_back({std::string(key), *number});
    return {};
  }));
  std::ranges::stable_sort(metrics, {}, &Metric::key);
  const auto same = [](const Metric& a, const Metric& b) { return a.key == b.key; };
  // unique() keeps the first of equals, the last one counts: hence from the back.
  metrics.erase(metrics.begin(), std::unique(metrics.rbegin(), metrics.rend(), same).base());
  return metrics;
}

Result<Matrix> parse_matrix(std::string_view text, const std::string& name) {
  return matrix_in({text, text.size()}, name);
}

Result<Metrics> read_stats_file(const Path& path) {
  ASSIGN_OR_RETURN(const std::string text, read_maybe_gzip(path));
  return parse_stats(text, path.string());
}

Result<Matrix> read_matrix_file(const Path& path) {
  ASSIGN_OR_RETURN(const std::string text, read_maybe_gzip(path));
  return matrix_in({text, text.capacity()}, path.string());
}

std::string write_matrix(const Matrix& matrix, Missing missing) {
  const std::string hole = missing == Missing::zero ? "0" : "null";
  std::string json = "{";
  for (const MatrixRow& row : matrix.rows)
    write_list(json, row.key, row.values.size(),
               [&](std::size_t i) { return row.values[i] ? row.values[i]->json() : hole; });
  if (!matrix.sources.empty())
    write_list(json, "stats_source", matrix.sources.size(),
               [&](std::size_t i) { return json_text(matrix.sources[i]); });
  return json + (json.size() > 1 ? "\n}" : "}");
}

std::string write_stats(const Metrics& metrics) {
  std::string json = "{";
  for (const Metric& metric : metrics)
    json += (json.size() > 1 ? ",\n  " : "\n  ") + json_text(metric.key) + ": " + metric.value.json();
  return json + (json.size() > 1 ? "\n}" : "}");
}

}  // namespace kilter::store
