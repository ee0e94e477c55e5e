// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/problem_json.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/scenario/json_values.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/surface_reader.hpp>

namespace carom::scenario {
namespace {

using namespace json;

std::string id_of(const element& value) {
  const auto type = value.type();
  if (type == element_type::ARRAY || type == element_type::OBJECT) {
    throw InputError("id", "must be a string or a number");
  }
  return simdjson::minify(value);
}

/// The members of a problem by their names. The id is read before.
constexpr std::array<std::pair<std::string_view, std::optional<element> Members::*>, 13> by_name{{
    {"law", &Members::law},
    {"options", &Members::options},
    {"components", &Members::components},
    {"inverse_inertia", &Members::inverse_inertia},
    {"approach", &Members::approach},
    {"surface", &Members::surface},
    {"surfaces", &Members::surfaces},
    {"mass", &Members::mass},
    {"directions", &Members::directions},
    {"velocity", &Members::velocity},
    {"bodies", &Members::bodies},
    {"frame", &Members::frame},
    {"contacts", &Members::contacts},
}};

Members sort_members(const object& o) {
  Members m;
  for (const auto& [key, value] : o) {
    if (key == "id") continue;
    const auto at =
        std::find_if(by_name.begin(), by_name.end(),
                     [&, name = key](const auto& known) { return known.first == name; });
    if (at == by_name.end()) {
      std::vector<std::string_view> known{"id"};
      for (const auto& [name, member] : by_name) known.push_back(name);
      unknown_key("", key, known);
    }
    m.*at->second = value;
  }
  return m;
}

/// The columns of `directions`, 0 where it is not a matrix.
std::size_t columns_of(const element& directions) {
  array rows;
  if (directions.get(rows) != simdjson::SUCCESS || rows.size() == 0) return 0;
  return size_of(rows.at(0).value_unsafe());
}

/// How many rows G has.
std::size_t rows_of(const Members& m) {
  if (m.inverse_inertia && m.inverse_inertia->is_array()) return size_of(*m.inverse_inertia);
  if (m.approach) return size_of(*m.approach);
  return m.directions ? columns_of(*m.directions) : 0;
}

/// The components of each contact: given, or what the rows leave for each of the surfaces.
std::size_t components_of(const Members& m) {
  if (m.components) return whole_number(number(*m.components, "components"), 1, 3, "components");
  if (m.bodies || m.frame) return bodies_in_space(m) ? 3 : 2;
  const std::size_t rows = rows_of(m);
  const std::size_t contacts = m.surfaces ? size_of(*m.surfaces) : 1;
  const std::size_t components = contacts > 0 && rows % contacts == 0 ? rows / contacts : 0;
  // Contacts without friction must be called so. What is missing is reported by its name.
  if (rows <= 3 && components < 2) return rows == 3 ? 3 : 2;
  if (components < 2 || components > 3) {
    throw InputError("components", "is missing: 1 (frictionless), 2 (plane) or 3 (space)");
  }
  return components;
}

/// Refuses what must not stand beside what.
void require_one_form(const Members& m) {
  const bool bodies = m.bodies || m.frame;
  const bool generalized = m.mass || m.directions || m.velocity;
  if (!bodies && !generalized) return;
  const char* other = m.inverse_inertia         ? "inverse_inertia"
                      : m.approach              ? "approach"
                      : !bodies || !generalized ? nullptr
                      : m.mass                  ? "mass"
                      : m.directions            ? "directions"
                                                : "velocity";
  if (other == nullptr) return;
  throw InputError(other, std::string("must not stand beside ") +
                              (bodies ? "bodies, frame" : "mass, directions, velocity"));
}

std::vector<double> number_list(const element& value, std::string_view field) {
  const Eigen::VectorXd v = vector(value, field);
  return {v.data(), v.data() + v.size()};
}

/// G by its entries, {"triplets": [[row, column, value], ...]}, counted from 0.
BlockMatrix from_triplets(const element& value, std::size_t contacts, std::size_t components) {
  static constexpr std::array<std::string_view, 1> known = {"triplets"};
  std::optional<element> list;
  for (const auto& [key, item] : members(value, "inverse_inertia")) {
    if (key != "triplets") unknown_key("inverse_inertia.", key, known);
    list = item;
  }
  const std::string field = "inverse_inertia.triplets";
  std::vector<BlockMatrix::Triplet> triplets;
  const std::size_t last = contacts * components - 1;
  for (const element item : items(require(list, field), field, "an array of triplets")) {
    const std::string name = field + "[" + std::to_string(triplets.size()) + "]";
    const array t = items(item, name, "an array [row, column, value]");
    if (t.size() != 3) {
      throw InputError(
          name, "must be [row, column, value], got " + std::to_string(t.size()) + " numbers");
    }
    const auto index = [&](std::size_t k) {
      return whole_number(entry(t.at(k).value_unsafe(), name, k), 0, last,
                          name + "[" + std::to_string(k) + "]");
    };
    triplets.push_back(
        {.row = index(0), .column = index(1), .value = entry(t.at(2).value_unsafe(), name, 2)});
  }
  return BlockMatrix::from_triplets(contacts, components, triplets);
}

/// Reads the numbers of an array into `into`. @return how many it has
std::size_t read_row(const element& value, std::string_view field, std::span<double> into) {
  std::size_t i = 0;
  for (const element item : items(value, field, "an array of numbers")) {
    const double x = entry(item, field, i);
    if (i < into.size()) into[i] = x;
    ++i;
  }
  return i;
}

/// G and v of one contact, without allocation.
void read_one_contact(const Members& m, std::size_t d, ContactProblem& p) {
  std::array<double, 3> approach{};
  std::array<double, 9> G{};
  const element& matrix = require(m.inverse_inertia, "inverse_inertia");
  const array rows = items(matrix, "inverse_inertia", "an array of rows");
  const std::string size = std::to_string(d);
  if (rows.size() != d) {
    throw InputError("inverse_inertia", "must be " + size + " x " + size + ", got " +
                                            std::to_string(rows.size()) + " rows");
  }
  std::size_t r = 0;
  for (const element row : rows) {
    const std::size_t numbers =
        read_row(row, "inverse_inertia[" + std::to_string(r) + "]", {G.data() + r * d, d});
    if (numbers != d) {
      throw InputError("inverse_inertia[" + std::to_string(r) + "]",
                       "must have " + size + " numbers, got " + std::to_string(numbers));
    }
    ++r;
  }
  const std::size_t numbers = read_row(require(m.approach, "approach"), "approach", approach);
  if (numbers != d) {
    throw InputError("approach", "must have " + size + " numbers, got " + std::to_string(numbers));
  }
  assign(p, {G.data(), d * d}, {approach.data(), d});
}

void read_contact_space(const Members& m, std::size_t d, SystemAtImpact& system) {
  system.forget_system();
  ContactProblem& p = system.problem;
  const element& G = require(m.inverse_inertia, "inverse_inertia");
  const element& v = require(m.approach, "approach");
  if (!G.is_array() && !G.is_object()) {
    must_be("inverse_inertia", "an array of rows, or an object with triplets", G);
  }
  if (G.is_array() && size_of(v) <= d) return read_one_contact(m, d, p);
  p.spin_rows = 0;
  p.couple_inertia.clear();
  p.approach = number_list(v, "approach");
  if (p.approach.empty() || p.approach.size() % d != 0) {
    throw InputError("approach", "must have " + std::to_string(d) + " numbers a contact, got " +
                                     std::to_string(p.approach.size()));
  }
  p.G = G.is_array() ? BlockMatrix::from_dense(matrix(G, "inverse_inertia"), d)
                     : from_triplets(G, p.approach.size() / d, d);
}

/// M, W and u. @param d  components of each contact
SystemAtImpact read_generalized(const Members& m, std::size_t d) {
  const Eigen::MatrixXd M = matrix(require(m.mass, "mass"), "mass");
  const Eigen::MatrixXd W = matrix(require(m.directions, "directions"), "directions");
  return at_impact(M, W, number_list(require(m.velocity, "velocity"), "velocity"), d);
}

void read_options(const element& value, JsonProblem& p) {
  static constexpr std::array<std::string_view, 5> known = {"hypothesis", "friction_opposes",
                                                            "tolerance", "euler_steps", "solver"};
  constexpr std::size_t most_steps = 1000000000;
  const ContactKind kind = carom::kind_of(p.system.problem);
  for (const auto& [key, item] : members(value, "options")) {
    const std::string field = "options." + std::string(key);
    if (key == "hypothesis" || key == "friction_opposes") {
      p.law = &with_option(*p.law, key, text(item, field), field);
    } else if (key == "tolerance") {
      require_option(*p.law, kind, key, field);
      p.options.tolerance = require_tolerance(number(item, field), field);
    } else if (key == "euler_steps") {
      require_option(*p.law, kind, key, field);
      p.options.euler_steps = whole_number(number(item, field), 1, most_steps, field);
    } else if (key == "solver") {
      require_option(*p.law, kind, key, field);
      p.options.solver = multi_solver(text(item, field), field);
    } else {
      unknown_key("options.", key, known);
    }
  }
}

void read_surfaces(const Members& m, const Law& law, ContactProblem& p) {
  const ContactKind kind = carom::kind_of(p);
  const LawInfo& info = info_for(law, kind);
  const auto read = [&](const element& value, const std::string& field) {
    const Surface s = read_surface(value, field, kind.components, info);
    validate(s, field, kind.contacts == 1 ? info.release : Release::refused, kind.components);
    require_one_rule(s, field);
    return s;
  };
  if (!m.surfaces) {
    p.surfaces.assign(kind.contacts, read(require(m.surface, "surface"), "surface"));
    return;
  }
  const array all = items(*m.surfaces, "surfaces", "an array with one object a contact");
  if (all.size() != kind.contacts) {
    throw InputError("surfaces", "must be one for each of " + std::to_string(kind.contacts) +
                                     (kind.contacts == 1 ? " contact, got " : " contacts, got ") +
                                     std::to_string(all.size()));
  }
  p.surfaces.clear();
  for (const element one : all) {
    p.surfaces.push_back(read(one, "surfaces[" + std::to_string(p.surfaces.size()) + "]"));
  }
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
  problem.options = {};
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
  // The id first, so that whatever else is wrong is reported under it.
  element id;
  if (o.at_key("id").get(id) == simdjson::SUCCESS) problem.id = id_of(id);
  const Members m = sort_members(o);

  const std::string_view name = m.law ? text(*m.law, "law") : std::string_view(default_law_);
  if (name.empty()) throw InputError("law", "is missing; name one, or give --law");
  problem.law_name = name;
  problem.law = &find_law(name, "law");
  if (m.surface && m.surfaces) throw InputError("surfaces", "must not stand beside surface");
  require_one_form(m);
  const std::size_t d = components_of(m);
  if (m.bodies || m.frame) {
    if (d == 1) throw InputError("components", 1., "2 or 3 where bodies are given");
    problem.system = read_bodies(m, d == 3);
  } else if (m.mass || m.directions || m.velocity) {
    problem.system = read_generalized(m, d);
  } else {
    read_contact_space(m, d, problem.system);
  }
  ContactProblem& p = problem.system.problem;
  const ContactKind kind = carom::kind_of(p);
  if (m.contacts) {
    const double given = number(*m.contacts, "contacts");
    if (given != static_cast<double>(kind.contacts)) {
      throw InputError("contacts", given,
                       std::to_string(kind.contacts) + ", as approach and components imply");
    }
  }
  problem.law = &find_law(name, "law", kind);
  if (m.options) read_options(*m.options, problem);
  // What the command asks for is for lines that do not.
  if (problem.options.tolerance == 0.) problem.options.tolerance = tolerance_.value_or(0.);
  read_surfaces(m, *problem.law, p);
  const LawInfo& info = info_for(*problem.law, kind);
  const bool made = kind.contacts > 1 && problem.system.has_velocities();
  made ? validate_of_system(p) : validate(p, info.release);
  require_applies(*problem.law, p);
  if (kind.contacts == 1) {
    require_answerable(info, p.surfaces.front(), p.spin_rows > 0, kind.components);
  }
}

}  // namespace carom::scenario
