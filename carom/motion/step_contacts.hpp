// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <carom/complementarity/friction/factored.hpp>
#include <carom/motion/mechanics.hpp>

namespace carom::motion {

/// A contact that acts in a step.
struct StepContact {
  ContactId id{};
  std::size_t number = nowhere;    ///< in the run's list of contacts
  double gap = 0.;                 ///< in the middle of the step [m]
  double size = 0.;                ///< smallest length of both bodies [m]
  std::array<double, 3> before{};  ///< velocity before it acts [m/s]
  std::array<double, 3> after{};   ///< and after [m/s]
  double closing = 0.;  ///< e times the approach that impulses of the step gave it, negative [m/s]
  std::array<double, 3> support{};  ///< velocity of the support, W^T u - v [m/s]
  std::array<double, 3> impulse{};  ///< [N s]
  std::array<double, 3> couple{};   ///< [N m s]
  bool acts = false;                ///< it closes in the step; otherwise it is near
  bool is_near = false;             ///< it acts since impulses of the step close it
  bool strikes = false;             ///< approaches faster than the speed of rest
  bool mean_normal = false;      ///< its law is for the mean velocity of the step, see stepping.hpp
  bool mean_tangential = false;  ///< the same of slip
  bool stuck = false;            ///< at the end of the last step
  bool sticks = false;           ///< at the end of this one
  bool struck = false;           ///< a law has answered
  bool unanswered = false;       ///< the law has no outcome: `moreau` answers
  bool done = false;             ///< a law has answered, and the contact separates
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

}  // namespace carom::motion
