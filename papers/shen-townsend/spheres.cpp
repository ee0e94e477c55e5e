// SPDX-License-Identifier: Apache-2.0
// Example 2: two spheres, after Groesberg.
#include <cmath>

#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
namespace {

constexpr double radius = 4.;  // [cm], see ST7

PlanarProblem impact() { return problem(spheres(radius), surface(0.8, 0.3, 0.3)); }

/// The impulse at the end of phase k: 0 compression, 1 slip, 2 the whole.
Vec2 impulse_after(std::size_t k) { return process(impact()).phases[k].impulse; }

Eigen::VectorXd velocity_at(const Vec2& impulse) {
  return velocity_after(spheres(radius), impulse);
}

/// Instants in the order of the file.
std::vector<Computed> instants() {
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
}

std::vector<Computed> steps() {
  const Eigen::VectorXd star = velocity_at(impulse_after(1));
  const double rest = impulse_after(2).n - impulse_after(1).n;
  return {{{"value", star(3) - star(0)}},
          {{"value", case_of(process(impact()))}},
          {{"value", rest}},
          {{"value", star(0) - rest}},
          {{"value", star(3) + rest}}};
}

Found they_stick() {
  const PlanarOutcome o = process(impact());
  const double tau = o.phases[2].impulse.t - o.phases[1].impulse.t;
  return {o.phases[2].motion == Motion::stick && std::abs(tau) < 1e-12,
          {{"mode", describe(o.mode)}, {"tau", tau}}};
}

Found both_methods() {
  const double by = apart(impact(), "shen-townsend", "conventional");
  return {by < 1e-12, {{"apart", by}}};
}

Found printed_sum() {
  const double printed = 8.5806 - 4.9194;
  return {std::abs(printed - 13.5) < 1e-3, {{"difference", printed}}};
}

Chart chart_of_spheres() {
  const Configuration c = spheres(radius);
  const PlanarOutcome o = process(impact());
  const auto curve = [&](std::string label, Dash dash, const auto& quantity) {
    Series s = series_of("poisson", std::move(label), 2.5);
    s.dash = std::move(dash);
    s.x.push_back(0.);
    s.y.push_back(quantity(c.velocity, impact().approach));
    for (const PlanarPhase& phase : o.phases) {
      s.x.push_back(phase.impulse.n);
      s.y.push_back(quantity(velocity_after(c, phase.impulse), phase.velocity));
    }
    return s;
  };
  const auto panel = [&](std::string title, std::string y) {
    ChartPanel p;
    p.title = std::move(title);
    p.x.label = "normal impulse F  [kg cm/s]";
    p.y.label = std::move(y);
    p.marks = {{.at = o.phases[0].impulse.n, .label = "compression ends"},
               {.at = o.phases[1].impulse.n, .label = "slip vanishes", .colour = "#D55E00"}};
    return p;
  };
  ChartPanel contact = panel("(a) at the contact", "velocity  [cm/s]");
  contact.series = {
      curve("slip uₜ", Dash{}, [](const auto&, const Vec2& v) { return v.t; }),
      curve("normal uₙ", Dash{8., 4.}, [](const auto&, const Vec2& v) { return v.n; })};
  ChartPanel spins = panel("(b) spins", "spin  [rad/s]");
  for (ChartMark& mark : spins.marks) mark.label.clear();  // they would lie on a curve
  spins.series = {
      curve("first ω₁", Dash{}, [](const Eigen::VectorXd& u, const Vec2&) { return u(2); }),
      curve("second ω₂", Dash{8., 4.}, [](const Eigen::VectorXd& u, const Vec2&) { return u(5); })};
  return {.heading = "Two spheres (Shen & Townsend, Example 2)",
          .subheading = "radius 4 cm, e = 0.8, μ = 0.3; shen-townsend",
          .panels = {contact, spins},
          .columns = 2,
          .panel_width = 420,
          .panel_height = 300};
}

}  // namespace

Computations two_spheres() {
  return {.checks = {{"spheres-stick", they_stick},
                     {"spheres-both-methods", both_methods},
                     {"spheres-sum", printed_sum}},
          .tables = {{"instants", instants}, {"steps", steps}},
          .pictures = {{"shen-townsend-spheres", chart(chart_of_spheres)}}};
}

}  // namespace carom::papers::st
