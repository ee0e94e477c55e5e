// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/scenario.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

#include <carom/core/error.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/toml_table.hpp>
#include <carom/scenario/vehicles_reader.hpp>

namespace carom::scenario {
namespace {

/// The type of the system, where the file has one.
std::string type_in(const Table& top) {
  return top.has("system") ? top.table("system").text("type", "") : "";
}

/// What strikes, without its surfaces.
SystemAtImpact read_impact(const Table& system, const std::string& type) {
  if (const auto registered = registered_system(type)) return registered->at_impact(system);
  if (has_several_contacts(type)) return read_multi(system);
  return is_spatial(type) ? read_spatial_system(system) : read_system(system);
}

/// The impact and its surfaces, validated, with the place in [system] of what is wrong.
Struck read_struck(const Table& top) {
  const Table system = top.table("system");
  const std::string type = type_in(top);
  if (!has_several_contacts(type) && registered_system(type) == nullptr) {
    top.refuse("surfaces", "is for systems with several contacts; give [surface]");
  }
  if (type == vehicles_type) return read_vehicles(top);
  Struck s{.impact = read_impact(system, type), .surfaces = {}};
  const ContactKind kind = kind_of(s.impact.problem);
  s.surfaces = read_surfaces(top, s.impact.names, {&kind, 1});
  s.impact.problem.surfaces = s.surfaces.each;
  located(system, [&] {
    // Some laws of one contact release energy; each law is asked later.
    const Release release = kind.contacts == 1 ? Release::allowed : Release::refused;
    const bool made = kind.contacts > 1 && s.impact.has_velocities();
    made ? validate_of_system(s.impact.problem, release) : validate(s.impact.problem, release);
  });
  return s;
}

}  // namespace

const std::string* Scenario::place_of(std::string_view key) const {
  for (const GivenKey& g : surfaces.given) {
    if (g.key == key) return &g.place;
  }
  return nullptr;
}

Variation::Variation(std::string_view text, std::string name)
    : name_(std::move(name)), document_(text, name_) {}

std::string Variation::system_type() const { return type_in(document_.top()); }

bool Variation::is_planar() const {
  const std::string type = system_type();
  // Of vehicles the coefficients may depend on the motion: they are not a part of their own.
  // A type that was added may strike anyhow.
  return !is_spatial(type) && !has_several_contacts(type) && type != vehicles_type &&
         registered_system(type) == nullptr;
}

SystemAtImpact Variation::impact() const { return read_struck(document_.top()).impact; }

SystemAtImpact Variation::system() const { return read_system(document_.top().table("system")); }

Surface Variation::surface() const {
  return read_surfaces(document_.top(), {""}, {&in_the_plane, 1}).each.front();
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
  top.only({"title", "system", "surface", "surfaces", "solve", "map", "sweep"});
  s.title = top.text("title", "");
  s.system_type = system_type();
  Struck struck = read_struck(top);
  s.impact = std::move(struck.impact);
  s.surfaces = std::move(struck.surfaces);
  if (top.has("solve")) {
    const Table solve = top.table("solve");
    s.options = read_options(solve);
    s.laws = read_laws(solve, s.kind());
  }
  // The law that reconstruction is done with.
  if (s.system_type == vehicles_type && s.laws.empty()) s.laws = {find_law("brach")};
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
