// SPDX-License-Identifier: Apache-2.0
// Scenario files that move.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/linkage_model.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>

#include "support/motion_log.hpp"
#include "support/motion_models.hpp"

namespace carom::scenario {
namespace {

const std::filesystem::path examples = std::filesystem::path(CAROM_SOURCE_DIR) / "examples/motion";

/// What reading `text` complains of, in one line.
std::string complaint(const std::string& text) {
  try {
    const MotionScenario s = parse_motion(text, "m.toml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

const std::string pendulum = R"([system]
type = "linkage"
zero_angle = "down"
[[system.links]]
name = "rod"
length = 1.0
mass = 2.0
angle_deg = 30
[[system.contacts]]
line_point = [0, -2]
[surface]
restitution = 0.5
[motion]
end_time = 3.0
)";

const std::string die = R"([system]
type = "space-assembly"
floor = true
[[system.planes]]
name = "wall"
normal = [1, 0, 0]
through = [-1, 0, 0]
[[system.bodies]]
name = "die"
shape = "box"
size = [1, 1, 1]
mass = 2.0
position = [0, 0, 3]
[surface]
restitution = 0.5
[surfaces."die-wall"]
friction = 0.3
[surfaces."die-wall 2"]
friction = 0.7
[motion]
end_time = 3.0
)";

std::string with(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

TEST(MotionReader, ReadsEveryExample) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    SCOPED_TRACE(entry.path().filename().string());
    ASSERT_NO_THROW({
      const MotionScenario s = read_motion(entry.path());
      EXPECT_FALSE(s.title.empty());
      // Of many bodies no contact is known from the start: they are found between near ones.
      std::vector<BodyPair> pairs;
      s.model->near_pairs(s.start, std::numeric_limits<double>::infinity(), pairs);
      EXPECT_FALSE(pairs.empty());
      EXPECT_TRUE(s.surfaces.size() == 1 || s.surfaces.size() == s.model->surfaces());
      EXPECT_EQ(static_cast<std::size_t>(s.start.q.size()), s.model->positions());
      EXPECT_EQ(static_cast<std::size_t>(s.start.u.size()), s.model->velocities());
      EXPECT_TRUE(s.start.q.allFinite() && s.start.u.allFinite());
      EXPECT_FALSE(s.drawing.outlines.empty() && s.drawing.bodies.empty());
      for (const PlanarOutline& o : s.drawing.outlines) {
        EXPECT_TRUE(std::isfinite(o.pose(s.start).angle));
      }
    }) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 9U);
}

/// Keeps nothing but whether all numbers are finite.
class Watcher final : public motion::Recorder {
 public:
  void event(const motion::Event& /*event*/) override {}
  void sample(const motion::Sample& s) override {
    finite = finite && s.state.q.allFinite() && s.state.u.allFinite();
  }
  bool finite = true;
};

TEST(MotionReader, EveryExampleRunsAndItsEnergyAccountCloses) {
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    SCOPED_TRACE(entry.path().filename().string());
    MotionScenario s = read_motion(entry.path());
    // Of a pile of hundreds only the fall onto it.
    constexpr std::size_t large = 300;  // velocities
    constexpr double fall = 0.25;       // s
    const bool is_large = s.model->velocities() > large;
    if (is_large) s.options.end_time = std::min(s.options.end_time, fall);
    // Of events without end. Steps end, and a pile has more impacts.
    if (s.options.method != motion::MotionMethod::stepping) s.options.most_events = 1000;
    Watcher watcher;
    const motion::Summary run =
        motion::simulate(*s.model, s.surfaces, s.options,
                         motion::start(*s.model, s.start, s.surfaces, s.options), watcher);
    EXPECT_TRUE(run.ending == motion::Ending::time || run.ending == motion::Ending::model)
        << run.reason;
    EXPECT_TRUE(watcher.finite);
    const motion::EnergyAccount& e = run.progress.energy;
    double scale = std::abs(e.kinetic_start) + std::abs(e.drives) + std::abs(e.kinetic);
    for (const double x : e.impacts) scale += std::abs(x);
    // Where nothing moves the rounding of the potential energy, a sum over bodies, is all that is
    // left.
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(e.potential_start) *
                            static_cast<double>(s.model->velocities());
    EXPECT_LE(std::abs(e.gap()), 1e-6 * scale + rounding);
    if (s.options.method != motion::MotionMethod::stepping) continue;
    // Piles come to rest, and every domino falls.
    if (!is_large) {
      EXPECT_LE(e.kinetic, 1e-3 * scale);
    }
    if (entry.path().stem() == "card-house" || entry.path().stem() == "brick-arch") {
      EXPECT_LE((run.progress.state.q - s.start.q).lpNorm<Eigen::Infinity>(), 1e-6);
      EXPECT_EQ(run.progress.impacts, std::size_t{0});
    }
    if (entry.path().stem() != "domino-row") continue;
    for (Eigen::Index i = 2; i < run.progress.state.q.size(); i += 3) {
      EXPECT_LT(run.progress.state.q(i), -1.);
    }
  }
}

TEST(MotionReader, ReadsALinkage) {
  const MotionScenario s = parse_motion(pendulum, "m.toml");
  EXPECT_EQ(s.system_type, "linkage");
  EXPECT_NEAR(s.start.q(0), (30. - 90.) * std::acos(-1.) / 180., 1e-15);
  EXPECT_EQ(s.model->contact_name(s.model->contact_id(0)), "rod");
  EXPECT_NEAR(s.model->gap(s.model->contact_id(0), s.start), 2. - std::cos(std::acos(-1.) / 6.),
              1e-14);
  EXPECT_EQ(s.options.end_time, 3.);
  EXPECT_EQ(s.options.settling, motion::Settling::accumulation);
  EXPECT_EQ(s.options.several->name, "moreau");  // without stiffness
  EXPECT_EQ(s.surfaces[0].restitution, 0.5);
}

TEST(MotionReader, RestOfASpringCountsAsAnglesDo) {
  const auto rest = [](const std::string& text) {
    const MotionScenario s = parse_motion(text, "m.toml");
    return s.model->potential_energy(s.start);
  };
  // A spring at rest where the link starts stores nothing.
  const std::string spring = "[[system.springs]]\nlink = \"rod\"\nstiffness = 5\nrest_deg = 30\n";
  EXPECT_NEAR(rest(with(pendulum, "[surface]", spring + "[surface]")), rest(pendulum), 1e-12);
  for (const char* wrong : {"stiffness = -1", "stiffness = nan", "damping = -1"}) {
    const std::string said = complaint(
        with(pendulum, "[surface]",
             "[[system.springs]]\nlink = \"rod\"\n" + std::string(wrong) + "\n[surface]"));
    EXPECT_NE(said.find("system.springs[0]." + std::string(wrong).substr(0, 5)), std::string::npos)
        << said;
    EXPECT_NE(said.find(": must be a finite number >= 0, got "), std::string::npos) << said;
  }
}

TEST(MotionReader, ReadsOptions) {
  const std::string stiff =
      with(pendulum, "restitution = 0.5", "restitution = 0.5\nstiffness = 1e8");
  const MotionScenario s = parse_motion(stiff + R"(tolerance = 1e-10
sample_interval = 0.1
settling = "contact-time"
contact_time = 1e-4
indeterminate = "impact"
law = "poisson"
several = "lzb"
most_events = 100
gravity = [1.0, -3.0]
compliant = ["rod"]
)",
                                        "m.toml");
  EXPECT_EQ(s.options.tolerance, 1e-10);
  EXPECT_EQ(s.options.sample_interval, .1);
  EXPECT_EQ(s.options.settling, motion::Settling::contact_time);
  EXPECT_EQ(s.options.contact_time, motion::ContactTime::given);
  EXPECT_EQ(s.options.given_contact_time, 1e-4);
  EXPECT_EQ(s.options.indeterminate, motion::Indeterminate::impact);
  EXPECT_EQ(s.options.law->name, "poisson");
  EXPECT_EQ(s.options.several->name, "lzb");
  EXPECT_EQ(s.options.most_events, 100U);
  EXPECT_EQ(s.options.compliant, std::vector<bool>{true});
}

TEST(MotionReader, ReadsTheMethod) {
  using motion::MotionMethod;
  const motion::Options unsaid = parse_motion(pendulum, "m.toml").options;
  EXPECT_EQ(unsaid.method, MotionMethod::automatic);
  EXPECT_EQ(unsaid.step, 0.);
  EXPECT_LT(unsaid.rest_speed, 0.);
  EXPECT_EQ(unsaid.residual, motion::Options{}.residual);
  for (const auto& [text, method] :
       {std::pair{"events", MotionMethod::events}, std::pair{"stepping", MotionMethod::stepping},
        std::pair{"auto", MotionMethod::automatic}}) {
    const std::string file = pendulum + "method = \"" + text + "\"\n";
    EXPECT_EQ(parse_motion(file, "m.toml").options.method, method);
    EXPECT_EQ(name(method), text);
    // The command line goes before the file.
    EXPECT_EQ(parse_motion(file, "m.toml", MotionMethod::events).options.method,
              MotionMethod::events);
  }
  const motion::Options all = parse_motion(pendulum + R"(method = "stepping"
step = 2e-3
rest_speed = 0
residual = 1e-6
several = "moreau"
compliant = false
)",
                                           "m.toml")
                                  .options;
  EXPECT_EQ(all.step, 2e-3);
  EXPECT_EQ(all.rest_speed, 0.);
  EXPECT_EQ(all.residual, 1e-6);
  EXPECT_EQ(all.several->name, "moreau");
  // Stiffness makes lzb the default of events alone.
  const std::string stiff =
      with(pendulum, "restitution = 0.5", "restitution = 0.5\nstiffness = 1e8");
  EXPECT_EQ(parse_motion(stiff, "m.toml").options.several->name, "lzb");
  EXPECT_EQ(parse_motion(stiff, "m.toml", MotionMethod::stepping).options.several->name, "moreau");
}

// Couples act in the steps themselves, not in the law of one contact.
TEST(MotionReader, NotesWhatStepsIgnore) {
  const std::string rolls =
      with(die, "restitution = 0.5", "restitution = 0.5\nrolling_friction = 0.1");
  EXPECT_EQ(parse_motion(rolls, "m.toml", motion::MotionMethod::events).notes.size(), 2U);
  EXPECT_EQ(parse_motion(rolls, "m.toml", motion::MotionMethod::stepping).notes,
            std::vector<std::string>{
                "in impacts energetic (the default of motion.law) ignores rolling_friction"});
}

TEST(MotionReader, RefusesWhatSteppingDoesNotKnow) {
  EXPECT_EQ(complaint(pendulum + "method = \"exact\"\n"),
            "m.toml:15:10: motion.method: unknown method 'exact'; known: events, stepping, auto");
  EXPECT_EQ(complaint(pendulum + "method = \"steping\"\n"),
            "m.toml:15:10: motion.method: unknown method 'steping'; did you mean 'stepping'?");
  EXPECT_EQ(complaint(pendulum + "step = 0\n"),
            "m.toml:15:8: motion.step: must be a finite number > 0, got 0");
  EXPECT_EQ(complaint(pendulum + "rest_speed = -1e-3\n"),
            "m.toml:15:14: motion.rest_speed: must be a finite number >= 0, got -0.001");
  for (const char* wrong : {"1e-15", "2e-3", "nan"}) {
    EXPECT_EQ(complaint(pendulum + "residual = " + wrong + "\n"),
              "m.toml:15:12: motion.residual: must be in [1e-14, 1e-3], got " +
                  std::string(wrong == std::string("2e-3") ? "0.002" : wrong));
  }
  const std::string stiff =
      with(pendulum, "restitution = 0.5", "restitution = 0.5\nstiffness = 1e8");
  const std::string steps = stiff + "method = \"stepping\"\n";
  for (const char* law : {"lzb", "moreau:poisson"}) {
    const std::string several = "several = \"" + std::string(law) + "\"\n";
    EXPECT_EQ(complaint(steps + several),
              "m.toml:17:11: motion.several: must be \"moreau\" where method is \"stepping\", got "
              "'" +
                  std::string(law) + "'; leave it out, or choose method = \"events\"");
    EXPECT_EQ(complaint(stiff + several), "");
  }
  for (const char* compliant : {"true", "[\"rod\"]"}) {
    const std::string line = "compliant = " + std::string(compliant) + "\n";
    EXPECT_EQ(complaint(steps + line),
              "m.toml:17:13: motion.compliant: must be false where method is \"stepping\", whose "
              "contacts are rigid; leave it out, or choose method = \"events\"");
    EXPECT_EQ(complaint(stiff + line), "");
  }
  EXPECT_EQ(complaint(steps + "compliant = false\n"), "");
  // Options of the law of several contacts, which steps do not ask.
  EXPECT_NE(complaint(with(die, "end_time = 3.0",
                           "end_time = 3.0\nmethod = \"stepping\"\n"
                           "[motion.solve]\nsolver = \"newton\"")),
            "");
  EXPECT_EQ(
      complaint(with(die, "end_time = 3.0", "end_time = 3.0\n[motion.solve]\nsolver = \"newton\"")),
      "");
}

TEST(MotionReader, ComplainsWithPlaceAndKey) {
  EXPECT_EQ(complaint(with(pendulum, "end_time = 3.0", "")),
            "m.toml:13:1: motion.end_time: is missing; give how long to follow the motion [s]");
  EXPECT_EQ(complaint(with(pendulum, "end_time = 3.0", "end_time = -3.0")),
            "m.toml:14:12: motion.end_time: must be a finite number > 0, got -3");
  EXPECT_EQ(complaint(pendulum + "settling = \"contact-times\"\n"),
            "m.toml:15:12: motion.settling: unknown choice 'contact-times'; did you mean "
            "'contact-time'?");
  EXPECT_EQ(complaint(pendulum + "settling = \"contact-time\"\n"),
            "m.toml:15:12: motion.settling: \"contact-time\" needs the stiffness of every contact, "
            "or contact_time in seconds");
  EXPECT_EQ(complaint(pendulum + "law = \"poison\"\n"),
            "m.toml:15:7: motion.law: unknown law 'poison'; did you mean 'poisson'?");
  EXPECT_EQ(complaint(pendulum + "tolerance = 1.0\n"),
            "m.toml:15:13: motion.tolerance: must be in [1e-14, 1e-3], got 1");
  EXPECT_EQ(complaint(with(pendulum, "mass = 2.0", "mass = 0.0\ninertia = 0.0")),
            "m.toml:7:8: system.links[0].mass: leaves the mass matrix singular: the joint of 'rod' "
            "moves no mass");
  EXPECT_EQ(complaint(with(pendulum, "[0, -2]", "[0, -0.5]\nlink = \"rot\"")),
            "m.toml:11:8: system.contacts[0].link: unknown link 'rot'; did you mean 'rod'?");
  EXPECT_EQ(complaint(with(pendulum, "\"linkage\"", "\"linkages\"")),
            "m.toml:2:8: system.type: unknown system 'linkages' that moves; did you mean "
            "'linkage'?");
  // The gap is negative from the start.
  EXPECT_EQ(complaint(with(pendulum, "[0, -2]", "[0, -0.5]")).substr(0, 66),
            "m.toml:1:1: system: bodies overlap at the start, at the contact 'r");
}

TEST(MotionReader, ReadsBodiesInSpace) {
  const MotionScenario s = parse_motion(die, "m.toml");
  ASSERT_EQ(s.model->contacts(), 16U);
  EXPECT_EQ(s.model->contact_name(s.model->contact_id(0)), "die-floor 1");
  EXPECT_EQ(s.model->contact_name(s.model->contact_id(15)), "die-wall 8");
  EXPECT_EQ(s.surfaces[7].friction, 0.);
  EXPECT_EQ(s.surfaces[8].friction, .3);
  EXPECT_EQ(s.surfaces[9].friction, .7);
  EXPECT_EQ(s.surfaces[15].friction, .3);
  EXPECT_DOUBLE_EQ(s.model->gap(s.model->contact_id(0), s.start), 2.5);
  EXPECT_DOUBLE_EQ(s.model->gap(s.model->contact_id(8), s.start), .5);
  EXPECT_EQ(complaint(with(die, "size = [1, 1, 1]", "size = [1, 1, 0]")),
            "m.toml:11:15: system.bodies[0].size[2]: must be a finite number > 0, got 0");
  EXPECT_EQ(complaint(with(die, "\"die-wall 2\"", "\"die-well\"")),
            "m.toml:18:1: surfaces.die-well: unknown contact 'die-well'; did you mean 'die-wall'?");
  const std::string grid = "\ngrid = { count = [2, 1, 1], spacing = [2, 2, 2] }";
  const std::string dice = with(die, "size = [1, 1, 1]", "size = [1, 1, 1]" + grid);
  EXPECT_EQ(complaint(with(dice, "\"die-wall 2\"", "\"die 2-well\"")).substr(13),
            "surfaces.die 2-well: unknown contact 'die 2-well'; did you mean 'die 2-wall'?");
}

TEST(MotionReader, ReadsACradle) {
  const std::string cradle = R"([system]
type = "cradle"
masses = [1, 1, 2]
radius = 0.1
string = 1.0
angle_deg = 20
lifted = 2
[surface]
restitution = 1
stiffness = [1e6, 2e6]
[motion]
end_time = 1
)";
  const MotionScenario s = parse_motion(cradle, "m.toml");
  EXPECT_EQ(s.start.q(0), 0.);
  EXPECT_GT(s.start.q(1), 0.);
  EXPECT_EQ(s.start.q(1), s.start.q(2));
  EXPECT_EQ(s.surfaces[1].stiffness, 2e6);
  EXPECT_EQ(s.options.several->name, "lzb");
  EXPECT_EQ(complaint(with(cradle, "masses = [1, 1, 2]", "masses = [1, 0, 2]")),
            "m.toml:3:14: system.masses[1]: must be a finite number > 0, got 0");
}

// The blow by lzb, and what the paper's criterion then leaves in contact: the starts of the runs
// "oracle-caseN-tc-paper" of tests/reference/motion.json.
TEST(MotionReader, DiscStartsAsTheBallLeavesIt) {
  const std::vector<std::pair<int, std::array<double, 3>>> starts = {
      {2, {0.11530283599560087, 0.00208578885491993, -0.695262951639977}},
      {3, {0.11732241323064711, 0.004792063205691885, -1.597354401897296}},
      {4, {0.1145654583963824, 0.0067830776628079225, -2.2610258876026426}},
      {5, {0.17024058435744388, 0.02498521956644593, -4.539748916198511}},
      {6, {0.11852596515493084, 0.02261225980145041, -4.136028446240924}},
      {7, {0.10966353438660006, 0.025054876802116547, -4.701290813105521}},
      {8, {0.14806419073310687, 0.002857701641618025, 0.9525672138726742}},
      {9, {0.11922135145254349, 0.006035805788831988, 2.011935262943994}},
  };
  for (const auto& [number, u] : starts) {
    SCOPED_TRACE(number);
    const MotionScenario s =
        read_motion(examples / ("disc-ball-" + std::to_string(number) + ".toml"));
    ASSERT_TRUE(s.first_impact);
    EXPECT_EQ(s.surfaces.size(), 3U);
    EXPECT_EQ(s.first_impact->contacts.size(), 4U);
    for (Eigen::Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.start.u(i), u[static_cast<std::size_t>(i)], 1e-8 * std::abs(u[2]));
    }
    EXPECT_EQ(s.first_impact->settled.empty(), s.first_impact->dropped == 0.);
  }
}

const std::string wedge = R"([system]
type = "assembly"
[[system.lines]]
name = "slope"
angle_deg = 30
[[system.bodies]]
name = "block"
shape = "polygon"
corners = [[1, 1], [3, 1], [3, 2], [1, 2]]
mass = 3
position = [0, 5]
[surface]
restitution = 0.5
friction = 0.5
[motion]
end_time = 1
)";

TEST(MotionReader, PolygonsHaveTheirMassCentreAndInertia) {
  const MotionScenario s = parse_motion(wedge, "m.toml");
  EXPECT_NEAR(test::mass_matrix(*s.model, s.start)(2, 2), 3. * (4. + 1.) / 12., 1e-14);
  // The corner at (-1, -0.5) from the mass centre, above a line that rises at 30 degrees.
  EXPECT_NEAR(s.model->gap(s.model->contact_id(0), s.start),
              4.5 * std::cos(std::acos(-1.) / 6.) + .5, 1e-14);
  EXPECT_NEAR(s.drawing.lines[0].normal[0], -.5, 1e-15);
  // In either direction; but no corner on the line through its neighbours.
  const MotionScenario clockwise = parse_motion(
      with(wedge, "[[1, 1], [3, 1], [3, 2], [1, 2]]", "[[1, 1], [1, 2], [3, 2], [3, 1]]"),
      "m.toml");
  EXPECT_EQ(test::mass_matrix(*clockwise.model, clockwise.start),
            test::mass_matrix(*s.model, s.start));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(clockwise.model->gap(clockwise.model->contact_id(i), s.start),
              s.model->gap(s.model->contact_id(i), s.start));
  }
  for (const char* corners : {"[[1, 1], [2, 1], [3, 1], [3, 2], [1, 2]]",
                              "[[1, 1], [3, 2], [3, 1], [1, 2]]", "[[1, 1], [2, 2], [3, 3]]"}) {
    const std::string refused = complaint(with(wedge, "[[1, 1], [3, 1], [3, 2], [1, 2]]", corners));
    EXPECT_NE(refused.find("must be a corner of a convex polygon"), std::string::npos) << refused;
  }
  EXPECT_EQ(complaint(with(wedge, "mass = 3", "mass = 0")),
            "m.toml:10:8: system.bodies[0].mass: must be a finite number > 0, got 0");
  EXPECT_EQ(complaint(with(wedge, "position = [0, 5]", "position = [0, 0]")).substr(0, 52),
            "m.toml:1:1: system: bodies overlap at the start, at ");
}

const std::string can = R"([system]
type = "space-assembly"
floor = true
[[system.bodies]]
name = "can"
shape = "cylinder"
radius = 0.03
length = 0.1
mass = 0.2
position = [0, 0, 0.3]
[surface]
restitution = 0.3
[motion]
end_time = 1.0
)";

// It lands flat and stays upright, rough or smooth: on points fixed to its rim, as many as given,
// or those that carry a flat rim.
TEST(MotionReader, CansLandOnTheirRims) {
  class Nothing final : public motion::Recorder {
    void event(const motion::Event& /*event*/) override {}
    void sample(const motion::Sample& /*sample*/) override {}
  } nothing;
  for (const char* points : {"", "3", "4", "6", "8"}) {
    for (const char* surface : {"0.3", "0.0", "0.3\nfriction = 0.4", "0.0\nfriction = 0.4"}) {
      SCOPED_TRACE(std::string(points) + " points, e = " + surface);
      const std::string given = *points == '\0' ? "" : "\nrim_points = " + std::string(points);
      const MotionScenario s =
          parse_motion(with(with(can, "mass = 0.2", "mass = 0.2" + given), "restitution = 0.3",
                            "restitution = " + std::string(surface)),
                       "can.toml");
      const motion::Summary end =
          motion::simulate(*s.model, s.surfaces, s.options,
                           motion::start(*s.model, s.start, s.surfaces, s.options), nothing);
      ASSERT_EQ(end.ending, motion::Ending::time) << end.reason;
      EXPECT_NEAR(end.progress.state.q(2), 0.05, 1e-9);
      EXPECT_NEAR(end.progress.energy.gap(), 0., 1e-8);
    }
  }
}

// The lowest point of a rim lands while the rim still counts as flat, tilted by less than 1e-7, and
// the points fixed to it would land when it no longer does. Neither is in range then: the lowest
// point lands where the rim ceases to count as flat.
TEST(MotionReader, CansLandAsTheirRimsCeaseToLieFlat) {
  constexpr double spin = 0.1;   // about an axis at 22.5 degrees, between two of the eight points
  constexpr double speed = 0.1;  // downwards
  for (const double tilt : {0.997e-7, 0.998e-7, 0.9985e-7, 0.999e-7, 0.9995e-7, 1.001e-7}) {
    SCOPED_TRACE(tilt);
    const double lands = tilt / spin;
    const double height = 0.05 + 0.03 * tilt + speed * lands;
    const std::string falls = "position = [0, 0, " + shortest(height) + "]\nvelocity = [0, 0, " +
                              shortest(-speed) + "]\nspin = [" +
                              shortest(spin * std::cos(std::numbers::pi / 8.)) + ", " +
                              shortest(spin * std::sin(std::numbers::pi / 8.)) + ", 0]";
    const MotionScenario s = parse_motion(
        with(with(can, "position = [0, 0, 0.3]", falls), "end_time = 1.0", "end_time = 1e-4"),
        "can.toml");
    test::MotionLog log;
    const motion::Summary end =
        motion::simulate(*s.model, s.surfaces, s.options,
                         motion::start(*s.model, s.start, s.surfaces, s.options), log);
    ASSERT_EQ(end.ending, motion::Ending::time) << end.reason;
    ASSERT_GE(log.events.size(), 2U);
    EXPECT_EQ(log.events[1].kind, motion::EventKind::impact);
    EXPECT_NEAR(log.events[1].time, lands, 0.01 * lands);
    EXPECT_NEAR(end.progress.energy.gap(), 0., 1e-12);
  }
}

TEST(MotionReader, GravitySaysWhatIsAllowed) {
  const std::string wrong =
      complaint(with(can, "end_time = 1.0", "end_time = 1.0\ngravity = -9.81"));
  EXPECT_NE(wrong.find("gravity: must be a finite number >= 0, which points downwards, or a vector "
                       "such as [0, 0, 9.81] for upwards; got -9.81"),
            std::string::npos)
      << wrong;
}

TEST(MotionReader, LawsAreAskedBeforeTheRun) {
  const std::string box =
      "[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nname='b'\nshape='box'\nmass=1\n"
      "length=0.4\nwidth=0.2\nposition=[0,0.6]\nvelocity=[0.3,0]\n[surface]\nrestitution=0.5\n"
      "friction=0.2\ntangential_restitution=0.3\n";
  const auto ignores =
      scenario::parse_motion(box + "[motion]\nend_time=1\nseveral='moreau:poisson'\n", "m.toml");
  EXPECT_EQ(ignores.notes,
            (std::vector<std::string>{
                "in impacts energetic (the default of motion.law) ignores tangential_restitution",
                "in impacts moreau:poisson ignores tangential_restitution"}));
  const auto honours = scenario::parse_motion(
      box + "[motion]\nend_time=1\nlaw='moreau'\nseveral='moreau'\n", "m.toml");
  EXPECT_TRUE(honours.notes.empty());
  try {
    (void)scenario::parse_motion(box + "[motion]\nend_time=1\nlaw='compliant'\n", "m.toml");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 68),
              "m.toml:18:5: motion.law: compliant needs surface.compliance_ratio, w");
  }
  EXPECT_TRUE(scenario::parse_motion(box + "compliance_ratio=1.2\n[motion]\nend_time=1\n"
                                           "law='compliant'\n",
                                     "m.toml")
                  .options.law != nullptr);
}

const std::string slab = R"([system]
type = "assembly"
floor = true
[[system.bodies]]
shape = "box"
mass = 1.0
length = 0.4
width = 0.2
position = [0.0, 0.6]
[surface]
restitution = 0.5
friction = 0.2
[motion]
end_time = 1.0
)";

// The same question as `solve` asks, before anything moves, and with a place in the file.
TEST(MotionReader, RefusesWhatNoLawInMotionCanUse) {
  const std::string couple =
      with(slab, "friction = 0.2", "friction = 0.2\nmoment_coefficients = 0.5");
  const std::string brach = complaint(couple + "law = \"brach\"\n");
  EXPECT_NE(brach.find("motion.law: brach cannot use surface.moment_coefficients of contact '"),
            std::string::npos)
      << brach;
  EXPECT_EQ(complaint(with(slab, "restitution = 0.5", "restitution = 1.5") + "law = \"brach\"\n"),
            "m.toml:11:15: surface.restitution: must be in [0, 1], got 1.5");
  const std::string ratio = complaint(slab + "law = \"compliant\"\n");
  EXPECT_NE(ratio.find("motion.law: compliant needs surface.compliance_ratio, which is not given"),
            std::string::npos)
      << ratio;
  const std::string sticky = with(slab, "friction = 0.2", "friction = 0.2\nstatic_friction = 0.3");
  const MotionScenario moreau = parse_motion(sticky + "law = \"moreau\"\n", "m.toml");
  EXPECT_EQ(moreau.notes,
            (std::vector<std::string>{"in impacts moreau ignores static_friction",
                                      "in impacts moreau (the default of motion.several) ignores "
                                      "static_friction"}));
  // Compliant contacts go through no law.
  const std::string springs =
      with(slab, "friction = 0.2", "friction = 0.2\nstiffness = 1e8\ntangential_restitution = 0.3");
  EXPECT_EQ(parse_motion(springs + "compliant = true\n", "m.toml").notes,
            (std::vector<std::string>{"a compliant contact ignores tangential_restitution"}));
}

const std::string rolling_ball = R"([system]
type = "space-assembly"
floor = true
[[system.bodies]]
name = "ball"
shape = "sphere"
mass = 1
radius = 0.1
position = [0, 0, 0.1]
[surface]
restitution = 0.5
friction = 0.3
rolling_friction = 0.002
drilling_friction = 0.001
[motion]
end_time = 1.0
)";

TEST(MotionReader, ReadsRollingAndDrillingFriction) {
  const MotionScenario s = parse_motion(rolling_ball, "m.toml");
  ASSERT_FALSE(s.surfaces.empty());
  EXPECT_EQ(s.surfaces[0].rolling_friction(), 0.002);
  EXPECT_EQ(s.surfaces[0].drilling_friction(), 0.001);
  // Laws of impact ignore it, which does not exclude them.
  ASSERT_EQ(s.notes.size(), 1U);
  EXPECT_EQ(s.notes[0],
            "in impacts energetic (the default of motion.law) ignores rolling_friction");
  EXPECT_EQ(complaint(with(rolling_ball, "0.002", "-0.002")),
            "m.toml:13:20: surface.rolling_friction: must be in [0, 1e60] m, got -0.002");
  EXPECT_NE(complaint(with(rolling_ball, "0.001", "0.001\nmoment_coefficients = [0, 0, 0]"))
                .find("must not stand beside moment_coefficients"),
            std::string::npos);
  EXPECT_NE(complaint(with(pendulum, "restitution = 0.5",
                           "restitution = 0.5\nfriction = 0.1\n"
                           "rolling_friction = 0.01"))
                .find("knows no relative spin"),
            std::string::npos);
}

TEST(MotionReader, DrillsInSpaceOnly) {
  const std::string disc = R"([system]
type = "assembly"
floor = true
[[system.bodies]]
name = "disc"
shape = "disc"
mass = 1
radius = 0.1
position = [0, 0.1]
[surface]
restitution = 0.5
friction = 0.3
rolling_friction = 0.002
[motion]
end_time = 1.0
)";
  EXPECT_EQ(parse_motion(disc, "m.toml").surfaces[0].rolling_friction(), 0.002);
  EXPECT_NE(complaint(with(disc, "rolling", "drilling")).find("surface.drilling_friction"),
            std::string::npos);
}

TEST(MotionReader, ReadsOptionsOfLaws) {
  const std::string stiff = with(slab, "friction = 0.2", "friction = 0.2\nstiffness = 1e8");
  const MotionScenario lzb =
      parse_motion(stiff + "[motion.solve]\ntolerance = 1e-6\nmost_steps = 40\n", "m.toml");
  EXPECT_EQ(lzb.options.several_options.tolerance, 1e-6);
  EXPECT_EQ(lzb.options.several_options.most_steps, 40U);
  EXPECT_EQ(lzb.options.law_options.tolerance, 0.);  // exact at one contact in the plane
  EXPECT_EQ(parse_motion(stiff + "[motion.solve]\neuler_steps = 500\n", "m.toml")
                .options.several_options.euler_steps,
            500U);
  EXPECT_EQ(parse_motion(slab + "[motion.solve]\nsolver = \"lemke\"\n", "m.toml")
                .options.several_options.solver,
            FrictionSolver::lemke);
  EXPECT_EQ(complaint(slab + "[motion.solve]\nmost_steps = 40\n"),
            "m.toml:16:14: motion.solve.most_steps: limits the steps of lzb, which is not the law "
            "of several contacts here");
  EXPECT_EQ(complaint(slab + "[motion.solve]\neuler_steps = 40\n"),
            "m.toml:16:15: motion.solve.euler_steps: is an option of lzb, not of moreau");
  EXPECT_EQ(complaint(stiff + "[motion.solve]\nmost_steps = 0\n").substr(0, 60),
            "m.toml:17:14: motion.solve.most_steps: must be a whole numbe");
}

// A pendulum that rests on a line, whose place has nine digits: the angle is corrected.
TEST(MotionReader, ClosesASmallGapOfALinkage) {
  for (const char* height : {"-0.866025404", "-0.866025403"}) {
    const MotionScenario s =
        parse_motion(with(pendulum, "[0, -2]", "[0, " + std::string(height) + "]"), "m.toml");
    EXPECT_GT(std::abs(s.model->gap(s.model->contact_id(0), s.start)), 1e-11);
    const motion::Progress p = motion::start(*s.model, s.start, s.surfaces, s.options);
    EXPECT_NEAR(s.model->gap(s.model->contact_id(0), p.state), 0., 1e-15);
    EXPECT_LT(std::abs(p.state.q(0) - s.start.q(0)), 2e-9);
  }
  const std::string refused = complaint(with(pendulum, "[0, -2]", "[0, -0.8659]"));
  EXPECT_NE(refused.find("by 0.000125403784"), std::string::npos) << refused;
  EXPECT_NE(refused.find("m would be closed; move them apart"), std::string::npos) << refused;
}

}  // namespace
}  // namespace carom::scenario
