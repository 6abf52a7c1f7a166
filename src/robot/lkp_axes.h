#pragma once

#include "model/axes.h"
#include "os/files.h"

#include <string>
#include <string_view>

// What an LKP result directory is, for all who read one: compare and import give the same axes.
namespace kilter::robot {

struct LkpIdentity {
  model::Axes axes;         // empty: neither files nor path tell
  std::string path_params;  // "" unknown
};

// Of a group (LKP's _rt) or of one run in it. The path's names where it has LKP's form, over them desc.yaml,
// or else job.yaml (the run's, the group's, its first run's): every parameter of the job, its testcase,
// kconfig, rootfs, compiler, commit and tbox_group, and no fact of the host. A directory named by a sha is
// that commit's. Where the files tell no parameter, `path_params` is an axis.
[[nodiscard]] LkpIdentity lkp_identity(const os::Path& directory);

// A run's directory is named by its number: "0", "17".
[[nodiscard]] bool is_run_number(std::string_view name);

}  // namespace kilter::robot
