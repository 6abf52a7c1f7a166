#include "project/sandbox.h"

#include "base/text.h"

#include <cstdlib>

namespace kilter::project {
namespace {

// Root without capabilities: else it could mount the read-only parts writable again.
const Argv kFlags = {"bwrap",
                     "--ro-bind",
                     "/",
                     "/",
                     "--dev",
                     "/dev",
                     "--proc",
                     "/proc",
                     "--unshare-pid",
                     "--unshare-ipc",
                     "--unshare-uts",
                     "--die-with-parent",
                     "--new-session",
                     "--cap-drop",
                     "ALL"};

void hide_keys(Argv& argv) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return;
  for (const char* name : {".ssh", ".gnupg", ".aws", ".kube", ".docker"}) {
    const os::Path path = os::Path(home) / name;
    if (os::is_directory(path)) append(argv, {"--tmpfs", path.string()});
  }
}

}  // namespace

Sandbox Sandbox::detect(os::ProcessRunner& runner) {
  Argv argv = kFlags;
  append(argv, {"--unshare-net", "--", "true"});
  const Result<os::ProcessResult> probe = runner.run({.argv = argv, .timeout = 10});
  if (!probe) return none("bubblewrap is not installed");
  if (probe->ok()) return Sandbox(true, "");
  const std::string err = printable(trim(probe->err));
  return none("bubblewrap does not work here: " + (err.empty() ? probe->how() : err));
}

Argv Sandbox::wrap(const Argv& argv, const SandboxView& view) const {
  Argv wrapped = kFlags;
  hide_keys(wrapped);
  if (!view.network) wrapped.emplace_back("--unshare-net");
  append(wrapped, {"--bind", view.tmp.string(), "/tmp", "--bind", view.source.string(), view.mount.string(),
                   "--bind", view.cache.string(), view.cache.string(), "--chdir", view.mount.string(), "--"});
  append(wrapped, argv);
  return wrapped;
}

}  // namespace kilter::project
