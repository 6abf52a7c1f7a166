#include "os/lazy_library.h"

#include "base/text.h"

#include <fmt/core.h>

#include <dlfcn.h>

namespace kilter::os {

Status LazyLibrary::load() {
  if (handle_ != nullptr) return {};
  handle_ = ::dlopen(name_, RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr)
    return failure(fmt::format("loading '{}': {}", name_, printable(::dlerror())),
                   fmt::format("install {}", package_));
  return {};
}

void* LazyLibrary::function(const char* symbol) const {
  return ::dlsym(handle_, symbol);
}

}  // namespace kilter::os
