// SPDX-License-Identifier: Apache-2.0
// Laws in space by name.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include <carom/core/error.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/laws/spatial_catalogue.hpp>
#include <carom/laws/spatial_moreau.hpp>
#include <carom/laws/sun_baruh.hpp>

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

TEST(SpatialCatalogue, EveryLawHasNameWordsAndParameters) {
  std::set<std::string_view> names;
  for (const NamedSpatialLaw& law : spatial_catalogue()) {
    names.insert(law.name);
    EXPECT_EQ(find_spatial_law(law.name), &law);
    EXPECT_TRUE(law.is_alias || law.name.starts_with(law.info->id));
    EXPECT_FALSE(law.summary.empty() || law.info->assumptions.empty() || law.info->source.empty());
    EXPECT_EQ(law.info->parameters[0].key, "restitution");
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"newton", "poisson", "energetic", "moreau",
                                               "moreau:poisson", "brach", "sun-baruh",
                                               "sun-baruh:energetic", "lzb"}));
}

TEST(SpatialCatalogue, RowsAreTheLawsTheyName) {
  const SpatialProblem p = oblique();
  const auto by_name = [&](const char* name) { return find_spatial_law(name)->solve(p, {}); };
  EXPECT_EQ(by_name("moreau"), moreau(p, Hypothesis::newton));
  EXPECT_EQ(by_name("moreau:poisson"), moreau(p, Hypothesis::poisson));
  EXPECT_EQ(by_name("brach"), brach(p));
  EXPECT_EQ(by_name("sun-baruh"), sun_baruh(p, Hypothesis::poisson));
  EXPECT_EQ(by_name("sun-baruh:energetic"), sun_baruh(p, Hypothesis::energetic));
  EXPECT_NE(by_name("sun-baruh").velocity, by_name("sun-baruh:energetic").velocity);
}

TEST(SpatialCatalogue, UnknownNamesAreRefusedWithAGuess) {
  EXPECT_EQ(find_spatial_law("routh"), nullptr);
  try {
    (void)find_spatial_law("sun-barh", "solve.laws[0]");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("solve.laws[0]"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("did you mean 'sun-baruh'"), std::string::npos);
  }
}

TEST(SpatialCatalogue, ModeLabels) {
  SpatialProblem p = oblique();
  const auto label = [&](const char* name) {
    const NamedSpatialLaw& law = *find_spatial_law(name);
    return mode_label(law, law.solve(p, {}));
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

TEST(SpatialCatalogue, WhatALawCannotHonour) {
  const auto says = [](const char* name, const SpatialSurface& s) {
    return cannot_honour(*find_spatial_law(name), s).value_or("");
  };
  SpatialSurface s;
  for (const NamedSpatialLaw& law : spatial_catalogue()) EXPECT_FALSE(cannot_honour(law, s));
  s.static_friction = .1;
  EXPECT_EQ(says("moreau", s), "no static_friction apart from friction");
  EXPECT_EQ(says("sun-baruh", s), "");
  s = {};
  s.tangential_restitution = .5;
  EXPECT_EQ(says("moreau", s), "");
  EXPECT_EQ(says("moreau:poisson", s), "tangential_restitution is undefined in two stages");
  EXPECT_EQ(says("brach", s), "no tangential_restitution");
  s = {};
  s.impulse_ratio = {0., 0.};
  EXPECT_EQ(says("newton", s), "no impulse_ratio");
  EXPECT_EQ(says("brach", s), "");
  s = {};
  s.moment_ratio = {0., 0., .1};
  EXPECT_EQ(says("energetic", s), "no couple");
  EXPECT_EQ(says("brach", s), "");
}

TEST(SpatialCatalogue, WhatCannotBeAskedIsRefused) {
  SpatialProblem p = oblique();
  p.surface.restitution = 1.5;
  EXPECT_NO_THROW(require_answerable(*find_spatial_law("brach"), p));
  EXPECT_THROW(require_answerable(*find_spatial_law("moreau"), p), InputError);
  p = oblique();
  p.surface.moment_coefficients = {-1., 0., -1.};
  EXPECT_THROW(require_answerable(*find_spatial_law("brach"), p), InputError);
  p.spin.known = true;
  EXPECT_NO_THROW(require_answerable(*find_spatial_law("brach"), p));
}

}  // namespace
}  // namespace carom::test
