// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/study/fit/measured_impacts.hpp>

/// Kinds of impacts, by what slip would do under friction mu. They depend on G, the approach and mu
/// alone, never on what was measured afterwards: classes by the outcome would favour the law whose
/// errors they sort.
namespace carom::study::fit {

enum class SlipClass : std::uint8_t {
  goes_on,   ///< slip lasts
  stops,     ///< slip stops, and the contact sticks
  reverses,  ///< slip stops or turns, and goes on against what it was
  no_slip,   ///< there is none at first
};

[[nodiscard]] std::string_view name(SlipClass c);

struct Classified {
  SlipClass kind = SlipClass::goes_on;
  /// Whether slip stops after compression, so that the class is another for some e in [0, 1].
  bool depends_on_restitution = false;
};

/// The class of an impact at one contact. In the plane the exact process stops slip at the impulse
/// p* = |v_t|/(mu G_tt - s G_nt), while impacts end at p_f = (1 + e) p_c: as long as slip lasts,
/// all hypotheses agree on p_f, so the class is that of `newton`, `poisson` and `energetic`. In
/// space it is that of `poisson`.
/// @param restitution  decides where slip would stop in restitution only
/// @pre one contact with two or three components, a valid problem
[[nodiscard]] Classified classify(const ContactProblem& problem, double friction,
                                  double restitution = 0.5);

/// The classes of many impacts, in their order, with the body and the friction that `p` means.
[[nodiscard]] std::vector<Classified> classify(const Objective& objective,
                                               std::span<const std::size_t> impacts,
                                               std::span<const double> p, double restitution = 0.5);

}  // namespace carom::study::fit
