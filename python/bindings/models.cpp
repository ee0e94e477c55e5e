// SPDX-License-Identifier: Apache-2.0
// Models written in Python: an object with functions for M, h, gaps and W.
#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

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
    for (const char* function : {"mass", "forces", "gaps", "directions"}) {
      if (!py::hasattr(model_, function)) {
        throw InputError(std::string("model.") + function, "is missing");
      }
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

}  // namespace

std::unique_ptr<Model> model_of(py::object model) {
  return std::make_unique<PythonModel>(std::move(model));
}

State state_of(const Model& model, double time, py::handle q, py::handle u) {
  State s{.time = time,
          .q = vector_of(q, "q", model.positions()),
          .u = vector_of(u, "u", model.velocities())};
  for (const auto& [values, field] : {std::pair(&s.q, "q"), std::pair(&s.u, "u")}) {
    if (!values->allFinite()) throw InputError(field, "must be finite");
  }
  return s;
}

/// Of the contacts whose gap is zero.
std::shared_ptr<SystemAtImpact> impact_of(const Model& model, const State& s) {
  const auto& m = dynamic_cast<const PythonModel&>(model);
  const Vector gaps = m.gaps_at(s);
  constexpr double touches = 1e-6;  // of the model's length, as in a start of a motion
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < m.contacts(); ++i) {
    if (std::abs(gaps[ix(i)]) <= touches * m.length_scale()) closed.push_back(i);
  }
  if (closed.empty()) {
    throw InputError("q",
                     "nothing touches: the smallest gap is " + shortest(gaps.minCoeff()) + " m");
  }
  const Matrix all = m.directions_at(s);
  const auto d = ix(m.components());
  Matrix W(all.rows(), d * ix(closed.size()));
  std::vector<std::string> names;
  for (std::size_t k = 0; k < closed.size(); ++k) {
    W.middleCols(ix(k) * d, d) = all.middleCols(ix(closed[k]) * d, d);
    names.push_back(m.name_of(closed[k]));
  }
  auto system = std::make_shared<SystemAtImpact>(at_impact(
      m.mass_at(s), W, {s.u.data(), s.u.data() + s.u.size()}, m.components(), std::move(names)));
  system->coordinates.clear();
  for (std::size_t i = 0; i < m.velocities(); ++i) {
    system->coordinates.push_back(
        {.name = m.velocity_name(i), .unit = std::string(m.velocity_unit(i))});
  }
  return system;
}

}  // namespace carom::python
