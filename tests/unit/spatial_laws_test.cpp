// SPDX-License-Identifier: Apache-2.0
// The algebraic laws in space: every case of tests/reference/spatial.json for them, and by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/core/linear_system.hpp>
#include <carom/core/tangent.hpp>
#include <carom/impact/brach_system.hpp>
#include <carom/impact/spatial/coefficients.hpp>
#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <support/spatial_cases.hpp>
#include <support/spatial_pairs.hpp>

namespace carom::test {
namespace {

using SpatialCase = SpatialReferenceCase;

/// The cases of `brach` and `sun-baruh`.
const std::vector<SpatialCase>& spatial_cases() {
  static const std::vector<SpatialCase> all = [] {
    std::vector<SpatialCase> chosen = spatial_reference_cases("brach");
    for (SpatialCase& c : spatial_reference_cases("sun-baruh")) {
      // The hypothesis that is meant where none is named.
      if (c.law == "sun-baruh:poisson") c.law = "sun-baruh";
      chosen.push_back(std::move(c));
    }
    return chosen;
  }();
  return all;
}

SpatialOutcome solve(const SpatialCase& c) {
  if (c.law == "brach") return brach(c.problem);
  return sun_baruh(c.problem, c.law == "sun-baruh" ? Hypothesis::poisson : Hypothesis::energetic);
}

class SpatialReference : public testing::TestWithParam<SpatialCase> {};

TEST_P(SpatialReference, OutcomeIsAsComputedIndependently) {
  const SpatialCase& c = GetParam();
  validate(c.problem, Release::allowed);
  const SpatialOutcome o = solve(c);
  EXPECT_EQ(compare(c, o), "");
  if (!c.mode.empty()) {
    EXPECT_EQ(std::to_string(static_cast<int>(o.mode)), c.mode);
  }
}

TEST_P(SpatialReference, PhasesAreThoseOfTheReference) {
  EXPECT_EQ(compare_phases(GetParam(), solve(GetParam())), "");
}

TEST_P(SpatialReference, CoefficientsAgree) {
  const SpatialCase& c = GetParam();
  if (!c.extra.contains("equivalent_mu")) return;
  const SpatialOutcome o = solve(c);
  const SpatialBrachCoefficients b = brach_coefficients(c.problem, o);
  const auto expect_pair = [&](const char* key, const std::optional<std::array<double, 2>>& got) {
    ASSERT_TRUE(got.has_value()) << key;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR((*got)[i], c.extra.at(key)[i], 1e-10) << key;
  };
  expect_pair("equivalent_mu", b.impulse_ratio);
  expect_pair("critical_mu_at_e_n", b.critical_ratio);
  expect_pair("critical_mu_at_e_n_zero", b.critical_ratio_without_rebound);
  for (std::size_t i = 0; i < 2; ++i) {
    const double expected = c.extra.at("equivalent_e_t")[i];
    ASSERT_EQ(b.e_t[i].has_value(), !std::isnan(expected));
    if (b.e_t[i]) {
      EXPECT_NEAR(*b.e_t[i], expected, 1e-10);
    }
  }
  const auto slides = c.extra.find("sliding_throughout");
  if (slides != c.extra.end() && c.id != "brach_fig5_alpha48.746") {  // which is on the boundary
    EXPECT_EQ(o.mode == Mode::slip, slides->second[0] == 1.);
  }
  const auto e_n_max = c.extra.find("e_n_max_for_T_L_nonneg");
  if (e_n_max != c.extra.end() && !std::isnan(e_n_max->second[0])) {
    SpatialProblem p = c.problem;  // at the ratios found
    p.surface.set_impulse_ratio(*b.impulse_ratio);
    const Intervals e_n = admissible(p, BrachCoefficient::normal);
    ASSERT_EQ(e_n.size(), 1U);
    EXPECT_EQ(e_n[0].low, 0.);
    EXPECT_NEAR(e_n[0].high, e_n_max->second[0], 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Spatial, SpatialReference, testing::ValuesIn(spatial_cases()),
                         [](const auto& tested) {
                           std::string name = tested.param.id;
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

// Fails if the file is truncated or misread.
TEST(SpatialReferenceFile, IsWhole) {
  std::map<std::string, int> count;
  std::set<std::string> ids;
  for (const auto& c : spatial_cases()) {
    ++count[c.law];
    ids.insert(c.id);
  }
  EXPECT_EQ(count["brach"], 24);
  EXPECT_EQ(count["sun-baruh"], 20);
  EXPECT_EQ(count["sun-baruh:energetic"], 6);
  EXPECT_EQ(ids.size(), spatial_cases().size());
}

/// Brach's sphere of Sec. 4.2: a = 1 m, k^2/a^2 = 0.4, against a fixed surface.
SpatialProblem sphere(double e_m) {
  SpatialBody ball;
  ball.mass = 1.;
  ball.inertia = {{{.4, 0., 0.}, {0., .4, 0.}, {0., 0., .4}}};
  ball.contact_offset = {0., 0., -1.};
  ball.velocity = {1., 0., -1.};
  ball.spin = {0., .5, 0.};
  SpatialProblem p = contact_space({ball}, {{{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}}});
  p.surface.set_tangential_coefficient({0., 0.});
  p.surface.moment = {-1., -1., e_m};
  return p;
}

// [Brach 1998, eqs 27-28] as corrected: what is left of the energy, over what would be left without
// a couple, is e_m^2 (1 + K)^2/(K - e_m)^2 with K = k^2/a^2.
TEST(SpatialBrach, LeavesTheEnergyOfEquation27) {
  const double before = 1. + .5 * .4 * .25;
  const double K = .4;
  const double without = before + brach(sphere(-1.)).energy.change;
  EXPECT_GT(without, 0.1);
  for (const double e_m : {-.9, -.5, -.1, 0., .1, K / (2. + K), .3}) {
    const double left = before + brach(sphere(e_m)).energy.change;
    const double ratio = e_m * e_m * (1. + K) * (1. + K) / ((K - e_m) * (K - e_m));
    EXPECT_NEAR(left / without, ratio, 1e-12 * (1. + ratio)) << e_m;
  }
}

// At e_mt' = k^2/a^2 no impulse ends slip.
TEST(SpatialBrach, SingularCoupleIsNoSolution) {
  SpatialProblem p = sphere(.4);
  const auto o = brach(p);
  EXPECT_EQ(o.verdict(), Verdict::no_solution);
  EXPECT_EQ(o.velocity, p.approach);
  EXPECT_EQ(o.impulse, Vec3{});
  EXPECT_FALSE(critical_ratios(p, 0.).exist);
  // Coulomb's rule has friction at its limit then, against the slip; with a couple that adds more.
  p.surface.tangential_rule = BrachRule::coulomb;
  p.surface.friction = p.surface.static_friction = .2;
  const auto rough = brach(p);
  EXPECT_EQ(rough.mode, Mode::slip);
  EXPECT_NEAR(rough.impulse.n, 1., 1e-15);
  EXPECT_NEAR(rough.impulse.t1, -.2, 1e-15);
}

TEST(SpatialBrach, MayReleaseEnergy) {
  SpatialProblem p = sphere(-1.);
  p.surface.restitution = 2.;
  p.surface.set_tangential_coefficient({-1., -1.});
  const auto o = brach(p);
  EXPECT_EQ(o.verdict(), Verdict::energy_gained);
  EXPECT_NEAR(o.velocity.n, 2., 1e-15);
  EXPECT_NEAR(o.energy.change, 1.5, 1e-14);
}

// A couple by its ratio to the normal impulse is the couple that its coefficient gives.
TEST(SpatialBrach, MomentRatioIsTheMomentCoefficient) {
  for (const SpatialCase& c : spatial_cases()) {
    if (c.id != "brach_two_body_moments") continue;
    SpatialProblem p = c.problem;
    const auto by_coefficient = brach(p);
    p.surface.set_moment_ratio(*brach_coefficients(p, by_coefficient).moment_ratio);
    const auto by_ratio = brach(p);
    EXPECT_LE(max_norm(by_ratio.velocity - by_coefficient.velocity), 1e-12);
    EXPECT_LE(max_norm(by_ratio.couple - by_coefficient.couple), 1e-12);
    EXPECT_GT(max_norm(by_ratio.couple), .1);
  }
}

// Where nobody knows the spin no couple acts, whatever the coefficient.
TEST(SpatialBrach, NoSpinNoCouple) {
  SpatialProblem p = sphere(0.);
  p.spin = {};
  EXPECT_EQ(brach(p).couple, Vec3{});
  EXPECT_EQ(brach(p).impulse, brach(sphere(-1.)).impulse);
}

// The energy of the sphere's e_n: 1/2 m (1 - e_n^2) + what slip loses [Brach 1998, eq. 17].
TEST(SpatialBrach, BoundsOfCoefficients) {
  SpatialProblem p = sphere(-1.);
  p.surface.set_tangential_coefficient({-1., -1.});  // frictionless
  const Intervals e_n = admissible(p, BrachCoefficient::normal);
  ASSERT_EQ(e_n.size(), 1U);
  EXPECT_EQ(e_n[0].low, 0.);
  EXPECT_NEAR(e_n[0].high, 1., 1e-15);
  p.surface.restitution = 1.;  // then |e_t| <= 1
  const Intervals e_t = admissible(p, BrachCoefficient::tangential1);
  ASSERT_EQ(e_t.size(), 1U);
  EXPECT_NEAR(e_t[0].low, -1., 1e-14);
  EXPECT_NEAR(e_t[0].high, 1., 1e-14);
  // The same in ratios: from 0 to twice the critical one.
  p.surface.set_impulse_ratio({0., 0.});
  const double mu_0 = critical_ratios(p, 1.).ratio[0];
  const Intervals mu = admissible(p, BrachCoefficient::tangential1);
  ASSERT_EQ(mu.size(), 1U);
  EXPECT_NEAR(mu[0].low, 2. * mu_0, 1e-14);
  EXPECT_NEAR(mu[0].high, 0., 1e-14);
  EXPECT_TRUE(mu.around(mu_0).has_value());
  EXPECT_FALSE(mu.around(-mu_0).has_value());
  p.approach.n = 1.;
  EXPECT_TRUE(admissible(p, BrachCoefficient::normal).empty());
}

TEST(SpatialLaws, SeparatingContactsDoNothing) {
  SpatialProblem p = sphere(-1.);
  p.surface.tangential_rule = BrachRule::coulomb;
  p.surface.friction = p.surface.static_friction = .3;
  for (const double v_n : {0., 1e-9, 2.}) {
    p.approach.n = v_n;
    for (const auto& o :
         {brach(p), sun_baruh(p, Hypothesis::poisson), sun_baruh(p, Hypothesis::energetic),
          moreau(p, Hypothesis::newton), moreau(p, Hypothesis::poisson)}) {
      EXPECT_EQ(o.verdict(), Verdict::no_impulse);
      EXPECT_EQ(o.velocity, p.approach);
      EXPECT_EQ(o.mode, Mode::no_impulse);
    }
  }
}

/// A planar problem with a second tangent that nothing moves along, `across` its mobility.
SpatialProblem in_space(const PlanarProblem& p, double across) {
  SpatialProblem q;
  q.G = {.nn = p.G.nn, .n1 = p.G.nt, .n2 = 0., .t11 = p.G.tt, .t12 = 0., .t22 = across};
  q.approach = {.n = p.approach.n, .t1 = p.approach.t, .t2 = 0.};
  q.surface.restitution = p.surface.restitution;
  q.surface.friction = p.surface.friction;
  q.surface.static_friction = p.surface.static_friction;
  q.surface.tangential_restitution = p.surface.tangential_restitution;
  return q;
}

// ERRATA, "Grazing and Painleve": the bar at 63.435 deg, which jams without approach.
TEST(SpatialLaws, GrazingBarJamsAsInThePlane) {
  PlanarProblem bar{.G = {.nn = 1.6, .nt = 1.2, .tt = 3.4},
                    .approach = {.n = 0., .t = 1.},
                    .surface = {.restitution = .5, .friction = 5. / 3.}};
  for (const double across : {0., 2.}) {
    const SpatialProblem p = in_space(bar, across);
    const auto poisson = sun_baruh(p, Hypothesis::poisson);
    EXPECT_TRUE(poisson.flags.has(Verdict::jam));
    EXPECT_NEAR(poisson.velocity.n, routh(bar, Hypothesis::poisson).velocity.n, 1e-14);
    EXPECT_NEAR(poisson.velocity.n, .17647, 1e-5);
    const auto energetic = sun_baruh(p, Hypothesis::energetic);
    EXPECT_NEAR(energetic.velocity.n, routh(bar, Hypothesis::energetic).velocity.n, 1e-14);
    EXPECT_NEAR(energetic.velocity.n, .08889, 1e-5);
    const auto planar = moreau(bar, Hypothesis::newton);
    const auto o = moreau(p, Hypothesis::newton);
    EXPECT_TRUE(o.flags.has(Verdict::several_solutions));
    EXPECT_EQ(o.mode, Mode::stick);
    EXPECT_NEAR(o.impulse.n, planar.impulse.n, 1e-14);
    EXPECT_NEAR(o.impulse.t1, planar.impulse.t, 1e-14);
    EXPECT_GT(o.impulse.n, .1);
  }
}

// G of rank one, exactly: in range it sticks, out of range it slips or has no answer.
TEST(SpatialMoreau, SingularInverseInertiaAsInThePlane) {
  PlanarProblem p{.G = {.nn = 4., .nt = 6., .tt = 9.},
                  .approach = {.n = -2., .t = -3.},
                  .surface = {.restitution = .5, .friction = .4}};
  for (const double v_t : {-3., 2., -5., 0.}) {
    for (const double mu : {0., .4, .7, 2.}) {
      for (const double across : {0., 1.}) {
        p.approach.t = v_t;
        p.surface.friction = p.surface.static_friction = mu;
        p.surface.tangential_restitution = .5;
        const auto a = moreau(p, Hypothesis::newton);
        const auto b = moreau(in_space(p, across), Hypothesis::newton);
        EXPECT_EQ(a.flags.has(Verdict::no_solution), b.flags.has(Verdict::no_solution))
            << v_t << " " << mu;
        EXPECT_NEAR(a.velocity.n, b.velocity.n, 1e-13) << v_t << " " << mu;
        EXPECT_NEAR(a.velocity.t, b.velocity.t1, 1e-13) << v_t << " " << mu;
        EXPECT_NEAR(a.impulse.n, b.impulse.n, 1e-13) << v_t << " " << mu;
        EXPECT_TRUE(std::isfinite(b.impulse.t1) && std::isfinite(b.impulse.t2));
      }
    }
  }
}

// A direction in which nothing can move keeps its slip for ever; friction acts along what is left.
TEST(SpatialMoreau, ImmovableTangentKeepsItsSlip) {
  SpatialProblem p;
  p.G = {.nn = 1., .n1 = .2, .n2 = 0., .t11 = 2., .t12 = 0., .t22 = 0.};
  p.approach = {.n = -1., .t1 = .5, .t2 = .7};
  p.surface.friction = p.surface.static_friction = .5;
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_EQ(o.mode, Mode::slip);
  EXPECT_EQ(o.velocity.t2, .7);
  EXPECT_NEAR(std::hypot(o.impulse.t1, o.impulse.t2), .5 * o.impulse.n, 1e-14);
  EXPECT_NEAR(o.impulse.t1 * o.velocity.t2, o.impulse.t2 * o.velocity.t1, 1e-14);
}

struct Several {
  Sym3 G;
  Vec3 v;
  double e, eps, mu;
};

// Without bound on friction a singular G asks for impulses whose velocities are only rounding.
TEST(SpatialMoreau, SaysWhereRoundingIsAllThatIsLeft) {
  SpatialProblem p;
  p.G = {.nn = .37875256165106075,
         .n1 = -.6154287624502618,
         .n2 = -.6154287624502618,
         .t11 = 1.,
         .t12 = 1.,
         .t22 = 1.};
  p.approach = {.n = -.7829443542332878, .t1 = .4982126894588025, .t2 = .7790926110075912};
  p.surface.restitution = .5;
  for (const double mu : {1e4, 1e5, 1e6}) {
    p.surface.friction = p.surface.static_friction = mu;
    for (const auto h : {Hypothesis::newton, Hypothesis::poisson}) {
      const SpatialOutcome o = moreau(p, h);
      EXPECT_LT(max_norm(o.velocity), 10.) << mu;
      EXPECT_LT(std::abs(o.energy.change), 100.) << mu;
    }
  }
}

// Three solutions of an approaching contact: with strong friction, and with less than 0.6.
TEST(SpatialMoreau, ThreeSolutions) {
  const std::array<Several, 2> cases{
      {{{231.46825601534482, 105.54265314629254, -91.870968401786044, 107.09814899346998,
         -2.8355815444748069, 209.22897305174115},
        {-1.9999647006629222, 2.6459268048675422, 6.1803379921929604},
        .164,
        .894,
        4.826},
       {{3.6639357295216817, -5.6985065204671317, 3.2714492935495252, 17.245321882614078,
         0.83384936210236349, 19.000364360280205},
        {-0.063104787226568426, -1.6965901142165443, 3.7216932316449443},
        .472,
        .683,
        .567}}};
  for (const Several& c : cases) {
    SpatialProblem p;
    p.G = c.G;
    p.approach = c.v;
    p.surface.restitution = c.e;
    p.surface.tangential_restitution = c.eps;
    p.surface.friction = p.surface.static_friction = c.mu;
    validate(p);
    const auto all = moreau_solutions(p, Hypothesis::newton);
    ASSERT_EQ(all.size(), 3U);
    for (const auto& s : all) {
      const double v = velocity_scale(p, s.impulse, {}, s.velocity);
      EXPECT_LE(momentum_residual(p, s.impulse, {}, s.velocity), 1e-14);
      const Tangent xi = tangential(s.velocity) + c.eps * tangential(c.v);
      const Tangent P = tangential(s.impulse);
      EXPECT_NEAR(s.velocity.n, -c.e * c.v.n, 1e-14);
      EXPECT_LE(size(P), c.mu * s.impulse.n * (1. + 1e-14));
      if (s.mode == Mode::stick) continue;
      EXPECT_NEAR(size(P), c.mu * s.impulse.n, 1e-14 * size(P));
      EXPECT_LE(std::abs(cross(P, xi)), 1e-13 * size(P) * v);
      EXPECT_LT(dot(P, xi), -1e-3 * size(P) * size(xi));
    }
    // Distinct, and the one that sticks comes first.
    EXPECT_GT(max_norm(all[0].velocity - all[1].velocity), 1e-3);
    EXPECT_GT(max_norm(all[1].velocity - all[2].velocity), 1e-3);
    const auto o = moreau(p, Hypothesis::newton);
    EXPECT_EQ(o.mode, Mode::stick);
    EXPECT_TRUE(o.flags.has(Verdict::several_solutions));
    EXPECT_EQ(o.velocity, all[0].velocity);
  }
}

// Three that slip and none that sticks: the one that leaves the least energy is returned.
TEST(SpatialMoreau, OfThoseThatSlipTheOneThatLosesMost) {
  SpatialProblem p;
  p.G = {153.14790504365035, 22.413860595922319, -29.75964579330844,
         14.658462408379405, 12.611964024659986, 134.8312439568821};
  p.approach = {-0.04922613981062407, 0.13481987991162511, -2.6571139878309622};
  p.surface.restitution = .052;
  p.surface.friction = p.surface.static_friction = 3.932;
  const auto all = moreau_solutions(p, Hypothesis::newton);
  ASSERT_EQ(all.size(), 3U);
  for (const auto& s : all) EXPECT_EQ(s.mode, Mode::slip);
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_NEAR(o.energy.change, -0.0348457487353, 1e-12);
  EXPECT_GT(0.5 * dot(all[1].impulse, p.approach + all[1].velocity), o.energy.change + 1e-3);
  EXPECT_GT(0.5 * dot(all[2].impulse, p.approach + all[2].velocity), o.energy.change + 1e-3);
}

// Without approach a contact may lock while it slips, along a direction with k(d) = 0: then, not at
// rest, is the limit of a vanishing approach.
TEST(SpatialMoreau, LocksInSlipWithoutApproach) {
  SpatialProblem p;
  p.G = {8.993431003454825,  -4.7499808381823998, -2.1644157556030841,
         19.026284403745866, 1.9217406727847264,  16.317985426345778};
  p.approach = {0., -0.10585369906577813, -0.31907550147352626};
  p.surface.friction = p.surface.static_friction = 2.56;
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_EQ(o.mode, Mode::slip);
  EXPECT_TRUE(o.flags.has(Verdict::several_solutions));
  EXPECT_GT(o.impulse.n, 1e-3);
  EXPECT_EQ(o.velocity.n, 0.);
  EXPECT_LE(momentum_residual(p, o.impulse, {}, o.velocity), 1e-14);
  const Tangent P = tangential(o.impulse);
  const Tangent slip = tangential(o.velocity);
  EXPECT_NEAR(size(P), 2.56 * o.impulse.n, 1e-15);
  EXPECT_NEAR(cross(P, slip), 0., 1e-16);
  EXPECT_LT(dot(P, slip), 0.);
  p.approach.n = -1e-9;
  EXPECT_LE(max_norm(moreau(p, Hypothesis::newton).velocity - o.velocity), 1e-6);
}

// In expansion a contact that slips may lock: more than e P_Cn, and v_n+ = 0.
TEST(SpatialMoreau, ExpansionMayLock) {
  SpatialProblem p;
  p.G = {57.702622026285034, -10.099689423679177, 37.792261919213196,
         38.119935823544544, -24.51155019586,     47.683008876691318};
  p.approach = {-0.03939002037853756, 2.7973853881472603, 0.74902045367852321};
  p.surface.restitution = .485;
  p.surface.friction = p.surface.static_friction = 3.612;
  const auto all = moreau_solutions(p, Hypothesis::poisson);
  ASSERT_EQ(all.size(), 4U);
  int locked = 0;
  for (const auto& s : all) {
    EXPECT_LE(momentum_residual(p, s.impulse, {}, s.velocity), 1e-14);
    if (s.velocity.n == 0.) ++locked;
  }
  EXPECT_EQ(locked, 2);
  EXPECT_NEAR(moreau(p, Hypothesis::poisson).velocity.n, .871168, 1e-6);
}

// Where sliding along the assumed direction would let normal velocity fall, compression goes
// straight towards the end of slip.
TEST(SunBaruh, SlidesTowardsTheEndOfSlipWhereItsDirectionJams) {
  SpatialProblem p;
  p.G = {54.30152518832017,  -36.525008623856849, -2.7523898198517602,
         64.411044092513222, 14.880088885408314,  9.9289010002321501};
  p.approach = {-0.21119271735493184, -2.9061890549963336, -4.0168052487789048};
  p.surface.restitution = .861;
  p.surface.friction = p.surface.static_friction = 2.972;
  const auto o = sun_baruh(p, Hypothesis::poisson);
  ASSERT_EQ(o.phases.size(), 2U);
  EXPECT_EQ(o.mode, Mode::slides);
  EXPECT_TRUE(o.flags.has(Verdict::still_approaching));
  const SpatialPhase& c = o.phases[0];
  EXPECT_EQ(c.velocity.n, 0.);
  EXPECT_NEAR(cross(tangential(c.velocity), tangential(p.approach)), 0., 1e-13);
  EXPECT_LT(tangential_size(c.velocity), tangential_size(p.approach));
  EXPECT_NEAR(tangential_size(c.impulse), 2.972 * c.impulse.n, 1e-15);
}

TEST(DiscFriction, IsTheLeastOnItsDisc) {
  const Sym3 G{2., .3, -.4, 1.5, .6, .7};
  const Vec3 b{0., .8, -.5};
  for (const double mu : {0., .01, .2, .5, 5.}) {
    const auto f = complementarity::solve_disc_friction(G, b, mu, 1.2);
    const Tangent u = tangential(b) + 1.2 * coupling(G);
    const auto cost = [&](const Tangent& P) {
      return 0.5 * dot(P, tangential_product(G, P)) + dot(P, u);
    };
    const double radius = mu * 1.2;
    EXPECT_LE(size(tangential(f.P)), radius * (1. + 1e-14));
    EXPECT_LE(max_norm(b + G * f.P - f.xi), 1e-14);
    for (int i = 0; i < 360; ++i) {
      for (const double share : {.3, .9, 1.}) {
        const double angle = i * std::acos(-1.) / 180.;
        const Tangent P{.t1 = share * radius * std::cos(angle),
                        .t2 = share * radius * std::sin(angle)};
        EXPECT_LE(cost(tangential(f.P)), cost(P) + 1e-15);
      }
    }
    EXPECT_EQ(f.sticks, mu == 5.);
  }
}

TEST(LinearSystem, SolvesAndSeesSingularity) {
  const LinearSystem<3> regular({{{0., 2., 1.}, {1., 0., 0.}, {0., 1., 3.}}});
  ASSERT_TRUE(regular.regular());
  const auto x = regular.solve({5., 1., 5.});
  EXPECT_NEAR(x[0], 1., 1e-15);
  EXPECT_NEAR(x[1], 2., 1e-15);
  EXPECT_NEAR(x[2], 1., 1e-15);
  EXPECT_FALSE(LinearSystem<3>({{{1., 2., 3.}, {4., 5., 6.}, {5., 7., 9.}}}).regular());
}

}  // namespace
}  // namespace carom::test
