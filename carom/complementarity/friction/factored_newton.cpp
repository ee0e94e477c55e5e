// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <carom/complementarity/friction/factored.hpp>

// Islands of free bodies by VelocityNewton.
namespace carom::complementarity {
namespace {

/// R of rounds relative to the inertia at a contact, see VelocityNewton::round.
constexpr double round_rho = 1e-3;
/// Rounds of a stage, with accelerated shifts and then with plain ones, which leave solutions that
/// they repel. A stage ends after so many rounds that gained less than a half.
struct Stage {
  bool fast = true;
  int stall = 0;
};
constexpr std::array stages{Stage{.fast = true, .stall = 6}, Stage{.fast = false, .stall = 20}};
constexpr int most_rounds = 60;
/// Rounds after the last that gained a half, after which what is acceptable is accepted.
constexpr int enough_stall = 1;
/// Rounds solve their problem to this part of the residual, or to this part of the tolerance.
constexpr double part_of_residual = 0.01;
constexpr double part_of_tolerance = 0.01;

/// Descents follow the first round of a stage, and then every so many.
constexpr int between_descents = 4;
/// R of the first, and what multiplies it after one that has reached its solution (what is left is
/// then due to R), and after one that has not, of which there are at most so many. Before the first
/// round there is only one: warm starts are often near a solution.
constexpr double descent_rho = 1e-3;
constexpr double after_reached = 0.5;
constexpr double after_missed = 8.;
constexpr double least_rho = 1e-9;
/// R where impulses are nearly right.
constexpr double polish_rho = 1e-5;
constexpr double most_rho = 1e-2;
constexpr int most_missed = 30;
constexpr int most_missed_at_first = 1;
constexpr int most_descents = 300;

}  // namespace

/// Couples over this length are impulses: so that the inverse inertias of both are alike.
double FactoredFriction::spin_scale(std::size_t i, std::size_t component) const {
  const double spin = spin_diagonal_[i * spins_ + component];
  return spin > 0. ? std::sqrt(diagonal_[i * d_ * d_] / spin) : 1.;
}

// The island's bodies and contacts.
void FactoredFriction::load_newton(std::span<const std::size_t> island, std::span<const double> u) {
  const std::size_t k = fixed_;
  number_.assign(u.size() / k, VelocityNewton::ground);
  bodies_.clear();
  const auto number = [&](const Side& side) {
    if (side.size == 0) return VelocityNewton::ground;
    std::uint32_t& b = number_[side.begin / k];
    if (b == VelocityNewton::ground) {
      b = static_cast<std::uint32_t>(bodies_.size());
      bodies_.push_back(side.begin);
    }
    return b;
  };
  for (const std::size_t i : island) {
    for (const Side& side : contacts_[i].sides) (void)number(side);
  }
  newton_.clear(bodies_.size(), k);
  for (const std::size_t i : island) {
    const Contact& c = contacts_[i];
    const std::size_t rows = places_[i].rows;
    newton_.add(number(c.sides[0]), number(c.sides[1]));
    const auto add = [&](std::size_t W, std::size_t apart, double scale, double offset, double P) {
      const double* const w = &data_[W];
      const double* const y = w + apart * rows;
      const std::size_t second = c.sides[0].size;
      newton_.add_component({w, w + second}, {y, y + second}, scale, offset, P);
    };
    for (std::size_t j = 0; j < d_; ++j) {
      add(places_[i].W + j * rows, d_, 1., c.c[j], P_[i * d_ + j]);
    }
    newton_.bound(d_ - 1, c.mu);
    if (!c.turns) continue;
    for (std::size_t j = 0; j < spins_; ++j) {
      const std::size_t first = spins_ == 1 || j == 0 ? j : 1;  // rolling has one scale
      const double length = spin_scale(i, first);
      add(places_[i].S + j * rows, spins_, length, 0., M_[i * spins_ + j] / length);
      if (j == 0) newton_.bound(1, (spins_ == 1 ? c.rolling : c.drilling) / length);
      if (j == 2) newton_.bound(2, c.rolling / length);
    }
  }
  body_u_.resize(bodies_.size() * k);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    std::copy_n(&u[bodies_[b]], k, &body_u_[b * k]);
  }
}

// Its impulses, and the velocities that these alone make: those of the steps have rounding errors
// of all impulses on the way.
void FactoredFriction::unload_newton(std::span<const std::size_t> island, std::span<double> u) {
  const std::size_t k = fixed_;
  for (std::size_t a = 0; a < island.size(); ++a) {
    const std::size_t i = island[a];
    const double* const P = newton_.impulse(a);
    std::copy_n(P, d_, &P_[i * d_]);
    if (!contacts_[i].turns) continue;
    for (std::size_t j = 0; j < spins_; ++j) {
      const std::size_t first = spins_ == 1 || j == 0 ? j : 1;
      M_[i * spins_ + j] = P[d_ + j] * spin_scale(i, first);
    }
  }
  make_velocities(island, u);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    std::copy_n(&u[bodies_[b]], k, &body_u_[b * k]);
  }
}

/// The residual with which rounds may end: few contacts are solved to the tolerance.
double FactoredFriction::sufficient(std::span<const std::size_t> island, const Options& options) {
  return island.size() <= few_contacts ? options.tolerance : options.acceptable;
}

void FactoredFriction::solve_velocities(std::span<const std::size_t> island, std::span<double> u,
                                        const Options& options, Result& result) {
  const double enough = sufficient(island, options);
  load_newton(island, u);
  newton_.begin();
  descend(island, u, options, most_missed_at_first, result);
  if (result.converged) return;
  keep(island, result);
  newton_.follow_path(body_u_, unit_);
  unload_newton(island, u);
  result.steps += newton_.take_steps();
  result.residual = pass(island, u.data(), false);
  descend(island, u, options, most_missed, result);
  if (result.converged) return;
  for (const Stage& stage : stages) {
    double best = std::numeric_limits<double>::infinity();
    for (int n = 0, stalled = 0; n < most_rounds && stalled < stage.stall; ++n) {
      ++result.rounds;
      const double part = std::max(part_of_tolerance * options.tolerance,
                                   part_of_residual * std::min(1., result.residual));
      if (!newton_.round(body_u_, part * unit_, round_rho, stage.fast)) return;
      unload_newton(island, u);
      result.steps += newton_.take_steps();
      result.residual = pass(island, u.data(), false);
      result.converged = result.residual <= options.tolerance;
      if (!result.converged && n % between_descents == 0)
        descend(island, u, options, most_missed, result);
      if (result.converged) return;
      ++stalled;
      if (result.residual <= enough && stalled >= enough_stall) return;
      if (result.steps > most_steps) return;
      if (!(result.residual < 0.5 * best)) continue;
      best = result.residual;
      stalled = 0;
    }
    if (!stage.fast && result.residual > hopeless) return;
  }
}

// One descent from a good guess. Keeps what is better.
void FactoredFriction::polish(std::span<const std::size_t> island, std::span<double> u,
                              const Options& options, Result& result) {
  load_newton(island, u);
  newton_.begin();
  kept_P_ = newton_.impulses();
  (void)newton_.descend(body_u_, part_of_tolerance * options.tolerance * unit_, polish_rho);
  unload_newton(island, u);
  result.steps += newton_.take_steps();
  const double residual = pass(island, u.data(), false);
  if (residual < result.residual) {
    result.residual = residual;
  } else {
    newton_.impulses() = kept_P_;
    unload_newton(island, u);
  }
  result.converged = result.residual <= options.tolerance;
}

// Descents from one solution to the next, as proximal points: R becomes smaller while they are
// reached. Keeps what has the smallest residual.
// @param misses  descents that do not reach their solution, after which it ends
void FactoredFriction::descend(std::span<const std::size_t> island, std::span<double> u,
                               const Options& options, int misses, Result& result) {
  kept_P_ = newton_.impulses();
  reached_P_ = newton_.impulses();
  const double least = part_of_tolerance * options.tolerance * unit_;
  // Few contacts rest on each other for long: their errors would add up.
  const double goal = (island.size() <= few_contacts ? part_of_tolerance : 1.) * options.tolerance;
  double rho = descent_rho;
  int missed = 0;
  for (int n = 0; n < most_descents; ++n) {
    const bool reached = newton_.descend(body_u_, least, rho);
    unload_newton(island, u);
    result.steps += newton_.take_steps();
    const double residual = pass(island, u.data(), false);
    if (residual < result.residual) {
      result.residual = residual;
      kept_P_ = newton_.impulses();
    }
    result.converged = result.residual <= options.tolerance;
    if (result.residual <= goal || result.steps > most_steps) break;
    if (reached) {
      reached_P_ = newton_.impulses();
      rho = std::max(least_rho, after_reached * rho);
      continue;
    }
    if (++missed >= misses || rho > most_rho) break;
    rho *= after_missed;
    newton_.impulses() = reached_P_;
    unload_newton(island, u);
  }
  newton_.impulses() = kept_P_;
  unload_newton(island, u);
}

}  // namespace carom::complementarity
