// SPDX-License-Identifier: Apache-2.0
// Several contacts: `carom solve` and its forms, the stream.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include <command/process.hpp>

namespace carom::test {
namespace {

/// Three balls, linear springs, e = 1: newton_cradle_3_linear of the reference.
const std::string cradle = R"(title = "Three balls"
[system]
type = "chain"
masses = [1, 1, 1]
velocities = [1, 0, 0]
[surface]
restitution = 1
stiffness = 1
exponent = 1
)";

std::string solved(const std::string& text, const std::string& more) {
  const Finished f = run_carom("solve " + more + " '" + write_file("many.toml", text) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  return f.out;
}

/// The cells of a line of CSV.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all = {""};
  for (const char c : line) {
    if (c == ',') {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

TEST(ManyCommand, TableHasARowForEachContactAndTheLawsSideBySide) {
  const std::string out = solved(cradle, "");
  EXPECT_NE(out.find("Three balls\nchain: 2 contacts, 1 of them approaches; e = 1, k = 1"),
            std::string::npos)
      << out;
  for (const char* part : {"\nmoreau\n", "\nmoreau:poisson\n", "\nlzb\n", "  1-2 ", "  2-3 ",
                           "v_3 ", "energy change [J]", "verdict"}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << '\n' << out;
  }
  EXPECT_NE(out.find("0.980032"), std::string::npos) << out;  // the last ball under lzb
}

TEST(ManyCommand, CsvHasARowForEachLawAndContact) {
  const auto lines = lines_of(solved(cradle, "--csv"));
  ASSERT_EQ(lines.size(), 1U + 3U * 2U);
  EXPECT_EQ(lines[0],
            "law,contact,impulse_normal_Ns,velocity_normal_before_m_s,velocity_normal_after_m_s,"
            "normal_J,normal_compression_J,normal_restitution_J,mode,total_energy_change_J,"
            "total_energy_change_percent,total_normal_compression_J,total_normal_restitution_J,"
            "total_normal_J,equivalent_e_newton,equivalent_e_poisson,equivalent_e_energetic,"
            "verdict");
  const auto row = cells(lines[6]);
  EXPECT_EQ(row[0], "lzb");
  EXPECT_EQ(row[1], "2-3");
  EXPECT_NEAR(std::stod(row[2]), 0.9800321256297473, 1e-9);
  const auto moreau = cells(lines[1]);
  EXPECT_EQ(moreau[6], "");  // moreau knows no stages
}

TEST(ManyCommand, JsonHasTheProblemAndEveryOutcome) {
  const std::string out = solved(cradle, "--json --law lzb");
  for (const char* part :
       {"\"components\":1", "\"contacts\":[\"1-2\",\"2-3\"]",
        "\"inverse_inertia\":[[2,-1],\n[-1,2]]", "\"coordinates\":[\"v_1\",\"v_2\",\"v_3\"]",
        "\"mode\":[\"closed\",\"closed\"]",
        "\"phases\":[{\"contact\":0,\"stage\":\"compression\",\"motion\":null,\"time\":",
        "\"velocity_after\":["}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << '\n' << out;
  }
}

TEST(ManyCommand, ALawThatLacksStiffnessIsLeftOutOrSaysSo) {
  std::string text = cradle;
  text.erase(text.find("stiffness = 1\n"), 14);
  EXPECT_NE(solved(text, "").find("Left out: lzb (surface.stiffness is not given)."),
            std::string::npos);
  const Finished f = run_carom("solve --law lzb '" + write_file("soft.toml", text) + "'");
  EXPECT_EQ(f.code, 2);
  EXPECT_NE(f.err.find("surface.stiffness: is missing; lzb needs it at every contact"),
            std::string::npos)
      << f.err;
}

TEST(ManyCommand, LawsOfOneContactAndOptionsOfOneContactAreRefusedByName) {
  const std::string file = write_file("many.toml", cradle);
  const auto refused = [&](const std::string& more, const std::string& what) {
    const Finished f = run_carom("solve '" + file + "' " + more);
    EXPECT_EQ(f.code, 2) << more;
    EXPECT_EQ(f.out, "") << more;
    EXPECT_NE(f.err.find(what), std::string::npos) << f.err;
  };
  refused("--law energetic", "--law: energetic is for one contact");
  refused("--against exact", "--against: there is no exact process");
  refused("--over space", "--over: must be time or impulse, got 'space'");
  refused("--tolerance 2", "--tolerance: must be in [1e-14, 1e-3], got 2");
  refused("--law moreau --plot /tmp/carom-none.svg", "--plot: draws the course");
  refused("--euler-steps 9 --plot /tmp/carom-none.svg", "--plot: draws what is integrated");
  refused("--over impulse", "--over: is for --plot");
  refused("--euler-steps=-3", "--euler-steps: must be a whole number");
}

TEST(ManyCommand, ExplicitEulerComesNearInManySteps) {
  const auto last = [&](const std::string& more) {
    return std::stod(cells(lines_of(solved(cradle, "--csv --law lzb " + more))[2])[2]);
  };
  const double exact = last("--tolerance 1e-12");
  const double coarse = std::abs(last("--euler-steps 1000") - exact);
  const double fine = std::abs(last("--euler-steps 100000") - exact);
  EXPECT_GT(coarse, fine);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse, 1e-7);
}

TEST(ManyCommand, OfVeryManyContactsTheTableShowsBothEnds) {
  std::string text = cradle;
  text.replace(text.find("masses = [1, 1, 1]\nvelocities = [1, 0, 0]"), 41,
               "mass = 1\ncount = 101\nstriker_velocity = 1");
  const std::string out = solved(text, "--law moreau");
  EXPECT_NE(out.find("  ... 80 more"), std::string::npos) << out;
  EXPECT_NE(out.find("  100-101"), std::string::npos) << out;
  EXPECT_EQ(out.find("  50-51"), std::string::npos);
}

TEST(ManyCommand, OneContactUnderTheNameOfLzbIsEnergetic) {
  const auto numbers = [](const std::string& law) {
    const Finished f = run_carom("solve examples/bar.toml --csv --law " + law);
    EXPECT_EQ(f.code, 0) << f.err;
    return lines_of(f.out).at(1).substr(law.size());
  };
  EXPECT_EQ(numbers("lzb"), numbers("energetic"));
  const Finished space = run_carom("solve examples/space/rod.toml --csv --law lzb");
  EXPECT_EQ(space.code, 0) << space.err;
}

TEST(ManyCommand, LawsSayWhichTakeMany) {
  const Finished list = run_carom("laws");
  EXPECT_NE(list.out.find("lzb                   plane, space, many"), std::string::npos);
  const Finished lzb = run_carom("laws lzb");
  EXPECT_NE(lzb.out.find("stiffness"), std::string::npos) << lzb.out;
  const Finished moreau = run_carom("laws moreau");
  EXPECT_NE(moreau.out.find("With several contacts"), std::string::npos) << moreau.out;
}

TEST(ManyCommand, OneContactInGeneralizedCoordinatesIsAskedOfEveryLaw) {
  const std::string system =
      "[system]\ntype='generalized-contacts'\ncomponents=3\nmass=[[2,0,0],[0,2,0],[0,0,2]]\n"
      "directions=[[0,1,0],[0,0,1],[1,0,0]]\nvelocity=[1,0,-1]\n";
  const std::string surface = "[surface]\nrestitution=0.5\nfriction=0.3\n";
  const std::string line =
      R"(,"components":3,"mass":[[2,0,0],[0,2,0],[0,0,2]],"directions":[[0,1,0],[0,0,1],[1,0,0]],)"
      R"("velocity":[1,0,-1],"surface":{"restitution":0.5,"friction":0.3}})";
  for (const std::string name : {"newton", "poisson", "energetic", "moreau", "moreau:poisson",
                                 "brach", "sun-baruh", "sun-baruh:energetic"}) {
    // A point mass: P_n = (1 + e) m |v_n|, and it slips throughout: P_t = -mu P_n.
    const auto file = run_carom("solve - --json --law " + name, system + surface);
    EXPECT_EQ(file.code, 0) << name;
    EXPECT_NE(file.out.find("\"impulse\":[3,-0."), std::string::npos) << file.out;
    const auto stream = run_carom("solve --stream", R"({"law":")" + name + "\"" + line + "\n");
    EXPECT_NE(stream.out.find("\"impulse\":[3,-0."), std::string::npos) << stream.out;
  }
  EXPECT_EQ(run_carom("solve - --law compliant", system + surface).code, 2);
}

}  // namespace
}  // namespace carom::test
