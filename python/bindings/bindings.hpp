// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <carom/impact/outcome.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/toml_table.hpp>

/// The compiled half of the Python package. It turns arrays into the library's types and back;
/// words, tables and help are in python/carom.
namespace carom::python {

namespace py = pybind11;

/// Numbers in C order, converted where need be.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// --- values.cpp: what Python gives ---------------------------------------------------------------

/// An array of numbers. Throws InputError under `field` for anything else.
[[nodiscard]] Numbers numbers_of(py::handle value, std::string_view field);
/// One number. Throws InputError under `field` for anything else.
[[nodiscard]] double number_of(py::handle value, std::string_view field);
/// Text. Throws InputError under `field` for anything else.
[[nodiscard]] std::string text_of(py::handle value, std::string_view field);
/// As a file would have them, for errors.
[[nodiscard]] std::vector<scenario::PlacedText> texts(const std::vector<std::string>& all,
                                                      const char* field);
[[nodiscard]] py::array_t<double> array_of(const std::vector<double>& values);
/// A new array of this shape.
[[nodiscard]] py::array_t<double> empty_array(const std::vector<std::size_t>& shape);
/// A row of G or of an approach, however it is given.
[[nodiscard]] Vector vector_of(py::handle value, std::string_view field, std::size_t size);
[[nodiscard]] Matrix matrix_of(py::handle value, std::string_view field, std::size_t rows,
                               std::size_t columns);

/// Impact in contact space. @param components  of each contact; 0: as the approach says
[[nodiscard]] ContactProblem problem_of(py::handle inverse_inertia, py::handle approach,
                                        std::size_t components);

/// A law and its options: keywords that are no coefficients.
struct Asked {
  const Law* law = nullptr;
  SolveOptions options{};
};

/// Fills in the surfaces of a problem from a table of coefficients, the same for all contacts or
/// one number for each, or from a sequence of tables, one a contact; and checks that the law can
/// answer. Throws InputError for keys that are unknown. Without a law there are coefficients alone.
[[nodiscard]] Asked complete(ContactProblem& problem, const Law* law, const py::dict& keywords,
                             py::handle surfaces);

/// Names and units of the numbers of a model written in Python, by their dotted paths.
using NumberLabels = std::map<std::string, std::pair<std::string, std::string>>;

// --- interrupt.cpp -------------------------------------------------------------------------------

/// Does the work on another thread, without Python's lock, while this one looks for Ctrl-C. Then
/// `stop` is set, and KeyboardInterrupt thrown as soon as the work has ended. What the work throws
/// is thrown here.
void interruptible(const std::function<void(const std::atomic<bool>& stop)>& work);

// --- answer.cpp ----------------------------------------------------------------------------------

/// What one law says of one impact, for Python.
struct Answer {
  const Law* law = nullptr;  ///< as asked, alias or not
  std::shared_ptr<const SystemAtImpact> system;
  Outcome outcome;
  std::vector<double> after{};  ///< u+; empty: the system has no velocities
  std::vector<JointImpulse> joints{};
  std::string note{};  ///< what the law could not honour; else empty

  [[nodiscard]] const ContactProblem& problem() const { return system->problem; }
};

// --- parts of the module, each in a file of its own ----------------------------------------------

void add_tables(py::module_& module);
void add_answer(py::module_& module);
void add_fit(py::module_& module);
void add_solve(py::module_& module);
void add_many(py::module_& module);
void add_map(py::module_& module);
void add_models(py::module_& module);
void add_laws(py::module_& module);
void add_motion(py::module_& module);
void add_sweep(py::module_& module);

}  // namespace carom::python
