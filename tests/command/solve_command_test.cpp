// SPDX-License-Identifier: Apache-2.0
// `carom solve FILE` and `carom check` as a user meets them.
#include <gtest/gtest.h>

#include <filesystem>

#include <command/process.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

const std::string good = R"(title = "A bar"
[system]
type = "bar"
angle_deg = 120
velocity = [0.4, -1.0]

[surface]
restitution = 0.5
friction = 0.3
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Solves `text` and returns the error line with the folder cut off the file's name.
std::string refusal(const std::string& text) {
  const std::string file = write_file("bad.toml", text);
  const Finished f = run_carom("solve '" + file + "'");
  EXPECT_EQ(f.code, 2);
  EXPECT_EQ(f.out, "");
  EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
  std::string line = f.err;
  const auto at = line.find(file);
  if (at != std::string::npos) line.replace(at, file.size(), "bad.toml");
  return line;
}

TEST(SolveCommand, TellsAllLawsSideBySide) {
  const Finished f = run_carom("solve '" + write_file("bar.toml", good) + "'");
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.err, "");
  EXPECT_NE(f.out.find("newton        poisson      energetic     moreau  moreau:poisson"),
            std::string::npos)
      << f.out;
  EXPECT_NE(f.out.find("-40.9612       -44.3312       -43.9017   -36.1696        -40.9969"),
            std::string::npos)
      << f.out;
  EXPECT_NE(f.out.find("u_phi [rad/s]"), std::string::npos);
  EXPECT_EQ(f.out.find("\033["), std::string::npos);  // no colour into a file
}

// The Kane-Levinson pendulum at mu = 0.7: shares of the kinetic energy.
TEST(SolveCommand, ShowcaseSaysWhoCreatesEnergy) {
  const Finished f = run_carom("solve examples/kane-levinson.toml --color always");
  EXPECT_EQ(f.code, 0);
  EXPECT_NE(
      f.out.find(
          "  in % of the kinetic energy             \033[1;31m      58.7495\033[0m       -48.3051"),
      std::string::npos)
      << f.out;
  EXPECT_NE(f.out.find("newton and moreau: energy is created here."), std::string::npos);
  EXPECT_NE(f.out.find("\033[1;31menergy-gained\033[0m"), std::string::npos) << f.out;
}

// Derivatives and distances for every kind of contact.
TEST(SolveCommand, SensitivityAndDistancesOfEveryKindOfContact) {
  const Finished space =
      run_carom("solve examples/space/rod.toml --law poisson,moreau --sensitivity --csv");
  EXPECT_EQ(space.code, 0) << space.err;
  EXPECT_NE(space.out.find("poisson,\"impulse, normal\",N s,"), std::string::npos) << space.out;
  EXPECT_NE(space.out.find("\nmoreau,\"energy change\",J,"), std::string::npos) << space.out;
  const Finished several =
      run_carom("solve examples/many/bernoulli.toml --law moreau,lzb --sensitivity --csv");
  EXPECT_EQ(several.code, 0) << several.err;
  EXPECT_NE(several.out.find("\"restitution, contact 2\""), std::string::npos) << several.out;
  EXPECT_NE(several.err.find("Note on lzb: "), std::string::npos) << several.err;
  const Finished plane = run_carom("solve examples/bar.toml --law moreau --against exact --csv");
  EXPECT_EQ(plane.code, 0) << plane.err;
  EXPECT_NE(plane.out.find(",newton,0.2485"), std::string::npos) << plane.out;
}

TEST(SolveCommand, LawsAreChosenByNameAliasesToo) {
  const std::string file = write_file("bar.toml", good);
  const Finished f = run_carom("solve '" + file + "' --law shen-townsend,newton -l walton --csv");
  EXPECT_EQ(f.code, 0);
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].substr(0, 22), "law,impulse_normal_Ns,");
  EXPECT_EQ(lines[1].substr(0, 14), "shen-townsend,");
  EXPECT_EQ(lines[2].substr(0, 7), "newton,");
  EXPECT_EQ(lines[3].substr(0, 7), "walton,");
  EXPECT_NE(f.err.find("meant for spheres"), std::string::npos);
}

TEST(SolveCommand, FileMayFollowTheOptions) {
  EXPECT_EQ(lines_of(run_carom("solve --csv --law newton,poisson examples/bar.toml").out).size(),
            3U);
  EXPECT_EQ(lines_of(run_carom("solve --law newton -l poisson examples/bar.toml --csv").out).size(),
            3U);
}

TEST(SolveCommand, ErrorsAreOneLineWhateverTheNamesHold) {
  (void)refusal(with("\"bar\"", "\"b\\nar\""));
  (void)refusal(good + "\"a\\nb\" = 1\n");
  const Finished f = run_carom("solve examples/bar.toml --law $'a\\nb'");
  EXPECT_EQ(f.code, 2);
}

TEST(SolveCommand, FooterSaysWhatNotToOverlook) {
  const auto footer = [](const std::string& text) {
    return lines_of(run_carom("solve -", text).out).back();
  };
  EXPECT_EQ(footer(good),
            "After, between the laws: normal velocity 0.43145 to 0.5 m/s, slip -0.267663 to 0 m/s, "
            "energy change -44.33 to -36.17 %.");
  EXPECT_EQ(footer(with("-1.0]", "1.0]")),
            "No impact: the contact separates at 1 m/s (normal velocity above zero).");
  const std::string ball =
      "[system]\ntype = \"sphere\"\nvelocity = [1, -1]\n[surface]\nrestitution = 0.5\nfriction = "
      "0.1\n";
  EXPECT_EQ(footer(ball),
            "These laws agree on the normal velocity, the slip and the energy change.");
  EXPECT_EQ(lines_of(run_carom("solve examples/pendulum.toml").out).back(),
            "moreau, brach and conventional:rebound: no solution; the velocities are left as they "
            "were.");
}

TEST(SolveCommand, MisspeltKeysAreNotToldAsMissing) {
  EXPECT_EQ(
      refusal(with("angle_deg", "angle_dg")),
      "carom: error: bad.toml:4:1: system.angle_dg: unknown key; did you mean 'angle_deg'?\n");
  EXPECT_EQ(refusal(with("[surface]", "[surfce]")),
            "carom: error: bad.toml:7:2: surfce: unknown key; did you mean 'surface'?\n");
  EXPECT_EQ(
      refusal(with("\"bar\"", "\"gyroscope\"")),
      "carom: error: bad.toml:3:8: system.type: unknown system 'gyroscope'; known: bar, rod, disc, "
      "sphere, bodies, linkage, contact, generalized, vehicles, space, space-rod, space-sphere, "
      "space-contact, disc-ball, chain, block, rod-ends, assembly, space-assembly, contacts, "
      "generalized-contacts\n");
}

TEST(SolveCommand, ScenarioMayNameItsLaws) {
  const std::string file = write_file("bar.toml", good + "[solve]\nlaws = [\"energetic\"]\n");
  EXPECT_EQ(lines_of(run_carom("solve '" + file + "' --csv").out).size(), 2U);
}

TEST(SolveCommand, LawThatCannotHonourIsLeftOutUnlessNamed) {
  const std::string file = write_file("bar.toml", good + "static_friction = 0.5\n");
  const Finished all = run_carom("solve '" + file + "'");
  EXPECT_EQ(all.code, 0);
  EXPECT_NE(all.out.find("Left out: moreau, moreau:poisson and brach (ignores static_friction); "
                         "--law includes a law by its name."),
            std::string::npos)
      << all.out;
  const Finished named = run_carom("solve '" + file + "' --law moreau");
  EXPECT_EQ(named.code, 0);
  EXPECT_NE(named.out.find("Note: moreau ignores static_friction."), std::string::npos);
}

TEST(SolveCommand, JsonIsOneObject) {
  const Finished f = run_carom("solve examples/kane-levinson.toml --json");
  EXPECT_EQ(f.code, 0);
  EXPECT_TRUE(is_json(f.out)) << f.out;
  EXPECT_NE(f.out.find("\"velocity_after\":"), std::string::npos);
  EXPECT_EQ(f.out.find("nan"), std::string::npos);
}

TEST(SolveCommand, WrongScenariosAreRefusedInOneLine) {
  EXPECT_EQ(refusal(with("0.5", "1.4")),
            "carom: error: bad.toml:8:15: surface.restitution: must be in [0, 1], got 1.4\n");
  EXPECT_EQ(refusal(with("0.5", "nan")),
            "carom: error: bad.toml:8:15: surface.restitution: must be in [0, 1], got nan\n");
  EXPECT_EQ(refusal(with("0.3", "-0.3")),
            "carom: error: bad.toml:9:12: surface.friction: must be in [0, 1e60], got -0.3\n");
  EXPECT_EQ(refusal(good + "static_friction = 0.2\n"),
            "carom: error: bad.toml:10:19: surface.static_friction: must be in [friction, 1e60], "
            "friction being 0.3, got 0.2\n");
  EXPECT_EQ(refusal(with("friction", "fricton")),
            "carom: error: bad.toml:9:1: surface.fricton: unknown key; did you mean 'friction'?\n");
  EXPECT_EQ(
      refusal(with("\"bar\"", "\"barr\"")),
      "carom: error: bad.toml:3:8: system.type: unknown system 'barr'; did you mean 'bar'?\n");
  EXPECT_EQ(refusal(with("120", "180")),
            "carom: error: bad.toml:4:13: system.angle_deg: must be in (0, 180), got 180\n");
  EXPECT_EQ(refusal(with("angle_deg", "mass = -2\nangle_deg")),
            "carom: error: bad.toml:4:8: system.mass: must be a finite number > 0, got -2\n");
  EXPECT_EQ(refusal(with("[0.4, -1.0]", "[0.4, inf]")),
            "carom: error: bad.toml:5:18: system.velocity[1]: must be a finite number, got inf\n");
  EXPECT_EQ(refusal(with("[0.4, -1.0]", "[0.4]")),
            "carom: error: bad.toml:5:12: system.velocity: must have 2 numbers, got 1\n");
  EXPECT_EQ(refusal(with("[0.4, -1.0]", "\"down\"")),
            "carom: error: bad.toml:5:12: system.velocity: must be an array of numbers, got the "
            "string 'down'\n");
  EXPECT_EQ(refusal(with("angle_deg = 120\n", "")),
            "carom: error: bad.toml:2:1: system.angle_deg: is missing; give a number\n");
  EXPECT_EQ(refusal(good + "[solve]\nlaws = [\"newton\", \"enregetic\"]\n"),
            "carom: error: bad.toml:11:19: solve.laws[1]: unknown law 'enregetic'; did you mean "
            "'energetic'?\n");
  EXPECT_EQ(refusal(with("restitution = 0.5\n", "")),
            "carom: error: bad.toml:7:1: surface.restitution: is missing\n");
  EXPECT_EQ(refusal(good + "static_friction = 0.4\ntangential_restitution = 0.5\n"),
            "carom: error: bad.toml:7:1: surface: no law takes all of these coefficients: newton "
            "ignores tangential_restitution\n");
  EXPECT_EQ(refusal(with("angle_deg", "angle")),
            "carom: error: bad.toml:4:1: system.angle: unknown key; did you mean 'angle_deg'?\n");
  EXPECT_EQ(refusal("").find("carom: error: bad.toml:1:1: system: is missing"), 0U);
  EXPECT_EQ(refusal(std::string("a = 1\n\0\n", 8)),
            "carom: error: bad.toml:2:1: control character 0 in the text\n");
  EXPECT_EQ(refusal("a = 1\n\xC3\xA9 = 1\n").find("carom: error: bad.toml:2:1: not TOML: "), 0U);
}

TEST(SolveCommand, TitlesAndCommentsMaySpeakAnyLanguage) {
  const std::string file = write_file(
      "accents.toml", "\xEF\xBB\xBF# caf\xC3\xA9 \"\n" + with("A bar", "Painlev\xC3\xA9 \\\" #"));
  const Finished f = run_carom("solve '" + file + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(lines_of(f.out).at(0), "Painlev\xC3\xA9 \" #");
}

TEST(SolveCommand, TruncatedFilesAreRefused) {
  for (std::size_t cut = 1; cut < good.size(); cut += 7) {
    const std::string file = write_file("cut.toml", good.substr(0, cut));
    const Finished f = run_carom("solve '" + file + "'");
    // Cutting 0.3 to "0." or dropping a line may leave something else that is wrong, never a crash.
    if (f.code == 0) continue;
    EXPECT_EQ(f.code, 2) << cut;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    EXPECT_EQ(f.err.find("carom: error: " + file), 0U) << f.err;
  }
}

TEST(SolveCommand, RawMatricesAreChecked) {
  const auto contact = [](const std::string& G) {
    return "[system]\ntype = \"contact\"\ninverse_inertia = " + G +
           "\napproach = [-1, 0]\n[surface]\nrestitution = 0.5\nfriction = 0.3\n";
  };
  EXPECT_EQ(refusal(contact("[[1, 0.5], [0.4, 1]]")),
            "carom: error: bad.toml:3:19: system.inverse_inertia: must be symmetric, got 0.5 at "
            "[0][1] and 0.4 at [1][0]\n");
  EXPECT_EQ(refusal(contact("[[1, 2], [2, 1]]")),
            "carom: error: bad.toml:3:19: system.inverse_inertia: must be positive semidefinite, "
            "got determinant -3\n");
  EXPECT_EQ(refusal(contact("[[1, 0], [0, -1]]")),
            "carom: error: bad.toml:3:32: system.inverse_inertia[1][1]: must be >= 0 (G is "
            "positive semidefinite), got -1\n");
  EXPECT_EQ(refusal(contact("[[1, 0]]")),
            "carom: error: bad.toml:3:19: system.inverse_inertia: must be 2 x 2 (normal, "
            "tangential), got 1 x 2\n");
}

TEST(SolveCommand, WrongUsageIsOneLineAndCodeTwo) {
  const auto usage = [](const std::string& arguments) {
    const Finished f = run_carom(arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    return f.err;
  };
  EXPECT_EQ(usage("slove x.toml"),
            "carom: error: unknown command 'slove'; did you mean 'solve'?\n");
  EXPECT_EQ(usage("solve examples/bar.toml --law bulet")
                .find("carom: error: --law: unknown law 'bulet'; known: newton, poisson"),
            0U);
  EXPECT_EQ(usage("solve no-such.toml"),
            "carom: error: no-such.toml: cannot be read (is it there, and a file?)\n");
  EXPECT_EQ(usage("solve examples"),  // a directory
            "carom: error: examples: no such file or example; 'carom examples' lists them\n");
  EXPECT_EQ(usage("--foo"),
            "carom: error: unknown option '--foo' before a command; see carom --help\n");
  EXPECT_EQ(usage("solve"), "carom: error: FILE: is missing; give a scenario, or --stream\n");
  EXPECT_EQ(usage("solve examples/bar.toml --jsn"),
            "carom: error: unknown option '--jsn'; did you mean '--json'?\n");
  (void)usage("solve examples/bar.toml --json --csv");
  (void)usage("solve examples/bar.toml --color sometimes");
  EXPECT_EQ(usage("solve bar --plot x.svg --over impulse"),
            "carom: error: --over: is for several contacts\n");
  EXPECT_EQ(usage("solve space/rod --plot x.svg --over time"),
            "carom: error: --over: is for several contacts\n");
  (void)usage("laws no-such-law");
  (void)usage("completions tcsh");
  (void)usage("check");
}

TEST(SolveCommand, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"solve", "laws", "check", "completions"}) {
    const Finished f = run_carom(std::string(command) + " --help");
    EXPECT_EQ(f.code, 0);
    EXPECT_NE(f.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(f.out.find(std::string("Usage: carom ") + command + " ["), std::string::npos)
        << f.out;
  }
  EXPECT_EQ(run_carom("--help").code, 0);
  EXPECT_EQ(run_carom("--version").out, "carom " CAROM_VERSION "\n");
}

TEST(LawsCommand, TellsOfEveryLaw) {
  const Finished all = run_carom("laws");
  EXPECT_EQ(all.code, 0);
  for (const char* law :
       {"newton", "poisson", "energetic", "moreau", "moreau:poisson", "shen-townsend", "walton"}) {
    EXPECT_NE(all.out.find(law), std::string::npos) << law;
    const Finished one = run_carom(std::string("laws ") + law);
    EXPECT_EQ(one.code, 0);
    EXPECT_NE(one.out.find("Parameters"), std::string::npos);
    EXPECT_NE(one.out.find("Source: ["), std::string::npos);
    // Every key of a source resolves.
    const std::string bib = read_file(CAROM_SOURCE_DIR "/docs/refs.bib");
    const std::string source = one.out.substr(one.out.find("Source: "));
    int keys = 0;
    for (std::size_t at = 0; (at = source.find('[', at)) != std::string::npos; ++at) {
      const std::string key = source.substr(at + 1, source.find(']', at) - at - 1);
      EXPECT_NE(bib.find("{" + key + ","), std::string::npos) << key;
      ++keys;
    }
    EXPECT_GE(keys, 1);
  }
}

TEST(CheckCommand, SaysWhatAFileIs) {
  const Finished f = run_carom("check examples/bar.toml examples/sphere.toml");
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.out,
            "examples/bar.toml: ok: bar, laws newton, poisson, energetic, moreau, moreau:poisson, "
            "brach, conventional, conventional:rebound\n"
            "examples/sphere.toml: ok: sphere, laws moreau\n");
  // A bad file does not hide the others.
  const Finished mixed = run_carom("check no-such.toml examples/bar.toml");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_EQ(lines_of(mixed.out).size(), 1U);
  EXPECT_EQ(lines_of(mixed.err).size(), 1U);
}

TEST(CompletionsCommand, AreValidShell) {
  const Finished bash = run_carom("completions bash");
  EXPECT_EQ(bash.code, 0);
  const std::string file = write_file("carom.bash", bash.out);
  EXPECT_EQ(run_shell("bash -n '" + file + "'").code, 0);
  const std::string probe =
      "source '" + file +
      "'; COMP_WORDS=(carom solve --law en); COMP_CWORD=3; _carom; echo "
      "\"${COMPREPLY[*]}\"; COMP_WORDS=(carom so); COMP_CWORD=1; _carom; echo \"${COMPREPLY[*]}\"";
  EXPECT_EQ(run_shell("bash '" + write_file("probe.bash", probe) + "'").out, "energetic\nsolve\n");
  EXPECT_NE(run_carom("completions zsh").out.find("#compdef carom"), std::string::npos);
  EXPECT_NE(run_carom("completions fish").out.find("-l stream"), std::string::npos);
}

// ./run itself: set-up words on standard error, standard input left to the command.
TEST(RunScript, PassesArgumentsAndInput) {
  if (std::string(CAROM_COMMAND_FILE) != CAROM_SOURCE_DIR "/build/release/bin/carom") {
    return;  // another preset: ./run would build the release one
  }
  EXPECT_EQ(run_shell("./run --version").out, "carom " CAROM_VERSION "\n");
  const std::string line =
      R"({"law":"newton","inverse_inertia":[[1,0],[0,3]],"approach":[-1,0],"surface":{"restitution":1,"friction":0}})";
  EXPECT_EQ(lines_of(run_shell("./run solve --stream", line + "\n" + line).out).size(), 2U);
  const Finished showcase = run_shell("./run");
  EXPECT_EQ(showcase.code, 0);
  EXPECT_NE(showcase.out.find("energy is created here"), std::string::npos);
  EXPECT_EQ(run_shell("./run solve no-such.toml").code, 2);
}

// Each example runs, says what it is for, and does what its comment promises.
TEST(Examples, AllRun) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    const std::string file = entry.path().string();
    EXPECT_EQ(run_carom("solve '" + file + "'").code, 0) << file;
    EXPECT_NE(read_file(file).find("# Look for:"), std::string::npos) << file;
  }
  EXPECT_GE(seen, 12);
}

TEST(Examples, DoWhatTheirCommentsSay) {
  const auto verdicts = [](const std::string& name) {
    std::string text;
    for (const auto& line : lines_of(run_carom("solve examples/" + name + " --csv").out)) {
      text += line.substr(0, line.find(',')) + "=" + line.substr(line.rfind(',') + 1) + " ";
    }
    return text.substr(text.find(' ') + 1);
  };
  const std::string all_ordinary =
      "newton=ordinary poisson=ordinary energetic=ordinary moreau=ordinary "
      "moreau:poisson=ordinary brach=ordinary conventional=ordinary "
      "conventional:rebound=ordinary ";
  EXPECT_EQ(verdicts("bar.toml"), all_ordinary);
  EXPECT_EQ(verdicts("painleve.toml"),
            "newton=jam poisson=jam energetic=jam moreau=ordinary moreau:poisson=ordinary "
            "brach=ordinary conventional=ordinary conventional:rebound=ordinary ");
  const std::string some_gain =
      "newton=energy-gained poisson=ordinary energetic=ordinary moreau=energy-gained "
      "moreau:poisson=ordinary brach=energy-gained conventional=energy-gained "
      "conventional:rebound=energy-gained ";
  EXPECT_EQ(verdicts("contact.toml"), some_gain);
  EXPECT_EQ(verdicts("double-pendulum.toml"), some_gain);
  EXPECT_EQ(verdicts("kane-levinson.toml"),
            "newton=energy-gained poisson=ordinary energetic=ordinary moreau=energy-gained "
            "compliant=ordinary ");
  EXPECT_EQ(verdicts("pendulum.toml"),
            "newton=target-unreachable poisson=ordinary energetic=target-unreachable "
            "moreau=no-solution moreau:poisson=ordinary brach=no-solution conventional=ordinary "
            "conventional:rebound=no-solution ");
  EXPECT_EQ(verdicts("sphere.toml"), "moreau=ordinary ");
  EXPECT_EQ(verdicts("superball.toml"),
            "energetic=ordinary moreau=ordinary compliant=ordinary conventional=ordinary ");
  EXPECT_EQ(verdicts("moment.toml"), "brach=ordinary ");
  EXPECT_EQ(verdicts("release.toml"), "brach=energy-gained ");
  for (const char* file :
       {"two-discs.toml", "two-cars.toml", "cart-pole.toml", "moving-support.toml"}) {
    EXPECT_EQ(verdicts(file), all_ordinary) << file;
  }
}

// Restitution above 1 is for brach alone; a couple needs the spins of the bodies.
TEST(SolveCommand, CoefficientsThatOneLawAloneTakes) {
  EXPECT_EQ(run_carom("solve examples/release.toml --law newton").err,
            "carom: error: examples/release.toml:13:15: surface.restitution: must be in [0, 1], "
            "got 1.3\n");
  const std::string contact =
      "[system]\ntype = \"contact\"\ninverse_inertia = [[1, 0], [0, 3]]\napproach = [-1, 1]\n"
      "[surface]\nrestitution = 0.5\nfriction = 0.1\n";
  EXPECT_EQ(run_carom("solve -", contact + "moment_coefficients = -0.5\n").err,
            "carom: error: <stdin>:8:23: surface.moment_coefficients: needs a spin at the contact, "
            "which contact space alone and slides do not have\n");
  EXPECT_EQ(run_carom("solve -", contact + "impulse_ratio = 0.1\ntangential_coefficient = 0\n").err,
            "carom: error: <stdin>:9:26: surface.tangential_coefficient: must not stand beside "
            "impulse_ratio: one follows from the other\n");
  EXPECT_EQ(
      run_carom("solve - --law compliant", contact).err,
      "carom: error: <stdin>:5:1: surface.compliance_ratio: is missing; compliant needs it\n");
  EXPECT_EQ(run_carom("solve - --law compliant", contact + "compliance_ratio = 0\n").code, 2);
}

TEST(SolveCommand, SensitivityInItsThreeForms) {
  const Finished table = run_carom("solve examples/two-cars.toml --law energetic --sensitivity");
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.out.find("energetic\n"), std::string::npos);
  EXPECT_NE(table.out.find("  % for 1 %"), std::string::npos);
  const Finished csv = run_carom("solve examples/bar.toml --law newton --sensitivity --csv");
  const auto rows = lines_of(csv.out);
  ASSERT_EQ(rows.size(), 1U + 5U * 4U);  // five outputs by approach (two), restitution, friction
  // v_n+ = -e v_n-: by restitution 1, and one per cent for one.
  bool found = false;
  for (const auto& row : rows) {
    found = found || row == "newton,\"velocity after, normal\",m/s,0.5,\"restitution\",,0.5,1,1";
  }
  EXPECT_TRUE(found) << csv.out;
  const Finished json = run_carom("solve examples/bar.toml --sensitivity --json");
  EXPECT_TRUE(is_json(json.out));
  EXPECT_NE(json.out.find("\"sensitivity\":["), std::string::npos);
  EXPECT_EQ(run_carom("solve --stream --sensitivity", "").code, 2);
  EXPECT_NE(run_carom("solve - --sensitivity", with("-1.0]", "1.0]"))
                .out.find("nothing to differentiate"),
            std::string::npos);
}

// Text of a file must not reach the terminal's own commands.
TEST(Solve, ControlCharactersOfAFileAreShownNotObeyed) {
  const std::string title = "title = \"a\\u001b[31mb\\u009bc\"\n";
  const std::string surface = "[surface]\nrestitution = 0.5\nfriction = 0.3\n";
  const std::string plane =
      title +
      "[system]\ntype = \"bodies\"\n[[system.bodies]]\nname = \"n\\u001b[32m\"\n"
      "shape = \"disc\"\nmass = 1\nradius = 1\nvelocity = [1, -1]\n" +
      surface;
  const std::string several =
      title +
      "[system]\ntype = \"assembly\"\nfloor = true\n[[system.bodies]]\n"
      "name = \"n\\u001b[32m\"\nshape = \"box\"\nmass = 1\nlength = 1\nwidth = 1\n"
      "position = [0, 0.5]\nvelocity = [1, -1]\n" +
      surface;
  const std::string space =
      title +
      "[system]\ntype = \"space\"\n[[system.bodies]]\nname = \"n\\u001b[32m\"\n"
      "shape = \"sphere\"\nmass = 1\nradius = 1\nvelocity = [1, 0, -1]\n" +
      surface;
  for (const std::string& text : {plane, several, space}) {
    const Finished f = run_carom("solve -", text);
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(f.out.find('\033'), std::string::npos) << f.out;
    EXPECT_EQ(f.out.find("\xc2\x9b"), std::string::npos) << f.out;
    EXPECT_NE(f.out.find("a\\x1b[31mb\\x9bc"), std::string::npos) << f.out;
    const Finished json = run_carom("solve - --json", text);
    EXPECT_NE(json.out.find("a\\u001b[31mb"), std::string::npos) << json.out;
  }
}

}  // namespace
}  // namespace carom::test
