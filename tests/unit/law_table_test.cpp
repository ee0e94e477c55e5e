// SPDX-License-Identifier: Apache-2.0
// The table of laws.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <carom/laws/table.hpp>

namespace carom::test {
namespace {

SpatialProblem oblique() {
  SpatialProblem p;
  p.G = {.nn = 1.5, .n1 = -.87, .n2 = .68, .t11 = 3.6, .t12 = .25, .t22 = 3.7};
  p.approach = {.n = -1., .t1 = .4, .t2 = .1};
  p.surface.restitution = .6;
  p.surface.friction = p.surface.static_friction = .25;
  return p;
}

TEST(LawTable, EveryLawHasNameWordsAndParameters) {
  std::set<std::string_view> names;
  for (const Law& law : laws()) {
    EXPECT_TRUE(names.insert(law.name).second) << law.name;
    EXPECT_EQ(find_law(law.name), &law);
    EXPECT_TRUE(law.is_alias() || law.name.starts_with(law.info->id)) << law.name;
    EXPECT_FALSE(law.summary.empty() || law.info->assumptions.empty() || law.info->source.empty());
    EXPECT_EQ(law.info->parameters[0].key, "restitution");
    EXPECT_NE(answering(*find_law(law.exact), in_the_plane), nullptr) << law.name;
  }
}

std::set<std::string_view> names_for(ContactKind kind) {
  std::set<std::string_view> names;
  for (const Law& law : laws_for(kind)) names.insert(law.name);
  return names;
}

TEST(LawTable, LawsForEachKindOfContact) {
  using Names = std::set<std::string_view>;
  EXPECT_EQ(names_for(in_the_plane),
            (Names{"newton", "poisson", "energetic", "moreau", "moreau:poisson", "brach",
                   "compliant", "conventional", "conventional:rebound"}));
  EXPECT_EQ(names_for(in_space),
            (Names{"newton", "poisson", "energetic", "moreau", "moreau:poisson", "brach",
                   "sun-baruh", "sun-baruh:energetic", "compliant"}));
  EXPECT_EQ(names_for(several_contacts), (Names{"moreau", "moreau:poisson", "lzb"}));
}

TEST(LawTable, OtherNamesForALaw) {
  const auto answers = [](const char* name, ContactKind kind) {
    const Law* law = answering(*find_law(name), kind);
    return law == nullptr ? "" : law->name;
  };
  EXPECT_EQ(answers("shen-townsend", in_the_plane), "poisson");
  EXPECT_EQ(answers("shen-townsend", in_space), "");
  EXPECT_EQ(answers("walton", in_the_plane), "moreau");
  EXPECT_EQ(answers("sun-baruh", in_the_plane), "poisson");
  EXPECT_EQ(answers("sun-baruh", in_space), "sun-baruh");
  EXPECT_EQ(answers("lzb", in_space), "energetic");
  EXPECT_EQ(answers("lzb", several_contacts), "lzb");
}

TEST(LawTable, RowsAreTheLawsTheyName) {
  const SpatialProblem p = oblique();
  const auto by_name = [&](const char* name) { return find_law(name)->spatial(p, {}); };
  EXPECT_EQ(by_name("moreau"), moreau(p, Hypothesis::newton));
  EXPECT_EQ(by_name("moreau:poisson"), moreau(p, Hypothesis::poisson));
  EXPECT_EQ(by_name("brach"), brach(p));
  EXPECT_EQ(by_name("compliant"), compliant(p));
  EXPECT_EQ(by_name("sun-baruh"), sun_baruh(p, Hypothesis::poisson));
  EXPECT_EQ(by_name("sun-baruh:energetic"), sun_baruh(p, Hypothesis::energetic));
  EXPECT_NE(by_name("sun-baruh").velocity, by_name("sun-baruh:energetic").velocity);
}

TEST(LawTable, UnknownNamesAreRefusedWithAGuess) {
  EXPECT_EQ(find_law("routh"), nullptr);
  const auto refusal = [](const char* name, ContactKind kind) {
    try {
      (void)find_law(name, "solve.laws[0]", kind);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("sun-barh", in_space),
            "solve.laws[0]: unknown law 'sun-barh' in space; did you mean 'sun-baruh'?");
  EXPECT_EQ(refusal("Stronge", in_space),
            "solve.laws[0]: unknown law 'Stronge' in space; did you mean 'energetic'?");
  EXPECT_EQ(
      refusal("newton", several_contacts),
      "solve.laws[0]: newton is for one contact; for several use moreau, moreau:poisson and lzb");
  EXPECT_NE(refusal("conventional", in_space).find("works in the plane only"), std::string::npos);
}

TEST(LawTable, ModeLabels) {
  SpatialProblem p = oblique();
  const auto label = [&](const char* name) {
    const Law& law = *find_law(name);
    return mode_label(*law.info, law.spatial(p, {}).mode);
  };
  EXPECT_EQ(label("sun-baruh"), "2");
  EXPECT_EQ(label("brach"), "slip");
  EXPECT_EQ(label("moreau"), "slip");
  p.surface.friction = p.surface.static_friction = 2.;
  EXPECT_EQ(label("sun-baruh"), "1");
  EXPECT_EQ(label("brach"), "stick");
  EXPECT_EQ(label("moreau"), "stick");
  p.approach.n = 1.;
  EXPECT_EQ(label("sun-baruh"), "");
  EXPECT_EQ(label("brach"), "");
  EXPECT_EQ(label("moreau"), "no-impulse");
}

TEST(LawTable, WhatALawCannotHonour) {
  const auto says = [](const char* name, const Surface& s) {
    return cannot_honour(*find_law(name)->info, s, 3).value_or("");
  };
  Surface s;
  for (const Law& law : laws()) EXPECT_FALSE(cannot_honour(*law.info, s, 3));
  s.static_friction = .1;
  EXPECT_EQ(says("moreau", s), "ignores static_friction");
  EXPECT_EQ(says("sun-baruh", s), "");
  s = {};
  s.tangential_restitution = .5;
  EXPECT_EQ(says("moreau", s), "");
  EXPECT_EQ(says("moreau:poisson", s), "ignores tangential_restitution");
  EXPECT_EQ(says("brach", s), "ignores tangential_restitution");
  s = {};
  s.set_impulse_ratio({0., 0.});
  EXPECT_EQ(says("newton", s), "ignores impulse_ratio");
  EXPECT_EQ(says("brach", s), "");
  s = {};
  s.set_moment_ratio({0., 0., .1});
  EXPECT_EQ(says("energetic", s), "ignores the couple");
  EXPECT_EQ(says("brach", s), "");
}

TEST(LawTable, WhatCannotBeAskedIsRefused) {
  Surface s;
  s.restitution = 1.5;
  EXPECT_NO_THROW(require_answerable(Brach::info, s, false, 3));
  EXPECT_THROW(require_answerable(Moreau::info, s, false, 3), InputError);
  s = {};
  s.moment = {-1., 0., -1.};
  EXPECT_THROW(require_answerable(Brach::info, s, false, 3), InputError);
  EXPECT_NO_THROW(require_answerable(Brach::info, s, false, 2));  // none about the plane's axis
  EXPECT_NO_THROW(require_answerable(Brach::info, s, true, 3));
}

PlanarProblem rod() {
  return {.G = {.nn = 2.5, .nt = -1.1, .tt = 1.6},
          .approach = {.n = -1., .t = .7},
          .surface = {.restitution = .6, .friction = .3, .static_friction = .4},
          .spin = {.nr = .8, .tr = -.5, .rr = 3., .approach = 1.5}};
}

/// A kernel's answer in the form of every law.
template <class Problem, class Answer>
Outcome as_outcome(const Problem& p, const Answer& answer) {
  ContactProblem problem;
  assign(problem, p);
  Outcome outcome;
  assign(outcome, problem, answer);
  return outcome;
}

TEST(LawTable, OneContactIsAskedThroughTheTable) {
  Outcome o;
  ContactProblem problem;
  PlanarProblem planar = rod();
  for (const bool couples : {false, true}) {
    if (couples) planar.surface.moment[0] = -.4;
    assign(problem, planar);
    EXPECT_EQ(planar_problem(problem), planar);
    EXPECT_NO_THROW(validate(problem));
    for (const Law& law : laws_for(in_the_plane)) {
      solve(law, problem, {}, o);
      Outcome expected = as_outcome(planar, solve(*law.planar, planar));
      if (law.name == "compliant") expected.phases = o.phases;  // which it reports when asked
      EXPECT_EQ(o, expected) << law.name;
      EXPECT_NEAR(o.energy.change, o.energy.normal + o.energy.friction + o.energy.couple, 1e-14);
    }
  }
  SpatialProblem spatial = oblique();
  assign(problem, spatial);
  EXPECT_EQ(spatial_problem(problem), spatial);
  for (const Law& law : laws_for(in_space)) {
    solve(law, problem, {}, o);
    EXPECT_EQ(o, as_outcome(spatial, law.spatial(spatial, {}))) << law.name;
  }
}

TEST(LawTable, SpinRowsFollowImpulseAndCouple) {
  PlanarProblem p = rod();
  p.surface.moment[0] = 0.;  // rotation stops
  ContactProblem problem;
  assign(problem, p);
  Outcome o;
  solve(*find_law("brach"), problem, {}, o);
  ASSERT_EQ(o.velocity.size(), 3U);
  EXPECT_NEAR(o.velocity[2], 0., 1e-14);
  EXPECT_NE(o.impulse[2], 0.);
  p.spin.nr = 10.;  // beyond what masses can do
  assign(problem, p);
  EXPECT_THROW(validate(problem), InputError);
}

TEST(LawTable, SeveralContactsHaveNoSpinRows) {
  ContactProblem p;
  p.G = BlockMatrix::from_dense(Eigen::MatrixXd::Identity(6, 6), 3);
  p.approach = {-1., 0., 0., -1., 0., 0.};
  p.surfaces.resize(2);
  EXPECT_NO_THROW(validate(p));  // two contacts in space
  p.spin_rows = 1;               // two in the plane, each with a row of spin
  EXPECT_THROW(validate(p), InputError);
}

TEST(LawTable, WhetherALawApplies) {
  ContactProblem problem;
  assign(problem, rod());
  EXPECT_TRUE(applies(*find_law("newton"), problem).yes());
  EXPECT_EQ(applies(*find_law("moreau"), problem).why, "ignores static_friction");
  Surface& s = problem.surfaces[0];
  s.given &= ~given_bit(*find_coefficient("compliance_ratio"));
  EXPECT_TRUE(applies(*find_law("compliant"), problem).cannot());
  EXPECT_EQ(applies(*find_law("compliant"), problem).field, "compliance_ratio");
  assign(problem, oblique());
  EXPECT_TRUE(applies(*find_law("conventional"), problem).cannot());
  problem.surfaces[0].moment[1] = 0.;
  EXPECT_EQ(applies(*find_law("brach"), problem).field, "moment_coefficients");
}

/// A law from outside: the contact sticks, without rebound.
void glue(const Law& law, const ContactProblem& p, const SolveOptions&, Outcome& o) {
  o = unchanged(p, Verdict::ordinary);
  o.flags = {};
  EXPECT_NE(law.data, nullptr);
  for (double& v : o.velocity) v = 0.;
}

TEST(LawTable, ALawFromOutside) {
  static constexpr LawInfo info{.id = "glue",
                                .summary = "everything stops",
                                .assumptions = "For a test.",
                                .source = "none",
                                .parameters = Newton::parameters};
  const Law& law = register_law({.name = "glue",
                                 .summary = info.summary,
                                 .info = &info,
                                 .exact = "newton",
                                 .solve = glue,
                                 .data = std::make_shared<int>(1)});
  EXPECT_EQ(find_law("glue"), &law);
  EXPECT_TRUE(names_for(in_space).contains("glue"));
  ContactProblem problem;
  assign(problem, rod());
  Outcome o;
  solve(law, problem, {}, o);
  EXPECT_EQ(o.velocity[0], 0.);
  EXPECT_THROW(register_law({.name = "glue", .summary = "", .info = &info, .solve = glue}),
               InputError);
  EXPECT_THROW(register_law({.name = "mud", .summary = "", .info = &info}), InputError);
}

}  // namespace
}  // namespace carom::test
