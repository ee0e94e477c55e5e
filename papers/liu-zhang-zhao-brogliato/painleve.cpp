// SPDX-License-Identifier: Apache-2.0
// Section 2d: Painlevé's paradox and detachment.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/painleve_of_disc.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double upright = 0.5 * std::numbers::pi;

const DiscShape this_disc{disc_radius / half_thickness};
const DiscShape easiest_disc{4. / std::numbers::sqrt3};

/// Largest relative difference between (2.41) and G_nn/|G_nt|, where there is a bound.
double formula_off(const DiscShape& shape) {
  double worst = 0.;
  for (double theta = 0.02; theta <= upright; theta += 0.02) {
    const double direct = shape.critical_friction(theta);
    if (!std::isfinite(direct)) continue;
    worst = largest(worst, std::abs(shape.printed_bound(theta) - direct) / direct);
  }
  return worst;
}

/// The largest theta'^2 l sin(theta + phi)/g of all motions: below 1 nothing detaches [eq. 2.43].
double nearest_to_detaching() {
  double most = 0.;
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscRun run = run_disc(c, StartFrom::impact);
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      if (!std::isfinite(run.ratio[i])) continue;
      const double critical = this_disc.detaching_spin(run.theta[i], half_thickness, gravity);
      most = largest(most, std::pow(run.spin[i] / critical, 2));
    }
  }
  return most;
}

report::Chart painleve_chart() {
  report::ChartPanel bound{.title = "(a) friction that the paradox needs",
                           .x = {.label = "angle θ  [deg]", .range = report::Range{60., 90.}},
                           .y = {.label = "least μ_A", .range = report::Range{0., 10.}}};
  report::ChartPanel spin{.title = "(b) spin that lifts A off",
                          .x = {.label = "angle θ  [deg]", .range = report::Range{0., 90.}},
                          .y = {.label = "|dθ/dt|  [rad/s]", .range = report::Range{0., 65.}}};
  report::Series thin{.label = "this disc, r/h = 12.5"};
  report::Series easiest{.label = "r/h = 2.309", .colour = "#D55E00", .dash = "(10,6)"};
  report::Series critical{.label = "lifts off above"};
  for (double theta = 0.; theta <= 90.; theta += 0.25) {
    const double angle = theta * std::numbers::pi / 180.;
    thin.x.push_back(theta);
    thin.y.push_back(this_disc.critical_friction(angle));
    easiest.x.push_back(theta);
    easiest.y.push_back(easiest_disc.critical_friction(angle));
    critical.x.push_back(theta);
    critical.y.push_back(this_disc.detaching_spin(angle, half_thickness, gravity));
  }
  report::Series own = report::series_of(report::style_of_law("lzb"), "case 2, falling");
  const DiscRun run = run_disc(disc_ball_case(2), StartFrom::impact);
  for (std::size_t i = 0; i < run.time.size(); i += 5) {
    own.x.push_back(run.theta[i] * 180. / std::numbers::pi);
    own.y.push_back(std::abs(run.spin[i]));
  }
  bound.series = {thin, easiest};
  bound.marks = {{.at = 2. / std::numbers::sqrt3, .label = {}, .across = true},
                 {.at = 0.185, .label = {}, .across = true}};
  bound.texts = {{.x = 66.3, .y = 1.45, .text = "2√3/3, least of all shapes"},
                 {.x = 67.2, .y = 0.5, .text = "μ of the experiments, at most"}};
  spin.series = {critical, own};
  return {.heading = "Painlevé's paradox and detachment of the disc",
          .subheading = "the disc slides on A; below the curves there is neither",
          .panels = {bound, spin},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

}  // namespace

Part painleve_part() {
  const double off = std::max(formula_off(this_disc), formula_off(easiest_disc));
  const double here = this_disc.critical_friction(upright);
  const double least_angle = this_disc.easiest_angle();
  const DiscShape best = easiest_shape();
  const double least = best.critical_friction(upright);
  const double nearest = nearest_to_detaching();
  const double flat = this_disc.detaching_spin(0., half_thickness, gravity);
  Table table{
      .caption = "Upright disc: the friction from which rigid contact has no or several forces",
      .columns = {"shape", "r/h", "least mu, from G", "least mu, eq. 2.42"},
      .rows = {{{given("this disc"), ours(this_disc.r_over_h), ours(here),
                 ours(this_disc.upright_bound())}},
               {{given("easiest, searched for"), ours(best.r_over_h), ours(least),
                 ours(best.upright_bound())}}}};
  return {
      .id = "Eqs 2.38-2.43",
      .title = "Painlevé's paradox and detachment",
      .text =
          "The disc slides on A. The coefficient A of gap'' = A F + B comes from the contact "
          "inverse inertia, A = G_nn - mu G_nt; the printed formulas are compared with it.",
      .tables = {table},
      .statements =
          {{.says = "The bound (2.41) on mu_A",
            .holds = off < 1e-12,
            .found = fmt::format("equals G_nn/|G_nt| to {:.1e} at all angles that have one", off)},
           {.says = "It is least upright, where it is r/(4h) + 4h/(3r) (eq. 2.42)",
            .holds = std::abs(least_angle - upright) < 1e-6 &&
                     std::abs(this_disc.upright_bound() - here) < 1e-12 * here,
            .found = fmt::format("least at {:.4f} deg, {:.5f} there",
                                 least_angle * 180. / std::numbers::pi, here)},
           {.says = "It is least of all shapes for r/h = 4 sqrt(3)/3, where mu_A = 2 sqrt(3)/3",
            .holds = std::abs(best.r_over_h - 4. / std::numbers::sqrt3) < 1e-6 &&
                     std::abs(least - 2. / std::numbers::sqrt3) < 1e-10,
            .found = fmt::format("r/h = {:.6f}, mu_A = {:.6f}", best.r_over_h, least)},
           {.says = "The paradox does not occur in this system",
            .holds = here > 0.23,
            .found = fmt::format("it needs mu = {:.4f}, the largest in Table 3 is 0.23", here)},
           {.says = "The disc does not detach while it falls",
            .holds = nearest < 1.,
            .found =
                fmt::format("theta'^2 reaches {:.3f} of the critical value over the motions of "
                            "cases 2 to 9",
                            nearest)},
           {.says = "The spin that detachment needs grows beyond bounds as the disc comes down",
            .holds = flat > 1e6,
            .found = fmt::format("{:.2f} rad/s at theta = 0", flat),
            .known = "L19"}},
      .pictures = {
          chart_picture("liu-zhang-zhao-brogliato-painleve",
                        "Left: how much friction it takes before rigid contact fails. The "
                        "disc of the experiments is far from it, and so is the shape that "
                        "comes nearest. Right: the falling disc spins up, but never so fast "
                        "that it would leave the ground; the bound is finite when flat.",
                        painleve_chart)}};
}

}  // namespace carom::papers::disc_ball
