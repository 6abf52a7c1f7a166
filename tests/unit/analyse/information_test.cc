#include "analyse/information.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace kilter::analyse {
namespace {

struct KnownBits {
  double p;
  double separation;
  double bits;
};

TEST_CASE("information through noise has its published values") {
  constexpr std::array kKnown = {
      KnownBits{.5, .5, 0.04378285174395656}, KnownBits{.5, 1, 0.16087989904225986},
      KnownBits{.5, 2, 0.4857274289253723},   KnownBits{.5, 4, 0.9119411972652469},
      KnownBits{.1, 1, 0.06173510104841123},  KnownBits{.25, 2, 0.3831092576850871},
  };
  for (const KnownBits& known : kKnown) {
    CHECK(information_bits(known.p, known.separation) == doctest::Approx(known.bits).epsilon(1e-9));
  }
}

TEST_CASE("the table is close to the quadrature between its points") {
  for (const double p : {.05, .123, .37, .5, .777}) {
    for (const double separation : {.01, .07, .33, 1.03, 2.7, 6.1}) {
      const double exact = exact_information_bits(p, separation);
      CHECK(std::abs(information_bits(p, separation) - exact) < .002 + .002 * exact);
    }
  }
}

TEST_CASE("information is nothing where nothing is open, and the whole entropy where noise is nothing") {
  CHECK(information_bits(0, 3) == 0);
  CHECK(information_bits(1, 3) == 0);
  CHECK(information_bits(.5, 0) == 0);
  CHECK(information_bits(std::nan(""), 1) == 0);
  CHECK(information_bits(.5, 1e9) == doctest::Approx(1).epsilon(1e-6));
  CHECK(information_bits(.3, 2) == doctest::Approx(information_bits(.7, 2)));
}

TEST_CASE("trials tell what their rates tell") {
  CHECK(trial_information_bits(.5, 1, 0, 1) == doctest::Approx(1).epsilon(1e-6));
  CHECK(trial_information_bits(.5, .4, .4, 9) == 0);
  CHECK(trial_information_bits(.5, .9, .1, 0) == 0);
  // A binary symmetric channel that errs in a tenth: 1 - H(.1).
  CHECK(trial_information_bits(.5, .9, .1, 1) == doctest::Approx(.5310044).epsilon(1e-6));
  CHECK(trial_information_bits(.5, .9, .1, 2) > trial_information_bits(.5, .9, .1, 1));
}

}  // namespace
}  // namespace kilter::analyse
