// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/local.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/complementarity/friction/planar.hpp>
#include <carom/core/scalar.hpp>
#include <carom/core/tangent.hpp>

namespace carom::complementarity {
namespace {

constexpr double well_conditioned = LocalFriction::well_conditioned;

double work(const Vec3& P, const Vec3& v, const Vec3& xi) { return 0.5 * dot(P, v + xi); }

/// Slip by Newton's method on its direction, from an initial guess; see cone.hpp.
std::optional<Vec3> slip_near(const Sym3& G, const Vec3& b, double mu, Tangent d) {
  const Tangent g = coupling(G);
  const Tangent b_T = tangential(b);
  const Tangent c = G.nn * b_T - b.n * g;
  const double along = mu * -b.n;
  constexpr int most_steps = 12;        // six square the largest turn down to 1e-8; as many again
  constexpr double largest_turn = 0.7;  // 40 degrees: a longer step is not trusted
  // Newton's method squares the error of an angle: the step that follows is below rounding.
  constexpr double converged = 1e-8;
  for (int i = 0; i < most_steps; ++i) {
    // y = c - B d with B = mu (b_T g^T - b_n A)
    const Tangent y = c - (mu * dot(g, d)) * b_T - along * tangential_product(G, d);
    const Tangent across = quarter_turn(d);
    const Tangent B_across = (mu * dot(g, across)) * b_T + along * tangential_product(G, across);
    const double slope = -dot(d, y) - dot(across, B_across);
    if (!(slope < 0.)) return std::nullopt;
    const double turn = std::clamp(-dot(across, y) / slope, -largest_turn, largest_turn);
    d = d + turn * across;
    d = (1. / size(d)) * d;
    if (magnitude(turn) > converged) continue;
    const double k = G.nn - mu * dot(g, d);
    if (!(k > well_conditioned * G.nn)) return std::nullopt;
    const double normal = -b.n / k;
    const Tangent slip = b_T + normal * (g - mu * tangential_product(G, d));
    if (!(dot(d, slip) >= 0.)) return std::nullopt;
    return joined(normal, (-mu * normal) * d);
  }
  return std::nullopt;
}

/// Of all solutions with a normal impulse above `least`: stick, or otherwise the one with the least
/// energy.
const ConeSolution* chosen(const ConeSolutions& all, const Vec3& v, double least) {
  const ConeSolution* best = nullptr;
  for (const ConeSolution& s : all) {
    if (s.branch == ConeCase::open || !(s.P.n > least)) continue;
    if (s.branch == ConeCase::stick) return &s;
    if (best == nullptr || work(s.P, v, s.xi) < work(best->P, v, best->xi)) best = &s;
  }
  return best;
}

void put(const Vec3& from, double* P) {
  P[0] = from.n;
  P[1] = from.t1;
  P[2] = from.t2;
}

/// Friction for a given P_n.
FrictionMode held(const LocalFriction& contact, const Vec3& v, double mu, double normal, double* P,
                  double* xi_n) {
  const DiscFriction f = solve_disc_friction(contact.G, v, mu, normal);
  put(f.P, P);
  *xi_n = f.xi.n;
  return f.sticks ? FrictionMode::stick : FrictionMode::slip;
}

/// If there is no solution: the impulse that would stop the approach without friction.
FrictionMode pushed(const LocalFriction& contact, const Vec3& v, double mu, double floor,
                    double* P) {
  const double nn = contact.G.nn;
  const double normal = nn > 0. ? std::max(floor, -v.n / nn) : floor;
  double xi_n = 0.;
  return held(contact, v, mu, normal, P, &xi_n);
}

}  // namespace

LocalFriction::LocalFriction(const double* g, std::size_t components, double mu) {
  if (components == 1) {
    G = {.nn = g[0]};
  } else if (components == 2) {
    G = {.nn = g[0], .n1 = g[1], .t11 = g[3]};
    const double det = g[0] * g[3] - g[1] * g[1];
    rank_one = det <= rounding * g[0] * g[3];
    regular = det > well_conditioned * g[0] * g[3];
    if (!regular) return;
    const auto per_velocity = [&](double tied) {
      const double stiff = g[0] + tied * g[1];
      return stiff > well_conditioned * g[0] ? 1. / stiff : 0.;
    };
    backward = per_velocity(mu);
    forward = per_velocity(-mu);
    const double f = 1. / det;
    inverse = {{{f * g[3], -f * g[1], 0.}, {-f * g[1], f * g[0], 0.}, {0., 0., 0.}}};
  } else {
    G = {.nn = g[0], .n1 = g[1], .n2 = g[2], .t11 = g[4], .t12 = g[5], .t22 = g[8]};
    const double c00 = g[4] * g[8] - g[5] * g[5];
    const double c01 = g[2] * g[5] - g[1] * g[8];
    const double c02 = g[1] * g[5] - g[2] * g[4];
    const double det = g[0] * c00 + g[1] * c01 + g[2] * c02;
    regular = det > well_conditioned * g[0] * g[4] * g[8];
    if (!regular) return;
    const double f = 1. / det;
    const double c11 = f * (g[0] * g[8] - g[2] * g[2]);
    const double c12 = f * (g[1] * g[2] - g[0] * g[5]);
    const double c22 = f * (g[0] * g[4] - g[1] * g[1]);
    inverse = {{{f * c00, f * c01, f * c02}, {f * c01, c11, c12}, {f * c02, c12, c22}}};
  }
}

FrictionMode solve_local_push(const LocalFriction& contact, std::size_t components, const double* v,
                              double mu, double floor, double* P) {
  P[0] = floor;
  if (components == 1) return floor > 0. ? FrictionMode::closed : FrictionMode::open;
  if (!(floor > 0.)) {
    std::fill(P + 1, P + components, 0.);
    return FrictionMode::open;
  }
  if (components == 3) {
    double xi_n = 0.;
    return held(contact, {.n = v[0], .t1 = v[1], .t2 = v[2]}, mu, floor, P, &xi_n);
  }
  const double slip = v[1] + contact.G.n1 * floor;
  const double bound = mu * floor;
  const double t = contact.G.t11 > 0. ? -slip / contact.G.t11 : 0.;
  const bool slips = contact.G.t11 > 0. ? magnitude(t) > bound : slip != 0.;
  P[1] = !slips ? t : slip > 0. ? -bound : bound;
  return slips ? FrictionMode::slip : FrictionMode::stick;
}

FrictionMode solve_local_slide(const LocalFriction& contact, std::size_t components,
                               const double* v, double mu, double floor,
                               const Prescription& prescribed, double* P) {
  const auto& [d1, d2] = prescribed.direction;
  const Sym3& G = contact.G;
  double A = G.nn - mu * (d1 * G.n1 + d2 * G.n2);
  if (!(A > rounding * G.nn)) A = G.nn;
  P[0] = prescribed.pushes ? floor : A > 0. ? std::max(floor, -v[0] / A) : floor;
  if (components > 1) P[1] = -mu * P[0] * d1;
  if (components > 2) P[2] = -mu * P[0] * d2;
  return P[0] > 0. ? FrictionMode::slip : FrictionMode::open;
}

template <>
FrictionMode solve_local<1>(const LocalFriction& contact, const double* v, double /*mu*/,
                            double floor, double* P) {
  const double nn = contact.G.nn;
  P[0] = nn > 0. ? std::max(floor, -v[0] / nn) : floor;
  return P[0] > 0. ? FrictionMode::closed : FrictionMode::open;
}

template <>
FrictionMode solve_local<2>(const LocalFriction& contact, const double* v, double mu, double floor,
                            double* P) {
  const Sym2 G{.nn = contact.G.nn, .nt = contact.G.n1, .tt = contact.G.t11};
  const Vec2 b{.n = v[0], .t = v[1]};
  const auto give = [&](double n, double t, bool slips) {
    P[0] = n;
    P[1] = t;
    return slips ? FrictionMode::slip : FrictionMode::stick;
  };
  const auto hold = [&](double normal, double* xi_n) {
    const double slip = b.t + G.nt * normal;
    const double bound = mu * normal;
    double t = G.tt > 0. ? -slip / G.tt : 0.;
    const bool slips = G.tt > 0. ? magnitude(t) > bound : slip != 0.;
    if (slips) t = slip > 0. ? -bound : bound;
    *xi_n = b.n + G.nn * normal + G.nt * t;
    return give(normal, t, slips);
  };
  if (floor > 0.) {
    double xi_n = 0.;
    const FrictionMode mode = hold(floor, &xi_n);
    if (xi_n >= 0.) return mode;
    if (b.n >= 0.) {
      for (const PlanarSolution& s : enumerate_planar_friction(G, b, mu)) {
        if (s.P.n > floor) return give(s.P.n, s.P.t, s.branch != PlanarCase::stick);
      }
      return mode;
    }
  } else if (b.n >= 0.) {
    P[0] = P[1] = 0.;
    return FrictionMode::open;
  }
  const bool in_range =
      contact.rank_one && magnitude(b.t * G.nn - b.n * G.nt) <=
                              rounding * (magnitude(b.t * G.nn) + magnitude(b.n * G.nt));
  const auto r = solve_planar_friction(G, b, mu, contact.rank_one, in_range);
  if (!r.unsolvable && r.P.n >= floor) return give(r.P.n, r.P.t, r.backward || r.forward);
  double xi_n = 0.;
  return hold(G.nn > 0. ? std::max(floor, -b.n / G.nn) : floor, &xi_n);
}

template <>
FrictionMode solve_local<3>(const LocalFriction& contact, const double* v, double mu, double floor,
                            double* P) {
  const Vec3 b{.n = v[0], .t1 = v[1], .t2 = v[2]};
  if (floor > 0.) {
    double xi_n = 0.;
    const FrictionMode mode = held(contact, b, mu, floor, P, &xi_n);
    if (xi_n >= 0.) return mode;
  } else if (b.n >= 0.) {
    put({}, P);
    return FrictionMode::open;
  }
  if (contact.regular && b.n < 0.) {
    const Vec3 stick = -1. * (contact.inverse * b);
    const double bound = mu * stick.n;
    const Tangent friction = tangential(stick);
    if (stick.n > floor && dot(friction, friction) <= bound * bound) {
      put(stick, P);
      return FrictionMode::stick;
    }
    Tangent d{.t1 = -P[1], .t2 = -P[2]};
    if (is_zero(d)) d = -1. * friction;
    const double length = size(d);
    if (length > 0. && mu > 0.) {
      const auto slip = slip_near(contact.G, b, mu, (1. / length) * d);
      if (slip && slip->n > floor) {
        put(*slip, P);
        return FrictionMode::slip;
      }
    }
  }
  const ConeSolutions all = solve_cone_friction(contact.G, b, mu);
  if (const ConeSolution* s = chosen(all, b, floor)) {
    put(s->P, P);
    return s->branch == ConeCase::stick ? FrictionMode::stick : FrictionMode::slip;
  }
  return pushed(contact, b, mu, floor, P);
}

}  // namespace carom::complementarity
