#pragma once

#include <cstdint>
#include <span>

// Textbook tests of two samples; every answer is a two-sided p in [0, 1]. Values that are no numbers are left
// out; 1 when the rest cannot tell (fewer than two values for Welch, none for Mann-Whitney). Pure.
namespace kilter::analyse {

// Passes and failures (or any two kinds) on two sides.
struct FisherTable {
  std::uint64_t a_yes = 0;
  std::uint64_t a_no = 0;
  std::uint64_t b_yes = 0;
  std::uint64_t b_no = 0;
};
// Fisher's exact test: all tables with these margins that are at most as probable as this one.
[[nodiscard]] double fisher_exact(const FisherTable& table);

// Welch's t of the means, unequal variances. Two constant samples: 0 when they differ, 1 when not.
[[nodiscard]] double welch(std::span<const double> a, std::span<const double> b);

// Mann-Whitney's U, ties by midranks: exact (all assignments of the ranks at hand) up to 400 pairs, by the
// normal distribution with the correction for ties and continuity above.
[[nodiscard]] double mann_whitney(std::span<const double> a, std::span<const double> b);
// The least p that it can give for samples of these sizes: 2 / C(n + m, n), rounding allowed for.
[[nodiscard]] double least_mann_whitney(std::size_t n, std::size_t m);
// A t test trusts that the scatter it knows is all there is; a machine that is busy for a while, or has two
// levels, belies it. Ranks trust in nothing: they must agree at `level`, as far as so few values can.
[[nodiscard]] bool ranks_agree(std::span<const double> a, std::span<const double> b, double level);

// Wilcoxon's signed ranks of paired differences about 0; zeros are left out, ties by midranks: exact (all
// signs of the ranks at hand) up to 50 differences, by the normal distribution above.
[[nodiscard]] double signed_rank(std::span<const double> differences);

}  // namespace kilter::analyse
