// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/spatial_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_models.hpp"
#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Slip that begins in space: friction is opposite to slip from the first instant, errors are
// proportional to the tolerance, and the account closes. Error scales do not depend on how close a
// coordinate is to zero.
namespace carom {
namespace {

using namespace motion;
using test::Draw;
using test::MotionLog;

using test::g;

/// The largest angle between friction and -slip, relative to max(1e-6, 10 tolerance V/|slip|), with
/// V the reference speed. Samples and both sides of every event count.
class AngleLog final : public Recorder {
 public:
  AngleLog(const Model& model, double tolerance)
      : speed_(std::sqrt(model.length_scale() * model.acceleration_scale())),
        tolerance_(tolerance) {}
  void event(const Event& e) override { events.push_back(e); }
  void sample(const Sample& s) override { look(s); }
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const Sample& s, Side /*side*/) override { look(s); }

  [[nodiscard]] std::size_t onsets() const {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [](const Event& e) {
      return e.kind == EventKind::stick_to_slip;
    }));
  }

  std::vector<Event> events;
  double worst = 0.;
  std::size_t looked = 0;

 private:
  void look(const Sample& s) {
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      if (s.contacts[i].touch != Touch::slip) continue;
      const double* F = &s.force[3 * i];
      const double* v = &s.velocity[3 * i];
      const double slip = std::hypot(v[1], v[2]);
      if (!(slip > 10. * tolerance_ * speed_) || !(std::hypot(F[1], F[2]) > 0.)) continue;
      const double angle =
          std::atan2(std::abs(F[1] * v[2] - F[2] * v[1]), -(F[1] * v[1] + F[2] * v[2]));
      worst = std::max(worst, angle / std::max(1e-6, 10. * tolerance_ * speed_ / slip));
      ++looked;
    }
  }

  double speed_;
  double tolerance_;
};

std::vector<Surface> rough(double mu, double mu_s) {
  return std::vector<Surface>(1, {.restitution = 0.3, .friction = mu, .static_friction = mu_s});
}

Summary follow(const Model& model, const State& from, const std::vector<Surface>& surfaces,
               double end, double tolerance, Recorder& log, double interval) {
  return test::run(model, from, surfaces,
                   {.end_time = end, .tolerance = tolerance, .sample_interval = interval}, log);
}

/// The slope of log error over log tolerance by least squares.
double order(const std::vector<std::pair<double, double>>& points) {
  double x = 0., y = 0., xx = 0., xy = 0.;
  const auto n = static_cast<double>(points.size());
  for (const auto& [tolerance, error] : points) {
    const double a = std::log(tolerance), b = std::log(error);
    x += a / n;
    y += b / n;
    xx += a * a / n;
    xy += a * b / n;
  }
  return (xy - x * y) / (xx - x * x);
}

// A leaning coin that rolls on a table.
SpatialScene coin() {
  const double size = std::hypot(0.98, 0.2);
  const double c = 0.98 / size;
  const double s = 0.2 / size;
  return {.bodies = {{.name = "coin",
                      .mass = 0.0075,
                      .solid = shapes::space::Disc{0.0116},
                      .position = {0., 0., 0.01136572708185272},
                      .orientation = {{{1., 0., 0.}, {0., s, c}, {0., -c, s}}},
                      .velocity = {-0.264478144557, 0., 0.},
                      .spin = {0., -21.5556892932, -8.39912026391}}},
          .ground = {test::plane("table")}};
}

TEST(MotionOnset, FrictionOfACoinOpposesItsSlip) {
  const SpatialModel model(coin());
  for (const double mu_s : {0.4003, 0.402, 0.41}) {
    const auto surfaces = rough(0.4003, mu_s);
    for (const double tolerance : {1e-7, 1e-9, 1e-11, 1e-13}) {
      AngleLog log(model, tolerance);
      const Summary s = follow(model, model.start(), surfaces, 0.1, tolerance, log, 2e-5);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      EXPECT_EQ(log.onsets(), 1U) << mu_s << ' ' << tolerance;
      EXPECT_GT(log.looked, 500U);
      EXPECT_LT(log.worst, 1.) << mu_s << ' ' << tolerance;
      EXPECT_NEAR(s.progress.energy.gap(), 0., 10. * tolerance * s.progress.energy.kinetic_start)
          << mu_s << ' ' << tolerance;
    }
  }
}

// The geometric mean over several coins: the error of one depends on where its step happens to be
// when slip begins, because the course within a step is of order 7.
TEST(MotionOnset, ErrorsFallWithTheTolerance) {
  const SpatialModel model(coin());
  const std::vector<double> frictions{0.25, 0.3, 0.33, 0.36, 0.4003};
  std::vector<std::pair<double, double>> errors;
  for (int k = 14; k <= 24; ++k) errors.emplace_back(std::pow(10., -0.5 * k), 1.);
  for (const double mu : frictions) {
    const auto surfaces = rough(mu, mu);
    const auto end = [&](double tolerance) {
      MotionLog log;
      const Summary s = follow(model, model.start(), surfaces, 0.08, tolerance, log, HUGE_VAL);
      EXPECT_EQ(s.ending, Ending::time) << s.reason;
      return s.progress.state.q;
    };
    const Vector exact = end(1e-14);
    for (auto& [tolerance, mean] : errors) {
      const double error = (end(tolerance) - exact).norm();
      EXPECT_LT(error, 3. * tolerance) << mu;
      mean *= std::pow(error, 1. / static_cast<double>(frictions.size()));
    }
  }
  EXPECT_GT(order(errors), 0.9);
}

// Friction that is just sufficient at first: slip starts, stops and starts again.
TEST(MotionOnset, CoinsOfAnyFrictionGoOn) {
  const SpatialModel model(coin());
  std::size_t onsets = 0;
  for (int k = 0; k <= 30; ++k) {
    const double mu = 0.2 + 0.01 * k;
    const auto surfaces = rough(mu, mu);
    for (const double tolerance : {1e-7, 1e-9, 1e-11}) {
      AngleLog log(model, tolerance);
      const Summary s = follow(model, model.start(), surfaces, 0.5, tolerance, log, 1e-3);
      ASSERT_EQ(s.ending, Ending::time) << mu << ' ' << tolerance << ' ' << s.reason;
      EXPECT_LT(log.worst, 1.) << mu << ' ' << tolerance;
      EXPECT_LT(s.progress.steps, 2000U) << mu << ' ' << tolerance;
      EXPECT_NEAR(s.progress.energy.gap(), 0., 100. * tolerance * s.progress.energy.kinetic_start)
          << mu << ' ' << tolerance;
      onsets += log.onsets();
    }
  }
  EXPECT_GT(onsets, 100U);
}

/// A box on one corner, which does not slip at the start.
SpatialScene box_on_a_corner(Draw& draw) {
  const World3 size{draw.uniform(0.05, 0.3), draw.uniform(0.05, 0.3), draw.uniform(0.05, 0.3)};
  // About z, about x, about y.
  const double a = draw.uniform(0., 6.), b = draw.uniform(0.3, 1.2), c = draw.uniform(0.3, 1.2);
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  const double cc = std::cos(c), sc = std::sin(c);
  const Mat3 R{{{ca * cc - sa * sb * sc, -sa * cb, ca * sc + sa * sb * cc},
                {sa * cc + ca * sb * sc, ca * cb, sa * sc - ca * sb * cc},
                {-cb * sc, sb, cb * cc}}};
  World3 arm{};
  for (int corner = 0; corner < 8; ++corner) {
    World3 p{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        p[i] += R[i][j] * ((corner >> j & 1) != 0 ? 0.5 : -0.5) * size[j];
      }
    }
    if (p[2] < arm[2]) arm = p;
  }
  const World3 w{draw.uniform(-2., 2.), draw.uniform(-2., 2.), draw.uniform(-4., 4.)};
  const double slope = draw.uniform(0., 0.2);
  return {.bodies = {{.name = "box",
                      .mass = 1.3,
                      .solid = shapes::space::Box{size},
                      .position = {0., 0., -arm[2]},
                      .orientation = R,
                      .velocity = {w[2] * arm[1] - w[1] * arm[2], w[0] * arm[2] - w[2] * arm[0],
                                   w[1] * arm[0] - w[0] * arm[1]},
                      .spin = w}},
          .ground = {test::plane("floor")},
          .gravity = {g * std::sin(slope), 0., -g * std::cos(slope)}};
}

// Boxes that tip over a corner: some slip from the start, some later. They are followed until
// another corner strikes.
TEST(MotionOnset, BoxesOnACorner) {
  Draw draw(18);
  std::size_t slipped = 0;
  std::size_t later = 0;
  for (int k = 0; k < 60; ++k) {
    const SpatialModel model(box_on_a_corner(draw));
    const double mu = draw.uniform(0.1, 0.6);
    const auto surfaces = rough(mu, k % 3 == 0 ? 1.3 * mu : mu);
    for (const double tolerance : {1e-13, 1e-11, 1e-9, 1e-7}) {
      AngleLog log(model, tolerance);
      const Options options{.end_time = 0.5, .tolerance = tolerance, .sample_interval = 1e-3};
      // Stops before the next corner strikes.
      class Until final : public Recorder {
       public:
        explicit Until(AngleLog& log) : log_(log) {}
        void event(const Event& e) override {
          log_.event(e);
          over_ = over_ || e.kind == EventKind::impact;
        }
        void sample(const Sample& s) override { log_.sample(s); }
        [[nodiscard]] bool wants_sides() const override { return true; }
        void side(const Sample& s, Side side) override { log_.side(s, side); }
        bool stop() override { return over_; }

       private:
        AngleLog& log_;
        bool over_ = false;
      } until(log);
      const Summary s = test::run(model, model.start(), surfaces, options, until);
      ASSERT_NE(s.ending, Ending::failed) << k << ' ' << tolerance << ' ' << s.reason;
      EXPECT_LT(log.worst, 1.) << k << ' ' << tolerance;
      // The last event is an impact, whose law is accurate to about 1e-12.
      EXPECT_NEAR(s.progress.energy.gap(), 0.,
                  30. * std::max(tolerance, 1e-12) * 1.3 * g * model.length_scale())
          << k << ' ' << tolerance;
      if (tolerance == 1e-9) {
        slipped += log.looked > 0 ? 1 : 0;
        later += log.onsets();
      }
    }
  }
  EXPECT_GT(slipped, 30U);
  EXPECT_GT(later, 10U);
}

/// Bodies with a horizontal force on each mass centre, rate t (cos(a + w t), sin(a + w t)).
class Driven final : public Model {
 public:
  struct Drive {
    double rate = 0.;   ///< [N/s]
    double angle = 0.;  ///< [rad]
    double turn = 0.;   ///< [rad/s]
  };
  Driven(SpatialScene scene, std::vector<Drive> drives)
      : model_(std::move(scene)), drives_(std::move(drives)) {}
  [[nodiscard]] State start() const { return model_.start(); }
  [[nodiscard]] std::size_t positions() const override { return model_.positions(); }
  [[nodiscard]] std::size_t velocities() const override { return model_.velocities(); }
  [[nodiscard]] std::size_t contacts() const override { return model_.contacts(); }
  [[nodiscard]] std::size_t components() const override { return 3; }
  [[nodiscard]] std::string position_name(std::size_t i) const override {
    return model_.position_name(i);
  }
  [[nodiscard]] std::string velocity_name(std::size_t i) const override {
    return model_.velocity_name(i);
  }
  [[nodiscard]] std::vector<VelocityRange> blocks() const override { return model_.blocks(); }
  [[nodiscard]] ContactId contact_id(std::size_t i) const override { return model_.contact_id(i); }
  [[nodiscard]] std::string contact_name(const ContactId& id) const override {
    return model_.contact_name(id);
  }
  [[nodiscard]] std::size_t surface_of(const ContactId& id) const override {
    return model_.surface_of(id);
  }
  void near_pairs(const State& s, double reach, std::vector<BodyPair>& out) const override {
    model_.near_pairs(s, reach, out);
  }
  void near_contacts(const BodyPair& pair, const State& s, double reach,
                     std::vector<NearContact>& out) const override {
    model_.near_contacts(pair, s, reach, out);
  }
  [[nodiscard]] double moved(const State& from, const State& to) const override {
    return model_.moved(from, to);
  }
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return model_.position_unit(i);
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return model_.velocity_unit(i);
  }
  void kinematics(const State& s, Vector& rate) const override { model_.kinematics(s, rate); }
  void dynamics(const State& s, MassMatrix& M, Vector& h) const override {
    model_.dynamics(s, M, h);
    for (std::size_t b = 0; b < drives_.size(); ++b) {
      const auto F = force(b, s.time);
      h(static_cast<Eigen::Index>(6 * b)) += F[0];
      h(static_cast<Eigen::Index>(6 * b + 1)) += F[1];
    }
  }
  [[nodiscard]] double gap(const ContactId& id, const State& s) const override {
    return model_.gap(id, s);
  }
  void contact(const ContactId& id, const State& s, ContactMotion& m) const override {
    model_.contact(id, s, m);
  }
  [[nodiscard]] double potential_energy(const State& s) const override {
    return model_.potential_energy(s);
  }
  [[nodiscard]] OtherPower other_power(const State& s) const override {
    OtherPower power = model_.other_power(s);
    for (std::size_t b = 0; b < drives_.size(); ++b) {
      const auto F = force(b, s.time);
      power.drives += F[0] * s.u(static_cast<Eigen::Index>(6 * b)) +
                      F[1] * s.u(static_cast<Eigen::Index>(6 * b + 1));
    }
    return power;
  }
  [[nodiscard]] double length_scale() const override { return model_.length_scale(); }
  [[nodiscard]] double acceleration_scale() const override { return model_.acceleration_scale(); }
  void normalise(State& s) const override { model_.normalise(s); }

 private:
  [[nodiscard]] std::array<double, 2> force(std::size_t b, double time) const {
    const Drive& d = drives_[b];
    const double angle = d.angle + d.turn * time;
    return {d.rate * time * std::cos(angle), d.rate * time * std::sin(angle)};
  }
  SpatialModel model_;
  std::vector<Drive> drives_;
};

SpatialScene balls(std::size_t count, double radius, double mass) {
  SpatialScene scene{.bodies = {}, .ground = {test::plane("floor")}, .bodies_strike = false};
  for (std::size_t b = 0; b < count; ++b) {
    scene.bodies.push_back({.name = "ball" + std::to_string(b),
                            .mass = mass,
                            .solid = shapes::space::Sphere{radius},
                            .position = {0., static_cast<double>(b), radius}});
  }
  return scene;
}

// Balls driven by f t roll until 2/7 f t = mu m g. Then slip is f (t - t0)^2/(2 m). Several start
// at one instant, each in a direction of its own.
TEST(MotionOnset, DrivenBallsHaveAClosedForm) {
  const double r = 0.1, m = 0.5, mu = 0.3, f = 20., end = 0.5;
  const double t0 = 3.5 * mu * m * g / f;
  ASSERT_LT(t0, 0.9 * end);
  for (std::size_t count = 1; count <= 3; ++count) {
    std::vector<Driven::Drive> drives;
    for (std::size_t b = 0; b < count; ++b) drives.push_back({f, 0.7 + 1.1 * double(b), 0.});
    const Driven model(balls(count, r, m), drives);
    for (const double tolerance : {1e-7, 1e-9, 1e-12}) {
      AngleLog log(model, tolerance);
      const Summary s = follow(model, model.start(), rough(mu, mu), end, tolerance, log, 1e-3);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      EXPECT_LT(log.worst, 1.) << count << ' ' << tolerance;
      const double since = end - t0;
      const double slip = 0.5 * f / m * since * since;
      for (std::size_t b = 0; b < count; ++b) {
        const auto k = static_cast<Eigen::Index>(6 * b);
        const Vector& u = s.progress.state.u;
        const double c = std::cos(drives[b].angle), d = std::sin(drives[b].angle);
        const double along = c * u(k) + d * u(k + 1);
        const double spin = c * u(k + 4) - d * u(k + 3);
        EXPECT_NEAR(along, 0.5 * f / m * end * end - mu * g * since - f / 7. / m * t0 * t0,
                    100. * tolerance)
            << count << ' ' << tolerance;
        EXPECT_NEAR(along - r * spin, slip, 100. * tolerance);
        EXPECT_NEAR(d * u(k) - c * u(k + 1), 0., 100. * tolerance);
      }
    }
  }
}

// Drives whose direction turns: the direction of slip follows it. The error of one run scatters by
// ten with the steps, which rounding decides where an error estimate is close to its limit; its
// mean over the scenes is proportional to the tolerance.
TEST(MotionOnset, TurningDrives) {
  constexpr double scenes = 6.;
  std::vector<std::pair<double, double>> errors;
  for (int k = 12; k >= 7; --k) errors.emplace_back(std::pow(10., -k), 1.);
  for (const double turn : {-40., -6., 15.}) {
    for (const double mu : {0.1, 0.4}) {
      const Driven model(balls(2, 0.1, 0.5), {{20., 0.3, turn}, {25., 2., -0.7 * turn}});
      const auto surfaces = rough(mu, mu);
      const auto end = [&](double tolerance) {
        AngleLog log(model, tolerance);
        const Summary s = follow(model, model.start(), surfaces, 0.6, tolerance, log, 1e-3);
        EXPECT_EQ(s.ending, Ending::time) << turn << ' ' << mu << ' ' << tolerance << s.reason;
        EXPECT_GT(log.looked, 10U) << turn << ' ' << mu;
        EXPECT_LT(log.worst, 1.) << turn << ' ' << mu << ' ' << tolerance;
        EXPECT_NEAR(s.progress.energy.gap(), 0., 100. * tolerance) << turn << ' ' << mu;
        return s.progress.state.u;
      };
      const Vector exact = end(1e-14);
      for (auto& [tolerance, mean] : errors) {
        const double error = (end(tolerance) - exact).norm();
        EXPECT_LT(error, 100. * tolerance) << turn << ' ' << mu;
        mean *= std::pow(error, 1. / scenes);
      }
    }
  }
  EXPECT_GT(order(errors), 0.9);
}

// A rod that falls over in a vertical plane, its foot on the floor: the planar model has the same
// motion. The plane stands at any angle to the axes of the contact.
TEST(MotionOnset, PlanarTwins) {
  const double l = 0.5, m = 2.;
  const PlanarModel plane(test::rod_on_floor(l, m));
  for (const double mu : {0.1, 0.2, 0.3, 0.35}) {
    for (const double azimuth : {0., 0.4, 2.3}) {
      const double lean = 0.3;  // from the vertical
      const double c = std::cos(azimuth), s = std::sin(azimuth);
      const double x = std::sin(lean), z = std::cos(lean);
      // The rod is its body's z, (x c, x s, z).
      const SpatialModel space(
          {.bodies = {{.name = "rod",
                       .mass = m,
                       .solid = shapes::space::Rod{2. * l},
                       .position = {0., 0., l * z},
                       .orientation = {{{z * c, -s, x * c}, {z * s, c, x * s}, {-x, 0., z}}}}},
           .ground = {test::plane("floor")}});
      const double end = 0.5, tolerance = 1e-12;
      const std::vector<Surface> one(space.contacts(), {.friction = mu});
      const std::vector<Surface> two(plane.contacts(), {.friction = mu});
      AngleLog in_space(space, tolerance);
      MotionLog in_plane;
      const Summary a = follow(space, space.start(), one, end, tolerance, in_space, 1e-2);
      const Summary b =
          follow(plane, test::state({0., l * z, std::numbers::pi / 2. - lean}, {0., 0., 0.}), two,
                 end, tolerance, in_plane, 1e-2);
      ASSERT_EQ(a.ending, Ending::time) << a.reason;
      ASSERT_EQ(b.ending, Ending::time) << b.reason;
      ASSERT_EQ(in_space.events.size(), in_plane.events.size()) << mu << ' ' << azimuth;
      for (std::size_t k = 0; k < in_plane.events.size(); ++k) {
        EXPECT_EQ(in_space.events[k].kind, in_plane.events[k].kind) << mu << ' ' << azimuth;
        EXPECT_NEAR(in_space.events[k].time, in_plane.events[k].time, 1e-9) << mu << ' ' << azimuth;
      }
      EXPECT_LT(in_space.worst, 1.);
      const Vector& q = a.progress.state.q;
      const Vector& u = a.progress.state.u;
      EXPECT_NEAR(c * q(0) + s * q(1), b.progress.state.q(0), 1e-9) << mu << ' ' << azimuth;
      EXPECT_NEAR(q(2), b.progress.state.q(1), 1e-9) << mu << ' ' << azimuth;
      EXPECT_NEAR(s * q(0) - c * q(1), 0., 1e-9) << mu << ' ' << azimuth;
      EXPECT_NEAR(c * u(0) + s * u(1), b.progress.state.u(0), 1e-9) << mu << ' ' << azimuth;
      EXPECT_NEAR(c * u(4) - s * u(3), -b.progress.state.u(2), 1e-9) << mu << ' ' << azimuth;
    }
  }
}

// Boxes on an edge that slide, stick and slip again with mu_s > mu. Both corners of the edge reach
// the limit together and are released together, whichever was found first (204 was not). What
// rounding leaves of an approach where they land flat is no event (51, 333, 557, 907, 953).
TEST(MotionOnset, TippedBoxesWithStaticFrictionAreTheirPlanarTwins) {
  std::size_t released = 0;
  for (const std::uint64_t seed :
       {2U, 4U, 9U, 10U, 14U, 25U, 45U, 60U, 136U, 204U, 213U, 258U, 51U, 333U, 557U, 907U, 953U}) {
    SCOPED_TRACE(seed);
    test::Random random(seed + 7000);
    const double length = random(0.1, 0.3), depth = random(0.1, 0.3), height = random(0.1, 0.3);
    const double azimuth = random(0., 6.283), tip = random(0.05, 1.2);
    const double mu = random(0.02, 0.5), more = random(1.01, 2.);
    const double v = random(0., 1.) < 0.5 ? 0. : random(-1., 1.);
    const double w = random(0., 1.) < 0.5 ? 0. : random(-3., 3.);
    const double ca = std::cos(azimuth), sa = std::sin(azimuth);
    const double ct = std::cos(tip), st = std::sin(tip);
    const double z = 0.5 * (length * st + height * ct);
    const double rise = -0.5 * w * (length * ct - height * st);  // the edge stays on the floor
    const SpatialModel space(
        {.bodies =
             {{.name = "box",
               .mass = 1.,
               .solid = shapes::space::Box{.size = {length, depth, height}},
               .position = {0., 0., z},
               .orientation = {{{ca * ct, -sa, ca * st}, {sa * ct, ca, sa * st}, {-st, 0., ct}}},
               .velocity = {ca * v, sa * v, rise},
               .spin = {sa * w, -ca * w, 0.}}},
         .ground = {test::plane("floor")}});
    const PlanarModel plane(test::block_on_floor(0.5 * length, 0.5 * height, 1.));
    const std::vector<Surface> surfaces{
        {.restitution = 0., .friction = mu, .static_friction = more * mu}};
    Options options{.end_time = 0.6, .tolerance = 1e-12, .sample_interval = 0.01, .most_events = 5};
    options.law = options.several = &find_law("moreau", "law");
    MotionLog in_space, in_plane;
    (void)test::run(space, space.start(), surfaces, options, in_space);
    (void)test::run(plane, test::state({0., z, -tip}, {v, rise, w}), surfaces, options, in_plane);
    ASSERT_EQ(in_space.events.size(), in_plane.events.size());
    for (std::size_t k = 0; k < in_plane.events.size(); ++k) {
      EXPECT_EQ(in_space.events[k].kind, in_plane.events[k].kind);
      EXPECT_NEAR(in_space.events[k].time, in_plane.events[k].time, 1e-9);
      if (in_plane.events[k].kind == EventKind::stick_to_slip) ++released;
    }
    ASSERT_EQ(in_space.samples.size(), in_plane.samples.size());
    for (std::size_t k = 0; k < in_plane.samples.size(); ++k) {
      const auto& q = in_space.samples[k].q;
      EXPECT_NEAR(ca * q(0) + sa * q(1), in_plane.samples[k].q(0), 1e-9);
      EXPECT_NEAR(sa * q(0) - ca * q(1), 0., 1e-9);
      EXPECT_NEAR(q(2), in_plane.samples[k].q(1), 1e-9);
    }
  }
  EXPECT_GE(released, 12U);
}

// A particle on a slope that is almost as steep as its friction angle stops slowly: its direction
// turns far faster than its slip falls. Steps must not follow that rate.
TEST(MotionOnset, SlipThatStopsSlowly) {
  const double slope = 0.3;
  for (const double excess : {1e-1, 1e-2, 1e-3}) {
    const double mu = std::tan(slope) * (1. + excess);
    const SpatialModel model(
        {.bodies = {{.name = "box",
                     .mass = 1.,
                     .solid = shapes::space::Sphere{0.1},
                     .inertia = Mat3{{{1e12, 0., 0.}, {0., 1e12, 0.}, {0., 0., 1e12}}},
                     .position = {0., 0., 0.1},
                     .velocity = {0.01, 0.002, 0.}}},
         .ground = {test::plane("slope")},
         .gravity = {g * std::sin(slope), 0., -g * std::cos(slope)}});
    const double k = mu / std::tan(slope);
    const double psi = std::atan2(0.002, 0.01);
    const double v0 = std::hypot(0.002, 0.01);
    const double w = std::tan(psi / 2.);
    const double C = v0 * std::sin(psi) / std::pow(w, k);
    const double time = C / (2. * g * std::sin(slope)) *
                        (std::pow(w, k - 1.) / (k - 1.) + std::pow(w, k + 1.) / (k + 1.));
    for (const double tolerance : {1e-7, 1e-9, 1e-11}) {
      AngleLog log(model, tolerance);
      const Summary s =
          follow(model, model.start(), rough(mu, mu), 2. * time, tolerance, log, time / 300.);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      ASSERT_EQ(log.events.size(), 3U) << excess << ' ' << tolerance;
      EXPECT_NEAR(log.events[1].time, time, 1e3 * tolerance / excess) << excess << ' ' << tolerance;
      EXPECT_LT(log.worst, 1.) << excess << ' ' << tolerance;
      EXPECT_LT(s.progress.steps, 400U) << excess << ' ' << tolerance;
    }
  }
}

// A run that ends within a step and is resumed takes the same steps.
TEST(MotionOnset, PiecesGiveTheSameBits) {
  const SpatialModel model(coin());
  const auto surfaces = rough(0.3, 0.3);
  const auto options = [](double end) {
    return Options{.end_time = end, .sample_interval = HUGE_VAL};
  };
  MotionLog log;
  const Summary whole = follow(model, model.start(), surfaces, 0.2, 1e-9, log, HUGE_VAL);
  Progress p = start(model, model.start(), surfaces, options(0.2));
  for (int k = 1; k <= 400; ++k) {
    p = simulate(model, surfaces, options(0.2 * k / 400.), p, log).progress;
  }
  ASSERT_EQ(whole.ending, Ending::time);
  EXPECT_EQ(whole.progress.state.q, p.state.q);
  EXPECT_EQ(whole.progress.state.u, p.state.u);
}

/// A mass on a slide with a spring and a stop 10 m away.
MovingLinkage slide(double position, double axis) {
  MovingLinkage d;
  d.linkage.links = {
      {.name = "m", .mass = 1., .joint = JointKind::prismatic, .axis = axis, .position = position}};
  d.joint_springs = {{.link = 0, .stiffness = 100.}};
  return d;
}

// x = A (sin Wt - W/w0 sin w0 t), A = a/(w0^2 - W^2).
TEST(MotionOnset, RestAtTheOriginWithADriveFromZero) {
  MovingLinkage d = slide(0., 0.);
  d.gravity = {0., 0.};
  d.motors = {{.link = 0, .effort = {.amplitude = 5., .frequency = 3.}}};
  d.contacts = {
      {.name = "stop",
       .point = {.link = 0},
       .target = LineTarget{.through = {.link = ground, .point = {10., 0.}}, .normal = {-1., 0.}}}};
  const double w0 = 10., W = 6. * std::numbers::pi, A = 5. / (w0 * w0 - W * W);
  for (const bool stop : {true, false}) {
    if (!stop) d.contacts.clear();
    const LinkageModel model(d);
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      MotionLog log;
      const Summary s = follow(model, model.start(), rough(0., 0.), 1., tolerance, log, 0.01);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      EXPECT_LT(s.progress.steps, 300U);
      for (const auto& sample : log.samples) {
        const double t = sample.time;
        EXPECT_NEAR(sample.q(0), A * (std::sin(W * t) - W / w0 * std::sin(w0 * t)),
                    10. * tolerance);
        EXPECT_NEAR(sample.u(0), A * W * (std::cos(W * t) - std::cos(w0 * t)), 100. * tolerance);
      }
    }
  }
}

TEST(MotionOnset, StepsDoNotDependOnACoordinateNearZero) {
  for (const bool stop : {true, false}) {
    std::size_t most = 0;
    std::size_t least = 1000000;
    for (const double position : {0., 1e-15, 1e-12, -1e-9, 1e-9, 1e-6, 1e-3}) {
      MovingLinkage d = slide(position, std::numbers::pi / 2.);
      d.contacts = {{.name = "stop",
                     .point = {.link = 0},
                     .target = LineTarget{.through = {.link = ground, .point = {0., -10.}}}}};
      if (!stop) d.contacts.clear();
      const LinkageModel model(d);
      MotionLog log;
      const Summary s = follow(model, model.start(), rough(0., 0.), 1., 1e-9, log, HUGE_VAL);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      // About -m g/k with the angular frequency sqrt(k/m).
      EXPECT_NEAR(s.progress.state.q(0), -g / 100. + (position + g / 100.) * std::cos(10.), 1e-8);
      most = std::max(most, s.progress.steps);
      least = std::min(least, s.progress.steps);
    }
    EXPECT_LE(most, least + 2) << stop;
    EXPECT_LT(most, 60U) << stop;
  }
}

}  // namespace
}  // namespace carom
