// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/multi.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <carom/complementarity/friction/infeasibility.hpp>
#include <carom/complementarity/friction/pivoting.hpp>
#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/friction/sweeps.hpp>
#include <carom/complementarity/impulse_sharing.hpp>
#include <carom/complementarity/modes/enumeration.hpp>
#include <carom/complementarity/modes/newton.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/core/tangent.hpp>

namespace carom::complementarity {
namespace {

/// Velocities below this, relative, are zero where an enumerated or pivoted solution is reported: a
/// hundred times the tolerance of such solutions, 1e-11.
constexpr double negligible = 1e-9;

/// And this where one comes of Newton's method, which ends at rounding.
constexpr double at_rest = 1e-11;

/// Before pivoting is tried. Decides about time only.
constexpr std::size_t few_sweeps = 200;
/// Within the modes that pivoting found one step solves the plane; others remove rounding.
constexpr int most_polishing_steps = 3;
/// The numbers of sides of the friction pyramids that are tried in place of cones.
constexpr std::array<std::size_t, 5> pyramid_sides{4, 8, 16, 32, 64};
/// Proximal-point parameters: shifts added to the diagonal of a singular G, which is about one.
/// Large shifts make each iteration easier, small shifts need fewer iterations. `rounds_each` is
/// the number of iterations with each shift. Below the residual `near_enough` Newton's method takes
/// over.
constexpr std::array shifts{0.1, 0.01, 0.001};
constexpr std::size_t rounds_each = 50;
constexpr double near_enough = 1e-6;
/// Up to this many contacts in space pivoting is tried at all, with up to so many sides in all: the
/// table has about as many rows, and 640^2 doubles are 3 MiB.
constexpr std::size_t most_pyramids = 40;
constexpr std::size_t most_sides = 16 * most_pyramids;

/// No floating-point value of |P_T| is larger, whether by hypot or by the root of the sum of
/// squares: each is within 1 epsilon of the exact value, `length` within 2. Not hypot itself, which
/// the C libraries of different systems round differently.
double largest_size(const double* p) {
  return length(Tangent{.t1 = p[1], .t2 = p[2]}) * (1. + 4. * epsilon);
}

/// Ensures |P_T| <= mu P_n as evaluated in floating point. Returns whether P changed.
bool cut_to_cone(double mu, std::size_t d, double* p) {
  const double bound = mu * p[0];
  if (d == 2 && magnitude(p[1]) > bound) {
    p[1] = p[1] > 0. ? bound : -bound;
    return true;
  }
  if (d != 3) return false;
  bool cut = false;
  double size = largest_size(p);
  constexpr int most_cuts = 4;  // one is enough but for rounding
  for (int i = 0; i < most_cuts && size > bound; ++i) {
    const double f = bound / size * (1. - epsilon);
    cut = true;
    p[1] *= f;
    p[2] *= f;
    size = largest_size(p);
  }
  return cut;
}

/// Writes the result in the original units: signs and cones hold without a tolerance, and
/// velocities are zero where the modes require it.
/// @param current  whether xi = G P + b and the residual are up to date
void write(const ScaledFriction& s, std::span<double> P, std::span<double> xi, bool current,
           FrictionResult& out) {
  const std::size_t d = s.components;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* p = &P[i * d];
    if (!(p[0] >= s.floor[i])) {
      p[0] = s.floor[i];
      current = false;
    }
    if (cut_to_cone(s.mu[i], d, p)) current = false;
  }
  if (!current) {
    s.velocities(P, xi);
    out.residual = s.residual(P, xi);
  }
  out.P.resize(s.size());
  out.xi.resize(s.size());
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* x = &xi[i * d];
    if (out.status == FrictionStatus::solved) {
      if (!s.pushes(i)) x[0] = P[i * d] > s.floor[i] ? 0. : std::max(0., x[0]);
      if (out.modes[i] == FrictionMode::stick) std::fill(x + 1, x + d, 0.);
    }
    const double impulse = s.scale[i] * s.unit;  // powers of two
    const double velocity = s.unit / s.scale[i];
    for (std::size_t c = 0; c < d; ++c) {
      out.P[i * d + c] = P[i * d + c] * impulse;
      out.xi[i * d + c] = x[c] * velocity;
    }
  }
}

/// Derives the modes from the solution.
void modes_of(const ScaledFriction& s, std::span<const double> P, std::span<const double> xi,
              std::vector<FrictionMode>& modes) {
  const std::size_t d = s.components;
  modes.resize(s.contacts);
  double largest = 1.;
  for (const double p : P) largest = std::max(largest, magnitude(p));
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double slip = 0.;
    for (std::size_t c = 1; c < d; ++c) slip = std::max(slip, magnitude(xi[i * d + c]));
    modes[i] = !(P[i * d] > 0.)                               ? FrictionMode::open
               : d == 1                                       ? FrictionMode::closed
               : slip <= negligible * largest && !s.slides(i) ? FrictionMode::stick
                                                              : FrictionMode::slip;
  }
}

/// Reports slip that is zero to rounding, on the edge of the cone, as stick.
void stick_at_rest(const ScaledFriction& s, std::span<const double> xi,
                   std::vector<FrictionMode>& modes) {
  const std::size_t d = s.components;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    if (modes[i] != FrictionMode::slip || s.slides(i)) continue;
    double slip = 0.;
    for (std::size_t c = 1; c < d; ++c) slip = std::max(slip, magnitude(xi[i * d + c]));
    if (slip <= at_rest) modes[i] = FrictionMode::stick;
  }
}

void write(const ScaledFriction& s, EnumeratedSolution& x, FrictionResult& out) {
  const auto P = std::span(x.P).first(s.size());
  const auto xi = std::span(x.xi).first(s.size());
  out.status = FrictionStatus::solved;
  modes_of(s, P, xi, out.modes);
  write(s, P, xi, false, out);
}

void require_enumerable(const FrictionProblem& p) {
  if (p.G.components() > 2 || p.G.blocks() > most_enumerated) {
    throw InputError("solver", "enumeration is for up to " + std::to_string(most_enumerated) +
                                   " contacts in the plane");
  }
}

}  // namespace

struct MultiFriction::Workspace {
  ScaledFriction s;
  FrictionSweeps sweeps;
  ModeNewton newton;
  FrictionPivoting pivoting;
  ModeEnumeration enumeration;
  Lemke lemke;  // of share_impulses
  FrictionInfeasibility infeasibility;
  std::vector<double> P;
  std::vector<double> xi;
  FrictionResult result;
  std::vector<FrictionResult> all;  // never shrinks: the memory of its entries is reused

  [[nodiscard]] bool enumerable() const {
    return s.components < 3 && s.contacts <= most_enumerated;
  }
  void pivot(const FrictionOptions& options);
  void enumerate();
  void iterate(const FrictionOptions& options, bool accelerated);
  void take(bool solved);
  void choose(const FrictionOptions& options);
  bool start_from_pyramids(const FrictionOptions& options);
  void approach_singular(const FrictionOptions& options);
};

/// Lemke's method, followed by Newton steps with the modes found, which remove the rounding errors
/// of many pivots.
void MultiFriction::Workspace::pivot(const FrictionOptions& options) {
  P.resize(s.size());
  xi.resize(s.size());
  const LemkeStatus status = pivoting.solve(s, P, options.most_sweeps);
  result.steps += pivoting.pivots();
  result.status = status == LemkeStatus::ray && infeasibility.proved(s)
                      ? FrictionStatus::no_solution
                      : FrictionStatus::not_converged;
  result.modes.resize(s.contacts);
  s.velocities(P, xi);
  result.residual = s.residual(P, xi);
  if (status == LemkeStatus::solved) {
    newton.choose_modes(s, P, xi);
    std::vector<double> polished = P;
    std::vector<double> polished_xi = xi;
    for (int i = 0; i < most_polishing_steps; ++i) {
      if (!newton.step(s, polished, polished_xi)) break;
      const double r = s.residual(polished, polished_xi);
      if (!(r < result.residual)) break;
      result.residual = r;
      P = polished;
      xi = polished_xi;
    }
    if (result.residual <= options.tolerance) result.status = FrictionStatus::solved;
  }
  modes_of(s, P, xi, result.modes);
  write(s, P, xi, false, result);
}

void MultiFriction::Workspace::enumerate() {
  auto& found = enumeration.all(s);
  if (!found.empty()) return write(s, found.front(), result);
  const bool proved = !enumeration.doubtful() || infeasibility.proved(s);
  result.status = proved ? FrictionStatus::no_solution : FrictionStatus::not_converged;
  P.assign(s.size(), 0.);
  xi.resize(s.size());
  result.modes.assign(s.contacts, FrictionMode::open);
  write(s, P, xi, false, result);
}

void MultiFriction::Workspace::iterate(const FrictionOptions& options, bool accelerated) {
  if (options.guess.empty()) return take(sweeps.solve(s, options, accelerated));
  P.resize(s.size());
  for (std::size_t k = 0; k < P.size(); ++k) {
    P[k] = options.guess[k] / (s.scale[k / s.components] * s.unit);
  }
  take(sweeps.resume(s, options, P));
}

void MultiFriction::Workspace::take(bool solved) {
  result.steps += sweeps.count();
  result.status = solved ? FrictionStatus::solved : FrictionStatus::not_converged;
  result.modes.assign(sweeps.modes().begin(), sweeps.modes().end());
  stick_at_rest(s, sweeps.xi(), result.modes);
  const bool shares = solved && enumerable();
  if (shares) {
    share_impulses(s, sweeps.P(), sweeps.xi(), lemke);
    for (std::size_t i = 0; i < s.contacts; ++i) {
      if (!(sweeps.P()[i * s.components] > 0.)) result.modes[i] = FrictionMode::open;
    }
  }
  result.residual = sweeps.residual();
  write(s, sweeps.P(), sweeps.xi(), solved && !shares, result);
}

void MultiFriction::Workspace::choose(const FrictionOptions& options) {
  FrictionOptions swept = options;
  const bool pivots = s.components < 3 || s.contacts <= most_pyramids;
  if (pivots && swept.most_sweeps == 0) swept.most_sweeps = few_sweeps;
  iterate(swept, true);
  if (result.status == FrictionStatus::solved || !pivots) return;
  if (s.components == 3) {
    if (start_from_pyramids(options)) return;
    if (infeasibility.proved(s)) {
      result.status = FrictionStatus::no_solution;
    } else {
      approach_singular(options);
    }
    return;
  }
  pivot(options);
  if (result.status == FrictionStatus::solved) return;
  if (enumerable()) return enumerate();
  if (result.status == FrictionStatus::no_solution) return;
  // With a regular G there is a solution, with a singular one often: a ray is no proof.
  FrictionResult pivoted = result;
  approach_singular(options);
  if (result.status == FrictionStatus::solved) return;
  pivoted.steps = result.steps;
  result = std::move(pivoted);
}

/// Replaces the cones by pyramids with more and more sides, each solved by Lemke's method, to get
/// an initial guess near a solution if sweeps do not converge. Returns whether that solved it.
bool MultiFriction::Workspace::start_from_pyramids(const FrictionOptions& options) {
  FrictionOptions swept = options;
  if (swept.most_sweeps == 0) swept.most_sweeps = few_sweeps;
  P.resize(s.size());
  for (const std::size_t sides : pyramid_sides) {
    if (s.contacts * sides > most_sides) break;
    const LemkeStatus status = pivoting.solve(s, P, options.most_sweeps, sides);
    result.steps += pivoting.pivots();
    if (status != LemkeStatus::solved) continue;
    take(sweeps.resume(s, swept, P));
    if (result.status == FrictionStatus::solved) return true;
  }
  return false;
}

/// Proximal-point iteration for a singular G: solves the problem with G + r I and b - r P, with P
/// from the last iteration, which has a solution. If P converges, it solves the original problem
/// [Rockafellar 1976]. The shift r decreases. It needs many sweeps and is therefore skipped if the
/// caller limits them.
void MultiFriction::Workspace::approach_singular(const FrictionOptions& options) {
  if (options.most_sweeps > 0) return;
  const ScaledFriction whole = s;
  FrictionOptions swept = options;
  swept.most_sweeps = few_sweeps;
  std::vector<double> last(s.size(), 0.);
  std::vector<double> made(s.size());
  for (std::size_t round = 0; round < shifts.size() * rounds_each; ++round) {
    const double r = shifts[round / rounds_each];
    s.shift_diagonal(whole, r);
    for (std::size_t k = 0; k < s.size(); ++k) s.b[k] = whole.b[k] - r * last[k];
    sweeps.resume(s, swept, last);
    result.steps += sweeps.count();
    last.assign(sweeps.P().begin(), sweeps.P().end());
    whole.velocities(last, made);
    if (whole.residual(last, made) <= near_enough) break;
  }
  s = whole;
  take(sweeps.resume(s, swept, last));
}

MultiFriction::MultiFriction() noexcept = default;
MultiFriction::~MultiFriction() = default;
MultiFriction::MultiFriction(MultiFriction&&) noexcept = default;
MultiFriction& MultiFriction::operator=(MultiFriction&&) noexcept = default;

MultiFriction::Workspace& MultiFriction::workspace() {
  if (!work_) work_ = std::make_unique<Workspace>();
  return *work_;
}

const FrictionResult& MultiFriction::solve(const FrictionProblem& problem,
                                           const FrictionOptions& options) {
  Workspace& w = workspace();
  w.s.read(problem);
  w.result.steps = 0;
  switch (options.solver) {
    case FrictionSolver::automatic:
      w.choose(options);
      break;
    case FrictionSolver::enumeration:
      require_enumerable(problem);
      w.enumerate();
      break;
    case FrictionSolver::lemke:
      if (problem.G.components() == 3)
        throw InputError(
            "solver",
            "lemke supports the plane only; in space use gauss-seidel, newton or automatic");
      w.pivot(options);
      break;
    case FrictionSolver::gauss_seidel:
      w.iterate(options, false);
      break;
    case FrictionSolver::newton:
      w.iterate(options, true);
      break;
  }
  if (w.result.status == FrictionStatus::no_solution) {
    w.result.P.assign(w.s.size(), 0.);
    w.result.xi.assign(problem.b.begin(), problem.b.end());
    w.result.modes.assign(w.s.contacts, FrictionMode::open);
    w.result.residual = residual(problem, w.result.P);
  }
  return w.result;
}

std::span<FrictionResult> MultiFriction::all_solutions(const FrictionProblem& problem) {
  require_enumerable(problem);
  Workspace& w = workspace();
  w.s.read(problem);
  auto& found = w.enumeration.all(w.s);
  if (w.all.size() < found.size()) w.all.resize(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) write(w.s, found[k], w.all[k]);
  return std::span(w.all).first(found.size());
}

FrictionResult solve_friction(const FrictionProblem& problem, const FrictionOptions& options) {
  return MultiFriction().solve(problem, options);
}

std::vector<FrictionResult> all_solutions(const FrictionProblem& problem) {
  MultiFriction friction;
  const auto all = friction.all_solutions(problem);
  return {all.begin(), all.end()};
}

}  // namespace carom::complementarity
