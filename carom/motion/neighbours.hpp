// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <carom/motion/contacts.hpp>

namespace carom::motion {

/// Part of the reach of a pair by which the two may approach each other before near contacts are
/// listed anew: all of it, less what paths bend within a step.
inline constexpr double used_reach = 0.8;

/// The reach that a pair needs to approach by a distance [m].
[[nodiscard]] inline double reach_for(double approach) { return approach / used_reach; }

/// Contacts within reach. All contacts of a pair whose gap is at most the reach of the pair at the
/// state that was listed are in Contacts::active. They are all that can close until the two have
/// moved by as much relative to each other [Verlet 1967]. What falls together needs little reach,
/// however far it falls.
class Neighbours {
 public:
  /// @param found  called when contacts were added, to make room for them everywhere
  Neighbours(const Setting& setting, Contacts& contacts, std::function<void()> found);

  /// Lists what is near at a state, within the usual reach.
  void find(const State& state);
  /// Lists what may close on the way from a state to another one, and then within the usual reach.
  void find(const State& from, const State& to);
  /// Lists what was near at another state. @return whether there are as many pairs as reaches
  [[nodiscard]] bool load(const State& state, double reach, const std::vector<double>& reaches);
  /// Whether something has moved so far that the list may lack contacts.
  [[nodiscard]] bool is_used_up(const State& state) const;
  [[nodiscard]] const State& listed() const { return listed_; }
  /// Largest reach of a pair: others are not looked at [m].
  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] const std::vector<double>& reaches() const { return reaches_; }
  /// Pairs of bodies within their reach.
  [[nodiscard]] const std::vector<BodyPair>& pairs() const { return near_pairs_; }

  /// Contacts that touch, up to a gap of `reach`, ascending. They are in Contacts::active then.
  void list_touching(const State& state, double reach, std::vector<std::size_t>& out);
  /// Whether a contact is among those of its pair that are in range.
  [[nodiscard]] bool lists(const ContactId& id, const State& state);
  /// A contact of a pair that touches and is open, if any.
  [[nodiscard]] std::optional<ContactId> touching(const BodyPair& pair, const State& state);
  /// The number of a contact, with room for it everywhere.
  [[nodiscard]] std::size_t number_of(const ContactId& id);
  /// Whether a contact of a pair is closed.
  [[nodiscard]] bool is_closed(const BodyPair& pair) const;

 private:
  void find_pairs(const State& state, double reach);
  void list();
  void grow();

  const Setting& setting_;
  Contacts& contacts_;
  std::function<void()> found_;
  State listed_;
  double reach_ = 0.;
  std::vector<BodyPair> pairs_;       ///< within `reach_`
  std::vector<double> reaches_;       ///< of each of them [m]
  std::vector<BodyPair> near_pairs_;  ///< those within their own reach
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
