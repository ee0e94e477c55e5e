// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/model.hpp>

/// Linkages in the plane that move under gravity, springs, dampers and motors, and strike lines,
/// discs and each other. SI units; x right, y up, angles counter-clockwise.
namespace carom {

/// A point fixed to a link or to the ground.
struct LinkPoint {
  int link = ground;
  std::array<double, 2> point{};  ///< in that link's frame, or the world [m]
};

/// A spring and a damper at a joint, in parallel: -stiffness (x - rest) - damping x', with x the
/// angle of the link relative to its parent, or its displacement along the slide.
struct JointSpring {
  std::size_t link = 0;
  double stiffness = 0.;  ///< >= 0 [N m/rad] or [N/m]
  double rest = 0.;       ///< [rad] or [m]
  double damping = 0.;    ///< >= 0 [N m s/rad] or [N s/m]
};

/// A spring and a damper between two points, along the line through them. If the points coincide,
/// that line is undefined: only a spring with zero rest length is then continuous.
struct PointSpring {
  LinkPoint from{};
  LinkPoint to{};
  double stiffness = 0.;  ///< >= 0 [N/m]
  double rest = 0.;       ///< >= 0 [m]
  double damping = 0.;    ///< >= 0 [N s/m]
};

/// constant + amplitude sin(2 pi frequency t + phase).
struct Harmonic {
  double constant = 0.;
  double amplitude = 0.;
  double frequency = 0.;  ///< [Hz]
  double phase = 0.;      ///< [rad]

  [[nodiscard]] double at(double time) const;
};

/// A motor at a joint: a torque [N m] between a link and its parent, or a force [N] along the
/// slide. It decreases linearly with the speed in the direction in which it drives, to zero at
/// `speed_limit`.
struct JointMotor {
  std::size_t link = 0;
  Harmonic effort{};
  double speed_limit = std::numeric_limits<double>::infinity();  ///< > 0 [rad/s] or [m/s]
};

/// A force on a point of a link, along a fixed direction.
struct PointForce {
  LinkPoint on{};
  std::array<double, 2> direction{1., 0.};  ///< unit vector in world axes
  Harmonic force{};                         ///< [N]
};

/// A line fixed to the ground or to a link. Bodies stay on the side of its normal.
struct LineTarget {
  LinkPoint through{};
  std::array<double, 2> normal{0., 1.};  ///< unit vector, in the frame to which it is fixed
  std::array<double, 2> velocity{};      ///< prescribed velocity of a line of the ground [m/s]
};

/// A disc fixed to the ground or to a link.
struct DiscTarget {
  LinkPoint centre{};
  double radius = 0.;  ///< >= 0 [m]
};

/// A point of a link, or a disc about it, that may strike.
struct LinkStrike {
  std::string name{};
  LinkPoint point{};   ///< of a link
  double radius = 0.;  ///< >= 0 of the disc about it [m]; 0: the point itself
  std::variant<LineTarget, DiscTarget> target{};
};

/// The contact of an impact as one that moves: against a line through the point that strikes, fixed
/// to the ground or to the link that is struck.
[[nodiscard]] LinkStrike strike_of(const Linkage& linkage);

/// Links with their initial positions and rates (`linkage.contact` is not used), and all forces on
/// them.
struct MovingLinkage {
  Linkage linkage{};
  std::array<double, 2> gravity{0., -9.81};  ///< [m/s^2]
  std::vector<JointSpring> joint_springs{};
  std::vector<PointSpring> point_springs{};
  std::vector<JointMotor> motors{};
  std::vector<PointForce> forces{};
  std::vector<LinkStrike> contacts{};
};

/// Newton's cradle: balls in a row on taut strings of equal length, each hanging from its own
/// hinge, one diameter from the next.
struct Cradle {
  std::vector<double> masses{};  ///< one per ball, the leftmost first [kg]
  double radius = 0.01;          ///< of each ball [m]
  double string = 0.1;           ///< from a hinge to the centre of its ball [m]
  double clearance = 0.;         ///< >= 0 between balls that hang at rest [m]
  double inertia_factor = 0.;    ///< of a ball about its centre, over m r^2: balls on two strings
                                 ///< do not turn by themselves, and 0 is a point mass
  std::vector<double> angles{};  ///< from the vertical, to the right positive [rad]
  std::vector<double> rates{};   ///< [rad/s]; empty: at rest
  double damping = 0.;           ///< at each hinge [N m s/rad]
  double gravity = 9.81;         ///< downwards [m/s^2]
};

/// The cradle as a linkage: contacts "1-2", "2-3", ... Throws InputError.
[[nodiscard]] MovingLinkage linkage_of(const Cradle& cradle);

/// q are the links' positions, u their rates, as Link has them.
class LinkageModel final : public ListedModel {
 public:
  /// Throws InputError with the name of the field: "links[1].mass", "contacts[0].normal".
  explicit LinkageModel(MovingLinkage description);

  [[nodiscard]] const MovingLinkage& description() const { return d_; }
  [[nodiscard]] State start() const;

  [[nodiscard]] std::size_t positions() const override { return d_.linkage.links.size(); }
  [[nodiscard]] std::size_t velocities() const override { return d_.linkage.links.size(); }
  [[nodiscard]] std::size_t contacts() const override { return d_.contacts.size(); }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string name_of(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override;
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return position_unit(i);
  }

  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, MassMatrix& M, Vector& h) const override;
  [[nodiscard]] double gap_of(std::size_t contact, const State& state) const override;
  void motion_of(std::size_t contact, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] OtherPower other_power(const State& state) const override;
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }

  /// The position of a point [m].
  [[nodiscard]] std::array<double, 2> place_of(const LinkPoint& point, const State& state) const;
  /// The angle of a link's frame [rad].
  [[nodiscard]] double angle_of(int link, const State& state) const;

 private:
  MovingLinkage d_;
  double length_ = 1.;
  double acceleration_ = 1.;
};

}  // namespace carom
