// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/motion/neighbours.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/projection.hpp>

namespace carom::motion {

/// Brings a given state to the start of a run. Positions are written with a limited number of
/// digits, so a body that rests on another starts slightly above or below its surface: such gaps
/// are closed.
class Start {
 public:
  Start(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
        Neighbours& neighbours, Projection& projection, Present& now)
      : setting_(setting),
        contacts_(contacts),
        compliant_(compliant),
        neighbours_(neighbours),
        projection_(projection),
        now_(now) {}

  /// The present becomes this state, with small gaps closed. Throws InputError.
  void begin(const State& state);
  /// The same from where steps have come to. Gaps and normal velocities of `closed` contacts become
  /// zero, by the smallest changes in the mass metric, which are in the account.
  /// @return false if overlap remains
  [[nodiscard]] bool begin_again(const Progress& progress, const std::vector<std::size_t>& closed);
  /// For the start event; empty if no gap was closed.
  [[nodiscard]] std::string note() const;

  void save(Continuation& c) const;
  void load(const Continuation& c);

 private:
  void refuse_overlap(const std::vector<std::size_t>& contacts, double limit) const;
  [[nodiscard]] bool closes(std::size_t contact);
  void close_gaps();
  void close_gaps(std::vector<std::size_t>& closing);
  [[nodiscard]] double overlap();

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  Neighbours& neighbours_;
  Projection& projection_;
  Present& now_;
  double closed_ = 0.;  ///< contacts whose gaps were closed
  double moved_ = 0.;   ///< largest distance by which this moved something [m]
};

}  // namespace carom::motion
