// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/neighbours.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/sampler.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Free flight in closed form, where the model knows it and no contact is closed.
class Flight {
 public:
  Flight(const Setting& setting, const Contacts& contacts, const CompliantContacts& compliant,
         Neighbours& neighbours, Sampler& sampler, Present& now);

  [[nodiscard]] bool is_possible() const;
  /// Flies from the present to the next event or to the end.
  [[nodiscard]] Advance fly(Trigger& trigger);

 private:
  void look(double dt);  ///< at the state `dt` after take-off
  [[nodiscard]] double search(const BodyPair& pair, double longest);
  [[nodiscard]] double first_touch(const BodyPair& pair, double from, double piece);
  [[nodiscard]] double first_overlap(const BodyPair& pair, double from, double until);
  [[nodiscard]] double search_end(double longest);
  [[nodiscard]] double piece_of_search() const;

  const Setting& setting_;
  const Contacts& contacts_;
  const CompliantContacts& compliant_;
  Neighbours& neighbours_;
  Sampler& sampler_;
  Present& now_;
  std::vector<BodyPair> pairs_;  ///< all that may meet
  State take_off_;
  State piece_start_;
  std::vector<NearContact> near_;
  ContactMotion motion_;
  std::vector<double> trial_;
};

}  // namespace carom::motion
