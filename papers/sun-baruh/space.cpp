// SPDX-License-Identifier: Apache-2.0
// Figs 8 to 13: a rod that falls in space, under their procedure. Section 3: how good it is beside
// the exact process. Pictures of the figures: maps over two quantities, as maps.csv lists them.
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <carom/laws/darboux_keller/path.hpp>
#include <papers/publications.hpp>
#include <papers/sun-baruh/rod.hpp>

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

// --- Figs 10 and 11 ------------------------------------------------------------------------------

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

// --- Section 3 -----------------------------------------------------------------------------------

Apart from_exact(int figure) {
  return apart(fig(figure), &SpatialPoint::poisson, &SpatialPoint::exact);
}

/// The way of slip in the fall of Fig. 8 where the two are furthest apart.
Chart chart_of_slip() {
  const SpatialProblem p =
      problem_of(SpatialFall{8.5, 15.5, {.restitution = 0.8, .friction = 0.2}});
  const auto add = [](Series& s, const Vec3& velocity) {
    s.x.push_back(velocity.t1);
    s.y.push_back(velocity.t2);
  };
  Series exact = series_of("poisson", "exact process");
  for (const SpatialPathPoint& at : spatial_path(p, Hypothesis::poisson)) add(exact, at.velocity);
  Series law = series_of("sun-baruh", "sun-baruh");
  law.kind = SeriesKind::line_and_points;
  add(law, p.approach);
  for (const SpatialPhase& phase : carom::sun_baruh(p, Hypothesis::poisson).phases) {
    add(law, phase.velocity);
  }
  const Series stop{.label = "no slip",
                    .x = {0.},
                    .y = {0.},
                    .colour = "#000000",
                    .marker = Marker::cross,
                    .marker_size = 1.4,
                    .kind = SeriesKind::points};
  return {.heading = "The way of slip: straight stages, and the exact process",
          .subheading = "θ₁ = 8.5°, θ₂ = 15.5°, μ = 0.2, e = 0.8",
          .panels = {{.x = {.label = "v_Cx  [m/s]"},
                      .y = {.label = "v_Cz  [m/s]"},
                      .series = {exact, law, stop}}},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 360};
}

// --- Maps ----------------------------------------------------------------------------------------

/// The rod without angles of its own is that in the plane.
std::string scenario_of(const Row& row) {
  const auto cell = [&](const char* head) -> const std::string& { return row.text(head); };
  const std::string rod =
      cell("θ₁").empty()
          ? fmt::format("type = 'rod'\ninertia_factor = {}\nangle_deg = 0\nvelocity = [1.0, 1.0]",
                        cylinder)
          : fmt::format(
                "type = 'space-rod'\nradius = {}\nangle1_deg = {}\nangle2_deg = {}\n"
                "velocity = [0.4, 1.0, 0.0]",
                radius, cell("θ₁"), cell("θ₂"));
  return fmt::format(R"(title = '{}'
[system]
mass = 1.0
half_length = {}
{}
[surface]
restitution = {}
friction = {}
[map]
x = {{ vary = '{}', from = {}, to = {}, points = {} }}
y = {{ vary = '{}', from = {}, to = {}, points = {} }}
show = [{}]
laws = [{}]
{})",
                     cell("title"), half_length, rod, cell("e"), cell("μ"), cell("x"), cell("from"),
                     cell("to"), cell("points"), cell("y"), cell("bottom"), cell("top"),
                     cell("rows"), cell("show"), cell("laws"),
                     cell("compare").empty() ? "" : "compare = '" + cell("compare") + "'\n");
}

}  // namespace

Computations space() {
  constexpr double any = std::numeric_limits<double>::infinity();
  Computations paper;
  paper.checks["mostly-slides"] = []() -> Found {
    const auto part = [](int n) { return share(fig(8).points, of_case(n)); };
    return {part(0) > 50. && part(1) > part(3) && part(3) > 0. && part(2) > 0. &&
                part(1) + part(3) < part(0),
            {{"case_0", part(0)}, {"case_1", part(1)}, {"case_2", part(2)}, {"case_3", part(3)}}};
  };
  paper.checks["slips-again-at-larger-angles"] = []() -> Found {
    const auto angle = [](const SpatialPoint& p) { return p.fall.angle1_deg; };
    const double sticks = extent(fig(8).points, angle, in_plane, that_stick).most;
    const double slips = extent(fig(8).points, angle, in_plane, that_reverse).least;
    return {slips > sticks && sticks > 0., {{"sticks", sticks}, {"slips", slips}}};
  };
  paper.checks["upright-sticks"] = []() -> Found {
    const std::size_t falls = count(fig(8).points, within(5.));
    const std::size_t stuck = count(fig(8).points, within(5.), that_stick);
    return {falls > 0 && stuck == falls, {{"stick", stuck}, {"falls", falls}}};
  };
  paper.checks["mirror-8"] = [] { return mirror(8); };
  paper.checks["loss-where-slip-ends"] = []() -> Found {
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
  };
  paper.checks["energetic-9"] = [] { return hypotheses(8, 0.03); };
  paper.checks["more-stick"] = []() -> Found {
    const auto part = [](int figure) {
      return per_cent(count(fig(figure).points, within(25.), that_stick),
                      count(fig(figure).points, within(25.)));
    };
    return {part(10) > part(8), {{"rough", part(10)}, {"smooth", part(8)}}};
  };
  paper.checks["as-in-the-plane"] = []() -> Found {
    const Apart same = from_plane(cylinder);
    const Apart other = from_plane(thin);
    return {same.velocity.most < rounding_of_sums && same.cases == 0,
            {{"worst", decade(same.velocity.most)},
             {"differ", same.cases},
             {"thin_worst", other.velocity.most},
             {"thin_differ", other.cases}}};
  };
  paper.checks["less-stick-off-the-plane"] = []() -> Found {
    std::vector<std::size_t> widths;  // at theta_2 = 0, 10, ... 50 deg
    for (double angle2 = 0.; angle2 <= 50.; angle2 += 10.) {
      widths.push_back(count(fig(10).points, that_stick, [&](const SpatialPoint& p) {
        return std::abs(p.fall.angle2_deg - angle2) < 1e-9;
      }));
    }
    return {std::is_sorted(widths.rbegin(), widths.rend()) && widths.front() > widths.back(),
            {{"counts", fmt::format("{}", fmt::join(widths, ", "))}}};
  };
  paper.checks["mirror-10"] = [] { return mirror(10); };
  // Of the normal velocity.
  paper.checks["part-where-slip-ends"] = []() -> Found {
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
  };
  paper.checks["static-friction-in-space"] = []() -> Found {
    const SpatialGrid rough =
        angle_grid(50., {.restitution = 0.7, .friction = 0.4, .static_friction = 0.5});
    Apart d;
    for (std::size_t k = 0; k < rough.points.size(); ++k) {
      d.add(fig(10).points[k].poisson, rough.points[k].poisson);
    }
    const double velocity = 100. * d.velocity.mean() / approach_speed;
    return {velocity < 1.,
            {{"cases", per_cent(d.cases, d.velocity.count())}, {"velocity", velocity}}};
  };
  paper.checks["energetic-10"] = [] { return hypotheses(10, any); };
  paper.checks["restitution-and-energy"] = []() -> Found {
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
  };
  paper.checks["restitution-and-case"] = []() -> Found {
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
  };
  paper.checks["mirror-11"] = [] { return mirror(11); };
  paper.checks["no-case-4"] = []() -> Found {
    const std::size_t falls = count(falls_of({8, 10, 11}), of_case(4));
    return {falls == 0, {{"falls", falls}}};
  };
  paper.checks["case-without-restitution"] = []() -> Found {
    const std::size_t changed = columns_that_change(fig(12));
    return {changed == 0, {{"changed", changed}, {"values", fig(12).x.size()}}};
  };
  paper.checks["cases-over-friction"] = [] { return three_cases(fig(12), 0, 2, 1); };
  paper.checks["slips-towards-minus-x"] = []() -> Found {
    const auto& points = fig(12).points;
    const std::size_t again = count(points, that_reverse);
    const std::size_t back = count(
        points, that_reverse, [](const SpatialPoint& p) { return p.poisson.velocity.t1 < 0.; });
    return {again > 0 && back == again, {{"back", back}, {"again", again}}};
  };
  paper.checks["energetic-12"] = [] { return hypotheses(12, 0.03); };
  paper.checks["friction-and-loss-12"] = [] { return friction_and_loss(fig(12)); };
  paper.checks["restitution-rules-12"] = [] { return restitution_rules(fig(12)); };
  paper.checks["into-rotation"] = []() -> Found {
    const double most =
        extent(fig(12).points, [](const SpatialPoint& p) { return p.poisson.rotation; }).most;
    return {most > 0.01, {{"most", 100. * most}}};
  };
  paper.checks["case-with-restitution"] = []() -> Found {
    const std::size_t changed = columns_that_change(fig(13));
    const std::size_t values = fig(13).x.size();
    Found found = three_cases(fig(13), 0, 3, 1);
    found.holds = found.holds && changed > 0 && 2 * changed < values;
    found.values.insert({{"changed", changed}, {"values", values}});
    return found;
  };
  paper.checks["energetic-13"] = [] { return hypotheses(13, 0.1); };
  paper.checks["friction-and-loss-13"] = [] { return friction_and_loss(fig(13)); };
  paper.checks["restitution-rules-13"] = [] { return restitution_rules(fig(13)); };
  paper.checks["close-in-the-median"] = []() -> Found {
    const auto part = [](double velocity) { return 100. * velocity / approach_speed; };
    const Extent a = from_exact(8).velocity;
    const Extent b = from_exact(10).velocity;
    return {part(a.median()) < 5. && part(b.median()) < 5.,
            {{"median_8", part(a.median())},
             {"median_10", part(b.median())},
             {"most_8", part(a.most)},
             {"most_10", part(b.most)}}};
  };
  // Of the falls with different cases those of which one is 2.
  paper.checks["mostly-case-2"] = []() -> Found {
    const auto two = [](int figure) {
      return count(fig(figure).points, [](const SpatialPoint& p) {
        return (number(p.poisson.mode) == 2) != (number(p.exact.mode) == 2);
      });
    };
    const std::size_t others_8 = from_exact(8).cases;
    const std::size_t others_10 = from_exact(10).cases;
    return {
        3 * (two(8) + two(10)) > 2 * (others_8 + others_10),
        {{"two_8", two(8)}, {"others_8", others_8}, {"two_10", two(10)}, {"others_10", others_10}}};
  };
  // In the exact process of this rod slip stops and begins anew in its own plane only.
  paper.checks["exact-case-2"] = []() -> Found {
    const auto falls = [](bool on) {
      return count(falls_of({8, 10, 11}), [&](const SpatialPoint& p) {
        return number(p.exact.mode) == 2 && (p.fall.angle2_deg == 0.) == on;
      });
    };
    return {falls(false) == 0 && falls(true) > 0, {{"on", falls(true)}, {"off", falls(false)}}};
  };
  // The impulse that ends all motion does not depend on the way.
  paper.checks["stick-is-exact"] = []() -> Found {
    const Extent off = extent(
        falls_of({8, 10, 11}), [](const SpatialPoint& p) { return distance(p.poisson, p.exact); },
        of_case(1), [](const SpatialPoint& p) { return number(p.exact.mode) == 1; });
    return {off.count() > 0 && off.most < 1e-10,
            {{"falls", off.count()}, {"worst", decade(off.most)}}};
  };
  paper.tables["exact"] = [](const Row& row) -> Computed {
    const int figure = row.text("grid") == "Fig. 8" ? 8 : 10;
    const bool energetic = row.text("law") == "sun-baruh:energetic";
    const Apart d =
        energetic ? apart(fig(figure), &SpatialPoint::energetic, &SpatialPoint::exact_energetic)
                  : from_exact(figure);
    const std::size_t falls = d.energy.count();
    return {{"falls", falls},
            {"same case [%]", per_cent(falls - d.cases, falls)},
            {"|Δv| most [m/s]", d.velocity.most},
            {"|Δv| median [m/s]", d.velocity.median()},
            {"energy ratio off, most", d.energy.most},
            {"median", d.energy.median()}};
  };
  paper.pictures["sun-baruh-slip"] = chart(chart_of_slip);
  for (const Row& row : printed_rows("sun-baruh/maps")) {
    paper.pictures[row.text("picture")] = map(scenario_of(row));
  }
  return paper;
}

}  // namespace carom::papers::sb

carom::papers::Computations carom::papers::sun_baruh() {
  return merged({sb::plane(), sb::space(), sb::errata(), sb::matrix_errata()});
}
