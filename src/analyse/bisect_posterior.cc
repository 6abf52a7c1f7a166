#include "analyse/bisect_posterior.h"

#include "analyse/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// log L of gap g, with w = n / (1 + lam n) for the weight of a commit's mean m, W, B, C the sums of w, w m
// and w m^2 over the tested commits left (right) of the gap, levels integrated out under a flat prior, the
// variance under an inverse gamma prior (d0, s0), and the shift D known to have the sign and at least the
// size dmin:
//   -1/2 ln(W_L W_R) - nu/2 ln((d0 s0^2 + SS_g)/2) + ln T_nu((sgn D_g - dmin)/se_g),  nu = d0 + n - 2.
// The last term matters: without it the posterior gets stuck on shifts of the wrong sign. "Nothing changes"
// is one level for all, against a shift that is uniform over a range of twice what the ends differ by.
namespace kilter::analyse {
namespace {

constexpr double kLeastTail = 1e-12;

// P(T <= t) of Student's t.
double student_below(double t, double degrees) {
  const double beyond = student_t_two_sided(t, degrees) / 2;
  return t < 0 ? beyond : 1 - beyond;
}

struct SideSums {
  double weight = 0;
  double first = 0;   // w m
  double second = 0;  // w m^2
};

struct ShiftData {
  std::vector<SideSums> upto;  // [k]: of the tested commits 0..k
  double middle = 0;           // what is taken from the means, so that sums of squares keep their digits
  double within = 0;           // squares within commits
  double runs = 0;
  double floor = 0;  // squares below which data count as without noise
};

double weight_of(const CommitRuns& runs, double build_ratio) {
  return runs.n / (1 + build_ratio * runs.n);
}

ShiftData sums_of(const BisectState& state, const ShiftModel& model) {
  ShiftData data;
  data.middle = (state.tested.front().mean + state.tested.back().mean) / 2;
  double size = 0;
  double spread = 0;
  SideSums sums;
  for (const CommitRuns& runs : state.tested) {
    const double mean = runs.mean - data.middle;
    const double weight = weight_of(runs, model.build_ratio);
    sums = {sums.weight + weight, sums.first + weight * mean, sums.second + weight * mean * mean};
    data.upto.push_back(sums);
    data.within += runs.squares;
    data.runs += runs.n;
    size = std::max(size, std::abs(runs.mean));
    spread = std::max(spread, std::abs(mean));
  }
  const double resolution = std::max({1e-6 * spread, 1e-12 * size, std::numeric_limits<double>::min()});
  data.floor = std::max(resolution * resolution, std::numeric_limits<double>::min());
  return data;
}

double between(const SideSums& side) {
  return std::max(0., side.second - side.first * side.first / side.weight);
}

// All that the gaps have in common.
struct ShiftTerms {
  double prior_squares = 0;  // d0 s0^2
  double degrees = 0;        // nu
  double sign = 0;
  double least = 0;  // dmin
};

ShiftTerms terms_of(const BisectState& state, const ShiftModel& model, const ShiftData& data) {
  const double ends = state.tested.back().mean - state.tested.front().mean;
  const double sign = model.sign != 0 ? model.sign : (ends < 0 ? -1 : 1);
  const double degrees = std::max(1., model.noise_runs + data.runs - 2);
  return {.prior_squares = model.noise_runs * model.noise * model.noise,
          .degrees = degrees,
          .sign = sign,
          .least = std::max({0., model.least, model.least_share * sign * ends})};
}

struct GapFit {
  double log_likelihood = 0;
  double squares = 0;  // d0 s0^2 + SS_g
  GapErrors errors;
};

GapFit fit_gap(const ShiftData& data, const ShiftTerms& terms, std::size_t index, BisectGap& gap) {
  const SideSums& left = data.upto[index];
  const SideSums& all = data.upto.back();
  const SideSums right{all.weight - left.weight, all.first - left.first, all.second - left.second};
  gap.left = left.first / left.weight + data.middle;
  gap.right = right.first / right.weight + data.middle;
  const double squares =
      std::max(data.floor, terms.prior_squares + data.within + between(left) + between(right));
  const double variance = squares / terms.degrees;
  const double error = std::sqrt(variance * (1 / left.weight + 1 / right.weight));
  const double t = (terms.sign * (gap.right - gap.left) - terms.least) / error;
  const double tail = std::max(kLeastTail, student_below(std::clamp(t, -40., 40.), terms.degrees));
  return {.log_likelihood = -.5 * std::log(left.weight * right.weight) -
                            terms.degrees / 2 * std::log(squares / 2) + std::log(tail),
          .squares = squares,
          .errors = {std::sqrt(variance / left.weight), std::sqrt(variance / right.weight)}};
}

// The log likelihood of one level for all runs, on the gaps' scale.
double log_of_none(const ShiftData& data, const ShiftTerms& terms, double ends) {
  const SideSums& all = data.upto.back();
  const double squares = std::max(data.floor, terms.prior_squares + data.within + between(all));
  const double noise = std::sqrt(squares / (terms.degrees + 1));
  const double range = 2 * std::max(std::abs(ends), noise);
  const double half = terms.degrees / 2;
  return -.5 * std::log(all.weight) - (half + .5) * std::log(squares / 2) + std::lgamma(half + .5) -
         std::lgamma(half) - .5 * std::log(2 * std::numbers::pi) + std::log(range);
}

double noise_of(const BisectPosterior& posterior, const std::vector<GapFit>& fits, double degrees) {
  double squares = 0;
  double mass = 0;
  for (std::size_t g = 0; g < fits.size(); ++g) {
    squares += posterior.gaps[g].mass * fits[g].squares;
    mass += posterior.gaps[g].mass;
  }
  // The mean of the variance's posterior, where it has one.
  const double divisor = degrees > 3 ? degrees - 2 : std::max(.5, degrees);
  return mass > 0 ? std::sqrt(squares / mass / divisor) : 0;
}

double mean_square_around(double error, double mean, double around) {
  return error * error + (mean - around) * (mean - around);
}

}  // namespace

void normalise(BisectPosterior& posterior, const std::vector<double>& logs, std::optional<double> none) {
  double most = none.value_or(-std::numeric_limits<double>::infinity());
  for (const double log : logs) most = std::max(most, log);
  double sum = none ? std::exp(*none - most) : 0;
  posterior.none = sum;
  for (std::size_t g = 0; g < logs.size(); ++g) {
    posterior.gaps[g].mass = std::exp(logs[g] - most);
    sum += posterior.gaps[g].mass;
  }
  posterior.none /= sum;
  for (BisectGap& gap : posterior.gaps) gap.mass /= sum;
}

void average_levels(BisectPosterior& posterior, const std::vector<GapErrors>& errors) {
  double mass = 0;
  double good = 0;
  double bad = 0;
  for (const BisectGap& gap : posterior.gaps) {
    mass += gap.mass;
    good += gap.mass * gap.left;
    bad += gap.mass * gap.right;
  }
  if (!(mass > 0)) return;
  posterior.good.mean = good / mass;
  posterior.bad.mean = bad / mass;
  double good_variance = 0;
  double bad_variance = 0;
  for (std::size_t g = 0; g < errors.size(); ++g) {
    const BisectGap& gap = posterior.gaps[g];
    good_variance += gap.mass * mean_square_around(errors[g].left, gap.left, posterior.good.mean);
    bad_variance += gap.mass * mean_square_around(errors[g].right, gap.right, posterior.bad.mean);
  }
  posterior.good.error = std::sqrt(good_variance / mass);
  posterior.bad.error = std::sqrt(bad_variance / mass);
}

BisectPosterior shift_posterior(const BisectState& state, const ShiftModel& model) {
  BisectPosterior posterior;
  if (state.tested.size() < 2 || state.tested.front().commit != 0 ||
      state.tested.back().commit != state.last) {
    return posterior;
  }
  const ShiftData data = sums_of(state, model);
  const ShiftTerms terms = terms_of(state, model, data);
  const double some = std::log1p(-std::min(model.none, 1 - 1e-12));
  std::vector<GapFit> fits;
  std::vector<double> logs;
  std::vector<GapErrors> errors;
  for (std::size_t k = 0; k + 1 < state.tested.size(); ++k) {
    BisectGap gap{.after = state.tested[k].commit, .upto = state.tested[k + 1].commit};
    fits.push_back(fit_gap(data, terms, k, gap));
    logs.push_back(fits.back().log_likelihood + some +
                   std::log(state.prior[gap.upto] - state.prior[gap.after]));
    errors.push_back(fits.back().errors);
    posterior.gaps.push_back(gap);
  }
  std::optional<double> none;
  const double ends = state.tested.back().mean - state.tested.front().mean;
  if (model.none > 0) none = log_of_none(data, terms, ends) + std::log(model.none);
  normalise(posterior, logs, none);
  posterior.noise = noise_of(posterior, fits, terms.degrees);
  average_levels(posterior, errors);
  return posterior;
}

double probability_by(const BisectState& state, const BisectPosterior& posterior, std::size_t commit) {
  double sum = 0;
  for (const BisectGap& gap : posterior.gaps) {
    if (gap.upto <= commit) {
      sum += gap.mass;
      continue;
    }
    const double width = state.prior[gap.upto] - state.prior[gap.after];
    if (commit > gap.after && width > 0) {
      sum += gap.mass * (state.prior[commit] - state.prior[gap.after]) / width;
    }
    break;
  }
  return sum;
}

double probability_of(const BisectState& state, const BisectPosterior& posterior, std::size_t commit) {
  if (commit == 0 || commit > state.last) return 0;
  for (const BisectGap& gap : posterior.gaps) {
    if (gap.upto < commit) continue;
    const double width = state.prior[gap.upto] - state.prior[gap.after];
    return width > 0 ? gap.mass * (state.prior[commit] - state.prior[commit - 1]) / width : 0;
  }
  return 0;
}

CommitSet smallest_set(const BisectState& state, const BisectPosterior& posterior, double mass) {
  std::vector<double> by(state.last + 1, 0);
  double before = 0;
  for (const BisectGap& gap : posterior.gaps) {
    const double width = state.prior[gap.upto] - state.prior[gap.after];
    for (std::size_t i = gap.after + 1; i <= gap.upto; ++i) {
      by[i] = before + (width > 0 ? gap.mass * (state.prior[i] - state.prior[gap.after]) / width : 0);
    }
    before += gap.mass;
  }
  CommitSet best{1, state.last, by[state.last]};
  std::size_t first = 1;
  for (std::size_t last = 1; last <= state.last; ++last) {
    while (first < last && by[last] - by[first] >= mass) ++first;
    const CommitSet found{first, last, by[last] - by[first - 1]};
    if (found.mass < mass) continue;
    const std::size_t width = found.last - found.first;
    const std::size_t best_width = best.last - best.first;
    if (width < best_width || (width == best_width && found.mass > best.mass)) best = found;
  }
  return best;
}

}  // namespace kilter::analyse
