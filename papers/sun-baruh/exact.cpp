// SPDX-License-Identifier: Apache-2.0
// Section 3: how good their procedure is in space, beside the exact process.
#include <carom/laws/spatial_path.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/sun-baruh/measures.hpp>

namespace carom::papers::sb {
namespace {

Apart from_exact(int figure) {
  return apart(fig(figure), &SpatialPoint::poisson, &SpatialPoint::exact);
}

Computed table(const Row& row) {
  const int figure = row.text("grid") == "Fig. 8" ? 8 : 10;
  const bool energetic = row.text("law") == "sun-baruh:energetic";
  const Apart d = energetic
                      ? apart(fig(figure), &SpatialPoint::energetic, &SpatialPoint::exact_energetic)
                      : from_exact(figure);
  const std::size_t falls = d.energy.count();
  return {{"falls", falls},
          {"same case [%]", per_cent(falls - d.cases, falls)},
          {"|Δv| most [m/s]", d.velocity.most},
          {"|Δv| median [m/s]", d.velocity.median()},
          {"energy ratio off, most", d.energy.most},
          {"median", d.energy.median()}};
}

Found close_in_the_median() {
  const auto part = [](double velocity) { return 100. * velocity / approach_speed; };
  const Extent a = from_exact(8).velocity;
  const Extent b = from_exact(10).velocity;
  return {part(a.median()) < 5. && part(b.median()) < 5.,
          {{"median_8", part(a.median())},
           {"median_10", part(b.median())},
           {"most_8", part(a.most)},
           {"most_10", part(b.most)}}};
}

/// Of the falls with different cases those of which one is 2.
Found mostly_case_2() {
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
}

/// In the exact process of this rod slip stops and begins anew in its own plane only.
Found exact_case_2() {
  const auto falls = [](bool on) {
    return count(falls_of({8, 10, 11}), [&](const SpatialPoint& p) {
      return number(p.exact.mode) == 2 && (p.fall.angle2_deg == 0.) == on;
    });
  };
  return {falls(false) == 0 && falls(true) > 0, {{"on", falls(true)}, {"off", falls(false)}}};
}

/// The impulse that ends all motion does not depend on the way.
Found stick_is_exact() {
  const Extent off = extent(
      falls_of({8, 10, 11}), [](const SpatialPoint& p) { return distance(p.poisson, p.exact); },
      of_case(1), [](const SpatialPoint& p) { return number(p.exact.mode) == 1; });
  return {off.count() > 0 && off.most < 1e-10,
          {{"falls", off.count()}, {"worst", decade(off.most)}}};
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

}  // namespace

Computations exactness() {
  return {.checks = {{"close-in-the-median", close_in_the_median},
                     {"mostly-case-2", mostly_case_2},
                     {"exact-case-2", exact_case_2},
                     {"stick-is-exact", stick_is_exact}},
          .tables = {{"exact", table}},
          .pictures = {{"sun-baruh-slip", chart(chart_of_slip)}}};
}

}  // namespace carom::papers::sb
