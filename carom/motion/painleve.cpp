// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/run.hpp>

// Painleve's paradoxes: rigid sliding contact has no force or several, gap'' = A F + B with A <= 0
// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.38-2.40].
namespace carom::motion {

// A < 0, B < 0 (inconsistent): no force is consistent with contact, and opening is not consistent
// either: an impact without collision.
// A < 0, B > 0 (indeterminate): F = 0 and F = -B/A are both consistent: it opens or strikes, as the
// options say.
// A -> 0+: the force diverges, and slip decelerates without bound: treated as the first case.
void Run::find_conflict(const Trigger& trigger) {
  conflict_ = {};
  const Vector nothing = Vector::Zero(problem_.b.size());
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    const AccelerationContact& c = problem_.contacts[k];
    if (!c.slips || c.normal) continue;
    const SlipCoefficients s = slip_coefficients(problem_, k, nothing);
    const std::size_t i = candidate_[k];
    const auto n = ix(k * components_);
    const bool diverges = trigger.kind == TriggerKind::diverges && trigger.contact == i;
    if (s.A > 0. && !diverges) continue;
    if (diverges && s.B >= 0.) {
      problem_.contacts[k].starts_open = true;
      continue;
    }
    if (!diverges && std::abs(s.A) <= 1e-14 * problem_.G(n, n)) continue;
    const bool pushed_in = s.B < 0.;
    if (candidate_.size() > 1 && pushed_in && !diverges) continue;  // other contacts may hold it
    conflict_ = {diverges    ? Paradox::diverging
                 : pushed_in ? Paradox::inconsistent
                             : Paradox::indeterminate,
                 i, s.A, s.B,
                 pushed_in || diverges || options_.indeterminate == Indeterminate::impact};
    if (!pushed_in && !conflict_.needs_impact) problem_.contacts[k].starts_open = true;
    return;
  }
}

// The friction that just makes A < 0, if A has nearly vanished.
double Run::jamming_friction(std::size_t contact) const {
  const double mu = surfaces_[contact].friction;
  const Eigen::Vector3d& v = mechanics_.motion(contact).velocity;
  const double size = components_ == 3 ? std::hypot(v(1), v(2)) : std::abs(v(1));
  if (!(size > 0.)) return mu;
  const double coupling = (G_(0, 1) * v(1) + (components_ == 3 ? G_(0, 2) * v(2) : 0.)) / size;
  const double A = G_(0, 0) - mu * coupling;
  if (!(A > 0.) || !(A < 1e-5 * G_(0, 0))) return mu;
  return G_(0, 0) * (1. + 1e-9) / coupling;
}

}  // namespace carom::motion
