#pragma once

// The distributions behind the verdicts, in double precision. Pure; thread-safe.
namespace kilter::analyse {

// P(|T| >= |t|) of Student's t with `df` > 0 degrees of freedom (may be fractional, may be infinite).
[[nodiscard]] double student_t_two_sided(double t, double df);
// The t that a T of `df` > 0 degrees of freedom exceeds with `probability` (0 < probability < 1).
[[nodiscard]] double student_t_upper_quantile(double probability, double df);

// Derivatives of ln Gamma at x > 0.
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);
// The x > 0 with trigamma(x) = y; +infinity for y <= 0.
[[nodiscard]] double inverse_trigamma(double y);

}  // namespace kilter::analyse
