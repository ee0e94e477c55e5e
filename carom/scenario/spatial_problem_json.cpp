// SPDX-License-Identifier: Apache-2.0
// Problems in space, a line of JSON each.
#include <carom/core/error.hpp>
#include <carom/scenario/json_values.hpp>
#include <carom/scenario/spatial_reader.hpp>

namespace carom::scenario::json {
namespace {

World3 world_triple(const element& value, std::string_view field) {
  return numbers<3>(value, field, "an array [x, y, z]");
}

Mat3 matrix3(const element& value, std::string_view field) {
  const array rows = items(value, field, "an array of rows");
  if (rows.size() != 3) {
    throw InputError(std::string(field),
                     "must be 3 x 3, got " + std::to_string(rows.size()) + " rows");
  }
  Mat3 m{};
  std::size_t i = 0;
  for (const element row : rows) m[i++] = numbers<3>(row, field, "an array of rows");
  return m;
}

SpatialBody spatial_body(const element& value, const std::string& field) {
  SpatialBody b;
  read_body(value, field, [&](std::string_view key, const element& item, const std::string& name) {
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = matrix3(item, name);
    if (key == "contact_offset") b.contact_offset = world_triple(item, name);
    if (key == "velocity") b.velocity = world_triple(item, name);
    if (key == "spin") b.spin = world_triple(item, name);
  });
  return b;
}

/// The normal alone, with tangent1, or all three.
ContactFrame spatial_frame(const element& value) {
  static constexpr std::array<std::string_view, 3> known = {"normal", "tangent1", "tangent2"};
  std::array<std::optional<World3>, 3> given;
  for (const auto& [key, item] : members(value, "frame")) {
    const auto at = std::find(known.begin(), known.end(), key);
    if (at == known.end()) unknown_key("frame.", key, known);
    given[static_cast<std::size_t>(at - known.begin())] =
        world_triple(item, "frame." + std::string(key));
  }
  if (!given[0]) throw InputError("frame.normal", "is missing");
  if (*given[0] == World3{}) throw InputError("frame.normal", "must have length 1, got 0");
  if (!given[1] && given[2]) throw InputError("frame.tangent1", "is missing");
  ContactFrame f{.normal = *given[0], .tangent1 = {}, .tangent2 = {}};
  if (!given[1]) {
    const ContactFrame usual = frame_of(f.normal);
    f.tangent1 = usual.tangent1;
    f.tangent2 = usual.tangent2;
  } else {
    f.tangent1 = *given[1];
    f.tangent2 = given[2] ? *given[2] : cross(f.normal, f.tangent1);
  }
  return checked(f, "frame.");
}

BodiesAtImpact spatial_bodies(const element& bodies, const element& frame) {
  const array list = one_or_two(bodies);
  SpatialBodies s;
  s.first = spatial_body(list.at(0).value_unsafe(), "bodies[0]");
  if (list.size() == 2) s.second = spatial_body(list.at(1).value_unsafe(), "bodies[1]");
  s.frame = spatial_frame(frame);
  return BodiesAtImpact(s, "frame.");
}

/// The law that a name and the option `hypothesis` ask for: "sun-baruh" with energetic is
/// "sun-baruh:energetic". The hypothesis that a plain name has already may be given, too.
const Law& law_with_hypothesis(const std::string& name, std::string_view hypothesis) {
  if (hypothesis.empty()) {
    if (find_law(name) != nullptr) return find_law(name, "law", carom::in_space);
    const auto* usual = find_law(name + ":poisson");  // where there is no plain one
    return usual != nullptr ? *usual : find_law(name, "law", carom::in_space);
  }
  constexpr const char* field = "options.hypothesis";
  if (const auto* law = find_law(name + ":" + std::string(hypothesis))) return *law;
  const bool usual = (name == "moreau" && hypothesis == "newton") ||
                     (name == "sun-baruh" && hypothesis == "poisson");
  if (usual) return find_law(name, "law", carom::in_space);
  (void)find_law(name, "law", carom::in_space);
  if (name == "moreau") {
    throw InputError(field, "must be newton or poisson, got '" + std::string(hypothesis) + "'");
  }
  if (name == "sun-baruh") {
    throw InputError(field, "must be poisson or energetic, got '" + std::string(hypothesis) + "'");
  }
  throw InputError(field, "is an option of moreau and sun-baruh, not of " + name);
}

}  // namespace

bool in_space(const Members& m) {
  if (m.components) {
    const double components = number(*m.components, "components");
    if (components != 2. && components != 3.) {
      throw InputError("components", components, "2 (a planar contact) or 3 (one in space)");
    }
    if (components == 3. && m.inverse_inertia && size_of(*m.inverse_inertia) == 2) {
      throw InputError("components", components, "2 (a planar contact)");
    }
    return components == 3.;
  }
  if (m.inverse_inertia) return size_of(*m.inverse_inertia) == 3;
  if (!m.bodies) return false;
  object frame;
  if (m.frame && m.frame->get(frame) == simdjson::SUCCESS &&
      frame.at_key("tangent2").error() == simdjson::SUCCESS) {
    return true;
  }
  array bodies;
  object first;
  element offset;
  if (m.bodies->get(bodies) != simdjson::SUCCESS || bodies.size() == 0) return false;
  return bodies.at(0).value_unsafe().get(first) == simdjson::SUCCESS &&
         first.at_key("contact_offset").get(offset) == simdjson::SUCCESS && size_of(offset) == 3;
}

void read_space(const Members& m, const std::string& law_name, SpatialJsonProblem& p) {
  static constexpr std::array<std::string_view, 2> known = {"hypothesis", "tolerance"};
  std::string_view hypothesis;
  if (m.options) {
    for (const auto& [key, item] : members(*m.options, "options")) {
      if (key == "hypothesis") {
        hypothesis = text(item, "options.hypothesis");
        if (hypothesis.empty()) throw InputError("options.hypothesis", "must not be empty");
      } else if (key == "tolerance") {
        p.options.tolerance =
            require_tolerance(number(item, "options.tolerance"), "options.tolerance");
      } else {
        unknown_key("options.", key, known);
      }
    }
  }
  p.law = &law_with_hypothesis(law_name, hypothesis);
  const element surface = m.surfaces ? only_surface(*m.surfaces) : require(m.surface, "surface");
  p.problem.surface =
      read_surface(surface, "surface", 3, *answering(*p.law, carom::in_space)->info);
  if (m.mass || m.directions || m.velocity) {
    throw InputError(
        m.mass         ? "mass"
        : m.directions ? "directions"
                       : "velocity",
        "is of planar contacts; in space give inverse_inertia and approach, or bodies");
  }
  if (m.bodies || m.frame) {
    if (m.inverse_inertia || m.approach) {
      throw InputError(m.inverse_inertia ? "inverse_inertia" : "approach",
                       "must not stand beside bodies, frame");
    }
    p.bodies = spatial_bodies(require(m.bodies, "bodies"), require(m.frame, "frame"));
    const SpatialContact& c = p.bodies->contact();
    p.problem.G = c.G;
    p.problem.approach = c.approach;
    p.problem.spin = c.spin;
  } else {
    p.problem.G =
        symmetric(matrix3(require(m.inverse_inertia, "inverse_inertia"), "inverse_inertia"));
    const auto v = numbers<3>(require(m.approach, "approach"), "approach",
                              "an array [normal, tangent1, tangent2]");
    p.problem.approach = {.n = v[0], .t1 = v[1], .t2 = v[2]};
  }
  validate(p.problem, p.law->info->release);
  require_answerable(*answering(*p.law, carom::in_space)->info, p.problem.surface,
                     p.problem.spin.known, 3);
}

}  // namespace carom::scenario::json
