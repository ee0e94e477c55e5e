// SPDX-License-Identifier: Apache-2.0
// Figs 3 to 5: a rod that falls in the plane, under `poisson`, under `energetic`, and the laws
// beside each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <papers/engine/decade.hpp>
#include <papers/sun-baruh/measures.hpp>

namespace carom::papers::sb {
namespace {

const std::vector<PlanarPoint>& falls() { return fig_3().points; }

constexpr auto slip_stops = [](const PlanarPoint& p) {
  return p.fall.ratio > 0. && !that_slide(p);
};

/// -v'_Cy/(v_Cy e_n)
double rebound(const PlanarPoint& p) { return p.poisson.velocity.n / p.fall.surface.restitution; }

double energy(const PlanarPoint& p) { return energy_ratio(p.fall, p.poisson); }

double energy_quotient(const PlanarPoint& p) {
  return energy(p) / energy_ratio(p.fall, p.energetic);
}

// --- Fig. 3 --------------------------------------------------------------------------------------

Found all_cases() {
  std::vector<std::size_t> n;
  for (int k = 0; k < 7; ++k) n.push_back(count(falls(), of_case(k)));
  return {*std::ranges::min_element(n) > 0, {{"counts", fmt::format("{}", fmt::join(n, " "))}}};
}

/// In every row with both, stick gives way to reverse slip (1 to 2, 3 to 4, 5 to 6) between the
/// same two angles.
Found upright_line() {
  const PlanarGrid& grid = fig_3();
  Extent last_stick;
  Extent first_reverse;
  for (std::size_t k = 1; k < grid.points.size(); ++k) {
    const PlanarPoint& before = grid.points[k - 1];
    const PlanarPoint& here = grid.points[k];
    if (here.fall.angle_deg <= 0. || !that_stick(before) || !that_reverse(here)) continue;
    last_stick.add(before.fall.angle_deg);
    first_reverse.add(here.fall.angle_deg);
  }
  const double line = reverse_angle_deg(cylinder);
  return {last_stick.width() == 0. && first_reverse.width() == 0. && line > last_stick.most &&
              line < first_reverse.least,
          {{"from", last_stick.most},
           {"to", first_reverse.least},
           {"rows", last_stick.count()},
           {"angle", line},
           {"thin", reverse_angle_deg(thin)}}};
}

Found reverses_leaning_forward() {
  const auto faster = [](double than) {
    return count(falls(), slip_stops, that_reverse,
                 [&](const PlanarPoint& p) { return p.fall.ratio >= than; });
  };
  const auto slow = faster(0.) - faster(1.);
  const auto middle = faster(1.) - faster(2.);
  const auto backward = count(falls(), slip_stops, that_reverse,
                              [](const PlanarPoint& p) { return p.fall.angle_deg <= 0.; });
  return {backward == 0 && slow > middle && middle > faster(2.),
          {{"slow", slow}, {"middle", middle}, {"fast", faster(2.)}, {"backward", backward}}};
}

Found static_friction() {
  const auto rough =
      planar_grid({.restitution = 0.7, .friction = 0.4, .static_friction = 0.5}).points;
  return {share(rough, that_stick) > share(falls(), that_stick) &&
              share(rough, that_reverse) < share(falls(), that_reverse),
          {{"sticks", share(rough, that_stick)},
           {"reverses", share(rough, that_reverse)},
           {"sticks_before", share(falls(), that_stick)},
           {"reverses_before", share(falls(), that_reverse)}}};
}

Found rebound_near_one() {
  const auto far = [](const PlanarPoint& p) { return std::abs(rebound(p) - 1.) >= 0.1; };
  const Extent all = extent(falls(), rebound);
  const std::size_t others = count(falls(), far);
  const std::size_t stuck = count(falls(), far, that_stick);
  return {2 * others < all.count() && 2 * stuck > others &&
              extent(falls(), rebound, unless(slip_stops)).from_one() < rounding_of_sums,
          {{"near", share(falls(), unless(far))},
           {"least", all.least},
           {"most", all.most},
           {"others", others},
           {"stick", stuck},
           {"slip", others - stuck}}};
}

/// The mean energy that is left at this ratio, or at these two angles.
double mean_at(double PlanarFall::*where, double value) {
  const auto is_there = [&](const PlanarPoint& p) {
    return std::abs(std::abs(p.fall.*where) - value) < 1e-9;
  };
  return extent(falls(), energy, is_there).mean();
}

Found energy_over_speed() {
  const auto at = [](double ratio) { return mean_at(&PlanarFall::ratio, ratio); };
  return {
      at(1.) < at(2.) && at(2.) < at(4.),
      {{"zero", at(0.)}, {"half", at(0.5)}, {"one", at(1.)}, {"two", at(2.)}, {"four", at(4.)}}};
}

Found energy_over_angle() {
  const auto at = [](double angle) { return mean_at(&PlanarFall::angle_deg, angle); };
  return {at(30.) < at(50.) && at(50.) < at(70.) && at(0.) < at(70.),
          {{"at_0", at(0.)}, {"at_30", at(30.)}, {"at_50", at(50.)}, {"at_70", at(70.)}}};
}

Found energy_in_stick() {
  const Extent stuck = extent(falls(), energy, that_stick);
  const Extent others = extent(falls(), energy, unless(that_stick));
  return {stuck.mean() < others.mean(),
          {{"stick", stuck.mean()}, {"others", others.mean()}, {"least", others.least}}};
}

// --- Fig. 4 --------------------------------------------------------------------------------------

Found same_cases() {
  const std::size_t differ = other_cases(&PlanarPoint::energetic);
  return {differ == 0, {{"differ", differ}, {"falls", falls().size()}}};
}

Found newton_cases() {
  const std::size_t differ = other_cases(&PlanarPoint::newton);
  return {differ > 0, {{"differ", differ}, {"falls", falls().size()}}};
}

Found part_where_slip_stops() {
  const auto off = [](const PlanarPoint& p) {
    return largest(std::abs(velocity_quotient(p) - 1.), std::abs(energy_quotient(p) - 1.));
  };
  const double elsewhere = extent(falls(), off, unless(slip_stops)).most;
  const double stopped = extent(falls(), off, slip_stops).most;
  return {elsewhere < rounding_of_sums && stopped > 0.1,
          {{"stopped", 100. * stopped}, {"elsewhere", decade(elsewhere)}}};
}

Found without_friction() {
  double worst = 0.;
  for (const double angle : steps(-70., 70., 29)) {
    const PlanarFall fall{angle, 1., {.restitution = 0.7}};
    for (const Hypothesis h : {Hypothesis::newton, Hypothesis::energetic}) {
      worst = largest(worst, std::abs(solved(fall, h).velocity.n - solved(fall).velocity.n));
    }
  }
  return {worst < rounding_of_sums, {{"worst", decade(worst)}}};
}

/// With much restitution, as in Kane and Levinson's paradox.
Found newton_gains() {
  const auto points = planar_grid({.restitution = 1., .friction = 0.4}).points;
  const auto gains = [](const PlanarOutcome& o) { return o.flags.has(Verdict::energy_gained); };
  const auto newton = count(points, [&](const auto& p) { return gains(p.newton); });
  const auto others =
      count(points, [&](const auto& p) { return gains(p.poisson) || gains(p.energetic); });
  const Extent left = extent(points, [](const auto& p) { return energy_ratio(p.fall, p.newton); });
  return {newton > 0 && others == 0,
          {{"gains", newton}, {"falls", left.count()}, {"most", left.most}, {"others", others}}};
}

// --- Fig. 5 --------------------------------------------------------------------------------------

std::vector<Computed> fig_5() {
  std::vector<Computed> rows;
  for (const double rod : {cylinder, thin}) {
    const GreatestDifference d = greatest_difference(rod);
    rows.push_back(
        {{"θ [deg]", d.angle_deg}, {"v_Cx/v_Cy", d.ratio}, {"difference [%]", d.per_cent}});
  }
  return rows;
}

Found lowest_at_the_line() {
  const double lowest = greatest_difference(cylinder).angle_deg;
  const double line = reverse_angle_deg(cylinder);
  return {std::abs(lowest - line) < 0.5, {{"lowest", lowest}, {"line", line}}};
}

Found lower_when_reversing() {
  const Extent r = extent(falls(), velocity_quotient, slip_stops, that_reverse);
  return {r.most <= 1. + rounding_of_sums && r.least < 0.99,
          {{"least", r.least}, {"most", r.most}, {"falls", r.count()}}};
}

Found lower_when_sliding() {
  const Extent r = extent(falls(), velocity_quotient, that_slide);
  return {r.most > 1. + rounding_of_sums, {{"apart", decade(r.from_one())}, {"falls", r.count()}}};
}

Found lower_on_the_whole() {
  const auto off = [](double side) {  // to this side of one, beyond rounding
    return count(falls(), [&](const PlanarPoint& p) {
      return side * (velocity_quotient(p) - 1.) > rounding_of_sums;
    });
  };
  const double v = extent(falls(), velocity_quotient, slip_stops).mean();
  const double e = extent(falls(), energy_quotient, slip_stops).mean();
  return {off(-1.) > off(1.) && v < 1. && e < 1.,
          {{"lower", off(-1.)}, {"higher", off(1.)}, {"velocity", v}, {"energy", e}}};
}

Found energies_closer() {
  const Extent e = extent(falls(), energy_quotient, slip_stops);
  const Extent v = extent(falls(), velocity_quotient, slip_stops);
  return {e.from_one() < v.from_one(),
          {{"energy_least", e.least},
           {"energy_most", e.most},
           {"velocity_least", v.least},
           {"velocity_most", v.most}}};
}

}  // namespace

Computations plane() {
  return {.checks = {{"all-cases", all_cases},
                     {"upright-line", upright_line},
                     {"reverses-leaning-forward", reverses_leaning_forward},
                     {"static-friction", static_friction},
                     {"rebound-near-one", rebound_near_one},
                     {"energy-over-speed", energy_over_speed},
                     {"energy-over-angle", energy_over_angle},
                     {"energy-in-stick", energy_in_stick},
                     {"same-cases", same_cases},
                     {"part-where-slip-stops", part_where_slip_stops},
                     {"without-friction", without_friction},
                     {"newton-cases", newton_cases},
                     {"newton-gains", newton_gains},
                     {"lowest-at-the-line", lowest_at_the_line},
                     {"lower-when-reversing", lower_when_reversing},
                     {"lower-when-sliding", lower_when_sliding},
                     {"lower-on-the-whole", lower_on_the_whole},
                     {"energies-closer", energies_closer}},
          .tables = {{"fig-5", fig_5}}};
}

}  // namespace carom::papers::sb
