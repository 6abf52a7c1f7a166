#include "store/maildir.h"

#include "os/clock.h"
#include "os/host.h"
#include "store/results.h"

#include <fmt/core.h>

#include <atomic>

namespace kilter::store {

Result<os::Path> deliver(const os::Path& maildir, std::string_view message) {
  static std::atomic<unsigned> count = 0;
  for (const char* const part : {"tmp", "new", "cur"}) TRY(os::make_directories(maildir / part));
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string name = fmt::format("{:.6f}.P{}Q{}.{}", os::system_clock().wall(), os::process_id(),
                                         ++count, safe_component(os::host_name()));
    TRY(os::write_file(maildir / "tmp" / name, message, os::Durability::synced));
    ASSIGN_OR_RETURN(const bool moved, os::rename_new(maildir / "tmp" / name, maildir / "new" / name));
    if (moved) return maildir / "new" / name;
  }
  return failure(fmt::format("delivering to '{}': no free name", maildir.string()));
}

}  // namespace kilter::store
