// SPDX-License-Identifier: Apache-2.0
// Figs 8 to 13: a rod that falls in space, under their procedure.
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/sun-baruh/measures.hpp>

namespace carom::papers::sb {
namespace {

double energy(const SpatialPoint& p) { return p.poisson.energy; }

/// Both angles at most so large.
auto within(double degrees) {
  return [degrees](const SpatialPoint& p) {
    return std::abs(p.fall.angle1_deg) <= degrees && p.fall.angle2_deg <= degrees;
  };
}

// --- either hypothesis, either side --------------------------------------------------------------

/// The procedure under both hypotheses: the case the same, velocity and energy within a part of
/// what there was before.
Found hypotheses(const SpatialGrid& grid, double part) {
  const std::size_t differ =
      cases_that_differ(grid.points, &SpatialPoint::poisson, &SpatialPoint::energetic);
  const double velocity =
      extent(grid.points, [](const SpatialPoint& p) { return distance(p.poisson, p.energetic); })
          .most /
      approach_speed;
  const double energies = extent(grid.points, [](const SpatialPoint& p) {
                            return std::abs(p.poisson.energy - p.energetic.energy);
                          }).most;
  return {differ == 0 && velocity < part && energies < part,
          {{"differ", differ},
           {"falls", grid.points.size()},
           {"velocity", 100. * velocity},
           {"energy", energies}}};
}

/// theta_2 and -theta_2.
Found mirror(const SpatialGrid& grid) {
  double worst = 0.;
  std::size_t differ = 0;
  for (const SpatialPoint& p : grid.points) {
    SpatialFall mirrored = p.fall;
    mirrored.angle2_deg = -mirrored.angle2_deg;
    SpatialOutcome o = carom::sun_baruh(problem_of(mirrored), Hypothesis::poisson);
    o.velocity.t2 = -o.velocity.t2;
    worst = largest(worst, distance(o.velocity, p.poisson.velocity));
    if (o.mode != p.poisson.mode) ++differ;
  }
  return {worst < rounding_of_sums && differ == 0, {{"worst", decade(worst)}, {"differ", differ}}};
}

// --- Fig. 8 --------------------------------------------------------------------------------------

Found mostly_slides() {
  const auto n = counts(fig_8().points);
  const std::size_t all = fig_8().points.size();
  return {2 * n[0] > all && n[1] > n[3] && n[3] > 0 && n[2] > 0 && n[1] + n[3] < n[0],
          {{"case_0", per_cent(n[0], all)},
           {"case_1", per_cent(n[1], all)},
           {"case_2", per_cent(n[2], all)},
           {"case_3", per_cent(n[3], all)}}};
}

Found slips_again_at_larger_angles() {
  Extent stuck;
  Extent slips;
  for (std::size_t i = 0; i < fig_8().x.size(); ++i) {
    if (that_stick(fig_8().at(i, 0))) stuck.add(fig_8().x[i]);
    if (that_reverse(fig_8().at(i, 0))) slips.add(fig_8().x[i]);
  }
  return {slips.least > stuck.most && stuck.most > 0.,
          {{"sticks", stuck.most}, {"slips", slips.least}}};
}

Found upright_sticks() {
  const auto upright = within(5.);
  const std::size_t falls = count(fig_8().points, upright);
  const std::size_t stuck =
      count(fig_8().points, [&](const auto& p) { return upright(p) && that_stick(p); });
  return {falls > 0 && stuck == falls, {{"stick", stuck}, {"falls", falls}}};
}

Found loss_where_slip_ends() {
  const auto& points = fig_8().points;
  const double ended = extent(points, energy, unless(that_slide)).least;
  const SpatialPoint& sliding = *std::ranges::min_element(points, {}, [](const SpatialPoint& p) {
    return that_slide(p) ? energy(p) : std::numeric_limits<double>::infinity();
  });
  return {ended < energy(sliding),
          {{"ended", ended},
           {"sliding", energy(sliding)},
           {"angle1", sliding.fall.angle1_deg},
           {"angle2", sliding.fall.angle2_deg}}};
}

// --- Figs 10 and 11 ------------------------------------------------------------------------------

Found more_stick() {
  const auto share = [](const SpatialGrid& grid) {
    const auto near = within(25.);
    return per_cent(count(grid.points, [&](const auto& p) { return near(p) && that_stick(p); }),
                    count(grid.points, near));
  };
  const double rough = share(fig_10());
  const double smooth = share(fig_8());
  return {rough > smooth, {{"rough", rough}, {"smooth", smooth}}};
}

/// The row theta_2 = 0 of Fig. 10 against a rod in the plane.
struct FromPlane {
  double worst = 0.;       ///< of velocities [m/s]
  std::size_t differ = 0;  ///< cases
};

FromPlane from_plane(double inertia_factor) {
  FromPlane d;
  for (std::size_t i = 0; i < fig_10().x.size(); ++i) {
    const PlanarOutcome o =
        solved({.angle_deg = fig_10().x[i], .ratio = 0.4, .inertia_factor = inertia_factor});
    const After& a = fig_10().at(i, 0).poisson;
    d.worst = largest({d.worst, std::abs(o.velocity.n - a.velocity.n),
                       std::abs(o.velocity.t - a.velocity.t1), std::abs(a.velocity.t2)});
    if (o.mode != a.mode) ++d.differ;
  }
  return d;
}

Found as_in_the_plane() {
  const FromPlane same = from_plane(cylinder);
  const FromPlane other = from_plane(thin);
  return {same.worst < rounding_of_sums && same.differ == 0,
          {{"worst", decade(same.worst)},
           {"differ", same.differ},
           {"thin_worst", other.worst},
           {"thin_differ", other.differ}}};
}

Found less_stick_off_the_plane() {
  std::vector<std::size_t> widths;  // at theta_2 = 0, 10, ... 50 deg
  for (double angle2 = 0.; angle2 <= 50.; angle2 += 10.) {
    widths.push_back(count(fig_10().points, [&](const auto& p) {
      return std::abs(p.fall.angle2_deg - angle2) < 1e-9 && that_stick(p);
    }));
  }
  return {std::is_sorted(widths.rbegin(), widths.rend()) && widths.front() > widths.back(),
          {{"counts", fmt::format("{}", fmt::join(widths, ", "))}}};
}

/// Of the normal velocity.
Found part_where_slip_ends() {
  const auto apart = [](const SpatialPoint& p) {
    return std::abs(p.poisson.velocity.n - p.energetic.velocity.n);
  };
  const Extent ended = extent(falls_of_8_10_11(), apart, unless(that_slide));
  const Extent sliding = extent(falls_of_8_10_11(), apart, that_slide);
  return {ended.most > sliding.most && ended.mean() > sliding.mean(),
          {{"ended_mean", ended.mean()},
           {"ended_most", ended.most},
           {"sliding_mean", sliding.mean()},
           {"sliding_most", sliding.most}}};
}

Found static_friction() {
  const SpatialGrid rough =
      angle_grid(50., {.restitution = 0.7, .friction = 0.4, .static_friction = 0.5});
  std::size_t differ = 0;
  Extent apart;
  for (std::size_t k = 0; k < rough.points.size(); ++k) {
    const After& a = fig_10().points[k].poisson;
    const After& b = rough.points[k].poisson;
    if (a.mode != b.mode) ++differ;
    apart.add(distance(a, b));
  }
  const double velocity = 100. * apart.mean() / approach_speed;
  return {velocity < 1., {{"cases", per_cent(differ, apart.count)}, {"velocity", velocity}}};
}

Found restitution_and_energy() {
  std::size_t more = 0;
  Extent apart;  // of -v'_Cy/(v_Cy e_n)
  for (std::size_t k = 0; k < fig_10().points.size(); ++k) {
    const SpatialPoint& a = fig_10().points[k];
    const SpatialPoint& b = fig_11().points[k];
    if (energy(b) < energy(a)) ++more;
    apart.add(std::abs(a.poisson.velocity.n / a.fall.surface.restitution -
                       b.poisson.velocity.n / b.fall.surface.restitution));
  }
  return {more == apart.count && apart.most < 0.1,
          {{"more", more}, {"falls", apart.count}, {"velocity", apart.most}}};
}

Found restitution_and_case() {
  int differ = 0;
  int to_0 = 0;
  for (std::size_t k = 0; k < fig_10().points.size(); ++k) {
    const Mode a = fig_10().points[k].poisson.mode;
    const Mode b = fig_11().points[k].poisson.mode;
    if (a == b) continue;
    ++differ;
    if (a == Mode::stops_in_restitution_sticks && b == Mode::slides) ++to_0;
  }
  return {differ == 0, {{"differ", differ}, {"falls", fig_10().points.size()}, {"to_0", to_0}}};
}

Found no_case_4() {
  const std::size_t falls = counts(falls_of_8_10_11())[4];
  return {falls == 0, {{"falls", falls}}};
}

// --- Figs 12 and 13: friction and restitution varied ---------------------------------------------

/// Columns (values of mu) in which the case changes as e is varied.
std::size_t columns_that_change(const SpatialGrid& grid) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    bool same = true;
    for (std::size_t j = 1; j < grid.y.size(); ++j) {
      same = same && grid.at(i, j).poisson.mode == grid.at(i, 0).poisson.mode;
    }
    if (!same) ++changed;
  }
  return changed;
}

/// The cases met as mu grows, at e = 0.5.
struct Story {
  std::string words;  ///< with where each begins: "0, 2 from μ = 0.19"
  std::vector<Mode> modes;
};

Story story(const SpatialGrid& grid) {
  Story s;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    const Mode m = grid.at(i, grid.y.size() / 2).poisson.mode;
    if (!s.modes.empty() && s.modes.back() == m) continue;
    s.words += s.modes.empty() ? fmt::format("{}", number(m))
                               : fmt::format(", {} from μ = {:.2f}", number(m), grid.x[i]);
    s.modes.push_back(m);
  }
  return s;
}

Found case_without_restitution() {
  const std::size_t changed = columns_that_change(fig_12());
  return {changed == 0, {{"changed", changed}, {"values", fig_12().x.size()}}};
}

Found case_with_restitution() {
  const std::size_t changed = columns_that_change(fig_13());
  const std::size_t values = fig_13().x.size();
  return {changed > 0 && 2 * changed < values,
          {{"changed", changed}, {"values", values}, {"cases", story(fig_13()).words}}};
}

Found cases_over_friction() {
  const Story s = story(fig_12());
  return {s.modes == std::vector<Mode>{Mode::slides, Mode::stops_in_compression_slips,
                                       Mode::stops_in_compression_sticks},
          {{"cases", s.words}}};
}

Found slips_towards_minus_x() {
  const auto& points = fig_12().points;
  const std::size_t again = count(points, that_reverse);
  const std::size_t back =
      count(points, [](const auto& p) { return that_reverse(p) && p.poisson.velocity.t1 < 0.; });
  return {again > 0 && back == again, {{"back", back}, {"again", again}}};
}

Found friction_and_loss(const SpatialGrid& grid) {
  const auto left = mean_energies(grid);
  return {std::is_sorted(left.rbegin(), left.rend()),
          {{"at_0", left[0]}, {"at_20", left[20]}, {"at_50", left[50]}, {"at_100", left[100]}}};
}

/// How much velocity and energy vary with e and with mu, the other held at one half.
Found restitution_rules(const SpatialGrid& grid) {
  Extent velocity_e;
  Extent velocity_mu;
  Extent energy_e;
  Extent energy_mu;
  const std::size_t middle = grid.x.size() / 2;
  for (std::size_t k = 0; k < grid.x.size(); ++k) {
    velocity_e.add(grid.at(middle, k).poisson.velocity.n);
    velocity_mu.add(grid.at(k, middle).poisson.velocity.n);
    energy_e.add(energy(grid.at(middle, k)));
    energy_mu.add(energy(grid.at(k, middle)));
  }
  return {
      velocity_e.width() > 2. * velocity_mu.width() && energy_e.width() > 2. * energy_mu.width(),
      {{"velocity_e", velocity_e.width()},
       {"velocity_mu", velocity_mu.width()},
       {"energy_e", energy_e.width()},
       {"energy_mu", energy_mu.width()}}};
}

Found into_rotation() {
  const double most =
      extent(fig_12().points, [](const SpatialPoint& p) { return p.poisson.rotation; }).most;
  return {most > 0.01, {{"most", 100. * most}}};
}

}  // namespace

Computations space() {
  constexpr double any = std::numeric_limits<double>::infinity();
  return {.checks = {{"mostly-slides", mostly_slides},
                     {"slips-again-at-larger-angles", slips_again_at_larger_angles},
                     {"upright-sticks", upright_sticks},
                     {"mirror-8", [] { return mirror(fig_8()); }},
                     {"loss-where-slip-ends", loss_where_slip_ends},
                     {"energetic-9", [] { return hypotheses(fig_8(), 0.03); }},
                     {"more-stick", more_stick},
                     {"as-in-the-plane", as_in_the_plane},
                     {"less-stick-off-the-plane", less_stick_off_the_plane},
                     {"mirror-10", [] { return mirror(fig_10()); }},
                     {"part-where-slip-ends", part_where_slip_ends},
                     {"static-friction-in-space", static_friction},
                     {"energetic-10", [] { return hypotheses(fig_10(), any); }},
                     {"restitution-and-energy", restitution_and_energy},
                     {"restitution-and-case", restitution_and_case},
                     {"mirror-11", [] { return mirror(fig_11()); }},
                     {"no-case-4", no_case_4},
                     {"case-without-restitution", case_without_restitution},
                     {"cases-over-friction", cases_over_friction},
                     {"slips-towards-minus-x", slips_towards_minus_x},
                     {"energetic-12", [] { return hypotheses(fig_12(), 0.03); }},
                     {"friction-and-loss-12", [] { return friction_and_loss(fig_12()); }},
                     {"restitution-rules-12", [] { return restitution_rules(fig_12()); }},
                     {"into-rotation", into_rotation},
                     {"case-with-restitution", case_with_restitution},
                     {"energetic-13", [] { return hypotheses(fig_13(), 0.1); }},
                     {"friction-and-loss-13", [] { return friction_and_loss(fig_13()); }},
                     {"restitution-rules-13", [] { return restitution_rules(fig_13()); }}}};
}

}  // namespace carom::papers::sb
