// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <carom/core/world.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// An impact is a model at (q, u): the contacts that touch, and M, W, u.
namespace carom {

struct TouchOptions {
  double tolerance = 1e-6;    ///< gaps and overlaps up to this are none, relative to the smaller of
                              ///< the bodies' smallest lengths
  bool frictionless = false;  ///< contacts have only a normal component
};

/// The contacts that touch: those of two bodies first, in the order of the bodies, then those with
/// the ground. Points of the same pair closer than a few tolerances are one. Those of two bodies in
/// the plane follow each other along the tangent. In space they go round the normal's axis, as seen
/// from where its largest component is positive, from the one that is least along (0.48, 0.6,
/// 0.64). Throws InputError if bodies overlap: "bodies[1].position".
[[nodiscard]] std::vector<ContactId> touching(const Model& model, const State& state,
                                              double tolerance);

/// "a-b" for the only contact of a pair, otherwise "a-b 1", ...; for a model whose pairs have no
/// names those of its contacts.
[[nodiscard]] std::vector<std::string> names_of(const Model& model,
                                                std::span<const ContactId> contacts);

/// The impact at these contacts. Tangents of free bodies in space are those of frame_of.
[[nodiscard]] SystemAtImpact at_impact(const Model& model, const State& state,
                                       std::span<const ContactId> contacts,
                                       bool frictionless = false);

/// Throws InputError under "bodies" unless exactly one contact touches: at `offset` from the mass
/// centre of the first body, with this normal into it, both to six digits.
void require_contact(const Model& model, const State& state, const World3& normal,
                     const World3& offset);

/// "bodies[0].shape": without one a body cannot move on.
[[noreturn]] void throw_shapeless(std::size_t body);

/// The same at the contacts that touch. Throws as `touching` does; where nothing touches there are
/// no contacts.
[[nodiscard]] SystemAtImpact at_impact(const Model& model, const State& state,
                                       const TouchOptions& options = {});

}  // namespace carom
