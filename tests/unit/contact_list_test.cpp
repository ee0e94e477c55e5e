// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/LU>

#include <carom/motion/mechanics.hpp>

#include "support/motion_models.hpp"
#include "support/motion_scenes.hpp"

// Contacts by number, their sparse directions against full matrices, and islands.
namespace carom {
namespace {

using namespace motion;
using test::Draw;

constexpr double rounding = 1e-12;  ///< relative
constexpr double anywhere = std::numeric_limits<double>::infinity();

/// Boxes, discs and bars in the plane over a moving floor and a wedge, all near each other.
PlanarScene planar_scene(Draw& draw) {
  using namespace shapes::plane;
  PlanarScene scene;
  for (int k = 0; k < 4; ++k) {
    const int kind = draw.below(3);
    const double size = draw.uniform(0.2, 1.);
    scene.bodies.push_back({.name = "b" + std::to_string(k),
                            .mass = draw.uniform(0.2, 2.),
                            .inertia = draw.uniform(0.1, 1.),
                            .shape = kind == 0   ? disc(size)
                                     : kind == 1 ? box(size, draw.uniform(0.2, 1.))
                                                 : bar(size)});
  }
  scene.ground = {test::line("floor", {0., -2.}, draw.uniform(-0.5, 0.5)),
                  {.name = "wedge",
                   .shape = polygon(std::array<Point, 3>{Point{-1., -1.}, {1., -1.}, {0., 0.}})}};
  scene.ground[0].motion.amplitude = {0.3, 0.2, 0.};
  scene.ground[0].motion.frequency = 0.4;
  return scene;
}

SpatialScene spatial_scene(Draw& draw) {
  using namespace shapes::space;
  SpatialScene scene;
  const auto size = [&] { return draw.uniform(0.2, 1.); };
  for (int k = 0; k < 4; ++k) {
    SpatialMover b;
    b.name = "b" + std::to_string(k);
    b.mass = draw.uniform(0.2, 2.);
    const int kind = draw.below(3);
    if (kind == 0) b.solid = Sphere{size()};
    if (kind == 1) b.solid = Box{.size = {size(), size(), size()}};
    if (kind == 2) b.solid = Capsule{.radius = size(), .length = size()};
    b.position = draw.vector(1.5);
    b.orientation = rotation(draw.vector(1.), draw.uniform(-3., 3.), "axis");
    b.velocity = draw.vector(1.);
    b.spin = draw.vector(1.);
    scene.bodies.push_back(b);
  }
  scene.ground = {test::plane("floor", draw.vector(1.), draw.vector(1.)),
                  {.name = "block", .solid = Box{}}};
  scene.ground[0].motion.velocity = draw.vector(1.);
  return scene;
}

/// Contacts of all pairs, at most so many of each.
ContactList all_contacts(const Model& model, const State& state, std::size_t most) {
  ContactList contacts(model);
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  model.near_pairs(state, anywhere, pairs);
  for (const BodyPair& pair : pairs) {
    model.near_contacts(pair, state, 1., near);
    for (std::size_t k = 0; k < std::min(most, near.size()); ++k) {
      (void)contacts.number_of(near[k].id);
    }
  }
  return contacts;
}

/// @return how many contacts were looked at that the model does not know from the start
std::size_t expect_full_algebra(const Model& model, const State& state, Draw& draw) {
  const ContactList contacts = all_contacts(model, state, 3);
  Mechanics mechanics(model, contacts);
  EXPECT_TRUE(mechanics.at(state));
  const std::size_t c = model.components();
  const Matrix M = test::mass_matrix(model, state);
  const Matrix mobility = M.inverse();
  std::vector<Matrix> W;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    W.push_back(dense(mechanics.load(i, state), model.velocities()).leftCols(ix(c)));
    numbers.push_back(i);
  }
  const Vector& h = mechanics.force();
  const double scale = 1. + mobility.norm();
  EXPECT_LE((mechanics.free() - mobility * h).norm(), rounding * scale * h.norm());
  EXPECT_NEAR(mechanics.kinetic(state.u), 0.5 * state.u.dot(M * state.u),
              rounding * M.norm() * state.u.squaredNorm());
  Vector x(state.u.size());
  for (double& v : x) v = draw.uniform(-1., 1.);
  Matrix G;
  Vector b;
  mechanics.contact_space(numbers, G, b);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double length = 1. + W[i].norm();
    const Vector along = W[i].transpose() * x;
    const Vector rate = W[i].transpose() * mechanics.free();
    double terms = 0.;
    for (std::size_t j = 0; j < c; ++j) {
      EXPECT_NEAR(mechanics.along(i, j, x), along(ix(j)), rounding * length);
      EXPECT_NEAR(b(ix(i * c + j)), rate(ix(j)) + mechanics.motion(i).bias(ix(j)),
                  rounding * length * (1. + mechanics.free().norm()));
      if (j > 0) terms += W[i].col(ix(j)).cwiseAbs().dot(x.cwiseAbs());
    }
    EXPECT_NEAR(mechanics.terms(i, x), terms, rounding * length);
    const std::array<double, 3> push{draw.uniform(-1., 1.), draw.uniform(-1., 1.),
                                     c == 3 ? draw.uniform(-1., 1.) : 0.};
    Vector pushed = x;
    mechanics.push(i, push, pushed);
    const Vector expected = x + mobility * W[i] * Eigen::Map<const Vector>(push.data(), ix(c));
    EXPECT_LE((pushed - expected).norm(), rounding * scale * length);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const Matrix full = W[i].transpose() * mobility * W[k];
      const auto cc = ix(c);
      EXPECT_LE((mechanics.coupling(i, k).topLeftCorner(cc, cc) - full).norm(),
                rounding * scale * length * (1. + W[k].norm()));
      EXPECT_LE((G.block(ix(i) * cc, ix(k) * cc, cc, cc) - full).norm(),
                rounding * scale * length * (1. + W[k].norm()));
      const auto bodies = [&](std::size_t n) { return mechanics.blocks_of(n); };
      bool shares = false;
      for (const std::size_t one : bodies(i)) {
        for (const std::size_t two : bodies(k)) shares = shares || (one == two && one != nowhere);
      }
      EXPECT_EQ(mechanics.are_coupled(i, k), shares);
      if (!shares) {
        EXPECT_EQ(full.norm(), 0.);
      }
    }
  }
  return contacts.size() - model.contacts();
}

TEST(ContactList, NumbersOfContactsThatWereNotKeptAreTakenOver) {
  Draw draw(1);
  const PlanarScene scene = planar_scene(draw);
  const PlanarModel model(scene);
  ContactList list(model);
  const std::size_t known = model.contacts();
  const auto id = [](std::uint64_t features) { return ContactId{{0, 1}, features + 1000000}; };
  for (std::uint64_t k = 0; k < 4; ++k) EXPECT_EQ(list.number_of(id(k)), known + k);
  list.keep(known + 1);
  list.release();
  EXPECT_EQ(list.number_of(id(2)), known + 2);  // asked for again: it stays
  EXPECT_EQ(list.number_of(id(10)), known);     // the least first
  EXPECT_EQ(list.number_of(id(11)), known + 3);
  EXPECT_EQ(list.number_of(id(12)), known + 4);  // none is left
  EXPECT_EQ(list.number_of(id(1)), known + 1);
  EXPECT_FALSE(list.has(id(0)));
  EXPECT_EQ(list[known], id(10));
  std::vector<std::size_t> renamed;
  list.take_renamed(renamed);
  EXPECT_EQ(renamed, (std::vector<std::size_t>{known, known + 3}));
  // A list that is continued gives the same numbers.
  list.release();
  ContactList again(model);
  for (std::size_t i = known; i < list.size(); ++i) (void)again.number_of(list[i]);
  again.load_use(list.save_use());
  for (std::uint64_t k = 20; k < 26; ++k) EXPECT_EQ(again.number_of(id(k)), list.number_of(id(k)));
}

TEST(Mechanics, IsFullAlgebraInThePlane) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const PlanarModel model(planar_scene(draw));
    State state{.time = 0.3, .q = Vector(12), .u = Vector(12)};
    for (double& q : state.q) q = draw.uniform(-1.5, 1.5);
    for (double& u : state.u) u = draw.uniform(-1., 1.);
    found += expect_full_algebra(model, state, draw);
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 500U);
}

TEST(Mechanics, IsFullAlgebraInSpace) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const SpatialModel model(spatial_scene(draw));
    State state = model.start();
    state.time = 0.3;
    found += expect_full_algebra(model, state, draw);
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 500U);
}

// Contacts keep their numbers: known ones those of the model, others in the order in which they
// were found.
TEST(ContactList, NumbersStay) {
  Draw draw(7);
  const PlanarModel model(planar_scene(draw));
  State state{.q = Vector(12), .u = Vector::Zero(12)};
  for (double& q : state.q) q = draw.uniform(-1.5, 1.5);
  ContactList contacts = all_contacts(model, state, 100);
  ASSERT_GT(contacts.size(), model.contacts() + 5);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i < model.contacts()) {
      EXPECT_EQ(contacts[i], model.contact_id(i));
    }
    const ContactId id = contacts[i];
    EXPECT_EQ(contacts.number_of(id), i);
  }
  ContactId other = contacts[0];
  other.features = 12345;
  const std::size_t next = contacts.size();
  EXPECT_EQ(contacts.number_of(other), next);
  EXPECT_EQ(contacts.size(), next + 1);
}

/// Two pairs of discs on a floor, the pairs apart; each disc touches the floor and its partner.
struct Pairs {
  static constexpr double r = 0.1;
  PlanarModel model;
  ContactList contacts;
  Mechanics mechanics;
  State state;

  static PlanarScene scene() {
    PlanarScene s;
    for (int k = 0; k < 4; ++k) {
      s.bodies.push_back({.name = "d" + std::to_string(k),
                          .mass = 1. + 0.3 * k,
                          .inertia = 0.005,
                          .shape = shapes::plane::disc(r)});
    }
    s.ground = {test::line("floor")};
    return s;
  }
  Pairs()
      : model(scene()),
        contacts(model),
        mechanics(model, contacts),
        state(test::state({0., r, 0., 2., r, 0., 2. * r, r, 0., 2. + 2. * r, r, 0.},
                          {0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.})) {
    EXPECT_TRUE(mechanics.at(state));
    for (std::size_t i = 0; i < contacts.size(); ++i) mechanics.load(i, state);
  }
  /// Known contacts: four on the floor, then 01, 02, 03, 12, 13, 23. Discs 0 and 2 touch, 1 and 3.
  static std::vector<std::size_t> touching() { return {0, 1, 2, 3, 5, 8}; }
};

// Islands against labels that spread until none changes. One object serves all, as in a run.
TEST(Islands, AreBodiesThatContactsConnect) {
  Islands islands;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const auto number = [&](int below) { return static_cast<std::size_t>(draw.below(below)); };
    const int blocks = 1 + draw.below(20);
    std::vector<std::array<std::size_t, 2>> contacts(number(25));
    islands.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      contacts[i] = {number(blocks), draw.chance(0.3) ? nowhere : number(blocks)};
      if (draw.chance(0.5)) std::swap(contacts[i][0], contacts[i][1]);
      islands.add(100 + i, contacts[i]);
    }
    islands.find(static_cast<std::size_t>(blocks));

    std::vector<std::size_t> label(contacts.size());
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = i;
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < label.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          const bool shares = std::any_of(contacts[i].begin(), contacts[i].end(), [&](auto b) {
            return b != nowhere && (b == contacts[k][0] || b == contacts[k][1]);
          });
          if (!shares || label[i] == label[k]) continue;
          label[i] = label[k] = std::min(label[i], label[k]);
          changes = true;
        }
      }
    }
    std::vector<std::vector<std::size_t>> expected(label.size());
    for (std::size_t i = 0; i < label.size(); ++i) expected[label[i]].push_back(100 + i);
    std::erase_if(expected, [](const auto& members) { return members.empty(); });
    std::size_t largest = 0;
    for (const auto& members : expected) largest = std::max(largest, members.size());

    ASSERT_EQ(islands.all().size(), expected.size());
    EXPECT_EQ(islands.largest(), largest);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const auto members = islands.members(islands.all()[k]);
      EXPECT_EQ(std::vector(members.begin(), members.end()), expected[k]);
    }
  }
}

// The floor does not connect bodies.
TEST(ContactSystem, PairsApartAreIslands) {
  Pairs pairs;
  ContactSystem system;
  for (const std::size_t i : Pairs::touching()) {
    EXPECT_NEAR(pairs.mechanics.motion(i).gap, 0., 1e-15);
    system.add(pairs.mechanics, i, 0);
    system.add(pairs.mechanics, i, 1);
  }
  system.arrange(pairs.mechanics);
  ASSERT_EQ(system.islands().size(), 2U);
  std::vector<std::vector<std::size_t>> members;
  for (const auto& island : system.islands()) {
    members.emplace_back();
    for (std::size_t a = island.begin; a < island.end; ++a) {
      members.back().push_back(system.unknowns()[a].contact);
    }
  }
  EXPECT_EQ(members[0], (std::vector<std::size_t>{0, 0, 2, 2, 5, 5}));
  EXPECT_EQ(members[1], (std::vector<std::size_t>{1, 1, 3, 3, 8, 8}));
  // A contact between the pairs joins them, wherever it is added.
  system.add(pairs.mechanics, 4, 0);
  system.arrange(pairs.mechanics);
  EXPECT_EQ(system.islands().size(), 1U);
  // Without the discs' contacts each stands alone.
  system.clear();
  for (std::size_t i = 0; i < 4; ++i) system.add(pairs.mechanics, i, 0);
  system.arrange(pairs.mechanics);
  EXPECT_EQ(system.islands().size(), 4U);
  system.clear();
  system.arrange(pairs.mechanics);
  EXPECT_TRUE(system.islands().empty());
}

// In any order the answer is that of the whole system by full algebra.
TEST(ContactSystem, OrderDoesNotMatter) {
  Pairs pairs;
  std::vector<std::size_t> order = Pairs::touching();
  const auto n = ix(order.size());
  Matrix W(12, n);
  Vector right(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = order[static_cast<std::size_t>(k)];
    W.col(k) = dense(pairs.mechanics.motion(i), 12).col(0);
    right(k) = 1. + 0.1 * static_cast<double>(i);
  }
  const Matrix mobility = test::mass_matrix(pairs.model, pairs.state).inverse();
  const Vector expected = (W.transpose() * mobility * W).partialPivLu().solve(right);
  const Vector moved = mobility * W * expected;
  std::size_t orders = 0;
  do {
    ContactSystem system;
    for (const std::size_t i : order) system.add(pairs.mechanics, i, 0);
    system.arrange(pairs.mechanics);
    ASSERT_EQ(system.islands().size(), 2U);
    EXPECT_EQ(system.unknowns()[0].contact, order[0]);
    for (std::size_t a = 0; a < system.x.size(); ++a) {
      system.x[a] = 1. + 0.1 * static_cast<double>(system.unknowns()[a].contact);
    }
    ASSERT_TRUE(system.solve(pairs.mechanics));
    const std::vector<std::size_t> all = Pairs::touching();
    for (std::size_t a = 0; a < system.x.size(); ++a) {
      const auto k = std::find(all.begin(), all.end(), system.unknowns()[a].contact) - all.begin();
      EXPECT_NEAR(system.x[a], expected(k), 1e-13);
    }
    Vector to = Vector::Zero(12);
    system.push(pairs.mechanics, to);
    EXPECT_LE((to - moved).norm(), 1e-13);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 720U);
}

}  // namespace
}  // namespace carom
