// SPDX-License-Identifier: Apache-2.0
// The one file that includes simdjson.
#include <carom/scenario/problem_json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <simdjson.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/scenario/spatial_reader.hpp>

namespace carom::scenario {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

/// A value for a message: itself if it is short, else what kind of thing it is.
std::string shown(const element& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  std::string text = simdjson::minify(value);
  return text.size() <= 40 ? text : "a long string";
}

[[noreturn]] void must_be(std::string field, const char* what, const element& value) {
  throw InputError(std::move(field), "must be " + std::string(what) + ", got " + shown(value));
}

/// JSON has no NaN and no infinity, so every number that is read is finite.
double number(const element& value, std::string_view field) {
  double x = 0.;
  if (value.get(x) != simdjson::SUCCESS) must_be(std::string(field), "a number", value);
  return x;
}

/// An entry of an array; its name is built only if it is wrong.
double entry(const element& value, std::string_view field, std::size_t i) {
  double x = 0.;
  if (value.get(x) != simdjson::SUCCESS) {
    must_be(std::string(field) + "[" + std::to_string(i) + "]", "a number", value);
  }
  return x;
}

std::string_view text(const element& value, std::string_view field) {
  std::string_view s;
  if (value.get(s) != simdjson::SUCCESS) must_be(std::string(field), "a string", value);
  return s;
}

object members(const element& value, std::string_view field) {
  object o;
  if (value.get(o) != simdjson::SUCCESS) must_be(std::string(field), "an object", value);
  return o;
}

array items(const element& value, std::string_view field, const char* what) {
  array a;
  if (value.get(a) != simdjson::SUCCESS) must_be(std::string(field), what, value);
  return a;
}

Vec2 pair(const element& value, std::string_view field) {
  const array a = items(value, field, "an array [normal, tangential]");
  if (a.size() != 2) {
    throw InputError(std::string(field),
                     "must have 2 numbers (normal, tangential), got " + std::to_string(a.size()));
  }
  return {.n = entry(a.at(0).value_unsafe(), field, 0),
          .t = entry(a.at(1).value_unsafe(), field, 1)};
}

Sym2 inverse_inertia(const element& value) {
  constexpr std::string_view field = "inverse_inertia";
  const array rows = items(value, field, "an array of rows");
  if (rows.size() != 2) {
    throw InputError(std::string(field), "must be 2 x 2 (one planar contact), got " +
                                             std::to_string(rows.size()) + " rows");
  }
  const Vec2 n = pair(rows.at(0).value_unsafe(), "inverse_inertia[0]");
  const Vec2 t = pair(rows.at(1).value_unsafe(), "inverse_inertia[1]");
  return symmetric(n.n, n.t, t.n, t.t);
}

Eigen::VectorXd vector(const element& value, std::string_view field) {
  const array a = items(value, field, "an array of numbers");
  Eigen::VectorXd v(static_cast<Eigen::Index>(a.size()));
  Eigen::Index i = 0;
  for (const element item : a) {
    v(i) = entry(item, field, static_cast<std::size_t>(i));
    ++i;
  }
  return v;
}

Eigen::MatrixXd matrix(const element& value, std::string_view field) {
  const array rows = items(value, field, "an array of rows");
  Eigen::MatrixXd m(static_cast<Eigen::Index>(rows.size()), 0);
  Eigen::Index i = 0;
  for (const element row : rows) {
    const Eigen::VectorXd r = vector(row, field);
    if (i == 0) m.resize(m.rows(), r.size());
    if (r.size() != m.cols()) {
      throw InputError(std::string(field), "must have rows of one length, got " +
                                               std::to_string(m.cols()) + " and " +
                                               std::to_string(r.size()));
    }
    m.row(i++) = r.transpose();
  }
  return m;
}

[[noreturn]] void unknown_key(const std::string& path, std::string_view key,
                              std::span<const std::string_view> known) {
  throw InputError(path + std::string(key), "unknown key" + did_you_mean(key, known));
}

/// The keys of a surface; which of them a line gives is kept as bits in this order.
constexpr std::array<std::string_view, 8> surface_keys = {
    "restitution",      "friction",      "static_friction",        "tangential_restitution",
    "compliance_ratio", "impulse_ratio", "tangential_coefficient", "moment_coefficients"};

unsigned surface_bit(std::string_view key) {
  for (std::size_t i = 0; i < surface_keys.size(); ++i) {
    if (surface_keys[i] == key) return 1U << i;
  }
  return 0;
}

/// Throws if the law needs a coefficient that is not given.
void require_coefficients(const LawInfo& law, unsigned given) {
  for (const LawParameter& p : law.parameters) {
    if (!p.fallback.empty() || (given & surface_bit(p.key)) != 0) continue;
    bool replaced = false;
    for (const std::string_view other : p.instead) {
      replaced = replaced || (given & surface_bit(other)) != 0;
    }
    if (!replaced) throw InputError("surface." + std::string(p.key), "is missing");
  }
}

Surface surface(const element& value, const PlanarLaw& law) {
  Surface s;
  unsigned given = 0;
  for (const auto& [key, item] : members(value, "surface")) {
    if (key == "restitution") {
      s.restitution = number(item, "surface.restitution");
    } else if (key == "friction") {
      s.friction = number(item, "surface.friction");
    } else if (key == "static_friction") {
      s.static_friction = number(item, "surface.static_friction");
    } else if (key == "tangential_restitution") {
      s.tangential_restitution = number(item, "surface.tangential_restitution");
    } else if (key == "compliance_ratio") {
      s.compliance_ratio = number(item, "surface.compliance_ratio");
    } else if (key == "impulse_ratio") {
      s.impulse_ratio = number(item, "surface.impulse_ratio");
    } else if (key == "tangential_coefficient") {
      s.tangential_coefficient = number(item, "surface.tangential_coefficient");
    } else if (key == "moment_coefficients") {
      s.moment_coefficient = number(item, "surface.moment_coefficients");
    } else {
      unknown_key("surface.", key, surface_keys);
    }
    given |= surface_bit(key);
  }
  require_coefficients(info(law), given);
  if ((given & surface_bit("static_friction")) == 0) s.static_friction = s.friction;
  return s;
}

/// "surfaces" has one entry a contact; here there is one contact.
element only_surface(const element& value) {
  const array a = items(value, "surfaces", "an array with one object a contact");
  if (a.size() != 1) {
    throw InputError("surfaces",
                     "must have 1 entry (one contact), got " + std::to_string(a.size()));
  }
  return a.at(0).value_unsafe();
}

/// One of two words.
template <class Choice>
Choice choice(const element& value, const char* field, std::pair<std::string_view, Choice> a,
              std::pair<std::string_view, Choice> b) {
  const std::string_view word = text(value, field);
  if (word == a.first) return a.second;
  if (word == b.first) return b.second;
  throw InputError(field, "must be " + std::string(a.first) + " or " + std::string(b.first) +
                              ", got '" + std::string(word) + "'");
}

/// The law as a type with an option, where the line names it plainly (an option is no addition to
/// a name that has it already).
template <class Law>
Law& law_with(const char* field, JsonProblem& problem) {
  auto* law = std::get_if<Law>(&problem.law);
  if (law == nullptr || problem.law_name != Law::info.id) {
    throw InputError(
        field, "is an option of " + std::string(Law::info.id) + ", not of " + problem.law_name);
  }
  return *law;
}

/// Options are what the law knows.
void apply_options(const element& value, JsonProblem& problem) {
  static constexpr std::array<std::string_view, 2> known = {"hypothesis", "friction_opposes"};
  for (const auto& [key, item] : members(value, "options")) {
    if (key == "hypothesis") {
      constexpr const char* field = "options.hypothesis";
      law_with<Moreau>(field, problem).hypothesis = choice<Hypothesis>(
          item, field, {"newton", Hypothesis::newton}, {"poisson", Hypothesis::poisson});
    } else if (key == "friction_opposes") {
      constexpr const char* field = "options.friction_opposes";
      law_with<Conventional>(field, problem).friction_opposes =
          choice<FrictionOpposes>(item, field, {"approach", FrictionOpposes::approach},
                                  {"rebound", FrictionOpposes::rebound});
    } else {
      unknown_key("options.", key, known);
    }
  }
}

std::string id_of(const element& value) {
  const auto type = value.type();
  if (type == element_type::ARRAY || type == element_type::OBJECT) {
    throw InputError("id", "must be a string or a number");
  }
  return simdjson::minify(value);
}

/// Two numbers in world axes.
std::array<double, 2> world_pair(const element& value, const std::string& field) {
  const array a = items(value, field, "an array [x, y]");
  if (a.size() != 2) {
    throw InputError(field, "must have 2 numbers (x, y), got " + std::to_string(a.size()));
  }
  return {entry(a.at(0).value_unsafe(), field, 0), entry(a.at(1).value_unsafe(), field, 1)};
}

FreeBody body(const element& value, const std::string& field) {
  // Required but for the last.
  static constexpr std::array<std::string_view, 5> known = {"mass", "inertia", "contact_offset",
                                                            "velocity", "spin"};
  FreeBody b;
  unsigned given = 0;
  for (const auto& [key, item] : members(value, field)) {
    const auto at = std::find(known.begin(), known.end(), key);
    if (at == known.end()) unknown_key(field + ".", key, known);
    const std::string name = field + "." + std::string(key);
    given |= 1U << static_cast<unsigned>(at - known.begin());
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = number(item, name);
    if (key == "contact_offset") b.contact_offset = world_pair(item, name);
    if (key == "velocity") b.velocity = world_pair(item, name);
    if (key == "spin") b.spin = number(item, name);
  }
  for (std::size_t k = 0; k + 1 < known.size(); ++k) {
    if ((given >> k & 1U) == 0) {
      throw InputError(field + "." + std::string(known[k]), "is missing");
    }
  }
  return b;
}

/// One or two planar bodies and the frame of their contact. Where its tangent is the normal turned
/// by +90 degrees, not by -90, tangential components change sign.
Configuration configuration_of_bodies(const element& bodies, const element& frame) {
  static constexpr std::array<std::string_view, 2> known = {"normal", "tangent1"};
  const array list = items(bodies, "bodies", "an array of bodies");
  if (list.size() < 1 || list.size() > 2) {
    throw InputError("bodies", "must have 1 or 2 entries, got " + std::to_string(list.size()));
  }
  TwoBodies s;
  s.first = body(list.at(0).value_unsafe(), "bodies[0]");
  if (list.size() == 2) s.second = body(list.at(1).value_unsafe(), "bodies[1]");
  std::optional<std::array<double, 2>> normal;
  std::optional<std::array<double, 2>> tangent;
  for (const auto& [key, item] : members(frame, "frame")) {
    if (key == "normal") {
      normal = world_pair(item, "frame.normal");
    } else if (key == "tangent1") {
      tangent = world_pair(item, "frame.tangent1");
    } else {
      unknown_key("frame.", key, known);
    }
  }
  if (!normal) throw InputError("frame.normal", "is missing");
  s.normal = unit_vector(*normal, "frame.normal");
  double hand = 1.;
  if (tangent) {
    const auto t = unit_vector(*tangent, "frame.tangent1");
    const auto own = tangent_of(s.normal);
    constexpr double six_digits = 1e-6;
    hand = t[0] * own[0] + t[1] * own[1];
    if (!(std::abs(hand) >= 1. - six_digits)) {
      throw InputError("frame.tangent1", "must be the normal turned by -90 or +90 degrees");
    }
  }
  Configuration c = configuration(s);
  if (hand < 0.) c.directions.col(1) = -c.directions.col(1);
  return c;
}

/// The members of a problem, found in one pass.
struct Members {
  std::optional<element> law, options, components, inverse_inertia, approach, surface, surfaces,
      mass, directions, velocity, bodies, frame;
};

Members sort_members(const object& o) {
  static constexpr std::array<std::string_view, 13> known = {
      "id",       "law",  "options",    "components", "inverse_inertia", "approach", "surface",
      "surfaces", "mass", "directions", "velocity",   "bodies",          "frame"};
  Members m;
  for (const auto& [key, value] : o) {
    if (key == "id") {
      // read already
    } else if (key == "law") {
      m.law = value;
    } else if (key == "inverse_inertia") {
      m.inverse_inertia = value;
    } else if (key == "approach") {
      m.approach = value;
    } else if (key == "surface") {
      m.surface = value;
    } else if (key == "surfaces") {
      m.surfaces = value;
    } else if (key == "options") {
      m.options = value;
    } else if (key == "components") {
      m.components = value;
    } else if (key == "mass") {
      m.mass = value;
    } else if (key == "directions") {
      m.directions = value;
    } else if (key == "velocity") {
      m.velocity = value;
    } else if (key == "bodies") {
      m.bodies = value;
    } else if (key == "frame") {
      m.frame = value;
    } else {
      unknown_key("", key, known);
    }
  }
  return m;
}

const element& require(const std::optional<element>& value, std::string_view field) {
  if (!value) throw InputError(std::string(field), "is missing");
  return *value;
}

/// The system that a problem gives in generalized coordinates or by bodies; none: contact space.
std::optional<Configuration> configuration_of(const Members& m) {
  const bool by_bodies = m.bodies || m.frame;
  const bool generalized = m.mass || m.directions || m.velocity;
  if (!by_bodies && !generalized) return std::nullopt;
  if (m.inverse_inertia || m.approach || (by_bodies && generalized)) {
    const char* other = m.inverse_inertia ? "inverse_inertia"
                        : m.approach      ? "approach"
                        : m.mass          ? "mass"
                        : m.directions    ? "directions"
                                          : "velocity";
    throw InputError(other, std::string("must not stand beside ") +
                                (by_bodies ? "bodies, frame" : "mass, directions, velocity"));
  }
  if (by_bodies) {
    return configuration_of_bodies(require(m.bodies, "bodies"), require(m.frame, "frame"));
  }
  return Configuration{.mass = matrix(require(m.mass, "mass"), "mass"),
                       .directions = matrix(require(m.directions, "directions"), "directions"),
                       .velocity = vector(require(m.velocity, "velocity"), "velocity"),
                       .coordinates = {}};
}

// --- in space ------------------------------------------------------------------------------------

std::size_t size_of(const element& value) {
  array a;
  return value.get(a) == simdjson::SUCCESS ? a.size() : 0;
}

/// Is this problem one in space? `components` says so, or else the size of what it gives; other
/// sizes are told as wrong by the reader of planar problems.
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

template <std::size_t n>
std::array<double, n> numbers(const element& value, std::string_view field, const char* what) {
  const array a = items(value, field, what);
  if (a.size() != n) {
    throw InputError(std::string(field), "must have " + std::to_string(n) + " numbers, got " +
                                             std::to_string(a.size()));
  }
  std::array<double, n> all{};
  std::size_t i = 0;
  for (const element item : a) {
    all[i] = entry(item, field, i);
    ++i;
  }
  return all;
}

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

SpatialSurface spatial_surface(const element& value, const LawInfo& law) {
  static constexpr std::array known = spatial_surface_keys;
  SpatialSurface s;
  unsigned given = 0;
  for (const auto& [key, item] : members(value, "surface")) {
    given |= surface_bit(key);
    if (key == "restitution") {
      s.restitution = number(item, "surface.restitution");
    } else if (key == "friction") {
      s.friction = number(item, "surface.friction");
    } else if (key == "static_friction") {
      s.static_friction = number(item, "surface.static_friction");
    } else if (key == "tangential_restitution") {
      s.tangential_restitution = number(item, "surface.tangential_restitution");
    } else if (key == "impulse_ratio") {
      s.impulse_ratio = numbers<2>(item, "surface.impulse_ratio", "an array [t1, t2]");
    } else if (key == "tangential_coefficient") {
      s.tangential_coefficient =
          numbers<2>(item, "surface.tangential_coefficient", "an array [t1, t2]");
    } else if (key == "moment_coefficients") {
      s.moment_coefficients =
          numbers<3>(item, "surface.moment_coefficients", "an array [n, t1, t2]");
    } else if (key == "moment_ratio") {
      s.moment_ratio = numbers<3>(item, "surface.moment_ratio", "an array [n, t1, t2]");
    } else {
      unknown_key("surface.", key, known);
    }
  }
  require_coefficients(law, given);
  if ((given & surface_bit("static_friction")) == 0) s.static_friction = s.friction;
  return s;
}

SpatialBody spatial_body(const element& value, const std::string& field) {
  // Required but for the last.
  static constexpr std::array<std::string_view, 5> known = {"mass", "inertia", "contact_offset",
                                                            "velocity", "spin"};
  SpatialBody b;
  unsigned given = 0;
  for (const auto& [key, item] : members(value, field)) {
    const auto at = std::find(known.begin(), known.end(), key);
    if (at == known.end()) unknown_key(field + ".", key, known);
    const std::string name = field + "." + std::string(key);
    given |= 1U << static_cast<unsigned>(at - known.begin());
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = matrix3(item, name);
    if (key == "contact_offset") b.contact_offset = world_triple(item, name);
    if (key == "velocity") b.velocity = world_triple(item, name);
    if (key == "spin") b.spin = world_triple(item, name);
  }
  for (std::size_t k = 0; k + 1 < known.size(); ++k) {
    if ((given >> k & 1U) == 0) {
      throw InputError(field + "." + std::string(known[k]), "is missing");
    }
  }
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
  const array list = items(bodies, "bodies", "an array of bodies");
  if (list.size() < 1 || list.size() > 2) {
    throw InputError("bodies", "must have 1 or 2 entries, got " + std::to_string(list.size()));
  }
  SpatialBodies s;
  s.first = spatial_body(list.at(0).value_unsafe(), "bodies[0]");
  if (list.size() == 2) s.second = spatial_body(list.at(1).value_unsafe(), "bodies[1]");
  s.frame = spatial_frame(frame);
  return BodiesAtImpact(s, "frame.");
}

/// The law that a name and the option `hypothesis` ask for: "sun-baruh" with energetic is
/// "sun-baruh:energetic". The hypothesis that a plain name has already may be given, too.
const NamedSpatialLaw& law_with_hypothesis(const std::string& name, std::string_view hypothesis) {
  if (hypothesis.empty()) {
    if (find_spatial_law(name) != nullptr) return spatial_law(name, "law");
    const auto* usual = find_spatial_law(name + ":poisson");  // where there is no plain one
    return usual != nullptr ? *usual : spatial_law(name, "law");
  }
  constexpr const char* field = "options.hypothesis";
  if (const auto* law = find_spatial_law(name + ":" + std::string(hypothesis))) return *law;
  const bool usual = (name == "moreau" && hypothesis == "newton") ||
                     (name == "sun-baruh" && hypothesis == "poisson");
  if (usual) return spatial_law(name, "law");
  (void)spatial_law(name, "law");
  if (name == "moreau") {
    throw InputError(field, "must be newton or poisson, got '" + std::string(hypothesis) + "'");
  }
  if (name == "sun-baruh") {
    throw InputError(field, "must be poisson or energetic, got '" + std::string(hypothesis) + "'");
  }
  throw InputError(field, "is an option of moreau and sun-baruh, not of " + name);
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
        p.options.tolerance = number(item, "options.tolerance");
        if (!(p.options.tolerance >= 1e-14 && p.options.tolerance <= 1e-3)) {
          throw InputError("options.tolerance", p.options.tolerance, "in [1e-14, 1e-3]");
        }
      } else {
        unknown_key("options.", key, known);
      }
    }
  }
  p.law = &law_with_hypothesis(law_name, hypothesis);
  const element surface = m.surfaces ? only_surface(*m.surfaces) : require(m.surface, "surface");
  p.problem.surface = spatial_surface(surface, *p.law->info);
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
  require_answerable(*p.law, p.problem);
}

}  // namespace

struct ProblemReader::Parser {
  simdjson::dom::parser json;
  std::vector<char> padded;
};

ProblemReader::ProblemReader(std::string default_law, const SpatialOptions& options)
    : parser_(std::make_unique<Parser>()),
      default_law_(std::move(default_law)),
      options_(options) {}

ProblemReader::~ProblemReader() = default;

void ProblemReader::read(std::string_view line, JsonProblem& problem) {
  problem.id = "null";
  problem.configuration.reset();
  problem.by_bodies = false;
  problem.space.reset();
  auto& buffer = parser_->padded;
  if (buffer.size() < line.size() + simdjson::SIMDJSON_PADDING) {
    buffer.resize(line.size() + simdjson::SIMDJSON_PADDING);
  }
  std::copy(line.begin(), line.end(), buffer.begin());
  element document;
  const auto error =
      parser_->json.parse(buffer.data(), line.size(), /*realloc_if_needed=*/false).get(document);
  if (error != simdjson::SUCCESS) {
    throw InputError("", "not JSON: " + std::string(simdjson::error_message(error)));
  }
  object o;
  if (document.get(o) != simdjson::SUCCESS) throw InputError("", "must be an object {...}");
  // The id first, so that whatever else is wrong is told under it.
  element id;
  if (o.at_key("id").get(id) == simdjson::SUCCESS) problem.id = id_of(id);
  const Members m = sort_members(o);

  const std::string_view name = m.law ? text(*m.law, "law") : std::string_view(default_law_);
  if (name.empty()) throw InputError("law", "is missing; name one, or give --law");
  if (m.surface && m.surfaces) throw InputError("surfaces", "must not stand beside surface");
  problem.law_name = name;
  if (in_space(m)) {
    problem.space.emplace().options = options_;
    read_space(m, problem.law_name, *problem.space);
    return;
  }
  if (find_law(name) == nullptr && find_spatial_law(name) != nullptr) {
    throw InputError("law", std::string(name) + " works in space only");
  }
  problem.law = find_law(name, "law").law;
  if (m.options) apply_options(*m.options, problem);

  const element coefficients =
      m.surfaces ? only_surface(*m.surfaces) : require(m.surface, "surface");
  problem.problem.surface = surface(coefficients, problem.law);
  if (auto c = configuration_of(m)) {
    const ContactSpace space = contact_space(*c);
    problem.problem.G = space.G;
    problem.problem.approach = space.approach;
    problem.problem.spin = space.spin;
    problem.configuration = std::move(c);
    problem.by_bodies = m.bodies.has_value();
  } else {
    problem.problem.G = inverse_inertia(require(m.inverse_inertia, "inverse_inertia"));
    problem.problem.approach = pair(require(m.approach, "approach"), "approach");
    problem.problem.spin = {};
  }
  validate(problem.problem, info(problem.law).release);
  require_answerable(problem.law, problem.problem);
}

}  // namespace carom::scenario
