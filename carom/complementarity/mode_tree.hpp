// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// What one contact does.
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

/// All combinations of modes that may have a solution: a tree, contact after contact.
///
/// At each node the impulses of the contacts decided are affine functions of those that are not.
/// An inequality that no impulse within the cones of the rest can satisfy cuts the branch off.
/// Inequalities are taken loosely: what comes out is to be solved and looked at again. Left out are
/// combinations whose equations are singular, and contacts that are closed without an impulse,
/// since another combination has the same solution.
/// @pre one or two components, at most `most_enumerated` contacts
[[nodiscard]] std::vector<ContactChoices> possible_modes(const ScaledFriction& s);

}  // namespace carom::complementarity
