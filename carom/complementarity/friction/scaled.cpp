// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <carom/core/bits.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// 1/2^k with the greatest 2^k not above the root of x > 0.
double inverse_root_power(double x) {
  constexpr std::int64_t bias = 1023;
  const auto exponent = static_cast<std::int64_t>(bits_as<std::uint64_t>(x) >> 52U) - bias;
  const std::int64_t half = exponent >> 1U;
  return bits_as<double>(static_cast<std::uint64_t>(bias - half) << 52U);
}

/// Up to so many rows G is kept full in any case: three vectors a row. Beyond, where more than half
/// of it is stored. Decides about time only.
constexpr std::size_t few_rows = 24;

/// Impulses without bound, where there is no solution, must not make a residual look small: the
/// residual is relative to impulses up to this, which friction and poor conditioning can need.
constexpr double most_relative = 1024.;

template <std::size_t d>
void multiply(const ScaledFriction& s, const double* P, double* xi) {
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* v = xi + i * d;
    s.free_velocity<d>(i, P, v);
    const double* block = s.diagonal.data() + i * d * d;
    for (std::size_t r = 0; r < d; ++r) {
      for (std::size_t c = 0; c < d; ++c) v[r] += block[r * d + c] * P[i * d + c];
    }
  }
}

/// Copies the blocks of one row of blocks, scaled, to rows of numbers that are `apart` from each
/// other.
/// @param place  position of each block, in blocks
template <std::size_t d, class Place>
void scale_row(const double* __restrict from, std::size_t blocks, const Place& place, double own,
               const double* __restrict scale, double* __restrict row, std::size_t apart) {
  for (std::size_t k = 0; k < blocks; ++k, from += d * d) {
    const std::size_t j = place(k);
    const double f = own * scale[j];
    for (std::size_t r = 0; r < d; ++r) {
      for (std::size_t c = 0; c < d; ++c) row[r * apart + j * d + c] = from[r * d + c] * f;
    }
  }
}

/// All entries of G with their scales.
template <std::size_t d>
void scale_all(const BlockMatrix& G, const double* scale, double* all) {
  const std::size_t n = G.size();
  const std::size_t apart = whole_vectors(n);
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    double* const row = all + i * d * apart;
    for (std::size_t r = 0; r < d; ++r) {
      std::fill(row + r * apart + n, row + (r + 1) * apart, 0.);
    }
    if (columns.size() == G.blocks()) {  // each in its place
      const auto place = [](std::size_t k) { return k; };
      scale_row<d>(G.block(i, 0), columns.size(), place, scale[i], scale, row, apart);
    } else {
      const auto place = [&](std::size_t k) -> std::size_t { return columns[k]; };
      scale_row<d>(G.block(i, 0), columns.size(), place, scale[i], scale, row, apart);
    }
  }
}

/// See `residual` of a FrictionProblem. Infinite if an entry is NaN.
template <std::size_t d>
double residual_of(const ScaledFriction& s, const double* P, const double* xi) {
  double worst = 0.;
  double largest = 1.;
  double sound = 0.;  // zero, or NaN if any entry is NaN, which the maximum would hide
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const double* p = P + i * d;
    const double* x = xi + i * d;
    for (std::size_t c = 0; c < d; ++c) sound += 0. * (p[c] + x[c]);
    largest = std::max(largest, std::abs(p[0]));
    const double push = p[0] - s.floor[i];
    worst = std::max(worst, std::abs(s.pushes(i) ? push : std::min(push, x[0])));
    if (s.slides(i)) {
      for (std::size_t c = 1; c < d; ++c) {
        worst = std::max(worst, std::abs(p[c] + s.mu[i] * p[0] * s.prescribed[i].direction[c - 1]));
        largest = std::max(largest, std::abs(p[c]));
      }
      continue;
    }
    const double radius = s.mu[i] * std::max(0., p[0]);
    if constexpr (d == 2) {
      const double t = std::clamp(p[1] - x[1], -radius, radius);
      worst = std::max(worst, std::abs(p[1] - t));
      largest = std::max(largest, std::abs(p[1]));
    } else if constexpr (d == 3) {
      double u1 = p[1] - x[1];
      double u2 = p[2] - x[2];
      const double square = u1 * u1 + u2 * u2;
      if (square > radius * radius) {
        const double f = radius / std::sqrt(square);
        u1 *= f;
        u2 *= f;
      }
      worst = std::max({worst, std::abs(p[1] - u1), std::abs(p[2] - u2)});
      largest = std::max({largest, std::abs(p[1]), std::abs(p[2])});
    }
  }
  const double r = worst / std::min(largest, most_relative) + sound;
  return std::isfinite(r) ? r : HUGE_VAL;
}

}  // namespace

void ScaledFriction::read(const FrictionProblem& p) {
  resize(p.G);
  switch (components) {
    case 1:
      return read_as<1>(p);
    case 2:
      return read_as<2>(p);
    default:
      return read_as<3>(p);
  }
}

void ScaledFriction::resize(const BlockMatrix& G) {
  contacts = G.blocks();
  components = G.components();
  const std::size_t dd = components * components;
  scale.resize(contacts);
  diagonal.resize(contacts * dd);
  const std::size_t off_blocks = G.stored_blocks() - contacts;
  full = size() <= few_rows || 2 * off_blocks > contacts * (contacts - 1);
  if (!full) {
    begin.resize(contacts + 1);
    column.resize(off_blocks);
    off.resize(off_blocks * dd);
    if (components == 2) by_columns.resize(off_blocks * dd);
  } else if (off_blocks == contacts * (contacts - 1)) {
    all.resize(size() * step());
  } else {
    all.assign(size() * step(), 0.);
  }
  b.resize(size());
  mu.resize(contacts);
  floor.resize(contacts);
}

template <std::size_t d>
void ScaledFriction::read_as(const FrictionProblem& p) {
  find_scales<d>(p);
  const double per_unit = 1. / unit;  // a power of two, so that nothing is rounded
  has_floor = false;
  has_prescribed = !p.prescribed.empty();
  prescribed.assign(p.prescribed.begin(), p.prescribed.end());
  for (std::size_t i = 0; i < contacts; ++i) {
    const double* from = p.G.diagonal(i);
    const double own = scale[i] * scale[i];
    for (std::size_t e = 0; e < d * d; ++e) diagonal[i * d * d + e] = from[e] * own;
    for (std::size_t c = 0; c < d; ++c) b[i * d + c] = p.b[i * d + c] * scale[i] * per_unit;
    mu[i] = d == 1 ? 0. : p.mu[i];
    floor[i] = p.floor.empty() ? 0. : p.floor[i] / (scale[i] * unit);
    has_floor = has_floor || floor[i] > 0.;
  }
  if (full) {
    scale_all<d>(p.G, scale.data(), all.data());
  } else {
    scale_blocks(p.G);
  }
}

/// Computes the scales of the contacts and of b.
template <std::size_t d>
void ScaledFriction::find_scales(const FrictionProblem& p) {
  double largest = 0.;
  for (std::size_t i = 0; i < contacts; ++i) {
    const double* block = p.G.diagonal(i);
    double most = 0.;
    for (std::size_t c = 0; c < d; ++c) most = std::max(most, block[c * d + c]);
    scale[i] = most;
    largest = std::max(largest, most);
  }
  for (double& s : scale) {
    // A contact with a zero block takes the scale of the largest.
    const double g = s > 0. ? s : (largest > 0. ? largest : 1.);
    s = inverse_root_power(g);
  }
  double largest_b = 0.;
  for (std::size_t i = 0; i < contacts; ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      largest_b = std::max(largest_b, std::abs(p.b[i * d + c]) * scale[i]);
    }
    // Include the effect of given impulses, because b may be only rounding errors compared with it.
    if (!p.floor.empty()) largest_b = std::max(largest_b, std::abs(p.floor[i]) / scale[i]);
  }
  unit = largest_b > 0. ? power_of_two(largest_b) : 1.;
}

/// The off-diagonal blocks, if G is not stored as a full matrix.
void ScaledFriction::scale_blocks(const BlockMatrix& G) {
  const std::size_t d = components;
  const std::size_t dd = d * d;
  std::size_t at = 0;
  for (std::size_t i = 0; i < contacts; ++i) {
    begin[i] = at;
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t j = columns[k];
      if (j == i) continue;
      column[at] = columns[k];
      const double* from = G.block(i, k);
      const double f = scale[i] * scale[j];
      double* to = &off[at * dd];
      for (std::size_t e = 0; e < dd; ++e) to[e] = from[e] * f;
      if (d == 2) {
        double* turned = &by_columns[at * 4];
        turned[0] = to[0];
        turned[1] = to[2];
        turned[2] = to[1];
        turned[3] = to[3];
      }
      ++at;
    }
  }
  begin[contacts] = at;
}

void ScaledFriction::shift_diagonal(const ScaledFriction& other, double r) {
  const std::size_t d = components;
  for (std::size_t k = 0; k < size(); ++k) {
    const std::size_t at = k / d * d * d + k % d * (d + 1);
    diagonal[at] = other.diagonal[at] + r;
    if (full) all[k * (step() + 1)] = diagonal[at];
  }
}

void ScaledFriction::velocities(std::span<const double> P, std::span<double> xi) const {
  if (full) {
    const std::size_t apart = step();
    const std::size_t n = std::max(size(), std::min(xi.size(), apart));
    std::copy(b.begin(), b.end(), xi.begin());
    for (std::size_t i = 0; i < contacts; ++i) {
      const double* p = &P[i * components];
      const double* rows = &all[i * components * apart];
      // Zero impulses add nothing.
      if (components == 1 && p[0] != 0.) add_multiple(xi.data(), n, p[0], rows);
      if (components == 2 && (p[0] != 0. || p[1] != 0.)) add_two(xi.data(), n, p, rows, apart);
      if (components == 3 && (p[0] != 0. || p[1] != 0. || p[2] != 0.)) {
        add_three(xi.data(), n, p, rows, apart);
      }
    }
    return;
  }
  switch (components) {
    case 1:
      return multiply<1>(*this, P.data(), xi.data());
    case 2:
      return multiply<2>(*this, P.data(), xi.data());
    default:
      return multiply<3>(*this, P.data(), xi.data());
  }
}

double ScaledFriction::residual(std::span<const double> P, std::span<const double> xi) const {
  return components == 1   ? residual_of<1>(*this, P.data(), xi.data())
         : components == 2 ? residual_of<2>(*this, P.data(), xi.data())
                           : residual_of<3>(*this, P.data(), xi.data());
}

double residual(const FrictionProblem& problem, std::span<const double> P) {
  ScaledFriction s;
  s.read(problem);
  std::vector<double> p(s.size());
  std::vector<double> xi(s.size());
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = P[k] / (s.scale[k / s.components] * s.unit);
  s.velocities(p, xi);
  return s.residual(p, xi);
}

}  // namespace carom::complementarity
