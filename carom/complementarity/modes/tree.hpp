// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <carom/complementarity/friction/scaled.hpp>

namespace carom::complementarity {

/// Mode of one contact.
enum class ContactChoice : std::uint8_t {
  open,            ///< P_n = f, without friction
  floor_stick,     ///< P_n = f > 0, xi_t = 0
  floor_backward,  ///< P_n = f > 0, P_t = mu f, xi_t <= 0
  floor_forward,   ///< P_n = f > 0, P_t = -mu f, xi_t >= 0
  closed,          ///< xi_n = 0, without friction
  stick,           ///< xi = 0
  backward,        ///< xi_n = 0, P_t = mu P_n, xi_t <= 0
  forward,         ///< xi_n = 0, P_t = -mu P_n, xi_t >= 0
};

using ContactChoices = std::array<ContactChoice, most_enumerated>;

/// All combinations of modes that may have a solution: a tree search, contact by contact.
///
/// At each node the impulses of the decided contacts are affine functions of those of the undecided
/// ones. A branch is cut off if one of its inequalities cannot hold for any impulse within the
/// cones of the undecided contacts. Inequalities have a loose tolerance; the caller solves and
/// checks each combination. Two kinds of combination are omitted, because another combination has
/// the same solution: those with singular equations, and those with a closed contact without
/// impulse.
/// @param found  cleared first; its memory is reused
/// @pre one or two components, at most `most_enumerated` contacts
void possible_modes(const ScaledFriction& s, std::vector<ContactChoices>& found);

}  // namespace carom::complementarity
