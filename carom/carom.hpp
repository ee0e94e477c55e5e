// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All of carom::carom. What these headers include is installed, other headers are not.

// Errors, problems and outcomes: one contact in the plane, one in space, several.
#include <carom/core/error.hpp>
#include <carom/impact/brach_system.hpp>
#include <carom/impact/contact_problem.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/impact/spatial/coefficients.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

// Complementarity problems without mechanics.
#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/lcp.hpp>

// Laws by name, and those whose process can be asked for more.
#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/darboux_keller/invariant_rays.hpp>
#include <carom/laws/darboux_keller/path.hpp>
#include <carom/laws/kernels.hpp>
#include <carom/laws/lzb/lzb.hpp>
#include <carom/laws/moreau/several.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/registered.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <carom/laws/table.hpp>

// Systems that strike.
#include <carom/mechanics/ball_chain.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <carom/mechanics/given_contacts.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/rocking_block.hpp>
#include <carom/mechanics/rod_ends.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/shapes/space/points.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_rod.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/mechanics/vehicles_inverse.hpp>

// Systems that move.
#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/simulation.hpp>
