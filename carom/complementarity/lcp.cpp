// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/lcp.hpp>

#include <algorithm>
#include <bit>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Of Gauss-Seidel, before Newton's method. Both numbers decide about time only: where no set comes
/// back, Lemke's method follows.
constexpr std::size_t sweeps = 4;
/// Of Newton's method.
constexpr std::size_t most_steps = 10;
/// What may be left of w where it is to vanish, relative: a condition of 1e5 is tolerated.
constexpr double negligible = 1e-11;
/// Principal minors above this part of the product of the diagonal: then what Cramer's rule makes
/// is known to 1e-10, and signs can be trusted.
constexpr double well_conditioned = 1e-6;

/// Three rows with positive principal minors: one of the eight sets of positive z has all signs
/// right. Uses Cramer's rule with a single division. Returns false if a minor is not positive, or
/// if two sets cannot be distinguished to rounding.
bool solve_three(const double* M, const double* q, double* z, double* w) {
  const double a = M[0], b = M[1], c = M[2];
  const double d = M[3], e = M[4], f = M[5];
  const double g = M[6], h = M[7], i = M[8];
  const double ae = a * e, ai = a * i, ei = e * i;
  const double m01 = ae - b * d;
  const double m02 = ai - c * g;
  const double m12 = ei - f * h;
  // Off-diagonal cofactors.
  const double k01 = f * g - d * i, k02 = d * h - e * g;
  const double k10 = c * h - b * i, k12 = b * g - a * h;
  const double k20 = b * f - c * e, k21 = c * d - a * f;
  const double det = a * m12 + b * k01 + c * k02;
  const bool positive = (a > 0.) & (e > 0.) & (i > 0.) & (m01 > well_conditioned * ae) &
                        (m02 > well_conditioned * ai) & (m12 > well_conditioned * ei) &
                        (det > well_conditioned * (ae * i));
  if (!positive) return false;
  const double p = q[0], r = q[1], s = q[2];
  // Numerators of z_i and w_j if only z_i is positive; the denominator is M_ii.
  const double w1_0 = r * a - d * p, w2_0 = s * a - g * p;
  const double w0_1 = p * e - b * r, w2_1 = s * e - h * r;
  const double w0_2 = p * i - c * s, w1_2 = r * i - f * s;
  // Two are positive: the denominator is their minor.
  const double z0_01 = -w0_1, z1_01 = -w1_0;
  const double z0_02 = -w0_2, z2_02 = -w2_0;
  const double z1_12 = -w1_2, z2_12 = -w2_1;
  const double w2_01 = s * m01 + g * z0_01 + h * z1_01;
  const double w1_02 = r * m02 + d * z0_02 + f * z2_02;
  const double w0_12 = p * m12 + b * z1_12 + c * z2_12;
  // All three are positive: the denominator is the determinant.
  const double z0 = -(m12 * p + k10 * r + k20 * s);
  const double z1 = -(k01 * p + m02 * r + k21 * s);
  const double z2 = -(k02 * p + k12 * r + m01 * s);
  const auto bit = [](bool x, unsigned at) { return static_cast<unsigned>(x) << at; };
  const unsigned right = bit((p >= 0.) & (r >= 0.) & (s >= 0.), 0) |
                         bit((p < 0.) & (w1_0 >= 0.) & (w2_0 >= 0.), 1) |
                         bit((r < 0.) & (w0_1 >= 0.) & (w2_1 >= 0.), 2) |
                         bit((s < 0.) & (w0_2 >= 0.) & (w1_2 >= 0.), 3) |
                         bit((z0_01 > 0.) & (z1_01 > 0.) & (w2_01 >= 0.), 4) |
                         bit((z0_02 > 0.) & (z2_02 > 0.) & (w1_02 >= 0.), 5) |
                         bit((z1_12 > 0.) & (z2_12 > 0.) & (w0_12 >= 0.), 6) |
                         bit((z0 > 0.) & (z1 > 0.) & (z2 > 0.), 7);
  if (!std::has_single_bit(right)) return false;
  const auto give = [&](double over, double x0, double x1, double x2, double y0, double y1,
                        double y2) {
    const double inverse = 1. / over;
    z[0] = x0 * inverse;
    z[1] = x1 * inverse;
    z[2] = x2 * inverse;
    w[0] = y0 * inverse;
    w[1] = y1 * inverse;
    w[2] = y2 * inverse;
  };
  switch (std::countr_zero(right)) {
    case 0:
      give(1., 0., 0., 0., p, r, s);
      break;
    case 1:
      give(a, -p, 0., 0., 0., w1_0, w2_0);
      break;
    case 2:
      give(e, 0., -r, 0., w0_1, 0., w2_1);
      break;
    case 3:
      give(i, 0., 0., -s, w0_2, w1_2, 0.);
      break;
    case 4:
      give(m01, z0_01, z1_01, 0., 0., 0., w2_01);
      break;
    case 5:
      give(m02, z0_02, 0., z2_02, 0., w1_02, 0.);
      break;
    case 6:
      give(m12, 0., z1_12, z2_12, w0_12, 0., 0.);
      break;
    default:
      give(det, z0, z1, z2, 0., 0., 0.);
  }
  return true;
}

}  // namespace

void LcpSolver::sweep(std::span<const double> M, std::span<const double> q) {
  for (std::size_t i = 0; i < n_; ++i) {
    const double* row = &M[i * n_];
    const double v = q[i] + product(row, z_.data(), n_);
    z_[i] = std::max(0., z_[i] - v / row[i]);
  }
}

/// Computes z on the active set and w off it. Returns false if the equations are singular.
bool LcpSolver::step(std::span<const double> M, std::span<const double> q) {
  const std::size_t m = set_.size();
  system_.resize(m);
  for (std::size_t r = 0; r < m; ++r) {
    const double* from = &M[set_[r] * n_];
    double* to = system_.equation(r);
    for (std::size_t c = 0; c < m; ++c) to[c] = from[set_[c]];
    to[m] = -q[set_[r]];
  }
  if (!system_.solve(0.)) return false;
  std::fill(z_.begin(), z_.end(), 0.);
  for (std::size_t r = 0; r < m; ++r) z_[set_[r]] = system_.solution()[r];
  for (std::size_t i = 0; i < n_; ++i) w_[i] = q[i] + product(&M[i * n_], z_.data(), n_);
  return true;
}

/// Compares the largest w on the active set, where it must vanish, with the largest q. The
/// comparison does not depend on units, because w_i and q_i are both divided by the square root of
/// M_ii.
bool LcpSolver::vanishes_on_set(std::span<const double> M, std::span<const double> q) const {
  double left = 0.;
  double given = 0.;
  for (std::size_t i = 0; i < n_; ++i) {
    const double unit = 1. / M[i * n_ + i];
    given = std::max(given, q[i] * q[i] * unit);
    if (in_set_[i] != 0) left = std::max(left, w_[i] * w_[i] * unit);
  }
  return left <= negligible * negligible * given;
}

bool LcpSolver::solve_by_sets(std::span<const double> M, std::span<const double> q) {
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(M[i * n_ + i] > 0.)) return false;
  }
  for (std::size_t k = 0; k < sweeps; ++k) sweep(M, q);
  for (std::size_t i = 0; i < n_; ++i) in_set_[i] = z_[i] > 0. ? 1 : 0;
  for (std::size_t k = 0; k < most_steps; ++k) {
    set_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      if (in_set_[i] != 0) set_.push_back(i);
    }
    if (!step(M, q)) return false;
    if (!vanishes_on_set(M, q)) return false;
    bool same = true;
    for (std::size_t i = 0; i < n_; ++i) {
      // The next active set is where M_ii z_i > w_i.
      const bool next = in_set_[i] != 0 ? z_[i] > 0. : w_[i] < 0.;
      same = same && next == (in_set_[i] != 0);
      if (in_set_[i] != 0) w_[i] = 0.;
      in_set_[i] = next ? 1 : 0;
    }
    if (same) return true;
  }
  return false;
}

LemkeStatus LcpSolver::solve(std::span<const double> M, std::span<const double> q) {
  if (n_ != q.size()) {
    n_ = q.size();
    z_.resize(n_);
    w_.resize(n_);
    in_set_.resize(n_);
  }
  if (n_ == 3 && solve_three(M.data(), q.data(), z_.data(), w_.data())) return LemkeStatus::solved;
  std::fill(z_.begin(), z_.end(), 0.);
  if (n_ > 3 && solve_by_sets(M, q)) return LemkeStatus::solved;
  const LemkeStatus status = lemke_.solve(M, q);
  std::copy_n(lemke_.z().begin(), n_, z_.begin());
  std::copy_n(lemke_.w().begin(), n_, w_.begin());
  return status;
}

}  // namespace carom::complementarity
