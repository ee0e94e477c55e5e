// SPDX-License-Identifier: Apache-2.0
// Lines of JSON with several contacts.
#include <gtest/gtest.h>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/scenario/problem_json.hpp>
#include <support/multi_systems_cases.hpp>

namespace carom::test {
namespace {

scenario::JsonProblem read(const std::string& line, const std::string& law = "") {
  scenario::ProblemReader reader(law);
  scenario::JsonProblem p;
  reader.read(line, p);
  return p;
}

std::string said(const std::string& line) {
  try {
    (void)read(line);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// Every reference case, in contact space by rows and by triplets, and in generalized coordinates.
TEST(MultiJson, ReferenceCasesAreReadInThreeForms) {
  for (const MultiSystemCase& c : multi_system_cases()) {
    const auto dense = read(c.line);
    EXPECT_EQ(dense.law->name, "lzb") << c.id;
    EXPECT_EQ(dense.law_name, "lzb") << c.id;
    EXPECT_EQ(dense.id, "\"" + c.id + "\"");
    const ContactProblem& p = dense.system.problem;
    EXPECT_EQ(p.components(), c.components) << c.id;
    EXPECT_LE((p.G.dense() - c.G).cwiseAbs().maxCoeff(), 1e-15 * c.G.maxCoeff()) << c.id;
    EXPECT_FALSE(dense.system.has_velocities()) << c.id;

    const auto sparse = read(c.sparse);
    const ContactProblem& q = sparse.system.problem;
    EXPECT_EQ(q.approach, p.approach) << c.id;
    EXPECT_EQ(q.surfaces, p.surfaces) << c.id;
    EXPECT_LE((q.G.dense() - c.G).cwiseAbs().maxCoeff(), 1e-15 * c.G.maxCoeff()) << c.id;

    const auto generalized = read(c.generalized);
    ASSERT_TRUE(generalized.system.has_velocities()) << c.id;
    EXPECT_LE((generalized.system.problem.G.dense() - c.G).cwiseAbs().maxCoeff(),
              1e-14 * c.G.maxCoeff())
        << c.id;
  }
}

const std::string two = R"("inverse_inertia":[[2,-1],[-1,2]],"approach":[-1,0])";
const std::string four =
    R"("inverse_inertia":[[4,0,-2,0],[0,1,0,1],[-2,0,4,0],[0,1,0,1]],"approach":[-1,0.6,-1,0.6])";
const std::string e = R"("surface":{"restitution":0.5,"friction":0.3,"stiffness":2})";
const std::string smooth = R"("surface":{"restitution":0.5,"stiffness":2})";

ContactKind kind(const std::string& line, const std::string& law = "") {
  return kind_of(read(line, law).system.problem);
}

TEST(MultiJson, HowManyContactsOfHowManyComponents) {
  const std::string rough = R"({"restitution":0.5,"friction":0.3})";
  // Rows beyond one contact's, several surfaces, or no friction.
  EXPECT_EQ(kind(R"({"law":"moreau","components":2,)" + four + "," + e + "}"), (ContactKind{2, 2}));
  EXPECT_EQ(kind(R"({"law":"moreau",)" + four + R"(,"surfaces":[)" + rough + "," + rough + "]}"),
            (ContactKind{2, 2}));
  EXPECT_EQ(kind(R"({"law":"moreau","components":1,)" + two + "," + smooth + "}"),
            (ContactKind{2, 1}));
  // One contact.
  EXPECT_EQ(kind(R"({"law":"lzb",)" + two + "," + e + "}"), in_the_plane);
  EXPECT_EQ(kind("{" + two + "," + e + "}", "lzb"), in_the_plane);
  EXPECT_EQ(kind(R"({"law":"moreau",)" + two + R"(,"surface":)" + rough + "}"), in_the_plane);
  EXPECT_EQ(kind(R"({"law":"moreau",)" + two + R"(,"surfaces":[)" + rough + "]}"), in_the_plane);
}

TEST(MultiJson, OneReaderForAllLines) {
  scenario::ProblemReader reader;
  scenario::JsonProblem p;
  reader.read(R"({"law":"lzb",)" + four + R"(,"components":2,)" + e + "}", p);
  EXPECT_EQ(p.system.problem.contacts(), 2U);
  EXPECT_EQ(p.system.problem.surfaces.size(), 2U);
  reader.read(R"({"law":"newton",)" + two + R"(,"surface":{"restitution":0.5,"friction":0.3}})", p);
  EXPECT_EQ(p.system.problem.contacts(), 1U);
  EXPECT_EQ(p.system.problem.surfaces.size(), 1U);
  reader.read(
      R"({"law":"newton","mass":[[1,0],[0,1]],"directions":[[1,0],[0,1]],"velocity":[-1,0],)"
      R"("surface":{"restitution":0.5,"friction":0.3}})",
      p);
  EXPECT_TRUE(p.system.has_velocities());
  reader.read(R"({"law":"newton",)" + two + R"(,"surface":{"restitution":0.5,"friction":0.3}})", p);
  EXPECT_FALSE(p.system.has_velocities());
}

TEST(MultiJson, OptionsAreWhatTheLawKnows) {
  const auto moreau = read(R"({"law":"moreau","components":2,)" + four + "," + e +
                           R"(,"options":{"hypothesis":"poisson","solver":"enumeration"}})");
  EXPECT_EQ(moreau.law->name, "moreau:poisson");
  EXPECT_EQ(moreau.law_name, "moreau");
  EXPECT_EQ(moreau.options.solver, FrictionSolver::enumeration);
  const auto lzb = read(R"({"law":"lzb","components":2,)" + four + "," + e +
                        R"(,"options":{"tolerance":1e-6,"euler_steps":10000}})");
  EXPECT_EQ(lzb.options.tolerance, 1e-6);
  EXPECT_EQ(lzb.options.euler_steps, 10000U);
  const auto wrong = [](const std::string& law, const std::string& options) {
    return said(R"({"law":")" + law + R"(","components":2,)" + four + "," + e + R"(,"options":{)" +
                options + "}}");
  };
  EXPECT_EQ(wrong("lzb", R"("hypothesis":"poisson")"),
            "options.hypothesis: is an option of moreau and sun-baruh, not of lzb");
  EXPECT_EQ(wrong("moreau", R"("hypothesis":"energetic")"),
            "options.hypothesis: must be newton or poisson, got 'energetic'");
  EXPECT_EQ(wrong("moreau", R"("euler_steps":10)"),
            "options.euler_steps: is an option of lzb, not of moreau");
  EXPECT_EQ(wrong("lzb", R"("euler_steps":0)"),
            "options.euler_steps: must be a whole number in [1, 1000000000], got 0");
  EXPECT_EQ(wrong("lzb", R"("solver":"lemke")"),
            "options.solver: is an option of moreau, not of lzb");
  EXPECT_EQ(wrong("moreau", R"("solver":"lemki")"),
            "options.solver: unknown solver 'lemki'; did you mean 'lemke'?");
  EXPECT_EQ(wrong("lzb", R"("tolerance":1)"), "options.tolerance: must be in [1e-14, 1e-3], got 1");
  EXPECT_EQ(wrong("lzb", R"("tolerence":1)"),
            "options.tolerence: unknown key; did you mean 'tolerance'?");
}

TEST(MultiJson, WhatIsWrongIsNamed) {
  const auto line = [](const std::string& rest) { return "{\"law\":\"lzb\"," + rest + "}"; };
  EXPECT_EQ(said(R"({"law":"energetic","components":2,)" + four + "," + e + "}"),
            "law: energetic is for one contact; for several use moreau, moreau:poisson and lzb");
  EXPECT_EQ(said(line(four + "," + e)),
            "components: is missing: 1 (frictionless), 2 (plane) or 3 (space)");
  EXPECT_EQ(said(line(R"("components":4,)" + four + "," + e)),
            "components: must be a whole number in [1, 3], got 4");
  EXPECT_EQ(said(line(R"("components":3,)" + four + "," + e)),
            "approach: must have 3 numbers a contact, got 4");
  EXPECT_EQ(
      said(line(R"("components":2,)" + four + R"(,"surface":{"restitution":0.5,"friction":0})")),
      "surface.stiffness: is missing");
  EXPECT_EQ(said(line(R"("components":2,)" + four +
                      R"(,"surfaces":[{"restitution":0.5,"friction":0,"stiffness":1}])")),
            "surfaces: must be one for each of 2 contacts, got 1");
  EXPECT_EQ(
      said(line(
          R"("components":2,)" + four +
          R"(,"surfaces":[{"restitution":0.5,"friction":0,"stiffness":1},{"restitution":0.5,"friction":0,"stiffness":-1}])")),
      "surfaces[1].stiffness: must be in [1e-60, 1e60] N/m^exponent, got -1");
  EXPECT_EQ(
      said(line(
          R"("components":2,)" + four +
          R"(,"surfaces":[{"restitution":0.5,"friction":0,"stiffness":1},{"restitution":0.5,"friction":0,"stifness":1}])")),
      "surfaces[1].stifness: unknown key; did you mean 'stiffness'?");
  EXPECT_EQ(said(line(R"("components":2,)" + four +
                      R"(,"surface":{"restitution":0.5,"friction":0,"stiffness":1,"exponent":0})")),
            "surface.exponent: must be in [0.1, 10], got 0");
  EXPECT_EQ(
      said(line(R"("components":1,)" + two + "," + e)),
      "surface.friction: must be 0 where contacts are frictionless (a normal alone), got 0.3");
  EXPECT_EQ(said(line(R"("components":1,"contacts":3,)" + two + "," + smooth)),
            "contacts: must be 2, as approach and components imply, got 3");
  EXPECT_EQ(
      said(line(R"("components":1,"inverse_inertia":[[1,2],[2,1]],"approach":[0,0],)" + smooth)),
      "inverse_inertia: must be positive semidefinite, got 2 at [0][1]");
  const auto sparse = [&](const std::string& triplets) {
    return said(line(R"("components":1,"inverse_inertia":)" + triplets + R"(,"approach":[-1,0],)" +
                     smooth));
  };
  EXPECT_EQ(sparse(R"({"triplets":[[0,0,1],[1,1,1]]})"), "");
  EXPECT_EQ(sparse(R"({"triplets":[[0,0,1],[1,2,1]]})"),
            "inverse_inertia.triplets[1][1]: must be a whole number in [0, 1], got 2");
  EXPECT_EQ(sparse(R"({"triplets":[[0,0,1],[1,1]]})"),
            "inverse_inertia.triplets[1]: must be [row, column, value], got 2 numbers");
  EXPECT_EQ(sparse(R"({"triplet":[[0,0,1]]})"),
            "inverse_inertia.triplet: unknown key; did you mean 'triplets'?");
  EXPECT_EQ(sparse("{}"), "inverse_inertia.triplets: is missing");
  EXPECT_EQ(sparse("7"),
            "inverse_inertia: must be an array of rows, or an object with triplets, got 7");
  EXPECT_EQ(said(line(R"("bodies":[],"frame":{},)" + e)),
            "bodies: must have 1 or 2 entries, got 0");
  EXPECT_EQ(said(line(R"("mass":[[1]],)" + two + "," + e)),
            "inverse_inertia: must not stand beside mass, directions, velocity");
  EXPECT_EQ(said(line(R"("components":1,"mass":[[1,2],[2,1]],"directions":[[1],[0]],)"
                      R"("velocity":[0,0],)" +
                      smooth)),
            "mass: must be positive definite, got an indefinite or singular matrix");
  EXPECT_EQ(said(R"({"law":"newton","contacts":2,)" + two + "," + e + "}"),
            "contacts: must be 1, as approach and components imply, got 2");
}

// Readers of JSON refuse integers beyond 64 bits.
TEST(JsonNumbers, LargeOnesHaveAnExponent) {
  const auto written = [](double x) {
    std::string text;
    report::append_number(text, x);
    return text;
  };
  EXPECT_EQ(written(-3138732166051136536576.), "-3.1387321660511365e+21");
  EXPECT_EQ(written(1e20), "1e+20");
  EXPECT_EQ(written(9007199254740992.), "9007199254740992");
  EXPECT_EQ(written(-0.), "0");
  EXPECT_EQ(written(0.25), "0.25");
}

}  // namespace
}  // namespace carom::test
