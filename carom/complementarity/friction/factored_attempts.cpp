// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <carom/complementarity/friction/factored.hpp>

// What is tried to solve an island, in which order.
namespace carom::complementarity {
namespace {

/// Sweeps before Newton's method: a step of it costs as much as about 20 sweeps of few contacts,
/// and as n/20 sweeps of n.
constexpr std::size_t few_sweeps(std::size_t contacts) { return 20 + contacts / 20; }
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

}  // namespace

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
  const bool guessed = result.residual <= 1.;
  if (!guessed) forget(island, u);
  least_residual_ = std::numeric_limits<double>::infinity();
  if (options.roughly) {
    sweep(island, u, few_sweeps(island.size()), options, result);
    return result;
  }
  const bool solvable = try_velocities(island, u, options, guessed, result);
  if (result.converged) return result;
  try_rest(island, u, options, solvable, result);
  return result;
}

// Sweeps, and the space of velocities: from the guess, from zero, and from the best so far, since
// where Newton's method fails it often converges from elsewhere. Returns whether there may be a
// solution.
bool FactoredFriction::try_velocities(std::span<const std::size_t> island, std::span<double> u,
                                      const Options& options, bool guessed, Result& result) {
  bool solvable = true;
  for (int attempt = 0; attempt < most_attempts && fixed_ > 0 && solvable; ++attempt) {
    sweep(island, u, few_sweeps(island.size()), options, result);
    if (result.converged) return true;
    keep(island, result);
    const std::size_t before = std::exchange(result.steps, 0);
    solve_velocities(island, u, options, result);
    result.steps += before;
    result.converged = result.residual <= sufficient(island, options);
    if (result.converged) return true;
    solvable = result.residual <= hopeless;
    keep(island, result);
    if (std::exchange(guessed, false)) {
      forget(island, u);
      result.residual = std::numeric_limits<double>::infinity();
    } else {
      give_back(island, u, result);
    }
  }
  return solvable && result.steps <= most_steps;
}

// What is left: many sweeps, and G.
void FactoredFriction::try_rest(std::span<const std::size_t> island, std::span<double> u,
                                const Options& options, bool solvable, Result& result) {
  const bool turns =
      std::any_of(island.begin(), island.end(), [&](std::size_t i) { return contacts_[i].turns; });
  // G takes time like the cube of the contacts, a sweep like their number: both are alike for n^2/2
  // sweeps, as measured with 5 to 240 contacts in the plane. It has no spins.
  constexpr std::size_t least = 100;
  const std::size_t most =
      turns ? many_sweeps : std::clamp(island.size() * island.size() / 2, least, many_sweeps);
  const bool is_small = island.size() <= few_contacts;
  if (fixed_ == 0 || is_small) {
    sweep(island, u, most, options, result);
    if (result.converged) return;
    keep(island, result);
  }
  if (!turns && (is_small || (solvable && island.size() <= most_formed))) {
    result.formed = true;
    result.unsolvable = solve_formed(island, u, options) == FrictionStatus::no_solution;
    result.residual = pass(island, u.data(), false);
  }
  give_back(island, u, result);
  result.converged = result.residual <= options.acceptable;
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
