// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>  // before rapidcheck/gtest.h

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include <support/spatial_pairs.hpp>

/// RapidCheck generators of impacts in space: two boxes of any shape, turned, offset and moving at
/// will, or one against a fixed surface. Everything comes from whole numbers, so that a failure
/// shrinks to something that can be read.
namespace carom::test {

/// The bodies behind a problem.
struct SpatialPair {
  std::vector<SpatialBody> bodies;
  Mat3 frame{};
  Surface surface{};
};

inline std::ostream& operator<<(std::ostream& out, const SpatialPair& pair) {
  return out << pair.bodies.size() << " bodies: " << contact_space(pair.bodies, pair.frame);
}

/// What a surface may ask for.
struct SpatialWhat {
  double friction_from = 0.;
  double friction_to = 2.;
  bool static_friction = false;
  bool tangential_restitution = false;
  bool couples = false;  ///< moment coefficients within [-1, 0]
};

/// Rows: the axes of a frame turned by a quaternion, of any length but zero.
inline Mat3 turned(double a, double b, double c, double d) {
  const double n = a * a + b * b + c * c + d * d;
  if (!(n > 0.)) return {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  const double s = 2. / n;
  return {{{1. - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)},
           {s * (b * c + a * d), 1. - s * (b * b + d * d), s * (c * d - a * b)},
           {s * (b * d - a * c), s * (c * d + a * b), 1. - s * (b * b + c * c)}}};
}

/// Numbers one after another.
class Draws {
 public:
  explicit Draws(const std::vector<int>& numbers) : numbers_(numbers) {}
  /// Within [-1, 1].
  double next() { return numbers_[at_++] / 1000.; }
  double within(double low, double high) { return low + (high - low) * std::abs(next()); }

 private:
  const std::vector<int>& numbers_;
  std::size_t at_ = 0;
};

inline SpatialBody body_of(Draws& d) {
  SpatialBody b;
  b.mass = std::pow(10., d.within(-1., 1.));
  const std::array<double, 3> half{d.within(.1, 1.), d.within(.1, 1.), d.within(.1, 1.)};
  const double q0 = d.next();
  const double q1 = d.next();
  const double q2 = d.next();
  const Mat3 R = turned(q0, q1, q2, d.next());
  for (std::size_t k = 0; k < 3; ++k) {  // of a box, about its own axis k
    const double x = half[(k + 1) % 3];
    const double y = half[(k + 2) % 3];
    const double I = b.mass * (x * x + y * y) / 3.;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) b.inertia[i][j] += I * R[k][i] * R[k][j];
    }
  }
  for (double& x : b.contact_offset) x = d.next();
  for (double& x : b.velocity) x = 2. * d.next();
  for (double& x : b.spin) x = 3. * d.next();
  return b;
}

inline constexpr std::size_t numbers_of_a_pair = 48;

inline SpatialPair pair_of(const std::vector<int>& numbers, const SpatialWhat& what) {
  Draws d(numbers);
  SpatialPair pair;
  pair.bodies.push_back(body_of(d));
  const SpatialBody other = body_of(d);
  if (d.next() > -.6) pair.bodies.push_back(other);
  const double q0 = d.next();
  const double q1 = d.next();
  const double q2 = d.next();
  pair.frame = turned(q0, q1, q2, d.next());
  Surface& s = pair.surface;
  s.restitution = d.within(0., 1.);
  s.friction = d.within(what.friction_from, what.friction_to);
  s.static_friction = s.friction * (what.static_friction ? d.within(1., 1.5) : 1.);
  if (what.tangential_restitution) s.tangential_restitution = d.within(0., 1.);
  if (what.couples) {
    for (double& e_m : s.moment) e_m = -std::abs(d.next());
  }
  // They approach: else everything moves the other way.
  if (contact_space(pair.bodies, pair.frame).approach.n > 0.) {
    for (SpatialBody& b : pair.bodies) {
      for (double& x : b.velocity) x = -x;
      for (double& x : b.spin) x = -x;
    }
  }
  return pair;
}

inline SpatialProblem problem_of(const SpatialPair& pair) {
  SpatialProblem p = contact_space(pair.bodies, pair.frame);
  p.surface = pair.surface;
  return p;
}

inline rc::Gen<SpatialPair> spatial_pairs(const SpatialWhat& what = {}) {
  const auto number = rc::gen::inRange(-1000, 1001);
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::container<std::vector<int>>(
                                                            numbers_of_a_pair, number)),
                      [what](const std::vector<int>& numbers) { return pair_of(numbers, what); });
}

/// @return approaching, but where shrinking has stopped everything
inline rc::Gen<SpatialProblem> pair_problems(const SpatialWhat& what = {}) {
  return rc::gen::suchThat(rc::gen::map(spatial_pairs(what), problem_of),
                           [](const SpatialProblem& p) { return p.approach.n < -1e-6; });
}

}  // namespace carom::test
