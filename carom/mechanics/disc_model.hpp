// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/mechanics/model.hpp>

namespace carom {

/// The disc of the disc-ball system after the ball has gone: coordinates y_d, z_d and theta, the
/// angle of its plane to the ground; A, B and C are the points of its rim that touch the ground, h
/// to the +y side, in the middle and h to the other side
/// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.1-2.9].
struct Disc {
  double mass = 0.;            ///< m_d [kg]
  double radius = 0.;          ///< r [m]
  double half_thickness = 0.;  ///< h [m]
  double gravity = 9.81;       ///< g [m/s^2]

  /// Continues after the disc has come down flat, on two more points: D and E, of the rims opposite
  /// to A and C. Otherwise the motion ends there.
  bool lies_down = false;
};

class DiscModel final : public ListedModel {
 public:
  /// Throws InputError.
  explicit DiscModel(const Disc& disc);

  [[nodiscard]] std::size_t positions() const override { return 3; }
  [[nodiscard]] std::size_t velocities() const override { return 3; }
  [[nodiscard]] std::size_t contacts() const override { return disc_.lies_down ? 5 : 3; }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string name_of(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return i % 3 == 2 ? "rad" : "m";
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return position_unit(i);
  }
  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, MassMatrix& M, Vector& h) const override;
  [[nodiscard]] double gap_of(std::size_t contact, const State& state) const override;
  void motion_of(std::size_t contact, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] double length_scale() const override { return disc_.radius; }
  [[nodiscard]] double acceleration_scale() const override { return disc_.gravity; }
  [[nodiscard]] bool flies() const override { return true; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] double flight_step(const State& from) const override;
  /// Zero if the disc lies flat, theta = 0 or pi; nothing if it may lie down.
  [[nodiscard]] std::optional<double> end_function(const State& state) const override;
  [[nodiscard]] std::string end_name() const override { return "surface impact"; }

  [[nodiscard]] double inertia() const { return inertia_; }  ///< m r^2/4 + m h^2/3 [kg m^2]

 private:
  [[nodiscard]] double side(std::size_t contact) const;  ///< h, 0 or -h; h and -h of D and E
  [[nodiscard]] double down(std::size_t contact) const;  ///< r, or -r of D and E
  Disc disc_;
  double inertia_;
};

}  // namespace carom
