// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/cone.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/stick.hpp>
#include <carom/core/tangent.hpp>

namespace carom::complementarity {
namespace {

/// Relative distance in xi below which two solutions are one. Where a solution lies on two branches
/// each computes it from a double root at worst, which is known to the root of epsilon, 1.5e-8, and
/// then polished; a tenth of that is still far above rounding.
constexpr double same = 1e-9;
/// Inequalities hold up to this, relative: each is a sum of four products, known to `rounding`.
constexpr double slack = 4. * rounding;
/// b counts as within the range of a singular G up to this, relative: more than `rounding`, since G
/// itself is singular only up to that.
constexpr double range = 64. * rounding;

// --- roots of a polynomial within [-1, 1] ------------------------------------------------------

/// Coefficients, constant first.
template <std::size_t degree>
using Polynomial = std::array<double, degree + 1>;

template <std::size_t n>
double value(const std::array<double, n>& p, double x) {
  double y = p[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) y = y * x + p[i];
  return y;
}

/// Zeros found, ascending.
template <std::size_t most>
struct Zeros {
  std::array<double, most> at{};
  std::size_t size = 0;

  void add(double x) {
    if (size < most) at[size++] = x;
  }
};

/// The root of p between a and b, where p has different signs: Newton's method, safeguarded by
/// bisection.
template <std::size_t n>
double zero_between(const std::array<double, n>& p, const std::array<double, n - 1>& slope,
                    double a, double b) {
  constexpr int most_steps = 80;  // bisection alone takes a length of 2 to 2^-79 by then
  const bool rises = value(p, a) < 0.;
  double x = 0.5 * (a + b);
  for (int i = 0; i < most_steps; ++i) {
    const double y = value(p, x);
    if (y == 0.) return x;
    ((y < 0.) == rises ? a : b) = x;
    double next = x - y / value(slope, x);
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    const double step = magnitude(next - x);
    x = next;
    if (step <= epsilon * (magnitude(x) + epsilon) || b - a <= 2. * epsilon * magnitude(x)) break;
  }
  return x;
}

/// All real roots in [-1, 1]. Between neighbouring roots of its derivative, found in the same way,
/// a polynomial has at most one root. A double root, to rounding, is a root of the derivative.
template <std::size_t degree>
Zeros<degree> zeros(const Polynomial<degree>& p) {
  Zeros<degree> found;
  if constexpr (degree == 1) {
    if (magnitude(p[0]) <= magnitude(p[1]) && p[1] != 0.) found.add(-p[0] / p[1]);
  } else {
    Polynomial<degree - 1> slope{};
    double parts = magnitude(p[0]);
    for (std::size_t i = 1; i <= degree; ++i) {
      slope[i - 1] = static_cast<double>(i) * p[i];
      parts += magnitude(p[i]);
    }
    if (!(parts > 0.)) return found;
    const auto turns = zeros<degree - 1>(slope);
    // Horner's rule is wrong by at most `degree` epsilon times the sum of |p_i| [Higham 2002, sec.
    // 5.1]; the coefficients themselves by as much again.
    constexpr double horner = 8. * epsilon;
    static_assert(degree <= 4);
    // -1, where the slope vanishes, and 1
    const auto sign_at = [&](double x) {
      const double y = value(p, x);
      if (magnitude(y) <= horner * parts) return 0;
      return y < 0. ? -1 : 1;
    };
    double a = -1.;
    int sign_a = sign_at(a);
    if (sign_a == 0) found.add(a);
    for (std::size_t i = 0; i <= turns.size; ++i) {
      const double b = i < turns.size ? turns.at[i] : 1.;
      const int sign_b = sign_at(b);
      if (sign_a * sign_b < 0) found.add(zero_between(p, slope, a, b));
      if (sign_b == 0) found.add(b);
      a = b;
      sign_a = sign_b;
    }
  }
  return found;
}

// --- slip ----------------------------------------------------------------------------------------

struct Matrix2 {
  double a11, a12, a21, a22;
};

Tangent operator*(const Matrix2& m, const Tangent& x) {
  return {.t1 = m.a11 * x.t1 + m.a12 * x.t2, .t2 = m.a21 * x.t1 + m.a22 * x.t2};
}

/// d rotated by 90 degrees, counter-clockwise.
Tangent left(const Tangent& d) { return {.t1 = -d.t2, .t2 = d.t1}; }

/// Newton's method on the angle, for d x (c - B d) = 0: takes away what rounding of the quartic has
/// left.
Tangent polished(Tangent d, const Tangent& c, const Matrix2& B) {
  constexpr int steps = 2;
  constexpr double largest_turn = 1e-3;  // a longer step is not one of polishing
  for (int i = 0; i < steps; ++i) {
    const Tangent y = c - B * d;
    const Tangent across = left(d);
    const double f = dot(across, y);
    const double slope = -dot(d, y) - dot(across, B * across);
    if (slope == 0.) break;
    const double turn = -f / slope;
    if (!(magnitude(turn) < largest_turn)) break;
    d = d + turn * across;
    d = (1. / size(d)) * d;
  }
  return d;
}

/// The problem, and the scales for its inequalities.
struct Contact {
  const Sym3& G;
  const Vec3& b;
  double mu;

  [[nodiscard]] double velocity_scale(const Vec3& P) const {
    const Tangent g = coupling(G);
    const double normal = (G.nn + size(g)) * magnitude(P.n);
    return std::max(magnitude(b.n) + size(tangential(b)),
                    normal + (size(g) + G.t11 + G.t22) * size(tangential(P)));
  }

  [[nodiscard]] bool is_new(const ConeSolutions& found, const ConeSolution& s) const {
    const double near = same * velocity_scale(s.P);
    return std::none_of(found.begin(), found.end(), [&](const ConeSolution& other) {
      const Vec3 d = s.xi - other.xi;
      return magnitude(d.n) + size(tangential(d)) <= near;
    });
  }

  void add(ConeSolutions& found, ConeCase branch, const Vec3& P, const Vec3& xi) const {
    const ConeSolution s{.branch = branch, .P = P, .xi = xi};
    if (found.size() < ConeSolutions::capacity && is_new(found, s)) found.add(s);
  }

  /// Adds slip along d with the given normal impulse, if the impulse is positive and friction
  /// opposes slip.
  void consider_slip(ConeSolutions& found, const Tangent& d, double normal, double allowed) const {
    if (!(normal > 0.) || !std::isfinite(normal)) return;
    const Vec3 P = joined(normal, (-mu * normal) * d);
    const Tangent slip = tangential(b) + normal * (coupling(G) - mu * tangential_product(G, d));
    if (!(dot(d, slip) >= -allowed * velocity_scale(P))) return;
    add(found, ConeCase::slip, P, joined(0., slip));
  }

  void slips(ConeSolutions& found, double allowed) const {
    const Tangent g = coupling(G);
    const Tangent b_T = tangential(b);
    const Tangent c = G.nn * b_T - b.n * g;
    const Matrix2 B{mu * (b_T.t1 * g.t1 - b.n * G.t11), mu * (b_T.t1 * g.t2 - b.n * G.t12),
                    mu * (b_T.t2 * g.t1 - b.n * G.t12), mu * (b_T.t2 * g.t2 - b.n * G.t22)};
    // d = (1 - t^2, 2 t)/(1 + t^2); with t = 1/u for |t| > 1.
    const double difference = B.a11 - B.a22;
    Polynomial<4> p{c.t2 - B.a21, 2. * (difference - c.t1), 4. * B.a12 + 2. * B.a21,
                    -2. * (difference + c.t1), -c.t2 - B.a21};
    for (const bool beyond : {false, true}) {
      const auto found_here = zeros<4>(p);
      for (std::size_t i = 0; i < found_here.size; ++i) {
        const double t = found_here.at[i];
        const double even = (1. - t * t) / (1. + t * t);
        const Tangent rough{.t1 = beyond ? -even : even, .t2 = 2. * t / (1. + t * t)};
        const Tangent d = polished(rough, c, B);
        const double coupled = mu * dot(g, d);
        const double k = G.nn - coupled;
        if (!(magnitude(k) > rounding * (G.nn + magnitude(coupled)))) continue;
        consider_slip(found, d, -b.n / k, allowed);
      }
      std::reverse(p.begin(), p.end());
    }
  }

  /// If b_n = 0: k(d) = 0, and the component of b_T + P_n (g - mu A d) perpendicular to d vanishes.
  void locked_slips(ConeSolutions& found) const {
    const Tangent g = coupling(G);
    const double size_g = size(g);
    if (!(mu * size_g > G.nn)) return;
    const double along = G.nn / (mu * size_g);
    const double across = std::sqrt((1. - along) * (1. + along));
    const Tangent unit = (1. / size_g) * g;
    for (const double side : {-1., 1.}) {
      const Tangent d = along * unit + (side * across) * left(unit);
      const double turned = cross(d, g - mu * tangential_product(G, d));
      if (turned == 0.) continue;
      consider_slip(found, d, -cross(d, tangential(b)) / turned, slack);
    }
  }

  /// The impulse that cancels b, if it lies within the cone.
  [[nodiscard]] std::optional<Vec3> stick(double allowed) const {
    const StickSlopes slopes(G);
    const Tangent b_T = tangential(b);
    if (!slopes.inverse.reaches(b_T, range)) return std::nullopt;
    const Tangent w = slopes.inverse * b_T;
    const double carried = dot(slopes.ratio, b_T);
    const auto impulse = [&](double normal) {
      return joined(normal, -1. * (w + normal * slopes.ratio));
    };
    const auto fits = [&](const Vec3& P) {
      return P.n > 0. && size(tangential(P)) <= mu * P.n + allowed * (1. + mu) * P.n;
    };
    if (!slopes.locks) {
      const Vec3 P = impulse(-(b.n - carried) / slopes.normal);
      return fits(P) ? std::optional(P) : std::nullopt;
    }
    // G is singular: any impulse along its null vector (1, -r) may be added.
    if (!(magnitude(b.n - carried) <= range * (magnitude(b.n) + magnitude(carried)))) {
      return std::nullopt;
    }
    const double square = dot(slopes.ratio, slopes.ratio);
    if (square > 0.) {
      const Vec3 least = impulse(-dot(w, slopes.ratio) / square);
      if (fits(least)) return least;
    }
    if (is_zero(w)) return std::nullopt;
    if (const auto normal = slip_end(w, slopes.ratio, mu)) return impulse(*normal);
    return std::nullopt;
  }

  void enumerate(ConeSolutions& found, double allowed) const {
    if (b.n >= 0.) add(found, ConeCase::open, {}, b);
    if (const auto P = stick(allowed)) add(found, ConeCase::stick, *P, {});
    if (b.n == 0.) {
      locked_slips(found);
    } else {
      slips(found, allowed);
    }
  }
};

}  // namespace

ConeSolutions solve_cone_friction(const Sym3& G, const Vec3& b, double mu) {
  const Contact contact{.G = G, .b = b, .mu = mu};
  ConeSolutions found;
  contact.enumerate(found, slack);
  // At the boundary between stick and slip, rounding may reject both: retry with a larger
  // tolerance.
  if (found.empty()) contact.enumerate(found, same);
  return found;
}

DiscFriction solve_disc_friction(const Sym3& G, const Vec3& b, double mu, double normal) {
  const Tangent g = coupling(G);
  const Tangent u = tangential(b) + normal * g;  // the slip without friction
  const double radius = mu * normal;
  const StickSlopes slopes(G);
  if (slopes.inverse.reaches(u, range)) {
    const Tangent x = slopes.inverse * u;
    if (size(x) <= radius || is_zero(u)) {
      const double v_n = b.n - dot(slopes.ratio, tangential(b)) + slopes.normal * normal;
      return {.P = joined(normal, -1. * x), .xi = joined(v_n, {}), .sticks = true};
    }
  }
  if (!(radius > 0.)) {
    return {.P = joined(normal, {}), .xi = joined(b.n + G.nn * normal, u), .sticks = false};
  }
  // Solves (A + l) P_T = -u with |P_T| = radius, l > 0, in the principal axes of A. 1/|P_T| is an
  // increasing concave function of l, so that Newton's method from the left never overshoots. Each
  // axis gives a lower bound.
  const double mean = 0.5 * (G.t11 + G.t22);
  const double half = 0.5 * (G.t11 - G.t22);
  const double spread = std::sqrt(half * half + G.t12 * G.t12);
  Tangent axis{.t1 = 1., .t2 = 0.};  // of the larger eigenvalue
  if (spread > 0.) {
    axis = half > 0. ? Tangent{.t1 = half + spread, .t2 = G.t12}
                     : Tangent{.t1 = G.t12, .t2 = spread - half};
    axis = (1. / size(axis)) * axis;
  }
  const double large = mean + spread;
  const double small = std::max(0., mean - spread);
  const double u1 = dot(axis, u);
  const double u2 = cross(axis, u);
  double l = std::max({0., magnitude(u1) / radius - large, magnitude(u2) / radius - small});
  Tangent y;
  constexpr int most_steps = 60;  // a bound only: it ends where a step is below rounding
  for (int i = 0; i < most_steps; ++i) {
    y = {.t1 = u1 / (large + l), .t2 = large + l > 0. && small + l > 0. ? u2 / (small + l) : 0.};
    const double square = dot(y, y);
    const double length = std::sqrt(square);
    double steepness = y.t1 * y.t1 / (large + l);
    if (small + l > 0.) steepness += y.t2 * y.t2 / (small + l);
    const double step = (length - radius) / radius * (square / steepness);
    if (!(step > epsilon * (large + l))) break;
    l += step;
  }
  const Tangent x = y.t1 * axis + y.t2 * left(axis);
  const Tangent P_T = (-radius / size(x)) * x;
  return {.P = joined(normal, P_T),
          .xi = joined(b.n + G.nn * normal + dot(g, P_T), u + tangential_product(G, P_T)),
          .sticks = false};
}

}  // namespace carom::complementarity
