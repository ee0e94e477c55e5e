// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/mechanics.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/dense_factors.hpp>
#include <carom/core/dense_system.hpp>

namespace carom::motion {

namespace {

constexpr double singular = singular_pivot;

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
      first_(n),
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
  // Cholesky's factor in place of M, which is not needed any more. It fills no row before its first
  // entry: free bodies have blocks of their own.
  for (Eigen::Index i = 0; i < size; ++i) {
    Eigen::Index first = 0;
    while (first < i && M_(i, first) == 0.) ++first;
    first_[static_cast<std::size_t>(i)] = first;
    for (Eigen::Index j = first; j <= i; ++j) {
      double v = M_(i, j);
      for (Eigen::Index k = std::max(first, first_[static_cast<std::size_t>(j)]); k < j; ++k) {
        v -= M_(i, k) * M_(j, k);
      }
      if (j < i) {
        M_(i, j) = v / M_(j, j);
      } else {
        if (!(v > 0.) || !std::isfinite(v)) return false;
        M_(i, i) = std::sqrt(v);
      }
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
    for (auto k = static_cast<std::size_t>(first_[i]); k < i; ++k) v -= M_(ix(i), ix(k)) * x[k];
    x[i] = v / M_(ix(i), ix(i));
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= M_(ix(i), ix(i));
    for (auto k = static_cast<std::size_t>(first_[i]); k < i; ++k) x[k] -= M_(ix(i), ix(k)) * x[i];
  }
}

double Mechanics::kinetic(const Vector& u) const {
  double twice = 0.;
  for (std::size_t j = 0; j < n; ++j) {
    double v = 0.;  // L^T u
    for (std::size_t i = j; i < n; ++i) {
      if (first_[i] <= ix(j)) v += M_(ix(i), ix(j)) * u(ix(i));
    }
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
  thread_local DenseSystem system;  // a workspace
  system.resize(r);
  double largest = 0.;
  for (std::size_t a = 0; a < r; ++a) {
    double* const row = system.equation(a);
    for (std::size_t b = 0; b < r; ++b) {
      row[b] = K[a * r + b];
      largest = std::max(largest, std::abs(row[b]));
    }
    row[r] = rhs[a];
  }
  if (!system.solve(singular * largest)) return by_least_squares();
  bool finite = true;
  for (std::size_t i = 0; i < r; ++i) {
    rhs[i] = system.solution()[i];
    finite = finite && std::isfinite(rhs[i]);
  }
  return finite ? Solved::uniquely : Solved::not_at_all;
}

}  // namespace carom::motion
