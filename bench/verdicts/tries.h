#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace kilter::verdicts {

using Random = std::mt19937_64;

// Calls make(random) `count` times on all cores and returns the answers in order. Try i draws from a
// generator seeded by (seed, i) alone: the figures do not depend on the number of threads.
template <class Answer, class Make>
std::vector<Answer> in_parallel(std::size_t count, std::uint64_t seed, const Make& make) {
  std::vector<Answer> answers(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      std::seed_seq sequence{seed, static_cast<std::uint64_t>(i)};
      Random random(sequence);
      answers[i] = make(random);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins
  return answers;
}

}  // namespace kilter::verdicts
