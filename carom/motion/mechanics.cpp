// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/mechanics.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/dense_factors.hpp>

namespace carom::motion {

namespace {

/// A pivot below this times the largest entry of its row counts as zero: contacts that share
/// directions.
constexpr double singular = 1e-11;

bool least_squares(const std::vector<double>& K, std::vector<double>& rhs, std::size_t r) {
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      matrix(K.data(), ix(r), ix(r));
  const Eigen::Map<const Vector> right(rhs.data(), ix(r));
  const Vector x = carom::least_squares(matrix, right, singular);
  for (std::size_t i = 0; i < r; ++i) rhs[i] = x(ix(i));
  return x.allFinite();
}

}  // namespace

Mechanics::Mechanics(const Model& m)
    : model(m),
      n(m.velocities()),
      components(m.components()),
      M_(Matrix::Zero(ix(n), ix(n))),
      h_(Vector::Zero(ix(n))),
      free_(Vector::Zero(ix(n))),
      diagonal_(n),
      motion_(m.contacts()) {
  for (ContactMotion& c : motion_) {
    c.W.setZero(ix(n), 3);
    c.velocity.setZero();
    c.bias.setZero();
  }
}

bool Mechanics::at(const State& state) {
  model.dynamics(state, M_, h_);
  const auto size = ix(n);
  for (std::size_t j = 0; j < n; ++j) diagonal_[j] = M_(ix(j), ix(j));
  // Cholesky factorization in place.
  for (Eigen::Index j = 0; j < size; ++j) {
    double d = M_(j, j);
    for (Eigen::Index k = 0; k < j; ++k) d -= M_(j, k) * M_(j, k);
    if (!(d > 0.) || !std::isfinite(d)) return false;
    const double root = std::sqrt(d);
    M_(j, j) = root;
    for (Eigen::Index i = j + 1; i < size; ++i) {
      double v = M_(i, j);
      for (Eigen::Index k = 0; k < j; ++k) v -= M_(i, k) * M_(j, k);
      M_(i, j) = v / root;
    }
  }
  free_ = h_;
  solve_mass(free_.data());
  bool finite = true;
  for (Eigen::Index j = 0; j < size; ++j) finite = finite && std::isfinite(free_(j));
  return finite;
}

const ContactMotion& Mechanics::load(std::size_t contact, const State& state) {
  model.contact(contact, state, motion_[contact]);
  return motion_[contact];
}

void Mechanics::solve_mass(double* x) const {
  for (std::size_t i = 0; i < n; ++i) {
    double v = x[i];
    for (std::size_t k = 0; k < i; ++k) v -= M_(ix(i), ix(k)) * x[k];
    x[i] = v / M_(ix(i), ix(i));
  }
  for (std::size_t i = n; i-- > 0;) {
    double v = x[i];
    for (std::size_t k = i + 1; k < n; ++k) v -= M_(ix(k), ix(i)) * x[k];
    x[i] = v / M_(ix(i), ix(i));
  }
}

double Mechanics::kinetic(const Vector& u) const {
  double twice = 0.;
  for (std::size_t j = 0; j < n; ++j) {
    double v = 0.;  // L^T u
    for (std::size_t i = j; i < n; ++i) v += M_(ix(i), ix(j)) * u(ix(i));
    twice += v * v;
  }
  return 0.5 * twice;
}

void Mechanics::contact_space(const std::vector<std::size_t>& contacts, Matrix& G, Vector& b) {
  const std::size_t c = components;
  const auto size = ix(contacts.size() * c);
  mobility_.resize(ix(n), size);
  G.resize(size, size);
  b.resize(size);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactMotion& m = motion_[contacts[k]];
    for (std::size_t j = 0; j < c; ++j) {
      auto column = mobility_.col(ix(k * c + j));
      column = m.W.col(ix(j));
      solve_mass(column.data());
      b(ix(k * c + j)) = m.W.col(ix(j)).dot(free_) + m.bias(ix(j));
    }
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactMotion& m = motion_[contacts[k]];
    for (std::size_t j = 0; j < c; ++j) {
      for (Eigen::Index s = 0; s < size; ++s) {
        G(ix(k * c + j), s) = m.W.col(ix(j)).dot(mobility_.col(s));
      }
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) G(i, j) = G(j, i) = 0.5 * (G(i, j) + G(j, i));
  }
}

bool solve_shared(std::vector<double>& K, std::vector<double>& rhs,
                  const std::vector<double>& weight, std::size_t r) {
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t b = 0; b < r; ++b) K[a * r + b] *= weight[b];
  }
  if (!least_squares(K, rhs, r)) return false;
  for (std::size_t b = 0; b < r; ++b) rhs[b] *= weight[b];
  return true;
}

Solved solve_small(const std::vector<double>& K, std::vector<double>& rhs, std::size_t r) {
  const auto by_least_squares = [&] {
    return least_squares(K, rhs, r) ? Solved::shared : Solved::not_at_all;
  };
  if (r == 0) return Solved::uniquely;
  if (r == 1) {
    rhs[0] /= K[0];
    return std::isfinite(rhs[0]) ? Solved::uniquely : Solved::not_at_all;
  }
  if (r == 2) {
    const double det = K[0] * K[3] - K[1] * K[2];
    if (!(std::abs(det) > singular * (std::abs(K[0] * K[3]) + std::abs(K[1] * K[2])))) {
      return by_least_squares();
    }
    const double x = (rhs[0] * K[3] - rhs[1] * K[1]) / det;
    const double y = (rhs[1] * K[0] - rhs[0] * K[2]) / det;
    rhs[0] = x;
    rhs[1] = y;
    return std::isfinite(x) && std::isfinite(y) ? Solved::uniquely : Solved::not_at_all;
  }
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      matrix(K.data(), ix(r), ix(r));
  const Eigen::Map<const Vector> right(rhs.data(), ix(r));
  const std::optional<Vector> x = solve_regular(matrix, right, singular);
  if (!x) return by_least_squares();
  for (std::size_t i = 0; i < r; ++i) rhs[i] = (*x)(ix(i));
  return x->allFinite() ? Solved::uniquely : Solved::not_at_all;
}

}  // namespace carom::motion
