// SPDX-License-Identifier: Apache-2.0
// Errata of the law of impact, of its end in contact and of detachment, L8 to L13 and L16 to L19,
// each with a computation that shows it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/laws/lzb.hpp>
#include <carom/mechanics/ball_chain.hpp>
#include <carom/motion/disc_model.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/painleve_of_disc.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double upright = 0.5 * std::numbers::pi;

bool near(double a, double b, double scale, double tolerance) {
  return std::abs(a - b) <= tolerance * std::abs(scale);
}

// --- the law ------------------------------------------------------------------------------------

struct Course {
  MultiOutcome outcome;
  MultiTrace trace;
};
Course course_of(int number) {
  const DiscBallCase& c = disc_ball_case(number);
  const DiscBallSurfaces s = surfaces_of(c);
  const MultiAtImpact at = at_impact(system_of(c));
  Course course;
  course.outcome = solve_lzb(
      {.G = at.contact.G, .approach = at.contact.approach, .surfaces = {s.begin(), s.end()}},
      {.tolerance = 1e-10}, &course.trace);
  return course;
}

/// Energy, force and impulse of a contact along the course.
double energy(const MultiTrace& t, std::size_t s, std::size_t i) {
  return t.energy[s * t.contacts + i];
}
double force(const MultiTrace& t, std::size_t s, std::size_t i) {
  return t.force[s * t.contacts + i];
}

/// The sample at which D holds most energy.
std::size_t fullest(const MultiTrace& t) {
  std::size_t best = 0;
  for (std::size_t s = 0; s < t.samples(); ++s) {
    if (energy(t, s, 3) > energy(t, best, 3)) best = s;
  }
  return best;
}

Erratum energy_may_vanish(const Course& c) {
  double ends = 0.;
  for (std::size_t i = 0; i < 4; ++i) {
    ends = largest({ends, energy(c.trace, 0, i), energy(c.trace, c.trace.samples() - 1, i)});
  }
  const double most = energy(c.trace, fullest(c.trace), 3);
  return {.id = "L8",
          .reason = Reason::misprint,
          .where = "Eq. 2.24",
          .printed = "E_i > 0",
          .corrected = "E_i >= 0",
          .shown =
              fmt::format("case 2: E_D reaches {:.4e} J, and the energies of all contacts are zero "
                          "at the beginning and at the end",
                          most),
          .holds = ends < 1e-6 * most};
}

/// -integral of delta_D' dP_D from the beginning to a sample, along the course [J].
double work_at_D(const MultiTrace& t, std::size_t last) {
  double work = 0.;
  for (std::size_t s = 1; s <= last; ++s) {
    const std::size_t now = s * t.contacts + 3, before = now - t.contacts;
    work -= 0.5 * (t.velocity[now] + t.velocity[before]) * (t.impulse[now] - t.impulse[before]);
  }
  return work;
}

Erratum limit_of_integral(const Course& c) {
  const std::size_t s = fullest(c.trace);
  const double work = work_at_D(c.trace, s);
  const MultiSurface D = surfaces_of(disc_ball_case(2))[3];
  const double F = force(c.trace, s, 3);
  const double P = c.trace.impulse[s * 4 + 3];
  const double left = std::pow(F, 1. / D.exponent + 1.) / (1. / D.exponent + 1.);
  const double right = D.exponent * std::pow(D.stiffness, 1. / D.exponent) * work;
  return {.id = "L9",
          .reason = Reason::scan,
          .where = "Eq. 2.26",
          .printed = "the integral of delta_i' dP_i runs up to F_i",
          .corrected = "it runs up to P_i",
          .shown = fmt::format(
              "case 2, D at its deepest: F = {:.2f} N; -delta' dP summed along the "
              "course up to P = {:.5f} N s is {:.5e} J, and makes the right side {:.2f}; "
              "the left is {:.2f}. A force is no limit for an impulse",
              F, P, work, right, left),
          .holds = near(left, right, left, 1e-3)};
}

Erratum denominator(const Course& c) {
  const DiscBallSurfaces surfaces = surfaces_of(disc_ball_case(2));
  std::size_t s = 0;
  while (s + 1 < c.trace.samples() &&
         !(energy(c.trace, s, 0) > 1e-9 && energy(c.trace, s, 3) > 1e-9)) {
    ++s;
  }
  const double ratio = force(c.trace, s, 0) / force(c.trace, s, 3);
  const double energies = std::pow(energy(c.trace, s, 0) / energy(c.trace, s, 3), 0.6);
  const double stiffness = std::pow(surfaces[0].stiffness / surfaces[3].stiffness, 0.4);
  return {.id = "L10",
          .reason = Reason::scan,
          .where = "Eqs 2.28 and 2.30",
          .printed = "k_i^(1/(a_i+1)) / k_i^(1/(a_j+1))",
          .corrected = "k_i^(1/(a_i+1)) / k_j^(1/(a_j+1))",
          .shown =
              fmt::format("case 2, when A holds a nanojoule: F_A/F_D = {:.5f}; with k_j {:.5f}, as "
                          "printed {:.5f}",
                          ratio, stiffness * energies, energies),
          .holds =
              near(ratio, stiffness * energies, ratio, 1e-6) && !near(ratio, energies, ratio, 0.1)};
}

Erratum sign_of_work() {
  const Course c = course_of(1);
  const double most = energy(c.trace, fullest(c.trace), 3);
  const StageWork w = c.outcome.contacts[3].stages.value_or(StageWork{});
  const double e = surfaces_of(disc_ball_case(1))[3].restitution;
  return {.id = "L11",
          .reason = Reason::misprint,
          .where = "before eq. 2.24, against eq. 2.31",
          .printed = "dE = dw, and later dw = -eta dE",
          .corrected = "dw = delta' dP and dE = -dw/eta throughout",
          .shown = fmt::format(
              "case 1: E_D reaches {:.5e} J while the force's work is {:.5e} J; it gives "
              "back {:.5e} J, e^2 times as much",
              most, w.compression, w.restitution),
          .holds = near(most, -w.compression, most, 1e-3) &&
                   near(w.restitution, -e * e * w.compression, most, 1e-8)};
}

/// Explicit steps of eqs 2.28 and 2.31 for A and D of case 2 without friction, until D is deepest.
struct EnergyForm {
  double impulse = 0.;   ///< of A [N s]
  double energy = 0.;    ///< of A [J]
  double velocity = 0.;  ///< normal, of A [m/s]
};
EnergyForm by_energies(double energy_of_A) {
  const DiscBallCase& two = disc_ball_case(2);
  const DiscBallSurfaces surfaces = surfaces_of(two);
  const auto G = at_impact(system_of(two)).contact.G.dense();
  const double stiffness = std::pow(surfaces[0].stiffness / surfaces[3].stiffness, 0.4);
  const double step = 1e-4 * two.velocity / G(6, 6);
  EnergyForm A{.energy = energy_of_A};
  double v_D = -two.velocity, E_D = 0.;
  while (v_D < 0.) {
    const double share = E_D > 0. ? stiffness * std::pow(A.energy / E_D, 0.6) : 0.;
    const double e = A.velocity > 0. ? surfaces[0].restitution : 1.;
    E_D -= v_D * step;
    A.energy = std::max(0., A.energy - A.velocity * share * step / (e * e));
    A.impulse += share * step;
    A.velocity += (G(0, 0) * share + G(0, 6)) * step;
    v_D += (G(6, 0) * share + G(6, 6)) * step;
  }
  return A;
}

Erratum start_of_rest(const Course& c) {
  const EnergyForm empty = by_energies(0.), seeded = by_energies(1e-15);
  const DiscBallCase& two = disc_ball_case(2);
  const MultiAtImpact at = at_impact(system_of(two));
  const auto G = at.contact.G.dense();
  const double P = (1. + surfaces_of(two)[3].restitution) * two.velocity / G(6, 6);
  const double left = G(0, 6) * P;  // v_A where A never pushes
  return {
      .id = "L12",
      .reason = Reason::reading,
      .where = "Eq. 2.30",
      .printed = "a contact at rest starts with dP_i = 0, so that E_i = 0 and dP_i = 0 for ever",
      .corrected = "E_i = 0 is a spurious solution; follow the deformation, which starts by itself",
      .shown =
          fmt::format("case 2: if A never pushed, D would drive it in at {:.5f} m/s; `lzb` "
                      "gives it an impulse of {:.5f} N s and it leaves at {:.5f} m/s. Steps of "
                      "eqs 2.28 and 2.31 without friction, until D is deepest: from E_A = 0 "
                      "its energy stays {:g} J, its impulse {:g} N s, and it moves in at {:.5f} "
                      "m/s; from 1e-15 J it has {:.5f} N s",
                      left, c.outcome.impulse[0], c.outcome.velocity[0], empty.energy,
                      empty.impulse, empty.velocity, seeded.impulse),
      .holds = empty.energy == 0. && empty.impulse == 0. && empty.velocity < 0. &&
               seeded.impulse > 0. && seeded.velocity > empty.velocity && left < 0. &&
               c.outcome.impulse[0] > 0. && c.outcome.velocity[0] > 0.};
}

Erratum compresses_again() {
  const MultiAtImpact at =
      at_impact(BallChain{.masses = {1., 0.1, 1.}, .velocities = {1., 0., 0.}});
  const MultiOutcome o =
      solve_lzb({.G = at.contact.G,
                 .approach = at.contact.approach,
                 .surfaces = std::vector<MultiSurface>(2, {.restitution = 1., .stiffness = 1e6})});
  std::size_t compressions = 0;
  bool released = true;
  for (const MultiPhase& p : o.phases) {
    if (p.contact != 0) continue;
    if (p.stage == Stage::compression && released) ++compressions;
    released = p.stage == Stage::restitution;
  }
  return {
      .id = "L13",
      .reason = Reason::reading,
      .where = "after eq. 2.34",
      .printed = "whether a contact that has ended may compress again is not said",
      .corrected = "it may, within the same impact",
      .shown = fmt::format("balls of 1, 0.1 and 1 kg in a row, elastic: the light one goes to and "
                           "fro, and the first contact compresses {} times",
                           compressions),
      .holds = compressions >= 2 && std::abs(o.energy.change) < 1e-8};
}

// --- from impacts to contact --------------------------------------------------------------------

/// The change of v_A in a free fall of T_c after the impact of case 4, over g T_c.
struct Fall {
  double change = 0.;
  double by_g = 0.;   ///< (h c + r s) theta'^2/g - 1
  double by_mg = 0.;  ///< with m g
};
Fall fall_of_case4() {
  const DiscBallCase& c = disc_ball_case(4);
  const DiscBallRow row = disc_ball_as_written(system_of(c), surfaces_of(c));
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  motion::State from, to;
  from.q = to.q = Eigen::Vector3d(0., disc_radius, upright);
  from.u = to.u = Eigen::Vector3d(row.v2, row.rise, row.spin);
  const double T = printed_contact_time(c.velocity);
  model.fly(from, T, to);
  motion::ContactMotion before, after;
  before.W.resize(3, 3);
  after.W.resize(3, 3);
  model.contact(0, from, before);
  model.contact(0, to, after);
  const double turning = disc_radius * row.spin * row.spin / gravity;
  return {.change = (after.velocity(0) - before.velocity(0)) / (gravity * T),
          .by_g = turning - 1.,
          .by_mg = turning / disc_mass - 1.};
}

Erratum two_velocities(const Fall& f) {
  return {
      .id = "L16",
      .reason = Reason::scan,
      .where = "between eqs 2.36 and 2.37",
      .printed = "two velocities delta_A'+ under one symbol, whose difference is not zero",
      .corrected = "one with gravity and turning, the other without",
      .shown = fmt::format("case 4: within T_c the disc's fall and turning change v_A by {:.4f} g "
                           "T_c; the formula for the difference gives {:.4f}",
                           f.change, f.by_g),
      .holds = near(f.change, f.by_g, 1., 1e-3)};
}

Erratum mass_in_turning(const Fall& f) {
  return {.id = "L17",
          .reason = Reason::misprint,
          .where = "Eq. 2.37",
          .printed = "(h cos + r sin) theta'^2/(m g), which has the unit 1/kg",
          .corrected = "(h cos + r sin) theta'^2/g",
          .shown = fmt::format(
              "case 4: turning adds {:.4f} g T_c to v_A within T_c; the corrected term is "
              "{:.4f}, the printed one {:.4f}",
              1. + f.change, 1. + f.by_g, 1. + f.by_mg),
          .holds = near(f.change, f.by_g, 1., 1e-3) && !near(f.change, f.by_mg, 1., 0.05)};
}

Erratum which_duration() {
  const DiscBallCase& c = disc_ball_case(8);
  const std::string ball = run_disc(c, StartFrom::printed, ImpactTime::ball).told(0.);
  const std::string own = run_disc(c, StartFrom::printed, ImpactTime::local).told(0.);
  return {.id = "L18",
          .reason = Reason::reading,
          .where = "Eq. 2.37",
          .printed =
              "T_c of which impact, v_n before or after, and how what is left of v_n vanishes are "
              "not said",
          .corrected =
              "here: the contact with the least v_n+ < g T_c, its v_n removed along M^-1 W; T_c "
              "by eq. 4.1, or Hertz's of each impact",
          .shown = fmt::format(
              "case 8 from Table 4. T_c by eq. 4.1: {}. T_c of each impact: {}; impacts that pass "
              "from C to A, and then slip, are what the text describes",
              ball, own),
          .holds = own.rfind("impacts at C, impacts at A, A slip+", 0) == 0 &&
                   ball.find("impacts at A") == std::string::npos};
}

Erratum finite_spin() {
  const double flat =
      DiscShape{disc_radius / half_thickness}.detaching_spin(0., half_thickness, gravity);
  const DiscRun run = run_disc(disc_ball_case(2), StartFrom::impact);
  const double fastest = std::abs(*std::min_element(run.spin.begin(), run.spin.end()));
  return {.id = "L19",
          .reason = Reason::misprint,
          .where = "after eq. 2.43",
          .printed = "the critical angular velocity grows beyond bounds as theta goes to 0",
          .corrected = "it goes to sqrt(g/h); the disc does not reach it",
          .shown = fmt::format("sqrt(g/h) = {:.2f} rad/s; case 2 comes down with {:.2f} rad/s",
                               flat, fastest),
          .holds = near(flat, std::sqrt(gravity / half_thickness), flat, 1e-12) && fastest < flat};
}

}  // namespace

std::vector<Erratum> law_errata() {
  const Course course = course_of(2);
  const Fall fall = fall_of_case4();
  return {energy_may_vanish(course), limit_of_integral(course),
          denominator(course),       sign_of_work(),
          start_of_rest(course),     compresses_again(),
          two_velocities(fall),      mass_in_turning(fall),
          which_duration(),          finite_spin()};
}

}  // namespace carom::papers::disc_ball
