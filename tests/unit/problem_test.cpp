// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include <carom/core/error.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/impact/spatial/problem.hpp>

namespace carom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

PlanarProblem good() {
  return {.G = {.nn = 1.2, .nt = .5, .tt = 1.},
          .approach = {.n = -1., .t = .6},
          .surface = {.restitution = .5, .friction = .3}};
}

template <class Problem>
std::string refusal(const Problem& p) {
  try {
    validate(p);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Validate, AcceptsWhatIsAllowed) {
  EXPECT_EQ(refusal(good()), "");
  PlanarProblem p = good();
  p.approach = {.n = 5., .t = 0.};  // separating is no error
  EXPECT_EQ(refusal(p), "");
  p.G = {.nn = 2.2499999999999996, .nt = 1.2990381056766582, .tt = 0.7500000000000003};
  EXPECT_EQ(refusal(p), "");  // rank one to rounding
  p.G = {.nn = 1., .nt = 0., .tt = 0.};
  EXPECT_EQ(refusal(p), "");
}

TEST(Validate, StaticFrictionDefaultsToFriction) {
  EXPECT_EQ((Surface{.restitution = .5, .friction = .3}).static_friction, .3);
}

TEST(Validate, NamesQuantityValueAndWhatIsAllowed) {
  PlanarProblem p = good();
  p.surface.restitution = 1.4;
  EXPECT_EQ(refusal(p), "surface.restitution: must be in [0, 1], got 1.4");
  p = good();
  p.surface.friction = -.3;
  EXPECT_EQ(refusal(p), "surface.friction: must be in [0, 1e60], got -0.3");
  p = good();
  p.surface.static_friction = .2;
  EXPECT_EQ(refusal(p),
            "surface.static_friction: must be in [friction, 1e60], friction being 0.3, got 0.2");
  p = good();
  p.surface.tangential_restitution = 2.;
  EXPECT_EQ(refusal(p), "surface.tangential_restitution: must be in [0, 1], got 2");
  p = good();
  p.G = {.nn = 1., .nt = 2., .tt = 1.};
  EXPECT_EQ(refusal(p), "inverse_inertia: must be positive semidefinite, got determinant -3");
  p = good();
  p.G.nn = -1.;
  EXPECT_EQ(refusal(p), "inverse_inertia[0][0]: must be >= 0 (G is positive semidefinite), got -1");
}

// Products of a few numbers must not overflow, or an outcome would not be finite.
TEST(Validate, HoldsMagnitudesWithinReason) {
  PlanarProblem p = good();
  p.approach = {.n = -1e160, .t = 1.};
  EXPECT_EQ(refusal(p), "approach[0]: must be 0 or of magnitude 1e-60 to 1e60 m/s, got -1e+160");
  p.approach = {.n = -1e-170, .t = 0.};
  EXPECT_EQ(refusal(p), "approach[0]: must be 0 or of magnitude 1e-60 to 1e60 m/s, got -1e-170");
  p.approach = {.n = -1e-170, .t = 1.};  // a grazing approach
  EXPECT_EQ(refusal(p), "");
  p = good();
  p.G = {.nn = 1e160, .nt = 0., .tt = 1.};
  EXPECT_EQ(refusal(p),
            "inverse_inertia[0][0]: must be 0 or of magnitude 1e-60 to 1e60 1/kg, got 1e+160");
  p.G = {.nn = 1e-50, .nt = 1e-50, .tt = 0.};
  EXPECT_EQ(refusal(p).substr(0, 46), "inverse_inertia: must be positive semidefinite");
  p = good();
  p.surface.friction = p.surface.static_friction = 1e308;
  EXPECT_EQ(refusal(p), "surface.friction: must be in [0, 1e60], got 1e+308");
}

TEST(Validate, SymmetryDoesNotDependOnUnits) {
  EXPECT_NO_THROW((void)symmetric(1e18, 5000., 5000., 1.));
  EXPECT_THROW((void)symmetric(1e18, 0., 5000., 1.), InputError);
  EXPECT_THROW((void)symmetric(1., 0., 1e-9, 0.), InputError);
}

// Every pair of rows may be semidefinite and G as a whole not.
TEST(Validate, RefusesAnIndefiniteSpinRow) {
  PlanarProblem p = good();
  p.G = {.nn = 4., .nt = 1.8, .tt = 1.};
  p.spin = {.nr = 1.8, .tr = .9, .rr = 1., .approach = 2.};
  EXPECT_EQ(refusal(p), "");
  p.spin.tr = -.9;
  EXPECT_EQ(refusal(p).substr(0, 51), "spin: must be positive semidefinite, got an eigenva");
  p.spin = {.nr = 2., .tr = .9, .rr = 1.};  // rank one but for G_nt
  EXPECT_EQ(refusal(p), "");
  p.spin = {.nr = 2., .tr = .8, .rr = 1.};
  EXPECT_NE(refusal(p), "");
  p.spin = {.nr = 2.1, .tr = 0., .rr = 1.};
  EXPECT_EQ(refusal(p), "spin: must be positive semidefinite, got 2.1 at [2][0]");
  p.spin = {.nr = nan, .tr = 0., .rr = 1.};
  EXPECT_EQ(refusal(p), "spin: must be a finite number, got nan");
}

TEST(Validate, RefusesIndefiniteSpinRowsInSpace) {
  const Sym3 one{.nn = 1., .n1 = 0., .n2 = 0., .t11 = 1., .t12 = 0., .t22 = 1.};
  SpatialProblem p{.G = one, .approach = {.n = -1., .t1 = 0., .t2 = 0.}, .surface = {}};
  p.spin.G = one;
  p.spin.known = true;
  p.spin.cross[0] = {.7, .7, 0.};
  EXPECT_EQ(refusal(p), "");
  p.spin.cross[0] = {.9, .9, 0.};
  EXPECT_EQ(refusal(p).substr(0, 51), "spin: must be positive semidefinite, got an eigenva");
  p.spin.cross[0] = {1.1, 0., 0.};
  EXPECT_EQ(refusal(p), "spin: must be positive semidefinite, got 1.1 at [3][0]");
  p.spin.cross[0] = {0., 0., 0.};
  p.spin.G.t11 = -1.;
  EXPECT_EQ(refusal(p), "spin[1][1]: must be >= 0 (G is positive semidefinite), got -1");
  p.spin.known = false;
  EXPECT_EQ(refusal(p), "");
}

// Every number in turn: NaN and infinity are refused by the name of the field that holds them.
TEST(Validate, RefusesWhatIsNotFinite) {
  struct Field {
    const char* name;
    double& (*at)(PlanarProblem&);
  };
  const Field fields[] = {
      {"inverse_inertia[0][0]", [](PlanarProblem& p) -> double& { return p.G.nn; }},
      {"inverse_inertia[0][1]", [](PlanarProblem& p) -> double& { return p.G.nt; }},
      {"inverse_inertia[1][1]", [](PlanarProblem& p) -> double& { return p.G.tt; }},
      {"approach[0]", [](PlanarProblem& p) -> double& { return p.approach.n; }},
      {"approach[1]", [](PlanarProblem& p) -> double& { return p.approach.t; }},
      {"surface.restitution", [](PlanarProblem& p) -> double& { return p.surface.restitution; }},
      {"surface.friction", [](PlanarProblem& p) -> double& { return p.surface.friction; }},
      {"surface.static_friction",
       [](PlanarProblem& p) -> double& { return p.surface.static_friction; }},
      {"surface.tangential_restitution",
       [](PlanarProblem& p) -> double& { return p.surface.tangential_restitution; }},
  };
  for (const auto& field : fields) {
    for (const double bad : {nan, inf, -inf}) {
      PlanarProblem p = good();
      field.at(p) = bad;
      const std::string text = refusal(p);
      EXPECT_EQ(text.substr(0, text.find(':')), field.name) << bad;
    }
  }
}

TEST(ContactEnergy, IsWhatImpulsesAtTheContactCanTakeAway) {
  // Removing all contact velocity by P = -G^-1 v takes 1/2 v G^-1 v.
  const PlanarProblem p = good();
  const double det = determinant(p.G);
  const Vec2 P{.n = (p.G.nt * p.approach.t - p.G.tt * p.approach.n) / det,
               .t = (p.G.nt * p.approach.n - p.G.nn * p.approach.t) / det};
  EXPECT_NEAR(contact_energy(p), -0.5 * dot(P, p.approach), 1e-15);
  // A single pendulum, I = 1/3, spin -1: all its energy, 1/6.
  PlanarProblem one = good();
  one.G = {.nn = 2.25, .nt = std::sqrt(27.) / 4., .tt = .75};
  one.approach = {.n = -std::sqrt(.75), .t = -.5};
  EXPECT_NEAR(contact_energy(one), 1. / 6., 1e-15);
}

}  // namespace
}  // namespace carom
