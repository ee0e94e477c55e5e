// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/lzb.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/laws/lzb/euler.hpp>
#include <carom/laws/lzb/model.hpp>
#include <carom/laws/lzb/process.hpp>
#include <carom/laws/moreau/several.hpp>

namespace carom {
namespace {

constexpr std::array parameters{
    parameter::work_restitution,
    parameter::friction,
    parameter::static_friction,
    LawParameter{.key = "stiffness",
                 .symbol = "k",
                 .meaning = "force at unit deformation; with equal exponents only ratios matter",
                 .allowed = "> 0",
                 .fallback = ""},
    LawParameter{.key = "exponent",
                 .symbol = "a",
                 .meaning = "force grows as deformation to this power: 3/2 Hertz, 1 linear",
                 .allowed = "[0.1, 10]",
                 .fallback = "1.5"},
};

constexpr double default_tolerance = 1e-9;
constexpr double least_tolerance = 1e-13;

/// The reference velocity: the fastest approach, or a small fraction of the fastest slip, which can
/// turn into approach if a contact jams.
double speed_of(const ContactProblem& p) {
  constexpr double part = 1e-4;
  const std::size_t d = p.components();
  double approach = 0.;
  double any = 0.;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    approach = std::max(approach, -p.approach[i * d]);
    for (std::size_t c = 0; c < d; ++c) any = std::max(any, std::abs(p.approach[i * d + c]));
  }
  return std::max(approach, part * any);
}

/// Velocities after the impact, from the impulses. Values within the tolerances are set to zero.
template <int D>
void tell_velocities(const ContactProblem& problem, const lzb::Process<D>& process, Outcome& o) {
  o.velocity.assign(problem.approach.size(), 0.);
  problem.G.multiply(o.impulse, o.velocity);
  constexpr std::size_t d = D;
  const double unit = process.units().velocity;
  for (std::size_t k = 0; k < o.velocity.size(); ++k) o.velocity[k] += problem.approach[k];
  for (std::size_t i = 0; i < problem.contacts(); ++i) {
    double& v = o.velocity[i * d];
    if (process.rests(v / unit) && v != problem.approach[i * d]) v = 0.;
  }
}

/// Whether the contact whose components begin at `first` has no slip.
bool still(const std::vector<double>& velocity, std::size_t first, std::size_t d) {
  for (std::size_t c = 1; c < d; ++c) {
    if (velocity[first + c] != 0.) return false;
  }
  return true;
}

/// Explicit Euler method, to reproduce the paper: no phases, no trace.
Outcome solve_by_euler(const ContactProblem& problem, const SolveOptions& options) {
  const double speed = speed_of(problem);
  if (!(speed > 0.)) return unchanged(problem, Verdict::no_impulse);
  const lzb::Model model = lzb::make_model(problem, speed);
  const std::size_t most_steps = options.most_steps > 0
                                     ? options.most_steps
                                     : 1000 * options.euler_steps * (1 + problem.contacts());
  const lzb::EulerEnd end = lzb::euler(model, options.euler_steps, most_steps);
  if (end.steps == 0) return unchanged(problem, Verdict::no_impulse);
  Outcome o;
  const std::size_t d = problem.components();
  o.impulse = end.P;
  for (double& P : o.impulse) P *= model.units.impulse();
  o.velocity.assign(problem.approach.size(), 0.);
  problem.G.multiply(o.impulse, o.velocity);
  for (std::size_t k = 0; k < o.velocity.size(); ++k) o.velocity[k] += problem.approach[k];
  const double unit = model.units.energy();
  bool again = false;
  for (std::size_t i = 0; i < problem.contacts(); ++i) {
    ContactOutcome contact;
    EnergyLedger& e = contact.energy;
    e.stages = StageWork{.compression = end.compression[i] * unit,
                         .restitution = end.restitution[i] * unit};
    e.normal = e.stages->compression + e.stages->restitution;
    e.friction = end.friction[i] * unit;
    e.change = e.normal + e.friction;
    again = again || end.recompressed[i];
    const bool pushed = o.impulse[i * d] > 0.;
    contact.mode = !pushed                       ? Mode::no_impulse
                   : d == 1                      ? Mode::closed
                   : still(o.velocity, i * d, d) ? Mode::stick
                                                 : Mode::slip;
    o.contacts.push_back(contact);
  }
  o.energy = sum(o.contacts);
  o.tolerance = 1. / static_cast<double>(options.euler_steps);
  o.steps = end.steps;
  o.flags.add_if(!end.converged, Verdict::not_converged);
  o.flags.add_if(again, Verdict::recompressed);
  double scale = 0.;
  for (const ContactOutcome& c : o.contacts) scale += c.energy.scale();
  o.flags.add_if(gains_energy(o.energy.change, scale), Verdict::energy_gained);
  return o;
}

template <int D>
Outcome solve(const ContactProblem& problem, const SolveOptions& options, Course* trace) {
  const double speed = speed_of(problem);
  if (!(speed > 0.)) return unchanged(problem, Verdict::no_impulse);
  const double tolerance =
      std::max(options.tolerance > 0. ? options.tolerance : default_tolerance, least_tolerance);
  const std::size_t most_steps =
      options.most_steps > 0 ? options.most_steps : 200000 + 2000 * problem.contacts();
  const lzb::Model model = lzb::make_model(problem, speed);
  lzb::Process<D> process(model, tolerance, most_steps, trace);
  if (process.idle()) return unchanged(problem, Verdict::no_impulse);
  process.run();

  Outcome o;
  o.impulse = process.state().P;
  for (double& P : o.impulse) P *= model.units.impulse();
  tell_velocities(problem, process, o);
  process.record().write(process.state(), o);
  o.tolerance = tolerance;
  o.steps = process.steps();
  o.collapsed = process.ended_early();
  o.flags.add_if(!process.converged(), Verdict::not_converged);
  o.flags.add_if(process.jams(), Verdict::jam);
  o.flags.add_if(process.recompressed(), Verdict::recompressed);
  return o;
}

Outcome solve_adaptively(const ContactProblem& problem, const SolveOptions& options,
                         Course* trace) {
  switch (problem.components()) {
    case 1:
      return solve<1>(problem, options, trace);
    case 2:
      return solve<2>(problem, options, trace);
    default:
      return solve<3>(problem, options, trace);
  }
}

/// Whether no impulses within the cones end the approach: a locked contact, or an approach outside
/// the range of G.
bool cannot_stop(ContactProblem problem) {
  for (Surface& s : problem.surfaces) s.restitution = s.tangential_restitution = 0.;
  return solve_multi_moreau(problem).flags.has(Verdict::no_solution);
}

}  // namespace

constexpr LawInfo Lzb::info{
    .id = "lzb",
    .summary =
        "several contacts with springs: stored energy distributes the forces, energetic "
        "restitution",
    .assumptions =
        "Rigid bodies that touch at several contacts, each with a spring of force k x^a that "
        "stores the work of compression and returns e^2 of it. Coulomb friction at every instant: "
        "each contact may slip, stick and reverse its slip, and be compressed again. Bodies do not "
        "move during the impact. With equal exponents only ratios of stiffness matter. Closed "
        "contacts at rest take part. Never creates energy.",
    .source = "[liu2013]",
    .parameters = parameters};

Outcome solve_lzb(const ContactProblem& problem, const SolveOptions& options, Course* trace) {
  if (options.euler_steps > 0) return solve_by_euler(problem, options);
  Outcome o = solve_adaptively(problem, options, trace);
  if (o.flags.has(Verdict::not_converged) && cannot_stop(problem)) {
    return unchanged(problem, Verdict::no_solution);
  }
  return o;
}

}  // namespace carom
