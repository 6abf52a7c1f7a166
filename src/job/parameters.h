#pragma once

#include "job/programs.h"
#include "model/axes.h"
#include "model/node.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What tells one unit job from another: its parameters, and the path and file name made of them.
namespace kilter::job {

struct Parameter {
  std::string key;
  std::string text;     // unmapped: "50%"
  std::string program;  // the program whose option map holds it; "" at top level or in a block
};

// In job order: options of the programs, and programs with a scalar value. Those with no value and what
// stands below a monitor are left out, so are kconfig, commit, rootfs ...
[[nodiscard]] std::vector<Parameter> parameters_of(const model::Node& unit, const Vocabulary& vocabulary);
// LKP's rule: sorted by key, the first 31 characters of each value, joined by '-', odd characters as '_';
// "defaults" when there are none.
[[nodiscard]] std::string path_params(std::vector<Parameter> parameters);
// "netperf-" and the path, then the values of the commits, rootfs, and kconfig (only if `kconfig_varies`).
[[nodiscard]] std::string unit_name(std::string_view job_path, std::string_view path, const model::Node& unit,
                                    bool kconfig_varies);
// testcase, parameters, and kconfig, rootfs, compiler, commit where the job says them. A key with two values
// is told apart as "program.key".
[[nodiscard]] model::Axes axes_of(const model::Node& unit, const std::vector<Parameter>& parameters);

}  // namespace kilter::job
