// SPDX-License-Identifier: Apache-2.0
// Section 5, Figs 4, 5, 7 and 8, and Fig. 11: which impact state occurs, and where slip reverses.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

/// A figure's plane: approach ratio from -widest to widest, angle from 1 to 179 degrees.
struct Plane {
  double K = uniform_bar;
  Surface coefficients;
  double widest = 4.;
};

const Plane fig4{.K = uniform_bar, .coefficients = surface(1., 1., below_critical), .widest = 4.};
const Plane fig5{.K = uniform_bar, .coefficients = surface(1., 1., above_critical), .widest = 10.};
const Plane fig11{.K = sphere, .coefficients = surface(1., 0., 3. / 5.), .widest = 6.};

/// What happens on a grid over the plane, counted.
struct Scan {
  int cells = 0;
  int as_lines_say = 0;  ///< `moreau` finds the state that eqs 33-34, 40-41, 46-47 name
  int stick = 0;
  int stick_reverses = 0;
  int slip_reverses = 0;
  int slip_keeps = 0;
  int normal_reverses = 0;
  double least_reversing_deg = 180.;  ///< the angles at which any slip reverses
  double greatest_reversing_deg = 0.;
};

Mode state_by_lines(const RegimeBoundaries& lines, double r) {
  if (lines.backward && r >= *lines.backward) return Mode::backward_slip;
  if (lines.forward && r <= *lines.forward) return Mode::forward_slip;
  return Mode::stick;
}

Scan scan(const Plane& plane) {
  constexpr int columns = 160;  // an even number: none stands at r = 0
  Scan s;
  for (double angle = 1.; angle < 179.5; angle += 1.) {
    const Sym2 G = bar(plane.K, angle);
    const RegimeBoundaries lines = regime_boundaries(G, plane.coefficients);
    for (int i = 0; i < columns; ++i) {
      const double r = plane.widest * ((2. * i + 1.) / columns - 1.);
      const PlanarOutcome o = moreau(at_ratio(G, plane.coefficients, r));
      ++s.cells;
      if (o.mode == state_by_lines(lines, r)) ++s.as_lines_say;
      if (o.velocity.n > 0.) ++s.normal_reverses;
      // v_n has changed its sign, so slip reverses where the ratio keeps its own.
      const bool reverses = ratio_after(o) * r > 0.;
      if (o.mode == Mode::stick) {
        ++s.stick;
        if (reverses) ++s.stick_reverses;
        continue;
      }
      ++(reverses ? s.slip_reverses : s.slip_keeps);
      if (!reverses) continue;
      s.least_reversing_deg = std::min(s.least_reversing_deg, angle);
      s.greatest_reversing_deg = largest(s.greatest_reversing_deg, angle);
    }
  }
  return s;
}

/// The states by the lines drawn, and the states of the law.
Statement lines_are_right(const Plane& plane) {
  const Scan s = scan(plane);
  return said("the conditions part the plane into the three impact states",
              s.as_lines_say == s.cells,
              fmt::format("`moreau` finds the state that they name in {} of {} points",
                          s.as_lines_say, s.cells));
}

/// r_f(phi) = -r_b(180 - phi).
Statement is_symmetric(const Plane& plane) {
  double worst = 0.;
  bool both_or_none = true;
  for (double angle = 1.; angle < 179.5; angle += 1.) {
    const auto here = regime_boundaries(bar(plane.K, angle), plane.coefficients);
    const auto there = regime_boundaries(bar(plane.K, 180. - angle), plane.coefficients);
    both_or_none = both_or_none && here.forward.has_value() == there.backward.has_value();
    if (here.forward && there.backward) {
      worst = largest(worst,
                      std::abs(*here.forward + *there.backward) / (1. + std::abs(*here.forward)));
    }
  }
  return said("the picture is symmetric about the ratio 0 at 90 deg", both_or_none && worst < 1e-9,
              fmt::format("the two lines mirror each other to {:.1e}", worst));
}

/// Of every angle: is each of the three states found at some ratio?
Statement all_states_everywhere(const Plane& plane) {
  int angles = 0;
  int with_all = 0;
  double margin = std::numeric_limits<double>::infinity();
  for (double angle = 1.; angle < 179.5; angle += 1.) {
    const Sym2 G = bar(plane.K, angle);
    const auto lines = regime_boundaries(G, plane.coefficients);
    ++angles;
    margin = std::min(margin, 1. - plane.coefficients.friction * std::abs(G.nt) / G.nn);
    if (!lines.forward || !lines.backward) continue;
    const auto state = [&](double r) { return moreau(at_ratio(G, plane.coefficients, r)).mode; };
    if (state(*lines.forward - 1.) == Mode::forward_slip &&
        state(0.5 * (*lines.forward + *lines.backward)) == Mode::stick &&
        state(*lines.backward + 1.) == Mode::backward_slip) {
      ++with_all;
    }
  }
  return said(
      "every impact state can be reached at every angle", with_all == angles,
      fmt::format("{} of {} angles; 1 − μ|δ|/α is at least {:.3f}", with_all, angles, margin));
}

/// One slip is out of reach inside a band of angles and within reach outside it.
Statement one_slip_is_out_of_reach() {
  const Band band = supercritical_angles(fig5.K, fig5.coefficients.friction);
  constexpr double far = 1e9;
  int inside = 0;
  int right = 0;
  for (double angle = 0.5; angle < 90.; angle += 1.) {
    const Sym2 G = bar(fig5.K, angle);
    const Sym2 mirrored = bar(fig5.K, 180. - angle);
    const bool in_band = angle > band.from_deg && angle < band.to_deg;
    if (in_band) ++inside;
    const auto state = [&](const Sym2& g, double r) {
      return moreau(at_ratio(g, fig5.coefficients, r)).mode;
    };
    const Mode forward = in_band ? Mode::stick : Mode::forward_slip;
    const Mode backward = in_band ? Mode::stick : Mode::backward_slip;
    if (state(G, -far) == forward && state(G, far) == Mode::backward_slip &&
        state(mirrored, far) == backward && state(mirrored, -far) == Mode::forward_slip) {
      ++right;
    }
  }
  return said(
      "between two angles forward slip is out of reach at any ratio, and stick goes on "
      "without end on that side only; above 90 deg the same of backward slip",
      inside > 0 && right == 90,
      fmt::format("at ratios ±10⁹ so at {} of 90 angles and their mirror images, {} of them "
                  "between the lines at {:.3f} and {:.3f} deg",
                  right, inside, band.from_deg, band.to_deg));
}

Statement lines_of_critical_angles() {
  const Band band = supercritical_angles(fig5.K, above_critical);
  double worst = 0.;
  for (const double angle : {band.from_deg, band.to_deg}) {
    const Sym2 G = bar(fig5.K, angle);
    worst = largest(worst, std::abs(above_critical * G.nt / G.nn - 1.));
  }
  return said("the horizontal lines stand where μ|δ| = α", worst < 1e-9,
              fmt::format("forward slip ends at {:.4f} and {:.4f} deg (tan φ = {:.6f} and {:.6f}), "
                          "where μδ/α = 1 to {:.1e}",
                          band.from_deg, band.to_deg, std::tan(band.from_deg * degree),
                          std::tan(band.to_deg * degree), worst));
}

Statement all_of_stick_reverses(const Plane& plane) {
  const Scan s = scan(plane);
  return said("slip reverses in all of stick", s.stick > 0 && s.stick_reverses == s.stick,
              fmt::format("{} of {} points", s.stick_reverses, s.stick));
}

/// Slip between the line of stick and the ratio at which eqs 48, 50 vanish reverses, or, where the
/// line has crossed zero, between it and zero.
Statement a_border_of_slip_reverses(const Plane& plane) {
  int borders = 0;
  int reverse = 0;
  for (double angle = 1.5; angle < 179.; angle += 1.) {
    const Sym2 G = bar(plane.K, angle);
    const auto lines = regime_boundaries(G, plane.coefficients);
    for (const auto& [line, outward] :
         {std::pair{lines.backward, 1.}, std::pair{lines.forward, -1.}}) {
      if (!line) continue;
      ++borders;
      const double r = *line + outward * 1e-3 * std::abs(*line);
      const PlanarOutcome o = moreau(at_ratio(G, plane.coefficients, r));
      if (o.mode != Mode::stick && ratio_after(o) * r > 0.) ++reverse;
    }
  }
  const Scan s = scan(plane);
  return said("it reverses in a border of the slip regions, too, and not in all of them",
              reverse == borders && s.slip_reverses > 0 && s.slip_keeps > 0,
              fmt::format("just outside stick at {} of {} borders; of the points that slip {} "
                          "reverse and {} do not",
                          reverse, borders, s.slip_reverses, s.slip_keeps));
}

Statement normal_always_reverses(const Plane& plane) {
  const Scan s = scan(plane);
  return said("the normal velocity is always reversed", s.normal_reverses == s.cells,
              fmt::format("{} of {} points", s.normal_reverses, s.cells));
}

}  // namespace

Part figure_4() {
  return {.id = "Fig. 4",
          .title = "Impact states below critical friction",
          .text =
              "`moreau` on a uniform bar, ε_N = ε_T = 1, μ = 1/2, over approach ratio and "
              "angle. The figure prints no numbers: it is compared with what the text says of "
              "it.",
          .tables = {},
          .statements = {all_states_everywhere(fig4), is_symmetric(fig4), lines_are_right(fig4)},
          .pictures = {map_picture(
              "payr-glocker-4",
              "The impact state of a bar that strikes with friction 1/2. Along every horizontal "
              "line one passes from forward slip through stick to backward slip; turned by half a "
              "turn about its middle the picture is the same.",
              example("maps/payr-glocker-4"))}};
}

Part figure_5() {
  return {.id = "Fig. 5",
          .title = "Impact states above critical friction",
          .text =
              "The same with μ = 5/3. No numbers are printed in the figure; the statements are "
              "those of the text.",
          .tables = {},
          .statements = {lines_of_critical_angles(), one_slip_is_out_of_reach(), is_symmetric(fig5),
                         lines_are_right(fig5)},
          .pictures = {map_picture(
              "payr-glocker-5",
              "The same with friction 5/3. Between the dotted lines (45 and 75.96 deg, and their "
              "mirror images) stick goes on to any ratio on one side: the slip that would be there "
              "cannot be reached.",
              example("maps/payr-glocker-5"))}};
}

Part figure_7() {
  return {.id = "Fig. 7",
          .title = "Where slip reverses, below critical friction",
          .text =
              "The sign of γ_T⁺/γ_N⁺ under `moreau` in the plane of Fig. 4. Slip reverses where "
              "it is the sign of the ratio before. No numbers are printed.",
          .tables = {},
          .statements = {all_of_stick_reverses(fig4), a_border_of_slip_reverses(fig4),
                         normal_always_reverses(fig4)},
          .pictures = {map_picture("payr-glocker-7",
                                   "The sign of the ratio of velocities after the impact. On the "
                                   "right half slip reverses where it is positive, on the left "
                                   "half where it is negative.",
                                   example("maps/payr-glocker-7"))}};
}

Part figure_8() {
  return {.id = "Fig. 8",
          .title = "Where slip reverses, above critical friction",
          .text = "The same in the plane of Fig. 5. No numbers are printed.",
          .tables = {},
          .statements = {all_of_stick_reverses(fig5), a_border_of_slip_reverses(fig5),
                         normal_always_reverses(fig5)},
          .pictures = {map_picture("payr-glocker-8",
                                   "The same with friction 5/3: over most of the plane slip comes "
                                   "back reversed.",
                                   example("maps/payr-glocker-8"))}};
}

Part figure_11() {
  const auto lines = regime_boundaries(bar(sphere, 90.), fig11.coefficients);
  const double expected = 3. / 5. * (1. + 1. / sphere) * 2.;  // eqs 51-52
  int reverses = 0;
  for (double r = -5.95; r < 6.; r += 0.1) {
    const PlanarOutcome o = moreau(at_ratio(bar(sphere, 90.), fig11.coefficients, r));
    if (o.velocity.t * -r < -1e-12) ++reverses;
  }
  const Scan s = scan(fig11);
  const Band band = reversing_angles(sphere, 3. / 5.);
  return {
      .id = "Fig. 11",
      .title = "A bar with the inertia of a sphere",
      .text = "`moreau` with K = 2/5, ε_N = 1, ε_T = 0, μ = 3/5. No numbers are printed.",
      .tables = {},
      .statements =
          {said("at 90 deg the states change where (51) to (53) say, with the sign of (53) mended",
                lines.backward && lines.forward && std::abs(*lines.backward - expected) < 1e-12 &&
                    std::abs(*lines.forward + expected) < 1e-12,
                fmt::format("at {:.4f} and {:.4f}", lines.forward.value_or(0.),
                            lines.backward.value_or(0.))),
           lines_are_right(fig11), is_symmetric(fig11),
           said("at 90 deg, for a sphere, slip never reverses", reverses == 0,
                fmt::format("{} of 120 ratios", reverses)),
           said("with ε_T = 0 slip never reverses, if that is meant for the whole figure and not "
                "for "
                "the sphere alone",
                s.slip_reverses == 0,
                fmt::format("it does in {} of {} points, at angles from {:g} to {:g} deg: where "
                            "|δ| > μβ, from {:.3f} to {:.3f} deg and mirrored",
                            s.slip_reverses, s.cells, s.least_reversing_deg,
                            s.greatest_reversing_deg, band.from_deg, band.to_deg),
                "PG6")},
      .pictures = {map_picture("payr-glocker-11",
                               "Impact states, and the sign of the ratio after the impact, of a "
                               "bar with the inertia of a sphere. In stick slip ends. It reverses "
                               "in two slivers beside the ratio 0, at flat angles.",
                               example("maps/payr-glocker-11"))}};
}

}  // namespace carom::papers::pg
