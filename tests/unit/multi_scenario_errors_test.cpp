// SPDX-License-Identifier: Apache-2.0
// Scenario files with several contacts: what is refused, and how it is said.
#include <gtest/gtest.h>

#include <carom/core/error.hpp>
#include <carom/scenario/scenario.hpp>

namespace carom::test {
namespace {

/// What is said of `text`.
std::string said(const std::string& text) {
  try {
    (void)scenario::parse(text, "f.toml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string surface = "[surface]\nrestitution = 0.5\n";
const std::string chain = "[system]\ntype = \"chain\"\nmasses = [1, 2, 3]\nstriker_velocity = 1\n";

TEST(MultiScenario, WhatIsWrongIsSaidWithItsPlace) {
  const std::string f = "f.toml:";
  EXPECT_EQ(said(chain), f + "1:1: surface: is missing; give a table [surface]");
  EXPECT_EQ(said(chain + "[surface]\nrestitution = 1.4\n"),
            f + "6:15: surface.restitution: must be in [0, 1], got 1.4");
  EXPECT_EQ(said(chain + "[surface]\nfriction = 0.1\n"),
            f + "6:12: surface.friction: must be 0 where contacts are frictionless (a normal "
                "alone), got 0.1");
  EXPECT_EQ(
      said(chain + "[surface]\nstiffness = [1, 2, 3]\n"),
      f + "6:13: surface.stiffness: must be one number, or one for each of 2 contacts, got 3");
  EXPECT_EQ(said(chain + "[surface]\nstiffness = [1, -2]\n"),
            f + "6:17: surface.stiffness[1]: must be in [1e-60, 1e60] N/m^exponent, got -2");
  EXPECT_EQ(said(chain + "[surface]\nstiffnes = 1\n"),
            f + "6:1: surface.stiffnes: unknown key; did you mean 'stiffness'?");
  EXPECT_EQ(said(chain + "[surface]\ncompliance_ratio = 1\n"),
            f + "6:20: surface.compliance_ratio: is used by no law for such contacts; there are "
                "restitution, friction, "
                "static_friction, tangential_restitution, stiffness, exponent");
  EXPECT_EQ(said(chain + surface + "[surfaces.2-4]\nrestitution=1\n"),
            f + "7:1: surfaces.2-4: unknown contact '2-4'; did you mean '2-3'?");
  EXPECT_EQ(said(chain + surface + "[surfaces.2-3]\nrestitution=2\n"),
            f + "8:13: surfaces.2-3.restitution: must be in [0, 1], got 2");
  EXPECT_EQ(said(chain + surface + "[[surfaces]]\nrestitution=1\n"),
            f + "7:1: surfaces: must be one for each of 2 contacts, got 1");
  EXPECT_EQ(said(chain + surface + "[surfaces]\n2-3 = 4\n"),
            f + "8:7: surfaces.2-3: must be a table, got 4");
  EXPECT_EQ(said("surfaces = 3\n" + chain), f + "1:12: surfaces: must be a table, got 3");
  EXPECT_EQ(said(chain + surface + "[solve]\nlaws = ['energetic']\n"),
            f + "8:9: solve.laws[0]: energetic is for one contact; for several use moreau, "
                "moreau:poisson and lzb");
  EXPECT_EQ(said(chain + surface + "[solve]\nlaws = ['lbz']\n"),
            f + "8:9: solve.laws[0]: unknown law 'lbz'; did you mean 'lzb'?");
  EXPECT_EQ(said(chain + surface + "[solve]\ntolerance = 1\n"),
            f + "8:13: solve.tolerance: must be in [1e-14, 1e-3], got 1");
  EXPECT_EQ(said(chain + surface + "[solve]\nsolver = 'lemki'\n"),
            f + "8:10: solve.solver: unknown solver 'lemki'; did you mean 'lemke'?");
  EXPECT_EQ(said(chain + surface + "[solve]\neuler_steps = 1.5\n"),
            f + "8:15: solve.euler_steps: must be a whole number in [1, 1000000000], got 1.5");
  EXPECT_EQ(
      said(chain + surface + "[map]\nx = { path = 'surface.restitution', from = 0, to = 1 }\n"),
      f + "8:7: map.x.path: unknown key; known: vary, from, to, points, log");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "masses = [1, 2, -3]") + surface),
            f + "3:17: system.masses[2]: must be a finite number > 0, got -3");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "masses = [1]") + surface),
            f + "3:10: system.masses: must be of at least 2 balls, got 1");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "count = 3") + surface),
            f + "1:1: system.mass: is missing; give masses, one a ball, or mass and count");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "mass = 3") + surface),
            f + "1:1: system.count: is missing; give a number");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "mass = 3\ncount = 1e9") + surface),
            f + "4:9: system.count: must be a whole number in [2, 100000], got 1000000000");
  EXPECT_EQ(said(with(chain, "masses = [1, 2, 3]", "masses = [1, 2]\ncount = 2") + surface),
            f + "4:9: system.count: must not stand beside masses");
  EXPECT_EQ(said(with(chain, "striker_velocity = 1", "") + surface),
            f + "1:1: system.striker_velocity: is missing; give velocities, one a ball, or "
                "striker_velocity and strikers");
  EXPECT_EQ(
      said(with(chain, "striker_velocity = 1", "striker_velocity = 1\nstrikers = 4") + surface),
      f + "5:12: system.strikers: must be a whole number in [1, 3], got 4");
  EXPECT_EQ(said(with(chain, "striker_velocity = 1", "velocities = [1, 2]") + surface),
            f + "4:14: system.velocities: must be one for each of 3 balls, got 2");
  EXPECT_EQ(said(with(chain, "\"chain\"", "\"chian\"") + surface),
            f + "2:8: system.type: unknown system 'chian'; did you mean 'chain'?");
  EXPECT_EQ(said("[system]\ntype='block'\nhalf_width=1\nhalf_height=1\n" + surface),
            f + "1:1: system.velocity: is missing; give the velocity, or pivot: the corner about "
                "which it turns");
  EXPECT_EQ(said("[system]\ntype='block'\nhalf_width=1\nhalf_height=1\npivot='top'\n" + surface),
            f + "5:7: system.pivot: must be left or right, got 'top'");
  EXPECT_EQ(
      said("[system]\ntype='block'\nhalf_width=-1\nhalf_height=1\nvelocity=[0,0]\n" + surface),
      f + "3:12: system.half_width: must be a finite number > 0, got -1");
  EXPECT_EQ(said("[system]\ntype='rod-ends'\nangle_deg=90\nvelocity=[0,0]\n" + surface),
            f + "3:11: system.angle_deg: must be 0 (level), or in (0, 90) or (90, 180) with a wall "
                "where the upper end points, got 90");
  EXPECT_EQ(
      said("[system]\ntype='disc-ball'\nball_mass=1\ndisc_mass=1\nradius=1\nhalf_thickness=0."
           "1\nheight=3\nball_velocity=1\n" +
           surface),
      f + "7:8: system.height: must be within the disc, of magnitude below its radius, got 3");
  EXPECT_EQ(said("[system]\ntype='disc-ball'\nball_mass=1\ndisc_mass=1\nradius=1\nhalf_thickness=0."
                 "1\nangle_deg=180\nball_velocity=1\n" +
                 surface),
            f + "7:11: system.angle_deg: must be in (0, 180), got 180");
  EXPECT_EQ(
      said("[system]\ntype='contacts'\napproach=[-1,0]\ninverse_inertia=[[1,0],[0,1]]\n" + surface),
      f + "1:1: system.components: is missing; give 1 (frictionless), 2 (plane) or 3 (space)");
  EXPECT_EQ(said("[system]\ntype='contacts'\ncomponents=2\napproach=[-1,0,0]\ninverse_inertia=[[1,"
                 "0],[0,1]]\n" +
                 surface),
            f + "4:10: system.approach: must have 2 numbers a contact, got 3");
  EXPECT_EQ(said("[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0]\ninverse_inertia=[[1,2],"
                 "[2,1]]\n" +
                 surface),
            f + "5:17: system.inverse_inertia: must be positive semidefinite, got 2 at [0][1]");
  EXPECT_EQ(
      said("[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0]\ninverse_inertia=[[1,0],[0.5,"
           "1]]\n" +
           surface),
      f + "5:17: system.inverse_inertia: must be symmetric, got 0 at [0][1] and 0.5 mirrored");
  EXPECT_EQ(said("[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0,1]\ninverse_inertia=[[1,"
                 "0],[0,1]]\n" +
                 surface),
            f + "4:10: system.approach: must have 2 components as G has rows, got 3");
  EXPECT_EQ(
      said(
          "[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0]\ntriplets=[[0,0,1],[2,1,1]]\n" +
          surface),
      f + "5:20: system.triplets[1][0]: must be a whole number in [0, 1], got 2");
  EXPECT_EQ(
      said("[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0]\ntriplets=[[0,0],[1,1]]\n" +
           surface),
      f + "5:10: system.triplets: must be of [row, column, value], counted from 0");
  EXPECT_EQ(said("[system]\ntype='contacts'\ncomponents=1\napproach=[-1,0]\nnames=['a','a']"
                 "\ninverse_inertia=[[1,0],[0,1]]\n" +
                 surface),
            f + "5:12: system.names[1]: must be a name of its own, got 'a'");
  EXPECT_EQ(
      said("[system]\ntype='generalized-contacts'\ncomponents=1\nmass=[[1,2],[2,1]]\ndirections=[["
           "1],[0]]\nvelocity=[-1,0]\n" +
           surface),
      f + "4:6: system.mass: must be positive definite, got an indefinite or singular matrix");
  EXPECT_EQ(
      said("[system]\ntype='generalized-contacts'\ncomponents=2\nmass=[[1,0],[0,1]]\ndirections=[["
           "1],[0]]\nvelocity=[-1,0]\n" +
           surface),
      f + "5:12: system.directions: must be 2 x a multiple of 2 (columns by contact), got 2 x 1");
  EXPECT_EQ(said("[system]\ntype='assembly'\n" + surface),
            f + "1:1: system.bodies: is missing; give tables [[system.bodies]]");
  EXPECT_EQ(said("[system]\ntype='assembly'\n[[system.bodies]]\nmass=1\nshape='disc'\nradius="
                 "1\nposition=[0,2]\n" +
                 surface),
            f + "3:1: system.bodies: touch nowhere, so that there is no contact: see positions, "
                "sizes, floor and tolerance, or give [[system.contacts]]");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nmass=1\nshape='disc'"
                 "\nradius=1\nposition=[0,0.5]\n" +
                 surface),
            f + "8:10: system.bodies[0].position: overlaps the floor by 0.5 m");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nmass=1\ninertia="
                 "1\nposition=[0,0.5]\n" +
                 surface),
            f + "4:1: system.bodies[0].shape: is missing: contacts are found only between bodies "
                "with a shape; add one, or give [[system.contacts]]");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nmass=1\nshape='disk'"
                 "\nradius=1\nposition=[0,1]\n" +
                 surface),
            f + "6:7: system.bodies[0].shape: unknown shape 'disk'; did you mean 'disc'?");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nmass=1\nshape='disc'"
                 "\nradius=1\nlength=1\nposition=[0,1]\n" +
                 surface),
            f + "8:8: system.bodies[0].length: means nothing for the shape 'disc'");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor_velocity=[1,0]\n[[system.bodies]]\nmass="
                 "1\nshape='disc'\nradius=1\nposition=[0,1]\n" +
                 surface),
            f + "3:16: system.floor_velocity: means nothing without floor = true");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\ntolerance=1\n[[system.bodies]]\nmass="
                 "1\nshape='disc'\nradius=1\nposition=[0,1]\n" +
                 surface),
            f + "4:11: system.tolerance: must be in [1e-14, 1e-3], got 1");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nname='floor'\nmass="
                 "1\nshape='disc'\nradius=1\nposition=[0,1]\n" +
                 surface),
            f + "5:6: system.bodies[0].name: must be a name of its own, not empty, got 'floor'");
  EXPECT_EQ(
      said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nmass=1\nshape='disc'\nradius="
           "1\nposition=[0,1]\n[[system.contacts]]\nfirst='1'\npoint=[0,0]\n" +
           surface),
      f + "3:7: system.floor: is for contacts that are found, and [[system.contacts]] gives them");
  EXPECT_EQ(said("[system]\ntype='assembly'\n[[system.bodies]]\nmass=1\nshape='disc'\nradius="
                 "1\nposition=[0,1]\n[[system.contacts]]\nfirst='2'\npoint=[0,0]\n" +
                 surface),
            f + "9:7: system.contacts[0].first: unknown body '2'; did you mean '1'?");
  EXPECT_EQ(said("[system]\ntype='assembly'\n[[system.bodies]]\nmass=1\nshape='disc'\nradius="
                 "1\nposition=[0,1]\n[[system.contacts]]\nfirst='1'\nsecond='1'\npoint=[0,0]\n" +
                 surface),
            f + "10:8: system.contacts[0].second: must be another body than the first");
  EXPECT_EQ(said("[system]\ntype='space-assembly'\nfloor=true\n[[system.bodies]]\nmass=1\ninertia=1"
                 "\nposition=[0,0,1]\n" +
                 surface),
            f + "4:1: system.bodies[0].shape: is missing: contacts are found only between bodies "
                "with a shape; add one, or give [[system.contacts]]");
  EXPECT_EQ(said("[system]\ntype='space-assembly'\n[[system.bodies]]\nmass=1\nshape='rod'\nlength="
                 "1\nposition=[0,0,1]\n[[system.contacts]]\nfirst='1'\npoint=[0,0,0]\n" +
                 surface),
            f + "3:1: system.bodies[0].inertia: must be > 0 about every axis, got 0 about one: "
                "give a body without thickness its own inertia");
  EXPECT_EQ(
      said("[system]\ntype='space-assembly'\n[[system.bodies]]\nmass=1\nshape='sphere'\nradius="
           "1\nposition=[0,0,1]\n[[system.contacts]]\nfirst='1'\npoint=[0,0,0]\nnormal=[0,0,0]\n" +
           surface),
      f + "11:8: system.contacts[0].normal: must not be zero");
  EXPECT_EQ(
      said("[system]\ntype='bar'\nangle_deg=60\nvelocity=[0,-1]\n[surfaces.a]\nrestitution=1\n" +
           surface),
      f + "5:1: surfaces: is for systems with several contacts; give [surface]");
}

}  // namespace
}  // namespace carom::test
