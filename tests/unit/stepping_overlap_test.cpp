// SPDX-License-Identifier: Apache-2.0
// Contacts of bodies that overlap between steps: there are enough of them to push the bodies apart.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/motion/separation.hpp>
#include <carom/motion/step_contacts.hpp>

#include "support/random_scenes.hpp"

namespace carom {
namespace {

using namespace motion;
using Eigen::Vector3d;
using test::Random;

/// Numbers from 10^low to 10^high, each power of ten as often as any other.
double power_of_ten(Random& random, double low, double high) {
  return std::pow(10., random(low, high));
}

/// The least gap of the contacts that a step finds, and all that is needed to remove overlap as a
/// step does.
class Pair {
 public:
  Pair(const Model& model, State state)
      : model_(model),
        state_(std::move(state)),
        list_(model),
        mechanics_(model, list_),
        contacts_(model) {
    model_.normalise(state_);
  }

  [[nodiscard]] double distance() const { return model_.distance(pair_, state_) / size(); }

  [[nodiscard]] double least_gap() {
    contacts_.find_at(state_, 0.);
    double least = 0.;
    for (const StepContact& c : contacts_.found) least = std::min(least, c.gap);
    return least / size();
  }

  /// Pushes the bodies apart along the normals of their contacts.
  void push_apart() {
    const double depth = -distance() * size();
    if (!mechanics_.at_step(state_)) return;
    contacts_.find_at(state_, around * depth);
    const Vector& by = separation_.find(contacts_, mechanics_, {}, left_over * depth);
    model_.displace(state_, by, 1.);
    model_.normalise(state_);
  }

  /// What was found, for a message.
  [[nodiscard]] std::string list(double reach) {
    contacts_.find_at(state_, reach * size());
    std::string all;
    for (const StepContact& c : contacts_.found) {
      all += model_.contact_name(c.id) + " " + std::to_string(c.gap / size()) + "\n";
    }
    return all;
  }

 private:
  static constexpr double around = 20.;
  static constexpr double left_over = 1e-3;

  [[nodiscard]] double size() const { return model_.describe(pair_).smallest_length; }

  const Model& model_;
  State state_;
  BodyPair pair_{.first = 0, .second = 1};
  ContactList list_;
  Mechanics mechanics_;
  StepContacts contacts_;
  Separation separation_;
};

/// A box, a polyhedron, a cylinder, a cone or a capsule of about the size 0.1.
shapes::space::Solid flat_or_round(Random& random) {
  using namespace shapes::space;
  const double kind = random(0., 7.);
  if (kind < 2.) return Box{.size = {random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2)}};
  if (kind < 3.) {
    return Box{.size = {random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2)},
               .rounding = random(0.002, 0.01)};
  }
  if (kind < 4.) return Cylinder{.radius = random(0.04, 0.08), .length = random(0.08, 0.16)};
  if (kind < 5.) return Cone{.radius = random(0.04, 0.08), .height = random(0.08, 0.16)};
  if (kind < 6.) return Capsule{.radius = random(0.02, 0.04), .length = random(0.05, 0.12)};
  Polyhedron p;
  const int count = 6 + static_cast<int>(random(0., 6.));
  for (int k = 0; k < count; ++k) {
    Vector3d x(random(-1., 1.), random(-1., 1.), random(-1., 1.));
    x *= random(0.05, 0.1) / x.norm();
    p.vertices.push_back({x(0), x(1), x(2)});
  }
  return p;
}

/// A direction in which a shape shows a face, an edge or a corner.
Vector3d facing(Random& random, const shapes::space::Shape& shape) {
  const auto& core = shape.core;
  const auto normal = [&](std::size_t f) {
    return Vector3d(core.faces[f].normal.x, core.faces[f].normal.y, core.faces[f].normal.z);
  };
  const double kind = random(0., 4.);
  const auto below = [&](std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(random(0., static_cast<double>(n))));
  };
  if (kind < 2. && !core.faces.empty()) return normal(below(core.faces.size()));
  if (kind < 3. && !core.faces.empty()) {
    const auto& edge = core.edges[below(core.edges.size())];
    const double part = random(0., 1.);
    return part * normal(edge.faces[0]) + (1. - part) * normal(edge.faces[1]);
  }
  return {random(-1., 1.), random(-1., 1.), random(-1., 1.)};
}

/// Two bodies in space that show faces, edges or corners to each other, almost, and overlap by up
/// to a hundredth of their size along the vertical.
test::RandomMotion two_solids(std::uint64_t seed, bool boxes) {
  Random random(seed);
  test::RandomMotion m;
  SpatialScene scene;
  for (std::size_t i = 0; i < 2; ++i) {
    SpatialMover b;
    b.name = i == 0 ? "a" : "b";
    b.solid = flat_or_round(random);
    if (boxes) {
      b.solid =
          shapes::space::Box{.size = {random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2)}};
    }
    b.mass = random(0.2, 1.);
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(scene);
  m.start = model->start();
  double top = 0.;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const auto shape = shapes::space::shape_of(scene.bodies[static_cast<std::size_t>(i)].solid);
    const double up = i == 0 ? 1. : -1.;
    const double tilt = random(0., 1.) < 0.2 ? 0. : power_of_ten(random, -8., -1.5);
    const double round = random(0., 6.);
    Eigen::Quaterniond turn =
        Eigen::Quaterniond::FromTwoVectors(facing(random, shape), up * Vector3d::UnitZ());
    turn = Eigen::AngleAxisd(tilt, Vector3d(std::cos(round), std::sin(round), 0.)) *
           Eigen::AngleAxisd(random(0., 6.), Vector3d::UnitZ()) * turn;
    double extent = -std::numeric_limits<double>::infinity();
    for (const auto& v : shape.core.vertices) {
      extent = std::max(extent, up * (turn * Vector3d(v.x, v.y, v.z)).z());
    }
    extent += shape.radius;
    top += extent;
    m.start.q.segment<7>(7 * i) << random(-0.04, 0.04), random(-0.04, 0.04), i == 0 ? 0. : top,
        turn.w(), turn.x(), turn.y(), turn.z();
  }
  const double size = model->describe({.first = 0, .second = 1}).smallest_length;
  m.start.q(9) -= power_of_ten(random, -7., -2.) * size;
  m.model = std::move(model);
  return m;
}

/// The same in the plane.
test::RandomMotion two_shapes(std::uint64_t seed) {
  Random random(seed + 100'000);
  test::RandomMotion m;
  PlanarScene scene;
  m.start.q.setZero(6);
  m.start.u.setZero(6);
  double top = 0.;
  for (Eigen::Index i = 0; i < 2; ++i) {
    PlanarBody b;
    b.name = i == 0 ? "a" : "b";
    b.mass = random(0.2, 1.);
    b.shape = test::any_shape(random);
    b.inertia = b.mass * shapes::plane::uniform(b.shape).squared_gyration;
    const double up = i == 0 ? 0.5 : -0.5;
    double angle = random(0., 6.);
    if (random(0., 3.) < 2. && !b.shape.edges.empty()) {
      const auto& edge = b.shape.edges[static_cast<std::size_t>(
          random(0., static_cast<double>(b.shape.edges.size())))];
      angle = up * std::numbers::pi - std::atan2(edge.normal.y, edge.normal.x);
      angle += random(0., 1.) < 0.2 ? 0. : power_of_ten(random, -8., -1.5);
    }
    m.start.q.segment<3>(3 * i) << random(-0.08, 0.08), 0., angle;
    double extent = b.shape.bounding_radius;
    if (!b.shape.is_ellipse()) {
      extent = 0.;
      for (const auto& v : b.shape.vertices) {
        const double y = std::sin(angle) * v.x + std::cos(angle) * v.y;
        extent = std::max(extent, 2. * up * y + b.shape.radius);
      }
    }
    top += extent;
    scene.bodies.push_back(std::move(b));
  }
  auto model = std::make_unique<PlanarModel>(std::move(scene));
  const double size = model->describe({.first = 0, .second = 1}).smallest_length;
  m.start.q(4) = top - power_of_ten(random, -7., -2.) * size;
  m.model = std::move(model);
  return m;
}

/// The deepest contact is as deep as the bodies overlap, and pushing them apart along all contacts
/// removes the overlap.
/// @return how many pairs overlapped
int expect_enough(const std::string& what, int count, const auto& make) {
  constexpr int most_rounds = 6;  // as in a step
  int judged = 0;
  int failed = 0;
  for (int seed = 0; seed < count && failed < 10; ++seed) {
    const test::RandomMotion m = make(static_cast<std::uint64_t>(seed));
    Pair pair(*m.model, m.start);
    const double depth = -pair.distance();
    if (!(depth > 1e-7 && depth < 0.01)) continue;
    ++judged;
    const double least = pair.least_gap();
    const std::string list = pair.list(20. * depth);
    EXPECT_NEAR(least, -depth, 1e-9) << what << ", seed " << seed << "\n" << list;
    int round = 0;
    for (; round < most_rounds && -pair.distance() > 1e-6; ++round) pair.push_apart();
    EXPECT_LE(-pair.distance(), 1e-6) << what << ", seed " << seed << ", depth " << depth << "\n"
                                      << list;
    failed += std::abs(least + depth) > 1e-9 || -pair.distance() > 1e-6;
  }
  return judged;
}

TEST(SteppingOverlap, ContactsOfBoxesInSpaceAreEnough) {
  EXPECT_GT(expect_enough("boxes", 4000, [](std::uint64_t k) { return two_solids(k, true); }), 500);
}

TEST(SteppingOverlap, ContactsOfSolidsAreEnough) {
  EXPECT_GT(expect_enough("solids", 4000, [](std::uint64_t k) { return two_solids(k, false); }),
            500);
}

TEST(SteppingOverlap, ContactsInThePlaneAreEnough) {
  EXPECT_GT(expect_enough("shapes", 4000, two_shapes), 500);
}

/// The gaps of all contacts of two bodies within a reach [m].
std::vector<double> gaps_within(const Model& model, const State& state, double reach) {
  std::vector<NearContact> near;
  model.overlapping_contacts({.first = 0, .second = 1}, state, reach, near);
  std::vector<double> gaps;
  for (const NearContact& c : near) gaps.push_back(c.gap);
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

// A box on a box, shifted so that neither face lies within the other, and tipped by an angle that a
// step changes: both ends of the common segment are contacts, whichever end is lower.
TEST(SteppingOverlap, FacesThatAlmostLieOnEachOtherTouchAtBothEnds) {
  constexpr double width = 0.2;
  constexpr double height = 0.1;
  PlanarScene scene;
  for (const char* name : {"below", "above"}) {
    scene.bodies.push_back(
        {.name = name, .mass = 1., .inertia = 1e-3, .shape = shapes::plane::box(width, height)});
  }
  const PlanarModel model(std::move(scene));
  State s;
  s.q.setZero(6);
  s.u.setZero(6);
  for (const double shift : {0.05, 0.15}) {
    const double common = width - shift;  // between the lower left corner of the upper box and the
                                          // right corner of the lower one
    for (const double tilt : {-1e-3, -1e-4, -1e-5, 0., 1e-5, 1e-4, 1e-3}) {
      for (const double lift : {-1e-5, 0., 1e-5}) {
        s.q << 0., 0., 0., shift, height + lift + 0.5 * width * tilt, tilt;
        const std::vector<double> gaps = gaps_within(model, s, 1e-3);
        ASSERT_EQ(gaps.size(), 2u) << shift << " " << tilt << " " << lift;
        // To the square of the tilt.
        EXPECT_NEAR(gaps[0], lift + std::min(0., common * tilt), 1e-6);
        EXPECT_NEAR(gaps[1], lift + std::max(0., common * tilt), 1e-6);
      }
    }
  }
}

// The same in space: four corners of the common rectangle, two of them crossing sides.
TEST(SteppingOverlap, FacesInSpaceThatAlmostLieOnEachOtherTouchAtAllCorners) {
  const shapes::space::Solid cube = shapes::space::Box{.size = {0.1, 0.1, 0.1}};
  SpatialScene scene;
  for (const char* name : {"below", "above"}) {
    SpatialMover b;
    b.name = name;
    b.solid = cube;
    scene.bodies.push_back(b);
  }
  const SpatialModel model(std::move(scene));
  State s = model.start();
  for (const double tilt : {0., 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
    for (const double round : {0., 1., 2., 3., 4., 5., 6.}) {  // direction of the tilt
      for (const double yaw : {0., 0.3}) {
        const Eigen::Quaterniond turn(
            Eigen::AngleAxisd(tilt, Vector3d(std::cos(round), std::sin(round), 0.)) *
            Eigen::AngleAxisd(yaw, Vector3d::UnitZ()));
        for (const double lift : {-1e-6, 0., 1e-6}) {
          s.q.segment<7>(7) << 0.03, 0.02, 0.1 + lift, turn.w(), turn.x(), turn.y(), turn.z();
          EXPECT_EQ(gaps_within(model, s, 1e-3).size(), 4u)
              << tilt << " " << round << " " << yaw << " " << lift;
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom
