// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/problem_json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/scenario/json_values.hpp>

namespace carom::scenario {
namespace {

using namespace json;

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
  FreeBody b;
  read_body(value, field, [&](std::string_view key, const element& item, const std::string& name) {
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = number(item, name);
    if (key == "contact_offset") b.contact_offset = world_pair(item, name);
    if (key == "velocity") b.velocity = world_pair(item, name);
    if (key == "spin") b.spin = number(item, name);
  });
  return b;
}

/// One or two planar bodies and the frame of their contact. Where its tangent is the normal turned
/// by +90 degrees, not by -90, tangential components change sign.
Configuration configuration_of_bodies(const element& bodies, const element& frame) {
  static constexpr std::array<std::string_view, 2> known = {"normal", "tangent1"};
  const array list = one_or_two(bodies);
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

Members sort_members(const object& o) {
  static constexpr std::array<std::string_view, 14> known = {
      "id",       "law",  "options",    "components", "inverse_inertia", "approach", "surface",
      "surfaces", "mass", "directions", "velocity",   "bodies",          "frame",    "contacts"};
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
    } else if (key == "contacts") {
      m.contacts = value;
    } else {
      unknown_key("", key, known);
    }
  }
  return m;
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

}  // namespace

struct ProblemReader::Parser {
  simdjson::dom::parser json;
  std::vector<char> padded;
};

ProblemReader::ProblemReader(std::string default_law, std::optional<double> tolerance)
    : parser_(std::make_unique<Parser>()),
      default_law_(std::move(default_law)),
      tolerance_(tolerance) {}

ProblemReader::~ProblemReader() = default;

void ProblemReader::read(std::string_view line, JsonProblem& problem) {
  problem.id = "null";
  problem.configuration.reset();
  problem.by_bodies = false;
  problem.space.reset();
  problem.multi.reset();
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
  if (has_several_contacts(m, name)) {
    // What the command asks for is for lines that do not.
    problem.multi.emplace().options.tolerance = tolerance_.value_or(0.);
    read_multi(m, problem.law_name, *problem.multi);
    return;
  }
  if (m.contacts) throw InputError("contacts", "is for several contacts, and this is one");
  if (in_space(m)) {
    problem.space.emplace();
    if (tolerance_) problem.space->options.tolerance = *tolerance_;
    read_space(m, problem.law_name, *problem.space);
    return;
  }
  problem.law = planar_kernel(find_law(name, "law", in_the_plane));
  if (m.options) apply_options(*m.options, problem);

  const element coefficients =
      m.surfaces ? only_surface(*m.surfaces) : require(m.surface, "surface");
  problem.problem.surface = read_surface(coefficients, "surface", 2, info(problem.law));
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
  require_answerable(info(problem.law), problem.problem.surface, problem.problem.spin.rr > 0., 2);
}

}  // namespace carom::scenario
