// SPDX-License-Identifier: Apache-2.0
// Problems of several contacts, a line of JSON each.
#include <vector>

#include <carom/core/error.hpp>
#include <carom/scenario/json_values.hpp>
#include <carom/scenario/multi_reader.hpp>

namespace carom::scenario::json {
namespace {

/// Laws that there are for several contacts alone answer for one, too.
bool is_of_several_alone(std::string_view name) {
  const Law* law = find_law(name);
  return law != nullptr && law->info->knows("stiffness");
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

/// Given, or what is left for each of `surfaces`, or 2 or 3 for one contact.
std::size_t components_of(const Members& m) {
  if (m.components) return whole_number(number(*m.components, "components"), 1, 3, "components");
  const std::size_t rows = rows_of(m);
  const std::size_t contacts = m.surfaces ? size_of(*m.surfaces) : 1;
  const std::size_t components = contacts > 0 && rows % contacts == 0 ? rows / contacts : 0;
  if (components < 1 || components > 3) {
    throw InputError("components", "is missing: 1 (frictionless), 2 (plane) or 3 (space)");
  }
  return components;
}

/// The law that a name and the option `hypothesis` ask for.
const Law& law_with_hypothesis(const std::string& name, std::string_view hypothesis) {
  if (hypothesis.empty()) return find_law(name, "law");
  constexpr const char* field = "options.hypothesis";
  const Law& plain = find_law(name, "law");
  if (name != "moreau") throw InputError(field, "is an option of moreau, not of " + name);
  if (hypothesis == "newton") return plain;
  if (hypothesis == "poisson") return *find_law("moreau:poisson");
  throw InputError(field, "must be newton or poisson, got '" + std::string(hypothesis) + "'");
}

void read_options(const element& value, const std::string& law_name, MultiJsonProblem& p) {
  static constexpr std::array<std::string_view, 4> known = {"hypothesis", "tolerance",
                                                            "euler_steps", "solver"};
  constexpr std::size_t most_steps = 1000000000;
  std::string_view hypothesis;
  for (const auto& [key, item] : members(value, "options")) {
    if (key == "hypothesis") {
      hypothesis = text(item, "options.hypothesis");
      if (hypothesis.empty()) throw InputError("options.hypothesis", "must not be empty");
    } else if (key == "tolerance") {
      p.options.tolerance =
          require_tolerance(number(item, "options.tolerance"), "options.tolerance");
    } else if (key == "euler_steps") {
      p.options.euler_steps =
          whole_number(number(item, "options.euler_steps"), 1, most_steps, "options.euler_steps");
    } else if (key == "solver") {
      p.options.solver = multi_solver(text(item, "options.solver"), "options.solver");
    } else {
      unknown_key("options.", key, known);
    }
  }
  p.law = &law_with_hypothesis(law_name, hypothesis);
  if (p.options.euler_steps != 0 && law_name != "lzb") {
    throw InputError("options.euler_steps", "is an option of lzb, not of " + law_name);
  }
  if (p.options.solver != FrictionSolver::automatic && law_name == "lzb") {
    throw InputError("options.solver", "is an option of moreau, not of lzb");
  }
}

Surface checked_surface(const element& value, const std::string& field, const Law& law,
                        ContactKind kind) {
  const Surface s = read_surface(value, field, kind.components, *answering(law, kind)->info);
  validate(s, field, Release::refused, kind.components);
  return s;
}

void read_surfaces(const Members& m, std::size_t components, std::size_t contacts,
                   MultiJsonProblem& p) {
  if (!m.surfaces) {
    const element& one = require(m.surface, "surface");
    p.problem.surfaces.assign(contacts,
                              checked_surface(one, "surface", *p.law, {contacts, components}));
    return;
  }
  const array all = items(*m.surfaces, "surfaces", "an array with one object a contact");
  if (all.size() != contacts) {
    throw InputError("surfaces", "must be one for each of " + std::to_string(contacts) +
                                     (contacts == 1 ? " contact, got " : " contacts, got ") +
                                     std::to_string(all.size()));
  }
  for (const element one : all) {
    const std::string field = "surfaces[" + std::to_string(p.problem.surfaces.size()) + "]";
    p.problem.surfaces.push_back(checked_surface(one, field, *p.law, {contacts, components}));
  }
}

std::vector<double> numbers(const element& value, std::string_view field) {
  const Eigen::VectorXd v = vector(value, field);
  return {v.data(), v.data() + v.size()};
}

/// G by rows, or {"triplets": [[row, column, value], ...]}, counted from 0.
BlockMatrix inverse_inertia(const element& value, std::size_t contacts, std::size_t components) {
  if (value.is_array()) {
    return BlockMatrix::from_dense(matrix(value, "inverse_inertia"), components);
  }
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

MultiContact read_contact_space(const Members& m, std::size_t components) {
  MultiContact c;
  const element& G = require(m.inverse_inertia, "inverse_inertia");
  c.approach = numbers(require(m.approach, "approach"), "approach");
  if (c.approach.empty() || c.approach.size() % components != 0) {
    throw InputError("approach", "must have " + std::to_string(components) +
                                     " numbers a contact, got " +
                                     std::to_string(c.approach.size()));
  }
  c.G = inverse_inertia(G, c.approach.size() / components, components);
  return c;
}

MultiConfiguration read_configuration(const Members& m, std::size_t components) {
  MultiConfiguration c;
  c.components = components;
  c.M = matrix(require(m.mass, "mass"), "mass").sparseView();
  c.W = matrix(require(m.directions, "directions"), "directions").sparseView();
  c.u = numbers(require(m.velocity, "velocity"), "velocity");
  for (std::size_t i = 0; i < c.u.size(); ++i) {
    c.coordinates.push_back("u_" + std::to_string(i + 1));
  }
  return c;
}

}  // namespace

bool has_several_contacts(const Members& m, std::string_view law_name) {
  if (is_of_several_alone(law_name)) return true;
  // In space one contact in generalized coordinates goes the same way.
  if (m.directions && columns_of(*m.directions) == 3) return true;
  if (m.inverse_inertia && m.inverse_inertia->is_object()) return true;
  constexpr std::size_t two_in_the_plane = 4;  // fewer rows are of one, unless `components` says so
  if (!m.components) {
    return m.surfaces && size_of(*m.surfaces) > 1 && rows_of(m) >= two_in_the_plane;
  }
  double components = 0.;
  if (m.components->get(components) != simdjson::SUCCESS) return false;
  if (components == 1.) return true;
  return (components == 2. || components == 3.) && static_cast<double>(rows_of(m)) > components;
}

void read_multi(const Members& m, const std::string& law_name, MultiJsonProblem& p) {
  p.law = &find_law(law_name, "law");
  if (m.options) read_options(*m.options, law_name, p);
  const bool generalized = m.mass || m.directions || m.velocity;
  if (m.bodies || m.frame) {
    throw InputError(m.bodies ? "bodies" : "frame",
                     "is for one contact and not for " + law_name +
                         "; give inverse_inertia and approach, or mass, directions and velocity");
  }
  if (generalized && (m.inverse_inertia || m.approach)) {
    throw InputError(m.inverse_inertia ? "inverse_inertia" : "approach",
                     "must not stand beside mass, directions, velocity");
  }
  const std::size_t components = components_of(m);
  MultiContact contact;
  if (generalized) {
    p.configuration = read_configuration(m, components);
    contact = contact_space(*p.configuration);
  } else {
    contact = read_contact_space(m, components);
  }
  p.problem.G = std::move(contact.G);
  p.problem.approach = std::move(contact.approach);
  const std::size_t contacts = p.problem.contacts();
  if (m.contacts) {
    const double given = number(*m.contacts, "contacts");
    if (given != static_cast<double>(contacts)) {
      throw InputError("contacts", given,
                       std::to_string(contacts) + ", as approach and components tell");
    }
  }
  if (answering(*p.law, {contacts, components}) == nullptr) {
    (void)find_law(law_name, "law", {contacts, components});  // which says why
  }
  read_surfaces(m, components, contacts, p);
  if (p.configuration) return validate_of_system(p.problem);
  validate(p.problem);
}

}  // namespace carom::scenario::json
