// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/motion/compliant_events.hpp>
#include <carom/motion/impact_resolver.hpp>
#include <carom/motion/mode_decision.hpp>
#include <carom/motion/sampler.hpp>
#include <carom/motion/settling.hpp>
#include <carom/motion/slip.hpp>

namespace carom::motion {

/// Handles an event: impacts while closed contacts approach, then new modes for all contacts
/// together.
class Instant {
 public:
  Instant(const Setting& setting, Contacts& contacts, CompliantContacts& compliant, Slip& slip,
          Spins& spins, Equations& equations, Projection& projection, Neighbours& neighbours,
          Sampler& sampler, Present& now, Trouble& trouble);
  void grow() { settler_.grow(); }

  /// Modes at the start, unless an impact comes first.
  void decide_at_start();
  /// @return false if the run cannot go on
  [[nodiscard]] bool handle(Trigger trigger);
  /// Passes over impacts that accumulate, if they do.
  /// @return false if the run cannot go on
  [[nodiscard]] bool accumulate();
  /// Notes it where the motion that follows depends on how hyperstatic forces are distributed.
  void note_distribution(Event& event);
  /// Notes it where the motion that ends has begun to depend on it between two events.
  void note_dependence(Event& event) const;
  /// Tells an event.
  void conclude(Event& event, const std::vector<ContactStatus>& before);

  void save(Progress& progress) const;
  [[nodiscard]] bool load(const Progress& progress);
  void load_counts(const Progress& progress);  ///< of impacts alone

 private:
  /// Whether an event is handled.
  enum class Round : std::uint8_t { again, done, failed };
  void stop(const Trigger& trigger);
  [[nodiscard]] Round round(Trigger& trigger);
  [[nodiscard]] Round strike(Trigger& trigger);
  bool settle_islands();
  void stop_rest(double speed);
  void find_islands();
  [[nodiscard]] Round resolve_conflict(Trigger& trigger);
  [[nodiscard]] Round take_modes(Trigger& trigger);
  void stop_stray_slip();
  [[nodiscard]] bool turned_slip() const;
  void begin_strike();
  [[nodiscard]] bool impact(Event& event, const Jam* jam);
  [[nodiscard]] bool strike_island(const std::vector<std::size_t>& contacts, const Jam* jam,
                                   Event& event);
  void name_event(const Trigger& trigger, Event& event) const;

  const Setting& setting_;
  Contacts& contacts_;
  CompliantContacts& compliant_;
  Slip& slip_;
  Spins& spins_;
  Equations& equations_;
  Projection& projection_;
  Sampler& sampler_;
  Present& now_;
  Trouble& trouble_;
  ModeDecision decision_;
  ImpactResolver resolver_;
  Settler settler_;
  CompliantEvents compliant_events_;
  Islands islands_;
  std::vector<std::size_t> members_;  ///< of an island
  std::vector<std::size_t> stray_;    ///< see stop_stray_slip
  std::vector<ContactStatus> decided_;
  Impact impact_;
  std::size_t impacts_ = 0;    ///< so far
  std::size_t other_law_ = 0;  ///< impacts that another law answered than the one chosen
  // The event that is handled.
  Modes before_;
  std::vector<double> stopped_from_;  ///< y, to go back to
  Event event_;                       ///< an impact, until it is known what follows
  bool has_struck_ = false;           ///< whether it is one
  int retaken_ = 0;                   ///< decisions of this instant that were made again
  int settled_ = 0;                   ///< times in a row
  bool opened_ = false;               ///< whether a solution without some contacts was preferred
};

}  // namespace carom::motion
