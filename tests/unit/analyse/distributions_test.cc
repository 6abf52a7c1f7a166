#include "analyse/distributions.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace kilter::analyse {
namespace {

doctest::Approx to_nine_digits(double value) {
  return doctest::Approx(value).epsilon(1e-9).scale(0);
}

TEST_CASE("Student's t agrees with its closed forms") {
  // df 1 is Cauchy's, df 2 and 4 are algebraic.
  CHECK(student_t_two_sided(1, 1) == to_nine_digits(0.5));
  CHECK(student_t_two_sided(12.706204736432095, 1) == to_nine_digits(0.05));
  for (const double t : {0.1, 1.0, 3.0, 50.0, 1e4}) {
    CHECK(student_t_two_sided(t, 2) ==
          doctest::Approx(2 / ((2 + t * t) * (1 + t / std::sqrt(2 + t * t)))).epsilon(1e-9));
    CHECK(student_t_two_sided(-t, 2) == student_t_two_sided(t, 2));
  }
  CHECK(student_t_two_sided(0, 7.5) == to_nine_digits(1));
  CHECK(student_t_two_sided(std::numeric_limits<double>::infinity(), 3) == 0);
}

TEST_CASE("Student's t ends in the normal distribution") {
  CHECK(student_t_two_sided(1.959963984540054, 1e9) == to_nine_digits(0.05));
  CHECK(student_t_two_sided(1.959963984540054, std::numeric_limits<double>::infinity()) ==
        to_nine_digits(0.05));
  CHECK(student_t_upper_quantile(0.025, 1e12) == doctest::Approx(1.959963984540054).epsilon(1e-7));
}

TEST_CASE("quantiles undo probabilities") {
  CHECK(student_t_upper_quantile(0.005, 4) == to_nine_digits(4.604094871415897));
  CHECK(student_t_upper_quantile(0.005, 12) == doctest::Approx(3.054539589392901).epsilon(1e-13));
  CHECK(student_t_upper_quantile(0.025, 1) == to_nine_digits(12.706204736432095));
  CHECK(student_t_upper_quantile(0.5, 3) == doctest::Approx(0));
  for (const double df : {0.7, 2.4, 9.0, 49.322, 400.0})
    for (const double p : {1e-6, 0.005, 0.1, 0.4})
      CHECK(student_t_two_sided(student_t_upper_quantile(p, df), df) == to_nine_digits(2 * p));
}

TEST_CASE("digamma and trigamma have their known values") {
  constexpr double kEulerGamma = 0.5772156649015329;
  constexpr double kPiSquared = 9.869604401089358;
  CHECK(digamma(1) == to_nine_digits(-kEulerGamma));
  CHECK(digamma(0.5) == to_nine_digits(-kEulerGamma - 2 * std::log(2)));
  CHECK(trigamma(1) == to_nine_digits(kPiSquared / 6));
  CHECK(trigamma(0.5) == to_nine_digits(kPiSquared / 2));
}

TEST_CASE("the inverse of trigamma is one, from tiny to huge") {
  for (const double x : {1e-4, 0.02, 0.5, 1.0, 3.7, 80.0, 1e5})
    CHECK(inverse_trigamma(trigamma(x)) == to_nine_digits(x));
  CHECK(std::isinf(inverse_trigamma(0)));
  CHECK(std::isinf(inverse_trigamma(-1)));
}

}  // namespace
}  // namespace kilter::analyse
