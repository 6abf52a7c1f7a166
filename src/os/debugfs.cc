#include "os/debugfs.h"

#include "os/fd.h"

#include <sys/mount.h>

namespace kilter::os {
namespace {

constexpr const char* kUsualPlace = "/sys/kernel/debug";

Fd detached_mount() {
  const Fd context(::fsopen("debugfs", FSOPEN_CLOEXEC));
  if (!context || ::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) return Fd();
  return Fd(::fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY));
}

Path find_debugfs() {
  if (is_there(Path(kUsualPlace) / "sched")) return kUsualPlace;
  static const Fd mount = detached_mount();
  return mount ? Path("/proc/self/fd") / std::to_string(mount.get()) : Path(kUsualPlace);
}

}  // namespace

const Path& debugfs() {
  static const Path place = find_debugfs();
  return place;
}

}  // namespace kilter::os
