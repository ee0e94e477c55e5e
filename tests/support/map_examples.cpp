// SPDX-License-Identifier: Apache-2.0
#include <support/map_examples.hpp>

#include <cmath>

#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom::test {
namespace {

using study::Category;
using study::Map;
using study::MapLayer;

MapLayer layer(const Map& map, std::string_view quantity, const std::string& law,
               const std::string& name, const std::function<double(double, double)>& f) {
  MapLayer l;
  l.quantity = &study::find_quantity(quantity, "");
  l.law = law;
  l.title = name + ", " + law;
  for (std::size_t j = 0; j < map.rows(); ++j) {
    for (const double x : map.x.values) l.values.push_back(f(x, map.y ? map.y->values[j] : 0.));
  }
  return l;
}

PlanarProblem rod(double theta_deg, double ratio) {
  Rod body;
  body.half_length = 2.3;
  body.angle = theta_deg * degree;
  const auto contact = planar_problem(at_impact(body).problem);
  return {.G = contact.G,
          .approach = {-1., ratio},
          .surface = {.restitution = .7, .friction = .4, .static_friction = .4}};
}

PlanarProblem bar(double phi_deg, double ratio) {
  Bar body;
  body.angle = phi_deg * degree;
  const auto contact = planar_problem(at_impact(body).problem);
  return {.G = contact.G,
          .approach = {-1., -ratio},
          .surface = {.restitution = .5, .friction = .6, .static_friction = .6}};
}

double finite_or_nan(double value) { return std::isfinite(value) ? value : std::nan(""); }

}  // namespace

study::Axis axis(const std::string& path, const std::string& label, const std::string& symbol,
                 const std::string& unit, double from, double to, std::size_t n, bool log) {
  study::Axis a{
      .path = path, .label = label, .symbol = symbol, .unit = unit, .log = log, .values = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double s = n == 1 ? 0. : static_cast<double>(i) / static_cast<double>(n - 1);
    a.values.push_back(log ? from * std::pow(to / from, s) : (1. - s) * from + s * to);
  }
  return a;
}

MapLayer numbers(const Map& map, std::string_view quantity, const std::string& law,
                 const std::string& name, const std::function<double(double, double)>& f) {
  return layer(map, quantity, law, name, f);
}

MapLayer categories(const Map& map, std::string_view quantity, const std::string& law,
                    const std::string& name, std::vector<Category> all,
                    const std::function<double(double, double)>& f) {
  MapLayer l = layer(map, quantity, law, name, f);
  l.categories = std::move(all);
  return l;
}

Map rod_map(std::size_t n) {
  Map map;
  map.title = "Rod striking the ground, e = 0.7, μ = 0.4";
  map.x = axis("system.angle_deg", "angle", "θ", "deg", -70., 70., n);
  map.y = axis("approach_ratio", "slip over approach", "v_t⁻/|v_n⁻|", "", 0., 4., n);
  map.provenance = {.scenario_name = "rod.toml",
                    .scenario_text = "[system]\ntype = \"rod\"\n",
                    .version = "0.1.0",
                    .command = "carom map rod.toml"};
  return map;
}

MapLayer rod_modes(const Map& map, const std::string& law) {
  std::vector<Category> all;
  for (int mode = 0; mode < 7; ++mode) {
    all.push_back({std::to_string(mode), std::string(describe(static_cast<Mode>(mode)))});
  }
  const PlanarLaw& asked = planar_kernel(*find_law(law));
  return categories(map, "mode", law, "mode", all, [&](double x, double y) {
    const auto mode = sun_baruh_mode(solve(asked, rod(x, y)));
    return mode ? static_cast<double>(*mode) : std::nan("");
  });
}

MapLayer rod_energy(const Map& map, const std::string& law) {
  const PlanarLaw& asked = planar_kernel(*find_law(law));
  return numbers(map, "energy", law, "energy left", [&](double x, double y) {
    const PlanarProblem p = rod(x, y);
    return finite_or_nan(1. + solve(asked, p).energy.change / contact_energy(p));
  });
}

MapLayer rod_rebound(const Map& map, const std::string& law) {
  const PlanarLaw& asked = planar_kernel(*find_law(law));
  return numbers(map, "rebound", law, "normalised rebound", [&](double x, double y) {
    const PlanarProblem p = rod(x, y);
    return solve(asked, p).velocity.n / .7;
  });
}

Map bar_map(std::size_t n) {
  Map map;
  map.title = "Bar of Payr & Glocker, ε_N = 0.5, μ = 0.6";
  map.x = axis("system.angle_deg", "angle", "φ", "deg", 2., 178., n);
  map.y = axis("approach_ratio", "approach ratio", "v_t⁻/v_n⁻", "", -6., 6., n);
  study::BoundaryCurve forward;
  forward.law = "moreau";
  forward.name = "r_f";
  forward.meaning = "forward slip below";
  study::BoundaryCurve backward = forward;
  backward.name = "r_b";
  backward.meaning = "backward slip above";
  for (study::BoundaryCurve* curve : {&forward, &backward}) {
    bool open = false;
    for (const double x : map.x.values) {
      const PlanarProblem p = bar(x, 0.);
      const auto limits = regime_boundaries(p.G, p.surface);
      const auto r = curve == &forward ? limits.forward : limits.backward;
      if (r && !open) curve->lines.emplace_back();
      if (r) curve->lines.back().push_back({x, *r});
      open = r.has_value();
    }
  }
  map.boundaries = {forward, backward};
  return map;
}

MapLayer bar_regimes(const Map& map, const std::string& law) {
  const PlanarLaw& asked = planar_kernel(*find_law(law));
  const std::vector<Category> all = {{"forward slip", "P_t = −μ P_n"},
                                     {"stick", "|P_t| < μ P_n"},
                                     {"backward slip", "P_t = μ P_n"},
                                     {"no impulse", "the contact separates"}};
  return categories(map, "regime", law, "regime", all, [&](double x, double y) {
    const PlanarProblem p = bar(x, y);
    switch (payr_glocker_regime(p, solve(asked, p))) {
      case Mode::forward_slip:
        return 0.;
      case Mode::stick:
        return 1.;
      case Mode::backward_slip:
        return 2.;
      default:
        return 3.;
    }
  });
}

}  // namespace carom::test
