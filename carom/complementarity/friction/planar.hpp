// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>

/// The smallest complementarity problem with friction: one unilateral contact in the plane.
///
///     xi = G P + b,    0 <= P_n  _|_  xi_n >= 0,    -P_t in mu P_n Sgn(xi_t)
///
/// with G symmetric positive semidefinite and mu >= 0. It is the linear complementarity problem of
/// [Payr & Glocker 2005, eqs 27-28], solved here in closed form and by enumeration.
namespace carom::complementarity {

/// Branch of the two set-valued laws.
enum class PlanarCase : std::uint8_t {
  open,      ///< P = 0
  backward,  ///< P_t = +mu P_n, xi_t <= 0
  stick,     ///< |P_t| < mu P_n, xi_t = 0
  forward,   ///< P_t = -mu P_n, xi_t >= 0
};

/// Closed form, for b_n <= 0.
template <class S>
struct PlanarFriction {
  BasicVec2<S> P;
  BasicVec2<S> xi;
  Mask<S> backward{};
  Mask<S> forward{};     ///< neither: stick
  Mask<S> unsolvable{};  ///< xi_n = 0 cannot be reached within the cone; P is then invalid
};

/// For b_n < 0 and G of full rank the solution is unique [Payr & Glocker 2005, Sec. 5]. For b_n =
/// 0, P = 0 is always a solution; the function returns the limit b_n -> 0-, which is not P = 0 if
/// mu |G_nt| >= G_nn lets the contact lock. If a rank-one G leaves the impulse undetermined, P_t =
/// 0 is returned.
/// @pre b_n <= 0
template <class S>
[[nodiscard]] constexpr PlanarFriction<S> solve_planar_friction(const BasicSym2<S>& G,
                                                                const BasicVec2<S>& b, const S& mu,
                                                                const Mask<S>& rank_one,
                                                                const Mask<S>& in_range) {
  const S zero(0.);
  PlanarFriction<S> r;
  // Slip: P_t = sigma mu P_n, xi_n = 0 gives P_n = -b_n/a with a = G_nn + sigma mu G_nt > 0,
  // xi_t = b_t - (G_nt + sigma mu G_tt) b_n/a with sigma xi_t <= 0  [eqs 29-34, 42-47].
  const S a_b = G.nn + mu * G.nt;
  const S a_f = G.nn - mu * G.nt;
  const S c_b = G.nt + mu * G.tt;
  const S c_f = G.nt - mu * G.tt;
  Mask<S> shared{};
  Mask<S> back = b.t * a_b <= b.n * c_b;
  Mask<S> forth = b.t * a_f >= b.n * c_f;
  S margin = zero;  // lower bound of a_b and a_f
  S stick_above = G.nt * b.t - G.tt * b.n;
  S stick_below = determinant(G);
  if (any(rank_one)) {
    shared = both(rank_one, in_range);
    stick_above = select(shared, S(-b.n), stick_above);
    stick_below = select(shared, G.nn, stick_below);
    // There they may vanish, and rounding must not decide.
    margin = only_where(rank_one, S(S(rounding) * (G.nn + mu * magnitude(G.nt))));
    // With a rank-one G, xi_n = 0 determines xi_t = b_t - b_n G_nt/G_nn for either direction of
    // slip.
    const S forced = b.t * G.nn - b.n * G.nt;
    back = both(negate(shared), select(rank_one, Mask<S>(forced <= zero), back));
    forth = both(negate(shared), select(rank_one, Mask<S>(forced >= zero), forth));
  }
  r.backward = both(a_b > margin, back);
  r.forward = both(both(a_f > margin, forth), negate(r.backward));
  const Mask<S> slips = either(r.backward, r.forward);

  // Stick: P = -G^-1 b [eqs 35-36]. P_t follows from its own row, so that xi_t = 0 holds to
  // rounding even if the determinant is small. P_n of slip and stick share one division.
  r.P.n = select(slips, S(-b.n), stick_above) /
          divisor(select(slips, select(r.backward, a_b, a_f), stick_below));
  S stick_t = -((b.t + G.nt * r.P.n) / divisor(G.tt));
  // With b_n < 0 stick needs P_n > 0. If G is so nearly singular that rounding violates this,
  // report it.
  Mask<S> stuck = either(r.P.n > zero, negate(b.n < zero));
  if (any(rank_one)) {
    stick_t = only_where(negate(shared), stick_t);
    stuck = select(rank_one, Mask<S>(both(shared, G.nn > zero)), stuck);
  }
  r.unsolvable = both(negate(slips), negate(stuck));

  const S ratio = select(r.backward, mu, S(-mu));
  r.P.t = select(slips, S(ratio * r.P.n), stick_t);
  r.xi.n = zero;
  r.xi.t = only_where(slips, S(b.t + select(r.backward, c_b, c_f) * r.P.n));
  return r;
}

/// One solution of the problem.
struct PlanarSolution {
  PlanarCase branch = PlanarCase::open;
  Vec2 P;
  Vec2 xi;
};

/// All solutions, distinct in xi: at most one for each branch.
class PlanarSolutions {
 public:
  void add(const PlanarSolution& s) { solutions_[size_++] = s; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const PlanarSolution* begin() const { return solutions_.data(); }
  [[nodiscard]] const PlanarSolution* end() const { return solutions_.data() + size_; }
  [[nodiscard]] const PlanarSolution& operator[](std::size_t i) const { return solutions_[i]; }

 private:
  std::array<PlanarSolution, 4> solutions_{};
  std::size_t size_ = 0;
};

/// Tries the four branches one by one, each tested only against its own inequalities (to a few
/// units in the last place), for any b. Independent of the closed form, and slower.
[[nodiscard]] PlanarSolutions enumerate_planar_friction(const Sym2& G, const Vec2& b, double mu);

}  // namespace carom::complementarity
