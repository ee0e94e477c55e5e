// SPDX-License-Identifier: Apache-2.0
// `carom solve FILE --plot PICTURE`: files, exit codes, messages. What is drawn is tested in
// tests/python.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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

/// The three files of a picture, in order.
std::vector<std::string> files_of(const std::string& picture) {
  std::vector<std::string> files = {picture, picture + ".json", picture + ".py"};
  std::sort(files.begin(), files.end());
  return files;
}

/// `carom solve FILE --plot PICTURE` with another interpreter, which need not be Python.
Finished plot_by(const std::string& interpreter, const std::string& scenario,
                 const fs::path& picture, const std::string& more = "") {
  return run_shell("cd '" CAROM_SOURCE_DIR "' && CAROM_PYTHON=" + quoted(interpreter) +
                   " '" CAROM_COMMAND_FILE "' solve " + quoted(scenario) +
                   " --plot=" + quoted(picture.string()) + " " + more);
}

/// A program that writes an empty picture in place of drawing it.
std::string blank_interpreter() {
  const std::string program = write_file("blank", "#!/bin/sh\n: >\"${2%.py}\"\n");
  fs::permissions(program, fs::perms::owner_all);
  return program;
}

/// A program that says this on standard error and fails.
std::string failing_interpreter(const std::string& says) {
  const std::string program =
      write_file("interpreter", "#!/bin/sh\nprintf " + quoted(says) + " >&2\nexit 1\n");
  fs::permissions(program, fs::perms::owner_all);
  return program;
}

// In every format, and the script makes the same file again, from another directory too.
TEST(PlotCommand, WritesPictureRecordAndScript) {
  const std::map<std::string, std::string> begins = {
      {"svg", "<?xml"}, {"png", "\x89PNG\r\n\x1a\n"}, {"pdf", "%PDF-"}};
  for (const auto& [extension, signature] : begins) {
    const fs::path folder = empty_folder();
    const std::string name = "bar." + extension;
    const Finished f = plot("examples/bar.toml", folder / name);
    ASSERT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(f.out, run_carom("solve examples/bar.toml").out);
    const std::string picture = (folder / name).string();
    EXPECT_EQ(f.err,
              "carom: wrote " + picture + ", with " + picture + ".json and " + picture + ".py\n");
    EXPECT_EQ(names_in(folder), files_of(name));  // and no temporary file
    const std::string drawn = read_file(picture);
    EXPECT_EQ(drawn.substr(0, signature.size()), signature) << extension;
    fs::remove(picture);
    const Finished again = run_shell("cd / && '" CAROM_PYTHON_EXECUTABLE "' -B -I " +
                                     quoted((folder / (name + ".py")).string()));
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_TRUE(read_file(picture) == drawn) << extension;
  }
}

TEST(PlotCommand, TakesAnyName) {
  for (const char* name : {"it's \"quoted\" and long", "-dash <pipe |", "`date` back\\slash %d$x",
                           "\xc3\xbcn\xc3\xaf.a.b~"}) {
    const fs::path folder = empty_folder();
    const std::string picture = std::string(name) + ".svg";
    const Finished f = run_shell("cd " + quoted(folder.string()) +
                                 " && '" CAROM_COMMAND_FILE "' solve " CAROM_SOURCE_DIR
                                 "/examples/moment.toml --plot=" +
                                 quoted(picture));
    ASSERT_EQ(f.code, 0) << name << f.err;
    EXPECT_EQ(names_in(folder), files_of(picture));
  }
}

// The record is what --json prints, and one member more; of any kind of impact.
TEST(PlotCommand, RecordHasWhatJsonHas) {
  for (const char* example : {"bar", "superball", "space/rod", "many/disc-ball", "many/pyramid"}) {
    const std::string file = std::string("examples/") + example + ".toml";
    const fs::path folder = empty_folder();
    ASSERT_EQ(plot_by(blank_interpreter(), file, folder / "x.svg").code, 0);
    const std::string record = read_file((folder / "x.svg.json").string());
    const std::string json = run_carom("solve " + file + " --json").out;
    const std::size_t common = json.rfind('}');
    EXPECT_EQ(record.substr(0, common), json.substr(0, common)) << example;
    EXPECT_EQ(record.substr(common, 19), ",\n\"picture\":{\"kind\"") << example;
  }
}

// Nothing of a scenario is in the script.
TEST(PlotCommand, ScriptIsTheSameForEveryPicture) {
  const std::string scenario =
      write_file("t.toml", R"(title = '''""" import os; os.system('touch x') """ $(touch y)'''
[system]
type = "bar"
angle_deg = 120
velocity = [0.4, -1.0]
[surface]
restitution = 0.5
friction = 0.3
)");
  const fs::path folder = empty_folder();
  ASSERT_EQ(plot_by(blank_interpreter(), scenario, folder / "x.svg").code, 0);
  const std::string script = read_file((folder / "x.svg.py").string());
  ASSERT_EQ(plot_by(blank_interpreter(), "examples/space/rod.toml", folder / "y.png").code, 0);
  EXPECT_EQ(script, read_file((folder / "y.png.py").string()));
  EXPECT_LE(lines_of(script).size(), 12U);
  EXPECT_EQ(script.find("touch"), std::string::npos);
}

TEST(PlotCommand, GoesWithJsonAndCsv) {
  for (const char* form : {"--json", "--csv"}) {
    const Finished f =
        plot_by(blank_interpreter(), "examples/bar.toml", empty_folder() / "x.svg", form);
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

// An interpreter that ends well without drawing is no success, whether an older picture is there or
// not.
TEST(PlotCommand, WhatIsNotDrawnIsNotSaidToBeWritten) {
  const fs::path folder = empty_folder();
  for (const bool older : {false, true}) {
    if (older) std::ofstream(folder / "x.svg") << "an older picture";
    const Finished f = plot_by("/bin/true", "examples/bar.toml", folder / "x.svg");
    EXPECT_EQ(f.code, 1);
    EXPECT_NE(f.err.find("the picture was not drawn: /bin/true ended without writing it"),
              std::string::npos)
        << f.err;
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"x.svg.json", "x.svg.py"}));
  }
}

TEST(PlotCommand, WithoutPythonRecordAndScriptStay) {
  const fs::path folder = empty_folder();
  const std::string picture = (folder / "x.svg").string();
  const std::string kept = "; the record is " + picture + ".json, the script " + picture + ".py\n";
  const Finished f = plot_by("/nowhere/python3", "examples/bar.toml", picture);
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.out, run_carom("solve examples/bar.toml").out);
  EXPECT_EQ(f.err,
            "carom: error: pictures need Python: /nowhere/python3 cannot be started (No such file "
            "or directory); install python3 python3-numpy python3-matplotlib python3-pil, or name "
            "another interpreter by CAROM_PYTHON" +
                kept);
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"x.svg.json", "x.svg.py"}));

  const std::string bare =
      failing_interpreter("Traceback\\n  line\\nModuleNotFoundError: No module named \"numpy\"\\n");
  const Finished lacking = plot_by(bare, "examples/bar.toml", picture);
  EXPECT_EQ(lacking.code, 1);
  EXPECT_EQ(lacking.err, "carom: error: pictures need NumPy and matplotlib: CAROM_PYTHON, " + bare +
                             ", says: ModuleNotFoundError: No module named \"numpy\"; install "
                             "them for it, or leave CAROM_PYTHON out" +
                             kept);
}

TEST(PlotCommand, SaysWhatPythonSaid) {
  const fs::path folder = empty_folder();
  const std::string picture = write_file("pictures/x.svg", "a picture");
  const Finished f = plot_by(failing_interpreter("Traceback\\nValueError: no such thing\\n\\n"),
                             "examples/bar.toml", picture);
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.err,
            "carom: error: the picture could not be drawn: ValueError: no such thing; the record "
            "is " +
                picture + ".json, the script " + picture + ".py; the older picture is removed\n");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"x.svg.json", "x.svg.py"}));
}

// Of a link what it points to is replaced, or removed where drawing fails.
TEST(PlotCommand, AnOlderPictureMayBeALink) {
  const fs::path folder = empty_folder();
  std::ofstream(folder / "old.svg") << "an older picture";
  fs::create_symlink("old.svg", folder / "x.svg");
  ASSERT_EQ(plot("examples/bar.toml", folder / "x.svg").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "x.svg"));
  EXPECT_EQ(read_file((folder / "old.svg").string()).substr(0, 5), "<?xml");
  EXPECT_EQ(plot_by("/bin/true", "examples/bar.toml", folder / "x.svg").code, 1);
  EXPECT_FALSE(fs::exists(folder / "old.svg"));
}

// The script says what to run it with, whatever that is called.
TEST(PlotCommand, ScriptNamesTheInterpreter) {
  const fs::path folder = empty_folder();
  const std::string script = (folder / "x.svg.py").string();
  (void)plot("examples/bar.toml", folder / "x.svg");
  EXPECT_EQ(lines_of(read_file(script)).at(1), "# Run it with \"" CAROM_PYTHON_EXECUTABLE "\".");
  (void)plot_by("a\nimport os", "examples/bar.toml", folder / "x.svg");
  EXPECT_EQ(lines_of(read_file(script)).at(1), "# Run it with \"a\\u000aimport os\".");
}

// What docs/records.md shows for restyling a picture works in the source tree.
TEST(PlotCommand, RecordsPageShowsHowToRestyle) {
  const std::string page = read_file(CAROM_SOURCE_DIR "/docs/records.md");
  const std::string begin = "```python\n";
  const std::size_t at = page.find(begin) + begin.size();
  const fs::path folder = empty_folder();
  std::ofstream(folder / "restyle.py") << page.substr(at, page.find("```", at) - at);
  fs::create_symlink(CAROM_SOURCE_DIR "/python", folder / "python");
  ASSERT_EQ(plot("examples/bar.toml", folder / "block.svg").code, 0);
  const std::string before = read_file((folder / "block.svg").string());
  const Finished f = run_shell("cd " + quoted(folder.string()) +
                               " && '" CAROM_PYTHON_EXECUTABLE "' -B restyle.py");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_FALSE(read_file((folder / "block.svg").string()) == before);
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

// The README's picture shows what the command computes today.
TEST(PlotCommand, ReadmePictureIsUpToDate) {
  const fs::path folder = empty_folder();
  const std::string name = "kane-levinson.svg";
  ASSERT_EQ(plot_by(blank_interpreter(), "examples/kane-levinson.toml", folder / name).code, 0);
  EXPECT_EQ(read_file((folder / (name + ".json")).string()),
            read_file(CAROM_SOURCE_DIR "/docs/pictures/" + name + ".json"));
}

}  // namespace
}  // namespace carom::test
