// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <carom/core/spatial.hpp>

/// Stick of the slider of one compliant contact in space: both springs deform, dF/dt = -K v with
/// dv/dt = G F and K = diag(k_n, k_t, k_t). With z = K^-1/2 F it is z'' = -K^1/2 G K^1/2 z, an
/// oscillator with three modes; a mode without stiffness is linear in time.
namespace carom::springs {

/// Forces [in units of the stiffness of compression] and what they have done since the start.
struct StickPoint {
  Vec3 force;
  Vec3 impulse;  ///< integral of F over time
};

/// The first event of a stretch of stick.
struct StickEvent {
  enum class What : std::uint8_t {
    slips,         ///< |F_T| reaches mu F_n
    turns,         ///< v_n = 0, in compression
    recompresses,  ///< F_n reaches its greatest value so far, in restitution
    nothing,       ///< no event occurs: the contact is locked
    too_many,      ///< more oscillations than are followed
  };
  What what = What::nothing;
  double time = 0.;
};

class StickWaves {
 public:
  StickWaves(const Sym3& G, double k_n, double k_t, const Vec3& force, const Vec3& velocity);

  [[nodiscard]] StickPoint at(double t) const;

  struct Limits {
    double friction = 0.;  ///< mu
    bool on_cone = false;  ///< |F_T| = mu F_n at the start, and its rate too
    bool compression = true;
    double most_force = 0.;  ///< greatest F_n so far, in restitution
    bool at_most = false;    ///< restitution begins: F_n is that, and v_n = 0
  };
  /// Finds the first event without a fixed time step. With |f'''| <= B, or |f''| <= B, a quantity f
  /// stays positive for a time that f and its derivatives here tell. Such steps never pass a root,
  /// and converge to it as fast as Newton's method.
  [[nodiscard]] StickEvent first_event(const Limits& limits) const;

 private:
  static constexpr std::size_t modes = 3;

  /// F and its first three derivatives, and F - F_0 - F_0' t, all without cancellation at t -> 0.
  struct Look {
    std::array<double, 3> F{}, dF{}, ddF{}, rest{};
  };
  [[nodiscard]] Look look(double t) const;

  std::array<double, modes> frequency_{};
  std::array<double, modes> a_{};                  ///< modes at the start
  std::array<double, modes> b_{};                  ///< their rates
  std::array<std::array<double, modes>, 3> to_{};  ///< F = to_ z
  // Bounds of the derivatives of F for all times.
  std::array<double, 3> size_{}, speed_{}, second_{}, third_{};
  bool has_linear_mode_ = false;
  double fastest_ = 0.;
  double slowest_ = 0.;  ///< of the modes that oscillate
};

}  // namespace carom::springs
