// SPDX-License-Identifier: Apache-2.0
// The disc that a ball strikes, and what it does then.
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/surface_reader.hpp>

namespace carom::scenario {
namespace {

/// The disc by itself: as it was struck, or is let go.
DiscBall read_disc_alone(const Table& t) {
  t.only(
      {"type", "disc_mass", "radius", "half_thickness", "angle_deg", "disc_velocity", "disc_spin"});
  DiscBall s;
  s.disc_mass = t.number("disc_mass");
  s.radius = t.number("radius");
  s.half_thickness = t.number("half_thickness");
  const double angle = t.number("angle_deg", 90.);
  if (!(angle > 0. && angle < 180.)) {
    t.fail("angle_deg", "must be in (0, 180), got " + shortest(angle));
  }
  s.angle = angle == 90. ? 0.5 * std::numbers::pi : angle * degree;
  s.disc_velocity = t.pair("disc_velocity", s.disc_velocity);
  s.disc_spin = t.number("disc_spin", 0.);
  return s;
}

/// Seen along the face: a rectangle that stands on its short side at theta = 90 degrees.
void draw(const DiscBall& disc, Drawing& drawing) {
  const double r = disc.radius, h = disc.half_thickness;
  drawing.outlines.push_back({.body = "disc",
                              .figure = {.corners = {{-r, -h}, {r, -h}, {r, h}, {-r, h}}},
                              .pose = [](const State& s) {
                                return PlanarPose{.origin = {s.q(0), s.q(1)}, .angle = s.q(2)};
                              }});
  drawing.lines.push_back({.name = "ground"});
}

/// The disc as the ball leaves it.
struct AtStart {
  explicit AtStart(const MotionScenario& s) : h(3) {
    MassMatrix mass(s.model->blocks());
    s.model->dynamics(s.start, mass, h);
    M = dense(mass);
    for (std::size_t i = 0; i < 3; ++i) {
      s.model->contact(s.model->contact_id(i), s.start, contacts[i]);
      mobility[i] = solve_definite(M, contacts[i].W.col(0));
      G[i] = mobility[i].dot(contacts[i].W.col(0));
    }
  }
  Matrix M;
  Vector h;
  std::array<ContactMotion, 3> contacts{};
  std::array<Vector, 3> mobility{};  ///< M^-1 w_n
  std::array<double, 3> G{};         ///< G_nn [1/kg]

  /// gap'' without contact force [m/s^2].
  [[nodiscard]] double acceleration(std::size_t i) const {
    return mobility[i].dot(h) + contacts[i].bias(0);
  }
};

/// Hertz's duration of an impact with relative speed v; as in motion, for any exponent.
double hertz_time(const Surface& s, double mass, double v) {
  const double p = 1. / (s.exponent + 1.);
  const double deepest = std::pow((s.exponent + 1.) * mass * v * v / (2. * s.stiffness), p);
  return 2. * p * std::tgamma(p) * std::tgamma(0.5) / std::tgamma(p + 0.5) * deepest / v;
}

// The contact with the smallest v_n among those with v_n/(a T_c) < 1 stays closed; what is left of
// its v_n goes along M^-1 W [Liu, Zhang, Zhao & Brogliato 2013, eq. 2.37]; but only where it is
// pressed then.
void settle(MotionScenario& s) {
  const AtStart now(s);
  std::size_t least = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const ContactMotion& c = now.contacts[i];
    const double v = c.velocity(0);
    if (!(v > 0.) || std::abs(c.gap) > 1e-12 * s.model->length_scale()) continue;
    if (least < 3 && v >= now.contacts[least].velocity(0)) continue;
    const double T = s.options.contact_time == motion::ContactTime::given
                         ? s.options.given_contact_time
                         : hertz_time(s.surfaces[i], 1. / now.G[i], v);
    const double a = c.bias(0) - now.acceleration(i);  // bias is all that speed adds
    if (v < a * T) least = i;
  }
  if (least == 3) return;
  const Vector before = s.start.u;
  const double v = now.contacts[least].velocity(0);
  s.start.u -= v / now.G[least] * now.mobility[least];
  if (!(AtStart(s).acceleration(least) < 0.)) {
    s.start.u = before;
    return;
  }
  s.first_impact->settled = s.model->contact_name(s.model->contact_id(least));
  s.first_impact->dropped = 0.5 * (s.start.u.dot(now.M * s.start.u) - before.dot(now.M * before));
}

constexpr std::size_t first_of_disc = 2;  // in DiscBall's coordinates, after the ball's

}  // namespace

void read_disc_motion(const Table& top, const Table& motion, MotionScenario& s) {
  const Table t = top.table("system");
  const bool struck = t.has("ball_velocity") || t.has("ball_mass");
  const DiscBall disc = struck ? read_disc_ball(t) : read_disc_alone(t);
  if (motion.has("gravity") && motion.depth("gravity") > 0) {
    motion.fail("gravity", "must be one number for the disc, downwards");
  }
  auto model = std::make_unique<DiscModel>(Disc{.mass = disc.disc_mass,
                                                .radius = disc.radius,
                                                .half_thickness = disc.half_thickness,
                                                .gravity = -planar_gravity(motion)[1]});
  // On the ground, the lower edge of its rim touching.
  const double height =
      disc.radius * std::sin(disc.angle) + disc.half_thickness * std::abs(std::cos(disc.angle));
  s.start.q =
      Eigen::Vector3d(0., disc.angle == 0.5 * std::numbers::pi ? disc.radius : height, disc.angle);
  s.start.u = Eigen::Vector3d(disc.disc_velocity[0], disc.disc_velocity[1], disc.disc_spin);
  s.model = std::move(model);
  draw(disc, s.drawing);
  if (!struck) return;
  const SystemAtImpact at = at_impact(disc);
  const std::array kinds{in_the_plane, several_contacts};
  Surfaces all = read_surfaces(top, at.names, kinds);
  s.stiffness_given = all.has("stiffness");
  s.surfaces = std::move(all.each);
  s.first_impact = FirstImpact{.contacts = at.names, .coordinates = at.coordinates, .before = at.u};
}

void strike_disc(const Table& system, MotionScenario& s) {
  SystemAtImpact at = at_impact(read_disc_ball(system));
  at.problem.surfaces = s.surfaces;
  located(system, [&] { validate(at.problem); });
  FirstImpact& first = *s.first_impact;
  Workspace workspace;
  s.options.several->several(at.problem, s.options.several_options, workspace, nullptr,
                             first.outcome);
  first.after = at.velocity_after(first.outcome.impulse);
  for (std::size_t i = 0; i < 3; ++i) {
    s.start.u(static_cast<Eigen::Index>(i)) = first.after[first_of_disc + i];
  }
  s.surfaces.resize(s.model->contacts());  // D has gone with the ball
  if (s.options.settling == motion::Settling::contact_time) settle(s);
}

}  // namespace carom::scenario
