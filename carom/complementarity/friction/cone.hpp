// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <carom/core/spatial.hpp>

/// One unilateral contact in space with Coulomb's cone:
///
///     xi = G P + b,    0 <= P_n  _|_  xi_n >= 0,    -P_T in mu P_n Sgn(xi_T)
///
/// where Sgn(x) = x/|x|, and the unit disc at zero; G symmetric positive semidefinite, mu >= 0.
///
/// In slip along the unit vector d, xi_n = 0 gives P_n = -b_n/k(d) with k = G_nn - mu g.d,
/// g = G_Tn, and xi_T = s d becomes
///
///     c - B d = (s k) d,    c = G_nn b_T - b_n g,    B = mu (b_T g^T - b_n A),    A = G_TT.
///
/// The component perpendicular to d is a trigonometric polynomial of degree two in the angle of d,
/// hence a quartic in the tangent of half that angle. It has at most four directions. All its roots
/// are found, by isolation between the roots of its derivatives. The solution is unique except in
/// rare cases with strong friction.
namespace carom::complementarity {

/// Branch of the two set-valued laws.
enum class ConeCase : std::uint8_t {
  open,   ///< P = 0
  stick,  ///< |P_T| <= mu P_n, xi_T = 0
  slip,   ///< |P_T| = mu P_n, against xi_T
};

struct ConeSolution {
  ConeCase branch = ConeCase::open;
  Vec3 P;
  Vec3 xi;
};

/// Solutions that differ in xi, in the order open, stick, slip.
class ConeSolutions {
 public:
  /// Open, stick, and four roots of the quartic, each found twice at the seam of its two halves.
  static constexpr std::size_t capacity = 10;

  void add(const ConeSolution& s) { solutions_[size_++] = s; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const ConeSolution* begin() const { return solutions_.data(); }
  [[nodiscard]] const ConeSolution* end() const { return solutions_.data() + size_; }
  [[nodiscard]] const ConeSolution& operator[](std::size_t i) const { return solutions_[i]; }

 private:
  std::array<ConeSolution, capacity> solutions_{};
  std::size_t size_ = 0;
};

/// All solutions, distinct in xi. If b_n = 0, P = 0 is always a solution; the list then includes
/// those in which the contact locks: stick, or slip along a d with k(d) = 0. If a singular G leaves
/// the impulse of stick undetermined, the least P_T is returned.
[[nodiscard]] ConeSolutions solve_cone_friction(const Sym3& G, const Vec3& b, double mu);

/// Friction for a given normal impulse.
struct DiscFriction {
  Vec3 P;
  Vec3 xi;
  bool sticks = false;
};

/// The unique solution of xi = G P + b, P_n = normal, -P_T in mu P_n Sgn(xi_T): P_T minimizes
/// P_T.A.P_T/2 + P_T.(b_T + g P_n) on the disc |P_T| <= mu P_n.
[[nodiscard]] DiscFriction solve_disc_friction(const Sym3& G, const Vec3& b, double mu,
                                               double normal);

}  // namespace carom::complementarity
