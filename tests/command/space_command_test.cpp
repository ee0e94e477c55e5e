// SPDX-License-Identifier: Apache-2.0
// Impacts in space: scenario files, `carom solve` and its forms, the stream.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iomanip>
#include <map>
#include <numbers>
#include <sstream>

#include <command/process.hpp>
#include <support/reference_cases.hpp>
#include <support/spatial_bodies_cases.hpp>

namespace carom::test {
namespace {

const std::string surface = "[surface]\nrestitution = 0.5\nfriction = 0.3\n";

const std::string bodies = R"([system]
type = "space"
normal = [-1, 0, 0]
[[system.bodies]]
name = "ball"
shape = "sphere"
mass = 1
radius = 0.5
velocity = [2, 0.1, 0]
[[system.bodies]]
mass = 2
inertia = [[0.3, 0, 0], [0, 0.4, 0.1], [0, 0.1, 0.5]]
contact_offset = [-0.4, 0.1, 0.2]
velocity = [0, 0, 0]
)" + surface;

const std::string rod = R"([system]
type = "space-rod"
half_length = 2.3
radius = 0.5
angle1_deg = 22
angle2_deg = 10
velocity = [0.4, 1.0, 0.0]
)" + surface;

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// What is said of `text`, the file's name cut off.
std::string refusal(const std::string& text, const std::string& command = "check") {
  const std::string file = write_file("bad.toml", text);
  const Finished f = run_carom(command + " '" + file + "'");
  EXPECT_EQ(f.code, 2) << text << f.out;
  EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
  const std::string prefix = "carom: error: " + file + ":";
  EXPECT_EQ(f.err.find(prefix), 0U) << f.err;
  return lines_of(f.err.substr(std::min(prefix.size(), f.err.size()))).at(0);
}

/// A CSV table: for each law its cells by column.
std::map<std::string, std::map<std::string, std::string>> solve_csv(const std::string& text,
                                                                    const std::string& more = "") {
  const Finished f = run_carom("solve --csv " + more + " '" + write_file("good.toml", text) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells = {""};
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  };
  const auto lines = lines_of(f.out);
  std::map<std::string, std::map<std::string, std::string>> all;
  const auto header = split(lines.at(0));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = split(lines[i]);
    EXPECT_EQ(cells.size(), header.size()) << lines[i];
    for (std::size_t k = 0; k < cells.size(); ++k) all[cells[0]][header[k]] = cells[k];
  }
  return all;
}

TEST(Space, ExamplesAreFine) {
  int seen = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(CAROM_SOURCE_DIR "/examples/space")) {
    ++seen;
    const std::string file = entry.path().string();
    EXPECT_NE(read_file(file).find("# Look for:"), std::string::npos) << file;
    const Finished check = run_carom("check '" + file + "'");
    EXPECT_EQ(check.code, 0) << check.err;
    const Finished table = run_carom("solve '" + file + "'");
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_EQ(table.out.find("nan"), std::string::npos) << table.out;
    EXPECT_EQ(table.out.find("not-converged"), std::string::npos) << table.out;
    const Finished json = run_carom("solve --json '" + file + "'");
    EXPECT_TRUE(is_json(json.out)) << json.out;
  }
  EXPECT_GE(seen, 7);
}

TEST(Space, TableTellsWhatWasBeforeAndWhatEachLawSays) {
  const Finished f = run_carom("solve examples/space/billiards.toml --law poisson,brach");
  EXPECT_EQ(f.code, 0) << f.err;
  for (const char* line :
       {"space: approach -1.73205 m/s, slip (-0.575, -0.681995) m/s; e = 0.95, mu = 0.06",
        "impulse, tangent 2 [N s]", "slip speed [m/s]                         0.892044",
        "cue ball v_x [m/s]                              2", "object ball spin_z [rad/s]",
        "cue ball, energy of rotation [J]         0.105427",
        "object ball, energy of translation [J]",
        "These laws agree on the normal velocity, the slip and the energy change."}) {
    EXPECT_NE(f.out.find(line), std::string::npos) << line << "\n" << f.out;
  }
  EXPECT_EQ(f.out.find("couple"), std::string::npos);
  const Finished sticky = run_carom("solve examples/space/adhering-sphere.toml");
  EXPECT_NE(sticky.out.find("couple, tangent 2 [N m s]                   -0.64"), std::string::npos)
      << sticky.out;
  EXPECT_NE(sticky.out.find("  couple [J]"), std::string::npos);
}

// [Sun & Baruh, Fig. 8]: the rod by its angles, by its mass centre, and as a cylinder-shaped body.
TEST(Space, RodsAgreeHoweverTheyAreGiven) {
  const auto a = solve_csv(rod);
  const double L = 2.3, t1 = 22. * M_PI / 180., t2 = 10. * M_PI / 180.;
  const auto number = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  const std::string x = number(L * std::cos(t2) * std::sin(t1));
  const std::string y = number(-L * std::cos(t2) * std::cos(t1));
  const std::string z = number(-L * std::sin(t2));
  const auto b =
      solve_csv(with(rod, "half_length = 2.3\nradius = 0.5\nangle1_deg = 22\nangle2_deg = 10",
                     "radius = 0.5\nmass_centre = [" + x + ", " + y + ", " + z + "]"));
  // A cylinder of that length and radius, whose ends are round: the contact is on its axis.
  const auto c = solve_csv(
      "[system]\ntype = \"space\"\nnormal = [0, -1, 0]\n[[system.bodies]]\nshape = \"cylinder\"\n"
      "mass = 1\nradius = 0.5\nlength = 4.6\ndirection = [" +
      x + ", " + y + ", " + z + "]\ncontact_offset = [-" + x + ", " + y.substr(1) + ", " +
      z.substr(1) + "]\nvelocity = [0.4, 1, 0]\n" + surface);
  for (const char* law : {"newton", "poisson", "energetic", "sun-baruh", "brach"}) {
    for (const char* cell :
         {"impulse_normal_Ns", "impulse_tangent1_Ns", "impulse_tangent2_Ns",
          "velocity_normal_after_m_s", "energy_change_J", "body_spin_x_after_rad_s"}) {
      const double expected = std::stod(a.at(law).at(cell));
      EXPECT_NEAR(std::stod(b.at(law).at(cell)), expected, 1e-12) << law << cell;
      EXPECT_NEAR(std::stod(c.at(law).at(cell)), expected, 1e-10) << law << cell;
    }
  }
}

TEST(Space, AgainstTellsHowFarLawsAreApart) {
  const auto exact = solve_csv(rod, "--against exact");
  EXPECT_EQ(exact.at("poisson").at("distance"), "0");
  EXPECT_EQ(exact.at("sun-baruh").at("against"), "poisson");
  EXPECT_EQ(exact.at("sun-baruh:energetic").at("against"), "energetic");
  EXPECT_EQ(exact.at("moreau").at("against"), "newton");
  EXPECT_EQ(exact.at("moreau:poisson").at("against"), "poisson");
  EXPECT_EQ(exact.at("moreau").at("same_mode"), "");
  const auto poisson = solve_csv(rod, "--against poisson");
  EXPECT_EQ(poisson.at("newton").at("against"), "poisson");
  EXPECT_EQ(poisson.at("poisson").at("same_mode"), "true");
  EXPECT_GT(std::stod(poisson.at("newton").at("distance")), 0.);
  const Finished table = run_carom("solve examples/space/rod.toml --against exact");
  EXPECT_NE(table.out.find("velocity off by, in |v-|"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("differs"), std::string::npos) << table.out;
  const Finished json =
      run_carom("solve examples/space/rod.toml --law sun-baruh --against exact --json");
  EXPECT_NE(json.out.find(R"("against":{"law":"poisson","distance":0.0)"), std::string::npos)
      << json.out;
}

TEST(Space, OptionsThatDoNotFitAreRefused) {
  const auto said = [](const std::string& arguments) {
    const Finished f = run_carom("solve " + arguments);
    EXPECT_EQ(f.code, 2) << arguments << f.out;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    return f.err.substr(14);
  };
  const std::string space = "examples/space/rod.toml ";
  const std::string plane = "examples/bar.toml ";
  EXPECT_EQ(said(space + "--law conventional"),
            "--law: conventional works in the plane only; in space use newton, poisson, "
            "energetic, moreau, "
            "moreau:poisson, lzb, brach, sun-baruh, sun-baruh:energetic and compliant\n");
  EXPECT_EQ(said(plane + "--tolerance 1e-9"),
            "--tolerance: is for impacts in space or of several contacts; newton is exact at one "
            "contact in the plane\n");
  EXPECT_EQ(said(space + "--tolerance 1"), "--tolerance: must be in [1e-14, 1e-3], got 1\n");
  EXPECT_EQ(said(space + "--against newtn").substr(0, 31), "--against: unknown law 'newtn' ");
  EXPECT_EQ(said(space + "--law newtn").substr(0, 27), "--law: unknown law 'newtn';");
  EXPECT_EQ(said("examples/space/adhering-sphere.toml --against exact").substr(35),
            ":16:1: surface.friction: is missing; newton needs it\n");
  const Finished map = run_carom("map " + space + "--x approach_ratio=0:1");
  EXPECT_EQ(map.code, 2);
  EXPECT_EQ(map.err,
            "carom: error: --x: approach_ratio is of one contact in the plane; vary the velocities "
            "themselves\n");
}

TEST(Space, LawsSayWhereTheyWork) {
  const Finished f = run_carom("laws");
  EXPECT_NE(f.out.find("newton                plane, space  "), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("compliant             plane, space  "), std::string::npos);
  EXPECT_NE(f.out.find("sun-baruh             plane, space  "), std::string::npos);
  const std::string sun_baruh = run_carom("laws sun-baruh").out;
  EXPECT_NE(sun_baruh.find("In the plane the same as poisson."), std::string::npos);
  EXPECT_NE(sun_baruh.find("direction"), std::string::npos);  // what it assumes in space
  EXPECT_NE(run_carom("laws energetic").out.find("Works in: plane, space."), std::string::npos);
}

TEST(Space, MistakesAreToldAtTheirPlace) {
  EXPECT_EQ(refusal(with(bodies, "mass = 2", "mass = -2")),
            "11:8: system.bodies[1].mass: must be a finite number > 0, got -2");
  EXPECT_EQ(refusal(with(bodies, "[0, 0.4, 0.1]", "[0, 0.4, 0.2]")),
            "12:11: system.bodies[1].inertia: must be symmetric, got 0.2 at [1][2] and 0.1 across");
  EXPECT_EQ(refusal(with(bodies, "[[0.3, 0, 0]", "[[3, 0, 0]")).substr(0, 69),
            "12:11: system.bodies[1].inertia: no body has a principal moment above");
  EXPECT_EQ(refusal(with(bodies, "inertia = [[0.3, 0, 0], [0, 0.4, 0.1], [0, 0.1, 0.5]]\n", "")),
            "10:1: system.bodies[1].inertia: is missing; give 3 x 3 numbers, three principal "
            "moments, or a shape");
  EXPECT_EQ(refusal(with(bodies, "contact_offset = [-0.4, 0.1, 0.2]\n", "")),
            "10:1: system.bodies[1].contact_offset: is missing; give three numbers");
  EXPECT_EQ(refusal(with(bodies, "[-0.4, 0.1, 0.2]", "[-0.4, 0.1]")),
            "13:18: system.bodies[1].contact_offset: must have 3 numbers, got 2");
  EXPECT_EQ(refusal(with(bodies, "\"sphere\"", "\"ball\"")),
            "6:9: system.bodies[0].shape: unknown shape 'ball'; known: sphere, box, cylinder, "
            "capsule, rod, disc");
  EXPECT_EQ(refusal(with(bodies, "radius = 0.5", "radius = 0.5\nlength = 1")),
            "9:10: system.bodies[0].length: means nothing for the shape 'sphere'");
  EXPECT_EQ(refusal(with(bodies, "normal = [-1, 0, 0]", "normal = [0, 0, 0]")),
            "3:10: system.normal: must not be zero");
  EXPECT_EQ(refusal(with(bodies, "normal = [-1, 0, 0]", "normal = [1, 0, 0]\ntangent = [2, 0, 0]")),
            "4:11: system.tangent: must not lie along the normal");
  EXPECT_EQ(
      refusal(with(bodies, "normal = [-1, 0, 0]", "surface_velocity = [1, 0, 0]")),
      "3:20: system.surface_velocity: is for one body that strikes a surface, got two bodies");
  const std::string box = with(bodies, "shape = \"sphere\"\nmass = 1\nradius = 0.5",
                               "shape = \"box\"\nmass = 1\nsize = [1, 2, 3]");
  EXPECT_EQ(refusal(box),
            "4:1: system.bodies[0].contact_offset: is needed: a face of the box touches along this "
            "normal, not one point");
  EXPECT_EQ(
      refusal(with(box, "size = [1, 2, 3]",
                   "size = [1, 2, 3]\norientation = { axis = [0, 0, 1], angle_deg = 45 }")),
      "4:1: system.bodies[0].contact_offset: is needed: an edge of the box touches along this "
      "normal, not one point");
  EXPECT_EQ(refusal(with(box, "size = [1, 2, 3]",
                         "size = [1, 2, 3]\norientation = { quaternion = [1, 1, 0, 0] }"))
                .substr(0, 83),
            "9:30: system.bodies[0].orientation.quaternion: must have length 1 (w, x, y, z), got");
  EXPECT_EQ(refusal(with(box, "size = [1, 2, 3]", "size = [1, 2, 3]\ndirection = [1, 0, 0]")),
            "9:13: system.bodies[0].direction: means nothing for the shape 'box'");
  EXPECT_EQ(refusal(with(box, "size = [1, 2, 3]", "size = [1, 0, 3]")),
            "8:12: system.bodies[0].size[1]: must be a finite number > 0, got 0");
  EXPECT_EQ(
      refusal(with(box, "size = [1, 2, 3]", "size = [1, 2, 3]\ncontact_offset = [0.5, 0.5, 1.7]")),
      "9:18: system.bodies[0].contact_offset: lies outside of a box of that size and "
      "orientation");
  // A thin rod struck beside its axis.
  EXPECT_EQ(refusal(with(bodies, "shape = \"sphere\"\nmass = 1\nradius = 0.5",
                         "shape = \"rod\"\nmass = 1\nlength = 2\ndirection = [1, 0, 0]\n"
                         "contact_offset = [1, 0.1, 0]"))
                .substr(0, 70),
            "10:18: system.bodies[0].contact_offset: must lie on the axis about whi");
  EXPECT_EQ(refusal(with(rod, "angle2_deg = 10", "angle2_deg = 95")),
            "6:14: system.angle2_deg: must be in (-90, 90), got 95");
  EXPECT_EQ(refusal(with(rod, "radius = 0.5", "mass_centre = [0, -2, 0]")),
            "3:15: system.half_length: follows from mass_centre");
  EXPECT_EQ(refusal(with(rod, "space-rod", "space-rd")),
            "2:8: system.type: unknown system 'space-rd'; did you mean 'space-rod'?");
  EXPECT_EQ(refusal(rod + "compliance_ratio = 0\n"),
            "11:20: surface.compliance_ratio: must be in [1e-9, 1e9], got 0");
  EXPECT_EQ(refusal(rod + "impulse_ratio = 1\n"),
            "11:17: surface.impulse_ratio: must be an array of numbers, got 1");
  EXPECT_EQ(refusal(rod + "[map]\nx = \"a\"\n"),
            "12:5: map.x: must be a table, got the string 'a'");
  EXPECT_EQ(
      refusal(rod + "[solve]\nlaws = [\"newton\", \"conventional\"]\n"),
      "12:19: solve.laws[1]: conventional works in the plane only; in space use newton, poisson, "
      "energetic, moreau, moreau:poisson, lzb, brach, sun-baruh, sun-baruh:energetic and "
      "compliant");
  EXPECT_EQ(refusal("[system]\ntype = \"space-contact\"\ninverse_inertia = [[1, 2, 0], [2, 1, 0], "
                    "[0, 0, 1]]\napproach = [-1, 0, 0]\n" +
                    surface)
                .substr(0, 63),
            "3:19: system.inverse_inertia: must be positive semidefinite, go");
}

// One line about it, and the other laws have theirs.
TEST(Space, CompliantContactsHaveNoDerivatives) {
  const std::string scenario = rod + "compliance_ratio = 0.8\n";
  const std::string command = "solve - --law compliant,energetic --sensitivity";
  const Finished table = run_carom(command, scenario);
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(
      table.out.find("\ncompliant: no derivatives, this law has no derivatives in space\n\nener"),
      std::string::npos)
      << table.out;
  const Finished csv = run_carom(command + " --csv", scenario);
  EXPECT_EQ(csv.code, 0);
  EXPECT_EQ(csv.err, "Note on compliant: this law has no derivatives in space.\n");
  EXPECT_EQ(csv.out.find("\ncompliant,"), std::string::npos) << csv.out;
  EXPECT_NE(csv.out.find("\nenergetic,"), std::string::npos) << csv.out;
  const Finished json = run_carom(command + " --json", scenario);
  EXPECT_EQ(json.code, 0);
  EXPECT_NE(json.out.find(R"("refused":"this law has no derivatives in space")"), std::string::npos)
      << json.out;
}

TEST(Space, SeparatingContactsAreToldSo) {
  const Finished f = run_carom("solve -", with(rod, "[0.4, 1.0, 0.0]", "[0.4, -1.0, 0.0]"));
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(lines_of(f.out).back(),
            "No impact: the contact separates at 1 m/s (normal velocity above zero). In a rod's "
            "axes y points down.");
}

// Where the surface moves, the energy is that of the contact.
TEST(Space, MovingSurfaceHasTheContactsEnergy) {
  const Finished f = run_carom("solve -", R"([system]
type = "space"
surface_velocity = [1, 0, 0]
[[system.bodies]]
shape = "sphere"
mass = 1
radius = 1
velocity = [0, 0, -1]
)" + surface);
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("slip (-1, 0) m/s"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("in % of the contact energy"), std::string::npos) << f.out;
}

// Every reference case, in contact space and by bodies, in one stream.
TEST(Space, StreamAnswersTheReferenceCases) {
  std::string input;
  for (const auto& c : spatial_bodies_cases()) input += c.line + "\n" + c.line_by_bodies + "\n";
  const Finished f = run_carom("solve --stream", input);
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.err, "");
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), 2 * spatial_bodies_cases().size());
  const auto size = [](const Vec3& v) { return std::hypot(v.n, v.t1, v.t2); };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& c = spatial_bodies_cases()[i / 2];
    const SpatialOutcomeLine o = parse_spatial_outcome(lines[i]);
    EXPECT_EQ(o.error_message, "") << lines[i];
    EXPECT_EQ(o.id, c.id);
    EXPECT_EQ(o.law, c.law);
    const double v = 1. + size(c.velocity);
    EXPECT_LE(size(o.velocity - c.velocity), 4. * c.tolerance * v) << lines[i];
    EXPECT_LE(size(o.impulse - c.impulse), 4. * c.tolerance * (1. + size(c.impulse))) << lines[i];
    EXPECT_LE(size(o.couple - c.couple), 4. * c.tolerance * (1. + size(c.couple))) << lines[i];
    EXPECT_NEAR(o.change, c.change, 10. * c.tolerance * v * (1. + size(c.impulse))) << lines[i];
    const bool by_bodies = i % 2 == 1 || !c.contact;
    ASSERT_EQ(o.bodies.size(), by_bodies ? c.after.size() : 0U) << lines[i];
    for (std::size_t k = 0; k < o.bodies.size(); ++k) {
      for (std::size_t x = 0; x < 3; ++x) {
        EXPECT_NEAR(o.bodies[k].velocity[x], c.after[k].velocity[x], 1e-8) << c.id;
        EXPECT_NEAR(o.bodies[k].spin[x], c.after[k].spin[x], 1e-8) << c.id;
      }
    }
  }
}

const std::string line =
    R"("inverse_inertia":[[1,0.1,0],[0.1,2,0],[0,0,2]],"approach":[-1,0.5,0.2],)"
    R"("surface":{"restitution":0.5,"friction":0.2}})";

SpatialOutcomeLine answer(const std::string& text, const std::string& arguments = "") {
  return parse_spatial_outcome(lines_of(run_carom("solve --stream " + arguments, text).out).at(0));
}

TEST(Space, StreamTakesOptions) {
  const auto plain = answer(R"({"law":"sun-baruh",)" + line);
  EXPECT_EQ(plain.error_message, "");
  const auto poisson = answer(R"({"law":"sun-baruh","options":{"hypothesis":"poisson"},)" + line);
  EXPECT_EQ(poisson.impulse, plain.impulse);
  const auto energetic =
      answer(R"({"law":"sun-baruh","options":{"hypothesis":"energetic"},)" + line);
  EXPECT_EQ(energetic.error_message, "");
  EXPECT_EQ(energetic.impulse, answer(R"({"law":"sun-baruh:energetic",)" + line).impulse);
  EXPECT_EQ(answer("{" + line, "--law energetic").impulse,
            answer(R"({"components":3,"law":"energetic",)" + line).impulse);
  const Finished loose =
      run_carom("solve --stream --tolerance 1e-6", R"({"law":"poisson",)" + line);
  EXPECT_NE(loose.out.find("\"tolerance\":1e-06"), std::string::npos) << loose.out;
  // Plane and space in one stream.
  const Finished both = run_carom(
      "solve --stream --law poisson",
      "{" + line + "\n" +
          R"({"inverse_inertia":[[1,0],[0,2]],"approach":[-1,0],"surface":{"restitution":0,"friction":1}})");
  EXPECT_EQ(lines_of(both.out).size(), 2U);
  EXPECT_EQ(both.out.find("error"), std::string::npos) << both.out;
}

TEST(Space, MomentRatioReplacesMomentCoefficientsInAnyOrder) {
  const auto answers = [](const std::string& couples) {
    return run_carom("solve --stream",
                     R"({"law":"brach","bodies":[{"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]],)"
                     R"("contact_offset":[0,0,-1],"velocity":[1,0,-1],"spin":[0,0,3]}],)"
                     R"("frame":{"normal":[0,0,1]},"surface":{"restitution":0.5,"friction":0.2,)" +
                         couples + "}}\n")
        .out;
  };
  const std::string ratio = R"("moment_ratio":[0,0.1,0.2])";
  const std::string e_m = R"("moment_coefficients":[-1,-0.5,-0.2])";
  EXPECT_NE(answers(e_m), answers(ratio));
  EXPECT_EQ(answers(e_m + "," + ratio), answers(ratio));
  EXPECT_EQ(answers(ratio + "," + e_m), answers(ratio));
  const std::string wrong = with(e_m, "-0.5", "-5");  // replaced, but refused all the same
  EXPECT_NE(answers(wrong).find("surface.moment_coefficients[1]"), std::string::npos);
  EXPECT_EQ(answers(wrong + "," + ratio), answers(wrong));
  EXPECT_EQ(answers(ratio + "," + wrong), answers(wrong));
}

TEST(Space, StreamRefusesWhatIsWrong) {
  const auto said = [](const std::string& text) {
    const auto o = answer(text);
    return o.error_field + ": " + o.error_message;
  };
  EXPECT_EQ(said(R"({"law":"conventional",)" + line),
            "law: conventional works in the plane only; in space use newton, poisson, energetic, "
            "moreau, moreau:poisson, lzb, brach, sun-baruh, sun-baruh:energetic and compliant");
  EXPECT_EQ(said(R"({"law":"compliant",)" + line), "surface.compliance_ratio: is missing");
  EXPECT_EQ(said(R"({"law":"newton","options":{"hypothesis":"poisson"},)" + line),
            "options.hypothesis: is an option of moreau and sun-baruh, not of newton");
  EXPECT_EQ(said(R"({"law":"sun-baruh","options":{"hypothesis":"newton"},)" + line),
            "options.hypothesis: must be poisson or energetic, got 'newton'");
  EXPECT_EQ(said(R"({"law":"newton","options":{"tolerance":1},)" + line),
            "options.tolerance: must be in [1e-14, 1e-3], got 1");
  EXPECT_EQ(said(R"({"law":"newton","components":4,)" + line),
            "components: must be a whole number in [1, 3], got 4");
  EXPECT_EQ(said(R"({"law":"newton","mass":[[1]],)" + line),
            "inverse_inertia: must not stand beside mass, directions, velocity");
  EXPECT_EQ(said(R"({"law":"newton",)" + with(line, "[-1,0.5,0.2]", "[-1,0.5]")),
            "approach: must have 3 numbers, got 2");
  EXPECT_EQ(said(R"({"law":"newton",)" + with(line, "[0.1,2,0]", "[0.2,2,0]")),
            "inverse_inertia: must be symmetric, got 0.1 at [0][1] and 0.2 across");
  EXPECT_EQ(said(R"({"law":"brach",)" +
                 with(line, "\"friction\":0.2", "\"friction\":0.2,\"impulse_ratio\":1")),
            "surface.impulse_ratio: must be an array [t1, t2], got 1");
  EXPECT_EQ(
      said(R"({"law":"brach",)" + with(line, "\"friction\":0.2",
                                       R"("tangential_coefficient":[0,0],"impulse_ratio":[0,0])")),
      "surface.tangential_coefficient: must not stand beside impulse_ratio: one follows from "
      "the other");
  const std::string ball =
      R"({"law":"newton","bodies":[{"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]],)"
      R"("contact_offset":[0,0,-1],"velocity":[1,0,-1]}],"frame":)";
  const std::string end = R"(,"surface":{"restitution":0.5,"friction":0.2}})";
  EXPECT_EQ(said(ball + R"({"normal":[0,0,1]})" + end), ": ");
  EXPECT_EQ(said(ball + R"({"normal":[0,0,2]})" + end), "frame.normal: must have length 1, got 2");
  EXPECT_EQ(said(ball + R"({"normal":[0,0,1],"tangent1":[0,0,1]})" + end),
            "frame.tangent1: must be perpendicular to the normal");
  EXPECT_EQ(said(ball + R"({"normal":[0,0,1],"tangent1":[1,0,0],"tangent2":[0,-1,0]})" + end),
            "frame.tangent2: must be normal x tangent1 (a right-handed frame), got its opposite");
  EXPECT_EQ(
      said(with(ball, "[[1,0,0],", "[[3,0,0],") + R"({"normal":[0,0,1]})" + end).substr(0, 37),
      "bodies[0].inertia: no body has a prin");
}

TEST(Space, AlgebraicLawIsTheExactOneInThePlane) {
  const auto answer = [](const std::string& law) {
    const Finished f = run_carom("solve examples/bar.toml --csv --law " + law);
    EXPECT_EQ(f.code, 0) << f.err;
    const std::string row = lines_of(f.out).at(1);
    return row.substr(row.find(','));
  };
  EXPECT_EQ(answer("sun-baruh"), answer("poisson"));
  EXPECT_EQ(answer("sun-baruh:energetic"), answer("energetic"));
}

TEST(Space, StreamTellsAllSolutionsAndBrachsCoefficients) {
  const Finished f = run_carom(
      "solve --stream",
      R"({"law": "moreau", "inverse_inertia": [[3.6639357295216817, -5.6985065204671317, 3.2714492935495252], [-5.6985065204671317, 17.245321882614078, 0.83384936210236349], [3.2714492935495252, 0.83384936210236349, 19.000364360280205]], "approach": [-0.063104787226568426, -1.6965901142165443, 3.7216932316449443], "surface": {"restitution": 0.472, "tangential_restitution": 0.683, "friction": 0.567}})"
      "\n");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_TRUE(is_json(f.out)) << f.out;
  const OutcomeLine o = parse_outcome(f.out);
  EXPECT_EQ(o.verdict, "several-solutions");
  EXPECT_EQ(o.solutions, 3U);
  EXPECT_NE(f.out.find("\"critical_impulse_ratio\":["), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("\"e_n\":0.472"), std::string::npos) << f.out;
}

// More contacts may be found when events begin again after steps than steps knew. What was read
// beyond the end then crashed some scenes; in this one sanitizers see it.
TEST(Space, AnArchOfManyContactsStandsUnderTheDefaultMethod) {
  constexpr int count = 15;
  const double wedge = std::numbers::pi / count;
  // Each stone is a trapezium between two rays; its mass centre is on the ray in the middle.
  const double high = 1.1 * std::cos(0.5 * wedge);
  const double low = 0.9 * std::cos(0.5 * wedge);
  const double mean = 2. / 3. * (high * high + high * low + low * low) / (high + low);
  std::ostringstream text;
  text << std::setprecision(17) << "[system]\ntype = \"space-assembly\"\nfloor = true\n";
  for (int i = 0; i < count; ++i) {
    text << "[[system.bodies]]\nshape = \"polyhedron\"\nmass = 20.0\nvertices = [";
    for (const double angle : {wedge * i, wedge * (i + 1)}) {
      for (const double radius : {0.9, 1.1}) {
        for (const double y : {-0.15, 0.15}) {
          text << '[' << radius * std::cos(angle) << ", " << y << ", " << radius * std::sin(angle)
               << "], ";
        }
      }
    }
    const double middle = wedge * (i + 0.5);
    text << "]\nposition = [" << mean * std::cos(middle) << ", 0, " << mean * std::sin(middle)
         << "]\n";
  }
  text << "[surface]\nrestitution = 0.0\nfriction = 0.7\n[motion]\nend_time = 0.02\n";
  const Finished f = run_carom("simulate --json '" + write_file("arch.toml", text.str()) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
}

}  // namespace
}  // namespace carom::test
