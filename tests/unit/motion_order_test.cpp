// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <carom/mechanics/spatial_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Errors some time after slip begins in space: in proportion to the tolerance, scene by scene.
namespace carom {
namespace {

using namespace motion;
using test::g;
using test::MotionLog;

World3 times(const Mat3& R, const World3& p) {
  World3 q{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) q[i] += R[i][j] * p[j];
  }
  return q;
}

/// Places a body on the floor so that its point at `arm` from the mass centre is at rest there.
void stand(SpatialMover& b, const World3& arm) {
  b.position = {0., 0., -arm[2]};
  const World3 v = cross(b.spin, arm);
  b.velocity = {-v[0], -v[1], -v[2]};
}

/// A leaning capsule on one of its ends, which falls over.
SpatialMover leaning_capsule(test::Random& random) {
  const double radius = random(0.02, 0.05), length = random(0.1, 0.3);
  const double azimuth = random(0., 6.), lean = random(0.1, 1.3);
  const double ca = std::cos(azimuth), sa = std::sin(azimuth);
  const double cl = std::cos(lean), sl = std::sin(lean);
  SpatialMover b{.name = "capsule",
                 .mass = 1.,
                 .solid = shapes::space::Capsule{radius, length},
                 .orientation = {{{ca * cl, -sa, ca * sl}, {sa * cl, ca, sa * sl}, {-sl, 0., cl}}},
                 .spin = {random(-2., 2.), random(-2., 2.), random(-4., 4.)}};
  World3 arm = times(b.orientation, {0., 0., -0.5 * length});
  arm[2] -= radius;
  stand(b, arm);
  return b;
}

/// Until slip has begun, and something else happens, or until something strikes.
class FirstSlip final : public Recorder {
 public:
  void event(const Event& e) override {
    if (onset < HUGE_VAL || e.kind == EventKind::impact) end = std::min(end, e.time);
    if (e.kind == EventKind::stick_to_slip) onset = std::min(onset, e.time);
  }
  void sample(const Sample& /*sample*/) override {}
  bool stop() override { return end < HUGE_VAL; }
  double onset = HUGE_VAL;
  double end = HUGE_VAL;
};

// The slope of log error over log tolerance, a mean over the scenes because errors scatter, and no
// error is far above the tolerance. States within steps count as much as their ends.
TEST(MotionOrder, ErrorsOfCapsulesThatBeginToSlip) {
  constexpr int tolerances = 11;  // 1e-7, ..., 1e-12
  for (const double more : {1., 1.3}) {
    std::vector<double> mean(tolerances, 0.);
    int scenes = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      test::Random random(seed + 9000);
      const SpatialModel model(
          {.bodies = {leaning_capsule(random)}, .ground = {test::plane("floor")}});
      const double mu = random(0.1, 0.6);
      const std::vector<Surface> surfaces{
          {.restitution = 0.3, .friction = mu, .static_friction = more * mu}};
      const auto until = [&](double end, double tolerance, Recorder& log) {
        return test::run(model, model.start(), surfaces,
                         {.end_time = end, .tolerance = tolerance, .sample_interval = HUGE_VAL},
                         log);
      };
      FirstSlip first;
      (void)until(0.6, 1e-10, first);
      const double time = std::sqrt(model.length_scale() / g);
      const double end = first.onset + 0.5 * std::min(time, first.end - first.onset);
      if (!(first.onset > 1e-6) || !(end < 0.6) || end - first.onset < 0.05 * time) continue;
      ++scenes;
      const auto state = [&](double tolerance) {
        MotionLog log;
        const Summary s = until(end, tolerance, log);
        EXPECT_EQ(s.ending, Ending::time) << seed << ' ' << s.reason;
        return s.progress.state.u;
      };
      const Vector exact = state(1e-14);
      const double speed = g * time;
      for (int k = 0; k < tolerances; ++k) {
        const double tolerance = std::pow(10., -7. - 0.5 * k);
        const double error = (state(tolerance) - exact).head<3>().norm() / speed;
        EXPECT_LT(error, 20. * tolerance) << more << ' ' << seed;
        mean[static_cast<std::size_t>(k)] += std::log10(error + 1e-16);
      }
    }
    ASSERT_GT(scenes, 20);
    double slope = 0., squares = 0.;
    for (int k = 0; k < tolerances; ++k) {
      const double x = -0.5 * (k - 0.5 * (tolerances - 1));
      slope += x * mean[static_cast<std::size_t>(k)] / scenes;
      squares += x * x;
    }
    EXPECT_GT(slope / squares, 0.95) << more;
  }
}

// The friction that a box on a corner needs exceeds what there is for 0.005 s, between the stages
// of a step that is eight times as long.
TEST(MotionOrder, SlipThatBeginsBetweenStagesIsFound) {
  const double a = -0.6867576, b = 1.0142514, c = 1.1040487;  // about z, about x, about y
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  const double cc = std::cos(c), sc = std::sin(c);
  const World3 size{0.17081286, 0.204873408, 0.212794498};
  SpatialMover box{.name = "box",
                   .mass = 1.4,
                   .solid = shapes::space::Box{size},
                   .orientation = {{{ca * cc - sa * sb * sc, -sa * cb, ca * sc + sa * sb * cc},
                                    {sa * cc + ca * sb * sc, ca * cb, sa * sc - ca * sb * cc},
                                    {-cb * sc, sb, cb * cc}}},
                   .spin = {-1.79233163, -0.908464189, 3.17420247}};
  stand(box, times(box.orientation, {0.5 * size[0], -0.5 * size[1], -0.5 * size[2]}));
  const SpatialModel model({.bodies = {box},
                            .ground = {test::plane("floor")},
                            .gravity = {-0.171435541, -0.0132003257, -9.80849303}});
  const double mu = 0.383740712;
  const std::vector<Surface> surfaces{{.friction = mu, .static_friction = 1.3 * mu}};
  for (int k = 14; k <= 22; ++k) {
    MotionLog log;
    const Options options{.end_time = 0.29, .tolerance = std::pow(10., -0.5 * k)};
    (void)test::run(model, model.start(), surfaces, options, log);
    ASSERT_EQ(log.events.size(), 3U) << k;  // with the start and the end
    EXPECT_EQ(log.events[1].kind, EventKind::stick_to_slip) << k;
    EXPECT_NEAR(log.events[1].time, 0.27793, 1e-4) << k;
  }
}

}  // namespace
}  // namespace carom
