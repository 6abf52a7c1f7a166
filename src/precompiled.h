#pragma once

// What most sources include anyway, compiled once a build (cmake/Precompiled.cmake). No source may rely on
// it: the dev build compiles without.
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
