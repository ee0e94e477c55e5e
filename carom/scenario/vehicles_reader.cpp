// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/vehicles_reader.hpp>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/impact/couple.hpp>
#include <carom/impact/critical_ratio.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/mechanics/vehicles_inverse.hpp>

namespace carom::scenario {
namespace {

using shapes::plane::Point;

// --- numbers in one of several units ------------------------------------------------------------

/// A key, and the SI unit that it is in.
struct UnitKey {
  std::string_view key;
  double unit;
};
using Family = std::span<const UnitKey>;

constexpr double kmh = 1. / 3.6;  ///< [m/s]
constexpr double mph = 0.44704;   ///< [m/s]
constexpr std::array speed_keys{UnitKey{"speed", 1.}, UnitKey{"speed_kmh", kmh},
                                UnitKey{"speed_mph", mph}};
constexpr std::array speed_after_keys{UnitKey{"speed_after", 1.}, UnitKey{"speed_after_kmh", kmh},
                                      UnitKey{"speed_after_mph", mph}};
constexpr std::array yaw_keys{UnitKey{"yaw_rate", 1.}, UnitKey{"yaw_rate_deg", degree}};
constexpr std::array yaw_after_keys{UnitKey{"yaw_rate_after", 1.},
                                    UnitKey{"yaw_rate_after_deg", degree}};

/// The one key of a family that is given, or null. Throws where there are two.
const UnitKey* given_of(const Table& t, Family family) {
  const UnitKey* found = nullptr;
  for (const UnitKey& k : family) {
    if (!t.has(k.key)) continue;
    if (found != nullptr) {
      t.fail(k.key, "must not stand beside " + std::string(found->key) + ": give one of them");
    }
    found = &k;
  }
  return found;
}

std::optional<double> optional_of(const Table& t, Family family) {
  const UnitKey* k = given_of(t, family);
  if (k == nullptr) return std::nullopt;
  return finite(t, k->key) * k->unit;
}

/// A deviation: "mass_sd"; zero where it is not given.
double deviation(const Table& t, std::string_view key, double unit = 1.) {
  const std::string name = std::string(key) + "_sd";
  const double sd = finite(t, name, 0.);
  if (sd < 0.) t.fail(name, "must be >= 0, got " + shortest(sd));
  return sd * unit;
}

Measured measured(const Table& t, std::string_view key) {
  return {.value = finite(t, key), .sd = deviation(t, key)};
}

/// A speed, which must be given in one unit, with its deviation in the same.
Measured measured_speed(const Table& t, Family family) {
  const UnitKey* k = given_of(t, family);
  if (k == nullptr) {
    t.require(family.front().key,
              "in m/s, or " + std::string(family[1].key) + " or " + std::string(family[2].key));
  }
  for (const UnitKey& other : family) {
    if (&other == k) continue;
    t.refuse(std::string(other.key) + "_sd", "must be in the unit of " + std::string(k->key) +
                                                 ": give " + std::string(k->key) + "_sd");
  }
  const double speed = finite(t, k->key);
  if (speed < 0.) {
    t.fail(k->key, "must be >= 0, got " + shortest(speed) + "; turn the direction of travel");
  }
  return {.value = speed * k->unit, .sd = deviation(t, k->key, k->unit)};
}

// --- vehicles -----------------------------------------------------------------------------------

struct Given {
  Vehicles vehicles;
  std::array<VehicleAfter, 2> after{};
  AlongOneLine line{};
  bool known_after = false;
  bool has_plane = false;
};

constexpr std::array<std::string_view, 14> keys{
    "name",        "mass",        "yaw_inertia",      "length",
    "width",       "heading_deg", "course_deg",       "impulse_centre",
    "drag_factor", "crush_share", "impulse_distance", "impulse_bearing_deg",
    "yaw_rate",    "yaw_rate_deg"};
constexpr std::array<std::string_view, 3> keys_before{"speed", "speed_kmh", "speed_mph"};
constexpr std::array<std::string_view, 12> keys_after{
    "speed_after",        "speed_after_kmh",    "speed_after_mph",    "speed_after_sd",
    "speed_after_kmh_sd", "speed_after_mph_sd", "course_after_deg",   "course_after_deg_sd",
    "course_deg_sd",      "yaw_rate_after",     "yaw_rate_after_deg", "mass_sd"};

/// Refuses keys that do not exist, and those that mean nothing here.
void require_keys(const Table& t, bool known_after) {
  std::vector<std::string_view> all(keys.begin(), keys.end());
  all.insert(all.end(), keys_before.begin(), keys_before.end());
  all.insert(all.end(), keys_after.begin(), keys_after.end());
  t.only(all);
  if (known_after) {
    for (const auto key : keys_before) t.refuse(key, "is found where known = \"after\"");
  } else {
    for (const auto key : keys_after) t.refuse(key, "is for known = \"after\"");
  }
}

/// The unit vector at a direction that is given in degrees.
Point read_direction(const Table& t, std::string_view key) {
  const auto [x, y] = direction(finite(t, key));
  return {x, y};
}

Point read_impulse_centre(const Table& t) {
  if (!t.has("impulse_distance") && !t.has("impulse_bearing_deg")) {
    t.require("impulse_centre",
              "[forward, left] of the mass centre in m, or impulse_distance and "
              "impulse_bearing_deg");
    const auto [forward, left] = t.pair("impulse_centre");
    return {forward, left};
  }
  t.refuse("impulse_centre", "must not stand beside impulse_distance and impulse_bearing_deg");
  const double distance = finite(t, "impulse_distance");
  if (distance < 0.) t.fail("impulse_distance", "must be >= 0, got " + shortest(distance));
  return distance * read_direction(t, "impulse_bearing_deg");
}

Vehicle read_vehicle(const Table& t, std::vector<std::string>& names, std::size_t count) {
  Vehicle v;
  const std::string number = count > 1 ? " " + std::to_string(names.size() + 1) : "";
  v.name = read_name(t, "vehicle" + number, names);
  v.mass = t.positive("mass");
  if (t.has("length")) v.size[0] = t.positive("length");
  if (t.has("width")) v.size[1] = t.positive("width");
  if (!t.has("yaw_inertia")) {
    for (const char* key : {"length", "width"}) {
      t.require(key,
                "in m, or yaw_inertia in kg m^2: without it the vehicle is a uniform rectangle");
    }
  }
  v.yaw_inertia =
      t.has("yaw_inertia") ? t.positive("yaw_inertia") : rectangle_inertia(v.mass, v.size);
  t.require("heading_deg", "where its front points, counter-clockwise from east");
  v.forward = read_direction(t, "heading_deg");
  v.impulse_centre = read_impulse_centre(t);
  v.yaw_rate = optional_of(t, yaw_keys).value_or(0.);
  if (t.has("drag_factor")) v.drag_factor = t.positive("drag_factor");
  v.crush_share = 1. / static_cast<double>(count);
  return v;
}

/// Shares of the energy lost: of the one that is given the other has the rest.
void read_shares(const std::vector<Table>& tables, Vehicles& vehicles) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].has("crush_share")) continue;
    const double share = tables[i].number("crush_share");
    if (!(share >= 0. && share <= 1.)) {
      tables[i].fail("crush_share", "must be in [0, 1], got " + shortest(share));
    }
    vehicles.each[i].crush_share = share;
    if (tables.size() == 2 && !tables[1 - i].has("crush_share")) {
      vehicles.each[1 - i].crush_share = 1. - share;
    }
  }
  constexpr double slack = 1e-9;
  const bool both =
      tables.size() == 2 && tables[0].has("crush_share") && tables[1].has("crush_share");
  if (both && std::abs(vehicles.each[0].crush_share + vehicles.each[1].crush_share - 1.) > slack) {
    tables[1].fail("crush_share", "must add up to 1 with that of the first vehicle, " +
                                      shortest(vehicles.each[0].crush_share));
  }
}

VehicleAfter read_after(const Table& t) {
  VehicleAfter a;
  a.mass = measured(t, "mass");
  const char* course = t.has("course_deg") ? "course_deg" : "heading_deg";
  a.course = {.value = finite(t, course), .sd = deviation(t, "course_deg")};
  a.speed_after = measured_speed(t, speed_after_keys);
  t.require("course_after_deg", "the direction of travel after the impact");
  a.course_after = measured(t, "course_after_deg");
  a.yaw_rate_after = optional_of(t, yaw_after_keys);
  return a;
}

void read_velocity(const Table& t, Vehicle& v) {
  const double speed = measured_speed(t, speed_keys).value;
  v.velocity = speed * (t.has("course_deg") ? read_direction(t, "course_deg") : v.forward);
}

bool read_known(const Table& t) {
  const std::string known = t.text("known", "before");
  if (known != "before" && known != "after") {
    t.fail("known", "must be \"before\" or \"after\", got '" + known + "'");
  }
  return known == "after";
}

Given read_system_table(const Table& t) {
  t.only({"type", "known", "contact_angle_deg", "crush_energy", "crush_energy_sd", "vehicles"});
  Given g;
  g.known_after = read_known(t);
  const std::vector<Table> tables = t.tables("vehicles");
  if (tables.empty() || tables.size() > 2) {
    t.fail("vehicles",
           "must be one (against a fixed barrier) or two, got " + std::to_string(tables.size()));
  }
  if (g.known_after && tables.size() == 1) {
    t.fail("known",
           "must be \"before\" for one vehicle: a barrier takes any momentum, so that velocities "
           "after do not give its speed before");
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    require_keys(tables[i], g.known_after);
    g.vehicles.each.push_back(read_vehicle(tables[i], names, tables.size()));
    if (g.known_after) {
      g.after[i] = read_after(tables[i]);
    } else {
      read_velocity(tables[i], g.vehicles.each.back());
    }
  }
  read_shares(tables, g.vehicles);
  g.has_plane = t.has("contact_angle_deg");
  if (!g.has_plane && !g.known_after) {
    t.require("contact_angle_deg",
              "the direction of the contact plane, counter-clockwise from east");
  }
  if (g.has_plane) {
    g.vehicles.normal = contact_normal(g.vehicles.each, read_direction(t, "contact_angle_deg"));
  }
  if (!g.known_after) {
    for (const char* key : {"crush_energy", "crush_energy_sd"}) {
      t.refuse(key, "is for known = \"after\"");
    }
  } else if (t.has("crush_energy")) {
    g.line.crush_energy = {.value = t.positive("crush_energy"), .sd = deviation(t, "crush_energy")};
  } else {
    t.refuse("crush_energy_sd", "means nothing without crush_energy");
  }
  return g;
}

// --- coefficients -------------------------------------------------------------------------------

/// Says that a coefficient is given: by the file, or found.
void mark(Surfaces& surfaces, std::string_view key, const std::string& place) {
  surfaces.each.front().given |= given_bit(*find_coefficient(key));
  for (const GivenKey& g : surfaces.given) {
    if (g.key == key) return;
  }
  surfaces.given.push_back({.key = std::string(key), .place = place});
}

/// The share of the critical impulse ratio, at the restitution of the surface.
double part_of_critical(const Table& t, std::string_view key, const ContactProblem& problem,
                        const Surface& s, double part) {
  const PlanarProblem p = planar_problem(problem);
  if (!(p.approach.n < 0.)) return 0.;  // no impact
  const double rr = p.spin.rr;
  const double c = rr > 0. ? (1. + s.planar_moment_coefficient()) / rr : 0.;
  const auto [H, v] = eliminate_couple(p.G, p.approach, p.spin, c);
  const auto critical = critical_ratio(H, {.n = v.n + s.restitution * p.approach.n, .t = v.t});
  if (!critical.exists) {
    t.fail(key,
           "has no meaning here: no impulse that pushes ends slip, so that there is no critical "
           "ratio; give friction or impulse_ratio");
  }
  return part * critical.ratio;
}

/// impulse_ratio_percent and common_velocity, in terms of what laws know.
void read_vehicle_coefficients(const Table& t, const ContactProblem& problem, Surfaces& surfaces) {
  Surface& s = surfaces.each.front();
  const bool common = t.flag("common_velocity", false);
  const char* key = common ? "common_velocity" : "impulse_ratio_percent";
  if (!common && !t.has(key)) return;
  for (const char* other : {"friction", "impulse_ratio", "tangential_coefficient"}) {
    t.refuse(other, "must not stand beside " + std::string(key));
  }
  double part = 1.;
  if (common) {
    for (const char* other : {"restitution", "impulse_ratio_percent"}) {
      t.refuse(other, "is given by common_velocity: restitution 0 and an impulse ratio of 100 %");
    }
    s.restitution = 0.;
    mark(surfaces, "restitution", t.where(key));
  } else {
    const double percent = finite(t, key);
    if (percent < 0.) t.fail(key, "must be >= 0, got " + shortest(percent));
    part = percent / 100.;
  }
  const double ratio = part_of_critical(t, key, problem, s, part);
  if (part == 1.) {  // slip ends, without rounding
    s.set_tangential_coefficient({0., 0.});
    mark(surfaces, "tangential_coefficient", t.where(key));
  } else {
    s.set_impulse_ratio({ratio, 0.});
    mark(surfaces, "impulse_ratio", t.where(key));
  }
}

Struck read_before(const Table& top, Given given) {
  const Table system = top.table("system");
  Struck s;
  s.impact = located(system, [&] { return at_impact(std::move(given.vehicles)); });
  static constexpr std::array<std::string_view, 2> also{"impulse_ratio_percent", "common_velocity"};
  s.surfaces = read_surfaces(top, s.impact.names, {&in_the_plane, 1}, also);
  read_vehicle_coefficients(top.table("surface"), s.impact.problem, s.surfaces);
  s.impact.problem.surfaces = s.surfaces.each;
  located(system, [&] { validate(s.impact.problem, Release::allowed); });
  return s;
}

// --- velocities after ---------------------------------------------------------------------------

/// The coefficients of the impulse that was found.
Surface coefficients_of(const Table& system, const ContactProblem& problem, const Vec2& P) {
  const PlanarProblem p = planar_problem(problem);
  const Vec2 change = p.G * P;
  if (!(p.approach.n < 0.) || !(P.n > 0.)) {
    system.fail(system.has("contact_angle_deg") ? "contact_angle_deg" : "vehicles",
                "does not agree with the velocities: with the speeds found the vehicles would "
                "approach each other at " +
                    shortest(-p.approach.n) + " m/s with a normal impulse of " + shortest(P.n) +
                    " N s, and both must be above 0");
  }
  Surface s;
  s.given = 0;
  s.restitution = -(p.approach.n + change.n) / p.approach.n;
  s.set_impulse_ratio({P.t / P.n, 0.});
  return s;
}

Struck read_after_impact(const Table& top, Given given) {
  const Table system = top.table("system");
  if (top.has("surface")) {
    const Table surface = top.table("surface");
    surface.only({"restitution", "restitution_sd"});
    const double e = surface.number("restitution");
    if (!(e > 0. && e <= 1.)) {
      surface.fail("restitution", "must be in (0, 1] here, got " + shortest(e) +
                                      ": at 0 velocities after do not depend on the closing speed; "
                                      "give system.crush_energy");
    }
    if (given.line.crush_energy) {
      surface.fail("restitution", "must not stand beside system.crush_energy: give one of them");
    }
    given.line.restitution = {.value = e, .sd = deviation(surface, "restitution")};
  }
  Struck s;
  located(system, [&] {
    const Point P = find_speeds(given.vehicles, given.after, given.line, given.has_plane);
    const Point n = given.vehicles.normal;
    s.impact = at_impact(std::move(given.vehicles));
    // The tangent is n turned by -90 degrees. Without a plane n lies along P.
    const Vec2 impulse{.n = dot(P, n), .t = given.has_plane ? cross(P, n) : 0.};
    s.surfaces.each = {coefficients_of(system, s.impact.problem, impulse)};
  });
  s.surfaces.place = system.here();
  mark(s.surfaces, "restitution", s.surfaces.place);
  mark(s.surfaces, "impulse_ratio", s.surfaces.place);
  s.impact.problem.surfaces = s.surfaces.each;
  return s;
}

}  // namespace

Struck read_vehicles(const Table& top) {
  const Table system = top.table("system");
  Given given = located(system, [&] { return read_system_table(system); });
  return given.known_after ? read_after_impact(top, std::move(given))
                           : read_before(top, std::move(given));
}

}  // namespace carom::scenario
