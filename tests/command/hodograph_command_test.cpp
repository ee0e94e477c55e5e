// SPDX-License-Identifier: Apache-2.0
// `carom solve FILE --plot PICTURE` of impacts in space: what the picture and its data say. What
// holds of pictures of any impact is in plot_command_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

fs::path empty_folder() {
  const fs::path folder = fs::path(write_file("marker", "")).parent_path() / "hodographs";
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// What a picture left, in a folder where nothing else was.
struct Drawn {
  int code = -1;
  std::string err;
  std::string picture;
  std::string script;
  std::string data;
  std::size_t files = 0;
};

Drawn draw(const std::string& scenario, const std::string& more = "") {
  const fs::path folder = empty_folder();
  const Finished f =
      run_carom("solve '" + scenario + "' --plot '" + (folder / "x.svg").string() + "' " + more);
  Drawn d{.code = f.code, .err = f.err, .picture = {}, .script = {}, .data = {}};
  for (const auto& entry : fs::directory_iterator(folder)) d.files += entry.exists() ? 1U : 0U;
  if (f.code != 0) return d;
  d.picture = read_file((folder / "x.svg").string());
  d.script = read_file((folder / "x.gp").string());
  d.data = read_file((folder / "x.dat").string());
  return d;
}

/// A contact in space with this approach, surface and title: the text of a scenario.
std::string contact_text(
    const std::string& approach, const std::string& surface, const std::string& title = "a contact",
    const std::string& G = "[[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]]") {
  return "title = '" + title + "'\n[system]\ntype = \"space-contact\"\ninverse_inertia = " + G +
         "\napproach = " + approach + "\n[surface]\n" + surface;
}

Drawn draw_text(const std::string& text) { return draw(write_file("t.toml", text)); }

/// The rows of the data's block of this name.
std::vector<std::vector<double>> block(const std::string& data, const std::string& name) {
  std::vector<std::vector<double>> rows;
  bool inside = false;
  for (const std::string& line : lines_of(data)) {
    if (line.starts_with("# block")) inside = line.ends_with(": " + name);
    if (!inside || line.empty() || line[0] == '#') continue;
    std::istringstream numbers(line);
    rows.emplace_back();
    for (double x = 0.; numbers >> x;) rows.back().push_back(x);
  }
  return rows;
}

TEST(Hodograph, DataLeadsFromTheApproachToTheOutcome) {
  const Drawn d = draw("examples/space/rod.toml");
  ASSERT_EQ(d.code, 0) << d.err;
  const auto csv = lines_of(run_carom("solve examples/space/rod.toml --csv").out);
  for (std::size_t i = 1; i < csv.size(); ++i) {
    const std::string law = csv[i].substr(0, csv[i].find(','));
    const auto rows = block(d.data, law);
    ASSERT_GT(rows.size(), 10U) << law;
    EXPECT_EQ(rows.front()[0], 0.) << law;
    EXPECT_NEAR(rows.front()[2], 0.4, 1e-12) << law;
    EXPECT_EQ(rows.back()[7], 2.) << law;
    double before = 0.;
    for (const auto& row : rows) {
      ASSERT_EQ(row.size(), 8U);
      EXPECT_GE(row[0], before) << law;
      before = row[0];
    }
  }
}

// Slip swings round without being zero; friction turns with it at its limit.
TEST(Hodograph, OfTheRodTurnsAtTheLimitOfFriction) {
  const Drawn d = draw("examples/space/rod.toml", "--law poisson");
  for (const auto& row : block(d.data, "poisson")) {
    EXPECT_NEAR(std::hypot(row[4], row[5]), 0.2, 1e-12);
    EXPECT_GT(std::hypot(row[2], row[3]), 0.03);
  }
}

TEST(Hodograph, HasRaysAndTellsThemApart) {
  const Drawn rod = draw("examples/space/rod.toml");
  EXPECT_NE(rod.picture.find("ray that attracts, slip grows"), std::string::npos);
  EXPECT_NE(rod.picture.find("ray that repels, slip falls"), std::string::npos);
  EXPECT_EQ(block(rod.data, "invariant rays, what of them is seen").size(), 2U);
  const Drawn sphere = draw("examples/space/sphere.toml");
  EXPECT_EQ(sphere.picture.find("ray that"), std::string::npos);
  EXPECT_NE(sphere.picture.find("slip keeps whatever direction it has"), std::string::npos);
}

TEST(Hodograph, MarksOnlyWhatHappens) {
  const Drawn crate = draw("examples/space/box-corner.toml");
  EXPECT_EQ(crate.picture.find("slip ends"), std::string::npos);
  EXPECT_NE(crate.picture.find("compression ends"), std::string::npos);
  EXPECT_NE(draw("examples/space/cars.toml").picture.find("slip ends"), std::string::npos);
  // v_n returns to zero in restitution.
  const Drawn again = draw_text(contact_text(
      "[-1.0326, 24.0661, 6.2864]", "restitution = 1.0\nfriction = 2.2116\n", "again",
      "[[0.53629, 0.02706, 0.46631], [0.02706, 0.79076, -0.0253], [0.46631, -0.0253, 0.9175]]"));
  EXPECT_NE(again.picture.find("compression ends or resumes"), std::string::npos);
}

TEST(Hodograph, SaysWhereThereIsNoImpact) {
  const Drawn d =
      draw_text(contact_text("[0.25, 1.0, 0.5]", "restitution = 0.5\nfriction = 0.3\n"));
  ASSERT_EQ(d.code, 0) << d.err;
  EXPECT_NE(d.picture.find("No impact: the contact separates at 0.25 m/s"), std::string::npos);
}

TEST(Hodograph, DegenerateImpactsAreDrawn) {
  const std::string ordinary = "restitution = 0.5\nfriction = 0.3\n";
  const std::string sphere = "[[1.0, 0, 0], [0, 3.5, 0], [0, 0, 3.5]]";
  const std::string flat = "[[1.0, 0, 0], [0, 0, 0], [0, 0, 0]]";
  const std::string scenarios[] = {
      contact_text("[-1.0, 0.0, 0.0]", ordinary),
      contact_text("[-1.0, 0.0, 0.0]", ordinary, "t", sphere),
      contact_text("[-1.0, 1.0, 0.0]", ordinary, "t", flat),
      contact_text("[-1.0, 1.0, 0.0]", "restitution = 0.0\nfriction = 0.0\n"),
      contact_text("[-1.0, 1.0, 0.0]", "restitution = 0.0\nfriction = 0.0\n", "t", sphere),
      contact_text("[-1.0, 1.0, 0.0]", "restitution = 0.5\nfriction = 1e9\n"),
      contact_text("[-1.0, 1.0, 0.0]", "restitution = 0.5\nfriction = 1e-9\n"),
      contact_text("[-1e-6, 1e6, 0.0]", ordinary),
      contact_text("[-1e6, 1e-6, 0.0]", ordinary),
      contact_text("[-1e-60, 1e-60, 2e-60]", ordinary),
      contact_text("[-1e-12, 1e-12, 0.0]", ordinary, "t",
                   "[[1e15, 1e14, 0], [1e14, 2e15, 0], [0, 0, 1e15]]"),
      contact_text("[0.0, 1.0, 0.0]", ordinary),
      contact_text("[0.0, 0.0, 0.0]", ordinary),
      contact_text("[-1.0, 1.0, 0.5]",
                   "restitution = 0.5\nfriction = 0.3\nstatic_friction = 0.9\n"),
      contact_text("[-1.0, 1.0, 0.5]", "restitution = 0.5\nimpulse_ratio = [-0.2, 0.1]\n")};
  for (const std::string& text : scenarios) {
    const Drawn d = draw_text(text);
    EXPECT_EQ(d.code, 0) << d.err << text;
    EXPECT_EQ(d.files, 3U) << text;
    EXPECT_NE(d.picture.find("</svg>"), std::string::npos) << text;
    EXPECT_EQ(d.script.find("nan"), std::string::npos) << text;
    EXPECT_EQ(d.data.find("inf"), std::string::npos) << text;
    EXPECT_EQ(d.data.find("nan"), std::string::npos) << text;
  }
}

TEST(Hodograph, TitlesAreTextAndNothingElse) {
  const Drawn d = draw_text(contact_text("[-1.0, 1.0, 0.5]", "restitution = 0.5\nfriction = 0.3\n",
                                         R"(a_b^c {d} @e & ~f <g> `touch x` "h" \i)"));
  ASSERT_EQ(d.code, 0) << d.err;
  EXPECT_NE(d.picture.find("a_b^c {d} @e &amp; ~f &lt;g> `touch x` \"h\" \\i<"), std::string::npos);
  EXPECT_EQ(d.files, 3U);
}

// The picture shows what was asked for: at the tolerance that was asked for, to its end.
TEST(Hodograph, HonoursTolerance) {
  const auto rough =
      block(draw("examples/space/rod.toml", "--law energetic --tolerance 1e-3").data, "energetic");
  const auto fine = block(draw("examples/space/rod.toml", "--law energetic").data, "energetic");
  EXPECT_NE(rough.back(), fine.back());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(rough.back()[i], fine.back()[i], 2e-3);
}

}  // namespace
}  // namespace carom::test
