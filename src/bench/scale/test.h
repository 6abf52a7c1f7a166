#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

// What one scalability test is. A family of tests is one file that defines its `Test` objects; registry.h
// lists them.
namespace kilter::bench::scale {

inline constexpr unsigned kMaxTasks = 2048;

enum class Mode { process, thread };

// The operations a task has done: one writer, one reader. `add` is a plain store into the task's own line.
class Counter {
 public:
  explicit Counter(std::atomic<std::uint64_t>* slot) : slot_(slot) {}
  void add(std::uint64_t operations) {
    value_ += operations;
    slot_->store(value_, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t>* slot_;
  std::uint64_t value_ = 0;
};

struct Task {
  unsigned index = 0;
  Mode mode = Mode::process;
};

struct Test {
  std::string_view name;
  std::string_view description;
  // The task: sets itself up, then counts for ever. Its loop is bare: nothing but the operation, the check of
  // its result and the counter.
  void (*run)(Counter count, const Task& task);
  // Once, before any task exists; may be null. Files it makes are removed by the engine.
  void (*prepare)(unsigned tasks) = nullptr;
  // Descriptors one task holds: the limit on open files is raised to what the run needs.
  unsigned descriptors = 1;
};

// Ends the task, and with it the run, with a message made of `action` and errno: there will be no result.
[[noreturn]] void die(const char* action);
// Always on, in release builds too: many operations are made inside these checks.
inline void require(bool succeeded, const char* action) {
  if (!succeeded) [[unlikely]]
    die(action);
}

// One more task beside this one, for a test that needs a partner: a process or a thread as the task is, on
// the same place, dying with it.
void start_partner(const Task& task, void (*run)(void* context), void* context);

// Makes the compiler believe that `pointer` is used elsewhere.
inline void escape(void* pointer) {
  asm volatile("" : : "g"(pointer) : "memory");
}

}  // namespace kilter::bench::scale
