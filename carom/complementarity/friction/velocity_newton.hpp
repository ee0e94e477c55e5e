// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <carom/complementarity/block_lu.hpp>
#include <carom/core/anderson.hpp>

namespace carom::complementarity {

/// Many contacts with friction between free bodies, solved in the space of velocities:
///
///     u = u_0 + Y P,    xi = W^T u + c,    Y = M^-1 W.
///
/// Coulomb's law as a cone [De Saxce & Feng 1998]: with s = mu |xi_T|,
///
///     K = {|P_T| <= mu P_n},    P in K  _|_  xi + s n in K*.
///
/// For given s this is the condition of a convex minimum. So a round solves it for the s of the
/// last one. Couples with a bound of their own are further components of P, with a term of their
/// own in s.
///
/// In a round the proximal point method [Rockafellar 1976] adds R (P - P_k) to xi, with a small
/// number R for each contact and the impulses P_k of the last round. Impulses are then a function
/// of velocities, contact by contact, P(u) = projection on K of P_k - (xi + s n)/R, and u minimises
///
///     |u - u_0|^2_M/2 + sum R |P(u)|^2/2
///
/// by a semismooth Newton method with a line search. Its matrix, 1 + Y (dP/dy) W^T/R, has a block
/// for each body and each pair in contact: it is sparse, and it is regular where contacts are
/// hyperstatic. The shifts s are accelerated from round to round [Anderson 1965].
class VelocityNewton {
 public:
  static constexpr std::uint32_t ground = 0xffffffff;
  static constexpr std::size_t most_components = 6;

  /// Removes all contacts.
  /// @param block  velocities of a body: 3 or 6
  void clear(std::size_t bodies, std::size_t block);
  /// Adds a contact without components. The first that follows is normal.
  /// @param both_ways  P_n may have either sign, and xi_n is zero: a joint. It has no bounds.
  void add(std::uint32_t first, std::uint32_t second, bool both_ways = false);
  /// Adds a component to the last contact. All components of a contact have the same units.
  /// @param W  of each side; not read where that is the ground
  /// @param Y  alike
  /// @param scale  of W and Y
  void add_component(const std::array<const double*, 2>& W, const std::array<const double*, 2>& Y,
                     double scale, double c, double P);
  /// Bounds the last `size` components together by `bound` P_n.
  void bound(std::size_t size, double bound);

  /// Prepares rounds for the contacts that were added.
  void begin();
  /// Improves P and u.
  /// @param u  by bodies, with the effect of P
  /// @param least  error of u that is left, in the metric of M
  /// @param rho  R relative to the inertia at the contact. A larger one makes rounds easier, a
  ///   smaller one makes them fewer: impulses that must grow far do so by 1/R in a round.
  /// @param accelerate  the shifts: fewer rounds, but it may stay near a solution from which plain
  ///   rounds would move on to another
  /// @return false if the equations are singular
  [[nodiscard]] bool round(std::span<double> u, double least, double rho, bool accelerate);
  /// Newton steps on the equations of Coulomb's law themselves, from where rounds have come to:
  ///
  ///     P = natural map of P - r (xi + R (P - P_k)),    r = 10/inertia,
  ///
  /// where the map cuts P_n at zero and each group at its bound times that P_n [Alart & Curnier
  /// 1991]. The sum of squares of P minus its map decreases in each step. From near a solution few
  /// steps lead to it; elsewhere they may end at a kink.
  /// @param rho  R relative to the inertia
  /// @return whether the sum came down to least^2
  [[nodiscard]] bool descend(std::span<double> u, double least, double rho);
  /// Interior-point steps on the same equations, from far away to near a solution:
  ///
  ///     P_n z = tau,                 xi_n + R (P_n - P_k) = z,
  ///     b P_n xi_g + sigma P_g = 0,  sigma (b P_n - |P_g|^2/(b P_n)) = tau,
  ///
  /// for each group g with its bound b, with slacks z > 0 and sigma > 0 that become xi_n and
  /// |xi_g|. tau decreases from step to step, by the predictor and corrector of [Mehrotra 1992].
  /// Friction makes the equations non-monotone, so that the path of solutions over tau may turn
  /// back: the steps end there, or where the equations are singular. P stays in the interior of the
  /// cone.
  /// @pre no contact is a joint
  /// @param u  with the effect of P, but for rounding errors where P is near the boundary of the
  /// cone
  /// @param unit  of velocities, in the metric of M
  void follow_path(std::span<double> u, double unit);
  /// Newton steps since the last call of this function.
  [[nodiscard]] std::size_t take_steps() { return std::exchange(steps_, 0); }
  /// P, to be kept and to be given back.
  [[nodiscard]] std::vector<double>& impulses() { return P_; }
  [[nodiscard]] const double* impulse(std::size_t i) const { return &P_[contacts_[i].at]; }

 private:
  /// Components of an impulse with a common bound: |P_g| <= bound P_n.
  struct Group {
    std::uint8_t first = 0;
    std::uint8_t size = 0;
    double bound = 0.;
  };
  struct Contact {
    std::array<std::uint32_t, 2> body{ground, ground};
    bool both_ways = false;
    std::uint8_t components = 0;
    std::uint8_t groups = 0;
    std::array<Group, 3> group{};
    std::size_t at = 0;    ///< of its first component among all
    std::size_t data = 0;  ///< for each component: W of both sides, then Y
    double inertia = 0.;   ///< largest diagonal entry of its block of G
    double R = 0.;
    std::array<std::size_t, 2> place{};  ///< of the off-diagonal blocks of its bodies
  };
  using Derivative = std::array<double, most_components * most_components>;

  struct Inside;
  static constexpr std::size_t slacks = 4;  ///< of a contact: z, and sigma of each group
  struct Products {
    double sum = 0.;
    double largest = 0.;
    double infeasible = 0.;  ///< what is left of the other equations, in the metric of M
    std::size_t count = 0;
    void add(double product) {
      sum += product;
      largest = std::max(largest, product);
      ++count;
    }
  };

  void find_pattern();
  template <std::size_t b>
  [[nodiscard]] double along(const Contact& k, std::size_t c, std::span<const double> x) const;
  template <std::size_t b>
  [[nodiscard]] bool round_of(std::span<double> u, double least, double rho, bool accelerate);
  template <std::size_t b>
  [[nodiscard]] bool descend_of(std::span<double> u, double least, double rho);
  template <std::size_t b>
  void find_velocities(std::span<const double> u);
  template <std::size_t b>
  void follow_path_of(std::span<double> u, double unit);
  template <std::size_t b>
  void enter(std::span<double> u, double tau);
  template <std::size_t b>
  void find_path_velocities(std::span<const double> u);
  [[nodiscard]] Products products(double length) const;
  void linearise_path(double tau, bool corrected);
  void find_second_order(std::size_t i, double* of_P, double* of_slack) const;
  double find_path_change(double tau, bool corrected, double part);
  [[nodiscard]] double distance_along(double length) const;
  [[nodiscard]] double descent_length(double& error) const;
  static void cut(const Contact& k, const double* y, double* P);
  void linearise();
  template <std::size_t b>
  void take_made(std::span<double> u);
  void set_rho(double rho);
  template <std::size_t b>
  void find_shifts(std::span<const double> u);
  template <std::size_t b>
  void respond(std::span<const double> u);
  template <std::size_t b>
  double push(std::span<double> to) const;
  template <std::size_t b>
  [[nodiscard]] bool factorize();
  template <std::size_t b>
  void find_change();
  [[nodiscard]] double slope(double length) const;
  [[nodiscard]] double step_length() const;
  [[nodiscard]] static double shrink(const Contact& k, const double* y, std::array<bool, 3>& cut,
                                     std::array<double, 3>& size);
  static void project(const Contact& k, const double* y, double* P);
  static void differentiate(const Contact& k, const double* y, Derivative& J);

  std::size_t block_ = 3;
  std::size_t bodies_ = 0;
  std::vector<Contact> contacts_;
  std::vector<double> data_;
  std::vector<double> c_;
  std::vector<double> P_;       ///< u = u_0 + Y P
  std::vector<double> center_;  ///< P_k
  std::vector<double> y_;       ///< P_k - (xi + s n)/R
  std::vector<double> made_;    ///< P(u)
  std::vector<double> r_;       ///< P(u) - P
  std::vector<double> change_;  ///< of P in a step
  std::vector<double> z_;       ///< of xi in a step
  std::vector<double> shift_;   ///< s, by contact
  std::vector<double> next_shift_;
  std::vector<Derivative> J_;
  std::vector<Derivative> factored_;  ///< those of the present factors
  std::vector<double> w_;
  std::vector<double> slack_;
  std::vector<double> slack_change_;
  std::vector<double> second_;  ///< terms of second order, of P and of slacks
  std::size_t steps_ = 0;
  bool fresh_ = true;  ///< no round was made
  double rho_ = 0.;    ///< of R
  Anderson anderson_;
  std::vector<std::vector<std::uint32_t>> near_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> column_;
  BlockLu lu_;
};

}  // namespace carom::complementarity
