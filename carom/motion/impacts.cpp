// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/motion/run.hpp>

// Impacts: solves closed contacts that approach with a law.
namespace carom::motion {

namespace {

/// Impacts per contact that may follow each other where they strike one after the other. With
/// restitution 0 each round leaves a fraction of the approach, a half or less for bodies of similar
/// mass, so that fifty reach rounding; light bodies between heavy ones need many more.
constexpr std::size_t most_in_turn = 1000;

bool needs_stiffness(const Law& law) { return law.info->knows("stiffness"); }

/// An event has the verdicts of all impacts of its instant, whatever their order.
void add_flags(Event& event, Verdicts flags) {
  event.flags = Verdicts::from_bits(static_cast<std::uint16_t>(event.flags.bits() | flags.bits()));
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

void Run::apply_impulse(const std::vector<std::size_t>& contacts, const Vector& impulse) {
  // Energy supplied by moving supports: P.(W^T u - v).
  double support = 0.;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactMotion& m = mechanics_.motion(contacts[k]);
    for (std::size_t j = 0; j < components_; ++j) {
      support += impulse(ix(k * components_ + j)) *
                 (mechanics_.along(contacts[k], j, state_.u) - m.velocity(ix(j)));
    }
  }
  y_[drives_at_] += support;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    std::array<double, 3> P{};
    for (std::size_t j = 0; j < components_; ++j) P[j] = impulse(ix(k * components_ + j));
    mechanics_.push(contacts[k], P, state_.u);
  }
  store_velocity();
}

bool Run::strike_one(std::size_t contact, bool without_collision, Event& event) {
  mechanics_.contact_space({contact}, G_, b_);
  const Eigen::Vector3d v = mechanics_.motion(contact).velocity;
  const Surface& s = surface(contact);
  ContactProblem& problem = one_impact_;
  problem.approach.resize(components_);
  std::array<double, 9> block{};
  for (std::size_t r = 0; r < components_; ++r) {
    for (std::size_t c = 0; c < components_; ++c) {
      block[r * components_ + c] = G_(ix(std::min(r, c)), ix(std::max(r, c)));
    }
    problem.approach[r] = r == 0 && without_collision ? 0. : v(ix(r));
  }
  problem.G.assign_block(components_, {block.data(), components_ * components_});
  problem.surfaces.assign(1, s);
  problem.surfaces[0].friction = without_collision ? jamming_friction(contact) : s.friction;
  problem.surfaces[0].static_friction = std::max(problem.surfaces[0].friction, s.static_friction);
  Outcome& outcome = one_outcome_;
  solve(options_.law != nullptr ? *options_.law : *find_law("energetic"), problem,
        options_.law_options, workspace_, outcome);
  add_flags(event, outcome.flags);
  const Vector impulse = Eigen::Map<const Vector>(outcome.impulse.data(), ix(components_));
  const double change = outcome.energy.change;
  if (gives_no_answer(outcome.flags) || !impulse.allFinite()) {
    return fail(Failure::no_outcome,
                "the impact at " + contact_name(contact) +
                    " has no outcome: " + std::string(carom::name(outcome.flags.gravest())));
  }
  apply_impulse({contact}, impulse);
  account_.impacts[contact] += change;
  event.contacts.push_back(contact);
  event.impulse.insert(event.impulse.end(), impulse.data(), impulse.data() + components_);
  event.energy_change += change;
  return true;
}

bool Run::strike_several(const std::vector<std::size_t>& contacts, Event& event) {
  mechanics_.contact_space(contacts, G_, b_);
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G_, components_);
  bool has_stiffness = true;
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    for (std::size_t j = 0; j < components_; ++j) problem.approach.push_back(v(ix(j)));
    problem.surfaces.push_back(surface(i));
    has_stiffness = has_stiffness && surface(i).stiffness > 0. &&
                    std::isfinite(surface(i).stiffness) && surface(i).exponent > 0.;
  }
  const Law* law = options_.several ? options_.several : find_law("lzb");
  if (needs_stiffness(*law) && !has_stiffness) law = find_law("moreau");
  SolveOptions how = options_.several_options;
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
        append_note(event, change_of_law(*law, outcome, *other, problem));
        ++other_law_;
        outcome = std::move(second);
      }
    }
  }
  add_flags(event, outcome.flags);
  const Eigen::Map<const Vector> impulse(outcome.impulse.data(), ix(outcome.impulse.size()));
  if (gives_no_answer(outcome.flags) || !impulse.allFinite()) {
    append_note(event, std::string(law->name) + " has no outcome (" +
                           std::string(carom::name(outcome.flags.gravest())) +
                           "): the contacts strike one after the other");
    ++other_law_;
    return strike_in_turn(contacts, problem, event);
  }
  apply_impulse(contacts, impulse);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    account_.impacts[contacts[k]] += outcome.contacts[k].energy.change;
    event.contacts.push_back(contacts[k]);
  }
  event.impulse.insert(event.impulse.end(), outcome.impulse.begin(), outcome.impulse.end());
  event.energy_change += outcome.energy.change;
  return true;
}

// Where no law has an outcome for all contacts together: the one that approaches fastest strikes
// first, by the law for one contact, until none approaches.
bool Run::strike_in_turn(const std::vector<std::size_t>& contacts, const ContactProblem& all,
                         Event& event) {
  const auto c = ix(components_);
  const Law& law = options_.law != nullptr ? *options_.law : *find_law("energetic");
  Vector v = Eigen::Map<const Vector>(all.approach.data(), b_.size());
  Vector impulse = Vector::Zero(b_.size());
  Vector one(c);
  std::vector<double> works(contacts.size(), 0.);
  std::size_t left = most_in_turn * contacts.size();
  while (true) {
    Eigen::Index fastest = 0;
    for (Eigen::Index k = 0; k < b_.size(); k += c) {
      if (v(k) < v(fastest)) fastest = k;
    }
    if (!(v(fastest) < -scales_.faint)) break;
    const auto place = static_cast<std::size_t>(fastest / c);
    if (left-- == 0) {
      // Bodies cannot give way to supports that approach each other.
      const bool crushed = std::any_of(contacts.begin(), contacts.end(), [&](std::size_t i) {
        const double own = mechanics_.along(i, 0, state_.u);
        return std::abs(own - mechanics_.motion(i).velocity(0)) > scales_.faint;
      });
      return fail(
          Failure::endless_impacts,
          "impacts at " + std::to_string(contacts.size()) +
              " contacts do not end when they strike one after the other, the fastest at " +
              contact_name(contacts[place]) +
              (crushed ? "; a body may be crushed between supports, one of which moves: leave "
                         "it room"
                       : "; try a smaller restitution or friction"));
    }
    ContactProblem& problem = one_impact_;
    problem.approach.assign(v.data() + fastest, v.data() + fastest + c);
    const Matrix block = G_.block(fastest, fastest, c, c);
    problem.G.assign_block(components_, {block.data(), components_ * components_});
    problem.surfaces.assign(1, all.surfaces[place]);
    Outcome& outcome = one_outcome_;
    solve(law, problem, options_.law_options, workspace_, outcome);
    add_flags(event, outcome.flags);
    one = Eigen::Map<const Vector>(outcome.impulse.data(), c);
    if (gives_no_answer(outcome.flags) || !one.allFinite() || !(one(0) > 0.)) {
      return fail(Failure::no_outcome,
                  "the impact at " + contact_name(contacts[place]) +
                      " has no outcome: " + std::string(carom::name(outcome.flags.gravest())));
    }
    impulse.segment(fastest, c) += one;
    v += G_.middleCols(fastest, c) * one;
    works[place] += outcome.energy.change;
  }
  apply_impulse(contacts, impulse);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    account_.impacts[contacts[k]] += works[k];
    event.energy_change += works[k];
  }
  event.contacts.insert(event.contacts.end(), contacts.begin(), contacts.end());
  event.impulse.insert(event.impulse.end(), impulse.data(), impulse.data() + impulse.size());
  return true;
}

// Contacts that are not coupled by inertia are solved separately, each coupled group together.
bool Run::impact(Event& event, std::size_t without_collision) {
  event.kind = EventKind::impact;
  std::vector<std::size_t> rigid;
  for (const std::size_t i : closed_) {
    if (!is_compliant(i)) rigid.push_back(i);
  }
  double speed = 0.;
  for (const std::size_t i : rigid) approach_[i] = mechanics_.motion(i).velocity(0);
  count_slow_impacts(rigid);
  for (const std::size_t i : rigid) speed = std::max(speed, -mechanics_.motion(i).velocity(0));
  // Bodies that closed contacts connect.
  system_.clear();
  for (const std::size_t i : rigid) system_.add(i, 0);
  system_.arrange(mechanics_);
  bool struck = false;
  for (const ContactSystem::Island& island : system_.islands()) {
    std::vector<std::size_t> members;
    bool strikes = false;
    for (std::size_t a = island.begin; a < island.end; ++a) {
      const std::size_t i = system_.unknowns()[a].contact;
      members.push_back(i);
      strikes =
          strikes || mechanics_.motion(i).velocity(0) < -scales_.still || i == without_collision;
    }
    if (!strikes) continue;
    struck = true;
    const bool collides =
        std::find(members.begin(), members.end(), without_collision) == members.end();
    const bool done = members.size() == 1 ? strike_one(members[0], !collides, event)
                      : collides          ? strike_several(members, event)
                                          : strike_without_collision(members, event);
    if (!done) return false;
  }
  if (!struck)
    return fail(Failure::no_outcome, "an impact without approach at t = " + shortest(time_) + " s");
  for (const std::size_t i : active_) creeping_[i] = 0.;  // accelerations have changed
  for (SpinStatus& s : spins_) s = {};
  ++impacts_;
  remember_impact(event, speed);
  return true;
}

}  // namespace carom::motion
