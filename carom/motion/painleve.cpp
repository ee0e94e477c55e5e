// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <carom/motion/run.hpp>

// Painleve's paradoxes: rigid sliding contact has no force or several, gap'' = A F + B with A <= 0
// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.38-2.40].
namespace carom::motion {
namespace {

/// tau of an impact without collision, relative to the time in which the fastest slip would change
/// without contact forces: half of the digits are left. Contacts whose slip is a millionth of the
/// fastest may change their modes in it.
constexpr double small_time = 1e-6;

}  // namespace

// A < 0, B < 0 (inconsistent): no force is consistent with contact, and opening is not consistent
// either: an impact without collision.
// A < 0, B > 0 (indeterminate): F = 0 and F = -B/A are both consistent: it opens or strikes, as the
// options say.
// A -> 0+: the force diverges, and slip decelerates without bound: treated as the first case.
void Run::find_conflict(const Trigger& trigger) {
  conflict_ = {};
  const Vector nothing = Vector::Zero(problem_.b.size());
  std::optional<AccelerationProblem> by_forces;
  if (!problem_.spins.empty()) by_forces = without_spins(problem_);
  const AccelerationProblem& posed = by_forces ? *by_forces : problem_;
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    const AccelerationContact& c = problem_.contacts[k];
    if (!c.slips || c.normal) continue;
    const SlipCoefficients s = slip_coefficients(posed, k, nothing);
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

// Several contacts that have no finite forces: the impulses P with which velocities v + tau b obey
// Coulomb's law, as tau -> 0, b being the accelerations without contact forces. They do not vanish
// with tau, because forces P/tau would be a solution. P(tau) is linear while the modes do not
// change (nearly so in space), so that two values give the limit.
bool Run::strike_without_collision(const std::vector<std::size_t>& contacts, Event& event) {
  mechanics_.contact_space(contacts, G_, b_);
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G_, components_);
  double fastest = 0.;
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    problem.surfaces.push_back(surface(i));
    problem.surfaces.back().restitution = 0.;  // of an approach that vanishes
    fastest = std::max(fastest, std::hypot(v(1), v(2)));
  }
  const double tau = small_time * fastest / b_.cwiseAbs().maxCoeff();
  if (!(tau > 0.)) {
    return fail(Failure::no_forces, "no contact forces satisfy Coulomb's law at the " +
                                        std::to_string(contacts.size()) +
                                        " closed contacts around " + contact_name(contacts[0]) +
                                        ", and nothing slips that could stop");
  }
  std::array<Outcome, 2> outcomes;
  for (std::size_t k = 0; k < 2; ++k) {
    problem.approach.clear();
    for (std::size_t a = 0; a < contacts.size(); ++a) {
      const Eigen::Vector3d& v = mechanics_.motion(contacts[a]).velocity;
      for (std::size_t j = 0; j < components_; ++j) {
        const bool rests = j == 0 && v(0) <= scales_.still;
        problem.approach.push_back((rests ? 0. : v(ix(j))) +
                                   tau / static_cast<double>(k + 1) * b_(ix(a * components_ + j)));
      }
    }
    solve(*find_law("moreau"), problem, {}, workspace_, outcomes[k]);
    const Verdicts flags = outcomes[k].flags;
    if (flags.has(Verdict::no_solution) || flags.has(Verdict::not_converged)) {
      return fail(Failure::no_forces, "neither forces nor impulses satisfy Coulomb's law at the " +
                                          std::to_string(contacts.size()) +
                                          " closed contacts around " + contact_name(contacts[0]) +
                                          "; try another friction coefficient");
    }
  }
  const Eigen::Map<const Vector> whole(outcomes[0].impulse.data(), b_.size());
  const Eigen::Map<const Vector> half(outcomes[1].impulse.data(), b_.size());
  const Vector impulse = 2. * half - whole;
  const Vector change = G_ * impulse;
  apply_impulse(contacts, impulse);
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    double work = 0.;
    for (std::size_t j = 0; j < components_; ++j) {
      const auto k = ix(a * components_ + j);
      work += impulse(k) * (mechanics_.motion(contacts[a]).velocity(ix(j)) + 0.5 * change(k));
    }
    account_.impacts[contacts[a]] += work;
    event.energy_change += work;
    event.contacts.push_back(contacts[a]);
  }
  event.impulse.insert(event.impulse.end(), impulse.data(), impulse.data() + impulse.size());
  return true;
}

// The friction that just makes A < 0, if A has nearly vanished.
double Run::jamming_friction(std::size_t contact) const {
  const double mu = surface(contact).friction;
  const Eigen::Vector3d& v = mechanics_.motion(contact).velocity;
  const double size = components_ == 3 ? std::hypot(v(1), v(2)) : std::abs(v(1));
  if (!(size > 0.)) return mu;
  const double coupling = (G_(0, 1) * v(1) + (components_ == 3 ? G_(0, 2) * v(2) : 0.)) / size;
  const double A = G_(0, 0) - mu * coupling;
  if (!(A > 0.) || !(A < 10. * diverging * G_(0, 0))) return mu;
  return G_(0, 0) * (1. + 1e-9) / coupling;
}

}  // namespace carom::motion
