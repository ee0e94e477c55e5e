// SPDX-License-Identifier: Apache-2.0
// Bodies in space: reduction to contact space and back, shapes, frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/shapes/space/points.hpp>
#include <carom/mechanics/spatial_rod.hpp>
#include <support/spatial_bodies_cases.hpp>

namespace carom::test {
namespace {

namespace space = shapes::space;

double largest(const Vec3& v) { return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)}); }

void expect_near(const Vec3& a, const Vec3& b, double tolerance, const std::string& what) {
  EXPECT_LE(largest(a - b), tolerance) << what;
}

void expect_near(const World3& a, const World3& b, double tolerance, const std::string& what) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << what;
}

void expect_near(const Sym3& a, const Sym3& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a.nn, b.nn, tolerance) << what;
  EXPECT_NEAR(a.n1, b.n1, tolerance) << what;
  EXPECT_NEAR(a.n2, b.n2, tolerance) << what;
  EXPECT_NEAR(a.t11, b.t11, tolerance) << what;
  EXPECT_NEAR(a.t12, b.t12, tolerance) << what;
  EXPECT_NEAR(a.t22, b.t22, tolerance) << what;
}

SpatialProblem contact_of(const SystemAtImpact& at) { return spatial_problem(at.problem); }

/// The velocities of body i.
SpatialMotion motion_of(const std::vector<double>& u, std::size_t i) {
  const double* x = u.data() + 6 * i;
  return {.velocity = {x[0], x[1], x[2]}, .spin = {x[3], x[4], x[5]}};
}

/// An impulse and, where it has an effect that is known, a couple.
std::vector<double> pushes(const SpatialProblem& p, const Vec3& P, const Vec3& M) {
  if (!p.spin.known) return {P.n, P.t1, P.t2};
  return {P.n, P.t1, P.t2, M.n, M.t1, M.t2};
}

// Every case: G and approach of its bodies are those of its contact-space form, and the impulse and
// couple that it expects give the motions and the energy that it expects.
TEST(SpatialMechanics, ReferenceBodiesGiveTheirContactSpaceAndMotions) {
  int forms = 0;
  for (const auto& c : spatial_bodies_cases()) {
    const SystemAtImpact at = at_impact(c.bodies);
    const SpatialProblem s = contact_of(at);
    if (c.contact) {
      ++forms;
      const double scale = std::max(1., c.contact->G.nn + c.contact->G.t11 + c.contact->G.t22);
      expect_near(s.G, c.contact->G, 1e-12 * scale, c.id);
      expect_near(s.approach, c.contact->approach, 1e-12 * largest(c.contact->approach), c.id);
    }
    ASSERT_EQ(at.bodies.size(), c.after.size()) << c.id;
    const std::vector<double> after = at.velocity_after(pushes(s, c.impulse, c.couple));
    for (std::size_t i = 0; i < at.bodies.size(); ++i) {
      const SpatialMotion m = motion_of(after, i);
      expect_near(m.velocity, c.after[i].velocity, 1e-8, c.id);
      expect_near(m.spin, c.after[i].spin, 1e-8, c.id);
    }
    const double change = at.kinetic_energy(after) - at.kinetic_energy(at.u);
    EXPECT_NEAR(change, c.change, 1e-8 * std::max(1., std::abs(c.change))) << c.id;
    // The velocity at the contact, the couple's part included.
    if (s.spin.known || c.couple == Vec3{}) {
      expect_near(s.approach + s.G * c.impulse + s.spin.cross * c.couple, c.velocity,
                  1e-8 * std::max(1., largest(c.velocity)), c.id);
    }
  }
  EXPECT_EQ(forms, 47);
}

/// Random pairs of bodies, from needles to plates.
class RandomBodies {
 public:
  explicit RandomBodies(unsigned seed) : random_(seed) {}

  double number(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_() >> 11U) * 0x1p-53);
  }
  World3 vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  Mat3 turn() { return rotation(vector(1.), number(0., 6.), ""); }

  SpatialBody body() {
    SpatialBody b;
    b.mass = number(.2, 5.);
    b.inertia = inertia_of(space::Box{{number(.02, 2.), number(.02, 2.), number(.02, 2.)}}, b.mass);
    b.orientation = turn();
    b.contact_offset = vector(1.);
    b.velocity = vector(3.);
    b.spin = vector(4.);
    return b;
  }
  SpatialBodies pair() {
    SpatialBodies s;
    s.first = body();
    s.second = body();
    s.frame = frame_of(vector(1.), vector(1.));
    return s;
  }

 private:
  std::mt19937_64 random_;
};

World3 plus(const World3& a, const World3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
World3 times(double a, const World3& b) { return {a * b[0], a * b[1], a * b[2]}; }

World3 times(const Mat3& R, const World3& v) { return {dot(R[0], v), dot(R[1], v), dot(R[2], v)}; }

World3 transposed_times(const Mat3& R, const World3& v) {
  return plus(plus(times(v[0], R[0]), times(v[1], R[1])), times(v[2], R[2]));
}

/// I omega in the world, written out for itself.
World3 spin_momentum(const SpatialBody& b, const World3& spin) {
  return times(b.orientation, times(b.inertia, transposed_times(b.orientation, spin)));
}

// The pair's momentum and its angular momentum about the contact, whatever impulse and couple act.
TEST(SpatialMechanics, PairKeepsItsMomenta) {
  RandomBodies random(7);
  for (int n = 0; n < 500; ++n) {
    const SpatialBodies s = random.pair();
    const SystemAtImpact at = at_impact(s);
    const Vec3 P{random.number(-2., 2.), random.number(-2., 2.), random.number(-2., 2.)};
    const Vec3 M{random.number(-2., 2.), random.number(-2., 2.), random.number(-2., 2.)};
    const std::vector<double> u = at.velocity_after(pushes(contact_of(at), P, M));
    World3 before{}, after{}, turn_before{}, turn_after{};
    for (std::size_t i = 0; i < 2; ++i) {
      const SpatialBody& b = i == 0 ? s.first : *s.second;
      const World3 from_contact = times(-1., b.contact_offset);
      const auto add = [&](const SpatialMotion& m, World3& linear, World3& angular) {
        linear = plus(linear, times(b.mass, m.velocity));
        angular = plus(angular, plus(times(b.mass, cross(from_contact, m.velocity)),
                                     spin_momentum(b, m.spin)));
      };
      add(motion_of(at.u, i), before, turn_before);
      add(motion_of(u, i), after, turn_after);
    }
    expect_near(after, before, 1e-12, "momentum");
    expect_near(turn_after, turn_before, 1e-12, "angular momentum");
  }
}

// v+ = v + G P + cross M, Omega+ = Omega + cross^T P + G_s M, and the change of kinetic energy is
// 1/2 P.(v + v+) + 1/2 M.(Omega + Omega+).
TEST(SpatialMechanics, ContactSpaceTellsWhatTheBodiesDo) {
  RandomBodies random(11);
  for (int n = 0; n < 500; ++n) {
    const SpatialBodies s = random.pair();
    const SystemAtImpact at = at_impact(s);
    const SpatialProblem c = contact_of(at);
    const Vec3 P{random.number(-2., 2.), random.number(-2., 2.), random.number(-2., 2.)};
    const Vec3 M{random.number(-2., 2.), random.number(-2., 2.), random.number(-2., 2.)};
    const std::vector<double> after = at.velocity_after(pushes(c, P, M));
    const SpatialMotion a = motion_of(after, 0), b = motion_of(after, 1);
    const World3 at_contact =
        plus(plus(a.velocity, cross(a.spin, s.first.contact_offset)),
             times(-1., plus(b.velocity, cross(b.spin, s.second->contact_offset))));
    const Vec3 v = c.approach + c.G * P + c.spin.cross * M;
    const double speed = largest(v) + largest(c.approach);
    expect_near(in_frame(s.frame, at_contact), v, 1e-11 * speed, "velocity");
    Mat3 transposed{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) transposed[i][j] = c.spin.cross[j][i];
    }
    const Vec3 spin = c.spin.approach + transposed * P + c.spin.G * M;
    expect_near(in_frame(s.frame, plus(a.spin, times(-1., b.spin))), spin,
                1e-11 * (largest(spin) + 1.), "spin");
    const double total = at.kinetic_energy(after) + at.kinetic_energy(at.u);
    const double change = at.kinetic_energy(after) - at.kinetic_energy(at.u);
    EXPECT_NEAR(change, .5 * dot(P, c.approach + v) + .5 * dot(M, c.spin.approach + spin),
                1e-12 * total);
    EXPECT_NO_THROW(validate(SpatialProblem{.G = c.G, .approach = c.approach, .surface = {}}));
  }
}

// Exchange of the bodies turns the normal and one tangent round: G and approach are the same but
// for the signs that this gives.
TEST(SpatialMechanics, BodiesMayBeExchanged) {
  RandomBodies random(3);
  for (int n = 0; n < 100; ++n) {
    const SpatialBodies s = random.pair();
    SpatialBodies swapped{.first = *s.second, .second = s.first, .frame = s.frame};
    swapped.frame.normal = times(-1., s.frame.normal);
    swapped.frame.tangent2 = times(-1., s.frame.tangent2);
    const SpatialProblem a = contact_of(at_impact(s)), b = contact_of(at_impact(swapped));
    const Sym3 turned{b.G.nn, -b.G.n1, b.G.n2, b.G.t11, -b.G.t12, b.G.t22};
    expect_near(a.G, turned, 1e-12 * (a.G.nn + a.G.t11 + a.G.t22), "G");
    expect_near(a.approach, {b.approach.n, -b.approach.t1, b.approach.t2}, 1e-12 * 20., "v");
  }
}

// A body turned as a whole, with its frame, offset and motion, strikes in the same way; and so does
// one whose inertia is given in the world instead of by its orientation.
TEST(SpatialMechanics, WorldAxesDoNotMatter) {
  RandomBodies random(5);
  for (int n = 0; n < 100; ++n) {
    const SpatialBodies s = random.pair();
    const Mat3 R = random.turn();
    SpatialBodies turned = s;
    turned.second = s.second;
    for (SpatialBody* b : {&turned.first, &*turned.second}) {
      Mat3 columns{};
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          for (std::size_t k = 0; k < 3; ++k) columns[i][j] += R[i][k] * b->orientation[k][j];
        }
      }
      b->orientation = columns;
      b->contact_offset = times(R, b->contact_offset);
      b->velocity = times(R, b->velocity);
      b->spin = times(R, b->spin);
    }
    turned.frame = {.normal = times(R, s.frame.normal),
                    .tangent1 = times(R, s.frame.tangent1),
                    .tangent2 = times(R, s.frame.tangent2)};
    SpatialBodies world = s;
    world.second = s.second;
    for (SpatialBody* b : {&world.first, &*world.second}) {
      Mat3 I{};
      for (std::size_t j = 0; j < 3; ++j) {
        World3 e{};
        e[j] = 1.;
        const World3 column = spin_momentum(*b, e);
        for (std::size_t i = 0; i < 3; ++i) I[i][j] = column[i];
      }
      b->inertia = I;
      b->orientation = identity3;
    }
    const SpatialProblem a = contact_of(at_impact(s));
    for (const SpatialBodies& same : {turned, world}) {
      const SpatialProblem b = contact_of(at_impact(same));
      // Slender boxes: a moment of 1e-4 of the largest, so four digits are lost at most.
      expect_near(a.G, b.G, 1e-10 * (a.G.nn + a.G.t11 + a.G.t22), "G");
      expect_near(a.approach, b.approach, 1e-12 * 20., "v");
    }
  }
}

// A rod so thin that its axial inertia is lost in a matrix in world axes; by its orientation
// nothing is lost, and the limit is the thin rod (ERRATA, edge case 8).
TEST(SpatialMechanics, ThinRodsAreTheLimitOfRods) {
  SpatialRod rod{.half_length = 2.3, .angle1 = .4, .angle2 = -.3, .velocity = {.4, 1., .1}};
  const SpatialProblem thin = contact_of(at_impact(rod));
  EXPECT_FALSE(thin.spin.known);
  for (const double radius : {1e-4, 1e-6}) {
    rod.radius = radius;
    const SpatialProblem c = contact_of(at_impact(rod));
    EXPECT_TRUE(c.spin.known);
    expect_near(c.G, thin.G, 4. * radius * radius + 1e-13, "G");
    expect_near(c.approach, thin.approach, 1e-15, "v");
  }
}

// theta_2 = 0 is the rod of the plane.
TEST(SpatialMechanics, RodInThePlaneIsThePlanarRod) {
  for (const double theta : {-.6, 0., .3, .8}) {
    const SpatialRod rod{.half_length = 2.3,
                         .radius = .5,
                         .angle1 = theta,
                         .velocity = {.4, 1., 0.},
                         .spin = {0., 0., .7}};
    const auto planar = planar_problem(at_impact(Rod{.half_length = 2.3,
                                                     .inertia_factor = 1. / 3. + .25 / 4. / 5.29,
                                                     .angle = theta,
                                                     .velocity = {.4, 1.},
                                                     .spin = .7})
                                           .problem);
    const SpatialProblem c = contact_of(at_impact(rod));
    EXPECT_NEAR(c.G.nn, planar.G.nn, 1e-14);
    EXPECT_NEAR(c.G.n1, planar.G.nt, 1e-14);
    EXPECT_NEAR(c.G.t11, planar.G.tt, 1e-14);
    EXPECT_NEAR(c.G.n2, 0., 1e-15);
    EXPECT_NEAR(c.G.t12, 0., 1e-15);
    EXPECT_NEAR(c.approach.n, planar.approach.n, 1e-15);
    EXPECT_NEAR(c.approach.t1, planar.approach.t, 1e-15);
  }
}

// [Sun & Baruh, eq. 68]
TEST(SpatialMechanics, RodByItsMassCentre) {
  const double L = 2.3, a = 20. * degree, b = 15. * degree;
  const SpatialRod rod =
      rod_at({L * std::cos(b) * std::sin(a), -L * std::cos(b) * std::cos(a), -L * std::sin(b)});
  EXPECT_NEAR(rod.half_length, L, 1e-15);
  EXPECT_NEAR(rod.angle1, a, 1e-15);
  EXPECT_NEAR(rod.angle2, b, 1e-15);
}

// [Brach 1998, eq. 11]: a sphere has G = diag(1, 7/2, 7/2)/m, and slips at v_t - a w_t', v_t' + a
// w_t.
TEST(SpatialMechanics, SphereWithCrossSpin) {
  const SpatialProblem c = contact_of(at_impact(
      SpatialSphere{.mass = 1.3, .radius = .6, .velocity = {1., .5, -1.}, .spin = {2., 3., 4.}}));
  expect_near(c.G, {1. / 1.3, 0., 0., 3.5 / 1.3, 0., 3.5 / 1.3}, 1e-15, "G");
  expect_near(c.approach, {-1., 1. - .6 * 3., .5 + .6 * 2.}, 1e-15, "v");
  expect_near(c.spin.approach, {4., 2., 3.}, 1e-15, "spin");
  EXPECT_NEAR(c.spin.inertia.n, .4 * 1.3 * .36, 1e-15);
}

TEST(SpatialMechanics, PointMassIsABodyWithoutInertia) {
  SpatialBodies s;
  s.first = {.mass = 2., .inertia = {}, .velocity = {1., 2., -3.}};
  const SpatialProblem c = contact_of(at_impact(s));
  expect_near(c.G, {.5, 0., 0., .5, 0., .5}, 0., "G");
  EXPECT_FALSE(c.spin.known);
}

// Inertia of shapes, by the sum over many points.
TEST(SpatialShapes, HaveTheInertiaOfTheirPoints) {
  const auto check = [](const space::Solid& shape, const auto& inside, const World3& box) {
    constexpr int n = 160;
    double volume = 0.;
    World3 squares{};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          const World3 p{box[0] * ((i + .5) / n - .5), box[1] * ((j + .5) / n - .5),
                         box[2] * ((k + .5) / n - .5)};
          if (!inside(p)) continue;
          volume += 1.;
          for (std::size_t a = 0; a < 3; ++a) squares[a] += p[a] * p[a];
        }
      }
    }
    const Mat3 I = inertia_of(shape, 2.);
    for (std::size_t a = 0; a < 3; ++a) {
      const double sum = 2. * (squares[(a + 1) % 3] + squares[(a + 2) % 3]) / volume;
      EXPECT_NEAR(I[a][a], sum, 2e-3 * sum) << name(shape) << a;
    }
  };
  check(space::Sphere{.5}, [](const World3& p) { return length(p) <= .5; }, {1., 1., 1.});
  check(space::Box{{1., 2., 3.}}, [](const World3&) { return true; }, {1., 2., 3.});
  check(space::Cylinder{.radius = .5, .length = 2.},
        [](const World3& p) { return std::hypot(p[0], p[1]) <= .5; }, {1., 1., 2.});
  check(space::Capsule{.radius = .5, .length = 1.},
        [](const World3& p) {
          const double beyond = std::max(std::abs(p[2]) - .5, 0.);
          return std::hypot(p[0], p[1], beyond) <= .5;
        },
        {1., 1., 2.});
  check(space::Rod{2.}, [](const World3&) { return true; }, {0., 0., 2.});
  check(space::Disc{.5}, [](const World3& p) { return std::hypot(p[0], p[1]) <= .5; },
        {1., 1., 0.});
}

TEST(SpatialShapes, StrikeWithTheirLowestPoint) {
  const World3 down{0., 0., -1.};
  const Mat3 tilted = rotation({0., 1., 0.}, 30. * degree, "");  // the axis leans towards +x
  const double c = std::cos(30. * degree), s = .5;
  expect_near(furthest_point(space::Sphere{2.}, tilted, down), {0., 0., -2.}, 1e-15, "sphere");
  expect_near(furthest_point(space::Rod{2.}, tilted, down), {-s, 0., -c}, 1e-15, "rod");
  expect_near(furthest_point(space::Capsule{.radius = .5, .length = 2.}, tilted, down),
              {-s, 0., -c - .5}, 1e-15, "capsule");
  expect_near(furthest_point(space::Disc{2.}, tilted, down), {2. * c, 0., -2. * s}, 1e-15, "disc");
  expect_near(furthest_point(space::Cylinder{.radius = 2., .length = 2.}, tilted, down),
              {2. * c - s, 0., -2. * s - c}, 1e-15, "cylinder");
  // A cube on its corner: half the diagonal below the centre.
  const Mat3 corner = rotation({1., -1., 0.}, std::acos(1. / std::sqrt(3.)), "");
  expect_near(furthest_point(space::Box{{1., 1., 1.}}, corner, down), {0., 0., -std::sqrt(3.) / 2.},
              1e-15, "box");
}

// The point that strikes is in the shape, a step further is not.
TEST(SpatialShapes, HoldTheirOwnPoints) {
  RandomBodies random(13);
  const std::vector<space::Solid> shapes = {
      space::Sphere{.3},
      space::Box{{.1, .2, .5}},
      space::Cylinder{.radius = .2, .length = .5},
      space::Capsule{.radius = .2, .length = .5},
      space::Rod{.5},
      space::Disc{.2},
      space::Box{.size = {.1, .2, .5}, .rounding = .03},
      space::Cylinder{.radius = .2, .length = .5, .rounding = .05},
      space::Cone{.radius = .2, .height = .4},
      space::Polyhedron{.vertices = {{.3, 0., -.1}, {-.1, .2, -.1}, {-.1, -.3, -.1}, {.05, 0., .4}},
                        .rounding = .01}};
  for (int n = 0; n < 100; ++n) {
    const Mat3 R = random.turn();
    const World3 towards = unit(random.vector(1.), "");
    for (const space::Solid& shape : shapes) {
      const World3 p = furthest_point(shape, R, towards);
      EXPECT_TRUE(holds(shape, R, p)) << name(shape);
      EXPECT_TRUE(holds(shape, R, {})) << name(shape);
      EXPECT_FALSE(holds(shape, R, plus(p, times(.02, unit(p, ""))))) << name(shape);
    }
  }
}

// Masses, lengths and times in other units, powers of two so that inputs do not round.
TEST(SpatialMechanics, UnitsDoNotMatter) {
  RandomBodies random(17);
  const double m = 0x1p+30, l = 0x1p-31, v = 0x1p+17;
  for (int n = 0; n < 50; ++n) {
    SpatialBodies s = random.pair();
    const SpatialBody turned = s.first;  // with an inertia that is not diagonal
    for (std::size_t j = 0; j < 3; ++j) {
      World3 e{};
      e[j] = 1.;
      const World3 column = spin_momentum(turned, e);
      for (std::size_t i = 0; i < 3; ++i) s.first.inertia[i][j] = column[i];
    }
    s.first.inertia[1][0] = s.first.inertia[0][1];
    s.first.inertia[2][0] = s.first.inertia[0][2];
    s.first.inertia[2][1] = s.first.inertia[1][2];
    const auto scale = [&](SpatialBody b) {
      b.mass *= m;
      for (auto& row : b.inertia) row = times(m * l * l, row);
      b.contact_offset = times(l, b.contact_offset);
      b.velocity = times(v, b.velocity);
      b.spin = times(v / l, b.spin);
      return b;
    };
    const SpatialBodies scaled{
        .first = scale(s.first), .second = scale(*s.second), .frame = s.frame};
    const SpatialProblem a = contact_of(at_impact(s)), b = contact_of(at_impact(scaled));
    expect_near({m * b.G.nn, m * b.G.n1, m * b.G.n2, m * b.G.t11, m * b.G.t12, m * b.G.t22}, a.G,
                1e-13 * (a.G.nn + a.G.t11 + a.G.t22), "G");
    expect_near((1. / v) * b.approach, a.approach, 1e-15 * 20., "v");
  }
}

std::string refusal(const space::Solid& shape, const Mat3& orientation) {
  try {
    (void)furthest_point(shape, orientation, {0., 0., -1.});
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(SpatialShapes, EdgesAndFacesAreNoPoints) {
  const Mat3 lying = rotation({1., 0., 0.}, 90. * degree, "");
  const std::string needed = "contact_offset: is needed: ";
  const std::string end = " touches along this normal, not one point";
  EXPECT_EQ(refusal(space::Box{}, identity3), needed + "a face of the box" + end);
  EXPECT_EQ(refusal(space::Box{}, rotation({1., 0., 0.}, .3, "")),
            needed + "an edge of the box" + end);
  EXPECT_EQ(refusal(space::Cylinder{}, identity3), needed + "an end face of the cylinder" + end);
  EXPECT_EQ(refusal(space::Cylinder{}, lying), needed + "a line on the side of the cylinder" + end);
  EXPECT_EQ(refusal(space::Capsule{}, lying), needed + "a line on the side of the capsule" + end);
  EXPECT_EQ(refusal(space::Capsule{}, identity3), "");
  EXPECT_EQ(refusal(space::Rod{}, lying), needed + "the whole rod" + end);
  EXPECT_EQ(refusal(space::Disc{}, identity3), needed + "a face of the disc" + end);
  EXPECT_EQ(refusal(space::Disc{}, lying), "");
}

TEST(SpatialFrames, AreRightHandedAndChosenByAFixedRule) {
  EXPECT_EQ(frame_of({0., 0., 3.}), (ContactFrame{{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}}));
  EXPECT_EQ(frame_of({0., -1., 0.}), (ContactFrame{{0., -1., 0.}, {1., 0., 0.}, {0., 0., 1.}}));
  EXPECT_EQ(frame_of({-1., 0., 0.}), (ContactFrame{{-1., 0., 0.}, {0., 1., 0.}, {0., 0., -1.}}));
  EXPECT_EQ(frame_of({0., 0., 1.}, {0., 2., 5.}),
            (ContactFrame{{0., 0., 1.}, {0., 1., 0.}, {-1., 0., 0.}}));
  RandomBodies random(1);
  for (int n = 0; n < 200; ++n) {
    const ContactFrame f = frame_of(random.vector(1.));
    EXPECT_NO_THROW((void)checked(f));
    const World3 v = random.vector(1.);
    expect_near(in_world(f, in_frame(f, v)), v, 1e-15, "there and back");
  }
}

std::string refusal(const ContactFrame& frame) {
  try {
    (void)checked(frame, "frame.");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(SpatialFrames, OthersAreRefused) {
  EXPECT_EQ(refusal({{0., 0., 2.}, {1., 0., 0.}, {0., 1., 0.}}),
            "frame.normal: must have length 1, got 2");
  EXPECT_EQ(refusal({{0., 0., 1.}, {0., 0., 1.}, {0., 1., 0.}}),
            "frame.tangent1: must be perpendicular to the normal");
  EXPECT_EQ(refusal({{0., 0., 1.}, {1., 0., 0.}, {0., -1., 0.}}),
            "frame.tangent2: must be normal x tangent1 (a right-handed frame), got its opposite");
  EXPECT_EQ(refusal({{0., 0., 1.}, {1., 0., 0.}, {1., 0., 0.}}),
            "frame.tangent2: must be normal x tangent1");
  EXPECT_THROW((void)frame_of({0., 0., 0.}), InputError);
  EXPECT_THROW((void)frame_of({0., 0., 1.}, {0., 0., -2.}), InputError);
}

TEST(SpatialRotations, AgreeWithEachOther) {
  const double half = 20. * degree;
  const World3 axis = unit({1., 2., -2.}, "");
  const Mat3 a = rotation({2., 4., -4.}, 2. * half, "");
  const Mat3 b = rotation(std::array<double, 4>{std::cos(half), std::sin(half) * axis[0],
                                                std::sin(half) * axis[1], std::sin(half) * axis[2]},
                          "");
  for (std::size_t i = 0; i < 3; ++i) expect_near(a[i], b[i], 1e-15, "row");
  for (const World3& d : {World3{1., 2., 3.}, World3{0., 0., -2.}, World3{0., 0., 1.}}) {
    expect_near(times(rotation_to(d, ""), {0., 0., 1.}), unit(d, ""), 1e-15, "direction");
  }
}

std::string refusal(const SpatialBody& body) {
  SpatialBodies s;
  s.first = body;
  try {
    (void)at_impact(s);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(SpatialMechanics, BadBodiesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal({.mass = 0.}), "bodies[0].mass: must be a finite number > 0, got 0");
  EXPECT_EQ(refusal({.velocity = {0., nan, 0.}}),
            "bodies[0].velocity[1]: must be a finite number, got nan");
  EXPECT_EQ(refusal({.inertia = {{{1., .5, 0.}, {0., 1., 0.}, {0., 0., 1.}}}}),
            "bodies[0].inertia: must be symmetric, got 0.5 at [0][1] and 0 across");
  EXPECT_EQ(refusal({.inertia = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., -1.}}}}),
            "bodies[0].inertia: must be positive semidefinite, got a principal moment -1 kg m^2");
  EXPECT_EQ(refusal({.inertia = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 3.}}}}),
            "bodies[0].inertia: no body has a principal moment above the sum of the others, got 3 "
            "above 2 kg m^2");
  EXPECT_EQ(refusal({.inertia = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 0.}}},
                     .contact_offset = {.5, 0., 1.}}),
            "bodies[0].contact_offset: must lie on the axis about which the body has no inertia, "
            "got one 0.5 m away from it: an impulse there would give it an infinite spin");
  EXPECT_EQ(refusal({.inertia = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 0.}}},
                     .contact_offset = {0., 0., 1.}}),
            "");
  EXPECT_EQ(refusal({.orientation = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., -1.}}}}),
            "bodies[0].orientation: must be a rotation: right-handed axes of length 1");
}

}  // namespace
}  // namespace carom::test
