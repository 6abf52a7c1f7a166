#pragma once

#include "base/result.h"
#include "os/files.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <utility>

namespace kilter::bench {

// Zeroed memory that forked children share with their parent: how they hand back results.
template <class T>
class SharedArray {
 public:
  [[nodiscard]] static Result<SharedArray> create(std::size_t size) {
    void* memory =
        ::mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return failure("mapping shared memory: " + os::errno_text(errno));
    return SharedArray(static_cast<T*>(memory), size);
  }
  SharedArray(SharedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  SharedArray& operator=(SharedArray&&) = delete;
  ~SharedArray() {
    if (data_ != nullptr) ::munmap(data_, size_ * sizeof(T));
  }
  [[nodiscard]] T& operator[](std::size_t index) const { return data_[index]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  SharedArray(T* data, std::size_t size) : data_(data), size_(size) {}
  T* data_;
  std::size_t size_;
};

}  // namespace kilter::bench
