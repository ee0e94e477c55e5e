// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "support/any_scenes.hpp"
#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Random scenes of several bodies: they end, and every state satisfies signs, Coulomb's cone and
// friction against slip. Trajectories are not compared: they are chaotic.
namespace carom {
namespace {

using namespace motion;

constexpr double most_overlap = 1e-9;      ///< relative to the reference length
constexpr double most_force_error = 1e-8;  ///< relative to the weight
constexpr double most_unaccounted = 1e-8;  ///< relative to the energy turned over

/// Runs a scene and judges all of its states. Whether it came to its end.
bool ends(const test::RandomMotion& m, const std::string& what) {
  SCOPED_TRACE(what);
  test::Judge judge(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
  EXPECT_EQ(judge.back_in_time, 0.);
  EXPECT_LE(judge.overlap, most_overlap);
  EXPECT_LE(judge.tension, most_force_error);
  EXPECT_LE(judge.force_at_a_gap, most_force_error);
  EXPECT_LE(judge.off_slip, 1.);
  EXPECT_LE(judge.off_spin, 1.);
  const EnergyAccount& e = s.progress.energy;
  const double turned_over = e.kinetic_start + 0.5 * 9.81 * m.mass;  // a fall by half a metre
  EXPECT_LE(std::abs(e.gap()), most_unaccounted * turned_over);
  if (s.ending != Ending::time) return false;
  EXPECT_LE(judge.beyond_cone, most_force_error);
  EXPECT_LE(judge.beyond_bound, most_force_error);
  return true;
}

void expect_sound(const test::RandomMotion& m, const std::string& what) {
  EXPECT_TRUE(ends(m, what)) << what;
}

/// At least this share of scenes must end, made by make(seed) for seeds 0, 1, 2, ... How many are
/// run: `usual` in a short run, CAROM_SCENES in a long one.
template <class Make>
void expect_most(const char* what, double share, std::size_t usual, const Make& make) {
  const char* more = std::getenv("CAROM_SCENES");
  const std::size_t count = more != nullptr ? std::stoul(more) : usual;
  std::size_t ended = 0;
  std::string others;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    if (ends(make(seed), what + (", seed " + std::to_string(seed)))) {
      ++ended;
    } else {
      others += " " + std::to_string(seed);
    }
  }
  EXPECT_GE(static_cast<double>(ended), share * static_cast<double>(count))
      << what << ": " << ended << " of " << count << " end, not seeds" << others;
}

TEST(MotionScenes, ThreeAndFiveDiscs) {
  for (const std::size_t count : {std::size_t{3}, std::size_t{5}}) {
    for (std::uint64_t seed = 0; seed < 7; ++seed) {
      expect_sound(test::thrown_discs(seed, count),
                   std::to_string(count) + " discs, seed " + std::to_string(seed));
    }
  }
}

TEST(MotionScenes, EightDiscs) {
  expect_most("8 discs", 0.95, 2, [](std::uint64_t seed) { return test::thrown_discs(seed, 8); });
}

TEST(MotionScenes, FourSpheres) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    expect_sound(test::thrown_spheres(seed, 4), "4 spheres, seed " + std::to_string(seed));
  }
}

/// A scene up to a little after an instant at which contacts depend on each other.
test::RandomMotion until(double end, test::RandomMotion m) {
  m.options.end_time = end;
  return m;
}

// Stick reaches its limit at a contact whose force vanishes together with those of others.
TEST(MotionScenes, ContactsThatLoseTheirForcesTogether) {
  expect_sound(until(0.7, test::thrown_discs(42, 6)), "6 discs, seed 42");
  expect_sound(until(0.25, test::thrown_spheres(10, 5)), "5 spheres, seed 10");
  expect_sound(until(0.65, test::thrown_spheres(33, 5)), "5 spheres, seed 33");
}

// A contact opens with hardly any acceleration, its gap dips and then opens for good.
TEST(MotionScenes, GapsThatDipAfterTheyOpenClose) {
  expect_sound(until(0.3, test::thrown_spheres(42, 6)), "6 spheres, seed 42");
}

// A side of an event within a step of slow slip.
TEST(MotionScenes, FrictionIsAgainstSlowSlipWithinSteps) {
  expect_sound(until(0.5, test::thrown_spheres(104, 6)), "6 spheres, seed 104");
}

// Some contacts that come to rest together slip slowly, because another one slides.
TEST(MotionScenes, BoxesThatComeToRestTogether) {
  expect_sound(until(0.7118, test::thrown_shapes(29, 6, true)), "6 boxes in the plane, seed 29");
}

// Forces of several contacts diverge together, though none would alone: an impact without
// collision, which stops slip and takes energy away.
TEST(MotionScenes, SlidingContactsThatJamTogetherStrike) {
  const auto m = until(0.5, test::thrown_spheres(31, 6));
  test::MotionLog log;
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, log);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  std::size_t jams = 0;
  for (const Event& e : log.events) {
    if (e.paradox != Paradox::diverging) continue;
    ++jams;
    EXPECT_GT(e.contacts.size(), 1U);
    EXPECT_LT(e.energy_change, 0.);
  }
  EXPECT_GT(jams, 0U);
  const EnergyAccount& e = s.progress.energy;
  EXPECT_LE(std::abs(e.gap()), most_unaccounted * (e.kinetic_start + 0.5 * 9.81 * m.mass));
}

// Forces that diverge in one solution, while in another one the bodies part: they do.
TEST(MotionScenes, ContactsThatJamOrPartTogether) {
  const auto m = until(0.925, test::thrown_spheres(32, 6));
  test::MotionLog log;
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, log);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  std::size_t parted = 0;
  for (const Event& e : log.events) {
    const auto opens = [](const ContactStatus& status) { return status.touch == Touch::open; };
    if (e.paradox == Paradox::diverging && std::all_of(e.to.begin(), e.to.end(), opens)) ++parted;
  }
  EXPECT_GT(parted, 0U);
}

// Where bodies jam while others slide fast, the slow slip of those that jam stops.
TEST(MotionScenes, SlowSlipOfAJamStopsBesideOthers) {
  expect_sound(until(0.66, test::thrown_spheres(2010, 8)), "8 spheres, seed 2010");
}

// Where the impulses of a jam cannot be found for a time as short as the fastest slip asks for,
// they are followed from longer ones.
TEST(MotionScenes, ImpulsesOfAJamAreFollowedToItsInstant) {
  expect_sound(until(0.52, test::thrown_spheres(2020, 8)), "8 spheres, seed 2020");
}

// Slip that is released against what is left of its last motion, of the size of rounding errors:
// friction would have the wrong sign, and other contacts would have to pull.
TEST(MotionScenes, SlipIsReleasedAgainstRounding) {
  expect_sound(until(1.158, test::thrown_spheres(65, 6)), "6 spheres, seed 65");
}

// Directions of slip that begins within a step, and of slip that begins beside stick.
TEST(MotionScenes, ForcesHoldWhereSlipBegins) {
  expect_sound(until(0.9146, test::thrown_spheres(92, 6)), "6 spheres, seed 92");
  expect_sound(until(0.6497, test::thrown_spheres(30, 6)), "6 spheres, seed 30");
}

// Slip as slow as what projections remove: forces depend on its direction, which turns with them.
TEST(MotionScenes, ForcesHoldWhereSlowSlipTurns) {
  expect_sound(until(0.85, test::thrown_spheres(2, 6)), "6 spheres, seed 2");
}

// What is removed when slip stops turns slower slip of others by a part of a radian.
TEST(MotionScenes, ForcesHoldWhereOthersStop) {
  expect_sound(until(0.6418, test::thrown_solids(41002, 6, true)), "6 boxes, seed 41002");
}

// A corner on a side that is almost parallel to the wall: whether it sticks or slips changes
// accelerations by as little as the tolerance of the solver, and forces by a tenth of the weight.
TEST(MotionScenes, ForcesHoldWhereModesDifferByRounding) {
  test::RandomMotion m = until(0.675, test::thrown_shapes(41008, 6, true));
  m.surfaces[0].restitution = 0.;
  expect_sound(m, "6 boxes in the plane, seed 41008");
}

// The lowest point of a rim is on the other side once the rim has landed flat: that it approaches
// there is not drift.
TEST(MotionScenes, RimsThatLandFlatKeepTheirEnergy) {
  expect_sound(until(0.66, test::thrown_cylinders(52009, 4)), "4 cylinders, seed 52009");
}

// Slip begins at one contact beside others that slide, or that have just reached their limits; a
// contact beside it has stopped.
TEST(MotionScenes, SlipThatBeginsHasTheDirectionThatWasDecided) {
  expect_sound(until(0.69, test::thrown_cylinders(63002, 4)), "4 cylinders, seed 63002");
}

// A force that has just reached its limit, in a state that shows no drift of the step, or depends
// on a gap of 1e-11.
TEST(MotionScenes, ForcesHoldBeforeEvents) {
  expect_sound(until(0.48, test::thrown_cylinders(52004, 4)), "4 cylinders, seed 52004");
  expect_sound(until(0.83, test::thrown_cylinders(52011, 4)), "4 cylinders, seed 52011");
}

/// With rolling and drilling friction; every step is judged.
test::RandomMotion rolling_solids(std::uint64_t seed, std::size_t count, bool floor_moves) {
  test::RandomMotion m = test::all_solids(seed, count, {.rolls = true, .floor_moves = floor_moves});
  m.options.method = MotionMethod::events;
  m.options.several = &find_law("moreau", "law");
  m.options.most_events = 50'000;
  return m;
}

// Slip and rolling that are about to stop, with less speed than errors leave.
TEST(MotionScenes, SlipThatFadesKeepsItsDirection) {
  expect_sound(until(0.4, rolling_solids(102, 4, false)), "4 rolling solids, seed 102");
  expect_sound(until(0.615, rolling_solids(116, 4, false)), "4 rolling solids, seed 116");
}

// What is shown before slip stops is a little earlier: so are supports.
TEST(MotionScenes, SupportsMoveWithTheStateThatIsShown) {
  expect_sound(until(0.281, rolling_solids(112, 4, true)), "4 solids on a moving floor, seed 112");
  expect_sound(until(0.29, rolling_solids(113, 4, true)), "4 solids on a moving floor, seed 113");
}

// Static friction reaches its limit where couples turn, or forces are as small as the tolerance.
TEST(MotionScenes, ContactsWithCouplesAtTheirLimitHoldOrSlip) {
  expect_sound(until(0.6, rolling_solids(63007, 4, false)), "4 rolling solids, seed 63007");
  expect_sound(until(0.26, rolling_solids(63017, 4, false)), "4 rolling solids, seed 63017");
}

// Faces that slide on each other, where the forces of corners are undetermined or nearly so.
TEST(MotionScenes, ForcesHoldWhereFacesSlide) {
  expect_sound(until(0.56, test::thrown_solids(5, 4, true)), "4 boxes, seed 5");
  expect_sound(until(0.73, test::thrown_shapes(21, 6, true)), "6 boxes in the plane, seed 21");
}

// The end of a capsule leaves another one's side, and its side comes down there while the gap is
// still open.
TEST(MotionScenes, CapsulesMeetWhereTheirFeaturesChange) {
  expect_sound(until(0.25, test::thrown_solids(21, 5, false)), "5 solids, seed 21");
}

// Discs wedged between walls, which can press against each other without bound.
TEST(MotionScenes, WedgedDiscs) { expect_sound(test::thrown_discs(2, 6), "6 discs, seed 2"); }

// Discs that come to rest on each other strike one after the other without end, and where all
// contacts of an island come to rest together this takes a third of the events: 25,000 before.
TEST(MotionScenes, IslandsThatChatterComeToRest) {
  std::size_t events = 0;
  const auto run = [&](std::uint64_t seed, std::size_t count) {
    const test::RandomMotion m = test::thrown_discs(seed, count);
    test::Judge judge(m);
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
    EXPECT_EQ(s.ending, Ending::time) << seed << ": " << s.reason;
    EXPECT_LE(s.progress.energy.dropped, 0.);
    EXPECT_LE(std::abs(s.progress.energy.gap()), most_unaccounted * 5. * m.mass);
    events += s.progress.events;
  };
  for (const std::uint64_t seed : {101U, 109U, 120U}) run(seed, 6);
  run(112, 4);
  EXPECT_LT(events, 12'500U);
}

TEST(MotionScenes, BoxesInThePlane) {
  expect_most("6 boxes", 0.8, 5,
              [](std::uint64_t seed) { return test::thrown_shapes(seed, 6, true); });
}

TEST(MotionScenes, AllShapesInThePlane) {
  expect_most("5 shapes", 0.8, 8,
              [](std::uint64_t seed) { return test::thrown_shapes(seed, 5, false); });
}

TEST(MotionScenes, BoxesInSpace) {
  expect_most("3 boxes", 0.8, 5,
              [](std::uint64_t seed) { return test::thrown_solids(seed, 3, true); });
}

TEST(MotionScenes, AllSolidsInSpace) {
  expect_most("3 solids", 0.8, 5,
              [](std::uint64_t seed) { return test::thrown_solids(seed, 3, false); });
}

TEST(MotionScenes, BoxesOnAnEdge) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    expect_sound(test::box(seed, false), "box on an edge, seed " + std::to_string(seed));
  }
}

TEST(MotionScenes, ThrownBoxes) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    expect_sound(test::box(seed, true), "thrown box, seed " + std::to_string(seed));
  }
}

// Among them one that slips until another contact stops it (33), and a ball in a wedge whose gap is
// below zero by rounding and rises by less than that (2020).
TEST(MotionScenes, SingleBodies) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    expect_sound(test::thrown_body(seed, true), "a solid, seed " + std::to_string(seed));
    expect_sound(test::thrown_body(seed, false), "a shape, seed " + std::to_string(seed));
  }
  expect_sound(test::thrown_body(2020, true), "a solid, seed 2020");
}

// Among them slip that vanishes and returns within a step (1002), and bodies that graze each other
// (1009).
TEST(MotionScenes, DiscsAndPolygonsInAWedge) {
  for (const std::uint64_t seed : {0U, 2U, 4U}) {
    expect_sound(test::thrown_into_a_wedge(seed, 6), "a wedge, seed " + std::to_string(seed));
  }
  expect_sound(until(0.32, test::thrown_into_a_wedge(1002, 6)), "a wedge, seed 1002");
  expect_sound(until(0.72, test::thrown_into_a_wedge(1009, 6)), "a wedge, seed 1009");
}

// The ends and edges of solids on curved sides, rims and apexes of others.
TEST(MotionScenes, SolidsOnRoundPosts) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    expect_sound(test::thrown_on_post(seed), "a solid on a post, seed " + std::to_string(seed));
  }
}

// The distribution of forces over walls and floor is not determined; that they hold the stack is.
TEST(MotionScenes, HyperstaticStacksStayAtRest) {
  for (const std::size_t count : {1U, 2U, 4U, 6U}) {
    const auto m = test::resting_stack(count);
    test::Judge judge(m);
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_EQ(s.progress.events, 1U);
    // Speeds up to 1e-12 of the reference speed count as rest.
    EXPECT_LE((s.progress.state.q - m.start.q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE(s.progress.state.u.cwiseAbs().maxCoeff(), 1e-12 / 0.05);
    EXPECT_LE(judge.tension, most_force_error);
    EXPECT_LE(judge.beyond_cone, most_force_error);
  }
}

// Ten boxes, each a little beside the one below.
TEST(MotionScenes, AStackOfTenStaysAtRest) {
  const Surface rough{.restitution = 0.3, .friction = 0.5, .static_friction = 0.5};
  const auto rests = [&](const Model& model, const State& start) {
    test::MotionCounter quiet;
    const Options options{.end_time = 10., .sample_interval = 1.};
    const Summary s = test::run(model, start, {rough}, options, quiet);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_EQ(s.progress.events, 1U);
    EXPECT_LE((s.progress.state.q - start.q).cwiseAbs().maxCoeff(), 1e-9);
  };
  PlanarScene plane;
  SpatialScene space;
  State start;
  start.q.setZero(30);
  start.u.setZero(30);
  for (std::size_t i = 0; i < 10; ++i) {
    const double x = 0.003 * static_cast<double>(i % 3);
    const double z = 0.05 + 0.1 * static_cast<double>(i);
    const std::string name = "b" + std::to_string(i);
    plane.bodies.push_back(
        {.name = name, .mass = 1., .inertia = 0.05 / 12., .shape = shapes::plane::box(0.2, 0.1)});
    start.q.segment<2>(static_cast<Eigen::Index>(3 * i)) << x, z;
    SpatialMover b;
    b.name = name;
    b.solid = shapes::space::Box{.size = {0.2, 0.2, 0.1}};
    b.position = {x, 0., z};
    space.bodies.push_back(b);
  }
  plane.ground = {test::line("floor")};
  space.ground = {test::plane("floor")};
  rests(PlanarModel(plane), start);
  const SpatialModel model(space);
  rests(model, model.start());
}

// It sticks below tan(slope) = mu and slides above with g (sin - mu cos).
TEST(MotionScenes, AFrictionAngleIsExact) {
  const double mu = 0.5;
  for (const double factor : {1. - 1e-9, 1. + 1e-9}) {
    const double slope = std::atan(mu * factor);
    PlanarScene scene;
    scene.bodies = {
        {.name = "b", .mass = 1., .inertia = 0.01, .shape = shapes::plane::box(0.2, 0.1)}};
    scene.ground = {test::line("slope", {}, -slope)};
    State start;
    start.q = Eigen::Vector3d(0.05 * std::sin(slope), 0.05 * std::cos(slope), -slope);
    start.u.setZero(3);
    test::MotionCounter quiet;
    const Summary s =
        test::run(PlanarModel(scene), start, {{.friction = mu, .static_friction = mu}},
                  {.end_time = 1., .tolerance = 1e-12, .sample_interval = 1.}, quiet);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const double a = std::max(0., 9.81 * (std::sin(slope) - mu * std::cos(slope)));
    const Eigen::Vector2d moved = s.progress.state.q.head<2>() - start.q.head<2>();
    EXPECT_NEAR(moved.norm(), 0.5 * a, 1e-13) << factor;
  }
}

// Boxes that meet face to face do not turn: v' = v - (1 + e) m_2/(m_1 + m_2) v.
TEST(MotionScenes, BoxesMeetFaceToFace) {
  PlanarScene scene;
  for (const double mass : {1., 2.}) {
    scene.bodies.push_back({.name = mass == 1. ? "light" : "heavy",
                            .mass = mass,
                            .inertia = 0.01 * mass,
                            .shape = shapes::plane::box(0.2, 0.1)});
  }
  scene.gravity = {0., 0.};
  scene.acceleration = 1.;
  State start;
  start.q.setZero(6);
  start.u.setZero(6);
  start.q(3) = 0.5;
  start.u(0) = 1.;
  test::MotionCounter quiet;
  Options options{.end_time = 1., .tolerance = 1e-12, .sample_interval = 1.};
  options.several = &find_law("moreau", "law");
  const Summary s =
      test::run(PlanarModel(scene), start,
                {{.restitution = 0.25, .friction = 0.3, .static_friction = 0.3}}, options, quiet);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  const double v1 = 1. - 1.25 * 2. / 3., v2 = 1.25 / 3.;
  const Vector& u = s.progress.state.u;
  EXPECT_NEAR(u(0), v1, 1e-12);
  EXPECT_NEAR(u(3), v2, 1e-12);
  EXPECT_NEAR(u.segment<2>(1).norm() + u.segment<2>(4).norm(), 0., 1e-12);
  EXPECT_NEAR(s.progress.state.q(0), 0.3 + 0.7 * v1, 1e-12);
}

// Corners of a face that differ in height by 4e-11 m: they land together where that is a matter of
// rounding, and one after the other where the second one lands 4e-7 s later.
TEST(MotionScenes, CornersLandTogetherOnlyAtOnce) {
  for (const double speed : {1., 1e-4}) {
    PlanarScene scene = test::block_on_floor(0.2, 0.1, 1.);
    scene.gravity = {0., 0.};
    scene.acceleration = 9.81;
    const double fall = 1e-2 * speed;  // far above what counts as closed at the start
    const State start = test::state({0., 0.1 + fall, 1e-10}, {0., -speed, 0.});
    Options options{.end_time = 0.02, .sample_interval = 0.01};
    options.several = &find_law("moreau", "law");
    test::MotionLog log;
    const Summary s =
        test::run(PlanarModel(scene), start, {{.restitution = 0.5, .friction = 0.}}, options, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    ASSERT_GE(log.events.size(), 2U);
    EXPECT_EQ(log.events[1].kind, EventKind::impact);
    EXPECT_EQ(log.events[1].contacts.size(), speed == 1. ? 2U : 1U) << speed;
  }
}

// Lengths in millimetres, or in gigametres: the same events at the same times. Impacts,
// handover, stick and slip of boxes and an ellipse between walls.
TEST(MotionScenes, UnitsDoNotMatter) {
  const auto events = [](double unit, MotionMethod method) {
    PlanarScene scene;
    State start;
    start.q.setZero(9);
    start.u.setZero(9);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto k = static_cast<double>(i);
      scene.bodies.push_back({.name = "b" + std::to_string(i),
                              .mass = 1. + k,
                              .inertia = (1. + k) * 0.004 * unit * unit,
                              .shape = i == 1 ? shapes::plane::ellipse({0.1 * unit, 0.05 * unit})
                                              : shapes::plane::box(0.2 * unit, 0.1 * unit)});
      const auto at = static_cast<Eigen::Index>(3 * i);
      start.q.segment<3>(at) << 0.03 * k * unit, (0.2 + 0.25 * k) * unit, 0.3 * k;
      start.u.segment<3>(at) << 0.2 * unit, 0., 1. + k;
    }
    const double right_angle = std::numbers::pi / 2.;
    scene.gravity = {0., -9.81 * unit};
    scene.ground = {test::line("floor"), test::line("left", {-0.3 * unit, 0.}, -right_angle),
                    test::line("right", {0.3 * unit, 0.}, right_angle)};
    Options options{.method = method, .end_time = 0.6, .tolerance = 1e-12, .sample_interval = 0.1};
    options.several = &find_law("moreau", "law");
    test::MotionLog log;
    const Summary s =
        test::run(PlanarModel(scene), start,
                  {{.restitution = 0.3, .friction = 0.4, .static_friction = 0.5}}, options, log);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    return log.events;
  };
  for (const MotionMethod method : {MotionMethod::events, MotionMethod::stepping}) {
    const std::vector<Event> metres = events(1., method);
    EXPECT_GT(metres.size(), method == MotionMethod::events ? 50U : 20U);
    for (const double unit : {1e3, 1e-9}) {
      const std::vector<Event> other = events(unit, method);
      ASSERT_EQ(other.size(), metres.size()) << unit;
      for (std::size_t k = 0; k < metres.size(); ++k) {
        EXPECT_EQ(other[k].kind, metres[k].kind) << k;
        EXPECT_NEAR(other[k].time, metres[k].time, 1e-9) << k;
      }
    }
  }
}

}  // namespace
}  // namespace carom
