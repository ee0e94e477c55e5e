// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <carom/motion/islands.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/simulation.hpp>

namespace carom::motion {

/// A contact that acts in a step.
struct StepContact {
  ContactId id{};
  std::size_t number = nowhere;    ///< in the run's list of contacts, once it has acted
  double gap = 0.;                 ///< in the middle of the step [m]
  double size = 0.;                ///< smallest length of both bodies [m]
  std::array<double, 3> before{};  ///< velocity before it acts [m/s]
  std::array<double, 3> after{};   ///< and after [m/s]
  double closing = 0.;  ///< e times the approach that impulses of the step gave it, negative [m/s]
  std::array<double, 3> support{};      ///< velocity of the support, W^T u - v [m/s]
  std::array<double, 3> law_impulse{};  ///< of the law, where it has answered [N s]
  double law_change = 0.;               ///< of energy, by the law [J]
  Verdicts law_flags{};                 ///< of the law
  std::array<double, 3> impulse{};      ///< [N s]
  std::array<double, 3> couple{};       ///< [N m s]
  std::array<double, 3> guess{};  ///< of the impulse; once the step is solved, of the next one
  std::array<double, 3> guess_couple{};
  double friction_work = 0.;     ///< of slip and of couples, without that of the law [J]
  bool acts = false;             ///< it closes in the step; otherwise it is near
  bool is_near = false;          ///< it acts since impulses of the step close it
  bool strikes = false;          ///< approaches faster than the speed of rest
  bool mean_normal = false;      ///< its law is for the mean velocity of the step, see stepping.hpp
  bool mean_tangential = false;  ///< the same of slip
  bool pressed = false;          ///< in the last step
  bool stuck = false;            ///< at the end of the last step
  bool sticks = false;           ///< at the end of this one
  bool struck = false;           ///< a law has answered
  bool unanswered = false;       ///< the law has no outcome: `moreau` answers
  bool done = false;             ///< a law has answered, and the contact separates

  // Work in the step, without that of the law [J].
  [[nodiscard]] double normal_work() const { return 0.5 * impulse[0] * (before[0] + after[0]); }
  [[nodiscard]] double slip_work() const;  ///< of friction, without couples
  /// What is reported of it.
  [[nodiscard]] ContactStatus status() const;
};

/// Finds the contacts that may act in a step.
class StepContacts {
 public:
  explicit StepContacts(const Model& model) : model_(model) {}

  /// Contacts near enough to close in a step, in ascending order of their ids. Those that will have
  /// closed at its end by their velocity before it act: gap + h v_n/2 is at most `touch` of the
  /// bodies' size, in the middle of the step.
  /// @param within  bound of what anything moves in half a step [m]
  void find(const State& middle, double h, double within);

  /// Contacts at a state whose gaps are at most `reach`: their gaps, normals and sizes alone.
  void find_at(const State& state, double reach);

  /// Overlap up to this part of the smaller body counts as none, and a gap as closed.
  static constexpr double touch = 1e-7;

  [[nodiscard]] double smallest() const { return smallest_; }  ///< length of listed pairs [m]

  std::vector<StepContact> found;
  std::vector<ContactMotion> motion;  ///< of each; may be longer

 private:
  void list_pairs(const State& state, double reach);
  void add(const NearContact& near, const State& state, double h);

  const Model& model_;
  State listed_;
  double reach_ = -1.;
  std::vector<BodyPair> pairs_;
  std::vector<double> sizes_;  ///< of each pair
  std::vector<NearContact> near_;
  double size_ = 0.;
  double smallest_ = 0.;
};

/// A step that is tried.
struct Step {
  explicit Step(const Model& model) : contacts(model) {}

  /// Of a contact by its velocity before anything acts [m].
  [[nodiscard]] double gap_at_start(std::size_t i) const {
    return contacts.found[i].gap - 0.5 * h * contacts.motion[i].velocity(0);
  }
  /// When a contact that approaches closes by that velocity, since the start [s].
  [[nodiscard]] double closing_time(std::size_t i) const {
    return std::clamp(-gap_at_start(i) / contacts.motion[i].velocity(0), 0., h);
  }

  double h = 0.;          ///< its length [s]
  State middle;           ///< positions; velocities before anything acts, until its end is known
  StepContacts contacts;  ///< that may act
  Islands islands;        ///< of those that act
  Vector u_start;         ///< velocities after laws have answered, before forces act
  Vector u;               ///< at the end
  Vector mean;            ///< (u_start + u)/2
};

/// What a step remembers of the last one.
struct LastStep {
  double h = 0.;                      ///< its length [s]; 0: there was none
  std::vector<StepContact> contacts;  ///< that acted, in ascending order
};

}  // namespace carom::motion
