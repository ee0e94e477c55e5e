// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <carom/motion/contacts.hpp>

namespace carom::motion {

/// Part of the reach that may be used up before near contacts are listed anew: half of it, less
/// what paths bend within a step.
inline constexpr double used_reach = 0.4;

/// Contacts within reach. All contacts whose gap is at most `reach` at the state that was listed
/// are in Contacts::active. They are all that can close until something has moved by half of it
/// [Verlet 1967].
class Neighbours {
 public:
  /// @param found  called when contacts were added, to make room for them everywhere
  Neighbours(const Setting& setting, Contacts& contacts, std::function<void()> found);

  /// Lists what is near at a state, by default within the usual reach.
  /// @param more  further reach [m]
  void find(const State& state, double more = 0.);
  /// Lists what was near at another state, within that reach.
  void load(const State& state, double reach);
  /// Whether something has moved so far that the list may lack contacts.
  [[nodiscard]] bool is_used_up(const State& state) const;
  [[nodiscard]] const State& listed() const { return listed_; }
  [[nodiscard]] double reach() const { return reach_; }  ///< [m]
  /// Pairs of bodies within reach.
  [[nodiscard]] const std::vector<BodyPair>& pairs() const { return pairs_; }

  /// Contacts that touch, up to a gap of `reach`, ascending. They are in Contacts::active then.
  void list_touching(const State& state, double reach, std::vector<std::size_t>& out);
  /// Whether a contact is among those of its pair that are in range.
  [[nodiscard]] bool lists(const ContactId& id, const State& state);
  /// A contact of a pair that touches, if any.
  [[nodiscard]] std::optional<ContactId> touching(const BodyPair& pair, const State& state);
  /// The number of a contact, with room for it everywhere.
  [[nodiscard]] std::size_t number_of(const ContactId& id);
  /// Whether a contact of a pair is closed.
  [[nodiscard]] bool is_closed(const BodyPair& pair) const;

 private:
  void list();
  void grow();

  const Setting& setting_;
  Contacts& contacts_;
  std::function<void()> found_;
  State listed_;
  double reach_ = 0.;
  std::vector<BodyPair> pairs_;
  std::vector<NearContact> near_;
  std::vector<ContactId> new_;  ///< that have no number
  /// What touched when it was asked for last: velocities change more often than positions.
  struct Touching {
    State state;
    double reach = -1.;  ///< [m]; negative: unknown
    std::vector<std::size_t> contacts;
  } last_;
};

}  // namespace carom::motion
