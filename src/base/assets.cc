#include "base/assets.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace {

struct RawAsset {
  const char* name;
  const char* data;
  std::uint64_t size;
};

}  // namespace

extern "C" const RawAsset kilter_asset_table[];
extern "C" const std::uint64_t kilter_asset_count;

namespace kilter {
namespace {

std::span<const RawAsset> all() {
  return {kilter_asset_table, kilter_asset_count};
}

}  // namespace

std::optional<std::string_view> asset(std::string_view path) {
  for (const RawAsset& entry : all())
    if (path == entry.name) return std::string_view(entry.data, entry.size);
  return std::nullopt;
}

std::vector<std::string_view> assets_below(std::string_view prefix) {
  std::vector<std::string_view> paths;
  for (const RawAsset& entry : all())
    if (std::string_view(entry.name).starts_with(prefix)) paths.emplace_back(entry.name);
  return paths;
}

}  // namespace kilter
