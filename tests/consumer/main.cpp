// SPDX-License-Identifier: Apache-2.0
// The foot of a two-joint leg strikes the ground: joint velocities after, and who creates energy.
#include <cstdio>

#include <carom/carom.hpp>

int main() {
  Eigen::Matrix2d M;  // M(q) [kg m^2], from your dynamics library
  M << 16.0, 5.9, 5.9, 4.0;
  Eigen::Matrix2d W;  // the contact Jacobian transposed, columns normal and tangential
  W << 0.684, 1.879, 1.0, 1.732;
  const std::vector<double> u{-0.1, -0.2};  // u- [rad/s]

  try {
    const carom::SystemAtImpact leg = carom::at_impact(M, W, u);  // makes G and v-
    carom::PlanarProblem problem = carom::planar_problem(leg.problem);
    problem.surface = {.restitution = 0.5, .friction = 0.7};
    carom::validate(problem);  // laws trust their input
    const carom::PlanarOutcome o = carom::Energetic{}(problem);
    const std::vector<double> after = leg.velocity_after(o.impulse);  // u+
    std::printf("P = (%.4f, %.4f) N s, u+ = (%.4f, %.4f) rad/s, energy %.4f J\n", o.impulse.n,
                o.impulse.t, after[0], after[1], o.energy.change);
    for (const carom::PlanarPhase& phase : o.phases) {
      std::printf("  %-11s %-12s until P_n = %.4f\n", name(phase.stage).data(),
                  name(phase.motion).data(), phase.impulse.n);
    }
    const carom::PlanarOutcome newton = carom::Newton{}(problem);
    std::printf("newton says: %s\n", name(newton.verdict()).data());
    return newton.flags.has(carom::Verdict::energy_gained) ? 0 : 1;
  } catch (const carom::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
