// SPDX-License-Identifier: Apache-2.0
// Section 2: kinematics, the law of impact, Painlevé's paradox and detachment.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include <carom/laws/energetic.hpp>
#include <carom/laws/lzb.hpp>
#include <carom/motion/disc_model.hpp>
#include <carom/papers/disc_ball_motion.hpp>
#include <carom/papers/liu_zhang_zhao_brogliato.hpp>
#include <carom/papers/painleve_of_disc.hpp>
#include <carom/papers/pictures.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double upright = 0.5 * std::numbers::pi;

// --- eqs 2.1 to 2.9
// -------------------------------------------------------------------------------

motion::State state_at(double theta, double spin) {
  motion::State s;
  s.q = Eigen::Vector3d(0.01, 0.04, theta);
  s.u = Eigen::Vector3d(0.2, -0.1, spin);
  return s;
}

/// Rows of W, and of N, against the gradients of what they are the directions of, by central
/// differences: the largest difference relative to the radius, over A, B, C and some angles.
struct Gradients {
  double normal = 0.;
  double bias = 0.;
};
Gradients gradients_of_ground() {
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  constexpr double step = 1e-5;
  constexpr double spin = -3.;
  Gradients worst;
  motion::ContactMotion now, before, after;
  now.W.resize(3, 3);
  before.W.resize(3, 3);
  after.W.resize(3, 3);
  for (double theta = 0.1; theta < 3.1; theta += 0.25) {
    for (std::size_t i = 0; i < 3; ++i) {
      model.contact(i, state_at(theta, spin), now);
      const double rate = (model.gap(i, state_at(theta + step, spin)) -
                           model.gap(i, state_at(theta - step, spin))) /
                          (2. * step);
      worst.normal = std::max(worst.normal, std::abs(rate - now.W(2, 0)) / disc_radius);
      // S^n and S^t: the rates of W^T u and N^T u where u stays.
      model.contact(i, state_at(theta - step * spin, spin), before);
      model.contact(i, state_at(theta + step * spin, spin), after);
      for (const Eigen::Index k : {0, 1}) {
        const double bias = (after.velocity(k) - before.velocity(k)) / (2. * step);
        worst.bias =
            std::max(worst.bias, std::abs(bias - now.bias(k)) / (disc_radius * spin * spin));
      }
    }
  }
  return worst;
}

/// The same of D: delta_D = (z_b - z_d) c - (y_b + r_b - y_d) s - h [eq. 2.1].
double gradient_of_D() {
  constexpr double step = 1e-5;
  double worst = 0.;
  for (double theta = 0.1; theta < 3.1; theta += 0.25) {
    const double b = 0.0065, s = std::sin(theta), c = std::cos(theta);
    const double Y = b * c - half_thickness * s;  // from the disc's centre to D
    const double Z = b * s + half_thickness * c;
    const auto gap = [&](double angle) {
      return Z * std::cos(angle) - Y * std::sin(angle) - half_thickness;
    };
    const double rate = (gap(theta + step) - gap(theta - step)) / (2. * step);
    const MultiAtImpact at = at_impact(DiscBall{.ball_mass = ball_mass,
                                                .disc_mass = disc_mass,
                                                .radius = disc_radius,
                                                .half_thickness = half_thickness,
                                                .height = b,
                                                .angle = theta,
                                                .ball_velocity = {0.3, 0.}});
    const Eigen::MatrixXd W = at.configuration->W;
    worst =
        std::max({worst, std::abs(gap(theta)) / disc_radius, std::abs(rate - W(4, 6)) / disc_radius,
                  std::abs(W(0, 6) + s), std::abs(W(1, 6) - c)});
  }
  return worst;
}

Part kinematics_part() {
  const Gradients ground = gradients_of_ground();
  const double D = gradient_of_D();
  return {
      .id = "Eqs 2.1-2.9",
      .title = "Gaps, directions and their rates",
      .text =
          "The system `disc-ball` and the disc of `carom simulate` use the paper's W and N. "
          "They are compared with differences of the gaps at thirteen angles.",
      .statements = {
          {.says = "W holds the gradients of the gaps, at A, B, C and D (eqs 2.1-2.3)",
           .holds = ground.normal < 1e-8 && D < 1e-8,
           .found = fmt::format("largest difference {:.1e} of r at A, B, C, {:.1e} at D",
                                ground.normal, D)},
          {.says = "S^n and S^t are the rates of W^T q' and N^T q' where q' stays (eqs 2.8, 2.9)",
           .holds = ground.bias < 1e-8,
           .found = fmt::format("largest difference {:.1e} of r theta'^2", ground.bias)}}};
}

// --- eqs 2.23 to 2.34
// -----------------------------------------------------------------------------

/// Largest relative deviation from F = (a+1)^(a/(a+1)) k^(1/(a+1)) E^(a/(a+1)) [eq. 2.27] along the
/// impact of a case, where a contact holds a thousandth of the largest energy or more.
double off_the_energy_rule(const DiscBallCase& c) {
  const DiscBallSurfaces surfaces = surfaces_of(c);
  const MultiAtImpact at = at_impact(system_of(c));
  MultiTrace trace;
  (void)solve_lzb({.G = at.contact.G,
                   .approach = at.contact.approach,
                   .surfaces = {surfaces.begin(), surfaces.end()}},
                  {.tolerance = 1e-10}, &trace);
  const double most = *std::max_element(trace.energy.begin(), trace.energy.end());
  double worst = 0.;
  for (std::size_t i = 0; i < trace.energy.size(); ++i) {
    if (trace.energy[i] < 1e-3 * most) continue;
    const MultiSurface& s = surfaces[i % trace.contacts];
    const double p = 1. / (s.exponent + 1.);
    const double F = std::pow(s.exponent + 1., s.exponent * p) * std::pow(s.stiffness, p) *
                     std::pow(trace.energy[i], s.exponent * p);
    worst = std::max(worst, std::abs(trace.force[i] - F) / F);
  }
  return worst;
}

struct AgainstEnergetic {
  double velocity = 0.;  ///< largest difference, relative to the approach
  double ratio = 0.;     ///< of works against e^2, largest
};

/// One contact: `lzb` against the exact process ended by the energetic hypothesis.
AgainstEnergetic one_contact(int problems) {
  std::mt19937_64 random(20130541);
  const auto between = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random() >> 11U) * 0x1p-53;
  };
  AgainstEnergetic worst;
  for (int k = 0; k < problems; ++k) {
    const double tt = between(0.5, 3.);
    const double nt = between(-0.9, 0.9) * std::sqrt(tt);
    const double e = between(0.1, 1.), mu = between(0.05, 0.5);
    const Vec2 v{.n = -1., .t = between(-3., 3.)};
    const PlanarProblem planar{
        .G = {.nn = 1., .nt = nt, .tt = tt},
        .approach = v,
        .surface = {.restitution = e, .friction = mu, .static_friction = mu}};
    const PlanarOutcome exact = Energetic{}(planar);
    Eigen::Matrix2d G;
    G << 1., nt, nt, tt;
    const MultiOutcome o = solve_lzb(
        {.G = BlockMatrix::from_dense(G, 2),
         .approach = {v.n, v.t},
         .surfaces = {{.restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1e6}}},
        {.tolerance = 1e-11});
    const double size = std::hypot(v.n, v.t);
    worst.velocity = std::max({worst.velocity, std::abs(o.velocity[0] - exact.velocity.n) / size,
                               std::abs(o.velocity[1] - exact.velocity.t) / size});
    const StageWork work = o.contacts[0].stages.value_or(StageWork{});
    worst.ratio = std::max(worst.ratio, std::abs(-work.restitution / work.compression - e * e));
  }
  return worst;
}

/// The disc and the ball without friction, all contacts with one e: the change of energy relative
/// to what there was, and the largest |v_n+| relative to v_b.
std::array<double, 2> without_friction(double e) {
  const DiscBallCase& c = disc_ball_case(4);
  DiscBallSurfaces surfaces = surfaces_of(c);
  for (MultiSurface& s : surfaces) {
    s.restitution = e;
    s.friction = s.static_friction = 0.;
  }
  const MultiAtImpact at = at_impact(system_of(c));
  const MultiOutcome o = solve_lzb({.G = at.contact.G,
                                    .approach = at.contact.approach,
                                    .surfaces = {surfaces.begin(), surfaces.end()}},
                                   {.tolerance = 1e-11});
  double fastest = 0.;
  for (std::size_t i = 0; i < 4; ++i) {
    if (o.impulse[2 * i] > 0.) fastest = std::max(fastest, std::abs(o.velocity[2 * i]));
  }
  return {o.energy.change / (0.5 * ball_mass * c.velocity * c.velocity), fastest / c.velocity};
}

Part law_part() {
  double rule = 0.;
  for (const int n : {2, 5, 8}) rule = std::max(rule, off_the_energy_rule(disc_ball_case(n)));
  const AgainstEnergetic one = one_contact(200);
  const auto elastic = without_friction(1.);
  const auto plastic = without_friction(0.);
  return {
      .id = "Eqs 2.23-2.34",
      .title = "The law of multiple impact, lzb",
      .text =
          "The law follows deformations in place of energies, which starts contacts at rest "
          "by itself. What the paper derives for energies must hold of it.",
      .statements = {
          {.says = "The force at a contact follows from the energy stored there (eq. 2.27), so "
                   "that forces are shared by stiffness and energy (eq. 2.28)",
           .holds = rule < 1e-7,
           .found = fmt::format("along the impacts of cases 2, 5 and 8: off by {:.1e}", rule)},
          {.says = "For one contact e is the energetic coefficient: the work ratio is e^2 "
                   "(eq. 2.34)",
           .holds = one.velocity < 1e-7 && one.ratio < 1e-7,
           .found = fmt::format("200 random contacts with friction: velocities equal those of "
                                "`energetic` to {:.1e}, work ratios equal e^2 to {:.1e}",
                                one.velocity, one.ratio)},
          {.says = "With e = 1 everything that was stored is released",
           .holds = std::abs(elastic[0]) < 1e-8,
           .found = fmt::format("case 4 without friction: energy changes by {:.1e}", elastic[0])},
          {.says = "With e = 0 contacts stay together",
           .holds = plastic[1] < 1e-8 && plastic[0] < 0.,
           .found = fmt::format("case 4 without friction: v_n+ of those that pushed up to {:.1e} "
                                "v_b, energy changes by {:.4f}",
                                plastic[1], plastic[0])}}};
}

// --- eqs 2.38 to 2.43
// -----------------------------------------------------------------------------

const DiscShape this_disc{disc_radius / half_thickness};
const DiscShape easiest_disc{4. / std::numbers::sqrt3};

/// Largest relative difference between (2.41) and G_nn/|G_nt|, where there is a bound.
double formula_off(const DiscShape& shape) {
  double worst = 0.;
  for (double theta = 0.02; theta <= upright; theta += 0.02) {
    const double direct = shape.critical_friction(theta);
    if (!std::isfinite(direct)) continue;
    worst = std::max(worst, std::abs(shape.printed_bound(theta) - direct) / direct);
  }
  return worst;
}

/// The largest theta'^2 l sin(theta + phi)/g of all motions: below 1 nothing detaches [eq. 2.43].
double nearest_to_detaching() {
  double most = 0.;
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscRun run = run_disc(c, StartFrom::impact);
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      if (!std::isfinite(run.ratio[i])) continue;
      const double critical = this_disc.detaching_spin(run.theta[i], half_thickness, gravity);
      most = std::max(most, std::pow(run.spin[i] / critical, 2));
    }
  }
  return most;
}

report::Chart painleve_chart() {
  report::ChartPanel bound{.title = "(a) friction that the paradox needs",
                           .x = {.label = "angle θ  [deg]", .range = report::Range{60., 90.}},
                           .y = {.label = "least μ_A", .range = report::Range{0., 10.}}};
  report::ChartPanel spin{.title = "(b) spin that lifts A off",
                          .x = {.label = "angle θ  [deg]", .range = report::Range{0., 90.}},
                          .y = {.label = "|dθ/dt|  [rad/s]", .range = report::Range{0., 65.}}};
  report::Series thin{.label = "this disc, r/h = 12.5"};
  report::Series easiest{.label = "r/h = 2.309", .colour = "#D55E00", .dash = "(10,6)"};
  report::Series critical{.label = "lifts off above"};
  for (double theta = 0.; theta <= 90.; theta += 0.25) {
    const double angle = theta * std::numbers::pi / 180.;
    thin.x.push_back(theta);
    thin.y.push_back(this_disc.critical_friction(angle));
    easiest.x.push_back(theta);
    easiest.y.push_back(easiest_disc.critical_friction(angle));
    critical.x.push_back(theta);
    critical.y.push_back(this_disc.detaching_spin(angle, half_thickness, gravity));
  }
  report::Series own = report::series_of(report::style_of_law("lzb"), "case 2, falling");
  const DiscRun run = run_disc(disc_ball_case(2), StartFrom::impact);
  for (std::size_t i = 0; i < run.time.size(); i += 5) {
    own.x.push_back(run.theta[i] * 180. / std::numbers::pi);
    own.y.push_back(std::abs(run.spin[i]));
  }
  bound.series = {thin, easiest};
  bound.marks = {
      {.at = 2. / std::numbers::sqrt3, .label = "2√3/3, least of all shapes", .across = true},
      {.at = 0.185, .label = "μ of the experiments, at most", .across = true}};
  spin.series = {critical, own};
  return {.heading = "Painlevé's paradox and detachment of the disc",
          .subheading = "the disc slides on A; below the curves there is neither",
          .panels = {bound, spin},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

Part painleve_part() {
  const double off = std::max(formula_off(this_disc), formula_off(easiest_disc));
  const double here = this_disc.critical_friction(upright);
  const double least_angle = this_disc.easiest_angle();
  const DiscShape best = easiest_shape();
  const double least = best.critical_friction(upright);
  const double nearest = nearest_to_detaching();
  const double flat = this_disc.detaching_spin(0., half_thickness, gravity);
  Table table{
      .caption = "Upright disc: the friction from which rigid contact has no or several forces",
      .columns = {"shape", "r/h", "least mu, from G", "least mu, eq. 2.42"},
      .rows = {{{given("this disc"), ours(this_disc.r_over_h), ours(here),
                 ours(this_disc.upright_bound())}},
               {{given("easiest, searched for"), ours(best.r_over_h), ours(least),
                 ours(best.upright_bound())}}}};
  return {
      .id = "Eqs 2.38-2.43",
      .title = "Painlevé's paradox and detachment",
      .text =
          "The disc slides on A. The coefficient A of gap'' = A F + B comes from the contact "
          "inverse inertia, A = G_nn - mu G_nt; the printed formulas are compared with it.",
      .tables = {table},
      .statements =
          {{.says = "The bound (2.41) on mu_A",
            .holds = off < 1e-12,
            .found = fmt::format("equals G_nn/|G_nt| to {:.1e} at all angles that have one", off)},
           {.says = "It is least upright, where it is r/(4h) + 4h/(3r) (eq. 2.42)",
            .holds = std::abs(least_angle - upright) < 1e-6 &&
                     std::abs(this_disc.upright_bound() - here) < 1e-12 * here,
            .found = fmt::format("least at {:.4f} deg, {:.5f} there",
                                 least_angle * 180. / std::numbers::pi, here)},
           {.says = "It is least of all shapes for r/h = 4 sqrt(3)/3, where mu_A = 2 sqrt(3)/3",
            .holds = std::abs(best.r_over_h - 4. / std::numbers::sqrt3) < 1e-6 &&
                     std::abs(least - 2. / std::numbers::sqrt3) < 1e-10,
            .found = fmt::format("r/h = {:.6f}, mu_A = {:.6f}", best.r_over_h, least)},
           {.says = "The paradox does not occur in this system",
            .holds = here > 0.23,
            .found = fmt::format("it needs mu = {:.4f}, the largest in Table 3 is 0.23", here)},
           {.says = "The disc does not detach while it falls",
            .holds = nearest < 1.,
            .found =
                fmt::format("theta'^2 reaches {:.3f} of the critical value over the motions of "
                            "cases 2 to 9",
                            nearest)},
           {.says = "The spin that detachment needs grows beyond bounds as the disc comes down",
            .holds = flat > 1e6,
            .found = fmt::format("{:.2f} rad/s at theta = 0", flat),
            .known = "L19"}},
      .pictures = {
          chart_picture("liu-zhang-zhao-brogliato-painleve",
                        "Left: how much friction it takes before rigid contact fails. The "
                        "disc of the experiments is far from it, and so is the shape that "
                        "comes nearest. Right: the falling disc spins up, but never so fast "
                        "that it would leave the ground; the bound is finite when flat.",
                        painleve_chart)}};
}

}  // namespace

std::vector<Part> model_parts() { return {kinematics_part(), law_part(), painleve_part()}; }

}  // namespace carom::papers::disc_ball
