// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include <carom/laws/lzb_friction.hpp>
#include <carom/laws/lzb_model.hpp>

namespace carom::lzb {

/// Where all contacts of an impact are.
struct State {
  std::vector<double> x;            ///< deformation
  std::vector<double> P;            ///< impulses, contact by contact
  std::vector<double> work;         ///< of friction
  std::vector<Spring> springs;      ///< one a contact
  std::vector<Friction> frictions;  ///< one a group
};

/// The equations of motion of those contacts that are closed, everything else staying as it is
/// [Liu et al. 2013, eqs 2.23-2.34, in the deformation x in place of the energy k x^(a+1)/(a+1)]:
///
///     dx/dt = -v_n/eta,  eta = 1 in compression, e^2 in expansion,    dP_n/dt = F_n = k x^a
///     dP_T/dt = -mu F_n v_T/|v_T| in slip, what keeps v_T = 0 in stick,    v = v- + G P
///
/// Stages and slip or stick are fixed, so that it is smooth. Numbers of one state: x of each
/// contact, then P of each, then with friction the work of friction at each.
template <int D>
class System {
 public:
  System(const Model& model, const Groups& groups);

  /// Takes the closed contacts of a state, and those beside them to be watched.
  void rebuild(const State& state);

  [[nodiscard]] std::size_t contacts() const { return contact_.size(); }
  [[nodiscard]] std::size_t size() const { return contacts() * numbers; }
  [[nodiscard]] std::size_t contact(std::size_t i) const { return contact_[i]; }
  [[nodiscard]] const Contact& coefficients(std::size_t i) const { return coefficients_[i]; }
  [[nodiscard]] bool expands(std::size_t i) const { return expands_[i] != 0; }
  /// dx/dt = -v_n times this.
  [[nodiscard]] double pace(std::size_t i) const { return pace_[i]; }
  /// Changes the stage of a closed contact.
  void set_stage(std::size_t i, bool expands);
  /// Adds to the deformations what an impulse more at contact i, over a time, makes of them.
  void deform_around(std::size_t i, double impulse_time, double* y) const;
  [[nodiscard]] std::size_t group(std::size_t i) const { return group_[i]; }

  void gather(const State& state, double* y) const;
  void scatter(const double* y, State& state) const;

  void derivative(const double* y, double* f);

  // As of the last derivative.
  [[nodiscard]] const std::vector<double>& velocity() const { return v_; }
  [[nodiscard]] const std::vector<double>& force() const { return F_; }

  /// Rates of the velocities where the forces are F: one component, or all of all contacts.
  [[nodiscard]] double rate(std::size_t i, std::size_t component, const double* F) const;

  // Open contacts beside the closed ones.
  [[nodiscard]] std::size_t watched() const { return watch_.size(); }
  [[nodiscard]] std::size_t watched_contact(std::size_t k) const { return watch_[k]; }
  [[nodiscard]] double watched_velocity(std::size_t k, const double* P) const;
  [[nodiscard]] double watched_rate(std::size_t k, const double* F) const;
  /// The rate of that rate where the deformations and their rates begin a state and its derivative,
  /// without friction.
  [[nodiscard]] double watched_bend(std::size_t k, const double* y, const double* f) const;

  /// A group with closed contacts.
  struct LocalGroup {
    std::size_t group = 0;
    std::vector<std::uint32_t> members;  ///< closed ones
    Friction friction;
    bool rough = false;  ///< mu_s > 0 at some member

    [[nodiscard]] std::size_t one() const { return members.front(); }
  };
  [[nodiscard]] const std::vector<LocalGroup>& groups() const { return groups_; }
  /// The sum of mu_s F_n, or of mu F_n, over a group.
  [[nodiscard]] double static_limit(const LocalGroup& g, const double* F) const;
  [[nodiscard]] double kinetic_limit(const LocalGroup& g, const double* F) const;
  /// Friction of a group as of forces F.
  [[nodiscard]] std::array<double, 2> friction(const LocalGroup& g, const double* F) const;

  /// Groups that creep, the rate and the friction of the k-th as of the last derivative.
  [[nodiscard]] const std::vector<std::size_t>& creeping() const { return creeping_; }
  [[nodiscard]] const ZeroSlip& creep() const { return creep_; }
  /// The direction of the k-th creeping group's rate.
  [[nodiscard]] std::array<double, 2> creep_direction(std::size_t k) const;
  /// Turns the slip of creeping groups to where it would be in the long run.
  void align(double* y) const;

  /// Groups that stick, and whether their friction is shared arbitrarily.
  [[nodiscard]] const std::vector<std::size_t>& sticking() const { return sticking_; }
  [[nodiscard]] bool hyperstatic() const { return hyperstatic_; }
  /// Shares the friction of stick so that the one nearest to its limit is as far from it as can be,
  /// from now on. False: no distribution is within the limits.
  bool reshare(const double* F);
  /// The zero-slip problem of some groups, their own friction not counted in b.
  void zero_slip(const std::vector<std::size_t>& which, const double* F, ZeroSlip& problem) const;
  /// Impulses that take away what slip the sticking groups have.
  void hold(double* y) const;

 private:
  static constexpr std::size_t d = D;
  static constexpr std::size_t numbers = D == 1 ? 2 : D + 2;

  void add_friction();
  void factor_stick();
  void factor_creep();
  void solve_creep();
  void share(const LocalGroup& g, const double* total, double* F) const;
  [[nodiscard]] const double* local_block(std::size_t i, std::size_t j) const;

  const Model& model_;
  const Groups& all_groups_;

  std::vector<std::uint32_t> contact_;
  std::vector<std::uint32_t> local_;  ///< of each contact of the model, or none
  std::vector<Contact> coefficients_;
  std::vector<double> pace_;  ///< dx/dt = -v_n pace
  std::vector<std::uint8_t> expands_;
  std::vector<std::uint32_t> group_;  ///< of each closed contact, in groups_
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> column_;
  std::vector<double> block_;
  std::vector<double> base_;  ///< v- + G P of what stays as it is

  std::vector<std::uint32_t> watch_;
  std::vector<std::size_t> watch_begin_;
  std::vector<std::uint32_t> watch_column_;
  std::vector<double> watch_block_;
  std::vector<double> watch_base_;

  std::vector<LocalGroup> groups_;
  std::vector<std::uint32_t> group_at_;  ///< of each group of the model, in groups_, or none
  std::vector<std::size_t> sticking_;
  Eigen::MatrixXd release_;  ///< f = -release (rate of slip without f)
  std::vector<std::size_t> creeping_;
  ZeroSlip creep_;                  ///< of the creeping groups, those that stick giving way
  Eigen::MatrixXd creep_by_stick_;  ///< rate of slip where groups creep by friction of stick
  std::vector<double> creep_limits_;
  Eigen::VectorXd stick_rate_;
  Eigen::VectorXd stick_force_;
  bool hyperstatic_ = false;

  std::vector<double> v_;
  std::vector<double> F_;
};

extern template class System<1>;
extern template class System<2>;
extern template class System<3>;

}  // namespace carom::lzb
