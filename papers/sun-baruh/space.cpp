// SPDX-License-Identifier: Apache-2.0
// Figs 8 to 13: a rod that falls in space, under their procedure.
#include <cmath>
#include <limits>
#include <set>
#include <utility>

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

bool in_plane(const SpatialPoint& p) { return p.fall.angle2_deg == 0.; }

// --- either hypothesis, either side --------------------------------------------------------------

/// The procedure under both hypotheses: the case the same, velocity and energy within a part of
/// what there was before.
Found hypotheses(int figure, double part) {
  const Apart d = apart(fig(figure), &SpatialPoint::poisson, &SpatialPoint::energetic);
  const double velocity = d.velocity.most / approach_speed;
  return {d.cases == 0 && velocity < part && d.energy.most < part,
          {{"differ", d.cases},
           {"falls", d.energy.count()},
           {"velocity", 100. * velocity},
           {"energy", d.energy.most}}};
}

/// theta_2 and -theta_2.
Found mirror(int figure) {
  Apart d;
  for (const SpatialPoint& p : fig(figure).points) {
    SpatialFall fall = p.fall;
    fall.angle2_deg = -fall.angle2_deg;
    After mirrored = after(fall, carom::sun_baruh(problem_of(fall), Hypothesis::poisson));
    mirrored.velocity.t2 = -mirrored.velocity.t2;
    d.add(mirrored, p.poisson);
  }
  return {d.velocity.most < rounding_of_sums && d.cases == 0,
          {{"worst", decade(d.velocity.most)}, {"differ", d.cases}}};
}

// --- Fig. 8 --------------------------------------------------------------------------------------

Found mostly_slides() {
  const auto part = [](int n) { return share(fig(8).points, of_case(n)); };
  return {part(0) > 50. && part(1) > part(3) && part(3) > 0. && part(2) > 0. &&
              part(1) + part(3) < part(0),
          {{"case_0", part(0)}, {"case_1", part(1)}, {"case_2", part(2)}, {"case_3", part(3)}}};
}

Found slips_again_at_larger_angles() {
  const auto angle = [](const SpatialPoint& p) { return p.fall.angle1_deg; };
  const double sticks = extent(fig(8).points, angle, in_plane, that_stick).most;
  const double slips = extent(fig(8).points, angle, in_plane, that_reverse).least;
  return {slips > sticks && sticks > 0., {{"sticks", sticks}, {"slips", slips}}};
}

Found upright_sticks() {
  const std::size_t falls = count(fig(8).points, within(5.));
  const std::size_t stuck = count(fig(8).points, within(5.), that_stick);
  return {falls > 0 && stuck == falls, {{"stick", stuck}, {"falls", falls}}};
}

Found loss_where_slip_ends() {
  const auto& points = fig(8).points;
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
  const auto part = [](int figure) {
    return per_cent(count(fig(figure).points, within(25.), that_stick),
                    count(fig(figure).points, within(25.)));
  };
  return {part(10) > part(8), {{"rough", part(10)}, {"smooth", part(8)}}};
}

/// The row theta_2 = 0 of Fig. 10 against a rod in the plane.
Apart from_plane(double inertia_factor) {
  Apart d;
  for (const SpatialPoint& p : fig(10).points) {
    if (!in_plane(p)) continue;
    const PlanarFall fall{
        .angle_deg = p.fall.angle1_deg, .ratio = 0.4, .inertia_factor = inertia_factor};
    const PlanarOutcome o = solved(fall);
    d.add({.velocity = {o.velocity.n, o.velocity.t, 0.},
           .energy = energy_ratio(fall, o),
           .mode = o.mode},
          p.poisson);
  }
  return d;
}

Found as_in_the_plane() {
  const Apart same = from_plane(cylinder);
  const Apart other = from_plane(thin);
  return {same.velocity.most < rounding_of_sums && same.cases == 0,
          {{"worst", decade(same.velocity.most)},
           {"differ", same.cases},
           {"thin_worst", other.velocity.most},
           {"thin_differ", other.cases}}};
}

Found less_stick_off_the_plane() {
  std::vector<std::size_t> widths;  // at theta_2 = 0, 10, ... 50 deg
  for (double angle2 = 0.; angle2 <= 50.; angle2 += 10.) {
    widths.push_back(count(fig(10).points, that_stick, [&](const SpatialPoint& p) {
      return std::abs(p.fall.angle2_deg - angle2) < 1e-9;
    }));
  }
  return {std::is_sorted(widths.rbegin(), widths.rend()) && widths.front() > widths.back(),
          {{"counts", fmt::format("{}", fmt::join(widths, ", "))}}};
}

/// Of the normal velocity.
Found part_where_slip_ends() {
  const auto off = [](const SpatialPoint& p) {
    return std::abs(p.poisson.velocity.n - p.energetic.velocity.n);
  };
  const Extent ended = extent(falls_of({8, 10, 11}), off, unless(that_slide));
  const Extent sliding = extent(falls_of({8, 10, 11}), off, that_slide);
  return {ended.most > sliding.most && ended.mean() > sliding.mean(),
          {{"ended_mean", ended.mean()},
           {"ended_most", ended.most},
           {"sliding_mean", sliding.mean()},
           {"sliding_most", sliding.most}}};
}

Found static_friction() {
  const SpatialGrid rough =
      angle_grid(50., {.restitution = 0.7, .friction = 0.4, .static_friction = 0.5});
  Apart d;
  for (std::size_t k = 0; k < rough.points.size(); ++k) {
    d.add(fig(10).points[k].poisson, rough.points[k].poisson);
  }
  const double velocity = 100. * d.velocity.mean() / approach_speed;
  return {velocity < 1.,
          {{"cases", per_cent(d.cases, d.velocity.count())}, {"velocity", velocity}}};
}

Found restitution_and_energy() {
  std::size_t more = 0;
  Extent rebound;  // of -v'_Cy/(v_Cy e_n)
  for (std::size_t k = 0; k < fig(10).points.size(); ++k) {
    const SpatialPoint& a = fig(10).points[k];
    const SpatialPoint& b = fig(11).points[k];
    if (energy(b) < energy(a)) ++more;
    rebound.add(std::abs(a.poisson.velocity.n / a.fall.surface.restitution -
                         b.poisson.velocity.n / b.fall.surface.restitution));
  }
  return {more == rebound.count() && rebound.most < 0.1,
          {{"more", more}, {"falls", rebound.count()}, {"velocity", rebound.most}}};
}

Found restitution_and_case() {
  int differ = 0;
  int to_0 = 0;
  for (std::size_t k = 0; k < fig(10).points.size(); ++k) {
    const Mode a = fig(10).points[k].poisson.mode;
    const Mode b = fig(11).points[k].poisson.mode;
    if (a == b) continue;
    ++differ;
    if (a == Mode::stops_in_restitution_sticks && b == Mode::slides) ++to_0;
  }
  return {differ == 0, {{"differ", differ}, {"falls", fig(10).points.size()}, {"to_0", to_0}}};
}

Found no_case_4() {
  const std::size_t falls = count(falls_of({8, 10, 11}), of_case(4));
  return {falls == 0, {{"falls", falls}}};
}

// --- Figs 12 and 13: friction and restitution varied ---------------------------------------------

/// Values of mu (columns) at which the case changes as e is varied.
std::size_t columns_that_change(const SpatialGrid& grid) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    std::set<Mode> cases;
    for (std::size_t j = 0; j < grid.y.size(); ++j) cases.insert(grid.at(i, j).poisson.mode);
    if (cases.size() > 1) ++changed;
  }
  return changed;
}

/// The cases met as mu grows, at e = 0.5, with where each begins.
std::vector<std::pair<int, double>> cases_over_friction(const SpatialGrid& grid) {
  std::vector<std::pair<int, double>> met;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    const int n = number(grid.at(i, grid.y.size() / 2).poisson.mode);
    if (met.empty() || met.back().first != n) met.emplace_back(n, grid.x[i]);
  }
  return met;
}

/// Three cases as mu grows, these ones.
Found three_cases(const SpatialGrid& grid, int first, int second, int third) {
  auto met = cases_over_friction(grid);
  const bool all = met.size() == 3;
  met.resize(3);
  return {all && met[0].first == first && met[1].first == second && met[2].first == third,
          {{"first", met[0].first},
           {"second", met[1].first},
           {"second_from", met[1].second},
           {"third", met[2].first},
           {"third_from", met[2].second}}};
}

Found case_without_restitution() {
  const std::size_t changed = columns_that_change(fig(12));
  return {changed == 0, {{"changed", changed}, {"values", fig(12).x.size()}}};
}

Found case_with_restitution() {
  const std::size_t changed = columns_that_change(fig(13));
  const std::size_t values = fig(13).x.size();
  Found found = three_cases(fig(13), 0, 3, 1);
  found.holds = found.holds && changed > 0 && 2 * changed < values;
  found.values.insert({{"changed", changed}, {"values", values}});
  return found;
}

Found slips_towards_minus_x() {
  const auto& points = fig(12).points;
  const std::size_t again = count(points, that_reverse);
  const std::size_t back =
      count(points, that_reverse, [](const SpatialPoint& p) { return p.poisson.velocity.t1 < 0.; });
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
      extent(fig(12).points, [](const SpatialPoint& p) { return p.poisson.rotation; }).most;
  return {most > 0.01, {{"most", 100. * most}}};
}

}  // namespace

Computations space() {
  constexpr double any = std::numeric_limits<double>::infinity();
  return {.checks = {{"mostly-slides", mostly_slides},
                     {"slips-again-at-larger-angles", slips_again_at_larger_angles},
                     {"upright-sticks", upright_sticks},
                     {"mirror-8", [] { return mirror(8); }},
                     {"loss-where-slip-ends", loss_where_slip_ends},
                     {"energetic-9", [] { return hypotheses(8, 0.03); }},
                     {"more-stick", more_stick},
                     {"as-in-the-plane", as_in_the_plane},
                     {"less-stick-off-the-plane", less_stick_off_the_plane},
                     {"mirror-10", [] { return mirror(10); }},
                     {"part-where-slip-ends", part_where_slip_ends},
                     {"static-friction-in-space", static_friction},
                     {"energetic-10", [] { return hypotheses(10, any); }},
                     {"restitution-and-energy", restitution_and_energy},
                     {"restitution-and-case", restitution_and_case},
                     {"mirror-11", [] { return mirror(11); }},
                     {"no-case-4", no_case_4},
                     {"case-without-restitution", case_without_restitution},
                     {"cases-over-friction", [] { return three_cases(fig(12), 0, 2, 1); }},
                     {"slips-towards-minus-x", slips_towards_minus_x},
                     {"energetic-12", [] { return hypotheses(12, 0.03); }},
                     {"friction-and-loss-12", [] { return friction_and_loss(fig(12)); }},
                     {"restitution-rules-12", [] { return restitution_rules(fig(12)); }},
                     {"into-rotation", into_rotation},
                     {"case-with-restitution", case_with_restitution},
                     {"energetic-13", [] { return hypotheses(13, 0.1); }},
                     {"friction-and-loss-13", [] { return friction_and_loss(fig(13)); }},
                     {"restitution-rules-13", [] { return restitution_rules(fig(13)); }}}};
}

}  // namespace carom::papers::sb
