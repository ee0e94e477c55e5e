// SPDX-License-Identifier: Apache-2.0
// Bodies and linkages in scenario files and in the stream.
#include <gtest/gtest.h>

#include <cmath>

#include <command/process.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

const std::string surface = "[surface]\nrestitution = 0.5\nfriction = 0.7\n";

const std::string bodies = R"([system]
type = "bodies"
normal_deg = 180
[[system.bodies]]
shape = "disc"
mass = 1
radius = 0.5
velocity = [2, 0.1]
[[system.bodies]]
mass = 2
inertia = 0.3
contact_offset = [-0.4, 0.1]
velocity = [0, 0]
)" + surface;

const std::string linkage = R"([system]
type = "linkage"
zero_angle = "down"
[[system.links]]
name = "upper"
length = 2
mass = 3
angle_deg = 20
rate = -0.1
[[system.links]]
name = "lower"
length = 2
mass = 3
angle_deg = 30
rate = -0.2
[system.contact]
link = "lower"
)" + surface;

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// What is said of `text`, the file's name cut off.
std::string refusal(const std::string& text) {
  const std::string file = write_file("bad.toml", text);
  const Finished f = run_carom("check '" + file + "'");
  EXPECT_EQ(f.code, 2) << text << f.out;
  const std::string prefix = "carom: error: " + file + ":";
  EXPECT_EQ(f.err.find(prefix), 0U) << f.err;
  return lines_of(f.err.substr(std::min(prefix.size(), f.err.size()))).at(0);
}

std::string solve_csv(const std::string& text) {
  const Finished f = run_carom("solve --csv '" + write_file("good.toml", text) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  return f.out;
}

/// Cells 1 to 19 of a CSV line, all that is of the contact, as numbers; of the mode the letters.
std::vector<double> contact_cells(const std::string& line) {
  std::vector<double> cells;
  std::size_t at = line.find(',') + 1;
  for (int k = 0; k < 19; ++k) {
    const auto end = line.find(',', at);
    const std::string cell = line.substr(at, end - at);
    const bool word = cell.find_first_not_of("+-.0123456789e") != std::string::npos;
    cells.push_back(cell.empty() ? -1e9
                    : word       ? static_cast<double>(cell.size())
                                 : std::stod(cell));
    at = end + 1;
  }
  return cells;
}

TEST(Linkages, PendulumIsThatOfKaneAndLevinson) {
  const auto expected =
      lines_of(run_carom("solve --csv --law newton,poisson,energetic,moreau,conventional "
                         "examples/kane-levinson.toml")
                   .out);
  const auto got =
      lines_of(run_carom("solve --csv --law newton,poisson,energetic,moreau,conventional "
                         "examples/double-pendulum.toml")
                   .out);
  ASSERT_EQ(got.size(), expected.size());
  ASSERT_EQ(got.size(), 6U);
  for (std::size_t i = 1; i < got.size(); ++i) {
    const auto a = contact_cells(expected[i]);
    const auto b = contact_cells(got[i]);
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-10 * (1. + std::abs(a[k]))) << got[i];
    }
  }
  EXPECT_NE(got[0].find("upper_before_rad_s,upper_after_rad_s,lower_before_rad_s,lower_after_rad_s,"
                        "joint_upper_x_Ns,joint_lower_x_Ns,joint_upper_y_Ns,joint_lower_y_Ns,"),
            std::string::npos)
      << got[0];
}

TEST(Linkages, JointsStandInTableAndJson) {
  const Finished table = run_carom("solve examples/cart-pole.toml --law energetic");
  EXPECT_NE(table.out.find("joint cart, x [N s]"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("joint cart, couple [N m s]"), std::string::npos);
  EXPECT_EQ(table.out.find("joint pole, couple"), std::string::npos);
  EXPECT_NE(table.out.find("pole [rad/s]"), std::string::npos);
  const Finished json = run_carom("solve examples/cart-pole.toml --law energetic --json");
  EXPECT_TRUE(is_json(json.out));
  EXPECT_NE(json.out.find(R"("joints":[{"name":"cart","impulse":[0,)"), std::string::npos)
      << json.out;
  EXPECT_EQ(run_carom("solve examples/bar.toml --json").out.find("joints"), std::string::npos);
}

// Where a support moves, the energy is that of the contact, and said to be.
TEST(Linkages, MovingSupportHasTheContactsEnergy) {
  const Finished f = run_carom("solve examples/moving-support.toml");
  EXPECT_NE(f.out.find("in % of the contact energy"), std::string::npos) << f.out;
  EXPECT_EQ(f.out.find("in % of the kinetic energy"), std::string::npos);
}

TEST(Linkages, RelativeAnglesAndDefaults) {
  const std::string relative =
      with(with(with(linkage, "zero_angle", "angles = \"relative\"\nzero_angle"), "angle_deg = 30",
                "angle_deg = 10"),
           "rate = -0.2", "rate = -0.1");
  const auto a = lines_of(solve_csv(linkage));
  const auto b = lines_of(solve_csv(relative));
  // All by default: the last link, its end, the ground.
  const auto c = lines_of(solve_csv(with(linkage, "[system.contact]\nlink = \"lower\"\n", "")));
  EXPECT_EQ(a, c);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 1; i < a.size(); ++i) {
    const auto x = contact_cells(a[i]);
    const auto y = contact_cells(b[i]);
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], y[k], 1e-10 * (1. + std::abs(x[k])));
  }
}

TEST(Linkages, MistakesAreToldAtTheirPlace) {
  EXPECT_EQ(refusal(with(linkage, "angle_deg = 30\n", "angle_deg = 30\nparent = \"uper\"\n")),
            "15:10: system.links[1].parent: unknown link 'uper'; did you mean 'upper'?");
  EXPECT_EQ(refusal(with(linkage, "angle_deg = 20\n", "angle_deg = 20\nparent = \"lower\"\n")),
            "9:10: system.links[0].parent: must come before 'upper' in the list, got 'lower'");
  EXPECT_EQ(refusal(with(linkage, "mass = 3", "mass = -3")),
            "13:8: system.links[1].mass: must be a finite number >= 0, got -3");
  EXPECT_EQ(refusal(with(linkage, "angle_deg = 30\n", "")),
            "10:1: system.links[1].angle_deg: is missing; give the link's angle");
  EXPECT_EQ(
      refusal(with(linkage, "rate = -0.2", "support_velocity = [1, 0]")),
      "15:20: system.links[1].support_velocity: is for joints to ground; 'lower' is joined to "
      "'upper'");
  EXPECT_EQ(refusal(with(linkage, "link = \"lower\"", "link = \"foot\"")),
            "17:8: system.contact.link: unknown link 'foot'; known: upper, lower, ground");
  EXPECT_EQ(
      refusal(with(linkage, "mass = 3", "mass = 0")),
      "13:8: system.links[1].mass: leaves the mass matrix singular: the joint of 'lower' moves "
      "no mass");
  EXPECT_EQ(refusal(with(linkage, "rate = -0.2", "joint = \"hinge\"")),
            "15:9: system.links[1].joint: must be revolute (a hinge) or prismatic (a slide), got "
            "'hinge'");
  EXPECT_EQ(refusal(with(linkage, "rate = -0.2", "position = 1")),
            "15:12: system.links[1].position: is for prismatic joints; give angle_deg");
  EXPECT_EQ(
      refusal(with(linkage, "rate = -0.2", "name = \"upper\"")
                  .replace(linkage.find("name = \"lower\""), 15, "")),
      "14:8: system.links[1].name: must be a name of its own, not empty and not 'ground', got "
      "'upper'");
  EXPECT_EQ(refusal(with(linkage, "link = \"lower\"", "against = \"lower\"")),
            "17:11: system.contact.against: must be another link than the one that strikes");
  EXPECT_EQ(refusal(with(linkage, "rate = -0.2", "rates = -0.2")),
            "15:1: system.links[1].rates: unknown key; did you mean 'rate'?");
  EXPECT_EQ(refusal("[system]\ntype = \"linkage\"\n" + surface),
            "1:1: system.links: is missing; give tables [[system.links]]");
  // A point mass on two massless links in line.
  EXPECT_EQ(refusal("[system]\ntype = \"linkage\"\nlinks = [{mass = 0, length = 1, angle_deg = 0}, "
                    "{mass = 1, mass_centre = [1, 0], angle_deg = 0}]\n"
                    "contact = {point = [1, 0]}\n" +
                    surface)
                .substr(0, 60),
            "3:9: system.links: give a mass matrix that is not positive d");
}

// A box strikes with the corner that is furthest against the normal, or along it if second.
TEST(Bodies, ABoxFindsTheCornerThatStrikes) {
  const auto box = [](const std::string& angle, const std::string& offset) {
    const std::string second = "mass = 2\nshape = \"box\"\nlength = 0.8\nwidth = 0.2\n" + angle;
    return with(bodies, "mass = 2\ninertia = 0.3\ncontact_offset = [-0.4, 0.1]", second + offset);
  };
  const auto solved = [](const std::string& text) {
    const Finished f = run_carom("solve - --law energetic", text);
    EXPECT_EQ(f.code, 0) << f.err;
    return f.out;
  };
  // The normal is -x into the first body, so that the second strikes with its leftmost corner.
  EXPECT_EQ(solved(box("angle_deg = 30\n", "")),
            solved(box("angle_deg = 30\n",
                       "contact_offset = [-0.3964101615137755, "
                       "-0.1133974596215561]")));
  EXPECT_EQ(solved(box("angle_deg = 210\n", "")), solved(box("angle_deg = 30\n", "")));
  EXPECT_NE(solved(box("angle_deg = -30\n", "")), solved(box("angle_deg = 30\n", "")));
  EXPECT_EQ(refusal(box("", "")),
            "9:1: system.bodies[1].contact_offset: is needed: a side of the box touches along this "
            "normal, not one point");
}

TEST(Bodies, MistakesAreToldAtTheirPlace) {
  EXPECT_EQ(refusal(with(bodies, "mass = 2", "mass = -2")),
            "10:8: system.bodies[1].mass: must be a finite number > 0, got -2");
  EXPECT_EQ(refusal(with(bodies, "inertia = 0.3", "inertia = 0")),
            "11:11: system.bodies[1].inertia: must be a finite number > 0, got 0");
  EXPECT_EQ(refusal(with(bodies, "contact_offset = [-0.4, 0.1]\n", "")),
            "9:1: system.bodies[1].contact_offset: is missing; give two numbers");
  EXPECT_EQ(refusal(with(bodies, "[-0.4, 0.1]", "[-0.4, nan]")),
            "12:25: system.bodies[1].contact_offset[1]: must be a finite number, got nan");
  EXPECT_EQ(refusal(with(bodies, "shape = \"disc\"", "shape = \"dics\"")),
            "5:9: system.bodies[0].shape: unknown shape 'dics'; did you mean 'disc'?");
  EXPECT_EQ(refusal(with(bodies, "radius = 0.5", "radius = 0.5\nwidth = 1")),
            "8:9: system.bodies[0].width: means nothing for the shape 'disc'");
  EXPECT_EQ(
      refusal(with(bodies, "normal_deg = 180", "surface_velocity = [1, 0]")),
      "3:20: system.surface_velocity: is for one body that strikes a surface, got two bodies");
  EXPECT_EQ(
      refusal(with(bodies, "[surface]", "[[system.bodies]]\nmass = 1\n[surface]")).substr(0, 46),
      "4:1: system.bodies: must be one or two, got 3");
  EXPECT_EQ(
      refusal(with(bodies, "mass = 2\n",
                   "mass = 2\nshape = \"box\"\nlength = 0.6\nwidth = 0.4\nangle_deg = 0\n")),
      "16:18: system.bodies[1].contact_offset: lies outside of a box of that length, width and "
      "angle_deg");
}

// A disc against a body given by its numbers; a bar's tip as the same bar elsewhere.
TEST(Bodies, ShapesGiveInertiaAndOffset) {
  const std::string plain = with(bodies, "shape = \"disc\"\nmass = 1\nradius = 0.5",
                                 "mass = 1\ninertia = 0.125\ncontact_offset = [0.5, 0]");
  EXPECT_EQ(solve_csv(bodies), solve_csv(plain));
  const std::string bar =
      "[system]\ntype = \"bodies\"\nbodies = [{shape = \"bar\", mass = 1, half_length = 1, "
      "angle_deg = -120, velocity = [0.4, -1]}]\n" +
      surface;
  const std::string same =
      "[system]\ntype = \"bar\"\nangle_deg = 120\nvelocity = [0.4, -1]\n" + surface;
  const auto a = lines_of(solve_csv(bar));
  const auto b = lines_of(solve_csv(same));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 1; i < a.size(); ++i) {
    const auto x = contact_cells(a[i]);
    const auto y = contact_cells(b[i]);
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], y[k], 1e-12 * (1. + std::abs(x[k])));
  }
}

std::string stream_line(const std::string& second, const std::string& frame) {
  return R"({"law":"poisson","bodies":[{"mass":1,"inertia":6.4,"contact_offset":[4,0],)"
         R"("velocity":[15,25.98076211353316],"spin":-11})" +
         second + R"(],"frame":)" + frame + R"(,"surface":{"restitution":0.8,"friction":0.3}})";
}

const std::string ball =
    R"(,{"mass":1,"inertia":6.4,"contact_offset":[-4,0],"velocity":[0,0],"spin":0})";

// [Shen & Townsend, Example 2] by its bodies; a left-handed frame turns tangential components
// round.
TEST(Stream, TakesBodies) {
  for (const double hand : {1., -1.}) {
    const std::string frame = hand > 0. ? R"({"normal":[-1,0],"tangent1":[0,1]})"
                                        : R"({"normal":[-1,0],"tangent1":[0,-1]})";
    const std::string line =
        lines_of(run_carom("solve --stream", stream_line(ball, frame)).out).at(0);
    const OutcomeLine o = parse_outcome(line);
    EXPECT_EQ(o.error_message, "");
    EXPECT_NEAR(o.impulse.n, 13.5, 1e-12);
    EXPECT_NEAR(o.impulse.t, hand * 2.574176840923835, 1e-12);
    EXPECT_EQ(o.velocity_after.size(), 6U);
    ASSERT_EQ(o.bodies.size(), 2U);
    const std::vector<double> first = {1.5, 28.554938954456993, -9.391139474422603};
    const std::vector<double> second = {13.5, -2.574176840923835, 1.608860525577397};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(o.bodies[0][k], first[k], 1e-12);
      EXPECT_NEAR(o.bodies[1][k], second[k], 1e-12);
    }
  }
}

TEST(Stream, RefusesBadBodies) {
  const auto answer = [](const std::string& second, const std::string& frame) {
    const auto o =
        parse_outcome(lines_of(run_carom("solve --stream", stream_line(second, frame)).out).at(0));
    return o.error_field + ": " + o.error_message;
  };
  const std::string frame = R"({"normal":[-1,0]})";
  EXPECT_EQ(answer(",{\"mass\":1}", frame), "bodies[1].inertia: is missing");
  EXPECT_EQ(answer(ball + ball, frame), "bodies: must have 1 or 2 entries, got 3");
  EXPECT_EQ(answer(ball, "{}"), "frame.normal: is missing");
  EXPECT_EQ(answer(ball, R"({"normal":[-1,0,0]})"),
            "frame.normal: must have 2 numbers (x, y), got 3");
  EXPECT_EQ(answer(ball, R"({"normal":[-1,1]})").substr(0, 34),
            "frame.normal: must have length 1, ");
  EXPECT_EQ(answer(ball, R"({"normal":[-1,0],"tangent1":[1,0]})"),
            "frame.tangent1: must be the normal turned by -90 or +90 degrees");
  EXPECT_EQ(answer("", frame + R"(,"approach":[-1,0])"),
            "approach: must not stand beside bodies, frame");
  EXPECT_EQ(answer("", frame + R"(,"velocity":[-1,0])"),
            "velocity: must not stand beside bodies, frame");
  EXPECT_EQ(answer(",{\"mass\":1,\"inertia\":[[1]]}", frame).substr(0, 36),
            "bodies[1].inertia: must be a number,");
}

}  // namespace
}  // namespace carom::test
