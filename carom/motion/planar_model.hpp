// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include <carom/motion/model.hpp>

/// Rigid bodies in the plane under gravity, on lines and against each other. x right, y up, angles
/// and spins counter-clockwise.
namespace carom::motion {

/// A free body: a disc (or the section of a sphere) or a polygon. Coordinates are x, y of its mass
/// centre, and its angle.
struct PlanarBody {
  std::string name{};
  double mass = 0.;                              ///< [kg]
  double inertia = 0.;                           ///< about the mass centre [kg m^2]
  double radius = 0.;                            ///< of a disc [m]; 0: a polygon
  std::vector<std::array<double, 2>> corners{};  ///< of a polygon, in its own frame [m]
};

/// A line on which bodies may land: the side to the left of its direction is free.
struct PlanarLine {
  std::string name{};
  std::array<double, 2> point{};  ///< [m]
  double angle = 0.;              ///< of its direction [rad]
};

/// Contacts: each disc and each corner against each line, then each pair of discs.
struct PlanarScene {
  std::vector<PlanarBody> bodies{};
  std::vector<PlanarLine> lines{};
  std::array<double, 2> gravity{0., -9.81};  ///< [m/s^2]
  double length = 0.;                        ///< reference length [m]; 0: that of the largest body
  double acceleration = 0.;                  ///< reference acceleration [m/s^2]; 0: gravity
};

class PlanarModel final : public Model {
 public:
  /// Throws InputError: "bodies[0].mass".
  explicit PlanarModel(PlanarScene scene);

  [[nodiscard]] std::size_t positions() const override { return 3 * scene_.bodies.size(); }
  [[nodiscard]] std::size_t velocities() const override { return 3 * scene_.bodies.size(); }
  [[nodiscard]] std::size_t contacts() const override { return contacts_.size(); }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string contact_name(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return i % 3 == 2 ? "rad" : "m";
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return position_unit(i);
  }
  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, Matrix& M, Vector& h) const override;
  [[nodiscard]] double gap(std::size_t contact, const State& state) const override;
  void contact(std::size_t contact, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }
  [[nodiscard]] bool flies() const override { return true; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] std::optional<double> flight_time(std::size_t contact, const State& from,
                                                  double longest) const override;
  [[nodiscard]] double flight_step(const State& from) const override;

 private:
  struct Candidate {
    std::size_t body;
    std::size_t other;  ///< a line, or the second disc
    bool against_line;
    std::size_t corner;  ///< of a polygon
  };
  /// Normal and direction of a line.
  struct Frame {
    std::array<double, 2> n;
    std::array<double, 2> t;
  };
  void contact_with_line(const Candidate& c, const State& state, ContactMotion& motion) const;
  void contact_of_discs(const Candidate& c, const State& state, ContactMotion& motion) const;
  [[nodiscard]] std::array<double, 2> arm(const Candidate& c, const State& state) const;

  PlanarScene scene_;
  std::vector<Candidate> contacts_;
  std::vector<Frame> frames_;
  double length_ = 0.;
  double acceleration_ = 0.;
};

}  // namespace carom::motion
