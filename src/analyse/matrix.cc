#include "analyse/matrix.h"

#include <fmt/core.h>

#include <iterator>
#include <unordered_map>

namespace kilter::analyse {
namespace {

void append_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// An open `{`, and the comma before every member but the first.
class Object {
 public:
  explicit Object(std::string& out) : out_(out) { out_ += '{'; }
  void key(std::string_view key) {
    out_ += empty_ ? "\n  " : ",\n  ";
    empty_ = false;
    append_string(key, out_);
    out_ += ": ";
  }
  void close() { out_ += empty_ ? "}" : "\n}"; }

 private:
  std::string& out_;
  bool empty_ = true;
};

void append_series(const model::SeriesFile& file, Object& object, std::string& out) {
  for (const model::Series& series : file.series) {
    object.key(series.key);
    out += '[';
    for (std::size_t i = 0; i < series.values.size(); ++i)
      out.append(i == 0 ? "\n    " : ",\n    ").append(series.values[i].json());
    out += series.values.empty() ? "]" : "\n  ]";
  }
}

// sched_debug.cpu.nr_running.17
bool is_of_one_cpu(std::string_view key) {
  const std::string_view last = key.substr(key.rfind('.') + 1);
  return key.starts_with("sched_debug.") && !last.empty() &&
         last.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

model::Matrix unite(std::span<const RunMetrics> runs) {
  model::Matrix matrix;
  std::unordered_map<std::string, std::size_t> index;
  for (const RunMetrics& run : runs) {
    const std::size_t column = matrix.sources.size();
    matrix.sources.push_back(run.source);
    for (const model::Metric& metric : run.metrics) {
      if (is_of_one_cpu(metric.key)) continue;
      const auto [it, inserted] = index.try_emplace(metric.key, matrix.rows.size());
      if (inserted) matrix.rows.push_back({.key = metric.key, .values = {}});
      model::MatrixRow& row = matrix.rows[it->second];
      row.values.resize(column + 1);
      row.values[column] = metric.value;
    }
  }
  return matrix;
}

std::string series_json(const model::SeriesFile& file) {
  const model::SeriesFile* first = &file;
  return run_matrix_json({first, 1});
}

std::string run_matrix_json(std::span<const model::SeriesFile> files) {
  std::string out;
  Object object(out);
  for (const model::SeriesFile& file : files) append_series(file, object, out);
  object.close();
  return out;
}

std::string metrics_json(const model::Metrics& metrics) {
  std::string out;
  Object object(out);
  for (const model::Metric& metric : metrics) {
    object.key(metric.key);
    out += metric.value.json();
  }
  object.close();
  return out;
}

}  // namespace kilter::analyse
