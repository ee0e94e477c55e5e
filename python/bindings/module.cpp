// SPDX-License-Identifier: Apache-2.0
// The module carom._carom.
#include <exception>

#include <carom/core/error.hpp>

#include "bindings.hpp"

namespace {

namespace py = pybind11;

/// carom.InputError, which the pure Python half defines.
void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const carom::InputError& e) {
    const py::object type = py::module_::import("carom._errors").attr("InputError");
    const py::object value = type(e.field(), e.problem(), e.where());
    PyErr_SetObject(type.ptr(), value.ptr());
  } catch (const carom::Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

PYBIND11_MODULE(_carom, m) {
  m.doc() = "The compiled half of carom. Use the functions of the package carom.";
  m.attr("__version__") = CAROM_VERSION;
  py::register_local_exception_translator(translate);
  carom::python::add_tables(m);
  carom::python::add_answer(m);
  carom::python::add_solve(m);
  carom::python::add_many(m);
  carom::python::add_map(m);
  carom::python::add_laws(m);
  carom::python::add_models(m);
  carom::python::add_fit(m);
  carom::python::add_motion(m);
  carom::python::add_sweep(m);
}
