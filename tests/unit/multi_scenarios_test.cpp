// SPDX-License-Identifier: Apache-2.0
// Scenario files with several contacts: what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <carom/core/scalar.hpp>
#include <carom/scenario/scenario.hpp>
#include <support/multi_systems_cases.hpp>

namespace carom::test {
namespace {

using Names = std::vector<std::string>;

scenario::Scenario example(const std::string& name) {
  const auto s = scenario::read(CAROM_SOURCE_DIR "/examples/many/" + name + ".toml");
  EXPECT_FALSE(s.title.empty()) << name;
  return s;
}

scenario::Scenario parse(const std::string& text) { return scenario::parse(text, "f.toml"); }

void expect_case(const scenario::Scenario& impact, const std::string& id) {
  const MultiSystemCase& c = multi_system_case(id);
  const Eigen::MatrixXd G = impact.problem().G.dense();
  ASSERT_EQ(G.rows(), c.G.rows()) << id;
  EXPECT_LE((G - c.G).cwiseAbs().maxCoeff(), rounding * c.G.maxCoeff()) << id;
  for (std::size_t i = 0; i < impact.problem().approach.size(); ++i) {
    EXPECT_NEAR(impact.problem().approach[i], c.approach(static_cast<Eigen::Index>(i)), 1e-15)
        << id;
  }
}

/// The numbers alone, whatever the file gave.
Surface as_given(Surface s) {
  s.given = Surface{}.given;
  return s;
}

const std::string surface = "[surface]\nrestitution = 0.5\n";
const std::string chain = "[system]\ntype = \"chain\"\nmasses = [1, 2, 3]\nstriker_velocity = 1\n";

TEST(MultiScenario, EveryExampleIsRead) {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(CAROM_SOURCE_DIR "/examples/many")) {
    ++files;
    const auto impact = example(file.path().stem());
    EXPECT_EQ(impact.surfaces.each.size(), impact.problem().contacts()) << file;
    EXPECT_TRUE(impact.surfaces.has("stiffness")) << file;
    Names names = impact.impact.names;
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << file;
  }
  EXPECT_GE(files, 12);
}

TEST(MultiScenario, ExamplesAreTheReferenceCasesThatTheySayTheyAre) {
  const auto disc = example("disc-ball");
  expect_case(disc, "disc_ball_case2");
  EXPECT_EQ(as_given(disc.surfaces.each[0]), (Surface{.restitution = 0.9064,
                                                      .friction = 0.14,
                                                      .static_friction = 0.15,
                                                      .stiffness = 2.9217e10,
                                                      .exponent = 1.5}));
  EXPECT_EQ(disc.surfaces.each[0], disc.surfaces.each[2]);
  EXPECT_EQ(as_given(disc.surfaces.each[3]), (Surface{.restitution = 0.7043,
                                                      .friction = 0.07,
                                                      .static_friction = 0.075,
                                                      .stiffness = 1.964e8,
                                                      .exponent = 1.5}));
  ASSERT_EQ(disc.laws.size(), 2U);
  EXPECT_EQ(disc.laws[0]->name, "lzb");
  const auto corner = example("rod-in-corner");
  expect_case(corner, "rod_in_corner");
  EXPECT_EQ(corner.surfaces.each[0].static_friction, 0.25);
  EXPECT_EQ(corner.surfaces.each[1].static_friction, 0.3);
  EXPECT_EQ(corner.surfaces.each[1].stiffness, 2e6);
  expect_case(example("rocking-block"), "rocking_block_mu0.2_e0.5");
  expect_case(example("rod-flat"), "rod_two_ends_spinning");
  expect_case(example("contacts"), "rod_two_ends_spinning");
  expect_case(example("bernoulli"), "bernoulli_two_balls_e1");
  const auto tapered = example("tapered-chain");
  expect_case(tapered, "chain4_tapered");
  EXPECT_EQ(tapered.surfaces.each[1].restitution, 0.9);
  EXPECT_EQ(tapered.surfaces.each[2].stiffness, 4.);
}

TEST(MultiScenario, ExamplesInSpaceTouchWhereTheyShould) {
  EXPECT_EQ(example("sphere-stack").impact.names,
            (Names{"large-middle", "middle-small", "large-floor"}));
  const auto boxes = example("box-stack");
  EXPECT_EQ(
      boxes.impact.names,
      (Names{"low-middle 1", "low-middle 2", "low-middle 3", "low-middle 4", "low-ram 1",
             "low-ram 2", "low-ram 3", "low-ram 4", "middle-top 1", "middle-top 2", "middle-top 3",
             "middle-top 4", "low-floor 1", "low-floor 2", "low-floor 3", "low-floor 4"}));
  EXPECT_EQ(boxes.surfaces.each[4].stiffness, 0.5e8);
  EXPECT_EQ(boxes.surfaces.each[5].stiffness, 1e8);
  // Only the ram approaches, all four corners alike: normal into `low`, so -x.
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(boxes.problem().approach[3 * i], i >= 4 && i < 8 ? -1. : 0.) << i;
  }
  EXPECT_EQ(example("pyramid").impact.names, (Names{"a-b", "a-c", "a-top", "b-c", "b-top", "c-top",
                                                    "a-floor", "b-floor", "c-floor"}));
  const auto row = example("long-chain");
  EXPECT_EQ(row.impact.names.back(), "999-1000");
  EXPECT_EQ(row.surfaces.each.front().stiffness, 1e9);
  EXPECT_EQ(row.surfaces.each.back().stiffness, 1e9);
}

TEST(MultiScenario, ChainsByCountAndStrikers) {
  const auto impact =
      parse("[system]\ntype='chain'\ncount=4\nmass=2\nstriker_velocity=3\nstrikers=2\nwall=true\n" +
            surface);
  EXPECT_EQ(impact.impact.names, (Names{"1-2", "2-3", "3-4", "4-wall"}));
  EXPECT_EQ(impact.impact.u, (std::vector<double>{3., 3., 0., 0.}));
  EXPECT_EQ(impact.problem().approach, (std::vector<double>{0., -3., 0., 0.}));
  EXPECT_FALSE(impact.surfaces.has("stiffness"));
}

TEST(MultiScenario, SurfacesByContact) {
  // In order.
  const auto two = parse(chain +
                         "[[surfaces]]\nrestitution=0.2\nstiffness=1\n[[surfaces]]\n"
                         "restitution=0.3\n");
  EXPECT_EQ(two.surfaces.each[0].restitution, 0.2);
  EXPECT_EQ(two.surfaces.each[1].restitution, 0.3);
  EXPECT_FALSE(two.surfaces.has("stiffness"));
  // By name over [surface]; what is friction is static friction too, unless it is given.
  const std::string block =
      "[system]\ntype='block'\nhalf_width=1\nhalf_height=1\nvelocity=[0,-1]\n";
  const auto own = parse(block +
                         "[surface]\nfriction=0.2\nstiffness=5\n[surfaces.right]\n"
                         "friction=0.4\nexponent=1\n");
  EXPECT_EQ(own.surfaces.each[0].static_friction, 0.2);
  EXPECT_EQ(own.surfaces.each[1].friction, 0.4);
  EXPECT_EQ(own.surfaces.each[1].static_friction, 0.4);
  EXPECT_EQ(own.surfaces.each[0].exponent, 1.5);
  EXPECT_EQ(own.surfaces.each[1].exponent, 1.);
  EXPECT_TRUE(own.surfaces.has("stiffness"));
  // Which keys every contact has.
  const auto keys = [](const std::string& text) {
    std::string all;
    for (const auto& g : scenario::parse(text, "f.toml").surfaces.given)
      all += g.key + "@" + g.place + " ";
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
  EXPECT_EQ(impact.options.solver, FrictionSolver::lemke);
  EXPECT_EQ(impact.options.euler_steps, 1000U);
  EXPECT_EQ(impact.laws.at(0)->name, "moreau:poisson");
}

TEST(MultiScenario, ContactsByTriplets) {
  const std::string head = "[system]\ntype='contacts'\ncomponents=1\n";
  const auto dense = parse(head + "inverse_inertia=[[2,-1],[-1,2]]\napproach=[-1,0]\n" + surface);
  const auto sparse =
      parse(head + "triplets=[[0,0,2],[1,0,-1],[1,1,2]]\napproach=[-1,0]\n" + surface);
  EXPECT_EQ(dense.problem().G, sparse.problem().G);
  EXPECT_EQ(sparse.impact.names, (Names{"1", "2"}));
}

TEST(MultiScenario, GeneralizedContacts) {
  const auto impact = parse(
      "[system]\ntype='generalized-contacts'\ncomponents=1\nmass=[[1,0,0],[0,1,0],[0,0,1]]\n"
      "directions=[[-1,0],[1,-1],[0,1]]\nvelocity=[1,0,0]\nsupport_velocity=[0,0.5]\n"
      "names=['a','b']\n" +
      surface);
  const MultiSystemCase& c = multi_system_case("newton_cradle_3_linear");
  EXPECT_EQ(impact.problem().G.dense(), c.G);
  EXPECT_EQ(impact.problem().approach, (std::vector<double>{-1., -0.5}));
  EXPECT_EQ(impact.impact.names, (Names{"a", "b"}));
}

// A floor that moves, in the plane and in space.
TEST(MultiScenario, MovingFloors) {
  const auto plane = parse(
      "[system]\ntype='assembly'\nfloor=true\nfloor_velocity=[2,0.5]\n[[system.bodies]]\n"
      "shape='box'\nlength=1\nwidth=1\nmass=1\nposition=[0,0.5]\nvelocity=[0,-1]\n" +
      surface);
  EXPECT_EQ(plane.impact.names, (Names{"1-floor 1", "1-floor 2"}));
  EXPECT_EQ(plane.problem().approach, (std::vector<double>{-1.5, -2., -1.5, -2.}));
  const auto space = parse(
      "[system]\ntype='space-assembly'\nfloor=true\nfloor_velocity=[2,0,0.5]\n[[system.bodies]]\n"
      "shape='sphere'\nradius=1\nmass=1\nposition=[0,0,1]\nvelocity=[0,0,-1]\nspin=[0,1,0]\n" +
      surface);
  EXPECT_EQ(space.problem().approach, (std::vector<double>{-1.5, -3., 0.}));
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
  EXPECT_EQ(impact.impact.names, (Names{"a-ground", "a-ground 2", "joint"}));
  EXPECT_EQ(impact.problem().approach, (std::vector<double>{-1., 0., -1., 0., 1., 0.}));
  Names coordinates;
  for (const Coordinate& c : impact.impact.coordinates) coordinates.push_back(c.name);
  EXPECT_EQ(coordinates, (Names{"a.v_x", "a.v_y", "a.spin", "b.v_x", "b.v_y", "b.spin"}));
  EXPECT_EQ(impact.impact.coordinates[2].unit, "rad/s");
}

}  // namespace
}  // namespace carom::test
