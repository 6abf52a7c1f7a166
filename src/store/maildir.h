#pragma once

#include "base/result.h"
#include "os/files.h"

#include <string_view>

namespace kilter::store {

// Puts a message into a Maildir (made when missing): written and synced in tmp/, renamed into new/ under a
// name no other delivery has. Answers the message's path.
[[nodiscard]] Result<os::Path> deliver(const os::Path& maildir, std::string_view message);

}  // namespace kilter::store
