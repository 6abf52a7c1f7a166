#pragma once

namespace kilter::bench {

// Runs the program again with fixed addresses (personality ADDR_NO_RANDOMIZE) unless it has them already.
// Returns only when it has, or cannot have them.
void turn_off_aslr(char** argv);
[[nodiscard]] bool aslr_is_off();

}  // namespace kilter::bench
