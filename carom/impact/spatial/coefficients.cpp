// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/spatial/coefficients.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/brach_system.hpp>

namespace carom {
namespace {

using Vector = BrachSystem::Vector;

double dot(const Vector& a, const Vector& b) {
  double sum = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// a + b, or zero if the sum is within rounding: a vanishing term must not create a distant bound.
double sum(double a, double b) {
  const double s = a + b;
  return std::abs(s) <= rounding * (std::abs(a) + std::abs(b)) ? 0. : s;
}

Vector product(const BrachSystem::Matrix& m, const Vector& x) {
  Vector y{};
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = dot(m[i], x);
  return y;
}

/// The coefficients in use. Coulomb's rule is replaced by the ratios that it gives.
BrachNumbers numbers_of(const SpatialProblem& p) {
  const auto& s = p.surface;
  if (s.tangential_rule != BrachRule::coulomb) {
    const bool by_ratio = s.tangential_rule == BrachRule::impulse_ratio;
    return with_moments(p, s.restitution, by_ratio, s.tangential);
  }
  const CriticalRatios critical = critical_ratios(p, s.restitution);
  auto d = critical.exist ? critical.ratio : critical.direction;
  const double size = std::sqrt(d[0] * d[0] + d[1] * d[1]);
  if (size > s.friction || !critical.exist) {
    const double cut = size > 0. ? s.friction / size : 0.;
    d = {cut * d[0], cut * d[1]};
  }
  return with_moments(p, s.restitution, true, d);
}

double& number(BrachNumbers& x, std::size_t row) {
  if (row == 0) return x.e_n;
  return row < 3 ? x.tangential[row - 1] : x.moment[row - 3];
}

/// c0 + c1 d + c2 d^2.
struct Quadratic {
  double c0 = 0.;
  double c1 = 0.;
  double c2 = 0.;

  [[nodiscard]] double operator()(double d) const { return c0 + d * (c1 + d * c2); }
};

/// Its real roots, without cancellation.
std::size_t roots(const Quadratic& q, std::array<double, 2>& found) {
  if (q.c2 == 0.) {
    if (q.c1 == 0.) return 0;
    found[0] = -q.c0 / q.c1;
    return 1;
  }
  const double square = q.c1 * q.c1 - 4. * q.c2 * q.c0;
  if (square < 0.) return 0;
  const double h = -0.5 * (q.c1 + std::copysign(std::sqrt(square), q.c1));
  if (h == 0.) {
    found[0] = 0.;
    return 1;
  }
  found = {h / q.c2, q.c0 / h};
  return 2;
}

/// Impulse and couple if the coefficient differs by d from `at`: z = (z0 + d z1)/(1 + d pole).
struct Line {
  double at = 0.;
  Vector z0{};
  Vector z1{};
  double pole = 0.;
};

/// By the Sherman-Morrison formula for a change of one row.
std::optional<Line> line_of(const SpatialProblem& p, BrachNumbers numbers, std::size_t row) {
  // If the coefficient itself makes the equations singular, another value is used.
  constexpr std::array<double, 4> offsets{0., -0.375, 0.5, -1.25};
  const double now = number(numbers, row);
  for (const double offset : offsets) {
    number(numbers, row) = now + offset;
    const BrachSystem system(p, numbers);
    const LinearSystem<6> equations(system.matrix());
    if (!equations.regular()) continue;
    const auto change = system.derivative(row);
    Vector unit{};
    unit[row] = 1.;
    const Vector u = equations.solve(unit);
    Line line{.at = now + offset, .z0 = equations.solve(system.right()), .z1 = {}, .pole = 0.};
    line.pole = dot(change.slope, u);
    const double push = change.shift - dot(change.slope, line.z0);
    for (std::size_t i = 0; i < 6; ++i) line.z1[i] = sum(line.z0[i] * line.pole, push * u[i]);
    return line;
  }
  return std::nullopt;
}

/// A number within (from, to), whose ends may be infinite.
double inside(double from, double to) {
  if (std::isinf(from)) return std::isinf(to) ? 0. : to - 1. - std::abs(to);
  return std::isinf(to) ? from + 1. + std::abs(from) : 0.5 * (from + to);
}

/// The parts of [low, high] between the given points in which `admits` holds, with neighbours
/// merged.
template <class Admits>
Intervals stretches(double low, double high, std::array<double, 5> points, std::size_t count,
                    const Admits& admits) {
  points[count++] = high;
  std::sort(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count));
  Intervals found;
  double from = low;
  double began = low;
  bool open = false;  // an admissible part ends at `from`
  for (std::size_t i = 0; i < count; ++i) {
    const double to = points[i];
    if (!(to > from) || to > high) continue;
    const bool admitted = admits(inside(from, to));
    if (admitted && !open) began = from;
    if (!admitted && open) found.add({.low = began, .high = from});
    open = admitted;
    from = to;
  }
  if (open) found.add({.low = began, .high = high});
  return found;
}

}  // namespace

SpatialBrachCoefficients brach_coefficients(const SpatialProblem& problem,
                                            const SpatialOutcome& o) {
  SpatialBrachCoefficients b;
  const Vec3& v = problem.approach;
  const double normal = o.impulse.n;
  if (!(normal > 0.)) return b;
  b.impulse_ratio = {o.impulse.t1 / normal, o.impulse.t2 / normal};
  b.moment_ratio = {o.couple.n / normal, o.couple.t1 / normal, o.couple.t2 / normal};
  if (v.t1 != 0.) b.e_t[0] = -o.velocity.t1 / v.t1;
  if (v.t2 != 0.) b.e_t[1] = -o.velocity.t2 / v.t2;
  if (!(v.n < 0.)) return b;
  b.e_n = -o.velocity.n / v.n;
  if (const auto c = critical_ratios(problem, *b.e_n); c.exist) b.critical_ratio = c.ratio;
  if (const auto c = critical_ratios(problem, 0.); c.exist) {
    b.critical_ratio_without_rebound = c.ratio;
  }
  return b;
}

Intervals admissible(const SpatialProblem& problem, BrachCoefficient coefficient) {
  if (!(problem.approach.n < 0.)) return {};
  const auto row = static_cast<std::size_t>(coefficient);
  const BrachNumbers numbers = numbers_of(problem);
  const auto line = line_of(problem, numbers, row);
  if (!line) return {};
  // Work z.q + z.Gamma.z/2 times D^2, with q the velocities before: not positive if T_L >= 0.
  const BrachSystem system(problem, numbers);
  const Vector made0 = product(system.mobility(), line->z0);
  const Vector made1 = product(system.mobility(), line->z1);
  const double worked0 = dot(line->z0, system.approach());
  const double worked1 = dot(line->z1, system.approach());
  const Quadratic gain{.c0 = worked0 + 0.5 * dot(line->z0, made0),
                       .c1 = worked1 + line->pole * worked0 + dot(line->z0, made1),
                       .c2 = sum(line->pole * worked1, 0.5 * dot(line->z1, made1))};

  std::array<double, 5> points{};
  std::size_t count = 0;
  std::array<double, 2> found{};
  const std::size_t n = roots(gain, found);
  for (std::size_t i = 0; i < n; ++i) points[count++] = line->at + found[i];
  if (line->pole != 0.) points[count++] = line->at - 1. / line->pole;
  if (line->z1[0] != 0.) points[count++] = line->at - line->z0[0] / line->z1[0];

  double low = -std::numeric_limits<double>::infinity();
  double high = -low;
  if (row == 0) low = 0.;
  if (row > 2 && !numbers.by_moment_ratio) {
    low = -1.;
    high = 1.;
  }
  return stretches(low, high, points, count, [&](double x) {
    const double d = x - line->at;
    const double denominator = 1. + d * line->pole;
    const double normal = line->z0[0] + d * line->z1[0];
    return gain(d) <= 0. && normal * denominator > 0.;
  });
}

}  // namespace carom
