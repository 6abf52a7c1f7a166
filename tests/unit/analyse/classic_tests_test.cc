#include "analyse/classic_tests.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace kilter::analyse {
namespace {

using Reals = std::vector<double>;

constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();

doctest::Approx p_of(double value) {
  return doctest::Approx(value).epsilon(1e-9).scale(0);
}

TEST_CASE("ranks agree with what is wholly apart, not with one run at another level") {
  const std::vector<double> usual = {100, 101, 102};
  const std::vector<double> spiked = {70, 100.5, 101.5};
  const std::vector<double> apart = {110, 111, 112};
  CHECK_FALSE(kilter::analyse::ranks_agree(usual, spiked, .01));
  CHECK(kilter::analyse::ranks_agree(usual, apart, .01));
}

TEST_CASE("the least p of ranks is that of two samples which do not overlap") {
  for (const std::size_t n : {3, 5, 8}) {
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(double(i));
      b.push_back(double(i) + 100);
    }
    CHECK(kilter::analyse::least_mann_whitney(n, n) >= kilter::analyse::mann_whitney(a, b));
    CHECK(kilter::analyse::least_mann_whitney(n, n) == doctest::Approx(kilter::analyse::mann_whitney(a, b)));
  }
}

TEST_CASE("Fisher's exact test has its textbook answers") {
  CHECK(fisher_exact({.a_yes = 3, .a_no = 1, .b_yes = 1, .b_no = 3}) ==
        p_of(34.0 / 70));  // the lady and her tea
  CHECK(fisher_exact({.a_yes = 4, .a_no = 0, .b_yes = 0, .b_no = 4}) == p_of(2.0 / 70));
  CHECK(fisher_exact({.a_yes = 1, .a_no = 9, .b_yes = 11, .b_no = 3}) ==
        doctest::Approx(0.002759456185220083));
  CHECK(fisher_exact({.a_yes = 0, .a_no = 5, .b_yes = 5, .b_no = 0}) == p_of(2.0 / 252));
}

TEST_CASE("Fisher's exact test of nothing, or of one kind only, says nothing") {
  CHECK(fisher_exact({}) == 1);
  CHECK(fisher_exact({.a_yes = 5, .b_yes = 3}) == 1);
  CHECK(fisher_exact({.a_no = 5, .b_no = 300}) == 1);
  CHECK(fisher_exact({.a_yes = 2, .a_no = 1}) == 1);
}

TEST_CASE("Fisher's exact test takes counts of millions, and any order of sides and kinds") {
  const FisherTable table = {.a_yes = 500'000, .a_no = 1'000'000, .b_yes = 501'000, .b_no = 999'000};
  const double p = fisher_exact(table);
  CHECK(p > 0.1);  // 1,000 more of a standard deviation of 816
  CHECK(p < 0.3);
  CHECK(fisher_exact({.a_yes = 501'000, .a_no = 999'000, .b_yes = 500'000, .b_no = 1'000'000}) == p_of(p));
  CHECK(fisher_exact({.a_yes = 1'000'000, .a_no = 500'000, .b_yes = 999'000, .b_no = 501'000}) == p_of(p));
  CHECK(fisher_exact({.a_yes = 0, .a_no = 1'000'000, .b_yes = 1'000'000, .b_no = 0}) == doctest::Approx(0));
}

TEST_CASE("Mann-Whitney is exact: the extreme order of 3 and 3 is one of 20, twice") {
  CHECK(mann_whitney(Reals{1, 2, 3}, Reals{4, 5, 6}) == p_of(0.1));
  CHECK(mann_whitney(Reals{4, 5, 6}, Reals{1, 2, 3}) == p_of(0.1));
  CHECK(mann_whitney(Reals{1, 2, 3, 4, 5}, Reals{6, 7, 8, 9, 10}) == p_of(2.0 / 252));
  CHECK(mann_whitney(Reals{1, 3, 5}, Reals{2, 4, 6}) == p_of(0.7));
}

TEST_CASE("Mann-Whitney counts ties p_of too") {
  CHECK(mann_whitney(Reals{5, 5, 5}, Reals{5, 5, 5}) == 1);
  // Of 6 ways to give two of {1, 1, 2, 2} to a, one is at least as low.
  CHECK(mann_whitney(Reals{1, 1}, Reals{2, 2}) == p_of(2.0 / 6));
  // {1, 2, 2, 3}: rank sums of pairs are 3.5 twice, 5 (twice) and more: two of six at or below.
  CHECK(mann_whitney(Reals{1, 2}, Reals{2, 3}) == p_of(4.0 / 6));
}

TEST_CASE("Mann-Whitney by the normal distribution meets the exact one") {
  Reals a;
  Reals b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(std::fmod(i * 0.618034, 1));
    b.push_back(std::fmod(i * 0.414214, 1) + 0.3);
  }
  const double exact = mann_whitney(a, b);
  b.push_back(std::fmod(20 * 0.414214, 1) + 0.3);  // one pair too many
  CHECK(exact > 0.001);
  CHECK(mann_whitney(a, b) == doctest::Approx(exact).epsilon(0.5));
  CHECK(mann_whitney(Reals(100, 1.0), Reals(100, 1.0)) == 1);
  CHECK(mann_whitney(Reals(10'000, 1.0), Reals(1, 2.0)) < 0.05);
}

TEST_CASE("Welch has its known answers") {
  CHECK(welch(Reals{1, 2, 3}, Reals{1, 2, 3}) == p_of(1));
  // t = 3 / sqrt(2/3), df 4.
  CHECK(welch(Reals{1, 2, 3}, Reals{4, 5, 6}) == doctest::Approx(0.0213116).epsilon(1e-5));
  CHECK(welch(Reals{1, 1, 1}, Reals{2, 2, 2}) == 0);
  CHECK(welch(Reals{1, 1, 1}, Reals{1, 1, 1}) == 1);
  CHECK(welch(Reals{1}, Reals{2, 3, 4}) == 1);
}

TEST_CASE("what is no number is left out of every test") {
  const Reals a = {1, kMissingValue, 2, std::numeric_limits<double>::infinity(), 3};
  CHECK(welch(a, Reals{4, 5, 6}) == welch(Reals{1, 2, 3}, Reals{4, 5, 6}));
  CHECK(mann_whitney(a, Reals{4, 5, 6}) == p_of(0.1));
  CHECK(mann_whitney(Reals{kMissingValue}, Reals{4, 5, 6}) == 1);
  CHECK(mann_whitney(Reals{}, Reals{}) == 1);
}

TEST_CASE("Wilcoxon's signed ranks agree with published values") {
  // Hollander and Wolfe's depression scale factors: V = 40 of 9 pairs.
  CHECK(signed_rank(Reals{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01}) == p_of(0.0390625));
  CHECK(signed_rank(Reals{1, 2, 3, 4, 5, 6, 7, 8}) == p_of(2.0 / 256));
  CHECK(signed_rank(Reals{-1, -2, -3, 0, kMissingValue}) == p_of(0.25));
  CHECK(signed_rank(Reals{1, -1}) == 1);
  CHECK(signed_rank(Reals{0, 0}) == 1);
  CHECK(signed_rank(Reals{}) == 1);
  Reals many;
  for (int i = 1; i <= 60; ++i) many.push_back(i % 3 == 0 ? -i : i);
  // W = 630 of 60: z = (285 - .5) / sqrt(18452.5).
  CHECK(signed_rank(many) == doctest::Approx(std::erfc(284.5 / std::sqrt(2 * 18452.5))));
}

}  // namespace
}  // namespace kilter::analyse
