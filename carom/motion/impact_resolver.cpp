// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/impact_resolver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <carom/motion/acceleration.hpp>

namespace carom::motion {

namespace {

/// Impacts per contact that may follow each other where they strike one after the other. With
/// restitution 0 each round leaves a fraction of the approach, a half or less for bodies of similar
/// mass, so that fifty reach rounding; light bodies between heavy ones need many more.
constexpr std::size_t most_in_turn = 1000;

/// tau of an impact without collision, relative to the time in which the fastest slip would change
/// without contact forces: half of the digits are left. Contacts whose slip is a millionth of the
/// fastest may change their modes in it.
constexpr double small_time = 1e-6;
/// Impulses that change velocities by less, relative to the fastest slip, are none.
constexpr double no_change = 1e-9;
/// Relative, where forces diverge: what is left to the pole at `most_force` of Indicators, and ten
/// times as much where that is not enough.
constexpr std::array more_friction{1e-6, 1e-5};
/// Impulses that are not found for tau are followed from so many times longer ones, which are at
/// most 0.1 in the same units: by then the modes are others.
constexpr double longer_by = 10.;
constexpr int most_longer = 5;

bool needs_stiffness(const Law& law) { return law.info->knows("stiffness"); }

/// The verdicts of all outcomes, whatever their order.
void add_flags(Impact& impact, Verdicts flags) {
  impact.flags =
      Verdicts::from_bits(static_cast<std::uint16_t>(impact.flags.bits() | flags.bits()));
}

void add_note(Impact& impact, const std::string& note) {
  impact.note += (impact.note.empty() ? "" : "; ") + note;
}

/// "lzb has no outcome (not-converged after 300 steps): moreau instead"
std::string change_of_law(const Law& law, const Outcome& outcome, const Law& other,
                          const ContactProblem& problem) {
  std::string text = std::string(law.name) + " has no outcome (" +
                     std::string(carom::name(outcome.flags.gravest()));
  if (outcome.flags.gravest() == Verdict::not_converged && outcome.steps > 0) {
    text += " after " + std::to_string(outcome.steps) + " steps";
  }
  text += "): " + std::string(other.name) + " instead";
  if (const auto ignored = cannot_honour(other, problem)) text += ", which " + *ignored;
  return text;
}

}  // namespace

double push(Mechanics& mechanics, const std::vector<std::size_t>& contacts, const Vector& impulse,
            Vector& u) {
  const std::size_t components = mechanics.components;
  double support = 0.;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactMotion& m = mechanics.motion(contacts[k]);
    for (std::size_t j = 0; j < components; ++j) {
      support += impulse(ix(k * components + j)) *
                 (mechanics.along(contacts[k], j, u) - m.velocity(ix(j)));
    }
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    std::array<double, 3> P{};
    for (std::size_t j = 0; j < components; ++j) P[j] = impulse(ix(k * components + j));
    mechanics.push(contacts[k], P, u);
  }
  return support;
}

ImpactResolver::ImpactResolver(const Setting& setting, const Contacts& contacts)
    : setting_(setting), contacts_(contacts), single_(setting.options) {}

bool ImpactResolver::strike(const std::vector<std::size_t>& contacts, const Jam* jam,
                            Mechanics& mechanics, const State& state, Impact& impact,
                            Trouble& trouble) {
  impact.work.assign(contacts.size(), 0.);
  impact.energy_change = 0.;
  impact.flags = {};
  impact.note.clear();
  impact.other_law = 0;
  impact.opens.clear();
  if (contacts.size() == 1) {
    return strike_one(contacts, jam != nullptr, mechanics, impact, trouble);
  }
  return jam != nullptr
             ? strike_without_collision(contacts, *jam, mechanics, state, impact, trouble)
             : strike_several(contacts, mechanics, state, impact, trouble);
}

bool ImpactResolver::strike_one(const std::vector<std::size_t>& one, bool without_collision,
                                Mechanics& mechanics, Impact& impact, Trouble& trouble) {
  const std::size_t contact = one[0];
  const std::size_t components = setting_.components;
  mechanics.contact_space(one, G_, b_);
  Eigen::Vector3d v = mechanics.motion(contact).velocity;
  if (without_collision) v(0) = 0.;
  std::array<double, 9> block{};
  for (std::size_t r = 0; r < components; ++r) {
    for (std::size_t c = 0; c < components; ++c) {
      block[r * components + c] = G_(ix(std::min(r, c)), ix(std::max(r, c)));
    }
  }
  Surface s = contacts_.surface(contact);
  if (without_collision) s.friction = jamming_friction(contact, mechanics.motion(contact));
  s.static_friction = std::max(s.friction, s.static_friction);
  const bool answered =
      single_.solve({block.data(), components * components}, {v.data(), components}, s);
  const Outcome& outcome = single_.outcome();
  impact.flags = outcome.flags;
  impact.impulse = Eigen::Map<const Vector>(outcome.impulse.data(), ix(components));
  impact.work[0] = outcome.energy.change;
  impact.energy_change = outcome.energy.change;
  return answered || no_outcome(contact, trouble);
}

bool ImpactResolver::no_outcome(std::size_t contact, Trouble& trouble) const {
  return trouble.fail(Failure::no_outcome,
                      "the impact at " + contacts_.name(contact) + " has no outcome: " +
                          std::string(carom::name(single_.outcome().flags.gravest())));
}

bool ImpactResolver::strike_several(const std::vector<std::size_t>& contacts, Mechanics& mechanics,
                                    const State& state, Impact& impact, Trouble& trouble) {
  const Options& options = setting_.options;
  mechanics.contact_space(contacts, G_, b_);
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G_, setting_.components);
  bool has_stiffness = true;
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics.motion(i).velocity;
    const Surface& s = contacts_.surface(i);
    for (std::size_t j = 0; j < setting_.components; ++j) problem.approach.push_back(v(ix(j)));
    problem.surfaces.push_back(s);
    has_stiffness =
        has_stiffness && s.stiffness > 0. && std::isfinite(s.stiffness) && s.exponent > 0.;
  }
  const Law* law = options.several ? options.several : find_law("lzb");
  if (needs_stiffness(*law) && !has_stiffness) law = find_law("moreau");
  SolveOptions how = options.several_options;
  if (how.most_steps == 0) how.most_steps = default_lzb_steps(contacts.size());
  Outcome outcome;
  solve(*law, problem, how, workspace_, outcome);
  if (gives_no_answer(outcome.flags)) {
    // Another law may have a solution; the event and the summary mention it.
    const Law* other = find_law(needs_stiffness(*law) ? "moreau" : "lzb");
    if (!needs_stiffness(*other) || has_stiffness) {
      how.euler_steps = 0;
      Outcome second;
      solve(*other, problem, how, workspace_, second);
      if (!gives_no_answer(second.flags)) {
        add_note(impact, change_of_law(*law, outcome, *other, problem));
        ++impact.other_law;
        outcome = std::move(second);
        law = other;
      }
    }
  }
  add_flags(impact, outcome.flags);
  impact.impulse = Eigen::Map<const Vector>(outcome.impulse.data(), ix(outcome.impulse.size()));
  if (gives_no_answer(outcome.flags) || !impact.impulse.allFinite()) {
    add_note(impact, std::string(law->name) + " has no outcome (" +
                         std::string(carom::name(outcome.flags.gravest())) +
                         "): the contacts strike one after the other");
    ++impact.other_law;
    Trouble endless;
    if (strike_in_turn(contacts, problem, mechanics, state, impact, endless)) return true;
    // Friction may wedge bodies so that impacts in turn take ever less of the approach. Without
    // restitution there is a solution for all contacts together, unless supports crush a body.
    if (endless.failure != Failure::endless_impacts || !stop(contacts, mechanics, impact)) {
      return trouble.fail(endless.failure, endless.reason);
    }
    add_note(impact, "these do not end: together, without restitution");
    set_work(contacts, mechanics, state.u, impact);
    return true;
  }
  // Laws without a process, which is integrated over stiffness, give velocities that fit their
  // impulses to a tolerance only. Where bodies jam impulses are large, and so would be the error of
  // the balance.
  if (!needs_stiffness(*law)) {
    set_work(contacts, mechanics, state.u, impact);
    return true;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    impact.work[k] = outcome.contacts[k].energy.change;
  }
  impact.energy_change = outcome.energy.change;
  return true;
}

// Where no law has an outcome for all contacts together: the one that approaches fastest strikes
// first, by the law for one contact, until none approaches.
bool ImpactResolver::strike_in_turn(const std::vector<std::size_t>& contacts,
                                    const ContactProblem& all, const Mechanics& mechanics,
                                    const State& state, Impact& impact, Trouble& trouble) {
  const auto c = ix(setting_.components);
  const double faint = setting_.scales.faint;
  Vector v = Eigen::Map<const Vector>(all.approach.data(), b_.size());
  Vector one(c);
  impact.impulse.setZero(b_.size());
  std::size_t left = most_in_turn * contacts.size();
  while (true) {
    Eigen::Index fastest = 0;
    for (Eigen::Index k = 0; k < b_.size(); k += c) {
      if (v(k) < v(fastest)) fastest = k;
    }
    if (!(v(fastest) < -faint)) break;
    const auto place = static_cast<std::size_t>(fastest / c);
    if (left-- == 0) {
      // Bodies cannot give way to supports that approach each other.
      const bool crushed = std::any_of(contacts.begin(), contacts.end(), [&](std::size_t i) {
        const double own = mechanics.along(i, 0, state.u);
        return std::abs(own - mechanics.motion(i).velocity(0)) > faint;
      });
      return trouble.fail(
          Failure::endless_impacts,
          "impacts at " + std::to_string(contacts.size()) +
              " contacts do not end when they strike one after the other, the fastest at " +
              contacts_.name(contacts[place]) +
              (crushed ? "; a body may be crushed between supports, one of which moves: leave "
                         "it room"
                       : "; try a smaller restitution or friction"));
    }
    const Matrix block = G_.block(fastest, fastest, c, c);
    const bool answered =
        single_.solve({block.data(), static_cast<std::size_t>(c * c)},
                      {v.data() + fastest, setting_.components}, all.surfaces[place]);
    const Outcome& outcome = single_.outcome();
    add_flags(impact, outcome.flags);
    one = Eigen::Map<const Vector>(outcome.impulse.data(), c);
    if (!answered || !(one(0) > 0.)) return no_outcome(contacts[place], trouble);
    impact.impulse.segment(fastest, c) += one;
    v += G_.middleCols(fastest, c) * one;
    impact.work[place] += outcome.energy.change;
  }
  for (const double work : impact.work) impact.energy_change += work;
  return true;
}

/// An impact without collision, of velocities v + tau b.
struct ImpactResolver::Limit {
  std::vector<double> v;   ///< without approach
  ContactProblem problem;  ///< without restitution
};

/// @param near  impulses near the solution; empty: none
bool ImpactResolver::find_impulses(Limit& limit, double tau, const std::vector<double>& near,
                                   Vector& impulse) {
  ContactProblem& p = limit.problem;
  p.approach = limit.v;
  for (std::size_t k = 0; k < limit.v.size(); ++k) p.approach[k] += tau * b_(ix(k));
  if (near.empty()) {
    Outcome outcome;
    solve(*find_law("moreau"), p, {}, workspace_, outcome);
    impulse = Eigen::Map<const Vector>(outcome.impulse.data(), b_.size());
    return !gives_no_answer(outcome.flags) && impulse.allFinite();
  }
  // The same, with a guess.
  workspace_.mu.clear();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    workspace_.mu.push_back(p.surfaces[i].friction);
    for (std::size_t j = 1; j < p.components(); ++j) {
      p.approach[i * p.components() + j] *= 1. + p.surfaces[i].tangential_restitution;
    }
  }
  const auto& result =
      workspace_.friction.solve({.G = p.G, .b = p.approach, .mu = workspace_.mu}, {.guess = near});
  impulse = Eigen::Map<const Vector>(result.P.data(), b_.size());
  return result.status == complementarity::FrictionStatus::solved && impulse.allFinite();
}

// With a short tau impulses of a jam are far from those that vanish with tau, and v alone nearly
// solves the problem without any: the solver may come to neither. They are followed from a longer
// tau, for which they were found, by their last two values.
bool ImpactResolver::follow_impulses(Limit& limit, double tau, Vector& impulse) {
  if (find_impulses(limit, tau, {}, impulse)) return true;
  double time = tau;
  int longer = 0;
  do {
    if (++longer > most_longer) return false;
    time *= longer_by;
  } while (!find_impulses(limit, time, {}, impulse));
  Vector before = impulse;
  double time_before = 2. * time;
  for (; longer > 0; --longer) {
    const double next = longer == 1 ? tau : time / longer_by;
    const Vector guess = impulse + (impulse - before) * ((next - time) / (time - time_before));
    before = impulse;
    time_before = time;
    time = next;
    if (!find_impulses(limit, time, {guess.begin(), guess.end()}, impulse)) return false;
  }
  return true;
}

// Several contacts that have no finite forces: the impulses P with which velocities v + tau b obey
// Coulomb's law, as tau -> 0, b being the accelerations without contact forces. They do not vanish
// with tau, because forces P/tau would be a solution. P(tau) is linear while the modes do not
// change (nearly so in space), so that two values give the limit.
bool ImpactResolver::strike_without_collision(const std::vector<std::size_t>& contacts,
                                              const Jam& jam, Mechanics& mechanics,
                                              const State& state, Impact& impact,
                                              Trouble& trouble) {
  const std::size_t components = setting_.components;
  const auto fails = [&](const char* before, const char* after) {
    return trouble.fail(Failure::no_forces, before + std::to_string(contacts.size()) +
                                                " closed contacts around " +
                                                contacts_.name(contacts[0]) + after);
  };
  mechanics.contact_space(contacts, G_, b_);
  Limit limit;
  limit.problem.G = BlockMatrix::from_dense(G_, components);
  double fastest = 0.;
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics.motion(i).velocity;
    limit.v.push_back(v(0) <= setting_.scales.still ? 0. : v(0));
    for (std::size_t j = 1; j < components; ++j) limit.v.push_back(v(ix(j)));
    fastest = std::max(fastest, std::hypot(v(1), v(2)));
    limit.problem.surfaces.push_back(contacts_.surface(i));
    limit.problem.surfaces.back().restitution = 0.;  // of an approach that vanishes
  }
  const auto set_friction = [&](double more) {
    for (std::size_t a = 0; a < contacts.size(); ++a) {
      const Surface& own = contacts_.surface(contacts[a]);
      limit.problem.surfaces[a].friction = (1. + more) * own.friction;
      limit.problem.surfaces[a].static_friction = (1. + more) * own.static_friction;
    }
  };
  const double tau = small_time * fastest / b_.cwiseAbs().maxCoeff();
  if (!(tau > 0.)) {
    return fails("no contact forces satisfy Coulomb's law at the ",
                 ", and nothing slips that could stop");
  }
  const auto find_limit = [&] {
    Vector whole, half;
    if (!follow_impulses(limit, tau, whole) || !follow_impulses(limit, 0.5 * tau, half)) {
      return false;
    }
    impact.impulse = 2. * half - whole;
    // Where one of them jams and the other does not, that one is right but for tau b.
    const double largest = std::max(whole.cwiseAbs().maxCoeff(), half.cwiseAbs().maxCoeff());
    for (Eigen::Index k = 0; k < b_.size(); k += ix(components)) {
      if (impact.impulse(k) >= -no_change * largest) continue;
      impact.impulse = whole.squaredNorm() > half.squaredNorm() ? whole : half;
      break;
    }
    impact.opens.clear();
    for (std::size_t a = 0; a < contacts.size(); ++a) {
      if (whole(ix(a * components)) == 0.) impact.opens.push_back(contacts[a]);
    }
    return true;
  };
  const auto changes_nothing = [&] {
    return (G_ * impact.impulse).cwiseAbs().maxCoeff() <= no_change * fastest;
  };
  bool found = find_limit();
  // Forces that diverge are still finite: the paradox begins with a little more friction.
  for (const double more : more_friction) {
    if (found && !changes_nothing()) break;
    set_friction(more);
    found = find_limit();
  }
  // Or they have only just ceased to exist: the limit is that of an approach.
  if (!found || (changes_nothing() && (jam.presses || impact.opens.empty()))) {
    const auto place = std::find(contacts.begin(), contacts.end(), jam.contact) - contacts.begin();
    set_friction(0.);
    b_(place * ix(components)) -= b_.cwiseAbs().maxCoeff();
    found = find_limit();
  }
  if (found && changes_nothing()) impact.impulse.setZero();
  if (!impact.impulse.isZero(0.)) impact.opens.clear();
  if (!found) {
    return fails("neither forces nor impulses satisfy Coulomb's law at the ",
                 "; try another friction coefficient");
  }
  set_work(contacts, mechanics, state.u, impact);
  return true;
}

// P.(v- + v+)/2 of each contact, v+ being the velocity that the impulses lead to. Where bodies jam
// impulses can be so large that v- + G P differs from it by rounding, which would be work.
void ImpactResolver::set_work(const std::vector<std::size_t>& contacts, Mechanics& mechanics,
                              const Vector& u, Impact& impact) {
  const std::size_t components = setting_.components;
  pushed_ = u;
  (void)push(mechanics, contacts, impact.impulse, pushed_);
  impact.work.assign(contacts.size(), 0.);
  impact.energy_change = 0.;
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    const std::size_t i = contacts[a];
    for (std::size_t j = 0; j < components; ++j) {
      const double change = mechanics.along(i, j, pushed_) - mechanics.along(i, j, u);
      impact.work[a] += impact.impulse(ix(a * components + j)) *
                        (mechanics.motion(i).velocity(ix(j)) + 0.5 * change);
    }
    impact.energy_change += impact.work[a];
  }
}

// The friction that just makes A < 0, if A has nearly vanished.
double ImpactResolver::jamming_friction(std::size_t contact, const ContactMotion& motion) const {
  const double mu = contacts_.surface(contact).friction;
  const Eigen::Vector3d& v = motion.velocity;
  const bool in_space = setting_.components == 3;
  const double size = in_space ? std::hypot(v(1), v(2)) : std::abs(v(1));
  if (!(size > 0.)) return mu;
  const double coupling = (G_(0, 1) * v(1) + (in_space ? G_(0, 2) * v(2) : 0.)) / size;
  const double A = G_(0, 0) - mu * coupling;
  if (!(A > 0.) || !(A < 10. * diverging * G_(0, 0))) return mu;
  return G_(0, 0) * (1. + 1e-9) / coupling;
}

bool ImpactResolver::stop(const std::vector<std::size_t>& contacts, Mechanics& mechanics,
                          Impact& impact) {
  mechanics.contact_space(contacts, G_, b_);
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G_, setting_.components);
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics.motion(i).velocity;
    for (std::size_t j = 0; j < setting_.components; ++j) problem.approach.push_back(v(ix(j)));
    problem.surfaces.push_back(contacts_.surface(i));
    problem.surfaces.back().restitution = 0.;
    problem.surfaces.back().tangential_restitution = 0.;
  }
  Outcome outcome;
  solve(*find_law("moreau"), problem, {}, workspace_, outcome);
  impact.impulse = Eigen::Map<const Vector>(outcome.impulse.data(), b_.size());
  return !gives_no_answer(outcome.flags) && impact.impulse.allFinite();
}

}  // namespace carom::motion
