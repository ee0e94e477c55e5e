// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/laws/workspace.hpp>
#include <carom/motion/contacts.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/single_impact.hpp>

namespace carom::motion {

/// What a law makes of an impact at some contacts.
struct Impact {
  Vector impulse;             ///< ordered by contact, n then tangential [N s]
  std::vector<double> work;   ///< by contact [J]
  double energy_change = 0.;  ///< their sum [J]
  Verdicts flags{};
  std::string note{};         ///< another law has answered than the one chosen
  std::size_t other_law = 0;  ///< how often
  /// Contacts that open where an impact without collision has no impulses: then finite forces exist
  /// without these contacts.
  std::vector<std::size_t> opens{};
};

/// Contacts that have no finite forces, or diverging ones: an impact without collision.
struct Jam {
  std::size_t contact = nowhere;  ///< that gives it its name
  bool presses = false;  ///< whether that contact approaches a little, where it need not otherwise
};

/// Impulses of impacts, by the laws of the options. It knows a state and its contacts, not what
/// leads to the impact or what follows from it.
class ImpactResolver {
 public:
  ImpactResolver(const Setting& setting, const Contacts& contacts);

  /// Contacts that are coupled by inertia strike together, by the law for one or that for several.
  /// @param mechanics  at the state, with the contacts loaded
  /// @param jam  the limit v_n -> 0- of contacts that have no finite forces; null: a collision
  /// @return false if no law has an outcome, and why
  [[nodiscard]] bool strike(const std::vector<std::size_t>& contacts, const Jam* jam,
                            Mechanics& mechanics, const State& state, Impact& impact,
                            Trouble& trouble);
  /// An impact without restitution at all contacts together, by `moreau`: impulses that only push,
  /// within the cones of friction.
  /// @return false if there are none
  [[nodiscard]] bool stop(const std::vector<std::size_t>& contacts, Mechanics& mechanics,
                          Impact& impact);

 private:
  [[nodiscard]] bool strike_one(const std::vector<std::size_t>& one, bool without_collision,
                                Mechanics& mechanics, Impact& impact, Trouble& trouble);
  [[nodiscard]] bool strike_several(const std::vector<std::size_t>& contacts, Mechanics& mechanics,
                                    const State& state, Impact& impact, Trouble& trouble);
  [[nodiscard]] bool strike_in_turn(const std::vector<std::size_t>& contacts,
                                    const ContactProblem& all, const Mechanics& mechanics,
                                    const State& state, Impact& impact, Trouble& trouble);
  struct Limit;
  /// The impulses of an impact without collision that takes the time tau.
  [[nodiscard]] bool find_impulses(Limit& limit, double tau, const std::vector<double>& near,
                                   Vector& impulse);
  [[nodiscard]] bool follow_impulses(Limit& limit, double tau, Vector& impulse);
  [[nodiscard]] bool strike_without_collision(const std::vector<std::size_t>& contacts,
                                              const Jam& jam, Mechanics& mechanics,
                                              const State& state, Impact& impact, Trouble& trouble);
  void set_work(const std::vector<std::size_t>& contacts, Mechanics& mechanics, const Vector& u,
                Impact& impact);
  /// @return false, because the law for one contact has no outcome
  bool no_outcome(std::size_t contact, Trouble& trouble) const;
  [[nodiscard]] double jamming_friction(std::size_t contact, const ContactMotion& motion) const;

  const Setting& setting_;
  const Contacts& contacts_;
  Matrix G_;
  Vector b_;
  Vector pushed_;  ///< velocities after an impact
  SingleImpact single_;
  Workspace workspace_;  ///< of laws for several contacts
};

/// u += M^-1 W P
/// @param mechanics  with the contacts loaded
/// @return the energy supplied by moving supports, P.(W^T u - v) [J]
double push(Mechanics& mechanics, const std::vector<std::size_t>& contacts, const Vector& impulse,
            Vector& u);

}  // namespace carom::motion
