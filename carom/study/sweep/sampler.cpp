// SPDX-License-Identifier: Apache-2.0
#include <carom/study/sweep/sampler.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>

#include <carom/core/error.hpp>
#include <carom/core/random.hpp>

namespace carom::study {
namespace {

using scenario::Spread;
using scenario::SweepAxis;
using scenario::SweepMethod;

/// Streams of random numbers: coordinates have the lowest numbers.
constexpr std::uint64_t shift_stream = std::uint64_t{1} << 32U;

/// Numbers in (0, 1): the middles of 2^52 intervals, so that no quantile is infinite.
double unit(std::uint64_t bits) {
  constexpr std::uint64_t one = std::bit_cast<std::uint64_t>(1.);
  return (std::bit_cast<double>((bits >> 12U) | one) - 1.) + 0x1p-53;  // exact
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.)); }

/// The quantile of a normal number for |p - 1/2| <= 0.425, with q = p - 1/2, to 1e-15
/// [Wichura 1988, algorithm AS 241, PPND16].
double central_quantile(double q) {
  constexpr std::array a{3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                         13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                         33430.575583588128105, 2509.0809287301226727};
  constexpr std::array b{1.,
                         42.313330701600911252,
                         687.18700749205790830,
                         5394.1960214247511077,
                         21213.794301586595867,
                         39307.895800092710610,
                         28729.085735721942674,
                         5226.4952788528545610};
  const double r = 0.180625 - q * q;
  double above = a[7];
  double below = b[7];
  for (std::size_t i = 7; i-- > 0;) {
    above = above * r + a[i];
    below = below * r + b[i];
  }
  return q * above / below;
}

/// Replaces probabilities by the quantiles of a normal number.
void normal_quantiles(double* p, std::size_t count) {
  constexpr double central = 0.425;
  constexpr std::size_t most = 256;
  std::array<double, most> q;
  for (std::size_t begin = 0; begin < count; begin += most) {
    const std::size_t size = std::min(most, count - begin);
    double* const x = p + begin;
    for (std::size_t i = 0; i < size; ++i) q[i] = central_quantile(x[i] - 0.5);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = std::abs(x[i] - 0.5) <= central ? q[i]
                                             : -std::sqrt(2.) * boost::math::erfc_inv(2. * x[i]);
    }
  }
}

}  // namespace

Sampler::Sampler(const scenario::SweepRequest& request)
    : method_(request.method.value_or(SweepMethod::grid)), seed_(request.seed) {
  const bool grid = method_ == SweepMethod::grid;
  for (const SweepAxis& axis : request.axes) {
    if (axis.fixed()) continue;
    Prepared p;
    p.axis = axis;
    if (grid || axis.spread == Spread::list) p.values = axis.values();
    p.mean = axis.mean;
    p.spread = axis.deviation;
    double low = axis.low;
    double high = axis.high;
    if (axis.spread == Spread::log_normal) {
      // Of the logarithm: variance ln(1 + (s/m)^2), mean ln m - variance/2.
      const double relative = axis.deviation / axis.mean;
      const double variance = std::log1p(relative * relative);
      p.spread = std::sqrt(variance);
      p.mean = std::log(axis.mean) - 0.5 * variance;
      low = low > 0. ? std::log(low) : -std::numeric_limits<double>::infinity();
      high = std::log(high);
    }
    if (axis.spread == Spread::normal || axis.spread == Spread::log_normal) {
      p.at_low = normal_below((low - p.mean) / p.spread);
      p.inside = normal_below((high - p.mean) / p.spread) - p.at_low;
      constexpr double least_inside = 1e-12;  // below it the quantiles lose their digits
      if (!(p.inside >= least_inside)) {
        throw InputError(axis.field,
                         axis.path + ": almost nothing of the distribution lies between low = " +
                             shortest(axis.low) + " and high = " + shortest(axis.high),
                         axis.place);
      }
    }
    axes_.push_back(std::move(p));
  }
  if (grid) {
    for (const Prepared& p : axes_) {
      const double product = static_cast<double>(points_) * static_cast<double>(p.values.size());
      if (product > scenario::most_sweep_samples) {
        throw InputError("sweep.axes", "a grid of all axes has " + shortest(product) +
                                           " points or more; at most " +
                                           shortest(scenario::most_sweep_samples));
      }
      points_ *= p.values.size();
    }
    return;
  }
  points_ = request.samples.value_or(1);
  if (method_ != SweepMethod::sobol || axes_.empty()) return;
  const std::size_t coordinates = 2 * axes_.size();
  boost::random::sobol engine(coordinates);
  directions_.resize(coordinates * bits);
  // Point n of the sequence is the sum modulo 2 of the direction numbers of the bits of its Gray
  // code; point 2^k has bits k and k - 1. The engine begins with point 1.
  for (std::size_t k = 0; k + 1 < bits; ++k) {
    engine.seed((std::uint64_t{1} << k) - 1);
    for (std::size_t c = 0; c < coordinates; ++c) {
      const std::uint64_t before = k > 0 ? directions_[c * bits + k - 1] : 0;
      directions_[c * bits + k] = engine() ^ before;
    }
  }
  for (std::size_t c = 0; c < coordinates; ++c) {
    shifts_.push_back(RandomStream(seed_, shift_stream + c).bits(0));
  }
}

void Sampler::uniform(std::size_t coordinate, std::size_t first, std::size_t count,
                      double* out) const {
  if (method_ == SweepMethod::random) {
    const RandomStream stream(seed_, coordinate);
    for (std::size_t i = 0; i < count; ++i) out[i] = stream.uniform(first + i);
    return;
  }
  const std::uint64_t* v = directions_.data() + coordinate * bits;
  // Gray codes are linear modulo 2: that of base + j is that of base and that of j added, where
  // base is a multiple of a power of two above j.
  constexpr std::size_t together = 64;
  const auto sum = [&](std::uint64_t i) {
    std::uint64_t x = 0;
    for (std::uint64_t gray = i ^ (i >> 1U); gray != 0; gray &= gray - 1) {
      x ^= v[std::countr_zero(gray)];
    }
    return x;
  };
  std::array<std::uint64_t, together> within;
  for (std::size_t j = 0; j < together; ++j) within[j] = sum(j);
  for (std::size_t i = 0; i < count;) {
    const std::size_t from = (first + i) % together;
    const std::size_t size = std::min(together - from, count - i);
    const std::uint64_t base = sum(first + i - from) ^ shifts_[coordinate];
    double* to = out + i;
    for (std::size_t j = 0; j < size; ++j) to[j] = unit(base ^ within[from + j]);
    i += size;
  }
}

void Sampler::transform(const Prepared& p, std::size_t count, double* u) {
  const SweepAxis& axis = p.axis;
  const auto each = [&](const auto& f) {
    for (std::size_t i = 0; i < count; ++i) u[i] = f(u[i]);
  };
  switch (axis.spread) {
    case Spread::range: {
      const double from = axis.log ? std::log(axis.from) : axis.from;
      const double to = axis.log ? std::log(axis.to) : axis.to;
      if (axis.log) return each([&](double x) { return std::exp(from + (to - from) * x); });
      return each([=](double x) { return from + (to - from) * x; });
    }
    case Spread::list: {
      const double size = static_cast<double>(p.values.size());
      return each([&](double x) { return p.values[static_cast<std::size_t>(x * size)]; });
    }
    case Spread::uniform: {
      const double low = axis.low;
      const double width = axis.high - low;
      return each([=](double x) { return low + width * x; });
    }
    case Spread::normal:
    case Spread::log_normal: {
      const double at_low = p.at_low;
      const double inside = p.inside;
      const double mean = p.mean;
      const double spread = p.spread;
      const double low = axis.low;
      const double high = axis.high;
      each([=](double x) { return at_low + inside * x; });
      normal_quantiles(u, count);
      if (axis.spread == Spread::normal) {
        return each([=](double z) { return std::clamp(mean + spread * z, low, high); });
      }
      return each([=](double z) { return std::clamp(std::exp(mean + spread * z), low, high); });
    }
  }
}

void Sampler::fill_grid(std::size_t first, std::size_t count, Columns& inputs) const {
  // The last axis varies fastest.
  std::size_t repeat = 1;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const std::vector<double>& values = axes_[k].values;
    for (std::size_t i = 0; i < count; ++i) {
      inputs[k][i] = values[((first + i) / repeat) % values.size()];
    }
    repeat *= values.size();
  }
}

void Sampler::fill(std::size_t first, std::size_t count, Set set, Columns& inputs) const {
  if (method_ == SweepMethod::grid) return fill_grid(first, count, inputs);
  const std::size_t offset = set == Set::second ? axes_.size() : 0;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    uniform(offset + k, first, count, inputs[k].data());
    transform(axes_[k], count, inputs[k].data());
  }
}

}  // namespace carom::study
