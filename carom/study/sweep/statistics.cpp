// SPDX-License-Identifier: Apache-2.0
#include <carom/study/sweep/statistics.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom::study {
namespace {

/// Sums are kept in so many parts, which a compiler may add at once without changing the result.
constexpr std::size_t lanes = 8;

double total(const std::array<double, lanes>& parts) {
  return ((parts[0] + parts[1]) + (parts[2] + parts[3])) +
         ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

/// The widest instructions that the machine has; sums are the same with any.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CAROM_FOR_EACH_MACHINE __attribute__((target_clones("default", "avx2")))
#else
#define CAROM_FOR_EACH_MACHINE
#endif

using Lanes = std::array<double, lanes>;

/// What is summed before the mean is known. @pre size is a multiple of the lanes
struct FirstSums {
  Lanes sum{}, count{}, least{}, greatest{};
};
CAROM_FOR_EACH_MACHINE void first_pass(const double* values, std::size_t size, FirstSums& into) {
  FirstSums s = into;
  for (std::size_t i = 0; i < size; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = values[i + lane];
      const bool defined = x == x;
      s.sum[lane] += defined ? x : 0.;
      s.count[lane] += defined ? 1. : 0.;
      s.least[lane] = x < s.least[lane] ? x : s.least[lane];
      s.greatest[lane] = x > s.greatest[lane] ? x : s.greatest[lane];
    }
  }
  into = s;
}

/// Sums of powers of the distance from the mean.
struct PowerSums {
  Lanes s1{}, s2{}, s3{}, s4{};
};
CAROM_FOR_EACH_MACHINE void second_pass(const double* values, std::size_t size, double mean,
                                        PowerSums& into) {
  PowerSums s = into;
  for (std::size_t i = 0; i < size; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = values[i + lane];
      const double d = x == x ? x - mean : 0.;
      const double q = d * d;
      s.s1[lane] += d;
      s.s2[lane] += q;
      s.s3[lane] += q * d;
      s.s4[lane] += q * q;
    }
  }
  into = s;
}

#undef CAROM_FOR_EACH_MACHINE

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Moments Moments::of(std::span<const double> values) {
  Moments m;
  // The last few numbers are filled up with NaN, which are not counted.
  const std::size_t whole = values.size() - values.size() % lanes;
  Lanes rest;
  rest.fill(nan);
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), rest.begin());
  FirstSums first;
  first.least.fill(m.least);
  first.greatest.fill(m.greatest);
  first_pass(values.data(), whole, first);
  first_pass(rest.data(), lanes, first);
  m.count = total(first.count);
  m.undefined = static_cast<double>(values.size()) - m.count;
  if (m.count == 0.) return m;
  m.least = *std::ranges::min_element(first.least);
  m.greatest = *std::ranges::max_element(first.greatest);
  m.mean = total(first.sum) / m.count;
  PowerSums powers;
  second_pass(values.data(), whole, m.mean, powers);
  second_pass(rest.data(), lanes, m.mean, powers);
  // What rounding left of the first sum belongs to the mean.
  const double left = total(powers.s1) / m.count;
  m.mean += left;
  m.m2 = std::max(0., total(powers.s2) - m.count * left * left);
  m.m3 = total(powers.s3);
  m.m4 = total(powers.s4);
  return m;
}

void Moments::merge(const Moments& o) {
  undefined += o.undefined;
  if (o.count == 0.) return;
  if (count == 0.) {
    const double missing = undefined;
    *this = o;
    undefined = missing;
    return;
  }
  const double n = count + o.count;
  const double d = o.mean - mean;
  const double r = d / n;
  const double c = d * r * count * o.count;
  m4 += o.m4 + c * r * r * (count * count - count * o.count + o.count * o.count) +
        6. * r * r * (count * count * o.m2 + o.count * o.count * m2) +
        4. * r * (count * o.m3 - o.count * m3);
  m3 += o.m3 + c * r * (count - o.count) + 3. * r * (count * o.m2 - o.count * m2);
  m2 += o.m2 + c;
  mean += r * o.count;
  count = n;
  least = std::min(least, o.least);
  greatest = std::max(greatest, o.greatest);
}

double Moments::deviation() const { return count > 1. ? std::sqrt(m2 / (count - 1.)) : nan; }

double Moments::mean_error() const { return deviation() / std::sqrt(count); }

double Moments::deviation_error() const {
  // Var(s^2) = (mu4 - s^4 (n - 3)/(n - 1))/n, and s has half of that relative error.
  const double s2 = m2 / (count - 1.);
  if (!(count > 3.) || !(s2 > 0.)) return count > 3. ? 0. : nan;
  const double variance = (m4 / count - s2 * s2 * (count - 3.) / (count - 1.)) / count;
  return 0.5 * std::sqrt(std::max(0., variance)) / std::sqrt(s2);
}

// --- fine bins
// ------------------------------------------------------------------------------------

FineBins::FineBins(std::vector<double> like) {
  std::erase_if(like, [](double x) { return !std::isfinite(x); });
  std::sort(like.begin(), like.end());
  double low = 0.;
  double high = 1.;
  if (!like.empty()) {
    // Between the outermost thousandths, and a quarter of that distance beyond.
    const std::size_t off = like.size() / 1000;
    low = like[off];
    high = like[like.size() - 1 - off];
    if (low == high) {
      low = like.front();
      high = like.back();
    }
  }
  constexpr double beyond = 0.25;
  constexpr double least_range = 0x1p-20;  // relative, where the numbers are all alike
  double range = high - low;
  if (!(range > 0.)) range = std::max(std::abs(low), 1e-300) * least_range;
  low_ = low - beyond * range;
  width_ = (1. + 2. * beyond) * range / static_cast<double>(middle);
  inverse_ = 1. / width_;
}

std::size_t FineBins::index(double value) const {
  const double t = (value - low_) * inverse_;
  if (t >= 0. && t < static_cast<double>(middle)) {
    return tail + static_cast<std::size_t>(static_cast<std::int32_t>(t));
  }
  const double beyond = t < 0. ? -t : t - static_cast<double>(middle);
  // The exponent and the first four binary digits of 1 + distance.
  constexpr unsigned digits = 52 - 4;
  const std::uint64_t one = std::bit_cast<std::uint64_t>(1.) >> digits;
  const std::size_t step = std::min<std::uint64_t>(
      (std::bit_cast<std::uint64_t>(1. + beyond) >> digits) - one, tail - 1);
  return t < 0. ? tail - 1 - step : tail + middle + step;
}

void FineBins::add(std::span<const double> values, std::span<std::uint64_t> counts) const {
  for (const double x : values) {
    if (x == x) ++counts[index(x)];
  }
}

double FineBins::bound(std::size_t i) const {
  // The lower bound of step k of a tail, in equal bins: (1 + (k mod 16)/16) 2^(k/16) - 1.
  const auto distance = [](std::size_t k) {
    const double within = 1. + static_cast<double>(k % per_octave) / per_octave;
    return std::ldexp(within, static_cast<int>(k / per_octave)) - 1.;
  };
  if (i == 0) return -std::numeric_limits<double>::infinity();
  if (i >= size()) return std::numeric_limits<double>::infinity();
  const double top = low_ + width_ * static_cast<double>(middle);
  if (i < tail) return low_ - width_ * distance(tail - i);
  if (i <= tail + middle) return low_ + width_ * static_cast<double>(i - tail);
  return top + width_ * distance(i - tail - middle);
}

// --- distributions
// --------------------------------------------------------------------------------

Quantile Distribution::asked(double p) const {
  const double n = count();
  Quantile q{.probability = p, .value = nan, .error = nan, .resolution = 0.};
  if (n == 0.) return q;
  q.value = quantile(p);
  q.resolution = resolution(p);
  const double aside = std::sqrt(p * (1. - p) / n);
  q.error = 0.5 * (quantile(std::min(1., p + aside)) - quantile(std::max(0., p - aside)));
  return q;
}

std::array<double, 2> Distribution::usual_range(double least, double greatest) const {
  constexpr double most = 0.05;  // is in each tail
  constexpr double times = 3.;   // the distance between them
  const double low = quantile(most);
  const double high = quantile(1. - most);
  const double far = times * (high - low);
  if (!(far > 0.)) return {least, greatest};
  return {std::max(least, low - far), std::min(greatest, high + far)};
}

ExactDistribution::ExactDistribution(std::vector<double> values) : sorted_(std::move(values)) {
  std::erase_if(sorted_, [](double x) { return std::isnan(x); });
  std::sort(sorted_.begin(), sorted_.end());
}

double ExactDistribution::quantile(double p) const {
  // Linear between the order statistics [Hyndman & Fan 1996, definition 7].
  const double rank = p * static_cast<double>(sorted_.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(rank), sorted_.size() - 1);
  const auto j = std::min(i + 1, sorted_.size() - 1);
  const double share = rank - static_cast<double>(i);
  return share == 0. || sorted_[i] == sorted_[j] ? sorted_[i]
                                                 : sorted_[i] * (1. - share) + sorted_[j] * share;
}

Histogram ExactDistribution::histogram(std::size_t bins) const {
  Histogram h;
  h.counts.resize(bins);
  if (sorted_.empty()) return h;
  const auto [from, to] = usual_range(sorted_.front(), sorted_.back());
  h.from = from;
  h.to = to;
  const double width = (to - from) / static_cast<double>(bins);
  for (const double x : sorted_) {
    if (x < from) {
      ++h.below;
    } else if (x > to) {
      ++h.above;
    } else {
      const double t = width > 0. ? (x - from) / width : 0.;
      ++h.counts[std::min(static_cast<std::size_t>(t), bins - 1)];
    }
  }
  return h;
}

BinnedDistribution::BinnedDistribution(const FineBins& bins, std::span<const std::uint64_t> counts,
                                       const Moments& moments)
    : bins_(bins), before_(counts.size() + 1, 0.), moments_(moments) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    before_[i + 1] = before_[i] + static_cast<double>(counts[i]);
  }
}

std::size_t BinnedDistribution::bin_of(double rank) const {
  const auto after = std::upper_bound(before_.begin() + 1, before_.end(), rank);
  std::size_t bin = static_cast<std::size_t>(after - before_.begin()) - 1;
  bin = std::min(bin, before_.size() - 2);
  while (bin > 0 && before_[bin + 1] == before_[bin]) --bin;  // beyond the last number
  return bin;
}

double BinnedDistribution::lower(std::size_t bin) const {
  return std::clamp(bins_.bound(bin), moments_.least, moments_.greatest);
}

double BinnedDistribution::upper(std::size_t bin) const {
  return std::clamp(bins_.bound(bin + 1), moments_.least, moments_.greatest);
}

double BinnedDistribution::quantile(double p) const {
  const double rank = p * (moments_.count - 1.);
  const std::size_t bin = bin_of(rank);
  const double in_bin = before_[bin + 1] - before_[bin];
  const double share = in_bin > 0. ? std::min(1., (rank - before_[bin] + 0.5) / in_bin) : 0.;
  return lower(bin) + share * (upper(bin) - lower(bin));
}

double BinnedDistribution::resolution(double p) const {
  const std::size_t bin = bin_of(p * (moments_.count - 1.));
  return upper(bin) - lower(bin);
}

Histogram BinnedDistribution::histogram(std::size_t bins) const {
  Histogram h;
  h.counts.resize(bins);
  if (moments_.count == 0.) return h;
  const auto [from, to] = usual_range(moments_.least, moments_.greatest);
  h.from = from;
  h.to = to;
  const double width = (to - from) / static_cast<double>(bins);
  for (std::size_t i = 0; i + 1 < before_.size(); ++i) {
    const double n = before_[i + 1] - before_[i];
    if (n == 0.) continue;
    const double middle = 0.5 * (lower(i) + upper(i));
    if (middle < from) {
      h.below += n;
    } else if (middle > to) {
      h.above += n;
    } else {
      const double t = width > 0. ? (middle - from) / width : 0.;
      h.counts[std::min(static_cast<std::size_t>(t), bins - 1)] += n;
    }
  }
  return h;
}

// --- Sobol' indices
// -------------------------------------------------------------------------------

void IndexSums::add(std::span<const double> a, std::span<const double> b,
                    std::span<const std::vector<double>> t, double centre) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    bool defined = a[j] == a[j] && b[j] == b[j];
    for (const std::vector<double>& one : t) defined = defined && one[j] == one[j];
    if (!defined) continue;
    const double x = a[j] - centre;
    const double y = b[j] - centre;
    const double d = 0.5 * (x * x + y * y);
    ++count;
    common[0] += x + y;
    common[1] += d;
    common[2] += d * d;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const double change = t[k][j] - a[j];
      const double g = y * change;
      const double h = 0.5 * change * change;
      auto& s = inputs[k];
      s[0] += g;
      s[1] += change;
      s[2] += h;
      s[3] += g * g;
      s[4] += h * h;
      s[5] += d * g;
      s[6] += d * h;
    }
  }
}

void IndexSums::merge(const IndexSums& o) {
  count += o.count;
  for (std::size_t i = 0; i < common.size(); ++i) common[i] += o.common[i];
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    for (std::size_t i = 0; i < inputs[k].size(); ++i) inputs[k][i] += o.inputs[k][i];
  }
}

std::vector<double> IndexSums::numbers() const {
  std::vector<double> all{count};
  all.insert(all.end(), common.begin(), common.end());
  for (const auto& s : inputs) all.insert(all.end(), s.begin(), s.end());
  return all;
}

IndexSums IndexSums::from(std::span<const double> n, std::size_t inputs_count) {
  IndexSums sums(inputs_count);
  sums.count = n[0];
  std::copy_n(n.begin() + 1, sums.common.size(), sums.common.begin());
  auto at = n.begin() + 4;
  for (auto& s : sums.inputs) {
    std::copy_n(at, s.size(), s.begin());
    at += static_cast<std::ptrdiff_t>(s.size());
  }
  return sums;
}

SobolIndices sobol_indices(const IndexSums& sums) {
  SobolIndices all;
  const double n = sums.count;
  const double mean = sums.common[0] / (2. * n);  // of both sets, less the centre
  const double square = sums.common[1] / n;       // of d
  const double variance = square - mean * mean;   // of the result
  const double var_d = sums.common[2] / n - square * square;
  for (const auto& s : sums.inputs) {
    if (!(n > 1.) || !(variance > 0.)) {
      all.first.push_back({nan, nan});
      all.total.push_back({nan, nan});
      continue;
    }
    // S_k = mean((b - mean) (t - a))/variance, with which the estimate has less noise than with b.
    const double g = (s[0] - mean * s[1]) / n;
    const double h = s[2] / n;
    // The errors by the delta method, of the ratio of two means.
    const auto error = [&](double value, double second, double product, double mean_of) {
      const double var = second / n - mean_of * mean_of;
      const double covariance = product / n - mean_of * square;
      const double of_ratio = var - 2. * value * covariance + value * value * var_d;
      return std::sqrt(std::max(0., of_ratio) / n) / variance;
    };
    all.first.push_back({g / variance, error(g / variance, s[3], s[5], s[0] / n)});
    all.total.push_back({h / variance, error(h / variance, s[4], s[6], h)});
  }
  return all;
}

}  // namespace carom::study
