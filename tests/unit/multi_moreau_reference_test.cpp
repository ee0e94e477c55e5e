// SPDX-License-Identifier: Apache-2.0
// `moreau` of several contacts against cases computed two ways without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <carom/laws/moreau/several.hpp>
#include <support/many_contacts.hpp>
#include <support/multi_moreau_cases.hpp>

namespace carom::test {
namespace {

class MultiMoreauReference : public testing::TestWithParam<MultiMoreauCase> {};

// Compared as tests/reference/README.md says.
TEST_P(MultiMoreauReference, Agrees) {
  const MultiMoreauCase& c = GetParam();
  for (const FrictionSolver solver : {FrictionSolver::automatic, FrictionSolver::lemke,
                                      FrictionSolver::newton, FrictionSolver::enumeration}) {
    const bool planar_only =
        solver == FrictionSolver::lemke || solver == FrictionSolver::enumeration;
    if (planar_only && c.problem.components() == 3) continue;
    const auto law = c.two_stages ? solve_multi_moreau_poisson : solve_multi_moreau;
    const Outcome o = law(c.problem, {.solver = solver});
    const double v = std::max(largest(c.velocity), largest(c.problem.approach));
    const double P = largest(c.impulse);
    EXPECT_LE(apart(o.velocity, c.velocity), c.tolerance * v);
    EXPECT_LE(apart(o.impulse, c.impulse), c.tolerance * P);
    EXPECT_LE(std::abs(o.energy.change - c.change), c.tolerance * P * v);
    EXPECT_FALSE(o.flags.has(Verdict::several_solutions));
    EXPECT_EQ(o.flags.has(Verdict::energy_gained), c.change > 1e-9 * P * v);
    for (std::size_t i = 0; i < c.problem.contacts(); ++i) {
      const EnergyLedger& e = o.contacts[i].energy;
      const auto near = [&](const char* key, double got) {
        EXPECT_LE(std::abs(got - c.ledger.at(key)[i]), c.tolerance * P * v) << key << " " << i;
      };
      near("friction", e.friction);
      if (c.two_stages) {
        ASSERT_TRUE(e.stages.has_value());
        near("normal_compression", e.stages->compression);
        near("normal_restitution", e.stages->restitution);
      } else {
        near("normal", e.normal);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Own, MultiMoreauReference, testing::ValuesIn(multi_moreau_cases()),
                         [](const auto& i) { return i.param.id; });

}  // namespace
}  // namespace carom::test
