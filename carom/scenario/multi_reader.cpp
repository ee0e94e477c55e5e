// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/multi_reader.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/ball_chain.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

constexpr std::size_t most_balls = 100000;
constexpr std::size_t most_steps = 1000000000;

/// A whole number of the file.
std::size_t whole(const Table& t, std::string_view key, std::size_t least, std::size_t most) {
  return located(t, [&] { return whole_number(t.number(key), least, most, key); });
}

std::size_t read_components(const Table& t) {
  t.require("components", "1 (frictionless), 2 (plane) or 3 (space)");
  return whole(t, "components", 1, 3);
}

std::vector<std::string> read_contact_names(const Table& t, std::size_t contacts) {
  if (!t.has("names")) return numbered(contacts);
  std::vector<std::string> names;
  for (const PlacedText& name : t.texts("names", "a contact's name")) {
    if (name.text.empty() || std::find(names.begin(), names.end(), name.text) != names.end()) {
      throw InputError(name.field, "must be a name of its own, got '" + name.text + "'",
                       name.place);
    }
    names.push_back(name.text);
  }
  if (names.size() != contacts) {
    t.fail("names", "must be one for each of " + std::to_string(contacts) + " contacts, got " +
                        std::to_string(names.size()));
  }
  return names;
}

/// G by rows, or by its entries that are not zero.
BlockMatrix read_inverse_inertia(const Table& t, std::size_t contacts, std::size_t components) {
  if (!t.has("triplets")) {
    t.require("inverse_inertia", "rows of numbers, or triplets");
    return BlockMatrix::from_dense(t.matrix("inverse_inertia"), components);
  }
  t.refuse("inverse_inertia", "must not stand beside triplets");
  const Eigen::MatrixXd rows = t.matrix("triplets");
  if (rows.cols() != 3) t.fail("triplets", "must be of [row, column, value], counted from 0");
  std::vector<BlockMatrix::Triplet> triplets;
  const std::size_t last = contacts * components - 1;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const std::string name = "triplets[" + std::to_string(i) + "]";
    triplets.push_back({.row = whole_number(rows(i, 0), 0, last, name + "[0]"),
                        .column = whole_number(rows(i, 1), 0, last, name + "[1]"),
                        .value = rows(i, 2)});
    if (!std::isfinite(rows(i, 2))) require_finite(rows(i, 2), name + "[2]");
  }
  return BlockMatrix::from_triplets(contacts, components, triplets);
}

SystemAtImpact read_contacts(const Table& t) {
  t.only({"type", "components", "inverse_inertia", "triplets", "approach", "names"});
  const std::size_t components = read_components(t);
  SystemAtImpact at;
  at.problem.approach = t.row("approach");
  const std::size_t rows = at.problem.approach.size();
  if (rows == 0 || rows % components != 0) {
    t.fail("approach", "must have " + std::to_string(components) + " numbers a contact, got " +
                           std::to_string(rows));
  }
  at.problem.G = read_inverse_inertia(t, rows / components, components);
  at.names = read_contact_names(t, rows / components);
  return at;
}

SystemAtImpact read_generalized_contacts(const Table& t) {
  t.only({"type", "components", "mass", "directions", "velocity", "support_velocity", "names"});
  const std::size_t components = read_components(t);
  SystemAtImpact s;
  s.M = t.matrix("mass").sparseView();
  s.W = t.matrix("directions").sparseView();
  s.u = t.row("velocity");
  if (t.has("support_velocity")) s.support_velocity = t.row("support_velocity");
  for (std::size_t i = 0; i < s.u.size(); ++i) {
    s.coordinates.push_back({"u_" + std::to_string(i + 1), ""});
  }
  s.names = read_contact_names(t, static_cast<std::size_t>(s.W.cols()) / components);
  return reduced(std::move(s), components);
}

SystemAtImpact read_type(const Table& t, const std::string& type) {
  if (type == "disc-ball") return at_impact(read_disc_ball(t));
  if (type == "chain") return at_impact(read_chain(t));
  if (type == "block") return at_impact(read_block(t));
  if (type == "rod-ends") return at_impact(read_rod_ends(t));
  if (type == "assembly") return read_assembly(t);
  if (type == "space-assembly") return read_space_assembly(t);
  if (type == "contacts") return read_contacts(t);
  return read_generalized_contacts(t);
}

}  // namespace

BallChain read_chain(const Table& t) {
  t.only({"type", "masses", "mass", "count", "velocities", "striker_velocity", "strikers", "wall",
          "radius"});
  BallChain chain;
  chain.wall = t.flag("wall", false);
  if (t.has("radius")) chain.radius = t.positive("radius");
  if (t.has("masses")) {
    for (const char* key : {"mass", "count"}) t.refuse(key, "must not stand beside masses");
    chain.masses = t.row("masses");
  } else {
    t.require("mass", "masses, one a ball, or mass and count");
    const double mass = t.positive("mass");
    chain.masses.assign(whole(t, "count", chain.wall ? 1 : 2, most_balls), mass);
  }
  const std::size_t n = chain.masses.size();
  if (t.has("velocities")) {
    for (const char* key : {"striker_velocity", "strikers"}) {
      t.refuse(key, "must not stand beside velocities");
    }
    chain.velocities = t.row("velocities");
  } else {
    t.require("striker_velocity", "velocities, one a ball, or striker_velocity and strikers");
    const double velocity = finite(t, "striker_velocity", 0.);
    const std::size_t strikers =
        t.has("strikers") ? whole(t, "strikers", 1, std::max<std::size_t>(n, 1)) : 1;
    chain.velocities.assign(n, 0.);
    std::fill_n(chain.velocities.begin(), std::min(strikers, n), velocity);
  }
  return chain;
}

RockingBlock read_block(const Table& t) {
  t.only({"type", "mass", "half_width", "half_height", "inertia", "velocity", "spin", "pivot"});
  RockingBlock b;
  b.mass = t.number("mass", b.mass);
  b.half_width = t.number("half_width");
  b.half_height = t.number("half_height");
  if (t.has("inertia")) b.inertia = t.number("inertia");
  b.spin = t.number("spin", 0.);
  if (!t.has("pivot")) {
    t.require("velocity", "the velocity, or pivot: the corner about which it turns");
    b.velocity = t.pair("velocity");
    return b;
  }
  t.refuse("velocity", "follows from pivot and spin");
  const std::string pivot = t.text("pivot", "");
  if (pivot != "left" && pivot != "right") {
    t.fail("pivot", "must be left or right, got '" + pivot + "'");
  }
  b.velocity = velocity_about_corner(b, pivot == "left" ? -1. : 1., b.spin);
  return b;
}

RodEnds read_rod_ends(const Table& t) {
  t.only({"type", "mass", "half_length", "inertia_factor", "angle_deg", "velocity", "spin"});
  RodEnds r;
  r.mass = t.number("mass", r.mass);
  r.half_length = t.number("half_length", r.half_length);
  r.inertia_factor = t.number("inertia_factor", r.inertia_factor);
  const double angle = finite(t, "angle_deg", 0.);
  if (!(angle >= 0. && angle < 180. && angle != 90.)) {
    t.fail("angle_deg",
           "must be 0 (level), or in (0, 90) or (90, 180) with a wall where the upper end points, "
           "got " +
               shortest(angle));
  }
  r.direction = direction(angle);
  r.velocity = t.pair("velocity");
  r.spin = t.number("spin", 0.);
  return r;
}

DiscBall read_disc_ball(const Table& t) {
  t.only({"type", "ball_mass", "disc_mass", "radius", "half_thickness", "height", "angle_deg",
          "ball_velocity", "disc_velocity", "disc_spin"});
  DiscBall s;
  s.ball_mass = t.number("ball_mass");
  s.disc_mass = t.number("disc_mass");
  s.radius = t.number("radius");
  s.half_thickness = t.number("half_thickness");
  s.height = t.number("height", 0.);
  const double angle = finite(t, "angle_deg", 90.);
  if (!(angle > 0. && angle < 180.)) {
    t.fail("angle_deg", "must be in (0, 180), got " + shortest(angle));
  }
  s.angle = angle == 90. ? 0.5 * std::numbers::pi : angle * degree;
  t.require("ball_velocity", "a number (horizontal) or two (horizontal, up)");
  s.ball_velocity = t.depth("ball_velocity") == 0 ? std::array{t.number("ball_velocity"), 0.}
                                                  : t.pair("ball_velocity");
  s.disc_velocity = t.pair("disc_velocity", s.disc_velocity);
  s.disc_spin = t.number("disc_spin", 0.);
  return s;
}

bool has_several_contacts(std::string_view type) {
  return std::find(multi_types.begin(), multi_types.end(), type) != multi_types.end();
}

SystemAtImpact read_multi(const Table& system) {
  return located(system, [&] { return read_type(system, system.text("type", "")); });
}

SolveOptions read_options(const Table& t) {
  t.only({"laws", "tolerance", "solver", "euler_steps"});
  SolveOptions options;
  located(t, [&] {
    if (t.has("tolerance")) {
      options.tolerance = require_tolerance(t.number("tolerance"), "tolerance");
    }
    if (t.has("solver")) options.solver = multi_solver(t.text("solver", ""), "solver");
  });
  if (t.has("euler_steps")) options.euler_steps = whole(t, "euler_steps", 1, most_steps);
  return options;
}

FrictionSolver multi_solver(std::string_view name, std::string_view field) {
  static constexpr std::array<std::string_view, 5> names = {"automatic", "enumeration", "lemke",
                                                            "gauss-seidel", "newton"};
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    throw InputError(std::string(field),
                     "unknown solver '" + std::string(name) + "'" + did_you_mean(name, names));
  }
  return static_cast<FrictionSolver>(at - names.begin());
}

std::size_t whole_number(double value, std::size_t least, std::size_t most,
                         std::string_view field) {
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most) &&
        value == std::floor(value))) {
    throw InputError(
        std::string(field), value,
        "a whole number in [" + std::to_string(least) + ", " + std::to_string(most) + "]");
  }
  return static_cast<std::size_t>(value);
}

}  // namespace carom::scenario
