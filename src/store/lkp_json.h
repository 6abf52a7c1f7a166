#pragma once

#include "base/result.h"
#include "model/series.h"
#include "os/files.h"

#include <cstddef>
#include <string>
#include <string_view>

// LKP's JSON shapes, fast: stats.json ({"key": number}), matrix.json ({"key": [number..], "stats_source":
// ["path"..]}) and the series of one monitor (the same without stats_source). `.gz` files are read as such.
// Order of keys, and whether a number was written as an integer, are kept; NaN is read as a NaN number, null
// as missing. What is damaged, nested, or over the limits is an error that says where ("'x.json': key 'a.b':
// ...").
namespace kilter::store {

using os::Path;

constexpr std::size_t kMostKeys = 1000000;
constexpr std::size_t kMostColumns = 100000;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;  // after decompression

// A key that comes twice counts with its last value. Sorted by key.
[[nodiscard]] Result<model::Metrics> parse_stats(std::string_view text, const std::string& name);
[[nodiscard]] Result<model::Metrics> read_stats_file(const Path& path);

// Rows as short as they are in the file.
[[nodiscard]] Result<model::Matrix> parse_matrix(std::string_view text, const std::string& name);
[[nodiscard]] Result<model::Matrix> read_matrix_file(const Path& path);

// How a sample that is not there is written: null, or as LKP does, the integer 0.
enum class Missing { null, zero };
// 2-space indent, one element per line, no final newline; stats_source last.
[[nodiscard]] std::string write_matrix(const model::Matrix& matrix, Missing missing = Missing::null);

// The content of stats.json, in the given order.
[[nodiscard]] std::string write_stats(const model::Metrics& metrics);

// The whole file, inflated when it starts as gzip does; more than `limit` bytes is an error.
[[nodiscard]] Result<std::string> read_maybe_gzip(const Path& path, std::size_t limit = kMostBytes);

}  // namespace kilter::store
