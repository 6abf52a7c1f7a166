#pragma once

// How much one look tells: mutual information, in bits, between "the culprit is at or before this commit"
// (true with probability p) and what would be measured there. Pure; 0 where nothing is open (p = 0 or 1).
namespace kilter::analyse {

// Through one normal observation of variance 1 whose mean is +separation/2 or -separation/2. Interpolated in
// a table of 101 probabilities x 61 separations (0, then .05..12 in equal ratios), which is made on first use
// (some 20 ms); separations above 12 count as 12.
[[nodiscard]] double information_bits(double p, double separation);
// What the table holds, by 64-point Gauss-Hermite quadrature.
[[nodiscard]] double exact_information_bits(double p, double separation);

// What is open: the information of looking without noise.
[[nodiscard]] double entropy_bits(double p);

// Through `n` trials that fail with the probability `rate_if` (true) or `rate_if_not`. Exact.
[[nodiscard]] double trial_information_bits(double p, double rate_if, double rate_if_not, unsigned n);

}  // namespace kilter::analyse
