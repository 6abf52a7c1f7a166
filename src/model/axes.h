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
// A commit axis as people read and type it: the first `digits` of a sha, and what marks its patches
// ("4f2a91c0b1d2+0123456789"); anything else (a kernel release) as it is.
[[nodiscard]] std::string short_commit(std::string_view commit, std::size_t digits = 12);
// `axes` without the given key.
[[nodiscard]] Axes without(Axes axes, std::string_view key);

}  // namespace kilter::model
