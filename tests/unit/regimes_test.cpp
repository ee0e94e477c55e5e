// SPDX-License-Identifier: Apache-2.0
// Regime formulas: the derived cases of tests/reference, and against the laws themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

Sym2 bar(double K, double phi) {
  return planar_problem(at_impact(Bar{.inertia_factor = K, .angle = phi}).problem).G;
}

Sym2 rod(double alpha, double theta) {
  return planar_problem(
             at_impact(Rod{.half_length = 2.3, .inertia_factor = alpha, .angle = theta}).problem)
      .G;
}

const DerivedCase& derived(const std::string& id) {
  for (const auto& d : derived_cases()) {
    if (d.id == id) return d;
  }
  throw std::runtime_error("no derived case " + id);
}

void expect_same(const std::optional<double>& got, const std::optional<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(got.has_value(), expected.has_value()) << what;
  if (!got) return;
  EXPECT_NEAR(*got, *expected, 1e-12 * std::max(1., std::abs(*expected))) << what;
}

TEST(Regimes, PayrGlockerBoundaries) {
  int seen = 0;
  for (const auto& d : derived_cases()) {
    if (!d.expect.contains("r_forward")) continue;
    ++seen;
    const Surface s{.restitution = d.inputs.at("e_n"),
                    .friction = d.inputs.at("mu"),
                    .static_friction = d.inputs.at("mu"),
                    .tangential_restitution = d.inputs.at("e_t")};
    for (std::size_t i = 0; i < d.angles_deg.size(); ++i) {
      const auto r = regime_boundaries(bar(d.inputs.at("K"), d.angles_deg[i] * degree), s);
      const std::string what = d.id + " at " + std::to_string(d.angles_deg[i]);
      expect_same(r.forward, d.expect.at("r_forward")[i], what);
      expect_same(r.backward, d.expect.at("r_backward")[i], what);
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST(Regimes, LeastCriticalFriction) {
  const auto& d = derived("pg_mu_c_min");
  const auto least = least_critical_friction(d.inputs.at("K"));
  EXPECT_NEAR(least.friction, *d.expect.at("mu_c_min")[0], 1e-12);
  EXPECT_NEAR(least.angle / degree, *d.expect.at("phi_deg")[0], 1e-10);
  // It is the minimum of critical_friction over the angle, for any K.
  for (const double K : {.1, 1. / 3., .4, 2.}) {
    const auto [mu, phi] = least_critical_friction(K);
    EXPECT_NEAR(*critical_friction(bar(K, phi)), mu, 1e-12);
    EXPECT_GT(*critical_friction(bar(K, phi + 1e-3)), mu);
    EXPECT_GT(*critical_friction(bar(K, phi - 1e-3)), mu);
    EXPECT_NEAR(*critical_friction(bar(K, std::numbers::pi - phi)), mu, 1e-12);
  }
  EXPECT_FALSE(critical_friction({.nn = 1., .nt = 0., .tt = 3.5}).has_value());
}

TEST(Regimes, SunBaruhRatios) {
  for (const auto* id : {"sb_fig3_ratios_thin", "sb_fig3_ratios_cyl"}) {
    const auto& d = derived(id);
    const Surface s{.restitution = d.inputs.at("e"),
                    .friction = d.inputs.at("mu_k"),
                    .static_friction = d.inputs.at("mu_s")};
    for (std::size_t i = 0; i < d.angles_deg.size(); ++i) {
      const auto r = slide_ratios(rod(d.inputs.at("alpha"), d.angles_deg[i] * degree), s);
      expect_same(r.R1, d.expect.at("R1")[i], "R1");
      expect_same(r.R2, d.expect.at("R2")[i], "R2");
      expect_same(r.R3, d.expect.at("R3")[i], "R3");
    }
    // The line between stick and reverse slip: |R2| = mu_s.
    const double line = *d.expect.at("theta_stick_reverse_deg")[0] * degree;
    EXPECT_NEAR(*slide_ratios(rod(d.inputs.at("alpha"), line), s).R2, s.static_friction, 1e-12);
  }
}

// R1, R2, R3 say the mode that the process finds, over Fig. 3's plane.
TEST(Regimes, SlideRatiosPredictTheMode) {
  const Surface s{.restitution = .7, .friction = .4, .static_friction = .45};
  int tried = 0;
  for (double theta = -69.7; theta < 70.; theta += 2.3) {
    const Sym2 G = rod(1. / 3., theta * degree);
    const auto ratios = slide_ratios(G, s);
    for (double r = .037; r < 3.; r += .11) {
      const PlanarProblem p{.G = G, .approach = {.n = -1., .t = r}, .surface = s};
      const auto mode = Poisson{}(p).mode;
      const bool sticks = std::abs(*ratios.R2) <= s.static_friction;
      Mode expected = Mode::slides;
      if (ratios.jams || r < *ratios.R1) {
        expected = sticks ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
      } else if (r < *ratios.R3) {
        expected = sticks ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
      }
      EXPECT_EQ(mode, expected) << theta << " deg, r = " << r;
      ++tried;
    }
  }
  EXPECT_GT(tried, 1500);
}

// The regime that the boundaries name is the one that `moreau` finds.
TEST(Regimes, BoundariesPredictTheRegime) {
  for (const double mu : {.5, 5. / 3.}) {
    const Surface s{
        .restitution = .8, .friction = mu, .static_friction = mu, .tangential_restitution = .3};
    for (double phi = 3.; phi < 180.; phi += 7.) {
      const Sym2 G = bar(1. / 3., phi * degree);
      const auto [forward, backward] = regime_boundaries(G, s);
      for (double r = -6.05; r < 6.; r += .1) {
        const PlanarProblem p{.G = G, .approach = {.n = -1., .t = -r}, .surface = s};
        Mode expected = Mode::stick;
        if (forward && r <= *forward) expected = Mode::forward_slip;
        if (backward && r >= *backward) expected = Mode::backward_slip;
        EXPECT_EQ(Moreau{}(p).mode, expected) << phi << " deg, r = " << r;
      }
    }
  }
}

TEST(Regimes, SlideParameter) {
  EXPECT_DOUBLE_EQ(*slide_parameter({.n = -1., .t = .4}, .2), 2.);
  EXPECT_DOUBLE_EQ(*slide_parameter({.n = -1., .t = -.4}, .4), 1.);
  EXPECT_FALSE(slide_parameter({.n = -1., .t = .4}, 0.).has_value());
  EXPECT_FALSE(slide_parameter({.n = 0., .t = .4}, .3).has_value());
}

TEST(Regimes, PainleveTestIsTheJamVerdict) {
  const Sym2 G = bar(1. / 3., 63.43494882292201 * degree);
  for (const double mu : {1.2, 1.33, 1.34, 2.}) {
    for (const double slip : {1., -1.}) {
      const auto test = painleve_test(G, mu, slip);
      EXPECT_EQ(test.jams, slip > 0. && mu > 4. / 3.);
      EXPECT_EQ(test.jams_reversed, slip < 0. && mu > 4. / 3.);
      const PlanarProblem p{.G = G,
                            .approach = {.n = -.01, .t = slip},
                            .surface = {.restitution = .5, .friction = mu}};
      EXPECT_EQ(Energetic{}(p).flags.has(Verdict::jam), test.jams);
    }
  }
}

}  // namespace
}  // namespace carom::test
