// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>

/// Random impacts of several contacts, and what must hold of any answer of `moreau`.
namespace carom::test {

/// How to draw a problem.
struct Contacts {
  std::size_t contacts = 2;
  std::size_t components = 2;
  double most_friction = 0.7;
  std::size_t freedoms = 0;  ///< of the bodies; 0: half as many again as G has rows
  bool equal = false;        ///< one restitution for all, eps_T = eps_N
  bool two_stages = false;   ///< eps_T = 0
};

/// G = W^T M^-1 W and v = W^T u with random W, M and u; contacts mostly approach. With fewer
/// freedoms than rows G is singular, and impulses are not determined.
[[nodiscard]] ContactProblem random_contacts(std::uint32_t seed, const Contacts& what);

/// The same contacts in another order: contact i becomes order[i].
[[nodiscard]] ContactProblem reordered(const ContactProblem& problem,
                                       const std::vector<std::size_t>& order);

[[nodiscard]] double largest(const std::vector<double>& x);
[[nodiscard]] double apart(const std::vector<double>& a, const std::vector<double>& b);

/// What of v+ = v- + G P, of signs and cones (exactly), and of the law with eps is violated beyond
/// `tolerance`, relative. Empty: nothing.
/// @param two_stages  then only what holds of the sum of both
[[nodiscard]] std::string violations(const ContactProblem& problem, const Outcome& outcome,
                                     double tolerance, bool two_stages = false);

}  // namespace carom::test
