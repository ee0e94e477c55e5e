// SPDX-License-Identifier: Apache-2.0
#include <carom/study/boundaries.hpp>

#include <array>
#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/impact/couple.hpp>

namespace carom::study {
namespace {

using Problem = const PlanarProblem&;

// --- the exact process: [Sun & Baruh 2022, eqs 28-30], as in impact/regimes.hpp -----------------

/// Slip along +t or -t, as the approach does: dv_n/dp, and how fast slip falls.
struct Slipping {
  double slope;
  double deceleration;

  explicit Slipping(Problem p) {
    const double s = sign(p.approach.t);
    const double mu = p.surface.friction;
    slope = p.G.nn - mu * s * p.G.nt;
    deceleration = mu * p.G.tt - s * p.G.nt;
  }
};

/// |v_t|/|v_n| = share R1: where slip stops just when v_n has come to (share - 1) |v_n|.
double stops_at(Problem p, double share) {
  const Slipping slip(p);
  return share * -p.approach.n * slip.deceleration - std::abs(p.approach.t) * slip.slope;
}

double first_ratio(Problem p) { return stops_at(p, 1.); }
double third_ratio(Problem p) { return stops_at(p, 1. + p.surface.restitution); }
double stick_ratio(Problem p) { return std::abs(p.G.nt) - p.surface.static_friction * p.G.tt; }
double slip_before(Problem p) { return p.approach.t; }
double critical(Problem p) { return p.G.nn - p.surface.friction * std::abs(p.G.nt); }

constexpr std::array<Boundary, 5> process{{
    {BoundaryKind::mode, "R₁", "slip stops at the end of compression", first_ratio},
    {BoundaryKind::mode, "R₃", "slip stops at the end of the impact", third_ratio},
    {BoundaryKind::mode, "R₂ = μₛ", "sticking needs just the static friction", stick_ratio},
    {BoundaryKind::mode, "vₜ⁻ = 0", "no slip before", slip_before},
    {BoundaryKind::reference, "μ = μ_c", "friction is critical: beyond it a contact can jam",
     critical},
}};

// --- the set-valued law: [Payr & Glocker 2005, eqs 34, 47, 48, 50] ------------------------------

/// xi_t in slip, times the slope of v_n: sigma = +1 backward (P_t = mu P_n), -1 forward. With b =
/// (1 + eps) v, xi_t = b_t - b_n (G_nt + sigma mu G_tt)/(G_nn + sigma mu G_nt).
double slip_limit(Problem p, double sigma, const Vec2& b) {
  const double mu = sigma * p.surface.friction;
  return b.t * (p.G.nn + mu * p.G.nt) - b.n * (p.G.nt + mu * p.G.tt);
}

Vec2 stretched(Problem p) {
  return {.n = (1. + p.surface.restitution) * p.approach.n,
          .t = (1. + p.surface.tangential_restitution) * p.approach.t};
}

double backward_limit(Problem p) { return slip_limit(p, 1., stretched(p)); }
double forward_limit(Problem p) { return slip_limit(p, -1., stretched(p)); }

/// v_t+ = xi_t - eps_T v_t-.
Vec2 without_tangential(Problem p) { return {.n = stretched(p).n, .t = p.approach.t}; }
double backward_stop(Problem p) { return slip_limit(p, 1., without_tangential(p)); }
double forward_stop(Problem p) { return slip_limit(p, -1., without_tangential(p)); }

constexpr std::array<Boundary, 6> set_valued{{
    {BoundaryKind::mode, "r_F", "limit of forward slip", forward_limit},
    {BoundaryKind::mode, "r_B", "limit of backward slip", backward_limit},
    {BoundaryKind::slip_sign, "vₜ⁺ = 0", "slip after changes its direction", forward_stop},
    {BoundaryKind::slip_sign, "vₜ⁺ = 0", "slip after changes its direction", backward_stop},
    {BoundaryKind::slip_sign, "vₜ⁻ = 0", "no slip before", slip_before},
    {BoundaryKind::reference, "μ = μ_c", "friction is critical: beyond it one slip is impossible",
     critical},
}};

// In two stages slip must last through compression (eps = 0), and through both.
double backward_compression(Problem p) { return slip_limit(p, 1., p.approach); }
double forward_compression(Problem p) { return slip_limit(p, -1., p.approach); }

constexpr std::array<Boundary, 6> two_stages{{
    {BoundaryKind::mode, "r_F", "limit of forward slip", forward_stop},
    {BoundaryKind::mode, "r_B", "limit of backward slip", backward_stop},
    {BoundaryKind::mode, "r_FC", "limit of forward slip in compression", forward_compression},
    {BoundaryKind::mode, "r_BC", "limit of backward slip in compression", backward_compression},
    {BoundaryKind::slip_sign, "vₜ⁻ = 0", "no slip before", slip_before},
    {BoundaryKind::reference, "μ = μ_c", "friction is critical: beyond it one slip is impossible",
     critical},
}};

// --- laws that stick where the impulse that ends slip lies within the cone ----------------------

/// |P_t| - limit P_n of the impulse P = -H^-1 b, times det H.
double outside_cone(const Sym2& H, const Vec2& b, double limit) {
  return std::abs(H.nt * b.n - H.nn * b.t) - limit * (H.nt * b.t - H.tt * b.n);
}

/// [Brach 1998]: |mu_0| = f.
double critical_ratio_limit(Problem p) {
  const double rr = p.spin.rr;
  const double c = rr > 0. ? (1. + p.surface.planar_moment_coefficient()) / rr : 0.;
  const auto [H, free] = eliminate_couple(p.G, p.approach, p.spin, c);
  const Vec2 b{.n = free.n + p.surface.restitution * p.approach.n, .t = free.t};
  return outside_cone(H, b, p.surface.friction);
}

constexpr std::array<Boundary, 1> generalized{
    {{BoundaryKind::mode, "|μ₀| = f", "ending slip needs just the friction",
      critical_ratio_limit}}};

double textbook_limit(Problem p) {
  return outside_cone(p.G, without_tangential(p), p.surface.static_friction);
}

constexpr std::array<Boundary, 1> textbook{
    {{BoundaryKind::mode, "|Pₜ| = μₛ Pₙ", "ending slip needs just the static friction",
      textbook_limit}}};

struct Choose {
  std::span<const Boundary> operator()(const Newton&) const { return process; }
  std::span<const Boundary> operator()(const Poisson&) const { return process; }
  std::span<const Boundary> operator()(const Energetic&) const { return process; }
  std::span<const Boundary> operator()(const Moreau& m) const {
    if (m.hypothesis == Hypothesis::poisson) return two_stages;
    return set_valued;
  }
  std::span<const Boundary> operator()(const Brach&) const { return generalized; }
  std::span<const Boundary> operator()(const Compliant&) const { return {}; }
  std::span<const Boundary> operator()(const Conventional&) const { return textbook; }
};

}  // namespace

std::span<const Boundary> boundaries(const PlanarLaw& law) { return std::visit(Choose{}, law); }

}  // namespace carom::study
