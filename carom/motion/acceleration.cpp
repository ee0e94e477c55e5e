// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/acceleration.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <carom/complementarity/force_sharing.hpp>
#include <carom/complementarity/friction/multi.hpp>
#include <carom/core/block_matrix.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/mechanics.hpp>

namespace carom::motion {

namespace {

/// Tolerance of inequalities, relative to the accelerations of the problem.
constexpr double slack = 1e-10;
/// Of the friction solver: a tenth of it.
constexpr double solver_tolerance = 0.1 * slack;
/// The slack grows by this factor where no modes satisfy it.
constexpr double rounded = 10.;
/// Friction from this part of its limit on is at the limit.
constexpr double at_the_limit = 1. - 1e-12;
/// From this part on it reaches the limit together with others: limits are located to 1e-9.
constexpr double tied = 1. - 1e-8;
/// Accelerations further apart than this many times the slack are different solutions.
constexpr double apart_by = 1e3;
/// Up to so many contacts other solutions are looked for.
constexpr std::size_t most_searched = 2;

double force_slack(const AccelerationProblem& p, std::size_t contact) {
  const auto n = ix(contact * p.components);
  return p.G(n, n) > 0. ? acceleration_slack(p) / p.G(n, n) : 0.;
}

double tangential_size(const AccelerationProblem& p, const Vector& x, std::size_t contact) {
  const auto n = ix(contact * p.components);
  return p.components == 3 ? std::hypot(x(n + 1), x(n + 2)) : std::abs(x(n + 1));
}

double along(const AccelerationProblem& p, const Vector& x, std::size_t contact,
             const std::array<double, 2>& d) {
  const auto n = ix(contact * p.components);
  return x(n + 1) * d[0] + (p.components == 3 ? x(n + 2) * d[1] : 0.);
}

}  // namespace

double acceleration_slack(const AccelerationProblem& p) {
  return slack * std::max(p.scale, p.b.size() > 0 ? p.b.cwiseAbs().maxCoeff() : 0.);
}

bool solve_in_modes(const AccelerationProblem& p, const std::vector<ContactStatus>& status,
                    Vector& force, Vector& acceleration) {
  const std::size_t c = p.components;
  const std::size_t size = p.contacts.size() * c;
  // The force is S f + given. S has a column for each unknown, with at most c entries.
  std::vector<complementarity::SharingContact> sharing;
  struct Unknown {
    std::size_t row;                  ///< of the constraint
    std::array<double, 3> direction;  ///< of the force
    std::size_t contact;
  };
  std::vector<Unknown> unknowns;
  force.setZero(ix(size));
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& k = p.contacts[i];
    const ContactStatus& s = status[i];
    if (s.touch == Touch::open) continue;
    auto& share = sharing.emplace_back();
    std::array<double, 3> direction{1., 0., 0.};
    if (s.touch == Touch::slip) {
      direction[1] = -k.mu * s.direction[0];
      direction[2] = -k.mu * s.direction[1];
    }
    if (k.normal) {
      for (std::size_t j = 0; j < c; ++j) force(ix(i * c + j)) = *k.normal * direction[j];
      share.given = *k.normal;
    } else {
      share.normal = unknowns.size();
      unknowns.push_back({i * c, direction, i});
    }
    if (s.touch == Touch::stick) {
      share.tangential = unknowns.size();
      share.components = c - 1;
      share.mu = k.mu_s;
      for (std::size_t j = 1; j < c; ++j) {
        std::array<double, 3> unit{};
        unit[j] = 1.;
        unknowns.push_back({i * c + j, unit, i});
      }
    }
  }
  const Vector given = p.b + p.G * force;
  const std::size_t r = unknowns.size();
  std::vector<double> K(r * r);
  std::vector<double> f(r);
  for (std::size_t a = 0; a < r; ++a) {
    f[a] = -given(ix(unknowns[a].row));
    for (std::size_t b = 0; b < r; ++b) {
      double v = 0.;
      for (std::size_t j = 0; j < c; ++j) {
        v += p.G(ix(unknowns[a].row), ix(unknowns[b].contact * c + j)) * unknowns[b].direction[j];
      }
      K[a * r + b] = v;
    }
  }
  const Solved solved = eliminate_small(K.data(), f.data(), r);
  if (solved == Solved::not_at_all) return false;
  if (solved == Solved::shared) {
    thread_local complementarity::ForceSharing shared;  // a workspace
    if (!shared.read(K, f, singular_pivot)) return false;
    shared.share(sharing);
    // The least forces matter only where the motion depends on their distribution.
    const auto& kernel = shared.kernel();
    if (kernel.cols() > 0) {
      Matrix push = Matrix::Zero(ix(size), kernel.cols());
      for (std::size_t a = 0; a < r; ++a) {
        for (std::size_t j = 0; j < c; ++j) {
          push.row(ix(unknowns[a].contact * c + j)) += unknowns[a].direction[j] * kernel.row(ix(a));
        }
      }
      const double moved = (p.G * push).cwiseAbs().maxCoeff();
      if (moved > indifferent * p.G.cwiseAbs().maxCoeff()) shared.find_least(sharing);
    }
    std::copy(shared.least().begin(), shared.least().end(), f.begin());
  }
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t j = 0; j < c; ++j) {
      force(ix(unknowns[a].contact * c + j)) += unknowns[a].direction[j] * f[a];
    }
  }
  acceleration = p.b + p.G * force;
  return acceleration.allFinite();
}

bool is_solution(const AccelerationProblem& p, const std::vector<ContactStatus>& status,
                 const Vector& force, const Vector& acceleration, bool static_limit) {
  const double tolerated = acceleration_slack(p);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& k = p.contacts[i];
    const auto n = ix(i * p.components);
    // Large forces, near Painleve's paradox, leave rounding errors.
    const double a_slack =
        tolerated + rounding * p.G.row(n).cwiseAbs().dot(force.transpose().cwiseAbs());
    const double f_slack = force_slack(p, i);
    if (status[i].touch == Touch::open) {
      if (!k.normal && acceleration(n) < -a_slack) return false;
      continue;
    }
    if (!k.normal && (force(n) < -f_slack || std::abs(acceleration(n)) > a_slack)) return false;
    if (k.slips) continue;
    if (status[i].touch == Touch::stick) {
      const double most = (static_limit ? k.mu_s : k.mu) * force(n);
      if (tangential_size(p, force, i) > most + f_slack) return false;
      for (std::size_t j = 1; j < p.components; ++j) {
        if (std::abs(acceleration(n + ix(j))) > a_slack) return false;
      }
    } else if (!(along(p, acceleration, i, status[i].direction) >= -a_slack)) {
      return false;
    }
  }
  return true;
}

SlipCoefficients slip_coefficients(const AccelerationProblem& p, std::size_t contact,
                                   const Vector& force) {
  const auto n = ix(contact * p.components);
  const AccelerationContact& k = p.contacts[contact];
  SlipCoefficients s;
  s.A = p.G(n, n) - k.mu * k.direction[0] * p.G(n, n + 1) -
        (p.components == 3 ? k.mu * k.direction[1] * p.G(n, n + 2) : 0.);
  s.B = p.b(n);
  for (Eigen::Index j = 0; j < p.b.size(); ++j) {
    if (j < n || j >= n + ix(p.components)) s.B += p.G(n, j) * force(j);
  }
  return s;
}

namespace {

/// F_T/F_n that a contact of zero slip needs to stick, with the modes of the others fixed.
double stick_ratio(const AccelerationProblem& p, const AccelerationAnswer& answer, std::size_t i) {
  Vector force = answer.force;
  if (answer.status[i].touch != Touch::stick) {
    std::vector<ContactStatus> status = answer.status;
    status[i] = {Touch::stick, {}};
    Vector acceleration;
    if (!solve_in_modes(p, status, force, acceleration)) return beyond_all_friction;
  }
  const double normal = force(ix(i * p.components));
  if (normal == 0.) return beyond_all_friction;
  return (p.components == 2 ? force(ix(i * 2 + 1)) : tangential_size(p, force, i)) / normal;
}

/// The problem for the friction solver: what slips slides as it does; what does not is held by
/// static friction, or by kinetic friction once it is released.
struct Posed {
  std::vector<complementarity::Prescription> prescribed;
  std::vector<double> mu;
  std::vector<double> floor;
};

Posed posed(const AccelerationProblem& p) {
  Posed made;
  for (const AccelerationContact& c : p.contacts) {
    // In space the direction of a contact that is released below its static limit is an unknown.
    const bool turns = p.components == 3 && c.mu_s > c.mu;
    const bool slides = c.slips || (c.starts_slipping && !turns);
    made.prescribed.push_back({.slides = slides,
                               .direction = slides ? c.direction : std::array<double, 2>{},
                               .pushes = c.normal.has_value()});
    made.mu.push_back(slides || c.starts_slipping ? c.mu : c.mu_s);
    made.floor.push_back(c.normal.value_or(0.));
  }
  return made;
}

/// The modes, forces and accelerations of a result.
void take(const AccelerationProblem& p, const Posed& how,
          const complementarity::FrictionResult& result, AccelerationAnswer& answer) {
  using complementarity::FrictionMode;
  const std::size_t c = p.components;
  answer.status.assign(p.contacts.size(), {});
  answer.force = Eigen::Map<const Vector>(result.P.data(), ix(result.P.size()));
  answer.acceleration = p.b + p.G * answer.force;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    ContactStatus& s = answer.status[i];
    const auto n = ix(i * c);
    if (result.modes[i] == FrictionMode::open && !p.contacts[i].normal) continue;
    if (how.prescribed[i].slides) {
      s = {Touch::slip, how.prescribed[i].direction};
      continue;
    }
    const double friction = tangential_size(p, answer.force, i);
    if (result.modes[i] != FrictionMode::slip) {
      // The solver takes what is small beside other accelerations for zero.
      const double size = tangential_size(p, answer.acceleration, i);
      const bool at_limit = friction > 0. && friction >= at_the_limit * how.mu[i] * answer.force(n);
      if (!(size > acceleration_slack(p)) || !at_limit) {
        s = {Touch::stick, {}};
        continue;
      }
      s = {Touch::slip,
           {answer.acceleration(n + 1) / size, c == 3 ? answer.acceleration(n + 2) / size : 0.}};
      continue;
    }
    // Along the acceleration that it gains, or against friction if it gains none.
    const double* xi = &result.xi[i * c];
    const double gained = c == 3 ? std::hypot(xi[1], xi[2]) : std::abs(xi[1]);
    if (!(gained > 0.) && !(friction > 0.)) {
      s = {Touch::stick, {}};
      continue;
    }
    s.touch = Touch::slip;
    if (gained > acceleration_slack(p) || !(friction > 0.)) {
      s.direction = {xi[1] / gained, c == 3 ? xi[2] / gained : 0.};
    } else {
      s.direction = {-answer.force(n + 1) / friction,
                     c == 3 ? -answer.force(n + 2) / friction : 0.};
    }
  }
}

/// Solves with the contacts at rest held by static friction. A contact that slips all the same is
/// released: kinetic friction acts on it. Of several the one that gains the most slip is released
/// first.
bool release_search(const AccelerationProblem& p, complementarity::MultiFriction& friction,
                    Posed how, AccelerationAnswer& answer) {
  const BlockMatrix G = BlockMatrix::from_dense(p.G, p.components);
  const std::span<const double> b(p.b.data(), static_cast<std::size_t>(p.b.size()));
  for (std::size_t round = 0; round <= p.contacts.size(); ++round) {
    const auto& result = friction.solve(
        {.G = G, .b = b, .mu = how.mu, .floor = how.floor, .prescribed = how.prescribed},
        {.tolerance = solver_tolerance});
    if (result.status != complementarity::FrictionStatus::solved) return false;
    take(p, how, result, answer);
    std::size_t worst = p.contacts.size();
    double most = 0.;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const bool held = !how.prescribed[i].slides && how.mu[i] > p.contacts[i].mu;
      if (!held || answer.status[i].touch != Touch::slip) continue;
      const double gained = tangential_size(p, answer.acceleration, i);
      if (gained < most) continue;
      most = gained;
      worst = i;
    }
    if (worst == p.contacts.size()) return true;
    how.mu[worst] = p.contacts[worst].mu;
  }
  return false;
}

/// By how much forces and accelerations of a contact violate its mode, in accelerations.
double violation(const AccelerationProblem& p, std::size_t i, const ContactStatus& s,
                 const Vector& force, const Vector& acceleration) {
  const AccelerationContact& c = p.contacts[i];
  const auto n = ix(i * p.components);
  const double G_nn = p.G(n, n);
  if (s.touch == Touch::open) return c.normal ? 0. : -acceleration(n);
  const double tension = c.normal ? 0. : -force(n) * G_nn;
  if (c.slips) return tension;
  const double beyond = s.touch == Touch::stick
                            ? (tangential_size(p, force, i) - c.mu_s * force(n)) * G_nn
                            : -along(p, acceleration, i, s.direction);
  return std::max(tension, beyond);
}

/// Where the modes of the solver are no solution to rounding, though its answer is one within its
/// tolerance, another mode of the contact that violates its own most may be.
bool mend_modes(const AccelerationProblem& p, AccelerationAnswer& answer, Vector& force,
                Vector& acceleration) {
  std::size_t worst = p.contacts.size();
  double most = 0.;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const double off = violation(p, i, answer.status[i], force, acceleration);
    if (!(off > most)) continue;
    most = off;
    worst = i;
  }
  if (worst == p.contacts.size()) return false;
  const AccelerationContact& c = p.contacts[worst];
  std::vector<ContactStatus> others;
  if (c.slips) {
    others = {{Touch::slip, c.direction}};
  } else {
    const double size = tangential_size(p, force, worst);
    const auto n = ix(worst * p.components);
    const bool in_space = p.components == 3;
    const std::array<double, 2> d{size > 0. ? -force(n + 1) / size : 1.,
                                  size > 0. && in_space ? -force(n + 2) / size : 0.};
    others = {{Touch::stick, {}}, {Touch::slip, d}, {Touch::slip, {-d[0], -d[1]}}};
  }
  if (!c.normal) others.push_back({});
  std::vector<ContactStatus> status = answer.status;
  for (const ContactStatus& other : others) {
    status[worst] = other;
    if (!solve_in_modes(p, status, force, acceleration) ||
        !is_solution(p, status, force, acceleration, true)) {
      continue;
    }
    answer.status = std::move(status);
    return true;
  }
  return false;
}

/// Solves the equations of the modes found to rounding. Keeps the answer of the solver where its
/// modes are wrong by rounding.
bool polish(const AccelerationProblem& p, AccelerationAnswer& answer) {
  Vector force;
  Vector acceleration;
  if (solve_in_modes(p, answer.status, force, acceleration) &&
      (is_solution(p, answer.status, force, acceleration, true) ||
       mend_modes(p, answer, force, acceleration))) {
    answer.force = std::move(force);
    answer.acceleration = std::move(acceleration);
    return true;
  }
  return is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

/// Modes of the same problem as an impact: what slips has a velocity along its direction that is
/// large beside all changes, and its friction is not prescribed but found. Where the solver does
/// not converge with a prescribed direction it may do so here.
bool found_as_impact(const AccelerationProblem& p, complementarity::MultiFriction& friction,
                     AccelerationAnswer& answer) {
  constexpr double fast = 1e6;  // half of the digits are left
  Posed how = posed(p);
  Vector velocity = p.b;
  const double large = fast * p.b.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    if (!how.prescribed[i].slides) continue;
    for (std::size_t j = 1; j < p.components; ++j) {
      velocity(ix(i * p.components + j)) += large * how.prescribed[i].direction[j - 1];
    }
    how.prescribed[i].slides = false;
  }
  const BlockMatrix G = BlockMatrix::from_dense(p.G, p.components);
  const std::span<const double> b(velocity.data(), static_cast<std::size_t>(velocity.size()));
  const auto& result = friction.solve(
      {.G = G, .b = b, .mu = how.mu, .floor = how.floor, .prescribed = how.prescribed},
      {.tolerance = solver_tolerance / fast});
  if (result.status != complementarity::FrictionStatus::solved) return false;
  take(p, posed(p), result, answer);
  return solve_in_modes(p, answer.status, answer.force, answer.acceleration) &&
         is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

/// Contacts that may open do so, if that is a solution.
bool opened(const AccelerationProblem& p, complementarity::MultiFriction& friction,
            AccelerationAnswer& answer) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    if (!p.contacts[i].starts_open) kept.push_back(i);
  }
  if (kept.size() == p.contacts.size()) return false;
  const std::size_t c = p.components;
  const AccelerationProblem rest = part(p, kept);
  AccelerationAnswer found;
  if (!kept.empty() &&
      !(release_search(rest, friction, posed(rest), found) && polish(rest, found))) {
    return false;
  }
  answer.status.assign(p.contacts.size(), {});
  answer.force.setZero(p.b.size());
  for (std::size_t a = 0; a < kept.size(); ++a) {
    answer.status[kept[a]] = found.status[a];
    answer.force.segment(ix(kept[a] * c), ix(c)) = found.force.segment(ix(a * c), ix(c));
  }
  answer.acceleration = p.b + p.G * answer.force;
  return is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

/// A contact at the limit of static friction leaves stick: with mu = mu_s it would stick and slip
/// alike, so that it is made to slide against its friction.
bool left_stick_alone(const AccelerationProblem& p, complementarity::MultiFriction& friction,
                      AccelerationAnswer& answer) {
  const bool any = std::any_of(p.contacts.begin(), p.contacts.end(),
                               [](const AccelerationContact& c) { return c.leaves_stick; });
  if (!any) return false;
  Posed how = posed(p);
  if (!release_search(p, friction, how, answer)) return false;
  // The friction that would just hold it, to rounding.
  std::vector<ContactStatus> held = answer.status;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const bool leaves = p.contacts[i].leaves_stick && held[i].touch == Touch::slip;
    if (leaves && !p.contacts[i].slips) held[i] = {Touch::stick, {}};
  }
  Vector force;
  Vector acceleration;
  if (!solve_in_modes(p, held, force, acceleration)) force = answer.force;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& c = p.contacts[i];
    const double size = tangential_size(p, force, i);
    if (!c.leaves_stick || c.slips || !(size > 0.)) continue;
    how.mu[i] = c.mu;
    if (c.mu_s > c.mu && p.components == 3) continue;  // the direction follows from the solution
    const auto n = ix(i * p.components);
    how.prescribed[i].slides = true;
    how.prescribed[i].direction = {-force(n + 1) / size,
                                   p.components == 3 ? -force(n + 2) / size : 0.};
  }
  if (release_search(p, friction, how, answer) && polish(p, answer)) return true;
  // In space others that stick may leave it only one direction. With a little less friction it
  // slips that way.
  constexpr double less = 1. - 1e-6;
  how = posed(p);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    if (p.contacts[i].leaves_stick && !p.contacts[i].slips) how.mu[i] = less * p.contacts[i].mu;
  }
  return p.components == 3 && release_search(p, friction, how, answer) && polish(p, answer);
}

/// Contacts that reach the limit of static friction together with the one for which it was found
/// leave stick with it, so that the motion does not depend on which was found: with all contacts at
/// rest held, every distribution of forces has them at their limits. Where that is no solution the
/// one leaves alone.
/// @param p  these contacts are marked in it
bool left_stick(AccelerationProblem& p, complementarity::MultiFriction& friction,
                AccelerationAnswer& answer) {
  const auto leaving = std::find_if(p.contacts.begin(), p.contacts.end(),
                                    [](const AccelerationContact& c) { return c.leaves_stick; });
  if (leaving == p.contacts.end()) return false;
  std::vector<ContactStatus> status;
  for (const AccelerationContact& c : p.contacts) {
    status.push_back(c.slips || c.starts_slipping ? ContactStatus{Touch::slip, c.direction}
                                                  : ContactStatus{Touch::stick, {}});
  }
  Vector force;
  Vector acceleration;
  if (solve_in_modes(p, status, force, acceleration)) {
    AccelerationProblem together = p;
    bool any = false;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      AccelerationContact& c = together.contacts[i];
      const double most = c.mu_s * force(ix(i * p.components));
      if (c.leaves_stick || status[i].touch != Touch::stick || !(most > 0.)) {
        continue;
      }
      c.leaves_stick = tangential_size(p, force, i) >= tied * most;
      any = any || c.leaves_stick;
    }
    if (any && left_stick_alone(together, friction, answer)) {
      p = std::move(together);
      return true;
    }
  }
  return left_stick_alone(p, friction, answer);
}

/// Whether other accelerations solve the problem with kinetic friction alone. Hysteresis of static
/// friction does not count.
bool has_another(const AccelerationProblem& p, complementarity::MultiFriction& friction,
                 const AccelerationAnswer& answer) {
  if (p.components != 2 || p.contacts.size() > most_searched) return false;
  if (!is_solution(p, answer.status, answer.force, answer.acceleration, false)) return false;
  Posed how = posed(p);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    how.mu[i] = p.contacts[i].mu;
    how.prescribed[i].slides = p.contacts[i].slips;
  }
  const BlockMatrix G = BlockMatrix::from_dense(p.G, p.components);
  const std::span<const double> b(p.b.data(), static_cast<std::size_t>(p.b.size()));
  const double apart = apart_by * acceleration_slack(p);
  for (const auto& s : friction.all_solutions(
           {.G = G, .b = b, .mu = how.mu, .floor = how.floor, .prescribed = how.prescribed})) {
    const Vector a = p.b + p.G * Eigen::Map<const Vector>(s.P.data(), ix(s.P.size()));
    if ((a - answer.acceleration).cwiseAbs().maxCoeff() > apart) return true;
  }
  return false;
}

/// Stick is preferred where slip is possible, too: all contacts hold, and those at rest stick.
bool held(const AccelerationProblem& p, AccelerationAnswer& answer) {
  answer.status.clear();
  for (const AccelerationContact& c : p.contacts) {
    if (c.starts_open || c.leaves_stick || c.starts_slipping) return false;
    answer.status.push_back(c.slips ? ContactStatus{Touch::slip, c.direction}
                                    : ContactStatus{Touch::stick, {}});
  }
  return solve_in_modes(p, answer.status, answer.force, answer.acceleration) &&
         is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

/// Whether slip that begins in space, in a direction that was an unknown, gains speed in that
/// direction alone.
bool begins_straight(const AccelerationProblem& p, const AccelerationAnswer& answer) {
  constexpr double straight = 1e-6;  // [rad], what the friction solver may leave
  if (p.components != 3) return true;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& c = p.contacts[i];
    const bool given = c.slips || ((c.starts_slipping || c.leaves_stick) && !(c.mu_s > c.mu));
    if (given || answer.status[i].touch != Touch::slip) continue;
    const auto& d = answer.status[i].direction;
    const double across = std::abs(along(p, answer.acceleration, i, {-d[1], d[0]}));
    const double gained = tangential_size(p, answer.acceleration, i);
    if (across > straight * gained + acceleration_slack(p)) return false;
  }
  return true;
}

/// Where contacts are hyperstatic several modes may be solutions. Of those contacts that were let
/// go the ones that can stick do, the slowest first: the motion must not depend on a distribution
/// of forces that would stop it at once.
void stick_where_possible(const AccelerationProblem& p, AccelerationAnswer& answer) {
  std::vector<std::size_t> released;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& c = p.contacts[i];
    const bool free = !c.slips && !c.leaves_stick && !c.starts_slipping;
    if (free && answer.status[i].touch == Touch::slip) released.push_back(i);
  }
  if (released.empty() || released.size() > most_searched) return;
  std::sort(released.begin(), released.end(), [&](std::size_t a, std::size_t b) {
    return tangential_size(p, answer.acceleration, a) < tangential_size(p, answer.acceleration, b);
  });
  AccelerationAnswer trial = answer;
  for (const std::size_t i : released) {
    trial.status = answer.status;
    trial.status[i] = {Touch::stick, {}};
    if (!solve_in_modes(p, trial.status, trial.force, trial.acceleration) ||
        !is_solution(p, trial.status, trial.force, trial.acceleration, true) ||
        !begins_straight(p, trial)) {
      continue;
    }
    answer.status = trial.status;
    answer.force = trial.force;
    answer.acceleration = trial.acceleration;
  }
}

}  // namespace

AccelerationAnswer solve_island(AccelerationProblem p) {
  if (!p.spins.empty()) return solve_with_spins(p);
  thread_local complementarity::MultiFriction friction;  // a workspace
  AccelerationAnswer answer;
  answer.ratio.assign(p.contacts.size(), 0.);
  const auto all = [&] {
    if (release_search(p, friction, posed(p), answer) && polish(p, answer)) return true;
    // What has just begun to slip may stick again.
    AccelerationProblem again = p;
    bool any = false;
    for (AccelerationContact& c : again.contacts) {
      any = any || c.starts_slipping;
      c.starts_slipping = false;
    }
    if (any && release_search(again, friction, posed(again), answer) && polish(again, answer)) {
      return true;
    }
    // Where static friction has no solution, kinetic friction may have one.
    Posed how = posed(again);
    bool weaker = false;
    for (std::size_t i = 0; i < how.mu.size(); ++i) {
      weaker = weaker || how.mu[i] > p.contacts[i].mu;
      how.mu[i] = p.contacts[i].mu;
    }
    if (weaker && release_search(again, friction, how, answer) && polish(again, answer)) {
      return true;
    }
    if (found_as_impact(again, friction, answer)) return true;
    // Contacts that share directions may contradict each other by the rounding of positions.
    again.scale = rounded * std::max(again.scale, again.b.cwiseAbs().maxCoeff());
    return release_search(again, friction, posed(again), answer) && polish(again, answer);
  };
  if (!held(p, answer) && !opened(p, friction, answer) && !left_stick(p, friction, answer) &&
      !all()) {
    answer.failed.resize(p.contacts.size());
    std::iota(answer.failed.begin(), answer.failed.end(), std::size_t{0});
    return answer;
  }
  answer.found = true;
  if (p.contacts.size() > 1) stick_where_possible(p, answer);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const bool still = !p.contacts[i].slips && answer.status[i].touch != Touch::open;
    if (still) answer.ratio[i] = stick_ratio(p, answer, i);
  }
  answer.several = p.counts && has_another(p, friction, answer);
  return answer;
}

}  // namespace carom::motion
