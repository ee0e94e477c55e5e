// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/scenario.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

#include <carom/core/error.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {
namespace {

constexpr std::array<std::string_view, 8> surface_keys = {
    "restitution",      "friction",      "static_friction",        "tangential_restitution",
    "compliance_ratio", "impulse_ratio", "tangential_coefficient", "moment_coefficients"};

Surface read_surface(const Table& t) {
  t.only(surface_keys);
  Surface s;
  s.restitution = t.number("restitution", 0.);
  s.friction = t.number("friction", 0.);
  s.static_friction = t.number("static_friction", s.friction);
  s.tangential_restitution = t.number("tangential_restitution", 0.);
  s.compliance_ratio = t.number("compliance_ratio", s.compliance_ratio);
  if (t.has("impulse_ratio")) s.impulse_ratio = {t.number("impulse_ratio"), 0.};
  if (t.has("tangential_coefficient"))
    s.tangential_coefficient = {t.number("tangential_coefficient"), 0.};
  s.moment_coefficients[0] = t.number("moment_coefficients", -1.);
  // Whether restitution may exceed 1 depends on the law, and is asked when laws are.
  located(t, [&] { validate(s, "surface", Release::allowed); });
  return s;
}

std::vector<GivenKey> given_in(const Table& t, std::span<const std::string_view> keys) {
  std::vector<GivenKey> given;
  for (const std::string_view key : keys) {
    if (t.has(key)) given.push_back({.key = std::string(key), .place = t.where(key)});
  }
  return given;
}

/// The type of the system, where the file has one.
std::string type_in(const Table& top) {
  return top.has("system") ? top.table("system").text("type", "") : "";
}

SpatialImpact read_space(const Table& top) {
  const Table system = top.table("system");
  SpatialImpact s;
  s.system = read_spatial_system(system);
  s.surface = read_spatial_surface(top.table("surface"));
  located(system, [&] {
    const SpatialContact contact = at_impact(s.system).contact;
    validate(SpatialProblem{.G = contact.G,
                            .approach = contact.approach,
                            .surface = s.surface,
                            .spin = contact.spin},
             Release::allowed);
  });
  if (top.has("solve")) {
    const Table solve = top.table("solve");
    solve.only({"laws"});
    s.laws = read_laws(solve, carom::in_space);
  }
  return s;
}

}  // namespace

ContactKind Scenario::kind() const {
  if (multi) {
    // Even one contact of such a system goes through the laws for several.
    return {.contacts = std::max<std::size_t>(2, multi->surfaces.size()),
            .components = multi->system.contact.G.components()};
  }
  return space ? carom::in_space : in_the_plane;
}

std::span<const Surface> Scenario::surfaces() const {
  if (multi) return multi->surfaces;
  return {space ? &space->surface : &surface, 1};
}

std::span<const Law* const> Scenario::asked_laws() const {
  if (multi) return multi->laws;
  return space ? space->laws : laws;
}

const std::string* Scenario::place_of(std::string_view key) const {
  for (const GivenKey& g : given) {
    if (g.key == key) return &g.place;
  }
  return nullptr;
}

Variation::Variation(std::string_view text, std::string name)
    : name_(std::move(name)), document_(text, name_) {}

std::string Variation::system_type() const { return type_in(document_.top()); }

bool Variation::in_space() const { return is_spatial(type_in(document_.top())); }

SpatialImpact Variation::space() const { return read_space(document_.top()); }

bool Variation::has_several_contacts() const {
  return scenario::has_several_contacts(type_in(document_.top()));
}

MultiImpact Variation::multi() const { return read_multi(document_.top()); }

PlanarSystem Variation::system() const { return read_system(document_.top().table("system")); }

Surface Variation::surface() const {
  const Table top = document_.top();
  if (has_several_contacts()) (void)read_system(top.table("system"));  // which refuses it
  return read_surface(top.table("surface"));
}

MapRequest Variation::map() const {
  const Table top = document_.top();
  return top.has("map") ? read_map(top.table("map")) : MapRequest{};
}

Scenario Variation::scenario() const {
  Scenario s;
  s.name = name_;
  const Table top = document_.top();
  top.refuse("motion", "is for carom simulate; this is of one impact");
  top.only({"title", "system", "surface", "surfaces", "solve", "map"});
  s.title = top.text("title", "");
  const Table system = top.table("system");
  s.system_type = system.text("type", "");
  if (scenario::has_several_contacts(s.system_type)) {
    top.refuse("map",
               "maps are of systems with one contact, and '" + s.system_type + "' has several");
    s.multi = read_multi(top);
    s.given = given_to_all(top, *s.multi);
    s.surface_place = surface_place(top);
    return s;
  }
  top.refuse("surfaces", "is for systems with several contacts; give [surface]");
  const Table surface = top.table("surface");
  s.surface_place = surface.here();
  if (is_spatial(s.system_type)) {
    s.space = read_space(top);
    s.given = given_in(surface, spatial_surface_keys);
    s.map = map();
    return s;
  }
  s.system = read_system(system);
  s.surface = read_surface(surface);
  s.given = given_in(surface, surface_keys);
  located(system, [&] {
    const ContactSpace contact = at_impact(s.system).contact;
    validate(
        {.G = contact.G, .approach = contact.approach, .surface = s.surface, .spin = contact.spin},
        Release::allowed);
  });
  if (top.has("solve")) {
    const Table solve = top.table("solve");
    solve.only({"laws"});
    s.laws = read_laws(solve, carom::in_the_plane);
  }
  s.map = map();
  return s;
}

Scenario parse(std::string_view text, std::string name) {
  return Variation(text, std::move(name)).scenario();
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    throw InputError("", "cannot be read (is it there, and a file?)", file.string());
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

Scenario read(const std::filesystem::path& file) { return parse(read_text(file), file.string()); }

}  // namespace carom::scenario
