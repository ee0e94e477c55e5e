// SPDX-License-Identifier: Apache-2.0
// Errata of the planar half of [Sun & Baruh 2022]: SB1 to SB12 and SB33. Each is
// shown by a computation.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/laws/routh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

constexpr double close = 1e-9;

PlanarOutcome poisson(const PlanarFall& fall) {
  return routh(problem_of(fall), Hypothesis::poisson);
}

/// One erratum with what another computation of the same shows.
Erratum with(Erratum e, const Erratum& second) {
  e.shown += "; " + second.shown;
  e.holds = e.holds && second.holds;
  return e;
}

// --- R2 ------------------------------------------------------------------------------------------

/// The angle [deg] at which sin/(alpha + cos^2), as printed, is mu_s.
double printed_angle_deg(double alpha, double mu_s) {
  double low = 0.;
  double high = 50.;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const double c = std::cos(middle * degree);
    (std::sin(middle * degree) / (alpha + c * c) > mu_s ? high : low) = middle;
  }
  return high;
}

Erratum second_ratio(const char* id, double alpha, const char* body) {
  constexpr double mu_s = 0.4;
  const double angle = reverse_angle_deg(alpha, mu_s);
  const double s = std::sin(angle * degree);
  const double c = std::cos(angle * degree);
  const double corrected = s * c / (alpha + c * c);
  const double printed = s / (alpha + c * c);
  return {
      .id = id,
      .reason = Reason::misprint,
      .where = "Eq. (30)",
      .printed = "R2 = sinθ/(α + cos²θ)",
      .corrected = "R2 = sinθ cosθ/(α + cos²θ), compared by its size",
      .shown = fmt::format(
          "{}, μ_s = 0.4: under the law slip comes back from {:.3f} deg on; there the corrected "
          "form is {:.6f}, the printed one {:.6f}, which would put the angle at {:.3f} deg",
          body, angle, corrected, printed, printed_angle_deg(alpha, mu_s)),
      .holds = std::abs(corrected - mu_s) < close && std::abs(printed - mu_s) > 0.01};
}

/// Falls of a grid that |R2| against a limit sorts wrongly.
std::size_t sorted_wrongly(const PlanarGrid& grid, double limit, std::size_t& all) {
  std::size_t wrong = 0;
  all = 0;
  for (const PlanarPoint& p : grid.points) {
    if (p.poisson.mode == Mode::slides) continue;
    ++all;
    const SlideRatios r = slide_ratios(problem_of(p.fall).G, p.fall.surface);
    const bool holds = std::abs(*r.R2) <= limit;
    if (holds != sticks(p.poisson.mode)) ++wrong;
  }
  return wrong;
}

Erratum limit_of_ratio(const char* id, const PlanarGrid& grid, const char* which) {
  std::size_t all = 0;
  const std::size_t printed = sorted_wrongly(grid, 1., all);
  const std::size_t corrected =
      sorted_wrongly(grid, grid.points[0].fall.surface.static_friction, all);
  return {.id = id,
          .reason = Reason::misprint,
          .where = "Table 2",
          .printed = "R2 < 1, R2 > 1",
          .corrected = "|R2| ≤ μ_s, |R2| > μ_s",
          .shown = fmt::format("{}: of {} falls in which slip has ended, or was none, the printed "
                               "limit sorts {} wrongly, the corrected one {}",
                               which, all, printed, corrected),
          .holds = printed > 0 && corrected == 0};
}

/// R2 < 0 without |.|: a rod that leans back without slip.
bool sign_matters() {
  const PlanarFall fall{-45., 0., surface_of_fig_3(), cylinder};
  const SlideRatios r = slide_ratios(problem_of(fall).G, fall.surface);
  return *r.R2 < 0. && reverses(poisson(fall).mode);
}

// --- R1 ------------------------------------------------------------------------------------------

/// At the ratio R1 slip is zero at the end of compression.
Erratum first_ratio(const char* id, double angle) {
  PlanarFall fall{angle, 1., surface_of_fig_3(), cylinder};
  const PlanarProblem at = problem_of(fall);
  fall.ratio = *slide_ratios(at.G, fall.surface).R1;
  fall.surface.restitution = 0.;  // ends with compression
  const double after = poisson(fall).velocity.t;
  return {
      .id = id,
      .reason = Reason::misprint,
      .where = "before Eq. (28)",
      .printed = "v_Cx^c - v_Cx = 0 gives R1; μ in the denominator",
      .corrected = "v_Cx^c = 0; μ_k",
      .shown = fmt::format("θ = {} deg: at v_Cx/v_Cy = R1 = {:.6f} slip at the end of compression "
                           "is below {:.0e} m/s, so that its change is -{:.6f} m/s and not 0",
                           angle, fall.ratio, decade(after), fall.ratio),
      .holds = std::abs(after) < close && fall.ratio > 0.1};
}

/// Super-critical friction: v_n grows in compression while slipping.
Erratum jam(Erratum e) {
  const PlanarFall fall{-60., 1., {.restitution = 0.7, .friction = 4.}, cylinder};
  const SlideRatios r = slide_ratios(problem_of(fall).G, fall.surface);
  const PlanarOutcome o = poisson(fall);
  e.printed += "; v_Cx/v_Cy > R1 slides on";
  e.corrected += "; only where Q + μ_k P > 0, else slip always ends in compression";
  e.shown += fmt::format(
      "; θ = -60 deg, μ = 4: R1 = {:.3f}, v_Cx/v_Cy = 1, and yet slip ends in compression (case "
      "{})",
      *r.R1, static_cast<int>(o.mode));
  e.holds = e.holds && r.jams && *r.R1 < 1. && o.mode != Mode::slides &&
            o.phases[0].velocity.t == 0. && o.phases[0].stage == Stage::compression;
  return e;
}

// --- work and forces of the stages ---------------------------------------------------------------

/// Restitution by eq. 20 from the phases of an outcome under `energetic`, W^r by eq. 24 with the
/// sign as printed (y down: v_Cy = -v_n).
Erratum sign_of_work(const char* id, double angle, double ratio) {
  const PlanarFall fall{angle, ratio, surface_of_fig_3(), cylinder};
  const PlanarProblem p = problem_of(fall);
  const PlanarOutcome o = routh(p, Hypothesis::energetic);
  double compression = 0.;  // -W^c as in eq. 23
  double restitution = 0.;  // W^r as in eq. 24
  double F = 0.;
  double v = -p.approach.n;
  for (const PlanarPhase& phase : o.phases) {
    const double work = (phase.impulse.n - F) * (v - phase.velocity.n) / 2.;
    (phase.stage == Stage::compression ? compression : restitution) += work;
    F = phase.impulse.n;
    v = -phase.velocity.n;
  }
  const double square = restitution / compression;
  return {.id = id,
          .reason = Reason::misprint,
          .where = "Eqs (24), (64), (65)",
          .printed = "W^r = Σ F_y (v_Cy + v_Cy')/2",
          .corrected = "W^r = -Σ F_y (v_Cy + v_Cy')/2: y points down, the force up",
          .shown = fmt::format("θ = {} deg, v_Cx/v_Cy = {}, e = 0.7: the printed W^r is {:.4f} J, "
                               "so that e² = W^r/(-W^c) = {:.4f}; with the other sign e = {:.6f}",
                               angle, ratio, restitution, square, std::sqrt(-square)),
          .holds = square < 0. && std::abs(std::sqrt(-square) - 0.7) < close};
}

/// The two periods of restitution in case 4.
Erratum force_after_stop(const char* id, double angle, double ratio) {
  const PlanarOutcome o = poisson({angle, ratio, surface_of_fig_3(), cylinder});
  const bool case_4 = o.mode == Mode::stops_in_restitution_slips;
  const Vec2 first = o.phases[1].impulse - o.phases[0].impulse;
  const Vec2 second = o.phases[2].impulse - o.phases[1].impulse;
  const double right = second.t / second.n;
  const double printed = second.t / first.n;
  return {.id = id,
          .reason = Reason::misprint,
          .where = "after Eq. (16)",
          .printed = "F_x^r2 = μ_k F_y^r1",
          .corrected = "F_x^r2 = μ_k F_y^r2",
          .shown = fmt::format("θ = {} deg, v_Cx/v_Cy = {} (case {}), μ = 0.4: F_x^r2/F_y^r2 = "
                               "{:.6f}, F_x^r2/F_y^r1 = {:.4f}",
                               angle, ratio, static_cast<int>(o.mode), right, printed),
          .holds = case_4 && std::abs(right - 0.4) < close && std::abs(printed - 0.4) > 0.01};
}

/// Of alpha m L^2 and alpha m R^2 with R the only radius that there is.
Erratum length_of_inertia(const char* id, double alpha, double inertia, const char* body) {
  const double with_L = alpha * half_length * half_length;
  const double with_r = alpha * radius * radius;
  return {.id = id,
          .reason = Reason::misprint,
          .where = "after Eq. (5)",
          .printed = "I_G = α m R²",
          .corrected = "I_G = α m L², as after Eq. (26)",
          .shown = fmt::format("{}: I_G = {:.5f} kg m², α m L² = {:.5f}; R is not defined, with "
                               "the rod's radius it would be {:.5f}",
                               body, inertia, with_L, with_r),
          .holds = std::abs(with_L - inertia) < close && std::abs(with_r - inertia) > 1.};
}

Erratum newton_and_modes(const PlanarGrid& grid) {
  std::size_t modes = 0;
  double velocities = 0.;
  for (const PlanarPoint& p : grid.points) {
    if (p.newton.mode != p.poisson.mode) ++modes;
    velocities = largest(velocities, std::abs(p.newton.velocity.n - p.poisson.velocity.n));
  }
  return {.id = "SB7",
          .reason = Reason::reading,
          .where = "Section 2",
          .printed = "Newton's hypothesis gives other modes in some cases",
          .corrected =
              "until slip stops all hypotheses share one slope, so that the mode cannot depend on "
              "them; velocities and energies do",
          .shown = fmt::format("{} falls of Fig. 3: the mode under `newton` differs in {}, the "
                               "normal velocity by up to {:.3f} m/s",
                               grid.points.size(), modes, velocities),
          .holds = modes == 0 && velocities > 0.01};
}

Erratum lower_velocities(const PlanarGrid& grid, const PlanarGrid& thin_rod) {
  double sliding = 0.;
  double sticking = 0.;
  for (const PlanarPoint& p : thin_rod.points) {
    if (p.poisson.mode != Mode::slides) continue;
    sliding = largest(sliding, std::abs(p.poisson.velocity.n / p.energetic.velocity.n - 1.));
  }
  for (const PlanarPoint& p : grid.points) {
    const double quotient = p.poisson.velocity.n / p.energetic.velocity.n;
    if (p.poisson.mode == Mode::slides) sliding = largest(sliding, std::abs(quotient - 1.));
    if (sticks(p.poisson.mode) && p.fall.angle_deg < 0.) sticking = largest(sticking, quotient);
  }
  return {
      .id = "SB8",
      .reason = Reason::reading,
      .where = "text of Fig. 5",
      .printed = "the energetic law gives lower velocities where slip goes on throughout",
      .corrected =
          "there the laws are the same; it gives lower ones where slip ends and sticks, θ < 0",
      .shown = fmt::format("poisson/energetic is 1 to {:.0e} in case 0, for a thin rod with e "
                           "= 0.5 and μ = 0.3, too, and up to {:.4f} in cases 1 and 3 with θ < 0",
                           decade(sliding), sticking),
      .holds = sliding < 1e-12 && sticking > 1.05};
}

Erratum restitution_and_mode() {
  const auto mode = [](double e) {
    return poisson({0., 2., {.restitution = e, .friction = 0.4}, cylinder}).mode;
  };
  const auto leaning = [](double e) {
    return static_cast<int>(
        poisson({-24., 0.4, {.restitution = e, .friction = 0.4}, cylinder}).mode);
  };
  return {.id = "SB9",
          .reason = Reason::reading,
          .where = "Sections 5 and 7",
          .printed = "e does not affect the mode, in the plane in particular",
          .corrected = "it does: R3 = (1 + e) R1",
          .shown = fmt::format(
              "μ = 0.4; θ = 0, v_Cx/v_Cy = 2: mode {} at e = 0.1, mode {} at e = 0.7; θ = "
              "-24 deg, v_Cx/v_Cy = 0.4: mode {} at e = 0.3, mode {} at e = 0.5",
              static_cast<int>(mode(0.1)), static_cast<int>(mode(0.7)), leaning(0.3), leaning(0.5)),
          .holds = mode(0.1) != mode(0.7) && leaning(0.3) == 0 && leaning(0.5) == 3};
}

/// The friction impulse of the second period, in a fall and in its mirror image.
Erratum direction_of_friction() {
  const Surface surface = surface_of_fig_3();
  const auto friction = [&](double side) {
    const PlanarOutcome o = poisson({side * 45., side * 0.5, surface, cylinder});
    return o.phases[1].impulse.t - o.phases[0].impulse.t;
  };
  const double right = friction(1.);
  const double left = friction(-1.);
  return {.id = "SB10",
          .reason = Reason::reading,
          .where = "after Eq. (11); Eqs (12), (17)",
          .printed = "S_x = 1 in reverse slip; F_x is positive, and then a sum with signs",
          .corrected = "S_x = 1 only for v_Cx > 0 before; F_x of (12) and (17) has a sign",
          .shown = fmt::format("θ = 45 deg, v_Cx/v_Cy = 0.5: the second period's friction is "
                               "{:+.4f} N s; in the mirror image (-45 deg, -0.5) {:+.4f} N s",
                               right, left),
          .holds = right > 0. && std::abs(right + left) < close};
}

/// W = int F v dt for a force of any course: F = (pi/2)(P/T) sin(pi t/T), say.
Erratum any_force() {
  const PlanarFall fall{10., 1., surface_of_fig_3(), cylinder};
  const PlanarProblem p = problem_of(fall);
  const PlanarOutcome o = poisson(fall);
  const double P = o.phases[1].impulse.n;  // of compression
  const double stop = o.phases[0].impulse.n;
  const auto v_n = [&](double impulse) {  // piecewise linear in the impulse
    const double v1 = o.phases[0].velocity.n;
    return impulse < stop ? p.approach.n + (v1 - p.approach.n) * impulse / stop
                          : v1 * (P - impulse) / (P - stop);
  };
  constexpr int count = 200'000;
  double work = 0.;
  for (int k = 0; k < count; ++k) {
    const double t = (k + 0.5) / count;
    const double so_far = 0.5 * P * (1. - std::cos(std::numbers::pi * t));
    const double force = 0.5 * P * std::numbers::pi * std::sin(std::numbers::pi * t);
    work += force * v_n(so_far) / count;
  }
  const double exact = o.energy.stages->compression;
  return {.id = "SB11",
          .reason = Reason::reading,
          .where = "before Eq. (22)",
          .printed = "the forces are taken to be constant in time",
          .corrected = "not needed: W = ∫ v dp, whatever the course of the force",
          .shown = fmt::format("θ = 10 deg, v_Cx/v_Cy = 1: a force like a half sine does {:.8f} J "
                               "in compression, Eq. (23) says {:.8f} J",
                               work, exact),
          .holds = std::abs(work - exact) < 1e-8};
}

Erratum which_rod() {
  const double a = reverse_angle_deg(thin, 0.4);
  const double b = reverse_angle_deg(cylinder, 0.4);
  return {.id = "SB12",
          .reason = Reason::reading,
          .where = "Figs 3 to 5",
          .printed = "a rod, m = 1, L = 2.3; its moment of inertia is not given",
          .corrected =
              "α = 1/3 + r²/(4L²) = 0.345148 (Eq. 69), since Section 5 says that the rod is the "
              "same; 1/3 for a thin one",
          .shown = fmt::format(
              "the line between stick and reverse slip is at {:.3f} deg, for a thin rod at {:.3f} "
              "deg; the greatest difference of Fig. 5 (25 % in the text) is {:.2f} %, or {:.2f} %",
              b, a, 100. * greatest_difference(cylinder).difference,
              100. * greatest_difference(thin).difference),
          .holds = std::abs(a - b) > 0.1 && std::abs(a - b) < 1.};
}

/// The greatest difference on every step-th angle and ratio of the grid of Fig. 3 [%].
double greatest_on(const PlanarGrid& grid, std::size_t step) {
  double most = 0.;
  for (std::size_t j = 0; j < grid.ratios.size(); j += step) {
    for (std::size_t i = 0; i < grid.angles_deg.size(); i += step) {
      const PlanarPoint& p = grid.at(i, j);
      most = largest(most, 100. * (1. - p.poisson.velocity.n / p.energetic.velocity.n));
    }
  }
  return most;
}

Erratum a_quarter(const PlanarGrid& grid) {
  const double most = 100. * greatest_difference(cylinder).difference;
  const double fine = greatest_on(grid, 1);
  const double coarse = greatest_on(grid, 4);
  return {.id = "SB33",
          .reason = Reason::reading,
          .where = "text of Fig. 5",
          .printed = "a difference of up to 25 %",
          .corrected =
              "26 %: the greatest value stands at a corner of two lines, and a grid of points, as "
              "drawn, misses it; neither that grid nor the rod is told (SB12)",
          .shown = fmt::format("{:.2f} % at the corner, {:.2f} % for a thin rod; on a grid of 0.5 "
                               "deg and 0.05 {:.2f} %, of 2 deg and 0.2 {:.2f} %",
                               most, 100. * greatest_difference(thin).difference, fine, coarse),
          .holds = most > 25.5 && most < 26.5 && fine < most && coarse < fine};
}

}  // namespace

std::vector<Erratum> planar_errata(const Grids& grids) {
  Erratum table = limit_of_ratio("SB2", grids.plane, "Fig. 3");
  table.shown += "; a rod at -45 deg without slip has R2 < 0 and slips all the same";
  table.holds = table.holds && sign_matters();
  const PlanarGrid other = planar_grid({.restitution = 0.5, .friction = 0.3}, thin);
  return {
      with(second_ratio("SB1", thin, "a thin rod"),
           second_ratio("SB1", cylinder, "a rod of radius 0.5")),
      with(std::move(table), limit_of_ratio("SB2", other, "a thin rod, e = 0.5, μ = 0.3")),
      with(jam(first_ratio("SB3", 20.)), first_ratio("SB3", -10.)),
      with(sign_of_work("SB4", 10., 1.), sign_of_work("SB4", 45., 1.)),
      with(force_after_stop("SB5", 45., 1.), force_after_stop("SB5", 50., 0.9)),
      with(length_of_inertia("SB6", thin, half_length * half_length / 3., "a thin rod, m = 1 kg"),
           length_of_inertia("SB6", cylinder, radius * radius / 4. + half_length * half_length / 3.,
                             "the rod of Eq. (69), m = 1 kg")),
      newton_and_modes(grids.plane),
      lower_velocities(grids.plane, other),
      restitution_and_mode(),
      direction_of_friction(),
      any_force(),
      which_rod(),
      a_quarter(grids.plane)};
}

}  // namespace carom::papers::sb
