// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include <carom/core/dense_factors.hpp>
#include <carom/laws/lzb/friction.hpp>
#include <carom/laws/lzb/model.hpp>

namespace carom::lzb {

/// State of all contacts of an impact.
struct State {
  std::vector<double> x;            ///< deformation
  std::vector<double> P;            ///< impulses, contact by contact
  std::vector<double> work;         ///< work of friction
  std::vector<Spring> springs;      ///< one per contact
  std::vector<Friction> frictions;  ///< one per group
};

/// The equations of motion of the closed contacts; the others do not change [Liu et al. 2013, eqs
/// 2.23-2.34, with the deformation x instead of the energy k x^(a+1)/(a+1)]:
///
///     dx/dt = -v_n/eta,  eta = 1 in compression, e^2 in expansion,    dP_n/dt = F_n = k x^a
///     dP_T/dt = -mu F_n v_T/|v_T| in slip, or keeps v_T = 0 in stick,    v = v- + G P
///
/// Stages and slip or stick are fixed, so that the equations are smooth. State vector: x of each
/// contact, then P of each, then with friction the work of friction at each.
template <int D>
class System {
 public:
  System(const Model& model, const Groups& groups);

  /// Sets up the closed contacts of a state, and their open neighbours to be watched.
  void rebuild(const State& state);
  /// Takes the friction of a state whose closed contacts are the same.
  void take_frictions(const State& state);

  [[nodiscard]] std::size_t contacts() const { return contact_.size(); }
  [[nodiscard]] std::size_t size() const { return contacts() * numbers; }
  [[nodiscard]] std::size_t contact(std::size_t i) const { return contact_[i]; }
  [[nodiscard]] const Contact& coefficients(std::size_t i) const { return coefficients_[i]; }
  [[nodiscard]] bool expands(std::size_t i) const { return expands_[i] != 0; }
  /// dx/dt = -pace v_n.
  [[nodiscard]] double pace(std::size_t i) const { return pace_[i]; }
  /// Changes the stage of a closed contact.
  void set_stage(std::size_t i, bool expands);
  /// Adds the effect on the deformations of an additional impulse at contact i, integrated over a
  /// time.
  void deform_around(std::size_t i, double impulse_time, double* y) const;
  [[nodiscard]] std::size_t group(std::size_t i) const { return group_[i]; }

  void gather(const State& state, double* y) const;
  void scatter(const double* y, State& state) const;

  void derivative(const double* y, double* f);

  // Of the last evaluation of the derivative.
  [[nodiscard]] const std::vector<double>& velocity() const { return v_; }
  [[nodiscard]] const std::vector<double>& force() const { return F_; }

  /// Rates of the velocities for forces F: one component, or all components of all contacts.
  [[nodiscard]] double rate(std::size_t i, std::size_t component, const double* F) const;

  // Open contacts next to closed ones.
  [[nodiscard]] std::size_t watched() const { return watch_.size(); }
  [[nodiscard]] std::size_t watched_contact(std::size_t k) const { return watch_[k]; }
  [[nodiscard]] double watched_velocity(std::size_t k, const double* P) const;
  [[nodiscard]] double watched_rate(std::size_t k, const double* F) const;
  /// The second derivative of that velocity without friction, where y and f begin with the
  /// deformations and their rates.
  [[nodiscard]] double watched_bend(std::size_t k, const double* y, const double* f) const;

  /// A group with closed contacts.
  struct LocalGroup {
    std::size_t group = 0;
    std::vector<std::uint32_t> members;  ///< its closed contacts
    Friction friction;
    bool rough = false;  ///< mu_s > 0 at some member

    [[nodiscard]] std::size_t one() const { return members.front(); }
  };
  [[nodiscard]] const std::vector<LocalGroup>& groups() const { return groups_; }
  /// The sum of mu_s F_n, or of mu F_n, over a group.
  [[nodiscard]] double static_limit(const LocalGroup& g, const double* F) const;
  [[nodiscard]] double kinetic_limit(const LocalGroup& g, const double* F) const;
  /// Friction of a group for forces F.
  [[nodiscard]] std::array<double, 2> friction(const LocalGroup& g, const double* F) const;

  /// Groups that creep; rate and friction of the k-th at the last evaluation.
  [[nodiscard]] const std::vector<std::size_t>& creeping() const { return creeping_; }
  [[nodiscard]] const ZeroSlip& creep() const { return creep_; }
  /// Direction of the rate of the k-th creeping group.
  [[nodiscard]] std::array<double, 2> creep_direction(std::size_t k) const;
  /// Aligns the slip of creeping groups with its asymptotic direction.
  void align(double* y) const;

  /// Groups that stick, and whether the distribution of their friction is undetermined.
  [[nodiscard]] const std::vector<std::size_t>& sticking() const { return sticking_; }
  [[nodiscard]] bool hyperstatic() const { return hyperstatic_; }
  /// From now on distributes the friction of stick so that the largest ratio to the limit is as
  /// small as possible. Returns false if no distribution is within the limits.
  bool reshare(const double* F);
  /// The zero-slip problem of some groups, without their own friction in b.
  void zero_slip(const std::vector<std::size_t>& which, const double* F, ZeroSlip& problem) const;
  /// Impulses that remove the remaining slip of the sticking groups.
  void hold(double* y) const;

 private:
  static constexpr std::size_t d = D;
  static constexpr std::size_t numbers = D == 1 ? 2 : D + 2;

  void add_friction();
  void factor_stick();
  /// Friction of stick against these rates of slip, with the opposite sign: A^-1 x, or release x.
  [[nodiscard]] Eigen::MatrixXd released(Eigen::MatrixXd x) const;
  void factor_creep();
  void solve_creep();
  void share(const LocalGroup& g, const double* total, double* F) const;
  [[nodiscard]] const double* local_block(std::size_t i, std::size_t j) const;

  const Model& model_;
  const Groups& all_groups_;

  std::vector<std::uint32_t> contact_;
  std::vector<std::uint32_t> local_;  ///< local index of each contact of the model, or none
  std::vector<Contact> coefficients_;
  std::vector<double> pace_;  ///< dx/dt = -v_n pace
  std::vector<std::uint8_t> expands_;
  std::vector<std::uint32_t> group_;  ///< index in groups_ of each closed contact
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> column_;
  std::vector<double> block_;
  std::vector<double> base_;  ///< v- + G P of the contacts that do not change

  std::vector<std::uint32_t> watch_;
  std::vector<std::uint8_t> is_watched_;  ///< by contact of the model; zero between rebuilds
  std::vector<std::size_t> watch_begin_;
  std::vector<std::uint32_t> watch_column_;
  std::vector<double> watch_block_;
  std::vector<double> watch_base_;

  std::vector<LocalGroup> groups_;
  std::vector<std::uint32_t> group_at_;  ///< index in groups_ of each group of the model, or none
  std::vector<std::size_t> sticking_;
  bool regular_ = false;  ///< is A of the sticking groups definite, and `stick_` its factors?
  Ldlt stick_;
  Eigen::MatrixXd release_;  ///< if not: f = -release (rate of slip without f)
  std::vector<std::size_t> creeping_;
  ZeroSlip creep_;                  ///< of the creeping groups, with the reaction of sticking ones
  Eigen::MatrixXd creep_by_stick_;  ///< rate of slip of creeping groups due to friction of stick
  std::vector<double> creep_limits_;
  Eigen::VectorXd stick_rate_;
  Eigen::VectorXd stick_force_;
  bool hyperstatic_ = false;
  mutable std::vector<std::size_t> place_;  ///< of the contacts in a zero-slip problem, a workspace

  std::vector<double> v_;
  std::vector<double> F_;
};

extern template class System<1>;
extern template class System<2>;
extern template class System<3>;

}  // namespace carom::lzb
