// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/classes.hpp>

#include <carom/impact/outcome_words.hpp>
#include <carom/laws/table.hpp>

namespace carom::study::fit {

namespace {

SlipClass class_of(Mode mode) {
  switch (mode) {
    case Mode::stops_in_compression_sticks:
    case Mode::stops_in_restitution_sticks:
      return SlipClass::stops;
    case Mode::stops_in_compression_slips:
    case Mode::stops_in_restitution_slips:
      return SlipClass::reverses;
    case Mode::no_slip_sticks:
    case Mode::no_slip_slides:
      return SlipClass::no_slip;
    default:
      return SlipClass::goes_on;
  }
}

SlipClass at(ContactProblem& problem, double restitution, Outcome& outcome) {
  static const Law& process = find_law("poisson", "law");
  problem.surfaces[0].restitution = restitution;
  solve(process, problem, {}, outcome);
  const SlipClass kind = class_of(outcome.contacts[0].mode);
  // In space slip can turn round without a stop.
  if (kind == SlipClass::goes_on && problem.components() == 3 &&
      slip(problem, outcome, 0).after < 0.) {
    return SlipClass::reverses;
  }
  return kind;
}

}  // namespace

std::string_view name(SlipClass c) {
  switch (c) {
    case SlipClass::goes_on:
      return "goes on";
    case SlipClass::stops:
      return "stops";
    case SlipClass::reverses:
      return "reverses";
    case SlipClass::no_slip:
      return "no slip";
  }
  return "";
}

Classified classify(const ContactProblem& problem, double friction, double restitution) {
  ContactProblem p = problem;
  p.surfaces.assign(1, {.friction = friction});
  Outcome outcome;
  const SlipClass least = at(p, 0., outcome);
  const SlipClass most = at(p, 1., outcome);
  return {.kind = least == most ? least : at(p, restitution, outcome),
          .depends_on_restitution = least != most};
}

std::vector<Classified> classify(const Objective& objective, std::span<const std::size_t> impacts,
                                 std::span<const double> p, double restitution) {
  std::vector<Classified> found;
  found.reserve(impacts.size());
  MeasuredContact contact;
  for (const std::size_t i : impacts) {
    objective.contact(i, p, contact);
    found.push_back(classify(contact.problem, contact.problem.surfaces[0].friction, restitution));
  }
  return found;
}

}  // namespace carom::study::fit
