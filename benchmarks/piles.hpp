// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

/// Piles at rest in open boxes, in Carom and in other programs.
namespace carom::benchmarks {

enum class Kind { discs, boxes, spheres };

constexpr double gravity = 9.81;          // [m/s^2]
constexpr double pile_radius = 0.1;       // of discs and spheres, half the side of boxes [m]
constexpr double pile_mass = 1.;          // of each body [kg]
constexpr double pile_friction = 0.5;     // everywhere
constexpr double pile_restitution = 0.2;  // everywhere
constexpr double pile_step = 1e-3;        // [s]

/// Where a body is, and how it moves. In the plane z is zero, and the quaternion turns about z.
struct Placed {
  std::array<double, 3> position{};                   ///< [m]
  std::array<double, 4> orientation{1., 0., 0., 0.};  ///< unit quaternion w, x, y, z
  double angle = 0.;                                  ///< in the plane [rad]
  std::array<double, 3> velocity{};                   ///< [m/s]
  std::array<double, 3> spin{};                       ///< [rad/s]; in the plane about z
};

/// Bodies between walls at x = 0 and x = width, and in space at y = 0 and y = width, on a floor: at
/// y = 0 in the plane, at z = 0 in space.
struct Pile {
  Kind kind = Kind::discs;
  double width = 0.;  ///< [m]
  std::vector<Placed> bodies{};
};

/// A pile in another program.
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;
  virtual void step() = 0;  ///< by pile_step
  virtual void read(std::vector<Placed>& bodies) const = 0;
  [[nodiscard]] virtual std::size_t contacts() const = 0;  ///< that touch
};

using MakePeer = std::function<std::unique_ptr<Peer>(const Pile&)>;

[[nodiscard]] std::unique_ptr<Peer> make_box2d(const Pile& pile);   // discs and boxes
[[nodiscard]] std::unique_ptr<Peer> make_bullet(const Pile& pile);  // spheres

}  // namespace carom::benchmarks
