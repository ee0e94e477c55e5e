// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2: the seven cases, and the ratios that distinguish them. Section 5: the slide
// parameter. Figs 3 to 5: a rod that falls in the plane, under `poisson`, under `energetic`, and
// the laws beside each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <papers/sun-baruh/rod.hpp>

namespace carom::papers::sb {
namespace {

/// What happens in a stage: "slip ends, stick".
std::string words_of(const PlanarOutcome& outcome, Stage stage) {
  return joined(outcome.phases, " ends, ", [&](const PlanarPhase& phase) {
    std::string motion(phase.stage == stage ? name(phase.motion) : "");
    std::replace(motion.begin(), motion.end(), '-', ' ');
    return motion;
  });
}

// --- Table 2 -------------------------------------------------------------------------------------

/// The case by the ratios R1, R2, R3. @param limit  of |R2|: mu_s, or 1 as printed
Mode by_ratios(const PlanarFall& fall, double limit) {
  const SlideRatios r = ratios(fall);
  const bool holds = std::abs(*r.R2) <= limit;
  if (fall.ratio == 0.) return holds ? Mode::no_slip_sticks : Mode::no_slip_slides;
  if (!r.jams && fall.ratio > *r.R3) return Mode::slides;
  if (!r.jams && fall.ratio > *r.R1) {
    return holds ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
  }
  return holds ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
}

Found ratios_tell_the_case(double limit) {
  const auto& points = fig_3().points;
  const std::size_t wrong = count(
      points, [&](const PlanarPoint& p) { return by_ratios(p.fall, limit) != p.poisson.mode; });
  return {wrong == 0, {{"wrong", wrong}, {"falls", points.size()}}};
}

Chart chart_of_ratios() {
  Series R1{.label = "R₁", .colour = "#D55E00"};
  Series R3{.label = "R₃", .colour = "#0072B2"};
  Series R2{.label = "R₂ = sinθ cosθ/(α + cos²θ)", .colour = "#009E73"};
  Series printed{.label = "as printed, without cosθ", .colour = "#606060", .dash = {{10., 6.}}};
  for (const double angle : spread(-70., 70., 281)) {
    const SlideRatios r = ratios({angle, 1.});
    const double c = std::cos(angle * degree);
    for (Series* series : {&R1, &R3, &R2, &printed}) series->x.push_back(angle);
    const bool none = *r.R1 < 0.;  // slides whatever the ratio
    R1.y.push_back(none ? std::nan("") : *r.R1);
    R3.y.push_back(none ? std::nan("") : *r.R3);
    R2.y.push_back(*r.R2);
    printed.y.push_back(std::sin(angle * degree) / (cylinder + c * c));
  }
  const double line = reverse_angle_deg(cylinder);
  const ChartAxis angle{.label = "angle θ  [deg]", .range = Range{-70., 70.}};
  return {
      .heading = "A falling rod: the ratios that determine the case",
      .subheading = "e = 0.7, μ = μ_s = 0.4, α = 0.3451",
      .panels = {{.title = "slip lasts through compression above R₁, through the impact above R₃",
                  .x = angle,
                  .y = {.label = "v_Cx/v_Cy", .range = Range{0., 3.}},
                  .series = {R1, R3},
                  .marks = {{.at = line, .label = "|R₂| = μ_s"}}},
                 {.title = "slip that has ended sticks where |R₂| ≤ μ_s",
                  .x = angle,
                  .y = {.label = "friction needed", .range = Range{-1.6, 1.6}},
                  .series = {R2, printed},
                  .marks = {{.at = line, .label = fmt::format("{:.2f} deg", line)},
                            {.at = 0.4, .label = "μ_s", .across = true},
                            {.at = -0.4, .label = "−μ_s", .across = true}}}},
      .columns = 1,
      .panel_width = 620,
      .panel_height = 260};
}

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

/// The mean energy that is left at this ratio, or at these two angles.
double mean_at(double PlanarFall::*where, double value) {
  const auto is_there = [&](const PlanarPoint& p) {
    return std::abs(std::abs(p.fall.*where) - value) < 1e-9;
  };
  return extent(falls(), energy, is_there).mean();
}

}  // namespace

Computations plane() {
  Computations paper;
  paper.checks["ratios-determine-the-case"] = [] {
    return ratios_tell_the_case(PlanarFall{}.surface.static_friction);
  };
  paper.checks["ratios-as-printed"] = [] { return ratios_tell_the_case(1.); };
  // Where the law changes its mode as the ratio grows, against R1 (eq. 28) and R3 = (1 + e) R1.
  paper.checks["edges"] = []() -> Found {
    Extent off;
    for (double angle = -20.; angle <= 70.; angle += 5.) {
      const auto edge = [&](auto beyond) {
        return threshold(1e-9, 10., [&](double ratio) {
          return beyond(solved({angle, ratio}, Hypothesis::energetic).mode);
        });
      };
      const SlideRatios r = ratios({angle, 1.});
      off.add(std::abs(*r.R1 - edge([](Mode m) {
        return m != Mode::stops_in_compression_sticks && m != Mode::stops_in_compression_slips;
      })));
      off.add(std::abs(*r.R3 - edge([](Mode m) { return m == Mode::slides; })));
    }
    return {off.most < rounding_of_sums, {{"edges", off.count()}, {"worst", decade(off.most)}}};
  };
  // On random surfaces and rods, mu_s > mu included, without the jam (SB3).
  paper.checks["random-falls"] = []() -> Found {
    const auto all = many(20'000, 2022, [](FixedRandom& random) {
      const double mu = random(0., 1.2);
      return PlanarFall{.angle_deg = random(-80., 80.),
                        .ratio = random(0., 4.),
                        .surface = {.restitution = random(0., 1.),
                                    .friction = mu,
                                    .static_friction = mu + random(0., 0.3)},
                        .inertia_factor = random(0.05, 1.)};
    });
    const std::size_t wrong = count(all, [](const PlanarFall& fall) {
      return by_ratios(fall, fall.surface.static_friction) != solved(fall).mode;
    });
    const std::size_t laws = count(all, [](const PlanarFall& fall) {
      return solved(fall, Hypothesis::energetic).mode != solved(fall).mode;
    });
    return {wrong == 0 && laws == 0, {{"falls", all.size()}, {"wrong", wrong}, {"laws", laws}}};
  };
  // A particle: G = 1/m in all directions.
  paper.checks["particle"] = []() -> Found {
    constexpr double mu = 0.4;
    const std::array parameters{0.2, 0.5, 0.9, 0.99, 1.01, 1.1, 2., 5.};
    const std::size_t wrong = count(parameters, [](double s) {
      const PlanarProblem p{.G = {.nn = 1., .nt = 0., .tt = 1.},
                            .approach = {.n = -1., .t = s * mu},
                            .surface = {.restitution = 0., .friction = mu}};
      const Mode mode = routh(p, Hypothesis::poisson).mode;
      return (mode == Mode::stops_in_compression_sticks) != (s < 1.);
    });
    return {wrong == 0, {{"wrong", wrong}}};
  };
  paper.tables["table-1"] = [](const Row& row) -> Computed {
    const PlanarOutcome o = solved({row.number("θ [deg]"), row.number("v_Cx/v_Cy")});
    return {{"case", std::to_string(number(o.mode))},
            {"in compression", words_of(o, Stage::compression)},
            {"in restitution", words_of(o, Stage::restitution)}};
  };
  // Of the falls that the row's conditions pick: what the law says of all of them, or "several".
  paper.tables["table-2"] = [](const Row& row) -> Computed {
    std::size_t falls = 0;
    std::string compression;
    std::string restitution;
    const auto take = [](std::string& all, const std::string& words) {
      if (all.empty()) all = words;
      if (all != words) all = "several";
    };
    for (const PlanarPoint& p : fig_3().points) {
      if (number(by_ratios(p.fall, p.fall.surface.static_friction)) != row.number("key")) continue;
      ++falls;
      take(compression, words_of(p.poisson, Stage::compression));
      take(restitution, words_of(p.poisson, Stage::restitution));
    }
    return {{"in compression", compression}, {"in restitution", restitution}, {"falls", falls}};
  };
  paper.tables["slide-parameter"] = [](const Row& row) -> Computed {
    const Vec2 v{.n = -1., .t = row.number("v_Cx/v_Cy")};
    return {{"s", *slide_parameter(v, row.number("μ"))}};
  };
  paper.pictures["sun-baruh-ratios"] = chart(chart_of_ratios);
  paper.checks["all-cases"] = []() -> Found {
    std::vector<std::size_t> n;
    for (int k = 0; k < 7; ++k) n.push_back(count(falls(), of_case(k)));
    return {*std::ranges::min_element(n) > 0, {{"counts", fmt::format("{}", fmt::join(n, " "))}}};
  };
  // In every row with both, stick gives way to reverse slip (1 to 2, 3 to 4, 5 to 6) between the
  // same two angles.
  paper.checks["upright-line"] = []() -> Found {
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
  };
  paper.checks["reverses-leaning-forward"] = []() -> Found {
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
  };
  paper.checks["static-friction"] = []() -> Found {
    const auto rough =
        planar_grid({.restitution = 0.7, .friction = 0.4, .static_friction = 0.5}).points;
    return {share(rough, that_stick) > share(falls(), that_stick) &&
                share(rough, that_reverse) < share(falls(), that_reverse),
            {{"sticks", share(rough, that_stick)},
             {"reverses", share(rough, that_reverse)},
             {"sticks_before", share(falls(), that_stick)},
             {"reverses_before", share(falls(), that_reverse)}}};
  };
  paper.checks["rebound-near-one"] = []() -> Found {
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
  };
  paper.checks["energy-over-speed"] = []() -> Found {
    const auto at = [](double ratio) { return mean_at(&PlanarFall::ratio, ratio); };
    return {
        at(1.) < at(2.) && at(2.) < at(4.),
        {{"zero", at(0.)}, {"half", at(0.5)}, {"one", at(1.)}, {"two", at(2.)}, {"four", at(4.)}}};
  };
  paper.checks["energy-over-angle"] = []() -> Found {
    const auto at = [](double angle) { return mean_at(&PlanarFall::angle_deg, angle); };
    return {at(30.) < at(50.) && at(50.) < at(70.) && at(0.) < at(70.),
            {{"at_0", at(0.)}, {"at_30", at(30.)}, {"at_50", at(50.)}, {"at_70", at(70.)}}};
  };
  paper.checks["energy-in-stick"] = []() -> Found {
    const Extent stuck = extent(falls(), energy, that_stick);
    const Extent others = extent(falls(), energy, unless(that_stick));
    return {stuck.mean() < others.mean(),
            {{"stick", stuck.mean()}, {"others", others.mean()}, {"least", others.least}}};
  };
  paper.checks["same-cases"] = []() -> Found {
    const std::size_t differ = other_cases(&PlanarPoint::energetic);
    return {differ == 0, {{"differ", differ}, {"falls", falls().size()}}};
  };
  paper.checks["part-where-slip-stops"] = []() -> Found {
    const auto off = [](const PlanarPoint& p) {
      return largest(std::abs(velocity_quotient(p) - 1.), std::abs(energy_quotient(p) - 1.));
    };
    const double elsewhere = extent(falls(), off, unless(slip_stops)).most;
    const double stopped = extent(falls(), off, slip_stops).most;
    return {elsewhere < rounding_of_sums && stopped > 0.1,
            {{"stopped", 100. * stopped}, {"elsewhere", decade(elsewhere)}}};
  };
  paper.checks["without-friction"] = []() -> Found {
    const double worst = greatest(spread(-70., 70., 29), [](double angle) {
      const PlanarFall fall{angle, 1., {.restitution = 0.7}};
      return greatest(std::array{Hypothesis::newton, Hypothesis::energetic}, [&](Hypothesis h) {
        return std::abs(solved(fall, h).velocity.n - solved(fall).velocity.n);
      });
    });
    return {worst < rounding_of_sums, {{"worst", decade(worst)}}};
  };
  paper.checks["newton-cases"] = []() -> Found {
    const std::size_t differ = other_cases(&PlanarPoint::newton);
    return {differ > 0, {{"differ", differ}, {"falls", falls().size()}}};
  };
  // With much restitution, as in Kane and Levinson's paradox.
  paper.checks["newton-gains"] = []() -> Found {
    const auto points = planar_grid({.restitution = 1., .friction = 0.4}).points;
    const auto gains = [](const PlanarOutcome& o) { return o.flags.has(Verdict::energy_gained); };
    const auto newton = count(points, [&](const auto& p) { return gains(p.newton); });
    const auto others =
        count(points, [&](const auto& p) { return gains(p.poisson) || gains(p.energetic); });
    const Extent left =
        extent(points, [](const auto& p) { return energy_ratio(p.fall, p.newton); });
    return {newton > 0 && others == 0,
            {{"gains", newton}, {"falls", left.count()}, {"most", left.most}, {"others", others}}};
  };
  paper.checks["lowest-at-the-line"] = []() -> Found {
    const double lowest = greatest_difference(cylinder).angle_deg;
    const double line = reverse_angle_deg(cylinder);
    return {std::abs(lowest - line) < 0.5, {{"lowest", lowest}, {"line", line}}};
  };
  paper.checks["lower-when-reversing"] = []() -> Found {
    const Extent r = extent(falls(), velocity_quotient, slip_stops, that_reverse);
    return {r.most <= 1. + rounding_of_sums && r.least < 0.99,
            {{"least", r.least}, {"most", r.most}, {"falls", r.count()}}};
  };
  paper.checks["lower-when-sliding"] = []() -> Found {
    const Extent r = extent(falls(), velocity_quotient, that_slide);
    return {r.most > 1. + rounding_of_sums,
            {{"apart", decade(r.from_one())}, {"falls", r.count()}}};
  };
  paper.checks["lower-on-the-whole"] = []() -> Found {
    const auto off = [](double side) {  // to this side of one, beyond rounding
      return count(falls(), [&](const PlanarPoint& p) {
        return side * (velocity_quotient(p) - 1.) > rounding_of_sums;
      });
    };
    const double v = extent(falls(), velocity_quotient, slip_stops).mean();
    const double e = extent(falls(), energy_quotient, slip_stops).mean();
    return {off(-1.) > off(1.) && v < 1. && e < 1.,
            {{"lower", off(-1.)}, {"higher", off(1.)}, {"velocity", v}, {"energy", e}}};
  };
  paper.checks["energies-closer"] = []() -> Found {
    const Extent e = extent(falls(), energy_quotient, slip_stops);
    const Extent v = extent(falls(), velocity_quotient, slip_stops);
    return {e.from_one() < v.from_one(),
            {{"energy_least", e.least},
             {"energy_most", e.most},
             {"velocity_least", v.least},
             {"velocity_most", v.most}}};
  };
  paper.tables["fig-5"] = []() -> std::vector<Computed> {
    std::vector<Computed> rows;
    for (const double rod : {cylinder, thin}) {
      const GreatestDifference d = greatest_difference(rod);
      rows.push_back(
          {{"θ [deg]", d.angle_deg}, {"v_Cx/v_Cy", d.ratio}, {"difference [%]", d.per_cent}});
    }
    return rows;
  };
  return paper;
}

}  // namespace carom::papers::sb
