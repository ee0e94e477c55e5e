// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Random bodies thrown at lines: every run ends in time, nothing sinks in, nothing gains energy by
// friction, and the account closes.
namespace carom {
namespace {

using namespace motion;

PlanarBody random_body(test::Random& random, std::size_t number) {
  PlanarBody body{.name = "body " + std::to_string(number)};
  body.mass = random(0.1, 2.);
  const double size = random(0.05, 0.2);
  body.inertia = body.mass * size * size * random(0.2, 0.5);
  if (random(0., 1.) < 0.5) {
    body.shape = shapes::plane::disc(size);
    return body;
  }
  const int corners = 2 + static_cast<int>(random(0., 4.));
  std::vector<shapes::plane::Point> vertices;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2. * std::numbers::pi * (k + random(-0.2, 0.2)) / corners;
    const double r = size * random(0.6, 1.);
    vertices.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  body.shape = corners == 2 ? shapes::plane::segment(vertices[0], vertices[1])
                            : shapes::plane::polygon(vertices);
  return body;
}

class Deepest final : public Recorder {
 public:
  void event(const Event& e) override {
    last = std::max(last, e.time);
    ++events;
  }
  void sample(const Sample& s) override {
    for (const double gap : s.gap) deepest = std::min(deepest, gap);
  }
  double deepest = 0.;
  double last = 0.;
  std::size_t events = 0;
};

class RandomScene : public testing::TestWithParam<int> {};

TEST_P(RandomScene, EndsAndBalances) {
  test::Random random(static_cast<std::uint64_t>(GetParam()), 5);
  PlanarScene scene;
  const auto bodies = static_cast<std::size_t>(1. + random(0., 2.5));
  for (std::size_t b = 0; b < bodies; ++b) scene.bodies.push_back(random_body(random, b));
  scene.ground.push_back(test::line("floor", {}, random(0., 1.) < 0.5 ? 0. : random(-0.3, 0.3)));
  if (random(0., 1.) < 0.4) {
    scene.ground.push_back(test::line("wall", {2., 0.}, std::numbers::pi / 2. + random(-0.5, 0.5)));
  }
  const PlanarModel model(scene);
  State from;
  from.q.setZero(static_cast<Eigen::Index>(3 * bodies));
  from.u = from.q;
  for (Eigen::Index b = 0; b < static_cast<Eigen::Index>(bodies); ++b) {
    from.q.segment<3>(3 * b) << 0.45 * static_cast<double>(b), random(1., 1.3), random(-3., 3.);
    from.u.segment<3>(3 * b) << random(-1., 1.5), random(-1., 1.), random(-10., 10.);
  }
  const double mu = random(0., 1.) < 0.2 ? 0. : random(0., 1.2);
  const Surface surface{.restitution = random(0., 1.) < 0.2 ? 0. : random(0., 0.85),
                        .friction = mu,
                        .static_friction = mu * (random(0., 1.) < 0.5 ? 1. : 1.3),
                        .stiffness = 1e8};
  const std::vector<Surface> surfaces(1, surface);
  Options options{.end_time = 4., .sample_interval = 0.01, .most_events = 20'000};
  options.several = &find_law("moreau", "law");
  if (random(0., 1.) < 0.3) options.settling = Settling::contact_time;
  Deepest log;
  const Summary s = test::run(model, from, surfaces, options, log);
  // A law may have no outcome; then the run says so, and nothing else may stop it.
  const bool lawless = s.reason.find("no outcome") != std::string::npos;
  EXPECT_EQ(s.ending, lawless ? Ending::failed : Ending::time) << s.reason << " at " << log.last;
  EXPECT_GT(log.deepest, -1e-7 * model.length_scale());
  const EnergyAccount& e = s.progress.energy;
  double scale = e.kinetic_start;
  for (const PlanarBody& body : scene.bodies) scale += body.mass * test::gravity;
  EXPECT_NEAR(e.gap(), 0., 1e-7 * scale);
  for (const double friction : e.friction) EXPECT_LE(friction, 1e-9 * scale);
  EXPECT_LE(e.dropped, 1e-9 * scale);
}

INSTANTIATE_TEST_SUITE_P(Motion, RandomScene, testing::Range(0, 60));

}  // namespace
}  // namespace carom
