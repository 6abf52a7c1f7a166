#pragma once

#include "base/result.h"

// A shared library that few verbs need: it is loaded when it is first asked for, so that the others start
// faster, and run where it is not installed.
namespace kilter::os {

class LazyLibrary {
 public:
  // `package`: what to install when `name` ("libarchive.so.13") is not there.
  constexpr LazyLibrary(const char* name, const char* package) : name_(name), package_(package) {}

  [[nodiscard]] Status load();
  // Of a library that was loaded; null when it lacks the function.
  [[nodiscard]] void* function(const char* symbol) const;

 private:
  const char* name_;
  const char* package_;
  void* handle_ = nullptr;
};

}  // namespace kilter::os
