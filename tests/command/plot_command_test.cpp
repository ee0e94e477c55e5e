// SPDX-License-Identifier: Apache-2.0
// `carom solve FILE --plot PICTURE`. These tests need gnuplot, which scripts/setup.sh installs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

/// An empty folder of this test.
fs::path empty_folder() {
  const fs::path folder = fs::path(write_file("marker", "")).parent_path() / "pictures";
  fs::permissions(folder.parent_path(), fs::perms::owner_all);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// In single quotes of the shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Finished plot(const std::string& scenario, const fs::path& picture, const std::string& more = "") {
  return run_carom("solve " + quoted(scenario) + " --plot=" + quoted(picture.string()) + " " +
                   more);
}

/// Those of single impacts in the plane and in space: "bar", "space/rod".
std::vector<std::string> examples() {
  std::vector<std::string> all;
  for (const std::string folder : {"", "space/"}) {
    for (const auto& entry : fs::directory_iterator(CAROM_SOURCE_DIR "/examples/" + folder)) {
      if (entry.path().extension() == ".toml") all.push_back(folder + entry.path().stem().string());
    }
  }
  return all;
}

std::vector<std::string> laws_of(const std::string& example) {
  std::vector<std::string> laws;
  for (const auto& line : lines_of(run_carom("solve examples/" + example + ".toml --csv").out)) {
    laws.push_back(line.substr(0, line.find(',')));
  }
  laws.erase(laws.begin());
  return laws;
}

TEST(PlotCommand, DrawsEveryExampleInEveryFormat) {
  const std::map<std::string, std::string> begins = {
      {"svg", "<?xml"}, {"png", "\x89PNG\r\n\x1a\n"}, {"pdf", "%PDF-"}};
  for (const std::string& example : examples()) {
    for (const auto& [extension, signature] : begins) {
      const fs::path folder = empty_folder();
      const std::string name = fs::path(example).filename().string();
      const fs::path picture = folder / (name + "." + extension);
      const Finished f = plot("examples/" + example + ".toml", picture);
      ASSERT_EQ(f.code, 0) << f.err;
      EXPECT_EQ(f.out, run_carom("solve examples/" + example + ".toml").out);
      EXPECT_EQ(f.err, "carom: wrote " + picture.string() + ", with " +
                           (folder / (name + ".gp")).string() + " and " +
                           (folder / (name + ".dat")).string() + "\n");
      std::vector<std::string> expected = {name + ".dat", name + ".gp", name + "." + extension};
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(names_in(folder), expected);  // and no temporary file
      const std::string drawn = read_file(picture.string());
      EXPECT_EQ(drawn.substr(0, signature.size()), signature) << picture;
      if (extension != "svg") continue;
      EXPECT_NE(drawn.find("</svg>"), std::string::npos);
      for (const std::string& law : laws_of(example)) {
        EXPECT_NE(drawn.find(law), std::string::npos) << law;
      }
    }
  }
}

// From another directory too, and with the same bytes (a PDF holds the time).
TEST(PlotCommand, RerunOfTheScriptReproducesThePicture) {
  for (const auto& [extension, example] :
       std::map<std::string, std::string>{{"svg", "bar"}, {"png", "space/rod"}, {"pdf", "bar"}}) {
    const fs::path picture = empty_folder() / ("bar." + extension);
    ASSERT_EQ(plot("examples/" + example + ".toml", picture).code, 0);
    const std::string first = read_file(picture.string());
    fs::remove(picture);
    fs::path script = picture;
    script.replace_extension(".gp");
    const Finished f = run_shell("gnuplot " + quoted(script.string()));
    EXPECT_EQ(f.code, 0) << f.err;
    const std::string second = read_file(picture.string());
    if (extension == "pdf") {
      EXPECT_NEAR(static_cast<double>(second.size()), static_cast<double>(first.size()), 64.);
    } else {
      EXPECT_TRUE(first == second) << extension;
    }
    fs::remove(picture);
    EXPECT_EQ(run_shell("cd " + quoted(script.parent_path().string()) + " && gnuplot bar.gp").code,
              0);
    EXPECT_TRUE(fs::exists(picture));
  }
}

TEST(PlotCommand, ALawLooksTheSameEverywhere) {
  std::map<std::string, std::string> looks;
  for (const std::string& example : examples()) {
    const fs::path picture = empty_folder() / "x.svg";
    ASSERT_EQ(plot("examples/" + example + ".toml", picture).code, 0);
    for (const auto& line : lines_of(read_file((picture.parent_path() / "x.gp").string()))) {
      if (!line.starts_with("set style line ") || line.find("pt ") != std::string::npos) continue;
      const auto name = line.find("# ");
      const auto look = line.find("lc rgb \"#");
      if (name == std::string::npos || look == std::string::npos) continue;
      const auto [seen, fresh] =
          looks.try_emplace(line.substr(name + 2), line.substr(look, name - look));
      EXPECT_EQ(seen->second, line.substr(look, name - look)) << example;
    }
  }
  EXPECT_NE(looks["newton"].find("#D55E00"), std::string::npos);
  EXPECT_NE(looks["moreau:poisson"].find("#56B4E9"), std::string::npos);
}

TEST(PlotCommand, DataEndsAtTheOutcome) {
  const fs::path picture = empty_folder() / "x.svg";
  ASSERT_EQ(plot("examples/contact.toml", picture, "--law newton").code, 0);
  const auto lines = lines_of(read_file((picture.parent_path() / "x.dat").string()));
  EXPECT_EQ(lines.back().substr(0, 41), "8.157894736842106 -6.842105263157895 1 0 ");
  EXPECT_EQ(lines.back().back(), '2');
}

TEST(PlotCommand, TakesAnyName) {
  for (const char* name : {"two words", "it's \"quoted\"", "-dash", "<pipe", "|pipe", "~home",
                           "`date`", "back\\slash", "ünï", "%d$x", "a.b"}) {
    const fs::path folder = empty_folder();
    const std::string stem = name;
    const Finished f = run_shell("cd " + quoted(folder.string()) +
                                 " && '" CAROM_COMMAND_FILE "' solve " CAROM_SOURCE_DIR
                                 "/examples/bar.toml --plot=" +
                                 quoted(stem + ".svg"));
    ASSERT_EQ(f.code, 0) << name << f.err;
    std::vector<std::string> expected = {stem + ".dat", stem + ".gp", stem + ".svg"};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(names_in(folder), expected);
    const std::string first = read_file((folder / (stem + ".svg")).string());
    fs::remove(folder / (stem + ".svg"));
    EXPECT_EQ(run_shell("gnuplot " + quoted((folder / (stem + ".gp")).string())).code, 0) << name;
    EXPECT_TRUE(read_file((folder / (stem + ".svg")).string()) == first) << name;
  }
}

TEST(PlotCommand, TitlesAreTextAndNothingElse) {
  const std::string scenario =
      write_file("t.toml", R"(title = 'a_b^c {d} @e & ~f <g> `touch x` "h" \i'
[system]
type = "bar"
angle_deg = 120
velocity = [0.4, -1.0]
[surface]
restitution = 0.5
friction = 0.3
)");
  const fs::path picture = empty_folder() / "x.svg";
  ASSERT_EQ(plot(scenario, picture).code, 0);
  const std::string drawn = read_file(picture.string());
  EXPECT_NE(drawn.find("a_b^c {d} @e &amp; ~f &lt;g> `touch x` \"h\" \\i<"), std::string::npos);
  EXPECT_EQ(names_in(picture.parent_path()).size(), 3U);
}

TEST(PlotCommand, SaysWhereThereIsNoImpact) {
  const std::string scenario = write_file("t.toml", R"([system]
type = "contact"
inverse_inertia = [[1.0, 0.0], [0.0, 0.0]]
approach = [0.25, 0.0]
[surface]
restitution = 0.5
friction = 0.0
)");
  const fs::path picture = empty_folder() / "x.svg";
  ASSERT_EQ(plot(scenario, picture).code, 0);
  const std::string drawn = read_file(picture.string());
  EXPECT_NE(drawn.find("No impact: the contact separates at 0.25 m/s"), std::string::npos);
  EXPECT_NE(drawn.find("t.toml"), std::string::npos);  // no title: the file's name
}

TEST(PlotCommand, GoesWithJsonAndCsv) {
  for (const char* form : {"--json", "--csv"}) {
    const Finished f = plot("examples/bar.toml", empty_folder() / "x.svg", form);
    EXPECT_EQ(f.code, 0);
    EXPECT_EQ(f.out, run_carom(std::string("solve examples/bar.toml ") + form).out);
  }
  EXPECT_EQ(run_carom("solve --stream --plot x.svg").code, 2);
}

TEST(PlotCommand, WrongExtensionIsWrongUsage) {
  for (const char* name : {"x.jpg", "x", ".svg", "x.svg.gz"}) {
    const fs::path folder = empty_folder();
    const Finished f = plot("examples/bar.toml", folder / name);
    EXPECT_EQ(f.code, 2);
    EXPECT_EQ(f.out, "");
    EXPECT_EQ(f.err,
              "carom: error: --plot: must name a file that ends in .svg, .png or .pdf, got '" +
                  (folder / name).string() + "'\n");
    EXPECT_TRUE(names_in(folder).empty());
  }
}

TEST(PlotCommand, WithoutGnuplotScriptAndDataStay) {
  const fs::path folder = empty_folder();
  const Finished f = run_shell("PATH= '" CAROM_COMMAND_FILE "' solve examples/bar.toml --plot " +
                               quoted((folder / "x.svg").string()));
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.err, "carom: error: gnuplot is not installed: install gnuplot-nox; the script is " +
                       (folder / "x.gp").string() + "\n");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"x.dat", "x.gp"}));
}

TEST(PlotCommand, TellsWhatGnuplotSaid) {
  const fs::path folder = empty_folder();
  const std::string bad = write_file(
      "gnuplot",
      "#!/bin/sh\nprintf '\\n         ^\\n\"x.gp\" line 3: no such thing\\nmore\\n' >&2\nexit 1\n");
  fs::permissions(bad, fs::perms::owner_all);
  const fs::path kept = folder / "x.svg";
  { EXPECT_EQ(plot("examples/bar.toml", kept).code, 0); }
  const std::string before = read_file(kept.string());
  const Finished f = run_shell("PATH=" + quoted(fs::path(bad).parent_path().string()) +
                               ":$PATH '" CAROM_COMMAND_FILE "' solve examples/rod.toml --plot " +
                               quoted(kept.string()));
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.err, "carom: error: gnuplot failed: \"x.gp\" line 3: no such thing; the script is " +
                       (folder / "x.gp").string() + "\n");
  EXPECT_TRUE(read_file(kept.string()) == before);  // what was there stays whole
  EXPECT_EQ(names_in(folder).size(), 3U);
}

TEST(PlotCommand, FailsInOneLineWhereItMayNotWrite) {
  const fs::path folder = empty_folder();
  const Finished nowhere = plot("examples/bar.toml", folder / "none" / "x.svg");
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_EQ(nowhere.err, "carom: error: cannot write " + (folder / "none" / "x.svg").string() +
                             ": No such file or directory\n");
  // Nobody may write in /proc, not even root.
  const Finished refused = plot("examples/bar.toml", "/proc/x.svg");
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(lines_of(refused.err).size(), 1U) << refused.err;
  fs::create_directory(folder / "d.svg");
  EXPECT_EQ(plot("examples/bar.toml", folder / "d.svg").code, 1);
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"d.svg"}));
  if (geteuid() == 0) return;  // root may write anywhere else
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(plot("examples/bar.toml", folder / "x.svg").code, 1);
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"d.svg"}));
}

// The README's picture is what the command makes today.
TEST(PlotCommand, ReadmePictureIsUpToDate) {
  const fs::path picture = empty_folder() / "kane-levinson.svg";
  ASSERT_EQ(plot("examples/kane-levinson.toml", picture).code, 0);
  for (const char* file : {"kane-levinson.gp", "kane-levinson.dat"}) {
    EXPECT_EQ(read_file((picture.parent_path() / file).string()),
              read_file(std::string(CAROM_SOURCE_DIR "/docs/pictures/") + file));
  }
}

}  // namespace
}  // namespace carom::test
