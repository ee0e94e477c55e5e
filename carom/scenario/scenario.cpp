// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/scenario.hpp>

#include <array>
#include <fstream>
#include <iterator>

#include <carom/core/error.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {
namespace {

Surface read_surface(const Table& t, std::vector<GivenKey>& given) {
  static constexpr std::array<std::string_view, 8> keys = {
      "restitution",      "friction",      "static_friction",        "tangential_restitution",
      "compliance_ratio", "impulse_ratio", "tangential_coefficient", "moment_coefficients"};
  t.only(keys);
  Surface s;
  s.restitution = t.number("restitution", 0.);
  s.friction = t.number("friction", 0.);
  s.static_friction = t.number("static_friction", s.friction);
  s.tangential_restitution = t.number("tangential_restitution", 0.);
  s.compliance_ratio = t.number("compliance_ratio", s.compliance_ratio);
  if (t.has("impulse_ratio")) s.impulse_ratio = t.number("impulse_ratio");
  if (t.has("tangential_coefficient"))
    s.tangential_coefficient = t.number("tangential_coefficient");
  s.moment_coefficient = t.number("moment_coefficients", s.moment_coefficient);
  for (const std::string_view key : keys) {
    if (t.has(key)) given.push_back({.key = std::string(key), .place = t.where(key)});
  }
  // Whether restitution may exceed 1 depends on the law, and is asked when laws are.
  located(t, [&] { validate(s, "surface", Release::allowed); });
  return s;
}

std::vector<const NamedLaw*> read_laws(const Table& t) {
  t.only({"laws"});
  std::vector<const NamedLaw*> laws;
  for (const PlacedText& name : t.texts("laws", "a law's name")) {
    try {
      laws.push_back(&find_law(name.text, name.field));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), name.place);
    }
  }
  return laws;
}

}  // namespace

const std::string* Scenario::place_of(std::string_view key) const {
  for (const GivenKey& g : given) {
    if (g.key == key) return &g.place;
  }
  return nullptr;
}

Scenario parse(std::string_view text, std::string name) {
  const Document document(text, name);
  Scenario s;
  s.name = std::move(name);
  const Table top = document.top();
  top.only({"title", "system", "surface", "solve"});
  s.title = top.text("title", "");
  const Table system = top.table("system");
  const Table surface = top.table("surface");
  s.system = read_system(system);
  s.system_type = system.text("type", "");
  s.surface = read_surface(surface, s.given);
  s.surface_place = surface.here();
  located(system, [&] {
    const ContactSpace contact = at_impact(s.system).contact;
    validate(
        {.G = contact.G, .approach = contact.approach, .surface = s.surface, .spin = contact.spin},
        Release::allowed);
  });
  if (top.has("solve")) s.laws = read_laws(top.table("solve"));
  return s;
}

Scenario read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    throw InputError("", "cannot be read (is it there, and a file?)", file.string());
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return parse(text, file.string());
}

}  // namespace carom::scenario
