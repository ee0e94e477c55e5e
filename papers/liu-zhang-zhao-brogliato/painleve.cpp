// SPDX-License-Identifier: Apache-2.0
// Section 2d: Painlevé's paradox and detachment.
#include <papers/liu-zhang-zhao-brogliato/painleve.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double upright = 0.5 * std::numbers::pi;
constexpr double easiest = 4. / std::numbers::sqrt3;  // r/h by the text

double this_shape() { return disc().radius / disc().half_thickness; }

/// phi = atan(h/r), the angle from the disc's middle plane to A.
double phi(double r_over_h) { return std::atan(1. / r_over_h); }

/// The critical friction as printed [eq. 2.41], in units of h and m.
double printed_bound(double r_over_h, double theta) {
  const double l2 = r_over_h * r_over_h + 1.;
  const double I = r_over_h * r_over_h / 4. + 1. / 3.;
  const double twice = 2. * (theta + phi(r_over_h));
  return -(2. * I + l2 * (1. + std::cos(twice))) / (l2 * std::sin(twice));
}

/// r/(4h) + 4h/(3r) [eq. 2.42].
double upright_bound(double r_over_h) { return r_over_h / 4. + 4. / (3. * r_over_h); }

/// Where f, which has one minimum, is least.
double least_at(double from, double to, const std::function<double(double)>& f) {
  while (to - from > 1e-9) {
    const double third = (to - from) / 3.;
    if (f(from + third) <= f(to - third)) {
      to -= third;
    } else {
      from += third;
    }
  }
  return 0.5 * (from + to);
}

std::vector<Computed> shapes() {
  std::vector<Computed> all;
  for (const double shape : {this_shape(), easiest_shape()}) {
    all.push_back({{"r/h", shape},
                   {"least mu, from G", critical_friction(shape, upright)},
                   {"least mu, eq. 2.42", upright_bound(shape)}});
  }
  return all;
}

Found formula() {
  double worst = 0.;
  for (const double shape : {this_shape(), easiest}) {
    for (double theta = 0.02; theta <= upright; theta += 0.02) {
      const double direct = critical_friction(shape, theta);
      if (!std::isfinite(direct)) continue;
      worst = largest(worst, std::abs(printed_bound(shape, theta) - direct) / direct);
    }
  }
  return {worst < 1e-12, {{"worst", worst}}};
}

Found least_upright() {
  const double shape = this_shape();
  const double first = upright - phi(shape);  // below there is none
  const double angle = least_at(first + 1e-6, upright,
                                [&](double theta) { return critical_friction(shape, theta); });
  const double here = critical_friction(shape, upright);
  return {std::abs(angle - upright) < 1e-6 && std::abs(upright_bound(shape) - here) < 1e-12 * here,
          {{"angle", angle * 180. / std::numbers::pi}, {"here", here}}};
}

Found least_of_shapes() {
  const double shape = easiest_shape();
  const double least = critical_friction(shape, upright);
  return {std::abs(shape - easiest) < 1e-6 && std::abs(least - 2. / std::numbers::sqrt3) < 1e-10,
          {{"shape", shape}, {"least", least}}};
}

Found no_paradox() {
  const double mu =
      largest_of(cases(), [](const Case& c) { return c.surfaces[0].static_friction; });
  const double needed = critical_friction(this_shape(), upright);
  return {needed > mu, {{"needed", needed}, {"mu", mu}}};
}

/// The largest theta'^2 l sin(theta + phi)/g of all motions: below 1 nothing detaches [eq. 2.43].
Found no_detachment() {
  double most = 0.;
  for (const Case& c : cases()) {
    for (const Sample& s : run_of(c.number, From::impact).samples) {
      if (!std::isfinite(s.ratio)) continue;
      most = largest(most, std::pow(s.spin / detaching_spin(s.theta), 2));
    }
  }
  return {most < 1., {{"most", most}}};
}

Found unbounded_spin() {
  const double flat = detaching_spin(0.);
  return {flat > 1e6, {{"flat", flat}}};
}

Found finite_spin() {
  const double flat = detaching_spin(0.);
  const double fastest =
      largest_of(run_of(2, From::impact).samples, [](const Sample& s) { return -s.spin; });
  return {off(flat, std::sqrt(gravity / disc().half_thickness)) < 1e-12 && fastest < flat,
          {{"flat", flat}, {"fastest", fastest}}};
}

Chart painleve_chart() {
  const auto in_degrees = [](double angle) { return angle * 180. / std::numbers::pi; };
  std::vector<double> angles;
  for (double theta = 0.; theta <= 90.; theta += 0.25) angles.push_back(theta);
  const auto over_angles = [&](Series s, const auto& f) {
    return through(std::move(s), angles, std::identity{},
                   [&](double theta) { return f(theta * std::numbers::pi / 180.); });
  };
  const auto bound = [](double shape) {
    return [=](double angle) { return critical_friction(shape, angle); };
  };
  ChartPanel friction{.title = "(a) friction that the paradox needs",
                      .x = {.label = "angle θ  [deg]", .range = Range{60., 90.}},
                      .y = {.label = "least μ_A", .range = Range{0., 10.}}};
  friction.series = {
      over_angles({.label = fmt::format("this disc, r/h = {:g}", this_shape())},
                  bound(this_shape())),
      over_angles(
          {.label = fmt::format("r/h = {:.3f}", easiest), .colour = "#D55E00", .dash = {{10., 6.}}},
          bound(easiest))};
  friction.marks = {{.at = 2. / std::numbers::sqrt3, .label = {}, .across = true},
                    {.at = case_of(5).surfaces[0].friction, .label = {}, .across = true}};
  friction.texts = {{.x = 66.3, .y = 1.45, .text = "2√3/3, least of all shapes"},
                    {.x = 67.2, .y = 0.5, .text = "μ of the experiments, at most"}};
  ChartPanel spin{.title = "(b) spin that lifts A off",
                  .x = {.label = "angle θ  [deg]", .range = Range{0., 90.}},
                  .y = {.label = "|dθ/dt|  [rad/s]", .range = Range{0., 65.}}};
  spin.series = {over_angles({.label = "lifts off above"}, detaching_spin),
                 through(
                     series_of("lzb", "case 2, falling"), every(5, run_of(2, From::impact).samples),
                     [&](const Sample& s) { return in_degrees(s.theta); },
                     [](const Sample& s) { return std::abs(s.spin); })};
  return {.heading = "Painlevé's paradox and detachment of the disc",
          .subheading = "the disc slides on A; below the curves there is neither",
          .panels = {friction, spin},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

}  // namespace

// Slip along +t has F_t = -mu F_n: A = G_nn - mu G_nt.
double critical_friction(double r_over_h, double theta) {
  const motion::DiscModel model({.mass = 1., .radius = r_over_h, .half_thickness = 1.});
  const auto A = contact_motion(model, 0, state_of({0., r_over_h, theta}, {0., 0., 0.}));
  const Eigen::Vector3d inverse_mass(1., 1., 1. / model.inertia());
  const Eigen::Vector3d n = A.W.col(0), t = A.W.col(1);
  const double nn = n.dot(inverse_mass.cwiseProduct(n));
  const double nt = n.dot(inverse_mass.cwiseProduct(t));
  return nt > 0. ? nn / nt : std::numeric_limits<double>::infinity();
}

double detaching_spin(double theta) {
  const double shape = this_shape();
  const double l = disc().half_thickness * std::sqrt(shape * shape + 1.);
  return std::sqrt(gravity / (l * std::sin(theta + phi(shape))));
}

double easiest_shape() {
  return least_at(0.5, 20., [](double shape) { return critical_friction(shape, upright); });
}

Computations painleve() {
  return {.checks = {{"formula", formula},
                     {"least-upright", least_upright},
                     {"least-of-shapes", least_of_shapes},
                     {"no-paradox", no_paradox},
                     {"no-detachment", no_detachment},
                     {"unbounded-spin", unbounded_spin},
                     {"L19", finite_spin}},
          .tables = {{"painleve", shapes}},
          .pictures = {{"liu-zhang-zhao-brogliato-painleve", chart(painleve_chart)}}};
}

}  // namespace carom::papers::disc_ball
