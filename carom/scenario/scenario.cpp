// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/scenario.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>
#include <type_traits>

#include <carom/core/error.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {
namespace {

/// The type of the system, where the file has one.
std::string type_in(const Table& top) {
  return top.has("system") ? top.table("system").text("type", "") : "";
}

Surface read_one_surface(const Table& top, ContactKind kind) {
  return read_surfaces(top, {""}, {&kind, 1}).each.front();
}

/// Throws where what strikes is not a valid problem, with the place in [system].
template <class System>
void validate_one(const Table& table, const System& system, const Surface& surface) {
  using Problem =
      std::conditional_t<std::is_same_v<System, SpatialSystem>, SpatialProblem, PlanarProblem>;
  located(table, [&] {
    const auto contact = at_impact(system).contact;
    validate(
        Problem{
            .G = contact.G, .approach = contact.approach, .surface = surface, .spin = contact.spin},
        Release::allowed);
  });
}

SpatialImpact read_space(const Table& top) {
  const Table system = top.table("system");
  SpatialImpact s;
  s.system = read_spatial_system(system);
  s.surface = read_one_surface(top, carom::in_space);
  validate_one(system, s.system, s.surface);
  return s;
}

}  // namespace

ContactKind Scenario::kind() const {
  if (multi) {
    return {.contacts = multi->contact.G.blocks(), .components = multi->contact.G.components()};
  }
  return space ? carom::in_space : in_the_plane;
}

const std::string* Scenario::place_of(std::string_view key) const {
  for (const GivenKey& g : surfaces.given) {
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

PlanarSystem Variation::system() const { return read_system(document_.top().table("system")); }

Surface Variation::surface() const {
  const Table top = document_.top();
  if (has_several_contacts()) (void)read_system(top.table("system"));  // which refuses it
  return read_one_surface(top, in_the_plane);
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
  const bool several = scenario::has_several_contacts(s.system_type);
  if (several) {
    top.refuse("map",
               "maps are of systems with one contact, and '" + s.system_type + "' has several");
    s.multi = read_multi(system);
  } else {
    top.refuse("surfaces", "is for systems with several contacts; give [surface]");
    if (is_spatial(s.system_type)) {
      s.space = read_spatial_system(system);
    } else {
      s.system = read_system(system);
    }
  }
  const ContactKind kind = s.kind();
  const std::vector<std::string> one{""};
  s.surfaces = read_surfaces(top, several ? s.multi->names : one, {&kind, 1});
  if (several) {
    located(system, [&] {
      const ContactProblem problem{.G = s.multi->contact.G,
                                   .approach = s.multi->contact.approach,
                                   .surfaces = s.surfaces.each};
      if (s.multi->configuration) return validate_of_system(problem);
      validate(problem);
    });
  } else if (s.space) {
    validate_one(system, *s.space, s.surface());
  } else {
    validate_one(system, s.system, s.surface());
  }
  if (top.has("solve")) {
    const Table solve = top.table("solve");
    if (several) {
      s.options = read_options(solve);
    } else {
      solve.only({"laws"});
    }
    s.laws = read_laws(solve, kind);
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
