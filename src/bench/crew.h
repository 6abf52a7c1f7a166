#pragma once

#include "base/result.h"
#include "bench/gate.h"
#include "bench/shared_array.h"

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

// A number of processes or threads that do one thing together, from a common start.
namespace kilter::bench {

class Crew {
 public:
  enum class Kind { processes, threads };
  // What a member does, given its index. The error of a process is what join() answers; that of a thread ends
  // the program, as its fellows cannot be stopped.
  using Body = std::function<Status(unsigned member)>;

  // `size` is the largest number of members that will be added.
  [[nodiscard]] static Result<std::unique_ptr<Crew>> create(Kind kind, unsigned size);
  ~Crew();  // kills the processes that are still there; threads are left to the end of the program
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Starts one more member. Processes die with this one.
  [[nodiscard]] Status add(Body body);
  // In a member: ready, waits for start().
  void wait_for_start();
  // Waits until every member is ready, or one has failed; then lets all go. The moment, as now() has it.
  [[nodiscard]] Result<double> start();
  // Waits for all. The first to fail ends the others and is the answer.
  [[nodiscard]] Status join();

 private:
  struct Shared {
    std::atomic<unsigned> ready;
    std::atomic<bool> failed;
    char error[512];
  };
  Crew(Kind kind, SharedArray<Shared> shared) : kind_(kind), shared_(std::move(shared)) {}
  void run(const Body& body, unsigned member);
  [[nodiscard]] Status add_process(const Body& body);
  [[nodiscard]] Status add_thread(Body body);
  [[nodiscard]] Status failed_member() const;
  [[nodiscard]] Status reap(bool wait);
  void kill_all();

  Kind kind_;
  SharedArray<Shared> shared_;
  Gate gate_;
  std::vector<pid_t> alive_;
  std::vector<std::thread> threads_;
  unsigned members_ = 0;
};

}  // namespace kilter::bench
