// SPDX-License-Identifier: Apache-2.0
// Laws written in Python: a function from a problem to its impulse. They are rows of the table of
// laws, asked by one thread at a time.
#include <cmath>
#include <deque>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/laws/registered.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

/// What a row of the table refers to. It stays for the rest of the run.
struct PythonLaw {
  std::string name;
  std::string summary;
  std::vector<LawParameter> parameters;
  LawInfo info;
  PyObject* function = nullptr;  ///< owned
  const Law* row = nullptr;      ///< of the table
};

std::deque<PythonLaw>& python_laws() {
  static auto* const all = new std::deque<PythonLaw>;  // outlives the interpreter
  return *all;
}

PythonLaw* find_python_law(std::string_view name) {
  for (PythonLaw& law : python_laws()) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

/// The rows of velocity: a law written in Python has no couples.
std::vector<Eigen::Index> velocity_rows(const ContactProblem& p) {
  std::vector<Eigen::Index> rows;
  for (std::size_t k = 0; k < p.G.size(); ++k) {
    if (k % p.G.components() < p.components()) rows.push_back(ix(k));
  }
  return rows;
}

py::object describe(const ContactProblem& p, const std::vector<Eigen::Index>& rows) {
  const auto n = static_cast<py::ssize_t>(rows.size());
  py::array_t<double> G({n, n});
  const Matrix dense = p.G.dense()(rows, rows);
  std::copy_n(dense.data(), dense.size(), G.mutable_data());  // symmetric
  std::vector<double> approach;
  for (const Eigen::Index k : rows) approach.push_back(p.approach[static_cast<std::size_t>(k)]);
  py::list surfaces;
  for (const Surface& s : p.surfaces) {
    py::dict table;
    for (const Coefficient& c : coefficients()) {
      if (!is_given(s, c.key) && c.key != "static_friction") continue;
      const auto values = c.read(s);
      const std::size_t size = c.size(p.components());
      if (values.size() < size) continue;
      py::object value = py::float_(values[0]);
      if (size > 1) {
        value = array_of(std::vector<double>(values.begin(),
                                             values.begin() + static_cast<std::ptrdiff_t>(size)));
      }
      table[py::str(std::string(c.key))] = value;
    }
    surfaces.append(table);
  }
  return py::module_::import("carom._laws")
      .attr("Problem")(G, array_of(approach), p.components(), surfaces);
}

/// What a contact did, by its impulse and its velocity after.
Mode mode_of(const ContactProblem& p, const Outcome& o, std::size_t i) {
  const std::size_t rows = p.G.components(), d = p.components();
  double push = 0., slip = 0., speed = 0.;
  for (std::size_t k = i * rows; k < i * rows + d; ++k) {
    push = std::max(push, std::abs(o.impulse[k]));
    speed = std::max(speed, std::abs(p.approach[k]));
    if (k > i * rows) slip = std::max(slip, std::abs(o.velocity[k]));
  }
  if (push == 0.) return Mode::no_impulse;
  if (d == 1) return Mode::closed;
  constexpr double still = 1e-12;  // of the approach: rounding of what a law computes
  return slip <= still * speed ? Mode::stick : Mode::slip;
}

void solve_in_python(const Law& row, const ContactProblem& p, const SolveOptions&, Outcome& o) {
  const auto& law = *static_cast<const PythonLaw*>(row.data.get());
  const std::size_t size = p.approach.size();
  const std::vector<Eigen::Index> rows = velocity_rows(p);
  {
    const py::gil_scoped_acquire acquire;
    const auto function = py::reinterpret_borrow<py::object>(law.function);
    const Vector P = vector_of(function(describe(p, rows)), law.name, rows.size());
    if (!P.allFinite()) throw InputError(law.name, "must return finite impulses");
    o.impulse.assign(size, 0.);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      o.impulse[static_cast<std::size_t>(rows[k])] = P[ix(k)];
    }
  }
  o.velocity.resize(size);
  p.G.multiply(o.impulse, o.velocity);
  for (std::size_t k = 0; k < size; ++k) o.velocity[k] += p.approach[k];
  o.contacts.resize(p.contacts());
  for (std::size_t i = 0; i < p.contacts(); ++i) o.contacts[i].mode = mode_of(p, o, i);
  bool pushes = false;
  for (const double x : o.impulse) pushes = pushes || x != 0.;
  settle_algebraically(p, o);
  o.flags.add_if(!pushes, Verdict::no_impulse);
}

Applies applies_in_python(const Law& row, const ContactProblem& p) noexcept {
  const auto& law = *static_cast<const PythonLaw*>(row.data.get());
  for (const Surface& s : p.surfaces) {
    if (const auto key = missing_coefficient(law.info, s)) {
      return {.answer = Applies::Answer::cannot, .field = *key, .why = "is missing"};
    }
  }
  return {};
}

/// A coefficient that a law knows. @param fallback  empty: it cannot do without
LawParameter parameter_of(const Coefficient& c, std::string_view fallback) {
  return {.key = c.key,
          .symbol = c.symbol,
          .meaning = c.label,
          .allowed = c.allowed,
          .fallback = fallback};
}

std::string unknown_coefficient(const std::string& key) {
  std::vector<std::string_view> known;
  for (const Coefficient& c : coefficients()) known.push_back(c.key);
  return "unknown '" + key + "'" + did_you_mean(key, known);
}

/// Adds a law, or replaces the function of one that Python has added.
/// @param keys  of the coefficients that it needs; none: it may look at any
/// @param listed  in tables, and among the laws that apply by default; else it has to be named
void register_in_python(const std::string& name, const py::object& function,
                        const std::string& summary,
                        const std::optional<std::vector<std::string>>& keys, bool listed) {
  PythonLaw* law = find_python_law(name);
  if (law == nullptr && find_law(name) != nullptr) {
    throw InputError("law", "'" + name + "' is a law of Carom; give the function another name");
  }
  std::vector<LawParameter> parameters;
  if (keys) {
    for (const std::string& key : *keys) {
      const Coefficient* c = find_coefficient(key);
      if (c == nullptr) throw InputError("coefficients", unknown_coefficient(key));
      parameters.push_back(parameter_of(*c, ""));
    }
  } else {
    for (const Coefficient& c : coefficients()) {
      if (!c.in_motion_only) parameters.push_back(parameter_of(c, "none"));
    }
  }
  const bool is_new = law == nullptr;
  if (is_new) law = &python_laws().emplace_back();
  if (law->function != nullptr) Py_DECREF(law->function);
  law->function = function.inc_ref().ptr();
  law->parameters = std::move(parameters);
  law->info.parameters = law->parameters;
  const Listed how = listed ? Listed::always : Listed::by_name;
  if (!is_new) return list_law(*law->row, how);
  law->name = name;
  law->summary = summary.empty() ? "written in Python" : summary;
  law->info = {.id = law->name,
               .summary = law->summary,
               .assumptions = "Written in Python; asked by one thread at a time.",
               .source = "the user",
               .parameters = law->parameters,
               .labels = Labels::sticks};
  law->row =
      &register_law({.name = law->name,
                     .summary = law->summary,
                     .info = &law->info,
                     .solve = solve_in_python,
                     .applies = applies_in_python,
                     .parallel = false,
                     .data = std::shared_ptr<const void>(std::shared_ptr<const void>(), law)});
  list_law(*law->row, how);
}

/// Nobody finds the law any more.
void withdraw_law(const std::string& name) {
  if (const PythonLaw* const law = find_python_law(name)) list_law(*law->row, Listed::no);
}

}  // namespace

void add_laws(py::module_& m) {
  m.def("register_law", register_in_python);
  m.def("withdraw_law", withdraw_law);
}

}  // namespace carom::python
