// SPDX-License-Identifier: Apache-2.0
// Models written in Python: an object with functions for M, h, gaps and W.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/registered_systems.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

using scenario::finite;
using scenario::ModelInState;
using scenario::Table;

/// Calls an object's functions. All take and return arrays; the lock is taken for each call.
class PythonModel final : public ListedModel {
 public:
  explicit PythonModel(py::object model) : model_(std::move(model)) {
    positions_ = names("positions", positions_of_, "m");
    velocities_ = names("velocities", velocities_of_, "m/s");
    contacts_ = names("contacts", contact_names_, "");
    components_ = static_cast<std::size_t>(number("components", 2.));
    if (components_ < 2 || components_ > 3) {
      throw InputError("model.components", static_cast<double>(components_), "2 or 3");
    }
    length_ = positive("length", 1.);
    acceleration_ = positive("acceleration", standard_gravity);
    has_rate_ = py::hasattr(model_, "rate");
    has_bias_ = py::hasattr(model_, "bias");
    has_potential_ = py::hasattr(model_, "potential");
    if (positions_ != velocities_ && !has_rate_) {
      throw InputError("model.rate", "is missing: q and u differ in size, so that q' is not u");
    }
  }
  ~PythonModel() override {
    const py::gil_scoped_acquire acquire;
    model_ = py::object();
  }

  [[nodiscard]] std::size_t positions() const override { return positions_; }
  [[nodiscard]] std::size_t velocities() const override { return velocities_; }
  [[nodiscard]] std::size_t components() const override { return components_; }
  [[nodiscard]] std::string position_name(std::size_t i) const override {
    return positions_of_[i].name;
  }
  [[nodiscard]] std::string velocity_name(std::size_t i) const override {
    return velocities_of_[i].name;
  }
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return positions_of_[i].unit;
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return velocities_of_[i].unit;
  }

  void kinematics(const State& s, Vector& rate) const override {
    if (!has_rate_) {
      rate = s.u;
      return;
    }
    const py::gil_scoped_acquire acquire;
    rate = vector_of(call("rate", s, true), "model.rate", positions_);
  }

  void dynamics(const State& s, MassMatrix& M, Vector& h) const override {
    const py::gil_scoped_acquire acquire;
    const Matrix mass = mass_at(s);
    std::copy_n(mass.data(), mass.size(), M.block(0));  // symmetric
    h = forces_at(s);
  }

  [[nodiscard]] std::size_t contacts() const override { return contacts_; }
  [[nodiscard]] std::string name_of(std::size_t i) const override { return contact_names_[i].name; }
  [[nodiscard]] double gap_of(std::size_t i, const State& s) const override {
    const py::gil_scoped_acquire acquire;
    return gaps_at(s)[ix(i)];
  }

  void motion_of(std::size_t i, const State& s, ContactMotion& m) const override {
    const py::gil_scoped_acquire acquire;
    m.gap = gaps_at(s)[ix(i)];
    m.ranges = {VelocityRange{0, velocities_}, VelocityRange{0, 0}};
    const auto d = ix(components_), first = ix(i) * d;
    const Matrix W = directions_at(s);
    m.W = Eigen::Matrix<double, Eigen::Dynamic, 3>::Zero(ix(velocities_), 3);
    m.W.leftCols(d) = W.middleCols(first, d);
    m.velocity = m.W.transpose() * s.u;
    m.bias.setZero();
    m.bias.head(d) = bias_at(s).segment(first, d);
  }

  [[nodiscard]] double potential_energy(const State& s) const override {
    if (!has_potential_) return 0.;
    const py::gil_scoped_acquire acquire;
    return number_of(call("potential", s, false), "model.potential");
  }
  /// Without a potential the forces are drives, so that the account of energy closes where M is
  /// constant.
  [[nodiscard]] OtherPower other_power(const State& s) const override {
    if (has_potential_) return {};
    const py::gil_scoped_acquire acquire;
    return {.drives = forces_at(s).dot(s.u)};
  }
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }

  // With Python's lock held:
  [[nodiscard]] Matrix mass_at(const State& s) const {
    Matrix M = matrix_of(call("mass", s, false), "model.mass", velocities_, velocities_);
    if (!M.allFinite()) throw InputError("model.mass", "must be finite");
    const double scale = M.cwiseAbs().maxCoeff();
    constexpr double asymmetry = 1e-12;  // of the largest entry: rounding of what makes it
    if (!((M - M.transpose()).cwiseAbs().maxCoeff() <= asymmetry * scale)) {
      throw InputError("model.mass", "must be symmetric");
    }
    return 0.5 * (M + M.transpose());
  }
  [[nodiscard]] Vector forces_at(const State& s) const {
    return finite(vector_of(call("forces", s, true), "model.forces", velocities_), "forces");
  }
  [[nodiscard]] Vector gaps_at(const State& s) const {
    return finite(vector_of(call("gaps", s, false), "model.gaps", contacts_), "gaps");
  }
  [[nodiscard]] Matrix directions_at(const State& s) const {
    return matrix_of(call("directions", s, false), "model.directions", velocities_,
                     contacts_ * components_);
  }

 private:
  struct Named {
    std::string name, unit;
  };
  static constexpr double standard_gravity = 9.81;  // [m/s^2]

  static Vector finite(Vector v, const char* what) {
    if (!v.allFinite()) throw InputError(std::string("model.") + what, "must be finite");
    return v;
  }

  /// mass(t, q), forces(t, q, u): what depends on velocities has them.
  [[nodiscard]] py::object call(const char* function, const State& s, bool with_velocity) const {
    const py::array_t<double> q(s.q.size(), s.q.data());
    if (!with_velocity) return model_.attr(function)(s.time, q);
    return model_.attr(function)(s.time, q, py::array_t<double>(s.u.size(), s.u.data()));
  }

  /// The rate of W^T u at u' = 0: the model's own, or W' u by a central difference along the
  /// motion.
  [[nodiscard]] Vector bias_at(const State& s) const {
    if (has_bias_) {
      return finite(vector_of(call("bias", s, true), "model.bias", contacts_ * components_),
                    "bias");
    }
    Vector rate(ix(positions_));
    kinematics(s, rate);
    const double speed = rate.cwiseAbs().maxCoeff();
    if (speed == 0.) return Vector::Zero(ix(contacts_ * components_));
    // The error of a central difference is h^2 + eps/h, least at the cube root of eps.
    const double dt = std::cbrt(2.2e-16) * length_ / speed;
    const auto shifted = [&](double by) {
      return State{.time = s.time + by, .q = s.q + by * rate, .u = s.u};
    };
    return (directions_at(shifted(dt)) - directions_at(shifted(-dt))).transpose() * s.u / (2. * dt);
  }

  [[nodiscard]] double number(const char* name, double fallback) const {
    if (!py::hasattr(model_, name)) return fallback;
    return number_of(model_.attr(name), std::string("model.") + name);
  }
  [[nodiscard]] double positive(const char* name, double fallback) const {
    const double x = number(name, fallback);
    require_positive(x, std::string("model.") + name);
    return x;
  }
  /// A list of names, or of pairs (name, unit).
  std::size_t names(const char* attribute, std::vector<Named>& into, const char* unit) const {
    const std::string field = std::string("model.") + attribute;
    if (!py::hasattr(model_, attribute)) {
      throw InputError(field, "is missing: a list of names, or of pairs (name, unit)");
    }
    for (const py::handle item : py::list(model_.attr(attribute))) {
      if (py::isinstance<py::tuple>(item) && py::len(item) == 2) {
        const auto pair = py::reinterpret_borrow<py::tuple>(item);
        into.push_back({text_of(pair[0], field), text_of(pair[1], field)});
      } else {
        into.push_back({text_of(item, field), unit});
      }
    }
    if (into.empty()) throw InputError(field, "must not be empty");
    return into.size();
  }

  py::object model_;
  std::vector<Named> positions_of_, velocities_of_, contact_names_;
  std::size_t positions_ = 0, velocities_ = 0, contacts_ = 0, components_ = 2;
  double length_ = 1., acceleration_ = standard_gravity;
  bool has_rate_ = false, has_bias_ = false, has_potential_ = false;
};

/// Owned, and given back with Python's lock held, by whichever thread.
using Shared = std::shared_ptr<PyObject>;
Shared shared(py::object object) {
  return {object.release().ptr(), [](PyObject* p) {
            const py::gil_scoped_acquire acquire;
            Py_DECREF(p);
          }};
}

/// A model as the table [system] of a scenario has it: q and u by the names of their numbers, and
///
///     time       of the state [s]
///     contacts   names of those that strike; without it, those whose gap is zero
///     ...        numbers that are attributes of the model
class PythonSystem {
 public:
  /// @param numbers  the names of the attributes that are numbers
  PythonSystem(py::object model, std::vector<std::string> numbers)
      : model_(shared(std::move(model))), numbers_(std::move(numbers)) {}

  [[nodiscard]] ModelInState moving(const Table& t) const {
    const py::gil_scoped_acquire acquire;
    auto model = std::make_unique<PythonModel>(changed(t));
    State state = state_in(t, *model);
    t.refuse("contacts", "is of one impact: a motion finds which contacts close");
    return {.model = std::move(model), .state = std::move(state)};
  }

  [[nodiscard]] SystemAtImpact at_impact(const Table& t) const {
    const py::gil_scoped_acquire acquire;
    const PythonModel m(changed(t));
    const State s = state_in(t, m);
    const std::vector<std::size_t> striking = striking_in(t, m, s);
    const Matrix all = m.directions_at(s);
    const auto d = ix(m.components());
    Matrix W(all.rows(), d * ix(striking.size()));
    std::vector<std::string> names;
    for (std::size_t k = 0; k < striking.size(); ++k) {
      W.middleCols(ix(k) * d, d) = all.middleCols(ix(striking[k]) * d, d);
      names.push_back(m.name_of(striking[k]));
    }
    SystemAtImpact system = carom::at_impact(m.mass_at(s), W, {s.u.data(), s.u.data() + s.u.size()},
                                             m.components(), std::move(names));
    system.coordinates.clear();
    for (std::size_t i = 0; i < m.velocities(); ++i) {
      system.coordinates.push_back(
          {.name = m.velocity_name(i), .unit = std::string(m.velocity_unit(i))});
    }
    return system;
  }

 private:
  static constexpr std::array<std::string_view, 5> own{"type", "q", "u", "time", "contacts"};

  /// The model, or a copy with the numbers that the table gives it instead of its own.
  [[nodiscard]] py::object changed(const Table& t) const {
    py::object model = py::reinterpret_borrow<py::object>(model_.get());
    bool copied = false;
    for (const std::string& key : t.keys()) {
      if (std::ranges::find(own, key) != own.end()) continue;
      if (std::ranges::find(numbers_, key) == numbers_.end()) {
        const std::vector<std::string_view> known(numbers_.begin(), numbers_.end());
        t.fail(key, "is no number of the model" + did_you_mean(key, known));
      }
      const double value = finite(t, key);
      if (number_of(model.attr(key.c_str()), key) == value) continue;
      if (!copied) model = py::module_::import("copy").attr("copy")(model);
      copied = true;
      model.attr(key.c_str()) = value;
    }
    return model;
  }

  static State state_in(const Table& t, const PythonModel& m) {
    State s{.time = finite(t, "time", 0.), .q = Vector(ix(m.positions())), .u = {}};
    s.u.resize(ix(m.velocities()));
    const Table q = t.table("q"), u = t.table("u");
    for (std::size_t i = 0; i < m.positions(); ++i) s.q[ix(i)] = finite(q, m.position_name(i));
    for (std::size_t i = 0; i < m.velocities(); ++i) s.u[ix(i)] = finite(u, m.velocity_name(i));
    if (q.keys().size() != m.positions())
      only_names(q, m.positions(), &PythonModel::position_name, m);
    if (u.keys().size() != m.velocities())
      only_names(u, m.velocities(), &PythonModel::velocity_name, m);
    return s;
  }

  /// Refuses other keys.
  static void only_names(const Table& t, std::size_t size,
                         std::string (PythonModel::*name)(std::size_t) const,
                         const PythonModel& m) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < size; ++i) names.push_back((m.*name)(i));
    const std::vector<std::string_view> known(names.begin(), names.end());
    t.only(known);
  }

  static std::vector<std::size_t> striking_in(const Table& t, const PythonModel& m,
                                              const State& s) {
    std::vector<std::size_t> striking;
    if (t.has("contacts")) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < m.contacts(); ++i) names.push_back(m.name_of(i));
      for (const scenario::PlacedText& asked : t.texts("contacts", "a contact's name")) {
        const auto at = std::ranges::find(names, asked.text);
        if (at == names.end()) {
          const std::vector<std::string_view> known(names.begin(), names.end());
          throw InputError(asked.field,
                           "unknown contact '" + asked.text + "'" + did_you_mean(asked.text, known),
                           asked.place);
        }
        striking.push_back(static_cast<std::size_t>(at - names.begin()));
      }
      std::ranges::sort(striking);
      if (striking.empty()) t.fail("contacts", "must name a contact, got none");
      if (std::ranges::adjacent_find(striking) != striking.end()) {
        t.fail("contacts", "must name each contact once");
      }
      return striking;
    }
    const Vector gaps = m.gaps_at(s);
    constexpr double touches = 1e-6;  // of the model's length, as in a start of a motion
    for (std::size_t i = 0; i < m.contacts(); ++i) {
      if (std::abs(gaps[ix(i)]) <= touches * m.length_scale()) striking.push_back(i);
    }
    if (striking.empty()) {
      Eigen::Index nearest = 0;
      (void)gaps.cwiseAbs().minCoeff(&nearest);
      throw InputError("q", "nothing touches: the gap of '" +
                                m.name_of(static_cast<std::size_t>(nearest)) + "' is " +
                                shortest(gaps[nearest]) +
                                " m; contacts = [...] names those that strike whatever their gaps");
    }
    return striking;
  }

  Shared model_;
  std::vector<std::string> numbers_;
};

/// Adds a type of [system] that stands for a model, until it is removed. @return its name
std::string register_system(const std::string& name, py::object model,
                            std::vector<std::string> numbers) {
  const PythonSystem system(std::move(model), std::move(numbers));
  return scenario::register_system(
      {.name = name,
       .at_impact = [system](const Table& t) { return system.at_impact(t); },
       .moving = [system](const Table& t) { return system.moving(t); },
       .parallel = false});
}

}  // namespace

void add_models(py::module_& m) {
  m.def("register_system", register_system);
  m.def("remove_system", [](const std::string& name) { scenario::remove_system(name); });
}

}  // namespace carom::python
