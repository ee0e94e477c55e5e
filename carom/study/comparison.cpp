// SPDX-License-Identifier: Apache-2.0
#include <carom/study/comparison.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/core/error.hpp>

namespace carom::study {
namespace {

/// The size of a - b over the rows of velocity, not of spin.
double size_of(const ContactProblem& p, std::span<const double> a, std::span<const double> b) {
  double sum = 0.;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    for (std::size_t c = 0; c < p.components(); ++c) {
      const std::size_t k = i * p.G.components() + c;
      const double x = a[k] - (b.empty() ? 0. : b[k]);
      sum += x * x;
    }
  }
  return std::sqrt(sum);
}

Distance distance(const ContactProblem& p, const Law& law, const Outcome& outcome, const Law& other,
                  const Outcome& reference) {
  Distance d{.from = std::string(other.name), .relative = {}, .same_mode = {}};
  const double speed = size_of(p, p.approach, {});
  if (speed > 0.) d.relative = size_of(p, outcome.velocity, reference.velocity) / speed;
  if (info_for(law, kind_of(p)).labels != info_for(other, kind_of(p)).labels) return d;
  d.same_mode = true;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (mode_label(law, p, outcome, i) != mode_label(other, p, reference, i)) d.same_mode = false;
  }
  return d;
}

/// What another law says, for the distance from it.
Outcome answer_against(const Law& law, const scenario::Scenario& s, const SolveOptions& options,
                       Workspace& workspace) {
  if (const auto key = missing_coefficient(info_for(law, s.kind()), s)) {
    throw InputError("surface." + *key, "is missing; " + std::string(law.name) + " needs it",
                     s.surfaces.place);
  }
  require_answerable(law, s);
  Outcome o;
  solve(law, s.problem(), options, workspace, o);
  return o;
}

/// Refuses an option that none of the laws has.
void require_options(const LawChoice& choice, ContactKind kind, const SolveOptions& o,
                     bool of_command) {
  struct Given {
    bool given;
    std::string_view key;
    std::string_view flag;
  };
  const std::array all{
      Given{o.tolerance > 0., "tolerance", "--tolerance"},
      Given{o.solver != FrictionSolver::automatic, "solver", "--solver"},
      Given{o.euler_steps > 0, "euler_steps", "--euler-steps"},
  };
  for (const Given& g : all) {
    if (!g.given) continue;
    std::optional<InputError> first;
    bool taken = false;
    for (const ChosenLaw& c : choice.chosen) {
      try {
        require_option(*c.law, kind, g.key,
                       of_command ? std::string(g.flag) : "solve." + std::string(g.key));
        taken = true;
      } catch (const InputError& e) {
        if (!first) first = e;
      }
    }
    if (!taken && first) throw InputError(*first);
  }
}

}  // namespace

const LawInfo& info_of(const Comparison& c, const Answer& a) {
  return info_for(*a.law, kind_of(c.problem()));
}

OutcomeView view_of(const Comparison& c, const Answer& a) {
  return {.law = a.law,
          .problem = &c.problem(),
          .outcome = &a.outcome,
          .energy_before = c.energy_before,
          .system = &c.system,
          .after = c.system.has_velocities() ? &a.velocity_after : nullptr,
          .joints = a.joints};
}

Comparison compare_laws(const scenario::Scenario& s, const Question& q) {
  const SolveOptions options = q.options.value_or(s.options);
  Comparison c;
  c.system = s.impact;
  c.energy_before = c.system.energy_before();
  LawChoice choice = choose_laws(s, q.laws);
  require_options(choice, s.kind(), options, q.options.has_value());
  c.left_out = std::move(choice.left_out);

  const bool by_exact = q.against == "exact";
  const Law* reference = nullptr;
  Workspace workspace;
  Outcome expected;
  if (!q.against.empty() && !by_exact) {
    reference = &find_law(q.against, "--against", s.kind());
    expected = answer_against(*reference, s, options, workspace);
  }
  for (ChosenLaw& chosen : choice.chosen) {
    const Law& law = *chosen.law;
    require_answerable(law, s);
    Answer a;
    a.law = &law;
    a.note = std::move(chosen.note);
    solve(law, c.problem(), options, workspace, a.outcome);
    // Once more for the course: looking at it may change the last digits.
    if (q.course && law.has_course && law.several != nullptr) {
      Outcome same;
      law.several(c.problem(), options, workspace, &a.course, same);
    }
    if (c.system.has_velocities()) {
      a.velocity_after = c.system.velocity_after(a.outcome.impulse);
      a.joints = joint_impulses(c.system, a.outcome.impulse, a.velocity_after);
    }
    if (by_exact) {
      const Law* found = find_law(law.exact);
      if (found == nullptr || answering(*found, s.kind()) == nullptr) {
        throw InputError("--against", "there is no exact process for such contacts to compare " +
                                          std::string(law.name) + " with; name a law");
      }
      const Law& exact = *found;
      const Outcome process = answer_against(exact, s, options, workspace);
      a.distance = distance(c.problem(), law, a.outcome, exact, process);
    } else if (reference != nullptr) {
      a.distance = distance(c.problem(), law, a.outcome, *reference, expected);
    }
    c.answers.push_back(std::move(a));
  }
  return c;
}

}  // namespace carom::study
