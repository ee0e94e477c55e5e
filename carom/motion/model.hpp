// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

/// Moving mechanical systems: coordinates q, velocities u, and the contacts that may close.
///
///     q' = T(q) u,    M(q) u' = h(t, q, u) + W F,    gap_i(t, q) >= 0
///
/// SI units. A model has no impact laws, friction or events.
namespace carom::motion {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Positions and velocities of a system.
struct State {
  double time = 0.;  ///< [s]
  Vector q;          ///< positions [m, rad, or a quaternion's components]
  Vector u;          ///< velocities [m/s, rad/s]
};

/// The motion of one candidate contact. Components n and t in the plane, n, t1 and t2 in space.
struct ContactMotion {
  double gap = 0.;  ///< [m]
  Eigen::Matrix<double, Eigen::Dynamic, 3>
      W;                     ///< a column for each component; a third of zeros in the plane
  Eigen::Vector3d velocity;  ///< W^T u minus that of the support [m/s]
  Eigen::Vector3d bias;      ///< rate of the velocity at u' = 0 [m/s^2]
};

/// Power that is not due to inertia, potential or contacts [W].
struct OtherPower {
  double drives =
      0.;  ///< motors and prescribed forces of moving supports; positive: energy is supplied
  double dampers = 0.;  ///< <= 0
};

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual std::size_t positions() const = 0;   ///< entries of q
  [[nodiscard]] virtual std::size_t velocities() const = 0;  ///< entries of u
  [[nodiscard]] virtual std::size_t contacts() const = 0;    ///< candidates
  [[nodiscard]] virtual std::size_t components() const = 0;  ///< 2 in the plane, 3 in space

  // Names for logs and files, "rod.x", "A", and units: "m", "rad", or "" for the entries of a
  // quaternion; those of velocities per second.
  [[nodiscard]] virtual std::string position_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string velocity_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string contact_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view position_unit(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view velocity_unit(std::size_t i) const = 0;

  /// q' into `rate`.
  virtual void kinematics(const State& state, Vector& rate) const = 0;

  /// Computes M and h, which have their sizes already.
  virtual void dynamics(const State& state, Matrix& M, Vector& h) const = 0;

  [[nodiscard]] virtual double gap(std::size_t contact, const State& state) const = 0;

  /// Computes the motion of a contact. `W` has its size already.
  virtual void contact(std::size_t contact, const State& state, ContactMotion& motion) const = 0;

  [[nodiscard]] virtual double potential_energy(const State& state) const = 0;  ///< [J]

  [[nodiscard]] virtual OtherPower other_power(const State& /*state*/) const { return {}; }

  /// A reference length [m] and acceleration [m/s^2], to which tolerances are relative.
  [[nodiscard]] virtual double length_scale() const = 0;
  [[nodiscard]] virtual double acceleration_scale() const = 0;

  /// Corrects the effect of rounding on q (the length of a quaternion).
  virtual void normalise(State& /*state*/) const {}

  // --- free flight in closed form, for models that support it

  /// Whether the motion without contact is known in closed form.
  [[nodiscard]] virtual bool flies() const { return false; }

  /// The state `dt` after `from`, without contact. @pre flies()
  virtual void fly(const State& /*from*/, double /*dt*/, State& /*to*/) const {}

  /// The time until a gap that is open at `from` first closes in free flight, if it is known in
  /// closed form and within `longest`. Infinity if it does not close; nothing if it must be
  /// searched. @pre flies()
  [[nodiscard]] virtual std::optional<double> flight_time(std::size_t /*contact*/,
                                                          const State& /*from*/,
                                                          double /*longest*/) const {
    return std::nullopt;
  }
  /// A time in which the curvature of the gaps in free flight is small, for the search. @pre
  /// flies()
  [[nodiscard]] virtual double flight_step(const State& /*from*/) const { return 0.; }

  /// End condition of the model ("surface impact"): zero where it is reached, positive before.
  /// Nothing if there is none.
  [[nodiscard]] virtual std::optional<double> end_function(const State& /*state*/) const {
    return std::nullopt;
  }
  /// Name of that end.
  [[nodiscard]] virtual std::string end_name() const { return "end"; }
};

}  // namespace carom::motion
