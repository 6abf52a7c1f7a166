#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace kilter::model {

// The flat map that identifies a result: testcase, tbox_group, rootfs, kconfig, compiler, commit and each
// parameter by its unmapped text ("50%"). Alphabetical, which is the order of LKP's axis line.
using Axes = std::map<std::string, std::string>;

// "compiler=gcc-12/nr_task=16": sorted and joined by '/'; a '/' or '=' inside a value is percent-coded.
[[nodiscard]] std::string axes_key(const Axes& axes);
// The inverse; also reads what people type after -s.
[[nodiscard]] Result<Axes> parse_axes(std::string_view text);
// `axes` without the given key.
[[nodiscard]] Axes without(Axes axes, std::string_view key);

}  // namespace kilter::model
