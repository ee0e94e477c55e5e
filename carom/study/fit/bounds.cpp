// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/bounds.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <boost/math/tools/minima.hpp>

#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// min (P.H.P - 2 q.P + rest) where P.G.P + 2 v.P <= 0. The square of the error is the value over
/// |y-|^2.
struct Quadratic {
  MatrixXd H, G;
  VectorXd q, v;
  double rest = 0.;

  [[nodiscard]] double value(const VectorXd& P) const {
    return P.dot(H * P) - 2. * q.dot(P) + rest;
  }
};

Quadratic quadratic(const MeasuredImpacts& data, const MeasuredContact& contact,
                    const MeasuredImpact& impact) {
  const auto width = static_cast<Index>(data.coordinates.size());
  const Eigen::Map<const VectorXd> before(impact.before.data(), width);
  const Eigen::Map<const VectorXd> after(impact.after.data(), width);
  const Eigen::Map<const VectorXd> metric(data.metric.data(), width);
  const VectorXd change = after - before;
  const MatrixXd weighted = metric.asDiagonal() * contact.response;
  return {.H = contact.response.transpose() * weighted,
          .G = contact.problem.G.dense(),
          .q = weighted.transpose() * change,
          .v = contact.W.transpose() * before,
          .rest = change.dot(metric.cwiseProduct(change))};
}

/// The coordinates x, P = T x, in which G is the identity and H is diagonal. Impulses that change
/// nothing are left out.
struct Principal {
  MatrixXd T;
  VectorXd h;  ///< diagonal of H

  explicit Principal(const Quadratic& f) {
    const SymmetricEigen of_G = symmetric_eigen(f.G);
    const double largest = of_G.values.maxCoeff();
    const auto size = of_G.values.size();
    Index rank = 0;
    for (Index i = 0; i < size; ++i) rank += of_G.values[i] > rounding * largest ? 1 : 0;
    const VectorXd root = of_G.values.tail(rank).cwiseSqrt().cwiseInverse();
    const MatrixXd S = of_G.vectors.rightCols(rank) * root.asDiagonal();
    const SymmetricEigen of_H = symmetric_eigen(S.transpose() * f.H * S);
    T = S * of_H.vectors;
    h = of_H.values;
  }
};

/// The best impulse of all, or of all that lose energy. By Lagrange's multiplier l of the energy,
/// x_i = (q_i - l v_i)/(h_i + l), where |x|^2 + 2 v.x falls as l grows.
VectorXd best_impulse(const Quadratic& f, const Principal& principal, bool loses_energy) {
  const VectorXd q = principal.T.transpose() * f.q;
  const VectorXd v = principal.T.transpose() * f.v;
  const auto at = [&](double l) -> VectorXd {
    return (q - l * v).cwiseQuotient((principal.h.array() + l).matrix());
  };
  const auto gain = [&](const VectorXd& x) { return x.squaredNorm() + 2. * v.dot(x); };
  VectorXd x = at(0.);
  if (!loses_energy || gain(x) <= 0.) return principal.T * x;
  // l between 0 and where the gain is negative; if v = 0 there is no such l, and x -> 0.
  double low = 0.;
  double high = principal.h.maxCoeff();
  constexpr double largest = 1e18;  // times the scale of h: x = -v by then, to rounding
  const double most = largest * high;
  while (gain(at(high)) > 0. && high < most) high *= 4.;
  for (int i = 0; i < 2 * std::numeric_limits<double>::digits; ++i) {
    const double middle = low > 0. ? std::sqrt(low * high) : high / 4.;
    if (!(middle > low && middle < high)) break;
    (gain(at(middle)) > 0. ? low : high) = middle;
  }
  x = at(high);
  return principal.T * x;
}

/// The least value on the ray P = p d, p >= 0.
double least_on_ray(const Quadratic& f, const VectorXd& d, bool loses_energy) {
  const double curvature = d.dot(f.H * d);
  double p = curvature > 0. ? std::max(f.q.dot(d) / curvature, 0.) : 0.;
  if (loses_energy) {
    const double of_G = d.dot(f.G * d);
    p = of_G > 0. ? std::clamp(p, 0., std::max(-2. * f.v.dot(d) / of_G, 0.)) : 0.;
  }
  return f.value(p * d);
}

double least_on_cone(const Quadratic& f, double mu, bool loses_energy) {
  const auto size = f.v.size();
  VectorXd d = VectorXd::Zero(size);
  d[0] = 1.;
  if (size == 1 || mu == 0.) return least_on_ray(f, d, loses_energy);
  if (size == 2) {
    d[1] = mu;
    const double one = least_on_ray(f, d, loses_energy);
    d[1] = -mu;
    return std::min(one, least_on_ray(f, d, loses_energy));
  }
  const auto at = [&](double angle) {
    d[1] = mu * std::cos(angle);
    d[2] = mu * std::sin(angle);
    return least_on_ray(f, d, loses_energy);
  };
  // The value has at most a few minima over the angle: each is some quadrant wide.
  constexpr int samples = 48;
  constexpr double step = 2. * std::numbers::pi / samples;
  std::array<double, samples> value{};
  for (int i = 0; i < samples; ++i) value[static_cast<std::size_t>(i)] = at(i * step);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < samples; ++i) {
    const double here = value[static_cast<std::size_t>(i)];
    const double before = value[static_cast<std::size_t>((i + samples - 1) % samples)];
    const double after = value[static_cast<std::size_t>((i + 1) % samples)];
    least = std::min(least, here);
    if (here > before || here > after) continue;
    constexpr int bits = 26;  // half of those of a double: a minimum is not sharper
    std::uintmax_t most = 60;
    least = std::min(
        least, boost::math::tools::brent_find_minima(at, (i - 1) * step, (i + 1) * step, bits, most)
                   .second);
  }
  return least;
}

bool in_cone(const VectorXd& P, double mu) {
  const double tangential = P.tail(P.size() - 1).norm();
  return P[0] >= 0. && tangential <= mu * P[0];
}

}  // namespace

double least_error(const MeasuredImpacts& data, const MeasuredContact& contact,
                   const MeasuredImpact& impact, const ImpulseSet& set) {
  const Quadratic f = quadratic(data, contact, impact);
  const Principal principal(f);
  const VectorXd P = best_impulse(f, principal, set.loses_energy);
  double least = f.value(P);
  if (set.friction && principal.h.size() == f.v.size() && !in_cone(P, *set.friction)) {
    least = least_on_cone(f, *set.friction, set.loses_energy);
  }
  return std::sqrt(std::max(least, 0.)) / data.norm(impact.before);
}

LeastErrors least_errors(const Objective& objective, std::span<const std::size_t> impacts,
                         std::span<const double> p, unsigned threads) {
  LeastErrors found{.any_impulse = std::vector<double>(impacts.size()),
                    .losing_energy = std::vector<double>(impacts.size()),
                    .in_cone = std::vector<double>(impacts.size())};
  constexpr std::size_t grain = 16;
  parallel_blocks(impacts.size(), grain, threads, [&](std::size_t begin, std::size_t end) {
    MeasuredContact contact;
    for (std::size_t k = begin; k < end; ++k) {
      const MeasuredImpact& impact = objective.data().impacts[impacts[k]];
      objective.contact(impacts[k], p, contact);
      const auto least = [&](const ImpulseSet& set) {
        return least_error(objective.data(), contact, impact, set);
      };
      found.any_impulse[k] = least({.loses_energy = false, .friction = {}});
      found.losing_energy[k] = least({.loses_energy = true, .friction = {}});
      found.in_cone[k] =
          least({.loses_energy = true, .friction = contact.problem.surfaces[0].friction});
    }
  });
  return found;
}

}  // namespace carom::study::fit
