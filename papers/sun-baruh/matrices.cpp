// SPDX-License-Identifier: Apache-2.0
// Errata of the equations in space of [Sun & Baruh 2022]: SB19 to SB25.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

constexpr double close = 1e-12;
constexpr int trials = 200;

/// The rod in world axes (y down) before and after an impulse: what eqs 36 to 48 are made of.
struct Struck {
  World3 L{};         ///< from the mass centre to the contact [m]
  World3 turn{};      ///< [I_G](omega' - omega) [kg m^2/s]
  World3 velocity{};  ///< of the mass centre, after [m/s]
  World3 spin{};      ///< after [rad/s]
  double F_x = 0.;    ///< sizes, as in eq. 35 [N s]
  double F_y = 0.;
  double F_z = 0.;
  double S_x = 0.;  ///< signs
  double S_z = 0.;
};

Struck strike(const SpatialFall& fall, const Vec3& P) {
  const SpatialBodies bodies = bodies_of(rod_of(fall));
  const BodiesAtImpact rod(bodies);
  const SpatialMotion after = rod.after(0, P);
  const Mat3 I = world_inertia(bodies.first.inertia, bodies.first.orientation, "rod");
  Struck s{.L = bodies.first.contact_offset,
           .velocity = after.velocity,
           .spin = after.spin,
           .F_x = std::abs(P.t1),
           .F_y = P.n,
           .F_z = std::abs(P.t2),
           .S_x = P.t1 < 0. ? -1. : 1.,
           .S_z = P.t2 < 0. ? -1. : 1.};
  for (std::size_t i = 0; i < 3; ++i) s.turn[i] = dot(I[i], after.spin);
  return s;
}

using Row = std::array<double, 3>;

/// The greatest residual of a row of eqs 60, 61, 63 over random impulses, relative to its terms:
/// (I omega')_i - (I omega)_i + row.(F_x, F_y, F_z).
template <class MakeRow>
double residual(std::size_t axis, const MakeRow& row_of) {
  FixedRandom random(19);
  double worst = 0.;
  for (int k = 0; k < trials; ++k) {
    const SpatialFall fall{random(-60., 60.), random(-60., 60.), {}};
    const Struck s =
        strike(fall, {.n = random(0.2, 2.), .t1 = random(-1., 1.), .t2 = random(-1., 1.)});
    const Row row = row_of(s);
    const double forces = row[0] * s.F_x + row[1] * s.F_y + row[2] * s.F_z;
    worst =
        largest(worst, std::abs(s.turn[axis] + forces) / (half_length * (s.F_x + s.F_y + s.F_z)));
  }
  return worst;
}

std::string shown_residuals(double printed, double corrected) {
  return fmt::format(
      "{} random impulses on the rod at random angles: the printed row is off by up to {:.2f} of "
      "its largest term, the corrected one by less than {:.0e}",
      trials, printed, decade(corrected));
}

Erratum row_4() {
  const double printed = residual(0, [](const Struck& s) {
    return Row{0., s.S_x * s.L[2], s.L[1]};
  });
  const double corrected = residual(0, [](const Struck& s) {
    return Row{0., -s.L[2], -s.S_z * s.L[1]};
  });
  return {.id = "SB19",
          .reason = Reason::misprint,
          .where = "Eqs (60), (61), (63), row 4",
          .printed = "[0, S_x L_z, L_y]",
          .corrected = "[0, -L_z, -S_z L_y]",
          .shown = shown_residuals(printed, corrected),
          .holds = printed > 0.1 && corrected < close};
}

Erratum row_5() {
  const auto row = [](const Struck& s) { return Row{-s.S_x * s.L[2], 0., s.S_z * s.L[0]}; };
  const double right = residual(1, row);
  // Signs of another period: those of a stage in which slip ran the other way.
  const double other = residual(1, [&](Struck s) {
    s.S_x = -s.S_x;
    return row(s);
  });
  return {.id = "SB20",
          .reason = Reason::misprint,
          .where = "Eqs (60), (61), (63), row 5",
          .printed = "[-S_x L_z, 0, S_z L_x] with the signs of c",
          .corrected = "the same with the signs of the period itself: c1, c2, r",
          .shown = fmt::format("with its own signs it holds to {:.0e}; with the other sign of S_x, "
                               "as after a reversal, it is off by up to {:.2f} of its largest term",
                               decade(right), other),
          .holds = right < close && other > 0.1};
}

Erratum row_6() {
  const double printed = residual(2, [](const Struck& s) {
    return Row{-s.L[1], -s.S_z * s.L[0], 0.};
  });
  const double corrected = residual(2, [](const Struck& s) {
    return Row{s.S_x * s.L[1], s.L[0], 0.};
  });
  return {.id = "SB21",
          .reason = Reason::misprint,
          .where = "Eqs (60), (61), (63), row 6",
          .printed = "[-L_y, -S_z L_x, 0]",
          .corrected = "[S_x L_y, L_x, 0]",
          .shown = shown_residuals(printed, corrected),
          .holds = printed > 0.1 && corrected < close};
}

constexpr SpatialSurface smooth{.restitution = 0.8, .friction = 0.2};

/// The direction of slip at the end of a compression without friction: (cos phi, sin phi).
std::array<double, 2> frictionless_direction(const SpatialProblem& p) {
  const double impulse = -p.approach.n / p.G.nn;
  const double x = p.approach.t1 + p.G.n1 * impulse;
  const double z = p.approach.t2 + p.G.n2 * impulse;
  const double size = std::hypot(x, z);
  return {x / size, z / size};
}

Erratum friction_rows() {
  const SpatialFall fall{-15., 10., smooth};
  const SpatialProblem p = problem_of(fall);
  const SpatialOutcome o = sun_baruh(p, Hypothesis::poisson);
  const auto direction = frictionless_direction(p);
  const double mu = smooth.friction;
  const Vec3 P = o.phases[0].impulse;  // S_x F_x = P.t1, S_z F_z = P.t2
  const double printed = std::hypot(P.t1 - mu * direction[0] * P.n, P.t2 - mu * direction[1] * P.n);
  const double corrected =
      std::hypot(P.t1 + mu * direction[0] * P.n, P.t2 + mu * direction[1] * P.n);
  return {.id = "SB22",
          .reason = Reason::misprint,
          .where = "Eqs (60), (63), rows of friction",
          .printed = "S_x F_x - μ cosφ F_y = 0, and so for z",
          .corrected = "S_x F_x + μ cosφ F_y = 0, since S_x = -sign cosφ",
          .shown = fmt::format(
              "θ₁ = -15, θ₂ = 10 deg, case {}: compression has P = ({:.4f}, {:.4f}, {:.4f}) N s; "
              "the printed rows are off by {:.4f} N s, the corrected by less than {:.0e}",
              static_cast<int>(o.mode), P.n, P.t1, P.t2, printed, decade(corrected)),
          .holds = o.mode == Mode::slides && printed > 0.01 && corrected < close};
}

/// With the direction given, one impulse would have to end both components of slip.
Erratum one_equation_too_many() {
  const SpatialFall fall{5., 8., smooth};
  const SpatialProblem p = problem_of(fall);
  const auto d = frictionless_direction(p);
  const double mu = smooth.friction;
  const Vec3 slope = p.G * Vec3{.n = 1., .t1 = -mu * d[0], .t2 = -mu * d[1]};
  const double ends_x = -p.approach.t1 / slope.t1;
  const double rest = p.approach.t2 + slope.t2 * ends_x;
  const SpatialOutcome o = sun_baruh(p, Hypothesis::poisson);
  const Vec3 P = o.phases[0].impulse;
  const Vec3 v = p.approach + p.G * P;
  const double slip = tangential_size(v);
  const double cone = std::abs(tangential_size(P) - mu * P.n);
  return {.id = "SB23",
          .reason = Reason::reading,
          .where = "Eqs (60) and (56)",
          .printed = "(56) is the ninth equation beside rows 7 and 8",
          .corrected =
              "(56) follows from rows 7 and 8; with φ given, (54) asks for one equation too many. "
              "Drop rows 7 and 8, keep (54) and (56): φ comes out",
          .shown = fmt::format(
              "θ₁ = 5, θ₂ = 8 deg: with φ given an impulse of {:.4f} N s ends v_Cx and leaves v_Cz "
              "= {:.4f} m/s; with φ free {:.4f} N s ends both (to {:.0e} m/s, (56) to {:.0e} N s)",
              ends_x, rest, P.n, decade(slip), decade(cone)),
          .holds = std::abs(rest) > 1e-3 && o.phases[0].stage == Stage::compression &&
                   slip < close && cone < close && o.mode == Mode::stops_in_compression_sticks};
}

Erratum contact_velocity() {
  FixedRandom random(24);
  double printed = 0.;
  double corrected = 0.;
  for (int k = 0; k < trials; ++k) {
    const SpatialFall fall{random(-60., 60.), random(-60., 60.), smooth};
    const SpatialProblem p = problem_of(fall);
    const Vec3 P{.n = random(0.2, 2.), .t1 = random(-1., 1.), .t2 = random(-1., 1.)};
    const Struck s = strike(fall, P);
    const double v_Cy = -(p.approach + p.G * P).n;
    const double first =
        s.velocity[1] + s.S_x * s.L[2] * s.velocity[0] - s.S_z * s.L[0] * s.velocity[2];
    const double second = s.velocity[1] + s.L[0] * s.spin[2] - s.L[2] * s.spin[0];
    printed = largest(printed, std::abs(first - v_Cy));
    corrected = largest(corrected, std::abs(second - v_Cy));
  }
  return {.id = "SB24",
          .reason = Reason::misprint,
          .where = "Eqs (64), (65)",
          .printed = "v_Cy' = v_y' + S_x L_z v_x' - S_z L_x v_z'",
          .corrected = "v_Cy' = v_y' + L_x ω_z' - L_z ω_x', as in (53)",
          .shown = fmt::format("{} random impulses: the printed form is off by up to {:.1f} m/s (a "
                               "length times a velocity), the corrected by less than {:.0e}",
                               trials, printed, decade(corrected)),
          .holds = printed > 0.1 && corrected < 1e-11};
}

/// Q r of eqs 66 and 67.
World3 in_body_axes(double theta1, double theta2, const World3& r) {
  const double c1 = std::cos(theta1);
  const double s1 = std::sin(theta1);
  const double c2 = std::cos(theta2);
  const double s2 = std::sin(theta2);
  const World3 once{c1 * r[0] + s1 * r[1], -s1 * r[0] + c1 * r[1], r[2]};
  return {once[0], c2 * once[1] + s2 * once[2], -s2 * once[1] + c2 * once[2]};
}

Erratum which_axes() {
  const SpatialFall fall{20., 15., smooth};
  const SpatialRod rod = rod_of(fall);
  const World3 L = bodies_of(rod).first.contact_offset;
  const World3 body = in_body_axes(rod.angle1, rod.angle2, L);
  const World3 axis{0., half_length, 0.};
  const auto apart = [](const World3& a, const World3& b) {
    return length({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
  };
  return {.id = "SB25",
          .reason = Reason::misprint,
          .where = "after Eq. (66)",
          .printed = "{xyz r} = [0 L 0]",
          .corrected = "{XYZ r} = [0 L 0]: in the rod's own axes",
          .shown = fmt::format("θ₁ = 20, θ₂ = 15 deg: the contact is at ({:.4f}, {:.4f}, {:.4f}) m "
                               "in xyz, at ({:.4f}, {:.4f}, {:.4f}) m in XYZ",
                               L[0], L[1], L[2], body[0], body[1], body[2]),
          .holds = apart(body, axis) < close && apart(L, axis) > 0.1};
}

}  // namespace

std::vector<Erratum> matrix_errata() {
  return {
      row_4(),     row_5(), row_6(), friction_rows(), one_equation_too_many(), contact_velocity(),
      which_axes()};
}

}  // namespace carom::papers::sb
