// SPDX-License-Identifier: Apache-2.0
// Derivatives of contacts in space and of several contacts against differences of the law itself,
// away from the edges between modes.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <Eigen/LU>

#include <carom/impact/one_contact.hpp>
#include <carom/study/sensitivity.hpp>
#include <support/multi_problems.hpp>

namespace carom::test {
namespace {

using study::Sensitivity;

constexpr std::array<const char*, 4> directions{"normal", "slip", "tangent1", "tangent2"};

/// The place of a direction among n, t or n, t1, t2.
std::size_t component(const std::string& direction) {
  if (direction == "slip" || direction == "tangent1") return 1;
  return direction == "tangent2" ? 2 : 0;
}

/// The problem with one of the inputs that a sensitivity names moved by `step`.
ContactProblem moved(const ContactProblem& p, std::string input, double step) {
  ContactProblem q = p;
  std::size_t contact = 0;
  if (const auto at = input.find(", contact "); at != std::string::npos) {
    contact = std::stoul(input.substr(at + 10)) - 1;
    input.resize(at);
  }
  std::string direction = "normal";
  for (const char* d : directions) {
    const std::string ending = std::string(", ") + d;
    if (input.ends_with(ending)) {
      direction = d;
      input.resize(input.size() - ending.size());
    }
  }
  if (input == "approach") {
    q.approach[contact * p.G.components() + component(direction)] += step;
    return q;
  }
  Surface& s = q.surfaces[contact];
  const bool follows = s.static_friction == s.friction;
  const Coefficient* c = find_coefficient(input);
  const std::size_t k = component(direction);
  c->numbers(s)[c->per == NumbersPer::tangent ? k - 1 : k] += step;
  if (input == "friction" && follows) s.static_friction = s.friction;
  return q;
}

/// An outcome, and of two stages the first.
struct Answer {
  Outcome o;
  Outcome compressed;
};

Answer answer_of(const Law& law, const ContactProblem& p) {
  Answer answer;
  solve(law, p, {}, answer.o);
  if (law.name == "moreau:poisson") {
    ContactProblem first = p;
    for (Surface& s : first.surfaces) s.restitution = s.tangential_restitution = 0.;
    solve(*find_law("moreau"), first, {}, answer.compressed);
  }
  return answer;
}

/// In the order of a sensitivity's outputs.
std::vector<double> outputs(const ContactProblem& p, const Outcome& o, bool couples) {
  std::vector<double> y;
  const std::size_t rows = p.G.components();
  const std::size_t d = p.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const auto add = [&](const std::vector<double>& x, std::size_t from, std::size_t to) {
      for (std::size_t c = from; c < to; ++c) y.push_back(x[i * rows + c]);
    };
    add(o.impulse, 0, d);
    add(o.velocity, 0, d);
    if (couples) add(o.impulse, d, rows);
  }
  y.push_back(o.energy.change);
  return y;
}

/// Do two outcomes come from the same branch of the law?
bool alike(const Answer& x, const Answer& y) {
  const auto& [a, a_compressed] = x;
  const auto& [b, b_compressed] = y;
  const auto same_mode = [](const ContactOutcome& c, const ContactOutcome& d) {
    return c.mode == d.mode;
  };
  const auto same_phase = [](const Phase& c, const Phase& d) {
    return c.stage == d.stage && c.motion == d.motion;
  };
  return a.flags == b.flags && std::ranges::equal(a.contacts, b.contacts, same_mode) &&
         std::ranges::equal(a_compressed.contacts, b_compressed.contacts, same_mode) &&
         std::ranges::equal(a.phases, b.phases, same_phase);
}

bool at_an_edge(const Law& law, const ContactProblem& p, const Answer& o) {
  for (const double factor : {1. - 1e-7, 1. + 1e-7}) {
    ContactProblem q = p;
    for (Surface& s : q.surfaces) {
      s.friction *= factor;
      s.static_friction *= factor;
    }
    if (!alike(answer_of(law, q), o)) return true;
  }
  return false;
}

double largest(const std::vector<double>& x) {
  double m = 0.;
  for (const double a : x) m = std::max(m, std::abs(a));
  return m;
}

/// Compares by differences with steps h and h/2, extrapolated; skips where the branch changes.
void compare(const Law& law, const ContactProblem& p) {
  const Sensitivity s = study::sensitivity(law, p);
  const Answer answer = answer_of(law, p);
  const Outcome& o = answer.o;
  if (at_an_edge(law, p, answer)) return;
  if (s.outputs.empty()) {
    RC_ASSERT(!s.refused.empty() || largest(o.impulse) == 0.);
    return;
  }
  const bool couples = s.outputs.size() > 2 * p.contacts() * p.components() + 1;
  const auto y = outputs(p, o, couples);
  RC_ASSERT(y.size() == s.outputs.size());
  for (std::size_t i = 0; i < y.size(); ++i) RC_ASSERT(s.outputs[i].value == y[i]);
  const double P = largest(o.impulse);
  const double v = std::max(largest(p.approach), largest(o.velocity));
  for (std::size_t j = 0; j < s.inputs.size(); ++j) {
    const double size = std::max(std::abs(s.inputs[j].value), 1e-2);
    std::array<std::vector<double>, 2> difference;
    bool same = true;
    for (std::size_t k = 0; k < 2; ++k) {
      const double h = (k == 0 ? 1e-4 : 0.5e-4) * size;
      const Answer above = answer_of(law, moved(p, s.inputs[j].name, h));
      const Answer below = answer_of(law, moved(p, s.inputs[j].name, -h));
      same = same && alike(above, answer) && alike(below, answer);
      const auto a = outputs(p, above.o, couples);
      const auto b = outputs(p, below.o, couples);
      for (std::size_t i = 0; i < y.size(); ++i) difference[k].push_back((a[i] - b[i]) / (2. * h));
    }
    if (!same) continue;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double limit = (4. * difference[1][i] - difference[0][i]) / 3.;
      // Differences that do not settle are too near to an edge or a pole to judge by.
      const double unsettled = std::abs(difference[1][i] - difference[0][i]);
      const double exact = s.absolute(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      RC_ASSERT(std::isfinite(exact));
      const bool energy = i + 1 == y.size();
      const bool impulse = s.outputs[i].unit != "m/s";
      const double scale = energy ? P * v : impulse ? P : v;
      if (!(std::abs(exact - limit) <= 1e-5 * scale / size + unsettled)) {
        RC_FAIL(std::string(law.name) + ": d(" + s.outputs[i].name + ")/d(" + s.inputs[j].name +
                ") = " + std::to_string(exact) + ", by differences " + std::to_string(limit));
      }
    }
  }
}

ContactProblem contacts(const SpatialProblem& one) {
  ContactProblem p;
  assign(p, one);
  return p;
}

/// Away from the corners of the coefficients' ranges, so that both sides exist.
void move_inside(Surface& s) {
  s.restitution = 0.05 + 0.9 * s.restitution;
  s.tangential_restitution = 0.05 + 0.9 * s.tangential_restitution;
  const bool apart = s.static_friction > s.friction * 1.001;
  s.friction += 0.02;
  s.static_friction = apart ? s.static_friction + 0.04 : s.friction;
}

/// The laws that have derivatives in space.
const Laws& differentiable_in_space() {
  static const Laws all = [] {
    Laws some = laws_for(carom::in_space);
    std::erase_if(some, [](const Law& law) { return law.name == "compliant"; });
    return some;
  }();
  return all;
}

/// Any law.
void compare_in_space(SpatialProblem p) {
  move_inside(p.surface);
  RC_PRE(std::hypot(p.approach.t1, p.approach.t2) > 1e-2);
  const Laws& all = differentiable_in_space();
  compare(all[*rc::gen::inRange<std::size_t>(0, all.size())], contacts(p));
}

RC_GTEST_PROP(SensitivityInSpace, OfBodiesAgreesWithDifferences, ()) {
  compare_in_space(*body_problems());
}

RC_GTEST_PROP(SensitivityInSpace, OfAnyContactAgreesWithDifferences, ()) {
  compare_in_space(*spatial_problems());
}

// Slip along an invariant ray stays on it; beside the ray it turns, which the derivative across
// must know.
RC_GTEST_PROP(SensitivityInSpace, KnowsHowSlipTurnsBesideARay, ()) {
  SpatialProblem p;
  p.G = {.nn = 1., .n1 = *thousandths(-500, 500), .t11 = 1., .t22 = *thousandths(300, 3000)};
  p.approach = {.n = -1., .t1 = *thousandths(100, 3000)};
  p.surface.restitution = *thousandths(0, 1000);
  p.surface.friction = p.surface.static_friction = *thousandths(10, 1000);
  compare_in_space(p);
}

RC_GTEST_PROP(SensitivityInSpace, BrachsOwnCoefficientsToo, ()) {
  SpatialProblem p = *body_problems();
  move_inside(p.surface);
  p.surface.static_friction = p.surface.friction;
  const Law& brach = *find_law("brach");
  const bool known = p.spin.known;
  if (known) p.surface.moment = {*thousandths(-950, 0), -0.5, *thousandths(-950, 0)};
  compare(brach, contacts(p));
  SpatialProblem ratio = p;
  ratio.surface.set_impulse_ratio({*thousandths(-1000, 1000), *thousandths(-1000, 1000)});
  compare(brach, contacts(ratio));
  SpatialProblem velocity = p;
  velocity.surface.set_tangential_coefficient(
      {*thousandths(-1000, 1000), *thousandths(-1000, 1000)});
  if (known) velocity.surface.set_moment_ratio({0.01, *thousandths(-100, 100), -0.02});
  compare(brach, contacts(velocity));
}

// Exact process with e = 0: the derivatives are finite, and by e those from above.
RC_GTEST_PROP(SensitivityInSpace, IsFiniteWithoutRestitution, ()) {
  SpatialProblem p = *body_problems();
  RC_PRE(std::hypot(p.approach.t1, p.approach.t2) > 1e-2);
  p.surface.restitution = 0.;
  for (const char* name : {"newton", "poisson", "energetic"}) {
    const Law& law = *find_law(name);
    const Sensitivity s = study::sensitivity(law, contacts(p));
    if (s.outputs.empty()) continue;
    RC_ASSERT(s.absolute.allFinite());
    RC_ASSERT(s.inputs[3].name == "restitution");
    const double h = 1e-6;
    const Outcome o = answer_of(law, contacts(p)).o;
    SpatialProblem above = p;
    above.surface.restitution = h;
    const Outcome more = answer_of(law, contacts(above)).o;
    if (more.contacts[0].mode != o.contacts[0].mode || more.flags != o.flags) continue;
    const auto y = outputs(contacts(p), o, false);
    const auto y_above = outputs(contacts(above), more, false);
    const double scale = largest(o.impulse) + largest(o.velocity);
    for (std::size_t i = 0; i < 6; ++i) {
      const double exact = s.absolute(static_cast<Eigen::Index>(i), 3);
      const double by_difference = (y_above[i] - y[i]) / h;
      RC_ASSERT(std::abs(exact - by_difference) <= 2e-3 * (scale + std::abs(exact)));
    }
  }
}

TEST(SensitivityInSpace, IsThereForRandomBodies) {
  for (const Law& law : differentiable_in_space()) {
    int refused = 0;
    constexpr int tried = 500;
    for (int seed = 0; seed < tried; ++seed) {
      SpatialProblem p = random_bodies(static_cast<std::uint64_t>(seed));
      move_inside(p.surface);
      refused += study::sensitivity(law, contacts(p)).refused.empty() ? 0 : 1;
    }
    EXPECT_LE(refused, tried / 100) << law.name;
  }
}

TEST(SensitivityInSpace, IsRefusedForCompliantContacts) {
  const Law& law = *find_law("compliant");
  SpatialProblem p = random_bodies(1);
  p.surface.compliance_ratio = 0.8;
  const Sensitivity s = study::sensitivity(law, contacts(p));
  EXPECT_EQ(s.refused, "this law has no derivatives in space");
  EXPECT_TRUE(s.inputs.empty());
  EXPECT_TRUE(s.outputs.empty());
  const PlanarProblem planar{
      .G = {.nn = 1., .nt = 0.2, .tt = 2.}, .approach = {.n = -1., .t = 0.3}, .surface = p.surface};
  EXPECT_EQ(study::sensitivity(law, planar).refused, "");
}

/// Inside the ranges, each contact with its own numbers.
ContactProblem several(std::uint64_t seed, std::size_t components) {
  ContactProblem p = random_multi_problem(seed, components, 2, 5);
  for (Surface& s : p.surfaces) move_inside(s);
  return p;
}

RC_GTEST_PROP(SensitivityOfSeveral, MoreauAgreesWithDifferences, (std::uint64_t seed)) {
  const auto* name = *rc::gen::element("moreau", "moreau:poisson");
  compare(*find_law(name), several(seed, *rc::gen::inRange<std::size_t>(1, 4)));
}

TEST(SensitivityOfSeveral, IsThereForMostRandomProblems) {
  for (const std::size_t components : {1U, 2U, 3U}) {
    for (const char* name : {"moreau", "moreau:poisson"}) {
      int there = 0;
      constexpr int tried = 100;
      for (int seed = 0; seed < tried; ++seed) {
        const auto s = study::sensitivity(*find_law(name),
                                          several(static_cast<std::uint64_t>(seed), components));
        there += s.refused.empty() ? 1 : 0;
      }
      EXPECT_GT(there, tried / 2) << name << " " << components;
    }
  }
}

TEST(SensitivityOfSeveral, NamesContactsAndIsRefusedByTheRow) {
  const ContactProblem p = several(3, 2);
  const Sensitivity s = study::sensitivity(*find_law("moreau"), p);
  ASSERT_TRUE(s.refused.empty()) << s.refused;
  const auto named = [](const std::vector<study::NamedNumber>& all, const std::string& name) {
    return std::ranges::any_of(all, [&](const auto& x) { return x.name == name; });
  };
  EXPECT_TRUE(named(s.inputs, "friction, contact 2"));
  EXPECT_TRUE(named(s.inputs, "approach, slip, contact 1"));
  EXPECT_TRUE(named(s.outputs, "impulse, normal, contact 2"));
  EXPECT_EQ(study::sensitivity(*find_law("lzb"), p).refused,
            "this law has no derivatives for several contacts");
}

/// A law from outside: whatever closes is stopped, P_n = -v_n-/G_nn without friction.
void stop(const Law&, const ContactProblem& p, const SolveOptions&, Outcome& o) {
  o = unchanged(p, Verdict::ordinary);
  o.flags = {};
  o.impulse[0] = -p.approach[0] / p.G(0, 0);
  o.velocity[0] = 0.;
}

Derivatives stop_derivatives(const ContactProblem& p, const Outcome&, const SolveOptions&,
                             std::span<const ImpactInput> inputs) {
  Derivatives d;
  d.by_input.setZero(2 * static_cast<Eigen::Index>(p.G.size()),
                     static_cast<Eigen::Index>(inputs.size()));
  d.by_input(0, 0) = -1. / p.G(0, 0);  // the first input is the normal approach
  return d;
}

TEST(SensitivityOfAnyLaw, ALawFromOutsideIsRefusedOrBringsItsOwn) {
  Law row{.name = "stop", .summary = "stops", .info = &Newton::info, .solve = stop};
  ContactProblem p;
  p.G = BlockMatrix::from_dense(2. * Eigen::MatrixXd::Identity(1, 1), 1);
  p.approach = {-3.};
  p.surfaces.resize(1);
  EXPECT_EQ(study::sensitivity(row, p).refused, "this law has no derivatives");
  row.name = "stop-and-report";
  row.derivatives = stop_derivatives;
  const Sensitivity s = study::sensitivity(row, p);
  ASSERT_TRUE(s.refused.empty());
  EXPECT_EQ(s.inputs[0].name, "approach, normal");
  EXPECT_EQ(s.absolute(0, 0), -0.5);
  EXPECT_EQ(s.outputs.back().name, "energy change");
  EXPECT_EQ(s.absolute(2, 0), 0.5 * (-3.) * -0.5 + 0.5 * 1.5);
}

// Derivatives hold at a solution only. The first problem has none that could be found: its impulses
// grow without bound, and differences had nothing to do with the derivatives.
TEST(SensitivityOfSeveral, IsRefusedWhereTheOutcomeHasNotConverged) {
  const Law& moreau = *find_law("moreau");
  const Sensitivity jammed = study::sensitivity(moreau, several(49600169191170724, 3));
  EXPECT_EQ(jammed.verdict, Verdict::not_converged);
  EXPECT_TRUE(jammed.outputs.empty());
  EXPECT_FALSE(jammed.refused.empty());
  int unfinished = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ContactProblem p = several(seed, 3);
    for (const char* name : {"moreau", "moreau:poisson"}) {
      const SolveOptions one_step{.most_steps = 1};
      const Law& law = *find_law(name);
      Outcome o;
      solve(law, p, one_step, o);
      if (!o.flags.has(Verdict::not_converged)) continue;
      ++unfinished;
      const Sensitivity s = study::sensitivity(law, p, one_step);
      EXPECT_TRUE(s.outputs.empty()) << name << " " << seed;
      EXPECT_FALSE(s.refused.empty()) << name << " " << seed;
    }
  }
  EXPECT_GT(unfinished, 20);
}

/// Two contacts on the same body that stick, `apart` from being the same contact.
ContactProblem nearly_one_contact(std::uint64_t seed, double apart) {
  Dice dice(seed);
  Eigen::MatrixXd W(8, 6);
  for (Eigen::Index i = 0; i < W.rows(); ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) {
      W(i, j) = dice.bell();
      W(i, j + 3) = W(i, j) + apart * dice.bell();
    }
  }
  Eigen::VectorXd P(6);
  P << 1., .1, .1, 1., .05, -.1;
  const Eigen::VectorXd v = -(W.transpose() * (W * P)) / 1.5;
  ContactProblem p;
  p.G = BlockMatrix::from_dense(W.transpose() * W, 3);
  p.approach.assign(v.begin(), v.end());
  p.surfaces.assign(2, Surface{.restitution = 0.5,
                               .friction = 0.5,
                               .static_friction = 0.5,
                               .tangential_restitution = 0.5});
  return p;
}

// In stick dP/dv = -(1 + eps) G^-1. With a G that is nearly singular no digits would be left.
TEST(SensitivityOfSeveral, IsRefusedWhereTheModeIsNearlySingular) {
  const Law& moreau = *find_law("moreau");
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const double apart : {1e-5, 1e-6, 3e-7, 1e-8}) {
      EXPECT_FALSE(study::sensitivity(moreau, nearly_one_contact(seed, apart)).refused.empty())
          << seed << " " << apart;
    }
    const ContactProblem p = nearly_one_contact(seed, 1e-2);
    if (!(p.approach[0] < 0. && p.approach[3] < 0.)) continue;
    const Sensitivity s = study::sensitivity(moreau, p);
    ASSERT_TRUE(s.refused.empty()) << seed << " " << s.refused;
    ASSERT_EQ(s.inputs[0].name, "approach, normal, contact 1");
    const Eigen::VectorXd by_first =
        -1.5 * p.G.dense().fullPivLu().solve(Eigen::VectorXd::Unit(6, 0));
    for (Eigen::Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(s.absolute(k, 0), by_first[k], 1e-7 * by_first.cwiseAbs().maxCoeff()) << seed;
      EXPECT_NEAR(s.absolute(6 + k, 0), by_first[3 + k], 1e-7 * by_first.cwiseAbs().maxCoeff());
    }
  }
}

// A light body beside a heavy one is not a singular G.
TEST(SensitivityOfSeveral, IsThereForAnyRatioOfMasses) {
  Eigen::MatrixXd G(2, 2);
  G << 1e12, 1., 1., 1.;
  ContactProblem p;
  p.G = BlockMatrix::from_dense(G, 1);
  p.approach = {-1e6, -1.};
  p.surfaces = {Surface{.restitution = 0.5}, Surface{.restitution = 0.5}};
  const Sensitivity s = study::sensitivity(*find_law("moreau"), p);
  EXPECT_TRUE(s.refused.empty()) << s.refused;
}

// Two contacts at rest beside one that closes on nothing: neither pushes nor separates.
TEST(SensitivityOfSeveral, IsRefusedWhereTheModeIsNotStrict) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Identity(2, 2);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(G, 1);
  p.approach = {-1., 0.};
  p.surfaces = {Surface{.restitution = 0.5}, Surface{.restitution = 0.5}};
  EXPECT_EQ(study::sensitivity(*find_law("moreau"), p).refused,
            "contact 2 neither separates nor pushes");
}

}  // namespace
}  // namespace carom::test
