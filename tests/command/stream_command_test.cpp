// SPDX-License-Identifier: Apache-2.0
// `carom solve --stream`: the door for other programs.
#include <gtest/gtest.h>

#include <carom/laws/table.hpp>
#include <command/process.hpp>
#include <support/reference_cases.hpp>
#include <support/sanitized.hpp>

namespace carom::test {
namespace {

// Every reference case of a known law, in one stream.
TEST(Stream, AnswersTheReferenceCases) {
  std::string input;
  std::vector<ReferenceCase> cases;
  for (const auto& c : reference_cases()) {
    cases.push_back(c);
    input += c.line + "\n";
  }
  const Finished f = run_carom("solve --stream", input);
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.err, "");
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), cases.size());
  ASSERT_EQ(lines.size(), 90U + 50U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const OutcomeLine o = parse_outcome(lines[i]);
    EXPECT_EQ(o.error_message, "") << lines[i];
    EXPECT_EQ(o.id, cases[i].id);
    EXPECT_EQ(o.law, cases[i].law_in_line);
    EXPECT_EQ(o.mode, cases[i].mode) << o.id;
    EXPECT_EQ(compare(cases[i], o.impulse, o.velocity, o.energy), "") << o.id;
  }
}

TEST(Stream, SaysVerdictsSolutionsAndLabels) {
  const std::string grazing =
      R"({"id":"g","law":"moreau","inverse_inertia":[[1.6,1.2],[1.2,3.4]],"approach":[0,1],)"
      R"("surface":{"restitution":0,"friction":1.6666666666666667}})";
  const std::string aliases =
      R"({"id":7,"law":"walton","inverse_inertia":[[1,0],[0,3.5]],"approach":[-1,9],)"
      R"("surface":{"restitution":0.5,"friction":0.3}})"
      "\n"
      R"({"law":"shen-townsend","inverse_inertia":[[1,0.9],[0.9,1]],"approach":[-1,-0.5],)"
      R"("surface":{"restitution":1,"friction":1}})";
  const auto lines = lines_of(run_carom("solve --stream", grazing + "\n" + aliases).out);
  ASSERT_EQ(lines.size(), 3U);
  const OutcomeLine g = parse_outcome(lines[0]);
  EXPECT_EQ(g.verdict, "several-solutions");
  EXPECT_EQ(g.flags, std::vector<std::string>{"several-solutions"});
  EXPECT_EQ(g.solutions, 2U);
  EXPECT_EQ(lines[1].find("{\"id\":7,\"law\":\"walton\""), 0U);
  EXPECT_EQ(parse_outcome(lines[1]).labels.at("walton_contact"), "sliding");
  EXPECT_EQ(lines[2].find("{\"id\":null,\"law\":\"shen-townsend\""), 0U);
  EXPECT_EQ(parse_outcome(lines[2]).labels.at("shen_townsend_case"), "i");
  EXPECT_EQ(parse_outcome(lines[2]).phases, 3U);
}

TEST(Stream, TakesGeneralizedCoordinatesAndTwoStages) {
  const std::string pendulum =
      R"({"id":"p","law":"moreau","options":{"hypothesis":"poisson"},)"
      R"("mass":[[16,5.908846518073248],[5.908846518073248,4]],)"
      R"("directions":[[0.6840402866513374,1.8793852415718169],[1,1.7320508075688774]],)"
      R"("velocity":[-0.1,-0.2],"surface":{"restitution":0.5,"friction":0.7}})";
  const OutcomeLine o = parse_outcome(lines_of(run_carom("solve --stream", pendulum).out).at(0));
  EXPECT_EQ(o.error_message, "");
  EXPECT_EQ(o.law, "moreau");
  EXPECT_EQ(o.phases, 2U);
  ASSERT_EQ(o.velocity_after.size(), 2U);
  EXPECT_NEAR(o.velocity_after[0], -0.190967, 1e-6);
  EXPECT_NEAR(o.energy.at("change"), -0.134374, 1e-6);
}

TEST(Stream, SurfacesHasOneEntryAContact) {
  const auto field = [](const std::string& surfaces) {
    const std::string line =
        R"({"law":"newton","inverse_inertia":[[1,0],[0,3]],"approach":[-1,0],)" + surfaces + "}";
    return parse_outcome(lines_of(run_carom("solve --stream", line).out).at(0)).error_field;
  };
  const std::string one = R"({"restitution":1,"friction":0})";
  EXPECT_EQ(field("\"surfaces\":[" + one + "]"), "");
  EXPECT_EQ(field("\"surfaces\":[" + one + "," + one + "]"), "surfaces");
  EXPECT_EQ(field("\"surfaces\":[" + one + "],\"surface\":" + one), "surfaces");
}

TEST(Stream, DefaultLawServesLinesThatNameNone) {
  const std::string line =
      R"({"inverse_inertia":[[1,0],[0,3]],"approach":[-1,0],"surface":{"restitution":1,"friction":0}})";
  EXPECT_EQ(parse_outcome(lines_of(run_carom("solve --stream --law poisson", line).out)[0]).law,
            "poisson");
  EXPECT_EQ(parse_outcome(lines_of(run_carom("solve --stream", line).out)[0]).error_field, "law");
}

TEST(Stream, BadLineIsAnsweredAndTheStreamGoesOn) {
  const std::string good =
      R"({"id":"ok","law":"newton","inverse_inertia":[[1,0],[0,3]],"approach":[-1,1],)"
      R"("surface":{"restitution":0.5,"friction":0.3}})";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  struct Bad {
    std::string line;
    std::string field;
    std::string message;
  };
  const std::vector<Bad> bad = {
      {"{\"id\":\"x\",", "", "not JSON: "},
      {"[1,2]", "", "must be an object {...}"},
      {"\xff\xfe", "", "not JSON: "},
      {with("0.5", "1.4"), "surface.restitution", "must be in [0, 1], got 1.4"},
      {with("0.5", "NaN"), "", "not JSON: "},
      {with("0.5", "\"a\""), "surface.restitution", "must be a number, got \"a\""},
      {with("0.3", "-0.3"), "surface.friction", "must be in [0, 1e60], got -0.3"},
      {with("\"friction\":0.3", "\"friction\":0.3,\"static_friction\":0.1"),
       "surface.static_friction", "must be in [friction, 1e60], friction being 0.3, got 0.1"},
      {with(",\"friction\":0.3", ""), "surface.friction", "is missing"},
      {with("newton", "newtn"), "law", "unknown law 'newtn'; did you mean 'newton'?"},
      {with("[[1,0],[0,3]]", "[[1,0],[0.5,3]]"), "inverse_inertia",
       "must be symmetric, got 0 at [0][1] and 0.5 at [1][0]"},
      {with("[[1,0],[0,3]]", "[[1,2],[2,3]]"), "inverse_inertia",
       "must be positive semidefinite, got determinant -1"},
      {with("[[1,0],[0,3]]", "[[1,0]]"), "inverse_inertia", "must be 2 x 2, got 1 rows"},
      {with("\"approach\"", "\"aproach\""), "aproach", "unknown key; did you mean 'approach'?"},
      {with("\"friction\"", "\"fricton\""), "surface.fricton",
       "unknown key; did you mean 'friction'?"},
      {with("\"id\"", "\"components\":3,\"id\""), "inverse_inertia", "must be 3 x 3, got 2 rows"},
      {with("\"id\"", "\"options\":{\"hypothesis\":\"poisson\"},\"id\""), "options.hypothesis",
       "is an option of moreau and sun-baruh, not of newton"},
      {with("\"id\":\"ok\"", "\"id\":[1]"), "id", "must be a string or a number"},
      {with("\"approach\":[-1,1]", "\"approach\":[-1]"), "approach", "must have 2 numbers, got 1"},
      {std::string((1U << 20U) + 10, 'x'), "", "line is longer than 1048576 bytes"},
      {std::string(3U << 20U, 'x'), "", "line is longer than 1048576 bytes"},
  };
  std::string input;
  for (const Bad& b : bad) input += b.line + "\n" + good + "\n\n";
  const Finished f = run_carom("solve --stream", input);
  EXPECT_EQ(f.code, 0);
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), 2 * bad.size());
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const OutcomeLine e = parse_outcome(lines[2 * i]);
    EXPECT_EQ(e.error_field, bad[i].field) << lines[2 * i];
    EXPECT_EQ(e.error_message.find(bad[i].message), 0U) << lines[2 * i];
    EXPECT_NE(lines[2 * i].find("\"line\":" + std::to_string(3 * i + 1) + ","), std::string::npos)
        << lines[2 * i];
    EXPECT_EQ(parse_outcome(lines[2 * i + 1]).id, "ok");
  }
  // The id is repeated wherever it stands.
  EXPECT_EQ(parse_outcome(lines[30]).id, "ok");
  EXPECT_EQ(parse_outcome(lines[6]).id, "ok");
}

TEST(Stream, OptionsAreOnlyWhatTheNamedLawKnows) {
  const auto field = [](const std::string& law) {
    const std::string line =
        R"({"law":")" + law +
        R"(","options":{"hypothesis":"newton"},"inverse_inertia":[[1,0],[0,3]],)"
        R"("approach":[-1,0],"surface":{"restitution":1,"friction":0}})";
    return parse_outcome(lines_of(run_carom("solve --stream", line).out).at(0)).error_field;
  };
  EXPECT_EQ(field("moreau"), "");
  EXPECT_EQ(field("moreau:poisson"), "options.hypothesis");
  EXPECT_EQ(field("walton"), "options.hypothesis");
}

TEST(Stream, TroubleWithTheFilesIsSaid) {
  const Finished folder = run_carom("solve --stream /tmp");
  EXPECT_EQ(folder.code, 2);
  EXPECT_EQ(lines_of(folder.err).size(), 1U);
  const Finished full =
      run_shell("'" CAROM_COMMAND_FILE "' solve --stream > /dev/full", "{\"law\":\"newton\"}\n");
  EXPECT_EQ(full.code, 1);
  EXPECT_EQ(full.err, "carom: error: cannot write to standard output\n");
}

// What --tolerance gives holds for every law that has one, also where it is another's default; a
// line's own comes first.
TEST(Stream, TheToleranceGivenIsTheOneUsed) {
  const std::string several =
      R"("inverse_inertia":[[2,-1],[-1,2]],"components":1,"approach":[-1,0],)"
      R"("surface":{"restitution":0.5,"stiffness":1}})";
  const std::string space =
      R"("inverse_inertia":[[2,0.3,0.1],[0.3,3,0],[0.1,0,4]],"approach":[-1,0.4,0.2],)"
      R"("surface":{"restitution":0.5,"friction":0.2}})";
  const std::string own = R"("options":{"tolerance":1e-6},)";
  const std::string input = R"({"law":"lzb",)" + several + "\n" + R"({"law":"energetic",)" + space +
                            "\n" + R"({"law":"lzb",)" + own + several + "\n" +
                            R"({"law":"energetic",)" + own + space + "\n";
  for (const std::string tolerance : {"1e-12", "1e-09", "1e-05"}) {
    const auto lines = lines_of(run_carom("solve --stream --tolerance " + tolerance, input).out);
    ASSERT_EQ(lines.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string used = i < 2 ? tolerance : "1e-06";
      const bool last = lines[i].find("\"tolerance\":" + used + "}") != std::string::npos;
      EXPECT_TRUE(last || lines[i].find("\"tolerance\":" + used + ",") != std::string::npos)
          << lines[i];
    }
  }
}

TEST(Stream, LastLineNeedsNoEnd) {
  const std::string line =
      R"({"law":"newton","inverse_inertia":[[1,0],[0,3]],"approach":[-1,0],"surface":{"restitution":1,"friction":0}})";
  EXPECT_EQ(lines_of(run_carom("solve --stream", line).out).size(), 1U);
  EXPECT_EQ(run_carom("solve --stream", "").out, "");
  EXPECT_EQ(run_carom("solve --stream", "\n \n").out, "");
}

// Answers come before more input is waited for: another program can hold a conversation.
TEST(Stream, AnswersAtOnce) {
  const std::string script =
      "coproc C { '" CAROM_COMMAND_FILE
      "' solve --stream; }\n"
      "for i in 1 2 3; do\n"
      "  echo "
      "'{\"id\":'$i',\"law\":\"newton\",\"inverse_inertia\":[[1,0],[0,3]],\"approach\":[-1,0],"
      "\"surface\":{\"restitution\":1,\"friction\":0}}' >&\"${C[1]}\"\n"
      "  read -r -t 20 answer <&\"${C[0]}\" || exit 1\n"
      "  echo \"${answer:0:7}\"\n"
      "done\n";
  const Finished f = run_shell("bash '" + write_file("talk.bash", script) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.out, "{\"id\":1\n{\"id\":2\n{\"id\":3\n");
}

// Memory does not grow with the input: 60 MB of lines are answered within 40 MB.
TEST(Stream, MemoryIsBounded) {
  const std::string script =
      "line='{\"id\":1,\"law\":\"energetic\",\"inverse_inertia\":[[1.2,0.5],[0.5,1]],"
      "\"approach\":[-1,0.6],\"surface\":{\"restitution\":0.5,\"friction\":0.3}}'\n"
      "'" CAROM_COMMAND_FILE
      "' solve --stream < <(yes \"$line\" | head -n 400000) > >(tail -n 1) &\n"
      "pid=$!; peak=0\n"
      "while rss=$(awk '/VmHWM/ {print $2}' /proc/$pid/status 2>/dev/null) && [ -n \"$rss\" ]; do\n"
      "  peak=$rss; sleep 0.02\n"
      "done\n"
      "wait $pid || exit 1\n"
      "sleep 0.2; echo $peak\n";
  const Finished f = run_shell("bash '" + write_file("memory.bash", script) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), 2U) << f.out;
  EXPECT_TRUE(is_json(lines[0]));
  const long peak_kB = std::stol(lines[1]);
  EXPECT_GT(peak_kB, 0);
#ifndef CAROM_SANITIZED
  EXPECT_LT(peak_kB, 40'000);
#endif
}

}  // namespace
}  // namespace carom::test
