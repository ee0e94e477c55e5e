// SPDX-License-Identifier: Apache-2.0
#include <carom/study/system_point.hpp>

#include <carom/core/error.hpp>

namespace carom::study {
namespace {

bool is_free(const PlanarSystem& system) {
  return std::holds_alternative<Bar>(system) || std::holds_alternative<Rod>(system) ||
         std::holds_alternative<Round>(system) || std::holds_alternative<TwoBodies>(system);
}

/// The change of generalized velocities by which slip grows by one and v_n stays.
Eigen::VectorXd slip_direction(const PlanarSystem& system, const Configuration& c,
                               const ContactSpace& contact) {
  if (is_free(system)) {
    // w_t begins with the tangent, in the coordinates of the mass centre.
    Eigen::VectorXd d = Eigen::VectorXd::Zero(c.velocity.size());
    d.head<2>() = c.directions.col(1).head<2>();
    return d;
  }
  const Sym2& G = contact.G;
  if (is_rank_one(G)) {
    throw InputError("", "the contact moves in one direction only, so that its slip cannot be set");
  }
  // M^-1 W P with G P = (0, 1).
  const double det = determinant(G);
  return velocity_after(c, {.n = -G.nt / det, .t = G.nn / det}) - c.velocity;
}

}  // namespace

PlanarProblem SystemPoint::problem(const Surface& surface, double slip) const {
  PlanarProblem p{
      .G = contact.G, .approach = contact.approach, .surface = surface, .spin = contact.spin};
  p.spin.approach += spin_rate * (slip - p.approach.t);
  p.approach.t = slip;
  return p;
}

double SystemPoint::energy_before(const PlanarProblem& problem) const {
  if (!kinetic) return contact_energy(problem);
  const double d = problem.approach.t - contact.approach.t;
  return energy[0] + d * (energy[1] + d * energy[2]);
}

SystemPoint system_point(const PlanarSystem& system, bool slip_varies) {
  const PlanarAtImpact at = at_impact(system);
  SystemPoint point;
  point.contact = at.contact;
  if (!at.configuration) return point;
  const Configuration& c = *at.configuration;
  point.kinetic = !c.drift.moves;
  point.energy[0] = kinetic_energy(c, c.velocity);
  if (!slip_varies) return point;
  const Eigen::VectorXd d = slip_direction(system, c, at.contact);
  const Eigen::VectorXd momentum = c.mass * d;
  point.energy[1] = c.velocity.dot(momentum);
  point.energy[2] = 0.5 * d.dot(momentum);
  if (c.spin_direction.size() == d.size()) point.spin_rate = c.spin_direction.dot(d);
  return point;
}

}  // namespace carom::study
