// SPDX-License-Identifier: Apache-2.0
#include <carom/study/system_point.hpp>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>

namespace carom::study {
namespace {

/// The change of generalized velocities by which slip grows by one and v_n stays.
Eigen::VectorXd slip_direction(const SystemAtImpact& s, const Sym2& G) {
  const auto n = static_cast<Eigen::Index>(s.u.size());
  if (s.first_moves_free) {
    // w_t begins with the tangent, in the coordinates of the mass centre.
    Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
    d.head<2>() = Eigen::VectorXd(s.W.col(1)).head<2>();
    return d;
  }
  if (is_rank_one(G)) {
    throw InputError("", "the contact moves in one direction only, so that its slip cannot be set");
  }
  // M^-1 W P with G P = (0, 1).
  const double det = determinant(G);
  const std::vector<double> after = s.velocity_after(std::array{-G.nt / det, G.nn / det});
  return Eigen::Map<const Eigen::VectorXd>(after.data(), n) -
         Eigen::Map<const Eigen::VectorXd>(s.u.data(), n);
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

SystemPoint system_point(const SystemAtImpact& s, bool slip_varies) {
  SystemPoint point;
  point.contact = planar_problem(s.problem);
  if (!s.has_velocities()) return point;
  point.kinetic = s.knows_kinetic_energy();
  point.energy[0] = s.kinetic_energy(s.u);
  if (!slip_varies) return point;
  const Eigen::VectorXd d = slip_direction(s, point.contact.G);
  const Eigen::VectorXd momentum = s.M * d;
  point.energy[1] = Eigen::Map<const Eigen::VectorXd>(s.u.data(), d.size()).dot(momentum);
  point.energy[2] = 0.5 * d.dot(momentum);
  if (s.W_spin.rows() == d.size()) point.spin_rate = s.W_spin.col(0).dot(d);
  return point;
}

}  // namespace carom::study
