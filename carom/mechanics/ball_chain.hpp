// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/mechanics/model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom {

/// Balls in a row, each touching the next, frictionless: Newton's cradle, tapered chains.
/// Velocities are along the row, from the first to the last. Contacts are "1-2", "2-3", ..., with
/// the normal pointing into the second of the two.
struct BallChain {
  std::vector<double> masses;      ///< one per ball [kg]
  std::vector<double> velocities;  ///< one per ball [m/s]
  bool wall = false;               ///< the last ball touches a fixed wall: contact "n-wall"
  double radius = 1.;              ///< of each ball, for motion and pictures [m]
};

/// Throws InputError that names the invalid key of the system.
[[nodiscard]] SystemAtImpact at_impact(const BallChain& chain);

/// The same balls in motion on a rail along x. q are the positions of their centres, from 0 for the
/// first one at the start, one diameter apart; u their velocities. The tangent of a contact is
/// across the rail: nothing moves there.
class ChainModel final : public ListedModel {
 public:
  /// @param gravity  along the row [m/s^2]. Throws InputError as above.
  explicit ChainModel(BallChain chain, double gravity = 0.);

  [[nodiscard]] const BallChain& chain() const { return chain_; }
  [[nodiscard]] State start() const;
  /// Where the wall stands, if there is one [m].
  [[nodiscard]] double wall() const;

  [[nodiscard]] std::size_t positions() const override { return chain_.masses.size(); }
  [[nodiscard]] std::size_t velocities() const override { return chain_.masses.size(); }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t /*i*/) const override { return "m"; }
  [[nodiscard]] std::string_view velocity_unit(std::size_t /*i*/) const override { return "m"; }
  [[nodiscard]] std::vector<VelocityRange> blocks() const override;
  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, MassMatrix& M, Vector& h) const override;
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] double length_scale() const override { return chain_.radius; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }

  [[nodiscard]] std::size_t contacts() const override;
  [[nodiscard]] std::string name_of(std::size_t i) const override;
  [[nodiscard]] double gap_of(std::size_t i, const State& state) const override;
  void motion_of(std::size_t i, const State& state, ContactMotion& motion) const override;

  [[nodiscard]] bool flies() const override { return gravity_ == 0.; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] std::optional<double> flight_time(const BodyPair& pair, const State& from,
                                                  double longest) const override;

 private:
  /// Whether contact i is that with the wall.
  [[nodiscard]] bool on_wall(std::size_t i) const { return i + 1 == positions(); }
  [[nodiscard]] double closing(std::size_t i, const State& state) const;  ///< -v_n [m/s]

  BallChain chain_;
  double gravity_ = 0.;
  double acceleration_ = 1.;
};

}  // namespace carom
