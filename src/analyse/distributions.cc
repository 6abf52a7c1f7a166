#include "analyse/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Of our own, though libraries have all of it: Boost.Math computes constants of a dozen functions at each
// start of the program (0.14 ms, for every verb), and takes three times as long for a p.
namespace kilter::analyse {
namespace {

constexpr double kNormalDf = 1e7;   // from here on t differs from the normal by less than 1e-7
constexpr double kAsymptotic = 20;  // series in 1/x hold to the last digit from here on
constexpr int kMostSteps = 100;
constexpr int kMostFractions = 20'000;

// ln Gamma(a + 1/2) - ln Gamma(a): the series for large a, reached by Gamma(a + 1) = a Gamma(a).
double log_half_step(double a) {
  double factor = 1;
  for (; a < kAsymptotic; ++a) factor *= a / (a + 0.5);
  const double r = 1 / (a * a);
  const double series =
      (1.0 / 8 - r * (1.0 / 192 - r * (1.0 / 640 - r * (17.0 / 14336 - r * 31.0 / 18432)))) / a;
  return std::log(factor) + std::log(a) / 2 - series;
}

// The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method.
double incomplete_beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  const auto sane = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / sane(1 - (a + b) * x / (a + 1));
  double product = d;
  for (int m = 1; m < kMostFractions; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / sane(1 + even * d);
    c = sane(1 + even / c);
    product *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / sane(1 + odd * d);
    c = sane(1 + odd / c);
    product *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return product;
}

// ln of t's density.
double log_density(double t, double df) {
  return log_half_step(df / 2) - std::log(df * std::numbers::pi) / 2 - (df + 1) / 2 * std::log1p(t * t / df);
}

// 2 P(T > t) = I_x(df/2, 1/2) at x = df / (df + t^2), from the side on which the fraction converges.
double two_tails(double t, double df) {
  const double a = df / 2;
  const double square = t * t;
  const double x = df / (df + square);
  const double y = square / (df + square);
  const double front =
      std::exp(log_half_step(a) - std::log(std::numbers::pi) / 2 - a * std::log1p(square / df)) *
      std::sqrt(y);  // x^a y^(1/2) / B(a, 1/2)
  if (x < (a + 1) / (a + 2.5)) return front * incomplete_beta_fraction(x, a, 0.5) / a;
  return 1 - 2 * front * incomplete_beta_fraction(y, 0.5, a);
}

// The normal's quantile to three digits (Abramowitz and Stegun 26.2.23), corrected for df (Cornish and
// Fisher).
double rough_quantile(double probability, double df) {
  const double w = std::sqrt(-2 * std::log(probability));
  const double z =
      w - (2.515517 + w * (0.802853 + w * 0.010328)) / (1 + w * (1.432788 + w * (0.189269 + w * 0.001308)));
  const double rough = z + z * (z * z + 1) / (4 * df);
  return std::max(rough, 1e-3);
}

// Each sum of powers of 1/x^2 is the asymptotic series of one function, without its first terms.
double digamma_series(double r) {
  return r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r / 132))));
}
double trigamma_series(double r) {
  return r * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * 5 / 66))));
}
double tetragamma_series(double r) {
  return r * r * (1.0 / 2 - r * (1.0 / 6 - r * (1.0 / 6 - r * (3.0 / 10 - r * 5 / 6))));
}

// The derivative of trigamma.
double tetragamma(double x) {
  double sum = 0;
  for (; x < kAsymptotic; ++x) sum -= 2 / (x * x * x);
  const double r = 1 / (x * x);
  return sum - r - r / x - tetragamma_series(r);
}

}  // namespace

double student_t_two_sided(double t, double df) {
  if (df > kNormalDf) return std::erfc(std::abs(t) / std::numbers::sqrt2);
  if (std::isinf(t)) return 0;
  return t == 0 ? 1 : two_tails(std::abs(t), df);
}

// Newton's method on ln p over ln t. That curve falls and is concave, so that after one step at most the
// steps come from the right and never overshoot.
double student_t_upper_quantile(double probability, double df) {
  if (probability == 0.5) return 0;
  if (probability > 0.5) return -student_t_upper_quantile(1 - probability, df);
  df = std::min(df, kNormalDf);
  double t = rough_quantile(probability, df);
  for (int step = 0; step < kMostSteps; ++step) {
    const double p = two_tails(t, df) / 2;
    const double slope = std::exp(log_density(t, df)) * t / p;
    const double change = std::log(p / probability) / slope;
    t *= std::exp(change);
    if (std::abs(change) < 1e-8) break;  // the next one would be its square
  }
  return t;
}

double digamma(double x) {
  double sum = 0;
  for (; x < kAsymptotic; ++x) sum -= 1 / x;
  return sum + std::log(x) - 1 / (2 * x) - digamma_series(1 / (x * x));
}

double trigamma(double x) {
  double sum = 0;
  for (; x < kAsymptotic; ++x) sum += 1 / (x * x);
  const double r = 1 / (x * x);
  return sum + 1 / x + r / 2 + trigamma_series(r) / x;
}

// Newton's method on 1/trigamma, which is convex and nearly linear: from below it climbs without
// overshooting.
double inverse_trigamma(double y) {
  if (y <= 0) return std::numeric_limits<double>::infinity();
  double x = 0.5 + 1 / y;
  for (int step = 0; step < kMostSteps; ++step) {
    const double value = trigamma(x);
    const double change = value * (1 - value / y) / tetragamma(x);
    x += change;
    if (std::abs(change) < 1e-8 * x) break;
  }
  return x;
}

}  // namespace kilter::analyse
