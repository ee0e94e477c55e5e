// SPDX-License-Identifier: Apache-2.0
// Errata of the equations in space: SB19 to SB25.
#include <papers/sun-baruh/rod.hpp>

namespace carom::papers::sb {
namespace {

constexpr int trials = 200;
constexpr Surface smooth{.restitution = 0.8, .friction = 0.2};

/// The rod in world axes (y down) before and after an impulse: what eqs 36 to 48 are made of.
struct Struck {
  World3 L{};         ///< from the mass centre to the contact [m]
  World3 turn{};      ///< [I_G](omega' - omega) [kg m^2/s]
  World3 velocity{};  ///< of the mass centre, after [m/s]
  World3 spin{};      ///< after [rad/s]
  World3 F{};         ///< sizes, as in eq. 35 [N s]
  double S_x = 0.;    ///< signs
  double S_z = 0.;
  double v_Cy = 0.;  ///< of the contact, after [m/s]
};

/// At random angles, by a random impulse.
Struck strike(FixedRandom& random) {
  const SpatialFall fall{random(-60., 60.), random(-60., 60.), {}};
  const Vec3 P{.n = random(0.2, 2.), .t1 = random(-1., 1.), .t2 = random(-1., 1.)};
  const SpatialBodies bodies = bodies_of(rod_of(fall));
  const std::vector<double> u = at_impact(bodies).velocity_after(P);
  const World3 spin{u[3], u[4], u[5]};
  const Mat3 I = world_inertia(bodies.first.inertia, bodies.first.orientation, "rod");
  const SpatialProblem p = problem_of(fall);
  return {.L = bodies.first.contact_offset,
          .turn = {dot(I[0], spin), dot(I[1], spin), dot(I[2], spin)},
          .velocity = {u[0], u[1], u[2]},
          .spin = spin,
          .F = {std::abs(P.t1), P.n, std::abs(P.t2)},
          .S_x = P.t1 < 0. ? -1. : 1.,
          .S_z = P.t2 < 0. ? -1. : 1.,
          .v_Cy = -(p.approach + p.G * P).n};
}

/// A row of eqs 60, 61, 63 as printed and as corrected: the greatest residual of
/// (I omega')_i - (I omega)_i + row.(F_x, F_y, F_z) over random impulses, relative to its terms.
Found row_of_matrix(std::size_t axis, World3 (*printed)(const Struck&),
                    World3 (*corrected)(const Struck&)) {
  const auto residual = [&](auto row) {
    return greatest(many(trials, 19, strike), [&](const Struck& s) {
      return std::abs(s.turn[axis] + dot(row(s), s.F)) / (half_length * (s.F[0] + s.F[1] + s.F[2]));
    });
  };
  const double off = residual(printed);
  const double right = residual(corrected);
  return {off > 0.1 && right < rounding_of_sums,
          {{"trials", trials}, {"printed", off}, {"corrected", decade(right)}}};
}

/// Friction of mu against the slip that a compression without friction would leave, for a unit of
/// normal impulse.
Vec3 sliding(const SpatialProblem& p) {
  const double impulse = -p.approach.n / p.G.nn;
  const double x = p.approach.t1 + p.G.n1 * impulse;
  const double z = p.approach.t2 + p.G.n2 * impulse;
  const double part = -p.surface.friction / std::hypot(x, z);
  return {.n = 1., .t1 = part * x, .t2 = part * z};
}

/// Q r of eqs 66 and 67.
World3 in_body_axes(const SpatialRod& rod, const World3& r) {
  const double c1 = std::cos(rod.angle1);
  const double s1 = std::sin(rod.angle1);
  const double c2 = std::cos(rod.angle2);
  const double s2 = std::sin(rod.angle2);
  const World3 once{c1 * r[0] + s1 * r[1], -s1 * r[0] + c1 * r[1], r[2]};
  return {once[0], c2 * once[1] + s2 * once[2], -s2 * once[1] + c2 * once[2]};
}

}  // namespace

Computations matrix_errata() {
  Computations paper;
  paper.checks["SB19"] = []() -> Found {
    return row_of_matrix(
        0,
        [](const Struck& s) {
          return World3{0., s.S_x * s.L[2], s.L[1]};
        },
        [](const Struck& s) {
          return World3{0., -s.L[2], -s.S_z * s.L[1]};
        });
  };
  // Printed: the signs of another period, in which slip ran the other way.
  paper.checks["SB20"] = []() -> Found {
    return row_of_matrix(
        1,
        [](const Struck& s) {
          return World3{s.S_x * s.L[2], 0., s.S_z * s.L[0]};
        },
        [](const Struck& s) {
          return World3{-s.S_x * s.L[2], 0., s.S_z * s.L[0]};
        });
  };
  paper.checks["SB21"] = []() -> Found {
    return row_of_matrix(
        2,
        [](const Struck& s) {
          return World3{-s.L[1], -s.S_z * s.L[0], 0.};
        },
        [](const Struck& s) {
          return World3{s.S_x * s.L[1], s.L[0], 0.};
        });
  };
  paper.checks["SB22"] = []() -> Found {
    const SpatialProblem p = problem_of(SpatialFall{-15., 10., smooth});
    const SpatialOutcome o = carom::sun_baruh(p, Hypothesis::poisson);
    const Vec3 friction = sliding(p);    // -mu cos phi, -mu sin phi
    const Vec3 P = o.phases[0].impulse;  // S_x F_x = P.t1, S_z F_z = P.t2
    const double printed = std::hypot(P.t1 + friction.t1 * P.n, P.t2 + friction.t2 * P.n);
    const double corrected = std::hypot(P.t1 - friction.t1 * P.n, P.t2 - friction.t2 * P.n);
    return {o.mode == Mode::slides && printed > 0.01 && corrected < rounding_of_sums,
            {{"case", number(o.mode)},
             {"P_n", P.n},
             {"P_x", P.t1},
             {"P_z", P.t2},
             {"printed", printed},
             {"corrected", decade(corrected)}}};
  };
  // With the direction given, one impulse would have to end both components of slip.
  paper.checks["SB23"] = []() -> Found {
    const SpatialProblem p = problem_of(SpatialFall{5., 8., smooth});
    const Vec3 slope = p.G * sliding(p);
    const double given = -p.approach.t1 / slope.t1;
    const double rest = p.approach.t2 + slope.t2 * given;
    const SpatialOutcome o = carom::sun_baruh(p, Hypothesis::poisson);
    const Vec3 P = o.phases[0].impulse;
    const double slip = tangential_size(p.approach + p.G * P);
    const double cone = std::abs(tangential_size(P) - smooth.friction * P.n);
    return {std::abs(rest) > 1e-3 && o.phases[0].stage == Stage::compression &&
                slip < rounding_of_sums && cone < rounding_of_sums &&
                o.mode == Mode::stops_in_compression_sticks,
            {{"given", given},
             {"rest", rest},
             {"free", P.n},
             {"slip", decade(slip)},
             {"cone", decade(cone)}}};
  };
  // Of eqs 64 and 65.
  paper.checks["SB24"] = []() -> Found {
    const auto struck = many(trials, 24, strike);
    const double printed = greatest(struck, [](const Struck& s) {
      const World3& v = s.velocity;
      return std::abs(v[1] + s.S_x * s.L[2] * v[0] - s.S_z * s.L[0] * v[2] - s.v_Cy);
    });
    const double corrected = greatest(struck, [](const Struck& s) {
      return std::abs(s.velocity[1] + s.L[0] * s.spin[2] - s.L[2] * s.spin[0] - s.v_Cy);
    });
    return {printed > 0.1 && corrected < 1e-11,
            {{"trials", trials}, {"printed", printed}, {"corrected", decade(corrected)}}};
  };
  paper.checks["SB25"] = []() -> Found {
    const SpatialRod rod = rod_of(SpatialFall{20., 15., smooth});
    const World3 world = bodies_of(rod).first.contact_offset;
    const World3 body = in_body_axes(rod, world);
    const auto off_axis = [](const World3& r) { return length({r[0], r[1] - half_length, r[2]}); };
    return {off_axis(body) < rounding_of_sums && off_axis(world) > 0.1,
            {{"x", world[0]},
             {"y", world[1]},
             {"z", world[2]},
             {"X", body[0]},
             {"Y", body[1]},
             {"Z", body[2]}}};
  };
  return paper;
}

}  // namespace carom::papers::sb
