// SPDX-License-Identifier: Apache-2.0
// Example 2: two spheres, after Groesberg.
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
namespace {

constexpr double radius = 4.;  // [cm], see ST7

PlanarProblem impact() { return problem(spheres(radius), surface(0.8, 0.3, 0.3)); }

/// The impulse at the end of phase k: 0 compression, 1 slip, 2 the whole.
Vec2 impulse_after(std::size_t k) { return process(impact()).phases[k].impulse; }

Eigen::VectorXd velocity_at(const Vec2& impulse) {
  const std::vector<double> u = spheres(radius).velocity_after(impulse);
  return Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
}

Chart chart_of_spheres() {
  const auto spin = [](Eigen::Index i) {
    return [i](const Vec2& impulse, const Vec2&) { return velocity_at(impulse)(i); };
  };
  ChartPanel contact{
      .title = "(a) at the contact",
      .x = {.label = "normal impulse F  [kg cm/s]"},
      .y = {.label = "velocity  [cm/s]"},
      .series = {over_impulse(
                     "slip uₜ", impact(), [](const Vec2&, const Vec2& v) { return v.t; }, Dash{}),
                 over_impulse(
                     "normal uₙ", impact(), [](const Vec2&, const Vec2& v) { return v.n; },
                     Dash{8., 4.})},
      .marks = {{.at = impulse_after(0).n, .label = "compression ends"},
                {.at = impulse_after(1).n, .label = "slip vanishes", .colour = "#D55E00"}}};
  ChartPanel spins{.title = "(b) spins",
                   .x = contact.x,
                   .y = {.label = "spin  [rad/s]"},
                   .series = {over_impulse("first ω₁", impact(), spin(2), Dash{}),
                              over_impulse("second ω₂", impact(), spin(5), Dash{8., 4.})},
                   .marks = contact.marks};
  for (ChartMark& mark : spins.marks) mark.label.clear();  // they would lie on a curve
  return {.heading = "Two spheres (Shen & Townsend, Example 2)",
          .subheading = "radius 4 cm, e = 0.8, μ = 0.3; shen-townsend",
          .panels = {contact, spins},
          .columns = 2,
          .panel_width = 420,
          .panel_height = 300};
}

}  // namespace

Computations two_spheres() {
  Computations paper;
  paper.checks["spheres-stick"] = []() -> Found {
    const PlanarOutcome o = process(impact());
    const double tau = o.phases[2].impulse.t - o.phases[1].impulse.t;
    return {o.phases[2].motion == Motion::stick && std::abs(tau) < 1e-12,
            {{"mode", describe(o.mode)}, {"tau", tau}}};
  };
  paper.checks["spheres-both-methods"] = []() -> Found {
    const double by = apart(impact(), "shen-townsend", "conventional");
    return {by < 1e-12, {{"apart", by}}};
  };
  paper.checks["spheres-sum"] = []() -> Found {
    const double printed = 8.5806 - 4.9194;
    return {std::abs(printed - 13.5) < 1e-3, {{"difference", printed}}};
  };
  // Instants in the order of the file.
  paper.tables["instants"] = []() -> std::vector<Computed> {
    std::vector<Computed> rows;
    for (const Vec2& impulse : {solve_by("conventional", impact()).impulse, impulse_after(1),
                                impulse_after(0), impulse_after(2)}) {
      const Eigen::VectorXd u = velocity_at(impulse);
      rows.push_back({{"v₁ i", u(0)},
                      {"v₁ j", u(1)},
                      {"v₂ i", u(3)},
                      {"v₂ j", u(4)},
                      {"ω₁", u(2)},
                      {"ω₂", u(5)},
                      {"F", impulse.n},
                      {"τ", impulse.t}});
    }
    return rows;
  };
  paper.tables["steps"] = []() -> std::vector<Computed> {
    const Eigen::VectorXd star = velocity_at(impulse_after(1));
    const double rest = impulse_after(2).n - impulse_after(1).n;
    return {{{"value", star(3) - star(0)}},
            {{"value", case_of(process(impact()))}},
            {{"value", rest}},
            {{"value", star(0) - rest}},
            {{"value", star(3) + rest}}};
  };
  paper.pictures["shen-townsend-spheres"] = chart(chart_of_spheres);
  return paper;
}

}  // namespace carom::papers::st
