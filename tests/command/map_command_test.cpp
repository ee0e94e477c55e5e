// SPDX-License-Identifier: Apache-2.0
// `carom map`. Some of these tests draw, with the Python that was found at configuration.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

fs::path empty_folder() {
  const fs::path folder = fs::path(write_file("marker", "")).parent_path() / "maps";
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

const std::string bar_map =
    "map examples/bar.toml --x surface.friction=0:1:5 --y system.angle_deg=91:179:4 ";

TEST(MapCommand, DrawsAPicture) {
  const fs::path folder = empty_folder();
  const std::string picture = (folder / "a.svg").string();
  const Finished f = run_carom(bar_map + "--law energetic --plot " + picture);
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.out, "");
  EXPECT_EQ(f.err,
            "carom: wrote " + picture + ", with " + picture + ".json and " + picture + ".py\n");
  EXPECT_TRUE(read_file(picture).starts_with("<?xml"));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a.svg", "a.svg.json", "a.svg.py"}));
  const Finished quiet = run_carom(bar_map + "--law energetic -q --plot " + picture);
  EXPECT_EQ(quiet.err, "");
}

TEST(MapCommand, WithoutPythonRecordAndScriptStay) {
  const fs::path folder = empty_folder();
  const Finished f = run_shell("cd '" CAROM_SOURCE_DIR
                               "' && CAROM_PYTHON=/nowhere/python3 '" CAROM_COMMAND_FILE "' " +
                               bar_map + "--law energetic --plot " + (folder / "a.png").string());
  EXPECT_EQ(f.code, 1);
  EXPECT_NE(f.err.find("install python3"), std::string::npos) << f.err;
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a.png.json", "a.png.py"}));
}

TEST(MapCommand, SurfacesAreOfNumbersOverTwoAxes) {
  const std::string surface = "--law energetic --style surface --plot /tmp/x.svg";
  EXPECT_EQ(run_carom(bar_map + surface).err,
            "carom: error: --style: 'mode, energetic' has no surface: its values are names, not "
            "numbers\n");
  EXPECT_EQ(run_carom("map examples/bar.toml --x surface.friction=0:1:5 " + surface).err,
            "carom: error: --style: a surface needs two axes\n");
}

TEST(MapCommand, PictureOfThePagesIsUpToDate) {
  const fs::path picture = empty_folder() / "modes.svg";
  (void)run_shell("cd '" CAROM_SOURCE_DIR "' && CAROM_PYTHON=/nowhere/python3 '" CAROM_COMMAND_FILE
                  "' map examples/maps/sun-baruh-3.toml --show mode --plot " +
                  picture.string());
  // Its record but for the version and the command.
  const auto from_scenario = [](const std::string& record) {
    return record.substr(record.find("\"scenario\":"));
  };
  EXPECT_TRUE(from_scenario(read_file(picture.string() + ".json")) ==
              from_scenario(read_file(CAROM_SOURCE_DIR "/docs/pictures/modes.svg.json")))
      << "make it again: carom map examples/maps/sun-baruh-3.toml --show mode --plot "
         "docs/pictures/modes.svg";
}

TEST(MapCommand, WritesTheGridAsCsv) {
  const Finished f = run_carom(bar_map + "--law newton,moreau --show mode,energy --csv -");
  EXPECT_EQ(f.code, 0);
  EXPECT_EQ(f.err, "");
  const auto lines = lines_of(f.out);
  ASSERT_EQ(lines.size(), 21U);
  EXPECT_EQ(lines[0],
            "surface.friction,system.angle_deg [deg],mode (newton),mode (moreau),energy (newton),"
            "energy (moreau)");
  EXPECT_TRUE(lines[1].starts_with("0,91,0,forward slip,")) << lines[1];
  EXPECT_TRUE(lines[20].starts_with("1,179,")) << lines[20];
}

TEST(MapCommand, IsTheSameForAnyThreadsAndInstructions) {
  const std::string what =
      "map examples/maps/payr-glocker-5.toml --show mode,energy,ratio,verdict --law "
      "newton,poisson,energetic,moreau,moreau:poisson,brach,conventional --csv - ";
  const std::string plain = run_shell("cd '" CAROM_SOURCE_DIR "' && '" CAROM_COMMAND_FILE "' " +
                                      what + "--threads 1 --simd plain | md5sum")
                                .out;
  const std::string best = run_shell("cd '" CAROM_SOURCE_DIR "' && '" CAROM_COMMAND_FILE "' " +
                                     what + "--threads 2 | md5sum")
                               .out;
  EXPECT_EQ(plain, best);
  EXPECT_EQ(plain.size(), 36U);
}

TEST(MapCommand, WritesHdf5) {
  const fs::path file = empty_folder() / "grid.h5";
  const Finished f = run_carom(bar_map + "--law energetic --show energy --hdf5 " + file.string());
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.err, "carom: wrote " + file.string() + "\n");
  const std::string bytes = read_file(file.string());
  EXPECT_TRUE(bytes.starts_with("\x89HDF\r\n\x1a\n"));
  EXPECT_NE(bytes.find("A bar strikes the ground"), std::string::npos);    // the scenario
  EXPECT_NE(bytes.find("--x surface.friction=0:1:5"), std::string::npos);  // the command
  EXPECT_EQ(names_in(file.parent_path()).size(), 1U);
}

TEST(MapCommand, SummarisesWhenAskedForNoFile) {
  const Finished f = run_carom(bar_map + "--law energetic");
  EXPECT_EQ(f.code, 0);
  EXPECT_NE(f.out.find("mode, energetic"), std::string::npos);
  EXPECT_NE(f.out.find("slip stops in compression, then reverses"), std::string::npos);
}

TEST(MapCommand, TakesTheScenarioFromStandardInput) {
  const std::string text = read_file(CAROM_SOURCE_DIR "/examples/maps/sun-baruh-3.toml");
  const Finished from_file = run_carom("map examples/maps/sun-baruh-3.toml --csv -");
  const Finished from_input = run_carom("map - --csv -", text);
  EXPECT_EQ(from_input.code, 0) << from_input.err;
  EXPECT_EQ(from_file.out, from_input.out);
}

TEST(MapCommand, AxesOfTheCommandLineReplaceBothOfTheFile) {
  const Finished f = run_carom(
      "map examples/maps/sun-baruh-3.toml --x system.angle_deg=-60:60:5 --show energy --csv -");
  EXPECT_EQ(f.code, 0) << f.err;
  ASSERT_EQ(lines_of(f.out).size(), 6U);
  EXPECT_EQ(lines_of(f.out)[0], "system.angle_deg [deg],energy (poisson)");
}

TEST(MapCommand, RefusesInOneLine) {
  const auto refusal = [](const std::string& arguments) {
    const Finished f = run_carom(arguments);
    EXPECT_EQ(f.code, 2) << arguments << ": " << f.err;
    EXPECT_EQ(f.out, "");
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    return f.err;
  };
  EXPECT_EQ(refusal("map examples/bar.toml"),
            "carom: error: examples/bar.toml: map.x: is missing; give what varies as --x "
            "PATH=FROM:TO, or in the file as [map]\n");
  EXPECT_EQ(refusal(bar_map + "--show enrgy"),
            "carom: error: --show: unknown quantity 'enrgy'; did you mean 'energy'?\n");
  EXPECT_EQ(refusal(bar_map + "--law newton --compare ratio"),
            "carom: error: --compare: 'ratio' is of two laws: name two, got 1\n");
  EXPECT_EQ(refusal(bar_map + "--law newton,moreau --show mode --compare ratio"),
            "carom: error: --compare: a ratio of mode means nothing; compare by difference\n");
  EXPECT_EQ(refusal(bar_map + "--law newton,moreau --compare sideways"),
            "carom: error: --compare: must be difference or ratio, got 'sideways'\n");
  EXPECT_EQ(refusal(bar_map + "--show parting"),
            "carom: error: --show: 'parting' is of two laws: name two, got 8\n");
  EXPECT_EQ(refusal(bar_map + "--plot map.jpg"),
            "carom: error: --plot: must name a file that ends in .svg, .png or .pdf, got "
            "'map.jpg'\n");
  EXPECT_EQ(refusal(bar_map + "--simd avx9"),
            "carom: error: --simd: must be best, plain, avx2 or avx512, got 'avx9'\n");
  EXPECT_EQ(refusal(bar_map + "--style relief"),
            "carom: error: --style: must be map or surface, got 'relief'\n");
  EXPECT_EQ(refusal("map examples/bar.toml --y surface.friction=0:1"),
            "carom: error: --x: is missing; --y alone draws nothing\n");
  const std::string file =
      write_file("bad.toml", read_file(CAROM_SOURCE_DIR "/examples/bar.toml") +
                                 "[map]\nx = { vary = 'surface.friction', from = 0 }\n");
  EXPECT_EQ(refusal("map " + file),
            "carom: error: " + file + ":20:5: map.x.to: is missing; give a number\n");
  const std::string other = write_file(
      "other.toml", read_file(CAROM_SOURCE_DIR "/examples/bar.toml") +
                        "[map]\nx = { vary = 'surface.friction', from = 0, to = 1 }\nshow = "
                        "['mode', 'enegy']\n");
  EXPECT_EQ(refusal("map " + other),
            "carom: error: " + other +
                ":21:17: map.show[1]: unknown quantity 'enegy'; did you mean 'energy'?\n");
  EXPECT_EQ(refusal("check " + other),
            "carom: error: " + other +
                ":21:17: map.show[1]: unknown quantity 'enegy'; did you mean 'energy'?\n");
}

TEST(MapCommand, RefusesFilesThatAreNone) {
  const auto said = [](const std::string& more) {
    const Finished f = run_carom(bar_map + "--law energetic " + more);
    EXPECT_NE(f.code, 0) << more;
    return f.err;
  };
  EXPECT_EQ(said("--csv ''"), "carom: error: --csv: must name a file, got ''\n");
  EXPECT_EQ(said("--hdf5 -"), "carom: error: --hdf5: must name a file, got '-'\n");
  EXPECT_EQ(said("--csv /tmp/x --hdf5 /tmp/x"),
            "carom: error: --hdf5: must be another file than that of --csv, got '/tmp/x'\n");
  EXPECT_EQ(said("--contours nan"), "carom: error: --contours: must be finite numbers, got nan\n");
  EXPECT_EQ(said("--law energetic,energetic"), "carom: error: laws: names 'energetic' twice\n");
  EXPECT_NE(said("--threads=-1").find("must be a whole number >= 0, got '-1'"), std::string::npos);
  EXPECT_EQ(run_carom("map examples/bar.toml --x surface.friction=0:1:20000 --y "
                      "system.angle_deg=91:179:20000 --law energetic")
                .err,
            "carom: error: map: 20000 x 20000 points of 1 quantities and laws are too many; at "
            "most 200 million numbers\n");
}

TEST(MapCommand, WritesThroughLinksAndNotOverDevices) {
  const fs::path folder = empty_folder();
  const fs::path target = write_file("target.csv", "old");
  fs::create_symlink(target, folder / "link.csv");
  EXPECT_EQ(run_carom(bar_map + "--law energetic --csv " + (folder / "link.csv").string()).code, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
  EXPECT_TRUE(read_file(target.string()).starts_with("surface.friction,"));
  const std::string pipe = (folder / "pipe").string();
  EXPECT_EQ(run_shell("mkfifo " + pipe).code, 0);
  const Finished f = run_carom(bar_map + "--law energetic --csv " + pipe);
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.err, "carom: error: cannot write " + pipe + ": it is not a regular file\n");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(MapCommand, CtrlCLeavesNothing) {
  const fs::path folder = empty_folder();
  const std::string scenario =
      write_file("long.toml",
                 "[system]\ntype = 'bar'\nangle_deg = 60\nvelocity = [0.4, -1.0]\n[surface]\n"
                 "restitution = 0.7\nfriction = 0.5\ncompliance_ratio = 0.01\n");
  const Finished f =
      run_shell("timeout --preserve-status -s INT 0.5 '" CAROM_COMMAND_FILE "' map " + scenario +
                " --law compliant --x surface.friction=0.1:1:4000 --y system.angle_deg=1:179:4000 "
                "--csv " +
                (folder / "a.csv").string() + " --plot " + (folder / "a.svg").string());
  EXPECT_EQ(f.code, 130);
  EXPECT_EQ(f.err, "carom: error: interrupted; nothing more is written\n");
  EXPECT_TRUE(names_in(folder).empty());
}

TEST(MapCommand, WritesFilesWholeOrNotAtAll) {
  const Finished f = run_carom(bar_map + "--law energetic --csv /nowhere/grid.csv");
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.err, "carom: error: cannot write /nowhere/grid.csv: No such file or directory\n");
}

}  // namespace
}  // namespace carom::test
