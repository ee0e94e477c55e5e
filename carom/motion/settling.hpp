// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <carom/motion/equations.hpp>
#include <carom/motion/impact_resolver.hpp>
#include <carom/motion/mode_decision.hpp>
#include <carom/motion/projection.hpp>

namespace carom::motion {

/// Infinitely many impacts that were passed over.
struct Accumulation {
  double start = 0.;         ///< [s]
  std::vector<double> from;  ///< y then
  Modes modes;               ///< then
  Event event{};
};

/// Ends sequences of infinitely many impacts in finite time (Zeno points).
class Settler {
 public:
  Settler(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
          Equations& equations, Projection& projection, ModeDecision& decision,
          ImpactResolver& resolver, Present& now, Trouble& trouble);
  void grow();

  /// Before an impact at contacts that are loaded, and before settling_speed().
  void count_slow(const std::vector<std::size_t>& contacts);
  /// After it.
  /// @param speed  largest approach [m/s]
  void remember(const Event& event, double speed);
  /// Whether the contact that rebounds most slowly comes to rest, by the time of contact.
  [[nodiscard]] bool settle_by_contact_time(Event& event);

  /// The speed up to which contacts of an island come to rest instead of striking now; zero: they
  /// rebound.
  [[nodiscard]] double settling_speed(const std::vector<std::size_t>& island) const;
  /// A speed above all slip of several closed contacts without forces, if they are so slow that
  /// they may stop instead of striking; otherwise zero.
  /// @param contacts  closed contacts that inertia couples
  /// @param everywhere  whether all slip must be slow, or any
  [[nodiscard]] double slow_slip(const std::vector<std::size_t>& contacts, bool everywhere) const;
  /// Rigid contacts of an island come to rest. Adds them to the event.
  /// @param approach  whether contacts approach; otherwise slip slower than `speed` stops
  void settle(const std::vector<std::size_t>& contacts, Event& event, double speed, bool approach,
              const char* why);

  /// Passes over impacts that accumulate, if they do. May fail.
  [[nodiscard]] std::optional<Accumulation> accumulate();

  [[nodiscard]] const ImpactMemory& memory() const { return memory_; }
  /// @return false if it belongs to another model
  [[nodiscard]] bool load(const ImpactMemory& memory);

 private:
  [[nodiscard]] bool is_disturbed(std::size_t contact) const;
  [[nodiscard]] double contact_time(std::size_t contact, double speed);
  [[nodiscard]] double acceleration_from_rest(std::size_t contact);
  [[nodiscard]] bool accumulates(std::vector<std::size_t>& contacts, double& remaining) const;
  [[nodiscard]] bool pass_over(const std::vector<std::size_t>& contacts, double remaining);

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  Equations& equations_;
  Projection& projection_;
  ModeDecision& decision_;
  ImpactResolver& resolver_;
  Present& now_;
  Trouble& trouble_;
  ImpactMemory memory_;
  std::vector<std::size_t> settled_;  ///< contacts that have come to rest
  std::vector<double> rest_speed_;    ///< by contact: see settling_speed; zero: it rebounds [m/s]
  std::vector<double> approach_;      ///< normal velocities before an impact, by contact [m/s]
  Impact impact_;
  State rest_;
  Vector q_rate_;
  std::vector<double> dy_;
};

}  // namespace carom::motion
