// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/compliant_space/derivatives.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>

namespace carom {
namespace {

/// Differences of fourth order: sum of weight f(x + offset h) over 12 h.
struct Term {
  int offset;
  double weight;
};
constexpr std::array<Term, 4> central{{{-2, 1.}, {-1, -8.}, {1, 8.}, {2, -1.}}};
constexpr std::array<Term, 5> forward{{{0, -25.}, {1, 48.}, {2, -36.}, {3, 16.}, {4, -3.}}};

/// The number that an input is.
double& number(ContactProblem& p, const ImpactInput& input) {
  if (input.coefficient == nullptr) return p.approach[input.index];
  return input.coefficient->numbers(p.surfaces[0])[input.index];
}

double size_of(const ContactProblem& p, const ImpactInput& input, double value) {
  if (input.coefficient == nullptr) {
    double size = 0.;
    for (std::size_t i = 0; i < 3; ++i) size = std::max(size, std::abs(p.approach[i]));
    return size;
  }
  if (input.coefficient->key == "compliance_ratio") return value;
  return std::max(std::abs(value), 0.1);
}

/// One column by one set of terms. False if the outcomes differ in their modes.
template <class Terms>
bool differentiate(const ContactProblem& p, const ImpactInput& input, double h, const Terms& terms,
                   const Outcome& middle, Eigen::Ref<Eigen::VectorXd> column) {
  ContactProblem moved = p;
  double& x = number(moved, input);
  const double x0 = x;
  column.setZero();
  Outcome o;
  for (const Term& term : terms) {
    x = x0 + term.offset * h;
    constexpr double tightest = 1e-14;
    assign(o, moved, compliant(spatial_problem(moved), {.tolerance = tightest}));
    if (!(o.contacts[0].slider == middle.contacts[0].slider && o.flags == middle.flags)) {
      return false;
    }
    const double weight = term.weight / (12. * h);
    for (std::size_t i = 0; i < o.impulse.size(); ++i) {
      column[static_cast<Eigen::Index>(i)] += weight * o.impulse[i];
      column[static_cast<Eigen::Index>(o.impulse.size() + i)] += weight * o.velocity[i];
    }
  }
  return true;
}

}  // namespace

Derivatives compliant_derivatives(const ContactProblem& p, const Outcome& outcome,
                                  const SolveOptions&, std::span<const ImpactInput> inputs) {
  Derivatives d;
  d.by_input.setZero(static_cast<Eigen::Index>(2 * outcome.impulse.size()),
                     static_cast<Eigen::Index>(inputs.size()));
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const ImpactInput& input = inputs[j];
    auto column = d.by_input.col(static_cast<Eigen::Index>(j));
    if (input.coefficient != nullptr && input.coefficient->key != "restitution" &&
        input.coefficient->key != "friction" && input.coefficient->key != "compliance_ratio") {
      continue;  // the law does not use it
    }
    ContactProblem at = p;
    const double x = number(at, input);
    bool found = false;
    // At the first step truncation and rounding are alike; nearer to an edge it has to be smaller.
    for (const double share : {5e-4, 5e-5, 5e-6}) {
      const double h = share * size_of(p, input, x);
      const bool one_sided = input.coefficient != nullptr && x < 2. * h;
      found = one_sided ? differentiate(p, input, h, forward, outcome, column)
                        : differentiate(p, input, h, central, outcome, column);
      if (found) break;
    }
    if (!found) {
      return {.by_input = {}, .why_not = "it is at the edge between two modes, or does not end"};
    }
  }
  return d;
}

}  // namespace carom
