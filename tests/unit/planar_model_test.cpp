// SPDX-License-Identifier: Apache-2.0
// The planar model on random pairs of all shapes: motions of contacts against finite differences,
// and that the search for contacts misses none and makes none up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <carom/mechanics/planar_model.hpp>
#include <support/random_plane_shapes.hpp>

namespace carom {
namespace {

using shapes::plane::FeaturePair;
using shapes::plane::Placed;
using shapes::plane::Point;
using test::Draw;
using test::Kind;

constexpr double pi = std::numbers::pi;
constexpr double unbounded = std::numeric_limits<double>::infinity();

PrescribedPath random_path(Draw& draw) {
  PrescribedPath path;
  const auto vector = [&] {
    const Point p = draw.point(1.);
    return World3{p.x, p.y, 0.};
  };
  path.velocity = vector();
  if (draw.below(2) == 0) {
    path.amplitude = vector();
    path.frequency = draw(0.1, 0.5);
    path.phase = draw(-pi, pi);
  }
  if (draw.below(2) == 0) {
    for (const double t : {-1.5, 0.25, 2.}) {
      path.times.push_back(t);
      path.positions.push_back(vector());
    }
  }
  return path;
}

/// A body, and another body or a piece of the ground: the pair (0, 1).
struct Two {
  PlanarScene scene{};
  State state{};
  BodyPair pair{0, 1};
};

Two random_pair(unsigned seed) {
  Draw draw(seed);
  Two two;
  const auto body = [&](const char* name) {
    const auto kind = static_cast<Kind>(draw.below(test::finite_kinds));
    two.scene.bodies.push_back(
        {.name = name, .mass = 1., .inertia = 1., .shape = random_shape(kind, draw)});
  };
  body("a");
  const bool on_ground = draw.below(2) == 0;
  const Point place = draw.point(1.);
  const double angle = draw(-pi, pi);
  two.state.time = draw(-1., 1.);
  Point other = place;
  if (on_ground) {
    const auto kind = static_cast<Kind>(draw.below(test::kinds));
    two.scene.ground.push_back({.name = "g",
                                .shape = random_shape(kind, draw),
                                .pose = {place, angle},
                                .motion = draw.below(3) == 0 ? PrescribedPath{} : random_path(draw),
                                .belt_speed = draw(-1., 1.)});
    PrescribedPath prepared = two.scene.ground[0].motion;
    prepare(prepared, "motion");
    const auto d = prepared.at(two.state.time).displacement;
    other = place + Point{d[0], d[1]};
  } else {
    body("b");
  }
  two.state.q.resize(on_ground ? 3 : 6);
  two.state.u.resize(on_ground ? 3 : 6);
  const Point from = draw.point(2.2);
  two.state.q(0) = other.x + from.x;
  two.state.q(1) = other.y + from.y;
  two.state.q(2) = draw(-pi, pi);
  // Sides parallel in a part of the scenes.
  if (draw.below(4) == 0) two.state.q(2) = angle + pi / 2. * static_cast<double>(draw.below(4));
  if (!on_ground) two.state.q.tail(3) << place.x, place.y, angle;
  for (auto& u : two.state.u) u = draw(-1., 1.);
  return two;
}

/// The state after dt at constant velocities.
State later(const State& s, double dt) { return {s.time + dt, s.q + dt * s.u, s.u}; }

/// The derivative by time from four neighbours, with an error of h^4/30 of the fifth derivative.
template <class F>
decltype(std::declval<F>()(0.)) rate(const F& f, double h) {
  return ((f(-2. * h) - f(2. * h)) + 8. * (f(h) - f(-h))) / (12. * h);
}

FeaturePair features_of(const ContactId& id) {
  return {static_cast<shapes::plane::Feature>(id.features >> 32U),
          static_cast<shapes::plane::Feature>(id.features)};
}

Placed placed(const Two& two, std::size_t i) {
  if (i < two.scene.bodies.size()) {
    const auto at = ix(3 * i);
    return {two.scene.bodies[i].shape,
            {{two.state.q(at), two.state.q(at + 1)}, two.state.q(at + 2)}};
  }
  const PlanarGround& g = two.scene.ground[0];
  PrescribedPath path = g.motion;
  prepare(path, "motion");
  const auto d = path.at(two.state.time).displacement;
  return {g.shape, {g.pose.position + Point{d[0], d[1]}, g.pose.angle}};
}

/// Radii of curvature of ellipses may be small against the steps of finite differences.
double sharpness(const PlanarScene& scene) {
  double most = 1.;
  const auto count = [&](const shapes::plane::Shape& s) {
    if (!s.is_ellipse()) return;
    const auto [a, b] = s.semi_axes;
    most = std::max({most, a / b, b / a});
  };
  for (const auto& b : scene.bodies) count(b.shape);
  for (const auto& g : scene.ground) count(g.shape);
  return most;
}

TEST(PlanarModel, MotionsOfContactsAreThoseOfTheirGaps) {
  std::size_t contacts = 0;
  for (unsigned seed = 0; seed < 10000; ++seed) {
    const Two two = random_pair(seed);
    const PlanarModel model(two.scene);
    std::vector<NearContact> near;
    model.near_contacts(two.pair, two.state, 2., near);
    const bool on_ground = two.scene.bodies.size() == 1;
    const double sharp = sharpness(two.scene);
    const double h = 1e-4 / (sharp * sharp);
    if (model.next_jump(two.state.time - 2. * h) <= two.state.time + 2. * h) continue;
    ContactMotion motion;
    ContactMotion moved;
    for (const NearContact& n : near) {
      // Inside each other, or close to a centre of curvature, normals turn fast.
      if (n.gap < 0.05) continue;
      SCOPED_TRACE(testing::Message() << "seed " << seed << " " << model.contact_name(n.id));
      model.contact(n.id, two.state, motion);
      EXPECT_NEAR(motion.gap, n.gap, 1e-13);
      EXPECT_NEAR(motion.gap, model.gap(n.id, two.state), 1e-13);
      ASSERT_EQ(motion.ranges[0], (VelocityRange{0, 3}));
      ASSERT_EQ(motion.ranges[1], on_ground ? VelocityRange{} : (VelocityRange{3, 3}));
      ASSERT_EQ(motion.W.rows(), on_ground ? 3 : 6);
      EXPECT_TRUE(motion.W.col(2).isZero(0.));

      // W by the arms of the contact.
      const auto g = contact_geometry(placed(two, 0), placed(two, 1), features_of(n.id));
      Eigen::Matrix<double, 6, 2> W;
      W.col(0) << g.normal.x, g.normal.y, cross(g.arm_first, g.normal), -g.normal.x, -g.normal.y,
          -cross(g.arm_second, g.normal);
      W.col(1) << g.tangent.x, g.tangent.y, cross(g.arm_first, g.tangent), -g.tangent.x,
          -g.tangent.y, -cross(g.arm_second, g.tangent);
      EXPECT_TRUE(motion.W.leftCols(2).isApprox(W.topRows(motion.W.rows()), 1e-12));

      // velocity = W^T u - that of the support
      Eigen::Vector3d velocity = motion.W.transpose() * two.state.u;
      if (on_ground) {
        const auto path = model.scene().ground[0].motion.at(two.state.time);
        const Point v{path.velocity[0], path.velocity[1]};
        velocity(0) -= dot(g.normal, v);
        velocity(1) -= dot(g.tangent, v) + two.scene.ground[0].belt_speed;
      }
      EXPECT_LE((velocity - motion.velocity).norm(), 1e-12);

      const double gap_rate =
          rate([&](double dt) { return model.gap(n.id, later(two.state, dt)); }, h);
      EXPECT_NEAR(motion.velocity(0), gap_rate, 1e-9 * sharp * sharp);
      const Eigen::Vector3d bias = rate(
          [&](double dt) {
            model.contact(n.id, later(two.state, dt), moved);
            return Eigen::Vector3d(moved.velocity);
          },
          h);
      EXPECT_LE((bias - motion.bias).norm(), 1e-8 * sharp * sharp * (1. + bias.norm()));
      ++contacts;
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(contacts, 10000U);
}

/// The least distance of two vertices without radius, which are no contact.
double between_sharp_vertices(const Two& two) {
  const Placed a = placed(two, 0);
  const Placed b = placed(two, 1);
  if (a.shape->radius + b.shape->radius > 0. || a.shape->is_ellipse() || b.shape->is_ellipse()) {
    return unbounded;
  }
  double least = unbounded;
  for (const Point& v : a.shape->vertices) {
    for (const Point& w : b.shape->vertices) {
      least = std::min(least,
                       length(a.position + turned(a.axis, v) - (b.position + turned(b.axis, w))));
    }
  }
  return least;
}

/// 0 to n - 1, and some that have failed.
std::vector<unsigned> seeds(unsigned n, std::initializer_list<unsigned> others) {
  std::vector<unsigned> all(others);
  for (unsigned k = 0; k < n; ++k) all.push_back(k);
  return all;
}

/// Puts a vertex of the first on one of the second, or nearly so, with sides parallel in a part of
/// the scenes.
void put_corner_on_corner(Two& two, Draw& draw) {
  const Placed a = placed(two, 0);
  const Placed b = placed(two, 1);
  if (b.shape->vertices.empty()) return;
  const Point v = turned(a.axis, a.shape->vertices[draw.below(a.shape->vertices.size())]);
  const Point w = turned(b.axis, b.shape->vertices[draw.below(b.shape->vertices.size())]);
  Point at = b.position + w - v;
  const auto offset = [&] { return draw.below(3) == 0 ? 0. : std::pow(10., draw(-13., -4.)); };
  const double x = offset();
  at = at + Point{draw.below(2) == 0 ? x : -x, offset()};
  two.state.q(0) = at.x;
  two.state.q(1) = at.y;
}

/// Boxes and polygons whose corners and sides may coincide.
Two corners_on_corners(unsigned seed) {
  Draw draw(seed);
  Two two;
  const auto body = [&](const char* name, const shapes::plane::Shape& shape) {
    two.scene.bodies.push_back({.name = name, .mass = 1., .inertia = 1., .shape = shape});
  };
  const auto any = [&] {
    const auto kind = draw.below(3) == 0 ? Kind::polygon : Kind::box;
    return random_shape(kind, draw);
  };
  const auto shape = any();
  body("a", shape);
  body("b", draw.below(2) == 0 ? shape : any());
  two.state = {.q = Vector::Zero(6), .u = Vector::Zero(6)};
  const auto quarters = [&] { return pi / 2. * static_cast<double>(draw.below(4)); };
  const double tilt = draw.below(2) == 0 ? 0. : draw(-pi, pi);
  two.state.q(5) = tilt;
  two.state.q(2) = draw.below(4) == 0 ? draw(-pi, pi) : tilt + quarters();
  put_corner_on_corner(two, draw);
  return two;
}

// Corners on corners, touching and almost: margins agree with what is listed as touching, and each
// point is listed once.
TEST(PlanarModel, CornersOnCornersTouchOnce) {
  std::size_t touching = 0;
  std::size_t shadowed = 0;
  for (const unsigned seed : seeds(40000, {141339, 444518})) {
    const Two two = corners_on_corners(seed);
    const PlanarModel model(two.scene);
    const Placed a = placed(two, 0);
    const Placed b = placed(two, 1);
    const auto [slack, coincidence] = tolerances(a, b);
    if (shapes::plane::distance(a, b) < -0.5 * slack) continue;
    std::vector<NearContact> all;
    std::vector<NearContact> near;
    model.near_contacts(two.pair, two.state, 0.1, all);
    model.near_contacts(two.pair, two.state, 0.1 * slack, near);
    std::set<ContactId> listed;
    for (const NearContact& n : near) {
      if (n.in_range) listed.insert(n.id);
    }
    touching += listed.size();
    EXPECT_LE(listed.size(), 2U) << seed;
    for (const NearContact& n : all) {
      const double margin = model.margin(n.id, two.state);
      if (n.gap > 0.1 * slack) continue;
      if (listed.contains(n.id)) {
        EXPECT_GT(margin, 0.) << seed << " " << model.contact_name(n.id);
        listed.erase(n.id);
      } else if (margin >= 0.) {
        // Just out of range.
        EXPECT_LE(margin, coincidence) << seed << " " << model.contact_name(n.id);
      } else if (n.gap > -0.1 * slack && margin == -slack) {
        ++shadowed;
      }
    }
    EXPECT_TRUE(listed.empty()) << seed;  // all of them
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(touching, 5000U);
  EXPECT_GT(shadowed, 500U);
}

// What is listed holds until the two have moved by the reach relative to each other: the least gap
// of contacts in range is the distance, by no list. What both move together does not matter.
TEST(PlanarModel, ListsHoldUntilTheReachIsUsedUp) {
  std::size_t tried = 0;
  std::size_t exact = 0;
  for (const unsigned seed : seeds(60000, {392344, 508052})) {
    Two two = seed % 2 == 0 ? random_pair(seed) : corners_on_corners(seed);
    Draw draw(seed + 1000000);
    if (shapes::plane::distance(placed(two, 0), placed(two, 1)) < 0.) continue;
    const PlanarModel model(two.scene);
    const double reach = draw(0.05, 0.6);
    std::vector<NearContact> near;
    std::vector<BodyPair> pairs;
    model.near_contacts(two.pair, two.state, reach, near);
    model.near_pairs(two.state, reach, pairs);
    const State before = two.state;
    for (int k = 0; k < 4; ++k) {
      State& now = two.state;
      now = before;
      const double size = std::pow(2., draw(-4., 0.));
      for (auto& q : now.q) q += 0.5 * reach * size * draw(-1., 1.);
      now.time += 0.1 * reach * size * draw(-1., 1.);
      if (two.scene.ground.empty()) {
        const double further = draw(-1., 1.);
        for (const int j : {0, 1, 3, 4}) now.q(j) += further;
      }
      const double moved = model.moved_apart(two.pair, before, now);
      EXPECT_LE(moved, 2. * model.moved(before, now) * (1. + 1e-12));
      const double apart = shapes::plane::distance(placed(two, 0), placed(two, 1));
      if (moved > reach || apart < 1e-5 || apart > reach - moved) continue;
      SCOPED_TRACE(testing::Message() << "seed " << seed << " try " << k);
      ++tried;
      EXPECT_EQ(pairs, std::vector<BodyPair>{two.pair});
      double least = unbounded;
      for (const NearContact& n : near) {
        if (model.margin(n.id, now) >= 0.) least = std::min(least, model.gap(n.id, now));
      }
      EXPECT_GE(least, apart - 1e-9);
      if (between_sharp_vertices(two) > apart + 1e-6) {
        ++exact;
        EXPECT_NEAR(least, apart, 1e-9);
      }
      const double by_model = model.distance(two.pair, now);
      if (by_model != unbounded) {
        EXPECT_EQ(by_model, apart);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(tried, 15000U);
  EXPECT_GT(exact, 10000U);
}

// A contact that is listed in range has a margin above zero, and none below zero is listed so.
TEST(PlanarModel, MarginsAgreeWithTheRangeOfWhatIsListed) {
  std::size_t inside = 0;
  std::size_t outside = 0;
  for (unsigned seed = 0; seed < 40000; ++seed) {
    const Two two = random_pair(seed);
    const PlanarModel model(two.scene);
    if (shapes::plane::distance(placed(two, 0), placed(two, 1)) < 0.) continue;
    std::vector<NearContact> near;
    model.near_contacts(two.pair, two.state, 0.5, near);
    for (const NearContact& n : near) {
      const double margin = model.margin(n.id, two.state);
      EXPECT_EQ(n.in_range, margin >= 0.)
          << "seed " << seed << " " << model.contact_name(n.id) << " " << margin;
      ++(n.in_range ? inside : outside);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(inside, 1000U);
  EXPECT_GT(outside, 1000U);
}

// A box slides off a table: its corners hand over to the table's, without a moment between in which
// nothing touches.
TEST(PlanarModel, ABoxThatSlidesOffATableIsAlwaysHeldByTwoPoints) {
  PlanarScene scene;
  scene.bodies.push_back(
      {.name = "box", .mass = 1., .inertia = 1., .shape = shapes::plane::box(1., 0.5)});
  scene.ground.push_back({.name = "table", .shape = shapes::plane::box(2., 0.2)});
  const PlanarModel model(scene);
  State s{.q = Vector::Zero(3), .u = Vector::Zero(3)};
  s.q(1) = 0.35;
  std::vector<NearContact> near;
  const auto touching = [&](double x) {
    s.q(0) = x;
    model.near_contacts({0, 1}, s, 1e-12, near);
    std::set<ContactId> ids;
    for (const NearContact& n : near) {
      if (n.in_range) ids.insert(n.id);
    }
    EXPECT_EQ(ids.size(), 2U) << x;
    return ids;
  };
  std::set<ContactId> held = touching(0.);
  std::set<std::string> names;
  std::size_t handed_over = 0;
  constexpr double step = 1e-11;  // of the order of coincidence, 2e-11
  for (double x = 0.5 - 20. * step; x < 0.5 + 20. * step; x += step) {
    const auto now = touching(x);
    for (const ContactId& id : held) {
      names.insert(model.contact_name(id));
      // What the margin keeps may be listed or not; what it gives up is not.
      if (model.margin(id, s) < 0.) {
        EXPECT_FALSE(now.contains(id));
      }
      if (model.margin(id, s) < 0.) ++handed_over;
    }
    std::erase_if(held, [&](const ContactId& id) { return model.margin(id, s) < 0.; });
    if (held.size() < 2) held = now;
  }
  EXPECT_EQ(handed_over, 1U);
  for (const ContactId& id : held) names.insert(model.contact_name(id));
  EXPECT_EQ(names,
            (std::set<std::string>{"box-table corner 1 on side 3", "box-table corner 2 on side 3",
                                   "box-table side 1 under corner 3"}));
}

TEST(PlanarModel, TheFarSideOfAPlateDoesNotFaceABodyOnIt) {
  PlanarScene scene;
  scene.bodies.push_back(
      {.name = "box", .mass = 1., .inertia = 1., .shape = shapes::plane::box(1., 0.5)});
  scene.ground.push_back({.name = "plate", .shape = shapes::plane::box(4., 0.01)});
  const PlanarModel model(scene);
  State s{.q = Vector::Zero(3), .u = Vector::Zero(3)};
  for (const double above : {-1e-9, 0., 1e-9, 1e-3, 0.1}) {
    s.q(1) = 0.255 + above;
    const ContactId top{.pair = {0, 1}, .features = std::uint64_t{2} << 32U | 5U};
    const ContactId bottom{.pair = {0, 1}, .features = std::uint64_t{2} << 32U | 1U};
    EXPECT_NEAR(model.gap(top, s), above, 1e-15);
    EXPECT_LT(model.gap(bottom, s), 0.);
    EXPECT_GT(model.margin(top, s), 1.);
    EXPECT_LT(model.margin(bottom, s), 0.);
  }
}

TEST(PlanarModel, BeltsRunClockwise) {
  PlanarScene scene;
  for (const Kind kind : {Kind::half_plane, Kind::box, Kind::disc}) {
    scene.ground.clear();
    scene.bodies.clear();
    scene.bodies.push_back(
        {.name = "ball", .mass = 1., .inertia = 1., .shape = shapes::plane::disc(0.1)});
    scene.ground.push_back({.name = "belt",
                            .shape = kind == Kind::half_plane ? shapes::plane::half_plane()
                                     : kind == Kind::box      ? shapes::plane::box(4., 2.)
                                                              : shapes::plane::disc(1.),
                            .belt_speed = 2.});
    const PlanarModel model(scene);
    State s{.q = Vector::Zero(3), .u = Vector::Zero(3)};
    std::vector<NearContact> near;
    ContactMotion motion;
    // A ball at rest on top sees the surface run along +x, below along -x.
    for (const double side : {1., -1.}) {
      if (kind == Kind::half_plane && side < 0.) continue;
      s.q(1) = kind == Kind::half_plane ? 0.1 : side * 1.1;
      model.near_contacts({0, 1}, s, 1e-12, near);
      ASSERT_EQ(near.size(), 1U);
      model.contact(near[0].id, s, motion);
      EXPECT_NEAR(motion.W(0, 1), side, 1e-15);
      EXPECT_NEAR(motion.velocity(0), 0., 1e-15);
      EXPECT_NEAR(motion.velocity(1) * motion.W(0, 1), -2. * side, 1e-14);
      EXPECT_NEAR(motion.bias.norm(), 0., 1e-15);
    }
  }
}

TEST(PlanarModel, RelativeSpin) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Two two = random_pair(seed);
    const PlanarModel model(two.scene);
    ContactMotion motion;
    model.relative_spin({.pair = two.pair}, two.state, motion);
    const Eigen::Vector3d spin = motion.W.transpose() * two.state.u;
    const double other = two.scene.bodies.size() > 1 ? two.state.u(5) : 0.;
    EXPECT_EQ(spin(0), two.state.u(2) - other);
    EXPECT_EQ(motion.velocity, spin);
    EXPECT_EQ(motion.bias.norm(), 0.);
    EXPECT_EQ(motion.ranges[1].size, two.scene.bodies.size() > 1 ? 3U : 0U);
  }
}

}  // namespace
}  // namespace carom
