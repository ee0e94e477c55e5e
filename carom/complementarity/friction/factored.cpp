// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/factored.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// The residual is relative to the largest scaled impulse, up to this: what piles have. It is
/// stricter than multi.hpp, since velocities are what a step is judged by.
constexpr double most_relative = 16.;

/// x cut to the disc of a radius. @pre radius >= 0
template <std::size_t n>
void cut(double* x, double radius) {
  if constexpr (n == 1) {
    *x = std::clamp(*x, -radius, radius);
    return;
  }
  double square = 0.;
  for (std::size_t j = 0; j < n; ++j) square += x[j] * x[j];
  if (!(square > radius * radius)) return;
  const double f = radius / std::sqrt(square);
  for (std::size_t j = 0; j < n; ++j) x[j] *= f;
}

/// |x|
template <std::size_t n>
double size_of(const double* x) {
  if constexpr (n == 1) return magnitude(*x);
  double square = 0.;
  for (std::size_t j = 0; j < n; ++j) square += x[j] * x[j];
  return std::sqrt(square);
}

/// Calls f(row, place in u) for the rows of a contact.
template <std::size_t k, class F>
void for_rows(const FactoredFriction::Contact& c, const F& f) {
  std::size_t row = 0;
  for (const FactoredFriction::Side& side : c.sides) {
    if (side.size == 0) continue;
    const std::size_t n = k > 0 ? k : side.size;
    for (std::size_t j = 0; j < n; ++j) f(row + j, side.begin + j);
    row += n;
  }
}

}  // namespace

/// Calls f with the number of rows of each side where all have the same, so that loops are
/// unrolled.
template <class F>
void FactoredFriction::with_rows(const F& f) const {
  if (fixed_ == 3) return f.template operator()<3>();
  if (fixed_ == 6) return f.template operator()<6>();
  f.template operator()<0>();
}

void FactoredFriction::clear(std::size_t components) {
  d_ = components;
  spins_ = components == 3 ? 3 : 1;
  contacts_.clear();
  places_.clear();
  data_.clear();
  diagonal_.clear();
  spin_diagonal_.clear();
  local_.clear();
  P_.clear();
  M_.clear();
  fixed_ = components == 3 ? 6 : 3;
}

void FactoredFriction::add(const Contact& contact, const double* W, const double* Y) {
  contacts_.push_back(contact);
  contacts_.back().turns = false;
  const std::size_t rows = contact.sides[0].size + contact.sides[1].size;
  for (const Side& side : contact.sides) {
    if (side.size != 0 && side.size != fixed_) fixed_ = 0;
  }
  places_.push_back({.W = data_.size(), .S = 0, .rows = static_cast<std::uint32_t>(rows)});
  data_.insert(data_.end(), W, W + rows * d_);
  data_.insert(data_.end(), Y, Y + rows * d_);
  const std::size_t at = diagonal_.size();
  diagonal_.resize(at + d_ * d_);
  for (std::size_t r = 0; r < d_; ++r) {
    for (std::size_t c = r; c < d_; ++c) {
      double sum = 0.;
      for (std::size_t j = 0; j < rows; ++j) sum += W[r * rows + j] * Y[c * rows + j];
      diagonal_[at + r * d_ + c] = diagonal_[at + c * d_ + r] = sum;
    }
  }
  local_.push_back({});
  P_.resize(P_.size() + d_, 0.);
  M_.resize(M_.size() + spins_, 0.);
  spin_diagonal_.resize(M_.size(), 0.);
}

void FactoredFriction::add_spin(const double* S, const double* Y) {
  const std::size_t i = contacts_.size() - 1;
  const std::size_t rows = places_[i].rows;
  contacts_[i].turns = true;
  places_[i].S = data_.size();
  data_.insert(data_.end(), S, S + rows * spins_);
  data_.insert(data_.end(), Y, Y + rows * spins_);
  for (std::size_t r = 0; r < spins_; ++r) {
    double sum = 0.;
    for (std::size_t j = 0; j < rows; ++j) sum += S[r * rows + j] * Y[r * rows + j];
    spin_diagonal_[i * spins_ + r] = sum;
  }
}

void FactoredFriction::add_island(const FactoredFriction& from,
                                  std::span<const std::size_t> island) {
  for (const std::size_t i : island) {
    const std::size_t k = size();
    const Contact& contact = from.contacts_[i];
    const double* const W = &from.data_[from.places_[i].W];
    add(contact, W, W + d_ * from.places_[i].rows);
    if (contact.turns) {
      const double* const S = &from.data_[from.places_[i].S];
      add_spin(S, S + spins_ * from.places_[i].rows);
    }
    std::copy_n(from.impulse(i), d_, impulse(k));
    std::copy_n(from.couple(i), spins_, couple(k));
  }
}

void FactoredFriction::velocity(std::size_t i, std::span<const double> u, double* xi) const {
  with_rows([&]<std::size_t k>() {
    const double* W = &data_[places_[i].W];
    for (std::size_t c = 0; c < d_; ++c, W += places_[i].rows) {
      double sum = contacts_[i].c[c];
      for_rows<k>(contacts_[i], [&](std::size_t row, std::size_t at) { sum += W[row] * u[at]; });
      xi[c] = sum;
    }
  });
}

void FactoredFriction::spin(std::size_t i, std::span<const double> u, double* s) const {
  const double* S = &data_[places_[i].S];
  for (std::size_t c = 0; c < spins_; ++c) {
    double sum = 0.;
    for_rows<0>(contacts_[i], [&](std::size_t row, std::size_t at) { sum += S[row] * u[at]; });
    s[c] = sum;
    S += places_[i].rows;
  }
}

void FactoredFriction::push(std::size_t i, const double* P, std::span<double> u) const {
  with_rows([&]<std::size_t k>() {
    const std::size_t rows = places_[i].rows;
    const double* Y = &data_[places_[i].W + d_ * rows];
    for (std::size_t c = 0; c < d_; ++c, Y += rows) {
      for_rows<k>(contacts_[i], [&](std::size_t row, std::size_t at) { u[at] += Y[row] * P[c]; });
    }
  });
}

void FactoredFriction::push_couple(std::size_t i, const double* M, std::span<double> u) const {
  const std::size_t rows = places_[i].rows;
  const double* Y = &data_[places_[i].S + spins_ * rows];
  for (std::size_t c = 0; c < spins_; ++c, Y += rows) {
    for_rows<0>(contacts_[i], [&](std::size_t row, std::size_t at) { u[at] += Y[row] * M[c]; });
  }
}

void FactoredFriction::push_all(std::span<const std::size_t> island, std::span<double> u) const {
  for (const std::size_t i : island) {
    push(i, &P_[i * d_], u);
    if (contacts_[i].turns) push_couple(i, &M_[i * spins_], u);
  }
}

// The unit of velocities times sqrt(mass) in which the largest entry of b is one, and what scales
// the impulses and velocities of each contact to it.
void FactoredFriction::find_unit(std::span<const std::size_t> island, std::span<const double> u,
                                 double tolerance) {
  unit_ = 0.;
  scales_.resize(island.size());
  for (std::size_t at = 0; at < island.size(); ++at) {
    const std::size_t i = island[at];
    double g = 0.;
    for (std::size_t c = 0; c < d_; ++c) g = std::max(g, diagonal_[(i * d_ + c) * d_ + c]);
    const double root = std::sqrt(g);
    scales_[at].impulse = root;
    double terms = 0.;
    double largest = 0.;
    with_rows([&]<std::size_t k>() {
      const double* W = &data_[places_[i].W];
      for (std::size_t c = 0; c < d_; ++c, W += places_[i].rows) {
        double xi = contacts_[i].c[c];
        for_rows<k>(contacts_[i], [&](std::size_t row, std::size_t j) {
          const double term = W[row] * u[j];
          xi += term;
          terms += magnitude(term);
        });
        largest = std::max(largest, magnitude(xi));
      }
    });
    unit_ = std::max(unit_, largest / root);
    // Rounding of the terms must be within the tolerance.
    unit_ = std::max(unit_, rounding * terms / (root * tolerance));
  }
  if (!(unit_ > 0.)) unit_ = 1.;
  for (Scale& s : scales_) {
    s.velocity = 1. / (s.impulse * unit_);
    s.impulse /= unit_;
  }
}

/// The residual of a contact, scaled but not yet relative to the largest impulse; then its
/// solution, if it is to change.
/// @param at  its place in the island
template <std::size_t d, std::size_t k>
double FactoredFriction::visit(std::size_t i, std::size_t at, double* u, bool change) {
  const Contact& contact = contacts_[i];
  const std::size_t rows = places_[i].rows;
  const double* const W = &data_[places_[i].W];
  const double* const G = &diagonal_[i * d * d];
  double* const P = &P_[i * d];
  double xi[d];
  for (std::size_t c = 0; c < d; ++c) xi[c] = contact.c[c];
  for_rows<k>(contact, [&](std::size_t row, std::size_t j) {
    for (std::size_t c = 0; c < d; ++c) xi[c] += W[c * rows + row] * u[j];
  });

  const auto& [impulse, velocity] = scales_[at];
  double error = magnitude(std::min(impulse * P[0], velocity * xi[0]));
  double moved[d];
  for (std::size_t c = 1; c < d; ++c) moved[c] = impulse * P[c] - velocity * xi[c];
  cut<d - 1>(moved + 1, contact.mu * std::max(0., impulse * P[0]));
  for (std::size_t c = 1; c < d; ++c) moved[c] = impulse * P[c] - moved[c];
  error = std::max(error, size_of<d - 1>(moved + 1));
  largest_ = std::max(largest_, impulse * P[0]);
  if (!change) return error;

  double before[d];
  for (std::size_t r = 0; r < d; ++r) {
    before[r] = P[r];
    for (std::size_t c = 0; c < d; ++c) xi[r] -= G[r * d + c] * P[c];
  }
  if constexpr (d == 2) {
    (void)solve_local_plane(local_[i], xi, contact.mu, 0., P);
  } else {
    (void)solve_local<d>(local_[i], xi, contact.mu, 0., P);
  }
  double by[d];
  for (std::size_t c = 0; c < d; ++c) {
    by[c] = P[c] - before[c];
    changed_[at * d + c] = by[c];
    along_ += G[0] * by[c] * direction_[at * d + c];
  }
  const double* const Y = W + d * rows;
  for_rows<k>(contact, [&](std::size_t row, std::size_t j) {
    double sum = Y[row] * by[0];
    for (std::size_t c = 1; c < d; ++c) sum += Y[c * rows + row] * by[c];
    u[j] += sum;
  });
  return error;
}

/// The same of the couples at a contact, for its normal impulse as it is: rows of one bound are
/// solved together with the largest of their inverse inertias, which converges as its own sweeps
/// do.
template <std::size_t d>
double FactoredFriction::turn(std::size_t i, double* u, bool change) {
  const Contact& contact = contacts_[i];
  const std::size_t rows = places_[i].rows;
  const double* const S = &data_[places_[i].S];
  double* const M = &M_[i * spins_];
  double g = diagonal_[i * d * d];
  const double impulse = std::sqrt(g) / unit_;
  double error = 0.;
  const auto solve = [&](std::size_t first, std::size_t size, double bound) {
    double r = 0.;
    for (std::size_t c = first; c < first + size; ++c) {
      r = std::max(r, spin_diagonal_[i * spins_ + c]);
    }
    if (!(r > 0.)) return;
    double next[3];
    for (std::size_t c = first; c < first + size; ++c) {
      double s = 0.;
      for_rows<0>(contact,
                  [&](std::size_t row, std::size_t at) { s += S[c * rows + row] * u[at]; });
      next[c] = M[c] - s / r;
    }
    double square = 0.;
    const double radius = bound * std::max(0., P_[i * d]);
    for (std::size_t c = first; c < first + size; ++c) square += next[c] * next[c];
    if (square > radius * radius) {
      const double f = radius / std::sqrt(square);
      for (std::size_t c = first; c < first + size; ++c) next[c] *= f;
    }
    double by[3] = {0., 0., 0.};
    double change_square = 0.;
    for (std::size_t c = first; c < first + size; ++c) {
      by[c] = next[c] - M[c];
      change_square += by[c] * by[c];
      if (change) M[c] = next[c];
    }
    // In units of an impulse: a couple over the length that its bound states.
    const double length = std::sqrt(r / g);  // 1 over a length of the bodies
    error = std::max(error, impulse * length * std::sqrt(change_square));
    if (change) push_couple(i, by, {u, static_cast<std::size_t>(-1)});
  };
  if (spins_ == 1) {
    if (contact.rolling > 0.) solve(0, 1, contact.rolling);
  } else {
    if (contact.drilling > 0.) solve(0, 1, contact.drilling);
    if (contact.rolling > 0.) solve(1, 2, contact.rolling);
  }
  return error;
}

template <std::size_t d, std::size_t k>
double FactoredFriction::pass(std::span<const std::size_t> island, double* u, bool change) {
  double error = 0.;
  for (std::size_t at = 0; at < island.size(); ++at) {
    const std::size_t i = island[at];
    error = std::max(error, visit<d, k>(i, at, u, change));
    if (contacts_[i].turns) error = std::max(error, turn<d>(i, u, change));
  }
  return error;
}

double FactoredFriction::pass(std::span<const std::size_t> island, double* u, bool change) {
  largest_ = 1.;
  along_ = 0.;
  double error = 0.;
  if (d_ == 2) {
    error = fixed_ == 3 ? pass<2, 3>(island, u, change) : pass<2, 0>(island, u, change);
  } else {
    error = fixed_ == 6 ? pass<3, 6>(island, u, change) : pass<3, 0>(island, u, change);
  }
  largest_ = std::min(largest_, most_relative);
  return error / largest_;
}

/// Goes on along the direction in which impulses have changed.
template <std::size_t d, std::size_t k>
void FactoredFriction::go_on(std::span<const std::size_t> island, double* u, double momentum) {
  double* direction = direction_.data();
  const double* changed = changed_.data();
  for (const std::size_t i : island) {
    double by[d];
    bool moves = false;
    for (std::size_t c = 0; c < d; ++c) {
      by[c] = momentum * *direction;
      moves = moves || by[c] != 0.;
      *direction++ = by[c] + *changed++;
      P_[i * d + c] += by[c];
    }
    if (!moves) continue;
    const std::size_t rows = places_[i].rows;
    const double* const Y = &data_[places_[i].W + d * rows];
    for_rows<k>(contacts_[i], [&](std::size_t row, std::size_t at) {
      double sum = Y[row] * by[0];
      for (std::size_t c = 1; c < d; ++c) sum += Y[c * rows + row] * by[c];
      u[at] += sum;
    });
  }
}

/// The momentum k/(k + 3) of Nesterov, with k sweeps since it began. It begins anew where the last
/// sweep went back [O'Donoghue & Candes 2015, eq. 13].
/// @param k  updated
void FactoredFriction::extrapolate(std::span<const std::size_t> island, double* u, double& k) {
  k = along_ >= 0. ? k + 1. : 0.;
  const double momentum = k / (k + 3.);
  if (d_ == 2) {
    fixed_ == 3 ? go_on<2, 3>(island, u, momentum) : go_on<2, 0>(island, u, momentum);
  } else {
    fixed_ == 6 ? go_on<3, 6>(island, u, momentum) : go_on<3, 0>(island, u, momentum);
  }
}

/// Sweeps until the tolerance is met.
void FactoredFriction::sweep(std::span<const std::size_t> island, std::span<double> u,
                             std::size_t most, const Options& options, Result& result) {
  std::fill(direction_.begin(), direction_.end(), 0.);
  double since_restart = 0.;
  for (std::size_t n = 0; n < most; ++n) {
    const double seen = pass(island, u.data(), true);
    ++result.sweeps;
    if (!std::isfinite(seen)) break;
    if (seen <= options.tolerance || island.size() == 1) {
      const double along = along_;
      result.residual = pass(island, u.data(), false);
      result.converged = result.residual <= options.tolerance;
      if (result.converged) return;
      along_ = along;
    }
    extrapolate(island, u.data(), since_restart);
  }
  result.residual = pass(island, u.data(), false);
  result.converged = result.residual <= options.tolerance;
}

}  // namespace carom::complementarity
