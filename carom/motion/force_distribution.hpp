// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/complementarity/force_sharing.hpp>
#include <carom/motion/contacts.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/spin.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Solves for the forces that fixed modes need, island by island. Where contacts are hyperstatic,
/// forces are the least within signs and cones. Whether they can hold the modes is decided by any
/// that lie inside. Where the motion does not depend on the distribution, the least are computed
/// only if they are shown.
class ForceDistribution {
 public:
  ForceDistribution(const Setting& setting, const Contacts& contacts, const Spins& spins)
      : setting_(setting), contacts_(contacts), spins_(spins) {}

  /// Solves all islands for the right-hand sides in system.x, which become the forces.
  /// @param given  normal forces of springs are known, by component of all contacts [N]
  /// @return false if an island has no finite solution
  [[nodiscard]] bool solve(ContactSystem& system, Mechanics& mechanics,
                           const std::vector<double>& given);
  /// The unknowns of a distribution within the cones, which decides whether the modes hold.
  [[nodiscard]] const std::vector<double>& inner() const { return inner_; }

  /// Whether the motion depended on the distribution at the last solve().
  [[nodiscard]] bool decides() const { return decides_; }

  /// What events say of it. Where the motion begins to depend on the distribution between two
  /// events, as bodies turn, the next one says since when.
  struct Reported {
    bool depends = false;     ///< it was reported, or will be
    double since = infinite;  ///< to be reported [s]
  } reported;

  /// Forces that are reported are the least and must not depend on what was reported before.
  bool shows_forces = false;

  /// Only decides() is asked for. The forces are of no use.
  bool asks_whether_decides = false;

  /// Forces of the stages of a step: where the motion does not depend on the distribution, one near
  /// the last one is taken, even if it is outside of the cones. It is no proof that the modes end.
  bool glances = false;

  /// The last distribution, near which the next one is sought; empty if there is none. By contact,
  /// so that what opens or closes elsewhere does not end it.
  [[nodiscard]] const std::vector<double>& last() const { return last_; }
  void set_last(const std::vector<double>& last) { last_ = last; }

 private:
  [[nodiscard]] bool solve_island(const ContactSystem::Island& island, ContactSystem& system,
                                  Mechanics& mechanics, const std::vector<double>& given);
  [[nodiscard]] std::size_t place_of(const ContactSystem::Unknown& unknown) const;
  void keep_last(const ContactSystem& system);
  void find_near(const ContactSystem::Island& island, const ContactSystem& system);
  void find_cones(const ContactSystem::Island& island, const ContactSystem& system,
                  const std::vector<double>& given);
  [[nodiscard]] bool matters(const ContactSystem::Island& island, const ContactSystem& system,
                             Mechanics& mechanics);

  const Setting& setting_;
  const Contacts& contacts_;
  const Spins& spins_;
  complementarity::ForceSharing sharing_;
  std::vector<complementarity::SharingContact> cones_;  ///< of an island
  std::vector<double> near_;                            ///< `last_` of an island
  std::vector<double> inner_;
  std::vector<double> last_;  ///< of all contacts, in the order of place_of
  Vector change_;
  bool is_shared_ = false;  ///< whether an island was hyperstatic
  bool decides_ = false;    ///< whether the motion depends on the distribution
};

}  // namespace carom::motion
