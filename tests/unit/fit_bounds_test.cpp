// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/bounds.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <carom/core/random.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/study/fit/classes.hpp>
#include <support/measured.hpp>

namespace carom::study::fit {
namespace {

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.) / static_cast<double>(x.size());
}

Parameters fixed(double restitution, double friction) {
  Parameters parameters;
  parameters.surface = {.restitution = restitution, .friction = friction};
  return parameters;
}

// Computed independently (NumPy): means over the rows.
TEST(Bounds, OfMeasuredDropsAreThoseComputedIndependently) {
  const MeasuredImpacts data = test::read_planar_drops(test::ellipse_drops());
  const Objective objective(data, find_law("poisson", "law"), fixed(0.594, 0.184));
  const auto rows = data.fitted();
  const LeastErrors bounds = least_errors(objective, rows, {});
  EXPECT_NEAR(mean(bounds.losing_energy), 0.026330873011735388, 1e-10);
  EXPECT_NEAR(mean(bounds.in_cone), 0.04047401798436315, 1e-10);
  const std::vector<double> errors = objective.errors(rows, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_LE(bounds.any_impulse[i], bounds.losing_energy[i] + 1e-12);
    EXPECT_LE(bounds.losing_energy[i], bounds.in_cone[i] + 1e-12);
    EXPECT_LE(bounds.in_cone[i], errors[i] + 1e-12);  // no law beats it
  }
}

TEST(Bounds, OfTheSquareAreThoseComputedIndependently) {
  const MeasuredImpacts data = test::read_planar_drops(test::square_drops());
  const Objective objective(data, find_law("poisson", "law"), fixed(0.447, 0.153));
  const LeastErrors bounds = least_errors(objective, data.fitted(), {});
  EXPECT_NEAR(mean(bounds.losing_energy), 0.027084779215153915, 1e-10);
  EXPECT_NEAR(mean(bounds.in_cone), 0.04486896897856278, 1e-10);
}

/// One contact of a body in space: six coordinates with unit metric.
struct InSpace {
  MeasuredImpacts data;
  MeasuredContact contact;
  MeasuredImpact impact;
};

InSpace any_in_space(std::uint64_t stream) {
  const RandomStream random(7, stream);
  std::uint64_t drawn = 0;
  const auto uniform = [&] { return 2. * random.uniform(drawn++) - 1.; };
  InSpace s;
  s.data.coordinates.assign(6, "y");
  s.data.units.assign(6, "m/s");
  s.data.metric = {1., 1., 1., 0.5, 0.5, 0.5};
  s.contact.W = Eigen::MatrixXd::NullaryExpr(6, 3, [&] { return uniform(); });
  s.contact.response = Eigen::VectorXd::LinSpaced(6, 1., 2.).asDiagonal() * s.contact.W;
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> G =
      s.contact.W.transpose() * s.contact.response;
  for (int j = 0; j < 6; ++j) {
    s.impact.before.push_back(uniform());
    s.impact.after.push_back(2. * uniform());
  }
  Eigen::Vector3d v =
      s.contact.W.transpose() * Eigen::Map<Eigen::VectorXd>(s.impact.before.data(), 6);
  if (v[0] > 0.) {
    for (double& y : s.impact.before) y = -y;
    v = -v;
  }
  assign(s.contact.problem, {G.data(), 9}, {v.data(), 3});
  return s;
}

// No impulse of the set that is tried comes nearer, and one that is tried comes almost as near.
TEST(Bounds, InSpaceAreTheLeastOfAllImpulses) {
  constexpr double mu = 0.4;
  for (std::uint64_t stream = 0; stream < 20; ++stream) {
    const InSpace s = any_in_space(stream);
    const Eigen::MatrixXd G = s.contact.problem.G.dense();
    const Eigen::Map<const Eigen::VectorXd> before(s.impact.before.data(), 6);
    const Eigen::Map<const Eigen::VectorXd> after(s.impact.after.data(), 6);
    const Eigen::VectorXd v = s.contact.W.transpose() * before;
    const double bound = least_error(s.data, s.contact, s.impact, {.friction = mu});
    const double wider = least_error(s.data, s.contact, s.impact, {});
    EXPECT_LE(wider, bound + 1e-12);
    double least = 1e300;
    // Polar coordinates of the cone; as far as energy is lost along the ray.
    for (int a = 0; a < 120; ++a) {
      for (int b = 0; b <= 20; ++b) {
        const double angle = a * 2. * M_PI / 120.;
        const Eigen::Vector3d d(1., mu * b / 20. * std::cos(angle), mu * b / 20. * std::sin(angle));
        const double end = std::max(-2. * v.dot(d) / d.dot(G * d), 0.);
        for (int c = 0; c <= 60; ++c) {
          const Eigen::VectorXd off = after - before - s.contact.response * (d * (end * c / 60.));
          least = std::min(least, s.data.norm({off.data(), 6}) / s.data.norm(s.impact.before));
        }
      }
    }
    EXPECT_GE(least, bound - 1e-9);
    // The grid is off by half a step, 1/120 of the ray, 1/40 of the radius: the error by less.
    EXPECT_LE(least, bound * 1.02 + 1e-9);
  }
}

// [Sun & Baruh 2022]'s modes by hand: G = 1 for both, no coupling, mu v_n against v_t.
TEST(Classes, FollowFromApproachAndFriction) {
  ContactProblem p;
  const auto with = [&](double nn, double nt, double tt, double n, double t) {
    const double G[] = {nn, nt, nt, tt};
    const double v[] = {n, t};
    assign(p, G, v);
    p.surfaces.resize(1);
    return classify(p, 0.5);
  };
  // Slip stops at p = |v_t|/mu = 2, compression ends at 1, the impact at 1 + e.
  EXPECT_EQ(with(1., 0., 1., -1., 1.05).kind, SlipClass::goes_on);
  EXPECT_FALSE(with(1., 0., 1., -1., 1.05).depends_on_restitution);
  EXPECT_EQ(with(1., 0., 1., -1., 0.4).kind, SlipClass::stops);
  EXPECT_FALSE(with(1., 0., 1., -1., 0.4).depends_on_restitution);
  EXPECT_EQ(with(1., 0., 1., -1., 0.7).kind, SlipClass::stops);  // p* = 1.4 < 1.5
  EXPECT_TRUE(with(1., 0., 1., -1., 0.7).depends_on_restitution);
  EXPECT_EQ(with(1., 0., 1., -1., 0.8).kind, SlipClass::goes_on);     // p* = 1.6 > 1.5
  EXPECT_EQ(with(1., 0.6, 1., -1., -0.1).kind, SlipClass::reverses);  // |G_nt| > mu G_tt
  EXPECT_EQ(with(1., 0., 1., -1., 0.).kind, SlipClass::no_slip);
}

// The classes do not change with what was measured afterwards.
TEST(Classes, DoNotDependOnTheOutcome) {
  MeasuredImpacts data = test::read_planar_drops(test::square_drops());
  const Parameters parameters = fixed(0.447, 0.153);
  const auto rows = data.fitted();
  const auto count = [&](SlipClass kind) {
    const Objective objective(data, find_law("poisson", "law"), parameters);
    const auto found = classify(objective, rows, {});
    return std::count_if(found.begin(), found.end(),
                         [&](const Classified& c) { return c.kind == kind; });
  };
  EXPECT_EQ(count(SlipClass::goes_on), 107);
  EXPECT_EQ(count(SlipClass::stops), 60);
  EXPECT_EQ(count(SlipClass::reverses), 148);
  for (MeasuredImpact& impact : data.impacts) impact.after = {1., 2., 3.};
  EXPECT_EQ(count(SlipClass::reverses), 148);
}

}  // namespace
}  // namespace carom::study::fit
