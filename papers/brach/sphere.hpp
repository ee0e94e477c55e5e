// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/brach/spatial.hpp>
#include <carom/mechanics/spatial_rod.hpp>
#include <papers/engine/measures.hpp>

/// The sphere of [Brach 1998, Sec. 4] that strikes a flat barrier: solved by the system equations
/// (the law `brach`), to hold the closed forms against. What is said of any spheres or bodies is
/// tried on random ones.
namespace carom::papers::br {

inline constexpr int trials = 500;
inline constexpr double close = 1e-12;  ///< two numbers that differ by rounding alone
inline constexpr double K = 2. / 5.;    ///< k^2/a^2 of a solid sphere

[[nodiscard]] inline double size(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// A solid sphere, and the barrier by e_n, impulse ratios as parts of the critical ones, and e_m.
/// Vectors along n, t, t', right-handed; the normal points into the sphere: v.n < 0 approaches.
struct Sphere {
  double mass = 1.;    ///< [kg]
  double radius = 1.;  ///< a [m]
  Vec3 velocity{};     ///< of the centre [m/s]
  Vec3 spin{};         ///< [rad/s]
  double e_n = 0.;
  std::array<double, 2> part{};  ///< mu_t/mu_t0, mu_t'/mu_t'0
  double e_m = -1.;              ///< about t' (Section 4.2); -1: no couple, point contact

  [[nodiscard]] double k2() const { return K * radius * radius; }  ///< k^2 [m^2]
  /// v_Ct = v_t - a w_t', v_Ct' = v_t' + a w_t
  [[nodiscard]] Vec3 contact_velocity() const {
    return velocity + radius * Vec3{.t1 = -spin.t2, .t2 = spin.t1};
  }
  /// Kinetic [J].
  [[nodiscard]] double energy() const {
    return 0.5 * mass * (dot(velocity, velocity) + k2() * dot(spin, spin));
  }
};

/// With spin about every axis, in point contact.
[[nodiscard]] inline Sphere in_space(FixedRandom& random) {
  return {.mass = random(0.2, 2.),
          .radius = random(0.2, 2.),
          .velocity = {.n = random(-3., -0.3), .t1 = random(-3., 3.), .t2 = random(-3., 3.)},
          .spin = {.n = random(-3., 3.), .t1 = random(-3., 3.), .t2 = random(-3., 3.)},
          .e_n = random(0., 1.),
          .part = {random(0., 1.), random(0., 1.)}};
}

/// Section 4.2: v_t' = w_n = w_t = 0, e_m in [-1, 0.3].
[[nodiscard]] inline Sphere in_plane(FixedRandom& random) {
  Sphere s = in_space(random);
  s.velocity.t2 = s.spin.n = s.spin.t1 = 0.;
  s.e_m = -1. + 1.3 * std::exchange(s.part[1], 0.);
  return s;
}

/// 1 kg, 1 m, v_n = -1 m/s, v_t = 1 m/s, with a spin about t'.
[[nodiscard]] inline Sphere skidding(double spin) {
  return {.velocity = {.n = -1., .t1 = 1.}, .spin = {.t2 = spin}};
}

/// The velocities that the centre loses where slip ends: 2 v_Cj/7; with a couple about t'
/// lambda (v_t + e_m a w_t'), lambda = 1/(1 - e_m a^2/k^2).
[[nodiscard]] inline std::array<double, 2> lost_with_slip(const Sphere& s) {
  return {(s.velocity.t1 + s.e_m * s.radius * s.spin.t2) / (1. - s.e_m / K),
          2. / 7. * s.contact_velocity().t2};
}

/// mu_t0 and mu_t'0: those over (1 + e_n) v_n.
[[nodiscard]] inline std::array<double, 2> critical(const Sphere& s) {
  const double divisor = (1. + s.e_n) * s.velocity.n;
  const auto [t, t2] = lost_with_slip(s);
  return {t / divisor, t2 / divisor};
}

/// What the system equations give.
struct Struck {
  Sphere after{};
  Vec3 impulse{};
  Vec3 couple{};
  double loss = 0.;  ///< T_L [J]

  /// P_t/P_n, P_t'/P_n
  [[nodiscard]] std::array<double, 2> ratio() const {
    return {impulse.t1 / impulse.n, impulse.t2 / impulse.n};
  }
};

// World axes of SpatialSphere: normal +z, tangents +x and +y.
[[nodiscard]] inline SystemAtImpact at_barrier(const Sphere& s) {
  return at_impact(SpatialSphere{.mass = s.mass,
                                 .radius = s.radius,
                                 .inertia_factor = K,
                                 .velocity = {s.velocity.t1, s.velocity.t2, s.velocity.n},
                                 .spin = {s.spin.t1, s.spin.t2, s.spin.n}});
}

[[nodiscard]] inline SpatialProblem problem_of(const Sphere& s, const Surface& surface = {}) {
  SpatialProblem p = spatial_problem(at_barrier(s).problem);
  p.surface = surface;
  return p;
}

[[nodiscard]] inline Struck struck(const Sphere& s, const Surface& surface) {
  const SpatialOutcome o = brach(problem_of(s, surface));
  const auto& [P, C] = std::pair(o.impulse, o.couple);
  const std::vector<double> u =
      at_barrier(s).velocity_after(std::array{P.n, P.t1, P.t2, C.n, C.t1, C.t2});
  Sphere after = s;
  after.velocity = {.n = u[2], .t1 = u[0], .t2 = u[1]};
  after.spin = {.n = u[5], .t1 = u[3], .t2 = u[4]};
  return {after, o.impulse, o.couple, s.energy() - after.energy()};
}

/// Of the sphere's own surface.
[[nodiscard]] inline Struck struck(const Sphere& s) {
  const auto mu_0 = critical(s);
  return struck(s, {.restitution = s.e_n,
                    .tangential_rule = BrachRule::impulse_ratio,
                    .tangential = {s.part[0] * mu_0[0], s.part[1] * mu_0[1]},
                    .moment = {-1., -1., s.e_m}});
}

// --- Trials --------------------------------------------------------------------------------------

/// An equation with its misprint mended, or as it stands; where the text allows two readings, the
/// right one and the other.
enum class Form : bool { corrected, printed };

/// The greatest error over random draws.
template <class Draw, class Error>
[[nodiscard]] double worst(std::uint64_t seed, const Draw& draw, const Error& error) {
  return greatest(many(trials, seed, draw), error);
}

/// Holds where all errors are rounding and `also` is so; gives their decades and `more`.
[[nodiscard]] inline Found rounding(const std::map<std::string, double>& errors, bool also = true,
                                    Values more = {}) {
  Found found{also, std::move(more)};
  found.values.emplace("trials", trials);
  for (const auto& [name, error] : errors) {
    found.holds = found.holds && error < close;
    found.values.emplace(name, decade(error));
  }
  return found;
}

/// Statement: an equation gives what the law `brach` gives; `error(drawn, form)` is by how much
/// not. Gives {error} and {below}.
template <class Drawn>
[[nodiscard]] Check agrees(std::uint64_t seed, Drawn (*draw)(FixedRandom&),
                           double (*error)(const Drawn&, Form), Form form = Form::corrected) {
  return [=] {
    const double off = worst(seed, draw, [&](const Drawn& x) { return error(x, form); });
    return rounding({{"below", off}}, true, {{"error", off}});
  };
}

/// Erratum: it does so corrected, and not as printed. Gives {printed} and {corrected}.
template <class Drawn>
[[nodiscard]] Check misprint(std::uint64_t seed, Drawn (*draw)(FixedRandom&),
                             double (*error)(const Drawn&, Form)) {
  return [=] {
    const auto off = [&](Form form) {
      return worst(seed, draw, [&](const Drawn& x) { return error(x, form); });
    };
    const double printed = off(Form::printed);
    return rounding({{"corrected", off(Form::corrected)}}, printed > 0.1, {{"printed", printed}});
  };
}

[[nodiscard]] Computations any_bodies();  ///< Sections 2 and 3

}  // namespace carom::papers::br
