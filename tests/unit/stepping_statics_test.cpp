// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>

#include <gtest/gtest.h>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// What stands must stand under time-stepping, and what slips must slip.
namespace carom {
namespace {

using namespace motion;

constexpr double most_moved = 1e-6;  ///< of the reference length

/// What a force that is off by the residual of a step, relative to the weight, moves in 1 s [m].
const double by_residual = 0.5 * 9.81 * Options{}.residual;

constexpr double stands = 10.;  ///< [s]

/// Of what takes long to compute, in a short run; CAROM_SCENES is set in a long one [s].
double stands_shortly() { return std::getenv("CAROM_SCENES") != nullptr ? stands : 2.; }

Options stepping(double end_time) {
  return {.method = MotionMethod::stepping, .end_time = end_time, .sample_interval = 0.5};
}

Surface rough(double mu, double e = 0.) {
  return {.restitution = e, .friction = mu, .static_friction = mu};
}

/// The largest change of a position in a run, relative to the reference length.
double moved(const Model& model, const State& start, const Surface& surface, double time) {
  test::MotionCounter quiet;
  const Summary s = test::run(model, start, {surface}, stepping(time), quiet);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  return (s.progress.state.q - start.q).cwiseAbs().maxCoeff() / model.length_scale();
}

/// Bodies of mass 1 that are placed by their shapes in the plane.
class Builder {
 public:
  void add(const shapes::plane::Shape& shape, double x, double y, double angle) {
    const auto of = shapes::plane::uniform(shape);
    scene.bodies.push_back({.name = "b" + std::to_string(scene.bodies.size()),
                            .mass = 1.,
                            .inertia = of.squared_gyration,
                            .shape = shapes::plane::moved(shape, -of.centroid)});
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    q_.push_back(x + c * of.centroid.x - s * of.centroid.y);
    q_.push_back(y + s * of.centroid.x + c * of.centroid.y);
    q_.push_back(angle);
  }
  [[nodiscard]] State start() const {
    State state;
    state.q = Eigen::Map<const Vector>(q_.data(), static_cast<Eigen::Index>(q_.size()));
    state.u.setZero(state.q.size());
    return state;
  }
  PlanarScene scene{.ground = {test::line("floor")}};

 private:
  std::vector<double> q_;
};

TEST(SteppingStatics, AStackOfTenBoxesInThePlane) {
  Builder b;
  for (int i = 0; i < 10; ++i) {
    b.add(shapes::plane::box(0.2, 0.1), 0.003 * (i % 3), 0.05 + 0.1 * i, 0.);
  }
  EXPECT_LE(moved(PlanarModel(b.scene), b.start(), rough(0.5, 0.3), stands), most_moved);
}

TEST(SteppingStatics, AStackOfTenBoxesInSpace) {
  SpatialScene scene;
  for (int i = 0; i < 10; ++i) {
    SpatialMover b;
    b.name = "b" + std::to_string(i);
    b.solid = shapes::space::Box{.size = {0.2, 0.2, 0.1}};
    b.position = {0.003 * (i % 3), 0., 0.05 + 0.1 * i};
    scene.bodies.push_back(b);
  }
  scene.ground = {test::plane("floor")};
  const SpatialModel model(scene);
  EXPECT_LE(moved(model, model.start(), rough(0.5, 0.3), stands_shortly()), most_moved);
}

// A semicircle stands from a thickness of 0.1075 of the mean radius on [Heyman 1969].
TEST(SteppingStatics, AnArchOfFifteenVoussoirs) {
  constexpr int count = 15;
  constexpr double inner = 0.9;
  constexpr double outer = 1.1;
  Builder b;
  for (int i = 0; i < count; ++i) {
    const double from = std::numbers::pi * i / count;
    const double to = std::numbers::pi * (i + 1) / count;
    const auto at = [](double r, double angle) {
      return shapes::plane::Point{r * std::cos(angle), r * std::sin(angle)};
    };
    const std::array corners{at(inner, from), at(outer, from), at(outer, to), at(inner, to)};
    b.add(shapes::plane::polygon(corners), 0., 0., 0.);
  }
  EXPECT_LE(moved(PlanarModel(b.scene), b.start(), rough(0.7), stands), most_moved);
}

// Two pairs of cards that lean on each other, a card across them, and a pair on top of it. The
// pairs need mu = (W/2 + V)/(W + V) tan(15 deg) < 0.27 at their feet, with the load V on each card.
TEST(SteppingStatics, ACardHouse) {
  constexpr double length = 0.1;  // between the centres of the round ends
  constexpr double radius = 0.002;
  const double lean = 15. / 180. * std::numbers::pi;
  Builder b;
  const auto pair = [&](double x, double floor) {
    for (const double side : {-1., 1.}) {
      const double reach = radius + 0.5 * length * std::sin(lean);
      b.add(shapes::plane::capsule(length, radius), x + side * reach,
            floor + radius + 0.5 * length * std::cos(lean), 0.5 * std::numbers::pi + side * lean);
    }
  };
  const double height = 2. * radius + length * std::cos(lean);
  pair(-0.05, 0.);
  pair(0.05, 0.);
  b.add(shapes::plane::capsule(0.16, radius), 0., height + radius, 0.);
  pair(0., height + 2. * radius);
  EXPECT_LE(moved(PlanarModel(b.scene), b.start(), rough(0.5), stands), most_moved);
}

/// Six rows of discs between walls, on a triangular lattice. They fall on each other at first.
Builder packed_discs() {
  constexpr double radius = 0.1;
  constexpr double gap = 1e-5;
  constexpr int across = 5;
  Builder b;
  b.scene.ground.push_back(test::line("left", {}, -0.5 * std::numbers::pi));
  b.scene.ground.push_back(
      test::line("right", {(2. * radius + gap) * across, 0.}, 0.5 * std::numbers::pi));
  for (int row = 0; row < 6; ++row) {
    const int odd = row % 2;
    for (int i = 0; i < across - odd; ++i) {
      b.add(shapes::plane::disc(radius), (2. * radius + gap) * (i + 0.5 + 0.5 * odd),
            radius + gap + (std::sqrt(3.) * radius + 2. * gap) * row, 0.);
    }
  }
  return b;
}

/// Four rows of boxes whose corners meet. They slide to a wall.
Builder wall_of_boxes() {
  constexpr double side = 0.2;
  constexpr double gap = 1e-5;
  constexpr int across = 5;
  Builder b;
  b.scene.gravity = {6., -9.81};
  b.scene.ground.push_back(test::line("wall", {across * (side + gap), 0.}, 0.5 * std::numbers::pi));
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < across; ++i) {
      b.add(shapes::plane::box(side, side), (side + gap) * (i + 0.5), (side + gap) * (row + 0.5),
            0.);
    }
  }
  return b;
}

/// A pile at rest.
class PileAtRest {
 public:
  explicit PileAtRest(const Builder& b) : model_(b.scene) {
    test::MotionCounter quiet;
    const Summary s = test::run(model_, b.start(), surfaces_, options(0.5), quiet);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_LT(s.progress.state.u.cwiseAbs().maxCoeff(), 1e-5);
    progress = s.progress;
  }
  /// As the run goes on.
  [[nodiscard]] Progress after(double time) const {
    test::MotionCounter quiet;
    const Summary s =
        simulate(model_, surfaces_, options(progress.state.time + time), progress, quiet);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    return s.progress;
  }
  /// Sweeps over contacts in a step, on average, as the run goes on.
  [[nodiscard]] double sweeps(double time) const {
    constexpr std::size_t sweeps = 3;  // in Continuation::step_counts
    const std::vector<double>& before = progress.next.step_counts;
    const std::vector<double> after = this->after(time).next.step_counts;
    return (after[sweeps] - before[sweeps]) / (after[0] - before[0]);
  }
  Progress progress;

  static constexpr double step = 1e-3;

 private:
  static Options options(double end_time) {
    Options o = stepping(end_time);
    o.step = step;
    o.residual = 1e-6;  // so that small changes of what is at rest are within reach
    return o;
  }
  PlanarModel model_;
  std::vector<Surface> surfaces_{rough(0.5, 0.2)};
};

// A pile at rest starts each step from the impulses of the last one, which are right: contacts that
// were lost between two steps, or began without an impulse, would have to be solved again, by 38
// sweeps and more in these piles.
constexpr double few_sweeps = 10.;
TEST(SteppingStatics, APileAtRestIsNotSolvedAgain) {
  EXPECT_LT(PileAtRest(packed_discs()).sweeps(0.5), few_sweeps);
  EXPECT_LT(PileAtRest(wall_of_boxes()).sweeps(0.5), few_sweeps);
}

// Corrections of positions open contacts a little, by less than what bodies fall in a step. Here
// all are opened.
TEST(SteppingStatics, ContactsThatAreOpenedALittleKeepTheirImpulses) {
  PileAtRest pile(packed_discs());
  Vector& q = pile.progress.state.q;
  for (Eigen::Index y = 1; y < q.size(); y += 3) q(y) += 3e-6 * q(y);
  EXPECT_LT(pile.sweeps(PileAtRest::step), few_sweeps);
}

// Not all can be closed at once: if some were, others would open, again and again, and the pile
// would rise.
TEST(SteppingStatics, ContactsThatAreOpenedALittleAreLeftSo) {
  PileAtRest pile(packed_discs());
  Vector& q = pile.progress.state.q;
  for (Eigen::Index y = 1; y < q.size(); y += 3) q(y) += 3e-6 * q(y);
  EXPECT_EQ(pile.after(0.1).energy.corrections, pile.progress.energy.corrections);
}

// Where corners meet, the same point is now a vertex of the one box and now of the other: the
// contact has another name. Here that had which presses most.
TEST(SteppingStatics, AContactThatChangesItsNameKeepsItsImpulse) {
  constexpr std::size_t saved = 14;  // of a contact in Continuation::impulses: number, ..., P_n
  PileAtRest pile(wall_of_boxes());
  Progress& p = pile.progress;
  const std::size_t known = p.contacts.size() - p.found.size();
  std::size_t most = 0;
  double largest = 0.;
  for (std::size_t k = 0; k < p.next.impulses.size(); k += saved) {
    const auto number = static_cast<std::size_t>(p.next.impulses[k]);
    if (number < known || !(p.next.impulses[k + 2] > largest)) continue;
    largest = p.next.impulses[k + 2];
    most = number - known;
  }
  ASSERT_GT(largest, 0.);
  p.found[most].features += std::uint64_t{1} << 40U;
  EXPECT_LT(pile.sweeps(PileAtRest::step), few_sweeps);
}

// The impulse that stops a disc is no guess for the next step, which it would push up: that one
// starts from the weight.
TEST(SteppingStatics, TheNextStepStartsFromTheWeightOfWhatLands) {
  constexpr double step = 1e-3;
  constexpr double radius = 0.1;
  Builder b;
  b.add(shapes::plane::disc(radius), 0., radius, 0.);
  const PlanarModel model(b.scene);
  State start = b.start();
  start.u(1) = -9.81 * step;  // half the speed of rest
  Options o = stepping(step);
  o.step = step;
  test::MotionCounter quiet;
  const Summary s = test::run(model, start, {rough(0.5)}, o, quiet);
  const std::vector<double>& saved = s.progress.next.impulses;
  ASSERT_EQ(saved.size(), 14U);
  constexpr std::size_t impulse = 2;
  constexpr std::size_t guess = 8;
  constexpr double weight = 9.81 * step;
  EXPECT_NEAR(saved[impulse], 2. * weight, 1e-9 * weight);
  EXPECT_NEAR(saved[guess], weight, 1e-9 * weight);
}

// What drifts in a pile is stopped once: the impulses that do so, and would push it back, are no
// part of the next guess.
TEST(SteppingStatics, APileThatDriftsIsStoppedOnce) {
  PileAtRest pile(packed_discs());
  for (double& x : pile.progress.state.u) x += 3e-6;
  pile.progress = pile.after(10. * PileAtRest::step);
  EXPECT_LT(pile.sweeps(0.02), 0.5);  // otherwise about 3
}

// Walls that press on both sides of discs with forces in balance: nothing loads them so, and they
// do not last.
TEST(SteppingStatics, ForcesInBalanceFadeThatNoLoadCauses) {
  constexpr std::size_t saved = 14;  // of a contact in Continuation::impulses: number, ..., P_n
  Builder b;
  b.scene.ground.push_back(test::line("left", {}, -0.5 * std::numbers::pi));
  b.scene.ground.push_back(test::line("right", {0.2, 0.}, 0.5 * std::numbers::pi));
  for (int i = 0; i < 4; ++i) b.add(shapes::plane::disc(0.1), 0.1, 0.1 + 0.2 * i, 0.);
  PileAtRest pile(b);
  const auto largest = [](const Progress& p) {
    double most = 0.;
    for (std::size_t k = 2; k < p.next.impulses.size(); k += saved) {
      most = std::max(most, p.next.impulses[k]);
    }
    return most;
  };
  const double weight = 4. * 9.81 * PileAtRest::step;
  EXPECT_NEAR(largest(pile.progress), weight, 1e-3 * weight);
  std::vector<double>& impulses = pile.progress.next.impulses;
  std::size_t walls = 0;
  for (std::size_t k = 2; k < impulses.size(); k += saved) {
    if (impulses[k] > 0.1 * weight) continue;
    impulses[k] = impulses[k + 6] = 1e6 * weight;  // and the guess of it
    ++walls;
  }
  ASSERT_EQ(walls, 8U);
  EXPECT_LT(largest(pile.after(0.1)), 100. * weight);
}

TEST(SteppingStatics, FourDiscsBetweenTwoWalls) {
  const auto m = test::resting_stack(4);
  EXPECT_LE(moved(*m.model, m.start, m.surfaces[0], stands), most_moved);
}

// Stick below tan(slope) = mu, and above it g (sin - mu cos).
TEST(SteppingStatics, TheFrictionAngleIsRightToAMillionth) {
  const double mu = 0.5;
  for (const double factor : {1. - 1e-6, 1. + 1e-6}) {
    const double slope = std::atan(mu * factor);
    Builder b;
    b.scene.ground = {test::line("slope", {}, -slope)};
    b.add(shapes::plane::box(0.2, 0.1), 0.05 * std::sin(slope), 0.05 * std::cos(slope), -slope);
    const PlanarModel model(b.scene);
    test::MotionCounter quiet;
    const Summary s = test::run(model, b.start(), {rough(mu)}, stepping(1.), quiet);
    const double a = std::max(0., 9.81 * (std::sin(slope) - mu * std::cos(slope)));
    const Vector by = s.progress.state.q - b.start().q;
    EXPECT_NEAR(std::hypot(by(0), by(1)), 0.5 * a, by_residual) << factor;  // 0.5 a = 2.2e-6 above
  }
}

// The same in space, down a direction between the tangents.
TEST(SteppingStatics, TheFrictionAngleInSpace) {
  const double mu = 0.5;
  for (const double factor : {1. - 1e-6, 1. + 1e-6}) {
    const double slope = std::atan(mu * factor);
    SpatialMover b;
    b.name = "b";
    b.solid = shapes::space::Box{.size = {0.2, 0.2, 0.1}};
    b.position = {0., 0., 0.05};
    SpatialScene scene{.bodies = {b}, .ground = {test::plane("floor")}};
    const double down = 9.81 * std::sin(slope);
    scene.gravity = {0.6 * down, 0.8 * down, -9.81 * std::cos(slope)};
    const SpatialModel model(scene);
    test::MotionCounter quiet;
    const Summary s = test::run(model, model.start(), {rough(mu)}, stepping(1.), quiet);
    const double a = std::max(0., 9.81 * (std::sin(slope) - mu * std::cos(slope)));
    const Vector by = s.progress.state.q - model.start().q;
    EXPECT_NEAR(by(0), 0.6 * 0.5 * a, by_residual) << factor;
    EXPECT_NEAR(by(1), 0.8 * 0.5 * a, by_residual) << factor;
  }
}

// A card of length L and thickness t that leans on a wall slips beyond
// tan(b) = (t/L (1 + mu^2) + 2 mu)/(1 - mu^2) from the vertical.
TEST(SteppingStatics, ALeaningCardSlipsBeyondItsLimit) {
  constexpr double length = 0.5;
  constexpr double thickness = 0.02;
  constexpr double mu = 0.5;
  const double limit = std::atan((thickness / length * (1. + mu * mu) + 2. * mu) / (1. - mu * mu));
  const double step = 0.01 / 180. * std::numbers::pi;
  for (const double side : {-1., 1.}) {
    const double lean = limit + side * step;
    const double c = std::cos(lean);
    const double s = std::sin(lean);
    Builder b;
    b.scene.ground.push_back(test::line("wall", {}, -0.5 * std::numbers::pi));
    b.add(shapes::plane::box(thickness, length), 0.5 * (length * s + thickness * c),
          0.5 * (length * c + thickness * s), lean);
    const double by = moved(PlanarModel(b.scene), b.start(), rough(mu), 1.);
    if (side < 0.) {
      EXPECT_LE(by, most_moved);
    } else {
      EXPECT_GE(by, 1e-4);  // about g t^2/2 times the excess of 1.7e-4 rad
    }
  }
}

}  // namespace
}  // namespace carom
