// SPDX-License-Identifier: Apache-2.0
// Vehicles: conventions and hand calculations, files, speeds before from velocities after, and the
// barrier tests of data/measured.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <carom/core/error.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/quantity.hpp>

namespace carom::test {
namespace {

using study::Comparison;

std::string example(const std::string& name) {
  return scenario::read_text(CAROM_SOURCE_DIR "/examples/" + name + ".toml");
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Comparison solved(const std::string& text) {
  return study::compare_laws(scenario::parse(text, "f.toml"));
}

/// What is said of `text`.
std::string said(const std::string& text) {
  try {
    (void)solved(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// After, of the first law; of vehicle i or of the impact.
double value(const Comparison& c, const char* name, std::size_t i = 0) {
  return value_of(study::find_quantity(name, "test"), view_of(c, c.answers.front()), i);
}
double before(const Comparison& c, const char* name, std::size_t i = 0) {
  return study::find_quantity(name, "test").before(view_of(c, c.answers.front()), i);
}

constexpr double kmh = 1. / 3.6;

// --- conventions and hand calculations -----------------------------------------------------------

TEST(Vehicles, PrincipalDirectionOfForceIsClockwiseFromAhead) {
  // Changes of velocity (forward, left): from ahead, the right, behind, the left.
  EXPECT_EQ(principal_direction({-10., 0.}), 0.);
  EXPECT_DOUBLE_EQ(principal_direction({0., 10.}), 90.);
  EXPECT_EQ(principal_direction({10., 0.}), 180.);
  EXPECT_EQ(principal_direction({10., -0.}), 180.);  // never -180
  EXPECT_DOUBLE_EQ(principal_direction({0., -10.}), -90.);
  EXPECT_DOUBLE_EQ(principal_direction({-10., 10.}), 45.);
  EXPECT_TRUE(std::isnan(principal_direction({0., 0.})));
  EXPECT_EQ(clock_direction(0.), 12.);
  EXPECT_EQ(clock_direction(14.), 12.);
  EXPECT_EQ(clock_direction(16.), 1.);
  EXPECT_EQ(clock_direction(90.), 3.);
  EXPECT_EQ(clock_direction(180.), 6.);
  EXPECT_EQ(clock_direction(-90.), 9.);
  EXPECT_EQ(clock_direction(-16.), 11.);
}

const std::string frontal = R"(
[system]
type = "vehicles"
contact_angle_deg = 90
[[system.vehicles]]
name = "car"
mass = 1500
length = 4.5
width = 1.8
heading_deg = 0
speed_kmh = 54
impulse_centre = [2.2, 0]
drag_factor = 0.5
[surface]
restitution = 0.2
friction = 0.5
)";

// 54 km/h = 15 m/s into a wall with e = 0.2: it comes back at 3 m/s.
TEST(Vehicles, FrontalBarrierByHand) {
  const Comparison c = solved(frontal);
  EXPECT_NEAR(before(c, "speed"), 15., 1e-12);
  EXPECT_NEAR(value(c, "speed"), 3., 1e-12);
  EXPECT_NEAR(value(c, "speed_kmh"), 10.8, 1e-11);
  EXPECT_NEAR(value(c, "speed_mph"), 3. / 0.44704, 1e-11);
  EXPECT_NEAR(before(c, "course"), 0., 1e-12);
  EXPECT_NEAR(value(c, "course"), 180., 1e-12);
  EXPECT_NEAR(value(c, "delta_v"), 18., 1e-12);
  EXPECT_NEAR(value(c, "delta_v_forward"), -18., 1e-12);
  EXPECT_NEAR(value(c, "delta_v_left"), 0., 1e-12);
  EXPECT_NEAR(value(c, "pdof"), 0., 1e-9);
  EXPECT_EQ(value(c, "pdof_clock"), 12.);
  EXPECT_NEAR(value(c, "closing_speed"), 3., 1e-12);
  EXPECT_NEAR(before(c, "closing_speed"), 15., 1e-12);
  EXPECT_NEAR(value(c, "yaw_rate"), 0., 1e-12);
  // Energy lost m (15^2 - 3^2)/2 = m EES^2/2; travel 3^2/(2 0.5 g).
  EXPECT_NEAR(value(c, "ees"), std::sqrt(15. * 15. - 3. * 3.), 1e-12);
  EXPECT_NEAR(value(c, "travel"), 9. / 9.80665, 1e-12);
}

// Central: both have (1500 12.5 + 1200 0)/2700 m/s afterwards.
TEST(Vehicles, CommonVelocityByHand) {
  std::string text = example("vehicles/rear-end");
  text = with(with(text, "[2.0, 0.2]", "[2.0, 0]"), "[-1.9, 0.1]", "[-1.9, 0]");
  const Comparison c = solved(text);
  const double v = 1500. * 12.5 / 2700.;
  const double lost = 0.5 * 1500. * 1200. / 2700. * 12.5 * 12.5;
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(value(c, "speed", i), v, 1e-12);
  EXPECT_NEAR(value(c, "delta_v", 0), 12.5 - v, 1e-12);
  EXPECT_NEAR(value(c, "delta_v", 1), v, 1e-12);
  EXPECT_EQ(value(c, "pdof_clock", 0), 12.);
  EXPECT_EQ(value(c, "pdof_clock", 1), 6.);
  EXPECT_NEAR(value(c, "ees", 0), std::sqrt(lost / 1500.), 1e-12);  // half of the energy each
  EXPECT_NEAR(value(c, "ees", 1), std::sqrt(lost / 1200.), 1e-12);
  EXPECT_TRUE(std::isnan(before(c, "course", 1)));  // it stands
  // The share of one decides that of the other.
  const Comparison d = solved(with(text, "heading_deg = 0\nspeed_kmh = 45",
                                   "crush_share = 0.2\nheading_deg = 0\nspeed_kmh = 45"));
  EXPECT_NEAR(value(d, "ees", 0), std::sqrt(0.4 * lost / 1500.), 1e-12);
  EXPECT_NEAR(value(d, "ees", 1), std::sqrt(1.6 * lost / 1200.), 1e-12);
}

// A uniform rectangle, m (l^2 + w^2)/12, where no yaw inertia is given.
TEST(Vehicles, YawInertiaOfARectangle) {
  const Comparison c = solved(frontal);
  EXPECT_NEAR(c.system.vehicles->each[0].yaw_inertia, 1500. * (4.5 * 4.5 + 1.8 * 1.8) / 12., 1e-9);
}

// The same two cars as bodies: examples/two-cars.toml.
TEST(Vehicles, AreTheBodiesOfTwoCars) {
  std::string text = with(example("vehicles/intersection"), "speed_kmh = 50", "speed = 13.9");
  text = with(with(text, "speed_kmh = 40", "speed = 11.1"), "[1.7, 0.8]", "[1.7, 0.8]");
  const Comparison vehicles = solved(text);
  const auto bodies = scenario::parse(example("two-cars"), "two-cars.toml");
  const Law* brach = find_law("brach");
  const Comparison b = study::compare_laws(bodies, {.laws = {&brach, 1}});
  ASSERT_EQ(vehicles.answers.front().law, brach);  // what vehicles are solved with
  const auto& u = vehicles.answers.front().velocity_after;
  const auto& v = b.answers.front().velocity_after;
  ASSERT_EQ(u.size(), v.size());
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], v[i], 1e-12);
}

// --- coefficients --------------------------------------------------------------------------------

TEST(Vehicles, ImpulseRatioInPerCentOfCritical) {
  const std::string text = example("vehicles/sideswipe");
  const auto at = [&](const std::string& percent) {
    return solved(with(text, "impulse_ratio_percent = 30", "impulse_ratio_percent = " + percent));
  };
  const Comparison none = at("0");
  const Comparison half = at("50");
  const Comparison all = at("100");
  EXPECT_EQ(value(none, "impulse_ratio"), 0.);
  EXPECT_NEAR(value(half, "impulse_ratio_percent"), 50., 1e-9);
  EXPECT_EQ(value(all, "slip"), 0.);
  EXPECT_NEAR(value(all, "impulse_ratio_percent"), 100., 1e-9);
  const double critical = value(half, "brach_critical_impulse_ratio");
  EXPECT_NEAR(value(half, "impulse_ratio"), 0.5 * critical, 1e-12 * critical);
  // With the ratio itself the same comes out.
  const Comparison given = solved(
      with(text, "impulse_ratio_percent = 30", "impulse_ratio = " + shortest(0.5 * critical)));
  EXPECT_NEAR(value(given, "delta_v", 1), value(half, "delta_v", 1), 1e-12);
  // Also with a couple, where it ends slip as well.
  const std::string couple = "\nmoment_coefficients = 0";
  const Comparison twisted = solved(
      with(text, "impulse_ratio_percent = 30", "impulse_ratio_percent = 99.99999999" + couple));
  EXPECT_NEAR(value(twisted, "slip"), 0., 1e-6);
  EXPECT_NE(value(twisted, "couple"), 0.);
}

TEST(Vehicles, CommonVelocityEndsAllMotionAtTheContact) {
  const Comparison c = solved(example("vehicles/rear-end"));
  EXPECT_EQ(value(c, "normal_velocity"), 0.);
  EXPECT_EQ(value(c, "slip"), 0.);
}

TEST(Vehicles, OtherLawsCanBeAskedFor) {
  const auto s = scenario::parse(example("vehicles/intersection"), "f.toml");
  EXPECT_EQ(study::compare_laws(s).answers.size(), 1U);
  const std::array laws{find_law("newton"), find_law("moreau")};
  EXPECT_EQ(study::compare_laws(s, {.laws = laws}).answers.size(), 2U);
}

// --- numbers by their paths ----------------------------------------------------------------------

TEST(Vehicles, EveryNumberHasADottedPath) {
  scenario::Variation v(example("vehicles/intersection"), "f.toml");
  EXPECT_EQ(v.number("system.vehicles.saloon.speed_kmh"), 50.);
  EXPECT_EQ(v.number("system.vehicles[1].impulse_centre[0]"), 1.7);
  const SystemAtImpact as_given = v.impact();
  for (const char* path : {"system.vehicles.saloon.speed_kmh", "system.vehicles.van.mass",
                           "system.vehicles[1].impulse_centre[0]", "system.contact_angle_deg",
                           "system.vehicles[0].heading_deg", "system.vehicles.van.yaw_rate_deg"}) {
    scenario::Variation changed(example("vehicles/intersection"), "f.toml");
    double& x = changed.number(path);
    x = std::string(path).ends_with("yaw_rate_deg") ? 10. : 1.01 * x + 0.1;  // made if not there
    const SystemAtImpact s = changed.impact();
    EXPECT_TRUE(s.problem.approach != as_given.problem.approach ||
                s.problem.G(0, 0) != as_given.problem.G(0, 0))
        << path;
  }
  scenario::Variation w(example("vehicles/sideswipe"), "f.toml");
  w.number("surface.impulse_ratio_percent") = 60.;
  const double at_60 = w.impact().problem.surfaces.front().tangential[0];
  w.number("surface.impulse_ratio_percent") = 30.;
  EXPECT_NEAR(at_60, 2. * w.impact().problem.surfaces.front().tangential[0], 1e-12);
}

TEST(Vehicles, UnitsOfSpeedAndYawAreTheSameMotion) {
  const std::string text = example("vehicles/intersection");
  const Comparison a = solved(with(text, "speed_kmh = 50", "speed_kmh = 36\nyaw_rate_deg = 90"));
  const Comparison b =
      solved(with(text, "speed_kmh = 50", "speed = 10\nyaw_rate = 1.5707963267948966"));
  const Comparison c =
      solved(with(text, "speed_kmh = 50", "speed_mph = 22.369362920544024\nyaw_rate_deg = 90"));
  for (const Comparison* other : {&b, &c}) {
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(other->answers[0].velocity_after[i], a.answers[0].velocity_after[i], 1e-12);
    }
  }
}

// --- velocities after ----------------------------------------------------------------------------

TEST(SpeedsBefore, OfTheExampleByHand) {
  const Comparison c = solved(example("vehicles/speeds-before"));
  // East: m1 s1 = m1 v1 cos 34 + m2 v2 cos 59; north the same with the van and sines.
  const double degree = std::acos(-1.) / 180.;
  const double v1 = 28.6 * kmh;
  const double v2 = 34.2 * kmh;
  const double q = 2100. / 1400.;
  EXPECT_NEAR(before(c, "speed", 0), v1 * std::cos(34. * degree) + q * v2 * std::cos(59. * degree),
              1e-12);
  EXPECT_NEAR(before(c, "speed", 1), v1 * std::sin(34. * degree) / q + v2 * std::sin(59. * degree),
              1e-12);
  EXPECT_EQ(value(c, "speed_before", 1),
            before(c, "speed", 1));  // for maps, which show what is after
  EXPECT_NEAR(value(c, "speed_before_kmh", 1), 3.6 * before(c, "speed", 1), 1e-12);
  EXPECT_EQ(value(c, "closing_speed_before"), before(c, "closing_speed"));
  // After as given.
  EXPECT_NEAR(value(c, "speed", 0), v1, 1e-12);
  EXPECT_NEAR(value(c, "course", 1), 59., 1e-9);
  EXPECT_NEAR(value(c, "condition"), 1., 1e-12);
  // Deviations of s1: speeds 2 km/h, courses 3 deg, masses 30 and 50 kg, and with the courses of
  // the van after, none before.
  const double a = std::cos(34. * degree) * 2. * kmh;
  const double b = v1 * std::sin(34. * degree) * 3. * degree;
  const double d = q * std::cos(59. * degree) * 2. * kmh;
  const double e = q * v2 * std::sin(59. * degree) * 3. * degree;
  const double f = q * v2 * std::cos(59. * degree) * 30. / 1400.;
  const double g = v2 * std::cos(59. * degree) * 50. / 1400.;
  EXPECT_NEAR(value(c, "speed_sd", 0), std::sqrt(a * a + b * b + d * d + e * e + f * f + g * g),
              1e-6);
  // I (measured - that of the impulse), in N m s.
  const double degrees = 193. - value(c, "yaw_rate", 0);
  EXPECT_NEAR(value(c, "angular_momentum_left", 0), 2300. * degrees * degree, 1e-9);
}

/// The velocities after a forward impact, as a file that asks for those before.
std::string asking(const Comparison& c, const std::string& line, const std::string& surface) {
  std::ostringstream text;
  text.precision(17);
  text << "[system]\ntype = \"vehicles\"\nknown = \"after\"\n" << line;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vehicle& v = c.system.vehicles->each[i];
    text << "[[system.vehicles]]\nname = \"" << v.name << "\"\nmass = " << v.mass
         << "\nyaw_inertia = " << v.yaw_inertia
         << "\nheading_deg = " << std::atan2(v.forward.y, v.forward.x) * 180. / std::acos(-1.)
         << "\ncourse_deg = " << before(c, "course", i) << "\nimpulse_centre = ["
         << v.impulse_centre.x << ", " << v.impulse_centre.y
         << "]\nspeed_after = " << value(c, "speed", i)
         << "\ncourse_after_deg = " << value(c, "course", i)
         << "\nyaw_rate_after_deg = " << value(c, "yaw_rate", i) << "\n";
  }
  return text.str() + surface;
}

TEST(SpeedsBefore, ForwardAndBack) {
  const Comparison forward = solved(example("vehicles/intersection"));
  const Comparison back = solved(asking(forward, "contact_angle_deg = 70\n", ""));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(before(back, "speed", i), before(forward, "speed", i), 1e-12);
    EXPECT_NEAR(value(back, "angular_momentum_left", i), 0., 1e-8);
    for (const char* name : {"delta_v", "pdof", "yaw_rate", "ees"}) {
      EXPECT_NEAR(value(back, name, i), value(forward, name, i), 1e-10) << name;
    }
    EXPECT_TRUE(std::isnan(value(back, "speed_sd", i)));  // no deviation is given
  }
  // The coefficients are those of the impulse.
  EXPECT_NEAR(back.problem().surfaces[0].restitution, 0.1, 1e-12);
  EXPECT_NEAR(value(back, "impulse_ratio_percent"), 100., 1e-9);
}

// Coefficients that follow from measured velocities may be out of range: nothing refuses them. Both
// have 10 m/s before; the impulse on A is 2000 N s to the west and to the north.
TEST(SpeedsBefore, ANegativeRestitutionIsFoundAndKept) {
  const Comparison c = solved(R"([system]
type = "vehicles"
known = "after"
contact_angle_deg = 45
[[system.vehicles]]
name = "A"
mass = 1000
yaw_inertia = 1500
heading_deg = 0
impulse_centre = [1.5, -1.5]
speed_after = 8.2462112512353212
course_after_deg = 14.036243467926479
[[system.vehicles]]
name = "B"
mass = 1000
yaw_inertia = 1500
heading_deg = 90
impulse_centre = [1, 1]
speed_after = 8.2462112512353212
course_after_deg = 75.963756532073521
)");
  EXPECT_NEAR(before(c, "speed", 0), 10., 1e-12);
  EXPECT_NEAR(before(c, "speed", 1), 10., 1e-12);
  EXPECT_NEAR(c.problem().surfaces[0].restitution, -0.6, 1e-12);
  EXPECT_NEAR(value(c, "delta_v", 0), std::sqrt(8.), 1e-12);
  EXPECT_NEAR(value(c, "yaw_rate", 0), 0., 1e-9);
}

const std::string head_on = R"([system]
type = "vehicles"
contact_angle_deg = 90
[[system.vehicles]]
name = "A"
mass = 1500
yaw_inertia = 2500
heading_deg = 0
speed = 20
impulse_centre = [2, 0]
[[system.vehicles]]
name = "B"
mass = 1000
yaw_inertia = 1500
heading_deg = 180
speed = 10
impulse_centre = [1.8, 0]
[surface]
restitution = 0.25
friction = 0.4
)";

TEST(SpeedsBefore, AlongOneLineRestitutionOrEnergyIsNeeded) {
  const Comparison forward = solved(head_on);
  const std::string bare = asking(forward, "", "");
  EXPECT_EQ(said(bare).substr(0, 60),
            "f.toml:19:14: system.vehicles[1].course_deg: the courses are");
  EXPECT_NE(said(bare).find("condition number"), std::string::npos);
  EXPECT_NE(said(bare).find("give surface.restitution (above 0) or system.crush_energy"),
            std::string::npos);
  const double lost = -forward.answers[0].outcome.energy.change;
  const std::string energy = "crush_energy = " + shortest(lost) + "\n";
  for (const std::string& text :
       {asking(forward, "", "[surface]\nrestitution = 0.25\n"), asking(forward, energy, "")}) {
    const Comparison c = solved(text);
    EXPECT_NEAR(before(c, "speed", 0), 20., 1e-10);
    EXPECT_NEAR(before(c, "speed", 1), 10., 1e-10);
    EXPECT_NEAR(value(c, "momentum_left"), 0., 1e-9);
    EXPECT_LT(value(c, "condition"), 20.);
  }
  // Deviations: u = 30 m/s and m1 m2/(m1 + m2) u du = dE, or du = -u de/e; of the first m2/(m1 +
  // m2) du.
  const auto sd_of = [&](const std::string& line, const std::string& surface) {
    return value(solved(asking(forward, line, surface)), "speed_sd", 0);
  };
  EXPECT_NEAR(sd_of(energy + "crush_energy_sd = 9000\n", ""), 0.4 * 9000. / (600. * 30.), 1e-6);
  EXPECT_NEAR(sd_of("", "[surface]\nrestitution = 0.25\nrestitution_sd = 0.05\n"),
              0.4 * 30. * 0.05 / 0.25, 1e-6);
  // A rear-end impact by its energy: of two solutions the one in which they close.
  const Comparison behind = solved(with(with(head_on, "heading_deg = 180", "heading_deg = 0"),
                                        "impulse_centre = [1.8, 0]", "impulse_centre = [-1.8, 0]"));
  const Comparison c = solved(asking(
      behind, "crush_energy = " + shortest(-behind.answers[0].outcome.energy.change) + "\n", ""));
  EXPECT_NEAR(before(c, "speed", 0), 20., 1e-10);
  EXPECT_NEAR(before(c, "speed", 1), 10., 1e-10);
}

// Approaches 10 deg apart have a condition number of 11.4: allowed, and the deviations tell.
TEST(SpeedsBefore, ConditionNumberOfTheCourses) {
  const Comparison forward = solved(with(head_on, "heading_deg = 180", "heading_deg = 170"));
  const Comparison c = solved(
      with(asking(forward, "", ""), "speed_after = ", "course_after_deg_sd = 2\nspeed_after = "));
  const double half = 5. * std::acos(-1.) / 180.;
  EXPECT_NEAR(value(c, "condition"), 1. / std::tan(half), 1e-9);
  EXPECT_NEAR(before(c, "speed", 1), 10., 1e-9);
  EXPECT_GT(value(c, "speed_sd", 1), 1.);
}

// --- what is refused -----------------------------------------------------------------------------

TEST(VehiclesFile, WhatIsWrongIsSaidWithItsPlace) {
  const std::string text = example("vehicles/intersection");
  const auto wrong = [&](const std::string& from, const std::string& to) {
    const std::string all = said(with(text, from, to));
    EXPECT_EQ(all.find('\n'), std::string::npos);
    const auto at = all.find(": ");
    return at == std::string::npos ? all : all.substr(at + 2);
  };
  EXPECT_EQ(wrong("speed_kmh = 50", "speed_kmh = 50\nspeed = 3"),
            "system.vehicles[0].speed_kmh: must not stand beside speed: give one of them");
  EXPECT_EQ(wrong("speed_kmh = 50", ""),
            "system.vehicles[0].speed: is missing; give in m/s, or speed_kmh or speed_mph");
  EXPECT_EQ(wrong("speed_kmh = 50", "speed_kmh = -5"),
            "system.vehicles[0].speed_kmh: must be >= 0, got -5; turn the direction of travel");
  EXPECT_EQ(wrong("speed_kmh = 50", "speed_khm = 50"),
            "system.vehicles[0].speed_khm: unknown key; did you mean 'speed_kmh'?");
  EXPECT_EQ(wrong("heading_deg = 90", ""),
            "system.vehicles[1].heading_deg: is missing; give where its front points, "
            "counter-clockwise from east");
  EXPECT_EQ(wrong("mass = 1400.0", "mass = -1"),
            "system.vehicles[0].mass: must be a finite number > 0, got -1");
  EXPECT_EQ(wrong("crush_share = 0.5", "crush_share = 1.5"),
            "system.vehicles[0].crush_share: must be in [0, 1], got 1.5");
  EXPECT_EQ(wrong("speed_kmh = 50", "speed_after = 5\nspeed_kmh = 50"),
            "system.vehicles[0].speed_after: is for known = \"after\"");
  EXPECT_EQ(wrong("contact_angle_deg = 70", "contact_angle_deg = 70\nknown = \"now\""),
            "system.known: must be \"before\" or \"after\", got 'now'");
  EXPECT_EQ(wrong("friction = 0.5", "friction = 0.5\nimpulse_ratio_percent = 40"),
            "surface.friction: must not stand beside impulse_ratio_percent");
  EXPECT_EQ(wrong("friction = 0.5", "common_velocity = true"),
            "surface.restitution: is given by common_velocity: restitution 0 and an impulse ratio "
            "of 100 %");
  EXPECT_EQ(wrong("friction = 0.5", "impulse_ratio_percent = -4"),
            "surface.impulse_ratio_percent: must be >= 0, got -4");
  EXPECT_EQ(wrong("friction = 0.5", ""), "surface.friction: is missing; brach needs it");
  EXPECT_EQ(
      wrong("yaw_inertia = 2300.0             # kg m^2\nlength = 4.6                     # m\n",
            ""),
      "system.vehicles[0].length: is missing; give in m, or yaw_inertia in kg m^2: without it "
      "the vehicle is a uniform rectangle");
  EXPECT_EQ(said(with(example("vehicles/speeds-before"), "speed_after_kmh_sd", "speed_after_sd")),
            "f.toml:22:18: system.vehicles[0].speed_after_sd: must be in the unit of "
            "speed_after_kmh: give speed_after_kmh_sd");
  // The contact plane must not run through both mass centres.
  EXPECT_EQ(said(with(head_on, "contact_angle_deg = 90", "contact_angle_deg = 0")).substr(0, 78),
            "f.toml:3:21: system.contact_angle_deg: must not be the direction from one mass");
  EXPECT_NE(said(with(frontal, "type = \"vehicles\"", "type = \"vehicles\"\nknown = \"after\""))
                .find("a barrier takes any momentum"),
            std::string::npos);
}

// --- the barrier tests ---------------------------------------------------------------------------

using Row = std::map<std::string, std::string>;

std::vector<Row> barrier_tests() {
  std::ifstream in(CAROM_SOURCE_DIR "/data/measured/iihs_small_overlap.csv");
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream cells(line);
    Row row;
    std::size_t i = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++i) {
      if (rows.empty() && names.size() <= i && row.empty()) {
        names.push_back(cell);
      } else {
        row[names[i]] = cell;
      }
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

double number(const Row& row, const std::string& key) { return std::stod(row.at(key)); }

/// What is reconstructed of a test.
struct Reconstructed {
  double restitution, percent, distance, bearing;
};
Reconstructed of(const Row& row) {
  return {number(row, "restitution"), number(row, "impulse_ratio_percent"), number(row, "d_m"),
          number(row, "phi_deg")};
}

/// The change of velocity forward and to the right, and the yaw rate after, clockwise [m/s, deg/s].
std::array<double, 3> computed(const Row& row, const Reconstructed& r) {
  // Only the Fusion's mass and yaw inertia are given; nothing depends on the mass, and its radius
  // of gyration is used for all. The table's y points right: angles change their sign, and gamma is
  // that of the normal.
  std::ostringstream text;
  text.precision(17);
  text << "[system]\ntype = \"vehicles\"\ncontact_angle_deg = " << -number(row, "gamma_deg") - 90.
       << "\n[[system.vehicles]]\nmass = 1621.2\nyaw_inertia = 3167.6\nheading_deg = 0\nspeed = "
       << number(row, "v_impact_mps") << "\nimpulse_distance = " << r.distance
       << "\nimpulse_bearing_deg = " << -r.bearing << "\n[surface]\nrestitution = " << r.restitution
       << "\nimpulse_ratio_percent = " << r.percent << "\n";
  const Comparison c = solved(text.str());
  return {value(c, "delta_v_forward"), -value(c, "delta_v_left"), -value(c, "yaw_rate")};
}

double share(double a, double b) { return 100. * std::abs(a / b - 1.); }

/// Errors in per cent: of the vector of delta-V, and of the yaw rate.
std::array<double, 2> errors(const Row& row, const std::array<double, 3>& x) {
  const double dvx = number(row, "dv_x_mps");
  const double dvy = number(row, "dv_y_mps");
  return {100. * std::hypot(x[0] - dvx, x[1] - dvy) / std::hypot(dvx, dvy),
          share(x[2], number(row, "domega_degps"))};
}

// A reproduction: e, ratio, d and phi were reconstructed from the same measurements.
TEST(BarrierTests, AreReproducedFromTheirCoefficients) {
  const std::vector<Row> rows = barrier_tests();
  ASSERT_EQ(rows.size(), 21U);
  std::array<double, 2> mean{};
  for (const Row& row : rows) {
    const auto x = computed(row, of(row));
    const auto [dv, yaw] = errors(row, x);
    const std::string& test = row.at("test");
    for (std::size_t k = 0; k < 2; ++k) mean[k] += std::array{dv, yaw}[k] / 21.;
    EXPECT_LT(dv, test == "CF10024" ? 10.1 : 6.) << test;
    EXPECT_LT(yaw, test == "CF10023" ? 25.7 : 16.) << test;
    const double resultant = std::abs(std::hypot(x[0], x[1]) - number(row, "dv_mps"));
    EXPECT_LT(resultant, test == "CF10020" ? 0.9 : test == "CF10023" ? 0.64 : 0.18) << test;
  }
  EXPECT_NEAR(mean[0], 2.92, 0.005);
  EXPECT_NEAR(mean[1], 4.69, 0.005);
  // One row in full, computed independently.
  const auto fusion = computed(rows[0], of(rows[0]));
  EXPECT_NEAR(fusion[0], -16.428, 5e-4);
  EXPECT_NEAR(fusion[1], 3.313, 5e-4);
  EXPECT_NEAR(fusion[2], -147.95, 5e-3);
}

// Resultants that contradict their components, and a yaw rate that contradicts both.
TEST(BarrierTests, ThreeRowsDisagreeWithThemselves) {
  std::string resultants;
  std::string yaw;
  for (const Row& row : barrier_tests()) {
    const double dvx = number(row, "dv_x_mps");
    const double dvy = number(row, "dv_y_mps");
    if (share(std::hypot(dvx, dvy), number(row, "dv_mps")) > 5.) resultants += row.at("test") + " ";
    if (row.at("mass_kg").empty()) continue;  // its yaw inertia is not given
    const double degree = std::acos(-1.) / 180.;
    const double phi = number(row, "phi_deg") * degree;
    const double d = number(row, "d_m");
    const double k2 = number(row, "yaw_inertia_kgm2") / number(row, "mass_kg");
    const double expected = d * (std::cos(phi) * dvy - std::sin(phi) * dvx) / k2 / degree;
    if (share(expected, number(row, "domega_degps")) > 15.) yaw += row.at("test") + " ";
  }
  EXPECT_EQ(resultants, "CF10020 CF10024 ");
  EXPECT_EQ(yaw, "CF10023 ");
}

// A prediction: the reconstructed numbers are the means of the 20 other tests.
TEST(BarrierTests, ArePredictedByTheOthers) {
  const std::vector<Row> rows = barrier_tests();
  std::array<double, 2> mean{};
  std::array<double, 2> mean_of_outcomes{};  // without mechanics: the mean of what was measured
  for (const Row& row : rows) {
    Reconstructed r{};
    std::array<double, 3> x{};
    for (const Row& other : rows) {
      if (other.at("test") == row.at("test")) continue;
      const Reconstructed o = of(other);
      r.restitution += o.restitution / 20.;
      r.percent += o.percent / 20.;
      r.distance += o.distance / 20.;
      r.bearing += o.bearing / 20.;
      x[0] += number(other, "dv_x_mps") / 20.;
      x[1] += number(other, "dv_y_mps") / 20.;
      x[2] += number(other, "domega_degps") / 20.;
    }
    const auto e = errors(row, computed(row, r));
    const auto f = errors(row, x);
    for (std::size_t k = 0; k < 2; ++k) mean[k] += e[k] / 21.;
    for (std::size_t k = 0; k < 2; ++k) mean_of_outcomes[k] += f[k] / 21.;
  }
  EXPECT_NEAR(mean[0], 14.59, 0.005);
  EXPECT_NEAR(mean[1], 27.46, 0.005);
  EXPECT_NEAR(mean_of_outcomes[0], 13.82, 0.005);
  EXPECT_NEAR(mean_of_outcomes[1], 26.96, 0.005);
}

}  // namespace
}  // namespace carom::test
