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

/// Sweeps before Newton's method: a step of it costs as much as about 20 sweeps of few contacts,
/// and as n/20 sweeps of n.
constexpr std::size_t few_sweeps = 20;
/// Sweeps where nothing else can be tried.
constexpr std::size_t many_sweeps = 20'000;

/// A guess with a residual of at most `nearly` tolerances, and at most `at_rest`, is of bodies at
/// rest. What is left sets them in motion, so that it would grow from step to step, and sweeps
/// would be needed again and again: it is reduced to a part of the tolerance.
constexpr double nearly = 32.;
constexpr double at_rest = 1e-4;
constexpr double part_at_rest = 0.01;
/// What a body moves that spins or rolls is corrected by so many sweeps. Newton's method solves the
/// rest.
constexpr std::size_t sweeps_at_rest = 3;

/// How often sweeps and rounds are repeated.
constexpr int most_attempts = 3;

/// Islands of more contacts are not solved with G after sweeps: its factors would fill.
constexpr std::size_t most_formed = 300;

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
  return error / std::min(largest_, most_relative);
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

/// The impulses of an island, and their residual, if it is the least so far.
void FactoredFriction::keep(std::span<const std::size_t> island, const Result& result) {
  if (!(result.residual < least_residual_)) return;
  least_residual_ = result.residual;
  kept_.clear();
  for (const std::size_t i : island) {
    kept_.insert(kept_.end(), &P_[i * d_], &P_[i * d_] + d_);
    kept_.insert(kept_.end(), &M_[i * spins_], &M_[i * spins_] + spins_);
  }
}

/// Gives these back. Where there is no solution, those of Newton's method grow without bound.
void FactoredFriction::give_back(std::span<const std::size_t> island, std::span<double> u,
                                 Result& result) {
  if (!(least_residual_ < result.residual)) return;
  result.residual = least_residual_;
  const double* from = kept_.data();
  for (const std::size_t i : island) {
    std::copy_n(from, d_, &P_[i * d_]);
    std::copy_n(from + d_, spins_, &M_[i * spins_]);
    from += d_ + spins_;
  }
  make_velocities(island, u);
}

/// u from what it is without impulses.
void FactoredFriction::make_velocities(std::span<const std::size_t> island,
                                       std::span<double> u) const {
  for (const std::size_t i : island) {
    for (const Side& side : contacts_[i].sides) {
      for (std::size_t j = side.begin; j < side.begin + side.size; ++j) u[j] = free_u_[j];
    }
  }
  push_all(island, u);
}

void FactoredFriction::forget(std::span<const std::size_t> island, std::span<double> u) {
  for (const std::size_t i : island) {
    std::fill_n(&P_[i * d_], d_, 0.);
    std::fill_n(&M_[i * spins_], spins_, 0.);
  }
  make_velocities(island, u);
}

FactoredFriction::Result FactoredFriction::solve(std::span<const std::size_t> island,
                                                 std::span<double> u, const Options& options) {
  find_unit(island, u, options.tolerance);
  free_u_.resize(u.size());
  // Also where no sweeps follow, so that a later step does not allocate.
  changed_.resize(island.size() * d_);
  direction_.resize(changed_.size());
  for (const std::size_t i : island) {
    for (const Side& side : contacts_[i].sides) {
      for (std::size_t j = side.begin; j < side.begin + side.size; ++j) free_u_[j] = u[j];
    }
  }
  push_all(island, u);
  Result result;
  result.residual = pass(island, u.data(), false);
  result.converged = result.residual <= options.tolerance;
  const bool rests = !options.roughly && fixed_ > 0 && island.size() > 1 &&
                     result.residual <= std::min(at_rest, nearly * options.tolerance);
  const double enough = (rests ? part_at_rest : 1.) * options.tolerance;
  if (result.residual <= enough) return result;
  for (const std::size_t i : island) {
    local_[i] = {&diagonal_[i * d_ * d_], d_, contacts_[i].mu};
  }
  if (rests) {
    Options deeper = options;
    deeper.tolerance = enough;
    sweep(island, u, sweeps_at_rest, deeper, result);
    if (result.residual > enough) {
      polish(island, u, options, result);
    }
    result.converged = result.residual <= options.tolerance;
    if (result.converged) return result;
  }
  // Without impulses it is at most 1: a guess that is worse is none.
  bool guessed = result.residual <= 1.;
  if (!guessed) forget(island, u);
  least_residual_ = std::numeric_limits<double>::infinity();
  const std::size_t few = few_sweeps + island.size() / 20;
  if (options.roughly) {
    sweep(island, u, few, options, result);
    return result;
  }
  // From the guess, from zero, and from the best so far: where Newton's method fails it often
  // converges from elsewhere.
  bool solvable = true;
  for (int attempt = 0; attempt < most_attempts && fixed_ > 0 && solvable; ++attempt) {
    sweep(island, u, few, options, result);
    if (result.converged) return result;
    keep(island, result);
    const std::size_t before = std::exchange(result.steps, 0);
    solve_velocities(island, u, options, result);
    result.steps += before;
    result.converged = result.residual <= sufficient(island, options);
    if (result.converged) return result;
    solvable = result.residual <= hopeless;
    keep(island, result);
    if (std::exchange(guessed, false)) {
      forget(island, u);
      result.residual = std::numeric_limits<double>::infinity();
    } else {
      give_back(island, u, result);
    }
  }
  const bool turns =
      std::any_of(island.begin(), island.end(), [&](std::size_t i) { return contacts_[i].turns; });
  // G takes time like the cube of the contacts, a sweep like their number: both are alike for n^2/2
  // sweeps, as measured with 5 to 240 contacts in the plane. It has no spins.
  constexpr std::size_t least = 100;
  const std::size_t most =
      turns ? many_sweeps : std::clamp(island.size() * island.size() / 2, least, many_sweeps);
  const bool is_small = island.size() <= few_contacts;
  solvable = solvable && result.steps <= most_steps;
  if (fixed_ == 0 || is_small) {
    sweep(island, u, most, options, result);
    if (result.converged) return result;
    keep(island, result);
  }
  if (!turns && (is_small || (solvable && island.size() <= most_formed))) {
    result.formed = true;
    result.unsolvable = solve_formed(island, u, options) == FrictionStatus::no_solution;
    result.residual = pass(island, u.data(), false);
  }
  give_back(island, u, result);
  result.converged = result.residual <= options.acceptable;
  return result;
}

// Blocks W_i^T M^-1 W_j of contacts that share a range.
void FactoredFriction::form(std::span<const std::size_t> island) {
  triplets_.clear();
  std::vector<std::vector<std::size_t>> at_range;  // places by range
  std::vector<std::size_t> begins;
  for (const std::size_t i : island) {
    for (const Side& side : contacts_[i].sides) {
      if (side.size > 0) begins.push_back(side.begin);
    }
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  at_range.resize(begins.size());
  const auto range_of = [&](std::size_t begin) {
    return static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), begin) -
                                    begins.begin());
  };
  for (std::size_t a = 0; a < island.size(); ++a) {
    for (const Side& side : contacts_[island[a]].sides) {
      if (side.size > 0) at_range[range_of(side.begin)].push_back(a);
    }
  }
  for (std::size_t a = 0; a < island.size(); ++a) {
    const std::size_t i = island[a];
    std::size_t row = 0;
    for (const Side& side : contacts_[i].sides) {
      if (side.size == 0) continue;
      for (const std::size_t b : at_range[range_of(side.begin)]) {
        if (b < a) continue;
        const std::size_t j = island[b];
        std::size_t other = 0;
        if (contacts_[j].sides[0].size == 0 || contacts_[j].sides[0].begin != side.begin) {
          other = contacts_[j].sides[0].size;
        }
        const double* W = &data_[places_[i].W] + row;
        const double* Y = &data_[places_[j].W + d_ * places_[j].rows] + other;
        for (std::size_t r = 0; r < d_; ++r) {
          for (std::size_t c = 0; c < d_; ++c) {
            if (a == b && c < r) continue;
            double sum = 0.;
            for (std::size_t m = 0; m < side.size; ++m) {
              sum += W[r * places_[i].rows + m] * Y[c * places_[j].rows + m];
            }
            triplets_.push_back({a * d_ + r, b * d_ + c, sum});
          }
        }
      }
      row += side.size;
    }
  }
}

// Newton's method from where sweeps have come to, and everything else where it gains nothing.
FrictionStatus FactoredFriction::solve_formed(std::span<const std::size_t> island,
                                              std::span<double> u, const Options& options) {
  form(island);
  const BlockMatrix G = BlockMatrix::from_triplets(island.size(), d_, triplets_);
  std::vector<double> guess(island.size() * d_);
  free_.resize(guess.size());
  bounds_.resize(island.size());
  for (std::size_t a = 0; a < island.size(); ++a) {
    const std::size_t i = island[a];
    std::copy_n(&P_[i * d_], d_, &guess[a * d_]);
    bounds_[a] = contacts_[i].mu;
  }
  for (std::size_t a = 0; a < island.size(); ++a) velocity(island[a], free_u_, &free_[a * d_]);
  const FrictionProblem problem{.G = G, .b = free_, .mu = bounds_};
  constexpr std::size_t sweeps_of_modes = 200;
  const FrictionResult* found = &multi_.solve(problem, {.solver = FrictionSolver::newton,
                                                        .tolerance = options.tolerance,
                                                        .most_sweeps = sweeps_of_modes,
                                                        .guess = guess});
  if (!(found->residual <= sufficient(island, options)) && island.size() <= few_contacts) {
    found = &multi_.solve(problem, {.tolerance = options.tolerance, .guess = guess});
  }
  const bool better = found->residual <= options.acceptable;
  for (std::size_t a = 0; a < island.size(); ++a) {
    const std::size_t i = island[a];
    for (std::size_t c = 0; c < d_; ++c) {
      P_[i * d_ + c] = better ? found->P[a * d_ + c] : guess[a * d_ + c];
    }
  }
  make_velocities(island, u);
  return found->status;
}

}  // namespace carom::complementarity
