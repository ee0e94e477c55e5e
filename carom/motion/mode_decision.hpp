// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/acceleration.hpp>
#include <carom/motion/neighbours.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/spin.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// A case in which rigid contact has no unique solution: gap'' = A F + B with A <= 0.
struct Conflict {
  Paradox paradox = Paradox::none;
  std::size_t contact = nowhere;
  double A = 0.;
  double B = 0.;
  bool needs_impact = false;
};

/// Decides the modes of all contacts together, by the complementarity problem of accelerations for
/// closed contacts with zero normal velocity.
class ModeDecision {
 public:
  ModeDecision(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
               Spins& spins, Neighbours& neighbours, Present& now, Trouble& trouble)
      : setting_(setting),
        contacts_(contacts),
        compliant_(compliant),
        spins_(spins),
        neighbours_(neighbours),
        now_(now),
        trouble_(trouble) {}

  /// Lists and loads the contacts that are closed at present, which is looked at.
  [[nodiscard]] bool gather();
  /// Those that are closed by their gaps, compliant ones with a force.
  [[nodiscard]] const std::vector<std::size_t>& closed() const { return closed_; }
  /// Those of them that are rigid.
  [[nodiscard]] const std::vector<std::size_t>& rigid() const { return rigid_; }
  /// Whether a rigid contact approaches faster than this.
  [[nodiscard]] bool approaches(double speed) const;

  /// The next decision prefers a solution without these contacts, which other forces could hold.
  void open_first(const std::vector<std::size_t>& contacts, const Conflict& conflict) {
    opening_ = contacts;
    conflict_ = conflict;
    conflict_.needs_impact = false;
  }
  /// Sets the modes, after gather().
  /// @param counts  whether other solutions are looked for
  /// @return false if there are none, and there may be a conflict
  [[nodiscard]] bool decide(const Trigger& trigger, bool counts = false);
  /// Closed, rigid and with zero normal velocity, or compliant with a force.
  [[nodiscard]] const std::vector<std::size_t>& candidates() const { return candidates_; }
  /// The modes before the decision.
  [[nodiscard]] const Modes& before() const { return before_; }
  [[nodiscard]] const Conflict& conflict() const { return conflict_; }
  /// The normal force of a contact [N].
  [[nodiscard]] double force(std::size_t contact) const;
  /// The ratio that stick needs.
  [[nodiscard]] double ratio(std::size_t contact) const;
  /// Whether a contact had slip for which its mode was decided.
  [[nodiscard]] bool had_slip(std::size_t contact) const;
  /// Whether other forces solve the problem, too.
  [[nodiscard]] bool has_others() const { return !candidates_.empty() && answer_.several; }
  /// Notes that no forces were found.
  bool fail();

 private:
  void pose(std::size_t place, const Trigger& trigger);
  void find_conflict(const Trigger& trigger);
  void blame_failed();
  void close_neutral_contacts();
  [[nodiscard]] std::size_t place_of(std::size_t contact) const;

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  Spins& spins_;
  Neighbours& neighbours_;
  Present& now_;
  Trouble& trouble_;
  std::vector<std::size_t> closed_;
  std::vector<std::size_t> rigid_;
  std::vector<BodyPair> landing_;  ///< pairs that strike now
  std::vector<std::size_t> candidates_;
  std::vector<std::size_t> opening_;  ///< see open_first
  Modes before_;                      ///< the decision
  AccelerationProblem problem_;
  AccelerationAnswer answer_;
  Conflict conflict_;
};

}  // namespace carom::motion
