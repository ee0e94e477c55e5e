// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

/// Mechanical systems that move: coordinates q, velocities u, and the contacts that may close.
///
///     q' = T(q) u,    M(q) u' = h(t, q, u) + W F,    gap_i(t, q) >= 0
///
/// SI units. A model knows nothing of impact laws, friction or events.
namespace carom::motion {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Where a system is and how it moves.
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
  Eigen::Vector3d velocity;  ///< W^T u less that of the support [m/s]
  Eigen::Vector3d bias;      ///< what the velocity's rate is where u' = 0 [m/s^2]
};

/// Power of what is neither inertia, potential nor contact [W].
struct OtherPower {
  double drives = 0.;  ///< motors and moving supports' prescribed forces: positive feeds the system
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

  // Names for logs and files, "rod.x", "A", and units: "m", "rad", or "" of a quaternion's entries;
  // velocities' per second.
  [[nodiscard]] virtual std::string position_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string velocity_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string contact_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view position_unit(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view velocity_unit(std::size_t i) const = 0;

  /// q' into `rate`.
  virtual void kinematics(const State& state, Vector& rate) const = 0;

  /// M and h. Both have their sizes already.
  virtual void dynamics(const State& state, Matrix& M, Vector& h) const = 0;

  [[nodiscard]] virtual double gap(std::size_t contact, const State& state) const = 0;

  /// All of a contact's motion. `W` has its size already.
  virtual void contact(std::size_t contact, const State& state, ContactMotion& motion) const = 0;

  [[nodiscard]] virtual double potential_energy(const State& state) const = 0;  ///< [J]

  [[nodiscard]] virtual OtherPower other_power(const State& /*state*/) const { return {}; }

  /// A length of the system [m] and an acceleration [m/s^2], that tolerances are relative to.
  [[nodiscard]] virtual double length_scale() const = 0;
  [[nodiscard]] virtual double acceleration_scale() const = 0;

  /// Puts right what rounding did to q (a quaternion's length).
  virtual void normalise(State& /*state*/) const {}

  // --- free flight in closed form, for models that have it

  /// Is the motion known in closed form while nothing touches?
  [[nodiscard]] virtual bool flies() const { return false; }

  /// The state `dt` after `from`, nothing touching. @pre flies()
  virtual void fly(const State& /*from*/, double /*dt*/, State& /*to*/) const {}

  /// When a gap that is open at `from` first closes in free flight, if that is known in closed form
  /// and comes within `longest`; infinity where it does not close, nothing where it must be
  /// searched for. @pre flies()
  [[nodiscard]] virtual std::optional<double> flight_time(std::size_t /*contact*/,
                                                          const State& /*from*/,
                                                          double /*longest*/) const {
    return std::nullopt;
  }
  /// A time in which the gaps bend little in free flight, for searching. @pre flies()
  [[nodiscard]] virtual double flight_step(const State& /*from*/) const { return 0.; }

  /// A state in which the model's story ends by itself ("surface impact"): zero where it is
  /// reached, positive before; nothing where there is none.
  [[nodiscard]] virtual std::optional<double> end_function(const State& /*state*/) const {
    return std::nullopt;
  }
  /// What that end is called.
  [[nodiscard]] virtual std::string end_name() const { return "end"; }
};

}  // namespace carom::motion
