// SPDX-License-Identifier: Apache-2.0
// What Python gives: numbers, arrays, coefficients.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/surface_reader.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

constexpr std::size_t most_steps = 1000000000;

std::string type_name(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

bool is_number(py::handle value) {
  return PyFloat_Check(value.ptr()) || (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr()));
}

std::string indexed(std::string_view field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

/// One contact's rows of at most three numbers, read from lists without making arrays of them.
struct FewNumbers {
  std::array<double, 9> values{};
  std::size_t size = 0;
};

/// Appends the numbers of a list or tuple. @return false where it is something else, or too long
bool read_list(PyObject* list, FewNumbers& into, std::size_t most) {
  if (!PyList_Check(list) && !PyTuple_Check(list)) return false;
  PyObject** items = PySequence_Fast_ITEMS(list);
  const auto size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list));
  if (size == 0 || size > most) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (!PyFloat_CheckExact(items[i]) && !PyLong_CheckExact(items[i])) return false;
    const double x = PyFloat_AsDouble(items[i]);
    if (x == -1. && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    into.values[into.size++] = x;
  }
  return true;
}

/// The same of an array of doubles in C order.
bool read_array(PyObject* object, FewNumbers& into, int dimensions) {
  if (!py::isinstance<py::array_t<double>>(object)) return false;
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (array.ndim() != dimensions || (array.flags() & py::array::c_style) == 0) return false;
  const auto size = static_cast<std::size_t>(array.size());
  if (size == 0 || size > into.values.size()) return false;
  const auto* data = static_cast<const double*>(array.data());
  std::copy_n(data, size, into.values.begin());
  into.size = size;
  return true;
}

/// G and v of one contact, where they are given as lists of numbers or arrays of doubles.
bool read_one_contact(py::handle G, py::handle v, ContactProblem& problem) {
  FewNumbers approach;
  if (!read_list(v.ptr(), approach, 3) && !read_array(v.ptr(), approach, 1)) return false;
  const std::size_t d = approach.size;
  if (d > 3) return false;
  FewNumbers rows;
  if (PyList_Check(G.ptr()) || PyTuple_Check(G.ptr())) {
    if (static_cast<std::size_t>(PySequence_Fast_GET_SIZE(G.ptr())) != d) return false;
    for (std::size_t i = 0; i < d; ++i) {
      if (!read_list(PySequence_Fast_ITEMS(G.ptr())[i], rows, d)) return false;
      if (rows.size != (i + 1) * d) return false;
    }
  } else if (!read_array(G.ptr(), rows, 2)) {
    return false;
  }
  if (rows.size != d * d) return false;
  assign(problem, std::span(rows.values).first(d * d), std::span(approach.values).first(d));
  return true;
}

}  // namespace

Numbers numbers_of(py::handle value, std::string_view field) {
  const bool complex = py::isinstance<py::array>(value) &&
                       py::reinterpret_borrow<py::array>(value).dtype().kind() == 'c';
  auto array = complex ? py::reinterpret_steal<Numbers>(nullptr) : Numbers::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw InputError(std::string(field), "must be numbers, got " + type_name(value));
  }
  return array;
}

double number_of(py::handle value, std::string_view field) {
  const double x = PyFloat_AsDouble(value.ptr());
  if ((x == -1. && PyErr_Occurred() != nullptr) || PyUnicode_Check(value.ptr())) {
    PyErr_Clear();
    throw InputError(std::string(field), "must be a number, got " + type_name(value));
  }
  return x;
}

std::string text_of(py::handle value, std::string_view field) {
  if (!PyUnicode_Check(value.ptr())) {
    throw InputError(std::string(field), "must be text, got " + type_name(value));
  }
  return py::cast<std::string>(value);
}

std::vector<scenario::PlacedText> texts(const std::vector<std::string>& all, const char* field) {
  std::vector<scenario::PlacedText> out;
  for (const std::string& text : all) out.push_back({.text = text, .field = field, .place = ""});
  return out;
}

py::array_t<double> array_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<double> empty_array(const std::vector<std::size_t>& shape) {
  return py::array_t<double>(std::vector<py::ssize_t>(shape.begin(), shape.end()));
}

Vector vector_of(py::handle value, std::string_view field, std::size_t size) {
  const Numbers array = numbers_of(value, field);
  if (static_cast<std::size_t>(array.size()) != size) {
    throw InputError(std::string(field), "must have " + std::to_string(size) + " numbers, got " +
                                             std::to_string(array.size()));
  }
  return Eigen::Map<const Vector>(array.data(), static_cast<Eigen::Index>(size));
}

Matrix matrix_of(py::handle value, std::string_view field, std::size_t rows, std::size_t columns) {
  const Numbers array = numbers_of(value, field);
  const auto r = static_cast<Eigen::Index>(rows), c = static_cast<Eigen::Index>(columns);
  if (array.ndim() != 2 || array.shape(0) != r || array.shape(1) != c) {
    std::string shape;
    for (py::ssize_t i = 0; i < array.ndim(); ++i) {
      shape += (i > 0 ? " x " : "") + std::to_string(array.shape(i));
    }
    throw InputError(std::string(field), "must be " + std::to_string(rows) + " x " +
                                             std::to_string(columns) + " numbers, got " +
                                             (shape.empty() ? "one number" : shape));
  }
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const ByRows>(array.data(), r, c);
}

ContactProblem problem_of(py::handle inverse_inertia, py::handle approach, std::size_t components) {
  ContactProblem problem;
  if (components == 0 && read_one_contact(inverse_inertia, approach, problem)) return problem;
  const Numbers v = numbers_of(approach, "approach");
  if (v.ndim() < 1 || v.ndim() > 2 || v.size() == 0) {
    throw InputError("approach",
                     "must be a row of numbers, or a row for each contact; got an array with " +
                         std::to_string(v.ndim()) + " dimensions and " + std::to_string(v.size()) +
                         " numbers");
  }
  const auto size = static_cast<std::size_t>(v.size());
  std::size_t d = components;
  if (v.ndim() == 2) {
    d = static_cast<std::size_t>(v.shape(1));
    if (components != 0 && components != d) {
      throw InputError("components", static_cast<double>(components),
                       std::to_string(d) + ", as the rows of approach have");
    }
  } else if (d == 0) {
    if (size > 3) {
      throw InputError("components", "is missing: how many numbers of approach each contact has");
    }
    d = size;
  }
  if (d < 1 || d > 3) throw InputError("components", static_cast<double>(d), "1, 2 or 3");
  if (size % d != 0) {
    throw InputError("approach", "must have " + std::to_string(d) + " numbers a contact, got " +
                                     std::to_string(size));
  }
  const Matrix G = matrix_of(inverse_inertia, "inverse_inertia", size, size);
  if (size == d) {  // one contact: with the test of symmetry of the stream
    std::array<double, 9> rows{};
    for (std::size_t i = 0; i < d * d; ++i) rows[i] = G(ix(i / d), ix(i % d));
    assign(problem, std::span(rows).first(d * d), {v.data(), d});
    return problem;
  }
  problem.approach.assign(v.data(), v.data() + size);
  problem.G = BlockMatrix::from_dense(G, d);
  return problem;
}

namespace {

/// Reads a coefficient of contact i from its value, of which there may be one for each contact.
void read_coefficient(const Coefficient& c, py::handle value, const ContactProblem& problem,
                      std::size_t i, bool of_all, Surface& surface) {
  const std::size_t size = c.size(problem.components());
  const std::span<double> into = c.numbers(surface);
  surface.given |= given_bit(c);
  if (size == 1 && is_number(value)) {
    into[0] = number_of(value, c.key);
    return;
  }
  const Numbers array = numbers_of(value, c.key);
  const auto all = static_cast<std::size_t>(array.size());
  const std::size_t contacts = problem.contacts();
  if (all == size && (size > 1 || array.ndim() == 0 || contacts == 1)) {
    std::copy_n(array.data(), size, into.begin());
    return;
  }
  if (of_all && all == contacts * size) {
    std::copy_n(array.data() + i * size, size, into.begin());
    return;
  }
  std::string allowed = size == 1 ? "a number" : std::to_string(size) + " numbers";
  if (of_all && contacts > 1) {
    allowed += ", or that for each of " + std::to_string(contacts) + " contacts";
  }
  throw InputError(std::string(c.key),
                   "must be " + allowed + ", got " + std::to_string(all) + " numbers");
}

[[noreturn]] void throw_unknown(const std::string& key, const Law* law, std::size_t components) {
  std::vector<std::string_view> known;
  for (const Coefficient& c : coefficients()) {
    if (c.in_motion_only || (c.in_space_only && components != 3)) continue;
    known.push_back(c.key);
  }
  if (law != nullptr) {
    known.insert(known.end(), {"tolerance", "solver", "euler_steps", "most_steps"});
    if (!law->option.key.empty()) known.push_back(law->option.key);
  }
  throw InputError(key, "unknown keyword" + did_you_mean(key, known));
}

/// @return false where the key is none of an option
bool read_option(const std::string& key, py::handle value, ContactKind kind, Asked& asked) {
  if (asked.law == nullptr) return false;
  SolveOptions& o = asked.options;
  const auto steps = [&] {
    return scenario::whole_number(number_of(value, key), 1, most_steps, key);
  };
  if (key == "tolerance") {
    require_option(*asked.law, kind, key, key);
    o.tolerance = require_tolerance(number_of(value, key), key);
  } else if (key == "euler_steps") {
    require_option(*asked.law, kind, key, key);
    o.euler_steps = steps();
  } else if (key == "most_steps") {
    o.most_steps = steps();
  } else if (key == "solver") {
    require_option(*asked.law, kind, key, key);
    o.solver = scenario::multi_solver(text_of(value, key), key);
  } else if (PyUnicode_Check(value.ptr())) {
    asked.law = &with_option(*asked.law, key, text_of(value, key), key);
  } else {
    return false;
  }
  return true;
}

/// @param of_all  the table is for all contacts
Surface read_surface(const py::dict& table, const ContactProblem& problem, std::size_t i,
                     bool of_all, Asked* asked) {
  const std::size_t d = problem.components();
  Surface s;
  s.given = 0;
  for (const auto& [name, value] : table) {
    const std::string key = text_of(name, "keyword");
    const Coefficient* c = find_coefficient(key);
    if (c != nullptr && !(c->in_space_only && d != 3)) {
      read_coefficient(*c, value, problem, i, of_all, s);
    } else if (asked == nullptr || !read_option(key, value, kind_of(problem), *asked)) {
      throw_unknown(key, asked != nullptr ? asked->law : nullptr, d);
    }
  }
  scenario::require_one_rule(s, "surface");
  if (!is_given(s, "static_friction")) s.static_friction = s.friction;
  if (d == 1) {
    scenario::require_frictionless(s, "");
    s.given |= given_bit(*find_coefficient("friction"));
  }
  return s;
}

}  // namespace

Asked complete(ContactProblem& problem, const Law* law, const py::dict& keywords,
               py::handle surfaces) {
  const ContactKind kind = kind_of(problem);
  Asked asked{.law = law};
  problem.surfaces.clear();
  problem.surfaces.reserve(kind.contacts);
  if (surfaces.is_none()) {
    problem.surfaces.push_back(read_surface(keywords, problem, 0, true, &asked));
    for (std::size_t i = 1; i < kind.contacts; ++i) {
      problem.surfaces.push_back(read_surface(keywords, problem, i, true, &asked));
    }
  } else {
    if (!py::isinstance<py::list>(surfaces) && !py::isinstance<py::tuple>(surfaces)) {
      throw InputError("surfaces",
                       "must be a list of tables of coefficients, got " + type_name(surfaces));
    }
    const py::list all(py::reinterpret_borrow<py::object>(surfaces));
    if (all.size() != kind.contacts) {
      throw InputError("surfaces", "must be one for each of " + std::to_string(kind.contacts) +
                                       " contacts, got " + std::to_string(all.size()));
    }
    for (const auto& [key, value] : keywords) {
      const std::string name = text_of(key, "keyword");
      if (find_coefficient(name) != nullptr) {
        throw InputError(name, "must not stand beside surfaces");
      }
      if (!read_option(name, value, kind, asked)) throw_unknown(name, law, kind.components);
    }
    for (std::size_t i = 0; i < kind.contacts; ++i) {
      if (!py::isinstance<py::dict>(all[i])) {
        throw InputError(indexed("surfaces", i), "must be a table of coefficients");
      }
      problem.surfaces.push_back(read_surface(all[i], problem, i, false, nullptr));
    }
  }
  if (law == nullptr) {
    validate(problem, Release::allowed);
    return asked;
  }
  const LawInfo& info = info_for(*asked.law, kind);
  for (const Surface& s : problem.surfaces) {
    if (const auto key = missing_coefficient(info, s)) {
      throw InputError(std::string(*key),
                       "is missing; " + std::string(asked.law->name) + " needs it");
    }
  }
  const Release release = kind.contacts == 1 ? info.release : Release::refused;
  // One contact in the plane has a check of its own, which is quicker and says the same.
  kind == in_the_plane ? validate(planar_problem(problem), release) : validate(problem, release);
  require_applies(*asked.law, problem);
  if (kind.contacts == 1) {
    require_answerable(info, problem.surfaces.front(), problem.spin_rows > 0, kind.components);
  }
  return asked;
}

}  // namespace carom::python
