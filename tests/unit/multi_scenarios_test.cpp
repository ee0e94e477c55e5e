// SPDX-License-Identifier: Apache-2.0
// Scenario files with several contacts: what they say, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/scenario/scenario.hpp>
#include <support/multi_systems_cases.hpp>

namespace carom::test {
namespace {

using Names = std::vector<std::string>;

scenario::MultiImpact example(const std::string& name) {
  const auto s = scenario::read(CAROM_SOURCE_DIR "/examples/many/" + name + ".toml");
  EXPECT_TRUE(s.multi) << name;
  EXPECT_FALSE(s.title.empty()) << name;
  return *s.multi;
}

scenario::MultiImpact parse(const std::string& text) {
  return *scenario::parse(text, "f.toml").multi;
}

void expect_case(const scenario::MultiImpact& impact, const std::string& id) {
  const MultiSystemCase& c = multi_system_case(id);
  const Eigen::MatrixXd G = impact.system.contact.G.dense();
  ASSERT_EQ(G.rows(), c.G.rows()) << id;
  EXPECT_LE((G - c.G).cwiseAbs().maxCoeff(), rounding * c.G.maxCoeff()) << id;
  for (std::size_t i = 0; i < impact.system.contact.approach.size(); ++i) {
    EXPECT_NEAR(impact.system.contact.approach[i], c.approach(static_cast<Eigen::Index>(i)), 1e-15)
        << id;
  }
}

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

TEST(MultiScenario, EveryExampleIsRead) {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(CAROM_SOURCE_DIR "/examples/many")) {
    ++files;
    const auto impact = example(file.path().stem());
    EXPECT_EQ(impact.surfaces.size(), impact.system.contact.G.blocks()) << file;
    EXPECT_TRUE(impact.stiffness_given) << file;
    Names names = impact.system.names;
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << file;
  }
  EXPECT_GE(files, 12);
}

TEST(MultiScenario, ExamplesAreTheReferenceCasesThatTheySayTheyAre) {
  const auto disc = example("disc-ball");
  expect_case(disc, "disc_ball_case2");
  EXPECT_EQ(disc.surfaces[0], (MultiSurface{.restitution = 0.9064,
                                            .friction = 0.14,
                                            .static_friction = 0.15,
                                            .stiffness = 2.9217e10,
                                            .exponent = 1.5}));
  EXPECT_EQ(disc.surfaces[0], disc.surfaces[2]);
  EXPECT_EQ(disc.surfaces[3], (MultiSurface{.restitution = 0.7043,
                                            .friction = 0.07,
                                            .static_friction = 0.075,
                                            .stiffness = 1.964e8,
                                            .exponent = 1.5}));
  ASSERT_EQ(disc.laws.size(), 2U);
  EXPECT_EQ(disc.laws[0]->name, "lzb");
  const auto corner = example("rod-in-corner");
  expect_case(corner, "rod_in_corner");
  EXPECT_EQ(corner.surfaces[0].static_friction, 0.25);
  EXPECT_EQ(corner.surfaces[1].static_friction, 0.3);
  EXPECT_EQ(corner.surfaces[1].stiffness, 2e6);
  expect_case(example("rocking-block"), "rocking_block_mu0.2_e0.5");
  expect_case(example("rod-flat"), "rod_two_ends_spinning");
  expect_case(example("contacts"), "rod_two_ends_spinning");
  expect_case(example("bernoulli"), "bernoulli_two_balls_e1");
  const auto tapered = example("tapered-chain");
  expect_case(tapered, "chain4_tapered");
  EXPECT_EQ(tapered.surfaces[1].restitution, 0.9);
  EXPECT_EQ(tapered.surfaces[2].stiffness, 4.);
}

TEST(MultiScenario, ExamplesInSpaceTouchWhereTheyShould) {
  EXPECT_EQ(example("sphere-stack").system.names,
            (Names{"large-middle", "middle-small", "large-floor"}));
  const auto boxes = example("box-stack");
  EXPECT_EQ(
      boxes.system.names,
      (Names{"low-middle 1", "low-middle 2", "low-middle 3", "low-middle 4", "low-ram 1",
             "low-ram 2", "low-ram 3", "low-ram 4", "middle-top 1", "middle-top 2", "middle-top 3",
             "middle-top 4", "low-floor 1", "low-floor 2", "low-floor 3", "low-floor 4"}));
  EXPECT_EQ(boxes.surfaces[4].stiffness, 0.5e8);
  EXPECT_EQ(boxes.surfaces[5].stiffness, 1e8);
  // Only the ram approaches, all four corners alike: normal into `low`, so -x.
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(boxes.system.contact.approach[3 * i], i >= 4 && i < 8 ? -1. : 0.) << i;
  }
  EXPECT_EQ(example("pyramid").system.names, (Names{"a-b", "a-c", "a-top", "b-c", "b-top", "c-top",
                                                    "a-floor", "b-floor", "c-floor"}));
  const auto row = example("long-chain");
  EXPECT_EQ(row.system.names.back(), "1000-wall");
  EXPECT_EQ(row.surfaces.front().stiffness, 1e9);
  EXPECT_EQ(row.surfaces.back().stiffness, 1.41e9);
}

TEST(MultiScenario, ChainsByCountAndStrikers) {
  const auto impact =
      parse("[system]\ntype='chain'\ncount=4\nmass=2\nstriker_velocity=3\nstrikers=2\nwall=true\n" +
            surface);
  EXPECT_EQ(impact.system.names, (Names{"1-2", "2-3", "3-4", "4-wall"}));
  EXPECT_EQ(impact.system.configuration->u, (std::vector<double>{3., 3., 0., 0.}));
  EXPECT_EQ(impact.system.contact.approach, (std::vector<double>{0., -3., 0., 0.}));
  EXPECT_FALSE(impact.stiffness_given);
}

TEST(MultiScenario, SurfacesByContact) {
  // In order.
  const auto two = parse(chain +
                         "[[surfaces]]\nrestitution=0.2\nstiffness=1\n[[surfaces]]\n"
                         "restitution=0.3\n");
  EXPECT_EQ(two.surfaces[0].restitution, 0.2);
  EXPECT_EQ(two.surfaces[1].restitution, 0.3);
  EXPECT_FALSE(two.stiffness_given);
  // By name over [surface]; what is friction is static friction too, unless it is given.
  const std::string block =
      "[system]\ntype='block'\nhalf_width=1\nhalf_height=1\nvelocity=[0,-1]\n";
  const auto own = parse(block +
                         "[surface]\nfriction=0.2\nstiffness=5\n[surfaces.right]\n"
                         "friction=0.4\nexponent=1\n");
  EXPECT_EQ(own.surfaces[0].static_friction, 0.2);
  EXPECT_EQ(own.surfaces[1].friction, 0.4);
  EXPECT_EQ(own.surfaces[1].static_friction, 0.4);
  EXPECT_EQ(own.surfaces[0].exponent, 1.5);
  EXPECT_EQ(own.surfaces[1].exponent, 1.);
  EXPECT_TRUE(own.stiffness_given);
  // Which keys every contact has.
  const auto keys = [](const std::string& text) {
    std::string all;
    for (const auto& g : scenario::parse(text, "f.toml").given) all += g.key + "@" + g.place + " ";
    return all;
  };
  EXPECT_EQ(keys(block + "[surface]\nfriction=0.2\n[surfaces.right]\nrestitution=0.4\n"),
            "friction@f.toml:7:10 ");
  EXPECT_EQ(keys(block + "[surfaces.left]\nrestitution=0.2\n[surfaces.right]\nrestitution=0.4\n"),
            "restitution@f.toml:7:13 ");
  EXPECT_EQ(keys(chain + surface), "restitution@f.toml:6:15 friction@f.toml:2:8 ");
}

TEST(MultiScenario, OptionsOfSolve) {
  const auto impact =
      parse(chain + surface +
            "[solve]\nlaws=['moreau:poisson']\ntolerance=1e-6\nsolver='lemke'\neuler_steps=1000\n");
  EXPECT_EQ(impact.options.tolerance, 1e-6);
  EXPECT_EQ(impact.options.solver, MultiSolver::lemke);
  EXPECT_EQ(impact.options.euler_steps, 1000U);
  EXPECT_EQ(impact.laws.at(0)->name, "moreau:poisson");
}

TEST(MultiScenario, ContactsByTriplets) {
  const std::string head = "[system]\ntype='contacts'\ncomponents=1\n";
  const auto dense = parse(head + "inverse_inertia=[[2,-1],[-1,2]]\napproach=[-1,0]\n" + surface);
  const auto sparse =
      parse(head + "triplets=[[0,0,2],[1,0,-1],[1,1,2]]\napproach=[-1,0]\n" + surface);
  EXPECT_EQ(dense.system.contact.G, sparse.system.contact.G);
  EXPECT_EQ(sparse.system.names, (Names{"1", "2"}));
}

TEST(MultiScenario, GeneralizedContacts) {
  const auto impact = parse(
      "[system]\ntype='generalized-contacts'\ncomponents=1\nmass=[[1,0,0],[0,1,0],[0,0,1]]\n"
      "directions=[[-1,0],[1,-1],[0,1]]\nvelocity=[1,0,0]\nsupport_velocity=[0,0.5]\n"
      "names=['a','b']\n" +
      surface);
  const MultiSystemCase& c = multi_system_case("newton_cradle_3_linear");
  EXPECT_EQ(impact.system.contact.G.dense(), c.G);
  EXPECT_EQ(impact.system.contact.approach, (std::vector<double>{-1., -0.5}));
  EXPECT_EQ(impact.system.names, (Names{"a", "b"}));
}

// A floor that moves, in the plane and in space.
TEST(MultiScenario, MovingFloors) {
  const auto plane = parse(
      "[system]\ntype='assembly'\nfloor=true\nfloor_velocity=[2,0.5]\n[[system.bodies]]\n"
      "shape='box'\nlength=1\nwidth=1\nmass=1\nposition=[0,0.5]\nvelocity=[0,-1]\n" +
      surface);
  EXPECT_EQ(plane.system.names, (Names{"1-floor 1", "1-floor 2"}));
  EXPECT_EQ(plane.system.contact.approach, (std::vector<double>{-1.5, -2., -1.5, -2.}));
  const auto space = parse(
      "[system]\ntype='space-assembly'\nfloor=true\nfloor_velocity=[2,0,0.5]\n[[system.bodies]]\n"
      "shape='sphere'\nradius=1\nmass=1\nposition=[0,0,1]\nvelocity=[0,0,-1]\nspin=[0,1,0]\n" +
      surface);
  EXPECT_EQ(space.system.contact.approach, (std::vector<double>{-1.5, -3., 0.}));
}

TEST(MultiScenario, ContactsOfAssembliesGiven) {
  const std::string bodies =
      "[[system.bodies]]\nname='a'\nmass=1\ninertia=1\nposition=[0,1]\nvelocity=[0,-1]\n"
      "[[system.bodies]]\nname='b'\nmass=1\ninertia=1\nposition=[0,3]\n";
  const auto impact = parse(
      "[system]\ntype='assembly'\n" + bodies +
      "[[system.contacts]]\nfirst='a'\npoint=[0.5,0]\n[[system.contacts]]\nfirst='a'\n"
      "point=[-0.5,0]\n[[system.contacts]]\nname='joint'\nfirst='b'\nsecond='a'\npoint=[0,2]\n"
      "normal_deg=90\n" +
      surface);
  EXPECT_EQ(impact.system.names, (Names{"a-ground", "a-ground 2", "joint"}));
  EXPECT_EQ(impact.system.contact.approach, (std::vector<double>{-1., 0., -1., 0., 1., 0.}));
  EXPECT_EQ(impact.system.configuration->coordinates,
            (Names{"a.v_x", "a.v_y", "a.spin", "b.v_x", "b.v_y", "b.spin"}));
}

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
            f + "6:1: surface.compliance_ratio: unknown key; known: restitution, friction, "
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
            f + "8:9: solve.laws[0]: energetic is of one contact; several are for moreau, "
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
      f + "7:1: map: maps are of systems with one contact, and 'chain' has several");
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
            f + "4:1: system.bodies[0].shape: is missing: contacts are found for shapes; or give "
                "[[system.contacts]]");
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
            f + "4:11: system.tolerance: must be in [1e-12, 1e-2], got 1");
  EXPECT_EQ(said("[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nname='floor'\nmass="
                 "1\nshape='disc'\nradius=1\nposition=[0,1]\n" +
                 surface),
            f + "5:6: system.bodies[0].name: must be a name of its own, not empty, 'ground' or "
                "'floor', got 'floor'");
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
  EXPECT_EQ(said("[system]\ntype='space-assembly'\nfloor=true\n[[system.bodies]]\nmass=1\nshape='"
                 "cylinder'\nradius=1\nlength=1\nposition=[0,0,1]\n" +
                 surface),
            f + "6:7: system.bodies[0].shape: must be sphere or box for contacts to be found; or "
                "give [[system.contacts]]");
  EXPECT_EQ(said("[system]\ntype='space-assembly'\n[[system.bodies]]\nmass=1\nshape='rod'\nlength="
                 "1\nposition=[0,0,1]\n[[system.contacts]]\nfirst='1'\npoint=[0,0,0]\n" +
                 surface),
            f + "3:1: system.bodies[0].inertia: must be > 0 about every axis, got none about one: "
                "give a body without thickness an inertia of its own");
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
