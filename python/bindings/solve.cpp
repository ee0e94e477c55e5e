// SPDX-License-Identifier: Apache-2.0
// One impact: in contact space, by a scenario, by a line of the stream, or by a model.
#include <algorithm>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/scenario/problem_json.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

/// Memory that is reused from call to call. Calls may come from several threads.
Workspace& workspace() {
  thread_local Workspace own;
  return own;
}

Answer answer(const Asked& asked, std::shared_ptr<SystemAtImpact> system) {
  Answer a{.law = asked.law, .system = std::move(system), .outcome = {}};
  const ContactProblem& p = a.problem();
  if (p.contacts() == 1) {
    solve(*asked.law, p, asked.options, workspace(), a.outcome);
  } else {
    interruptible(
        [&](const std::atomic<bool>&) { solve(*asked.law, p, asked.options, a.outcome); });
  }
  a.note = cannot_honour(*asked.law, p).value_or("");
  if (a.system->has_velocities()) {
    a.after = a.system->velocity_after(a.outcome.impulse);
    a.joints = joint_impulses(*a.system, a.outcome.impulse, a.after);
  }
  return a;
}

Answer solve_contact(const std::string& law, py::handle G, py::handle v, std::size_t components,
                     const py::dict& keywords, py::handle surfaces) {
  auto system = std::make_shared<SystemAtImpact>();
  system->problem = problem_of(G, v, components);
  const Law& found = find_law(law, "law", kind_of(system->problem));
  const Asked asked = complete(system->problem, &found, keywords, surfaces);
  return answer(asked, std::move(system));
}

/// [(law left out, why)]
py::list reasons(const std::vector<study::LeftOut>& left_out) {
  py::list all;
  for (const study::LeftOut& l : left_out) {
    if (l.quiet) continue;
    all.append(py::make_tuple(std::string(l.law->name), l.reason));
  }
  return all;
}

/// (names of the laws, [(law left out, why)]): the laws that apply to a problem in contact space.
py::tuple applying(py::handle G, py::handle v, std::size_t components, const py::dict& keywords,
                   py::handle surfaces) {
  scenario::Scenario s;
  s.impact.problem = problem_of(G, v, components);
  (void)complete(s.impact.problem, nullptr, keywords, surfaces);
  s.surfaces.each = s.impact.problem.surfaces;
  const study::LawChoice choice = study::choose_laws(s, {});
  py::list chosen;
  for (const study::ChosenLaw& c : choice.chosen) chosen.append(std::string(c.law->name));
  return py::make_tuple(chosen, reasons(choice.left_out));
}

/// (answers, [(law left out, why)]) of a scenario's text. @param laws  names; none: as it says
py::tuple solve_scenario(const std::string& text, const std::string& name,
                         const std::vector<std::string>& laws) {
  const scenario::Scenario s = scenario::parse(text, name);
  std::vector<const Law*> named;
  named.reserve(laws.size());
  for (const std::string& law : laws) named.push_back(&find_law(law, "law", s.kind()));
  study::Comparison c;
  interruptible([&](const std::atomic<bool>&) { c = study::compare_laws(s, {.laws = named}); });
  const auto system = std::make_shared<const SystemAtImpact>(std::move(c.system));
  py::list answers;
  for (study::Answer& a : c.answers) {
    answers.append(Answer{.law = a.law,
                          .system = system,
                          .outcome = std::move(a.outcome),
                          .after = std::move(a.velocity_after),
                          .joints = std::move(a.joints),
                          .note = std::move(a.note)});
  }
  return py::make_tuple(answers, reasons(c.left_out));
}

/// The record of the picture that suits the impact of a scenario.
/// @param over  "time" or "impulse": of the course of several contacts
std::string picture_of(const std::string& text, const std::string& name,
                       const std::vector<std::string>& laws, const std::string& over) {
  if (over != "time" && over != "impulse") {
    throw InputError("over", "must be time or impulse, got '" + over + "'");
  }
  const scenario::Scenario s = scenario::parse(text, name);
  std::vector<const Law*> named;
  for (const std::string& law : laws) named.push_back(&find_law(law, "law", s.kind()));
  const bool course = report::draws_course(s.kind());
  const study::Comparison c = study::compare_laws(s, {.laws = named, .course = course});
  const bool drawable =
      std::ranges::any_of(c.answers, [](const study::Answer& a) { return a.course.samples() > 1; });
  if (course && !drawable) {
    throw InputError("law", "has no course to draw: ask lzb about contacts that strike");
  }
  return report::impact_record(
      s, c, over == "time" ? report::CourseAxis::time : report::CourseAxis::impulse);
}

/// A problem as a line of `carom solve --stream`.
Answer solve_json(const std::string& line) {
  scenario::ProblemReader reader;
  scenario::JsonProblem p;
  reader.read(line, p);
  return answer({.law = p.law, .options = p.options},
                std::make_shared<SystemAtImpact>(std::move(p.system)));
}

}  // namespace

void add_solve(py::module_& m) {
  m.def("solve_contact", solve_contact);
  m.def("solve_scenario", solve_scenario);
  m.def("solve_json", solve_json);
  m.def("applying", applying);
  m.def("picture_of", picture_of);
}

}  // namespace carom::python
