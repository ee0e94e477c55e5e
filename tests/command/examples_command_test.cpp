// SPDX-License-Identifier: Apache-2.0
// Examples by name, the showcase, the manual page.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include <command/process.hpp>

namespace carom::test {
namespace {

std::string refusal(const std::string& arguments) {
  const Finished f = run_carom(arguments);
  EXPECT_EQ(f.code, 2) << arguments;
  EXPECT_EQ(f.out, "") << arguments;
  EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
  return f.err;
}

/// The first words of the lines of `carom examples`, with the second.
std::vector<std::pair<std::string, std::string>> listed() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& line : lines_of(run_carom("examples").out)) {
    if (line.empty()) continue;
    const std::size_t end = line.find(' ');
    const std::size_t command = line.find_first_not_of(' ', end);
    all.emplace_back(line.substr(0, end), line.substr(command, line.find(' ', command) - command));
  }
  return all;
}

TEST(ExamplesCommand, ListsEveryFileByANameThatIsFound) {
  std::set<std::string> files;
  const std::filesystem::path top = CAROM_SOURCE_DIR "/examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
    if (entry.path().extension() == ".toml") files.insert(read_file(entry.path().string()));
  }
  std::set<std::string> printed;
  for (const auto& [name, command] : listed()) {
    const Finished f = run_carom("examples " + name);
    EXPECT_EQ(f.code, 0) << name << f.err;
    printed.insert(f.out);
    EXPECT_EQ(command == "map", name.starts_with("maps/")) << name;
    EXPECT_EQ(command == "simulate", name.starts_with("motion/")) << name;
    EXPECT_EQ(command == "sweep", name.starts_with("sweep/")) << name;
  }
  EXPECT_EQ(printed, files);
}

TEST(ExamplesCommand, ListsThemByFolderWithTitles) {
  const std::string out = run_carom("examples").out;
  EXPECT_NE(out.find("solve     A bar strikes the ground and its slip reverses\n"),
            std::string::npos);
  EXPECT_NE(out.find("\n\nmany/bernoulli "), std::string::npos) << out;
  EXPECT_LT(out.find("two-discs "), out.find("many/bernoulli "));
}

TEST(ExamplesCommand, EveryCommandFindsThem) {
  EXPECT_EQ(run_carom("solve kane-levinson").out,
            run_carom("solve examples/kane-levinson.toml").out);
  EXPECT_EQ(run_carom("simulate painleve-rod").out,
            run_carom("simulate examples/motion/painleve-rod.toml").out);
  EXPECT_EQ(run_carom("map maps/newton-stronge").out,
            run_carom("map examples/maps/newton-stronge.toml").out);
  const Finished check = run_carom("check bar many/rocking-block");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(lines_of(check.out).size(), 2U);
  EXPECT_EQ(run_carom("solve examples/superball").out,
            run_carom("solve examples/superball.toml").out);
}

TEST(ExamplesCommand, AnAmbiguousNameListsTheCandidates) {
  EXPECT_EQ(refusal("check superball"),
            "carom: error: superball: several examples have this name: examples/superball, "
            "motion/superball\n");
  EXPECT_EQ(refusal("examples rocking-block"),
            "carom: error: rocking-block: several examples have this name: many/rocking-block, "
            "motion/rocking-block\n");
}

// Of several the command takes the only one that it can use.
TEST(ExamplesCommand, ANameIsOfAnExampleThatTheCommandCanUse) {
  EXPECT_EQ(run_carom("solve superball").out, run_carom("solve examples/superball").out);
  EXPECT_EQ(run_carom("solve rocking-block").out, run_carom("solve many/rocking-block").out);
  const Finished moves = run_carom("simulate rocking-block");
  EXPECT_EQ(moves.code, 0) << moves.err;
  EXPECT_EQ(moves.out, run_carom("simulate motion/rocking-block").out);
  // Where none can be used, what is wrong with it is said.
  EXPECT_NE(refusal("solve dice").find("motion: is for carom simulate"), std::string::npos);
}

// As after reading a page that names a file of the source tree.
TEST(ExamplesCommand, AMissingFileIsAnsweredByTheExample) {
  const auto elsewhere = [](const std::string& arguments) {
    const Finished f = run_shell("cd / && '" CAROM_COMMAND_FILE "' " + arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    return f.err;
  };
  EXPECT_EQ(elsewhere("solve bar.toml"),
            "carom: error: bar.toml: no such file; did you mean the example 'bar'?\n");
  EXPECT_EQ(elsewhere("check examples/bar.toml"),
            "carom: error: examples/bar.toml: no such file; did you mean the example 'bar'?\n");
  EXPECT_EQ(elsewhere("simulate rocking-block.toml"),
            "carom: error: rocking-block.toml: no such file; did you mean the example "
            "'motion/rocking-block'?\n");
  EXPECT_EQ(elsewhere("check rocking-block.toml"),
            "carom: error: rocking-block.toml: no such file; did you mean the example "
            "'many/rocking-block' or 'motion/rocking-block'?\n");
  EXPECT_EQ(elsewhere("solve no-such.toml"),
            "carom: error: no-such.toml: cannot be read (is it there, and a file?)\n");
  const Finished none = run_shell("CAROM_EXAMPLES=/no/such '" CAROM_COMMAND_FILE "' solve x.toml");
  EXPECT_EQ(none.err, "carom: error: x.toml: cannot be read (is it there, and a file?)\n");
}

TEST(ExamplesCommand, AWrongNameIsAnsweredByTheNearest) {
  EXPECT_EQ(refusal("solve kane-levison"),
            "carom: error: kane-levison: no such file or example; did you mean 'kane-levinson'?\n");
  EXPECT_EQ(
      refusal("map maps/xyzzyxyzzy"),
      "carom: error: maps/xyzzyxyzzy: no such file or example; 'carom examples' lists them\n");
  EXPECT_EQ(refusal("examples kane-levison"),
            "carom: error: kane-levison: no such example; did you mean 'kane-levinson'?\n");
}

TEST(ExamplesCommand, AFileComesFirst) {
  const std::string file = write_file("bar", "[system]\ntype = \"nothing\"\n");
  const Finished f = run_shell("cd '" + std::filesystem::path(file).parent_path().string() +
                               "' && '" CAROM_COMMAND_FILE "' solve bar");
  EXPECT_EQ(f.code, 2);
  EXPECT_EQ(f.err.find("carom: error: bar:2:8: system.type: unknown system "), 0U) << f.err;
}

TEST(ExamplesCommand, AnotherDirectoryCanBeNamed) {
  const auto directory =
      std::filesystem::path(write_file("mine.toml", "title = \"Mine\"\n")).parent_path();
  const Finished f =
      run_shell("CAROM_EXAMPLES='" + directory.string() + "' '" CAROM_COMMAND_FILE "' examples");
  EXPECT_EQ(f.out, "mine  solve     Mine\n");
  const Finished none = run_shell("CAROM_EXAMPLES=/no/such '" CAROM_COMMAND_FILE "' solve bar");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err,
            "carom: error: CAROM_EXAMPLES: must name a directory of examples, got '/no/such'\n");
}

TEST(Showcase, IsWhatHappensWithoutArguments) {
  const Finished f = run_carom("");
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.out, run_carom("solve kane-levinson").out);
  EXPECT_EQ(lines_of(f.err).size(), 1U);
  EXPECT_NE(f.err.find("--help"), std::string::npos);
}

// What help texts suggest works wherever Carom is installed: scenarios in them are examples.
TEST(Help, NamesScenariosThatAreThere) {
  std::string all = run_carom("--help").out;
  int seen = 0;
  for (const char* command : {"solve", "map", "simulate", "fit", "check", "examples"}) {
    all += run_carom(std::string(command) + " --help").out;
  }
  EXPECT_EQ(all.find(".toml "), std::string::npos);
  for (const std::string& line : lines_of(all)) {
    const std::size_t at = line.find("carom ");
    if (line.find("Usage") != std::string::npos || at == std::string::npos) continue;
    std::istringstream words(line.substr(at));
    std::string carom, command, name;
    words >> carom >> command >> name;
    if (name.empty() || name.starts_with("-")) continue;
    if (command != "solve" && command != "map" && command != "simulate" && command != "fit" &&
        command != "check" && command != "examples") {
      continue;
    }
    EXPECT_EQ(run_carom("check " + name).code, 0) << line;
    ++seen;
  }
  EXPECT_GE(seen, 16);
}

TEST(Completions, CompleteExamples) {
  const std::string file = write_file("carom.bash", run_carom("completions bash").out);
  const std::string probe = "source '" + file +
                            "'\n"
                            "try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _carom; echo "
                            "\"${COMPREPLY[*]}\"; }\n"
                            "cd /\n"
                            "try carom solve kane\ntry carom simulate motion/rocki\n"
                            "try carom solve motion/rocki\ntry carom check motion/rocki\n"
                            "try carom exa\ntry carom examples maps/newton\n";
  EXPECT_EQ(run_shell("bash '" + write_file("probe.bash", probe) + "'").out,
            "kane-levinson\nmotion/rocking-block\n\nmotion/rocking-block\nexamples\n"
            "maps/newton-stronge\n");
  EXPECT_NE(run_carom("completions zsh").out.find("compadd -- bar cart-pole "), std::string::npos);
  EXPECT_NE(run_carom("completions fish").out.find("from solve' -a 'bar cart-pole "),
            std::string::npos);
}

// Every word that is offered for an option or an argument is one that the command takes.
TEST(Completions, CompleteValues) {
  const std::string file = write_file("carom.bash", run_carom("completions bash").out);
  const auto offered = [&](const std::string& words) {
    const std::string probe = "source '" + file + "'\nCOMP_WORDS=(" + words +
                              " ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); cd /; _carom; "
                              "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return lines_of(run_shell("bash '" + write_file("probe.bash", probe) + "'").out);
  };
  const auto taken = [&](const std::string& words, const std::string& line, std::size_t count) {
    const auto all = offered(words);
    EXPECT_EQ(all.size(), count) << words;
    for (const std::string& word : all) {
      const Finished f = run_carom(line + " " + word);
      EXPECT_EQ(f.code, 0) << line << " " << word << ": " << f.err;
    }
  };
  const std::string map = "map examples/bar.toml --x surface.friction=0:1:3";
  taken("carom map --style", map + " --y system.angle_deg=91:179:3 --law energetic --style", 2);
  taken("carom map --compare", map + " --law newton,energetic --show energy --compare", 2);
  taken("carom simulate --show",
        "simulate -q motion/dice --end 0.3 --plot '" + write_file("x.svg", "") + "' --show", 6);
  taken("carom simulate --method", "simulate -q motion/bouncing-ball --end 0.3 --method", 3);
  taken("carom solve --color", "solve bar --color", 3);
  taken("carom laws", "laws", lines_of(run_carom("laws").out).size() - 3);
  EXPECT_EQ(offered("carom solve -l"), offered("carom laws"));
  EXPECT_EQ(offered("carom solve --over"), (std::vector<std::string>{"time", "impulse"}));
  EXPECT_EQ(offered("carom solve --against").front(), "exact");
  // A scenario with the coefficients of all these laws.
  std::string scenario = run_carom("examples space/rod").out;
  const std::string section = "[surface]\n";
  const auto at = scenario.find(section);
  ASSERT_NE(at, std::string::npos) << scenario;
  scenario.insert(at + section.size(), "compliance_ratio = 0.8\n");
  const std::string rod = write_file("rod.toml", scenario);
  for (const std::string& law : offered("carom solve --against")) {
    const Finished f = run_carom("solve '" + rod + "' --against " + law);
    EXPECT_EQ(f.code, 0) << law << ": " << f.err;
  }
  const std::string help = run_carom("map --help").out;
  const auto quantities = offered("carom map -s");
  EXPECT_GE(quantities.size(), 8U);
  for (const std::string& q : quantities) {
    EXPECT_NE(help.find("\n  " + q + " "), std::string::npos) << q;
  }
  const std::string listed = run_carom("papers").out;
  const auto publications = offered("carom papers");
  EXPECT_EQ(publications.size(), 6U);  // five publications, and measured
  for (const std::string& p : publications) EXPECT_NE(listed.find(p), std::string::npos) << p;
  const std::string probe = "source '" + file +
                            "'\nCOMP_WORDS=(carom solve --law newton,ener); COMP_CWORD=3; _carom; "
                            "echo \"${COMPREPLY[*]}\"\n";
  EXPECT_EQ(run_shell("bash '" + write_file("probe.bash", probe) + "'").out, "newton,energetic\n");
  EXPECT_NE(run_carom("completions zsh").out.find(":value:(map surface)'"), std::string::npos);
  const std::string fish = run_carom("completions fish").out;
  EXPECT_NE(fish.find(" -x -a 'map surface'\n"), std::string::npos);
  EXPECT_NE(fish.find("from papers' -f -a '"), std::string::npos);
}

TEST(ManualPage, TellsOfEveryCommandAndOption) {
  const Finished page = run_carom("completions man");
  EXPECT_EQ(page.code, 0);
  const std::string file = write_file("carom.1", page.out);
  for (const char* command : {"solve", "map", "simulate", "sweep", "merge", "fit", "papers",
                              "examples", "laws", "check", "completions"}) {
    EXPECT_NE(page.out.find(std::string(".SS carom ") + command + "\n"), std::string::npos);
    for (const std::string& line : lines_of(run_carom(std::string(command) + " --help").out)) {
      const std::size_t option = line.find("--");
      if (!line.starts_with("  -") || option == std::string::npos) continue;
      std::string escaped = "\\-\\-";
      for (const char c : line.substr(option + 2, line.find_first_of(" ,", option) - option - 2)) {
        escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      }
      EXPECT_NE(page.out.find(escaped), std::string::npos) << escaped;
    }
  }
  // Lines that troff would take for its own requests are ours.
  for (const std::string& line : lines_of(page.out)) {
    const bool request = line.starts_with(".") || line.starts_with("'");
    const std::string word = line.substr(0, line.find(' '));
    EXPECT_TRUE(
        !request ||
        std::set<std::string>({".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"}).contains(word))
        << line;
  }
  if (run_shell("command -v groff").code == 0) {
    const Finished f = run_shell("groff -man -Tutf8 -ww -z '" + file + "'");
    EXPECT_EQ(f.code, 0);
    EXPECT_EQ(f.err, "");
  }
}

}  // namespace
}  // namespace carom::test
