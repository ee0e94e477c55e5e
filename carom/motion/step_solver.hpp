// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/friction/factored.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/single_impact.hpp>
#include <carom/motion/step_contacts.hpp>

namespace carom::motion {

/// Impulses of the contacts of a step, and its velocities: see stepping.hpp for their equations.
class StepSolver {
 public:
  StepSolver(const Setting& setting, const Mechanics& mechanics, Step& step);

  /// Finds contacts and islands of the step, which has its length and its middle. Mechanics are
  /// those there.
  void find_contacts(const State& start, const LastStep& last);
  /// Finds velocities of the step, and impulses and works of its contacts. Returns false if those
  /// of an island do not converge, and may in a shorter step.
  [[nodiscard]] bool solve();
  /// Of the last solution: a contact of an island for which no finite impulses exist, though the
  /// step is as short as it may be; or `nowhere`.
  [[nodiscard]] std::size_t unsolvable() const { return unsolvable_; }

  /// Of islands, for the log.
  struct Counts {
    double repeated = 0.;  ///< with less restitution
    double sweeps = 0.;
    double formed = 0.;  ///< that needed G
    double not_converged = 0.;
  };
  [[nodiscard]] Counts& counts() { return counts_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  using Friction = complementarity::FactoredFriction;
  /// What solving an island writes besides velocities of its bodies and its own contacts.
  struct Workspace {
    std::vector<std::size_t> members;  ///< that are not done
    Counts counts;
    std::size_t unsolvable = nowhere;  ///< first contact of an island without a solution
    bool shares = false;               ///< whether other islands are solved at the same time
    Friction friction;                 ///< then: a copy of the members
    std::vector<std::size_t> copies;   ///< their numbers in it
  };
  using Members = std::span<const std::size_t>;

  void match(const std::vector<StepContact>& last);
  void begin(std::size_t contact, double gap_at_start) const;
  void add(std::size_t contact);
  void warm_start(std::size_t contact, const StepContact& last, double scale);
  void relieve(Members island);
  [[nodiscard]] double pressure_of(Members island) const;
  [[nodiscard]] double stress_of(Members island) const;
  void find_islands();

  void strike(std::size_t contact);
  void find_shift();

  struct Preview {
    bool any_near = false;  ///< near contacts act now
    bool swept = false;     ///< the guess was not good enough
  };
  Preview preview(bool with_near);
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] bool solve_islands();
  [[nodiscard]] bool solve_island(Members island, Workspace& workspace);
  Friction::Result solve_members(Workspace& workspace, const Friction::Options& options);
  void set_offset(std::size_t contact, double restitution_scale);
  void read(Members island);
  void guess_again(Members members);
  [[nodiscard]] bool changes_friction(Members members, bool& tried);
  [[nodiscard]] double gain_of(Members members) const;
  [[nodiscard]] bool takes_mean(Members members);
  [[nodiscard]] bool takes_end_velocities(Members members);
  [[nodiscard]] bool close_near();
  void close(StepContact& c, std::size_t i, double v) const;
  [[nodiscard]] double gap_of(std::size_t i) const;
  void find_guess(Members island);
  void finish();

  [[nodiscard]] double rest_speed(std::size_t contact) const;
  [[nodiscard]] double fallen() const;
  [[nodiscard]] double friction_of(const StepContact& contact) const;
  [[nodiscard]] bool sticks(std::size_t contact) const;
  [[nodiscard]] static std::span<double> numbers(Vector& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  /// W^T x of a contact, plus its offset.
  [[nodiscard]] std::array<double, 3> along(std::size_t contact, const Vector& x) const;

  const Setting& setting_;
  const Mechanics& mechanics_;
  Step& step_;
  std::vector<StepContact>& found_;       ///< those of the step
  std::vector<const StepContact*> past_;  ///< what each was in the last step; null: none
  std::vector<const StepContact*> lost_;  ///< of the last step, of one pair
  Friction friction_;
  SingleImpact impact_;
  Vector free_;               ///< velocities at the end without impulses
  Vector guessed_;            ///< with those of the guess
  Vector shift_;              ///< displacements in the middle where bodies struck within the step
  bool any_strikes_ = false;  ///< of the contacts that were closed last
  bool any_approaches_ = false;  ///< of those that do not act, beyond touching
  bool any_struck_ = false;
  Mechanics::Columns mobility_;
  ContactMotion spin_;
  Counts counts_;
  std::size_t unsolvable_ = nowhere;
  std::vector<Workspace> workspaces_{1};  ///< one for each worker
};

}  // namespace carom::motion
