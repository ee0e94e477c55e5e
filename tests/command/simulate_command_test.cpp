// SPDX-License-Identifier: Apache-2.0
// `carom simulate`: the log, files, going on after a stop, pictures, errors.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <command/process.hpp>

namespace carom::test {
namespace {

const std::string ball = R"(title = "A ball"
[system]
type = "assembly"
floor = true
[[system.bodies]]
name = "ball"
shape = "sphere"
mass = 0.1
radius = 0.02
position = [0, 1.02]
[surface]
restitution = 0.9
friction = 0.3
[motion]
end_time = 10.0
sample_interval = 0.05
)";

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

TEST(SimulateCommand, TellsTheStoryOfABallThatComesToRest) {
  const Finished f = run_carom("simulate '" + write_file("ball.toml", ball) + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  const auto lines = lines_of(f.out);
  EXPECT_EQ(lines.at(0), "A ball");
  // The first impact after sqrt(2 h/g), rest 2 e v0/(g (1 - e)) later.
  const double first = std::sqrt(2. / 9.81);
  EXPECT_NE(f.out.find("0.45152 s  ball-floor: impact"), std::string::npos) << f.out;
  EXPECT_NEAR(first, 0.451523641, 1e-9);
  const double rest = first * (1. + 2. * .9 / .1);
  EXPECT_NEAR(rest, 8.578949179, 1e-8);
  EXPECT_NE(f.out.find("8.57895 s  ball-floor: open -> stick (infinitely many impacts within"),
            std::string::npos)
      << f.out;
  EXPECT_EQ(lines.at(1), "Impacts: energetic.");
  // Three impacts, and a word about the others.
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(f.out, ": impact,"), 3U) << f.out;
  EXPECT_EQ(count(f.out, " more impacts by now, at ball-floor, energy "), 1U) << f.out;
  const Finished full = run_carom("simulate --full '" + write_file("ball.toml", ball) + "'");
  EXPECT_NE(full.out.find("0.451523641 s  ball-floor: impact"), std::string::npos) << full.out;
  EXPECT_GT(count(full.out, ": impact,"), 50U) << full.out;
  EXPECT_NE(f.out.find("In contact: ball-floor stick."), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("unaccounted for"), std::string::npos);
}

// Of many bodies and contacts the first and the largest are printed, with sums; --full prints all.
TEST(SimulateCommand, ManyBodiesAndContactsArePrintedInShort) {
  const Finished brief = run_carom("simulate motion/disc-pile --end 0.3");
  const Finished full = run_carom("simulate motion/disc-pile --end 0.3 --full");
  ASSERT_EQ(brief.code, 0) << brief.err;
  ASSERT_EQ(full.code, 0) << full.err;
  EXPECT_LT(lines_of(brief.out).size(), 70U) << brief.out;
  for (const auto& line : lines_of(brief.out)) EXPECT_LT(line.size(), 300U) << line;
  EXPECT_EQ(full.out.find(" more ...\n"), std::string::npos) << full.out;
  const auto value_after = [](const std::string& line) {
    return std::stod(line.substr(line.rfind(' ') + 1));
  };
  for (const std::string kind : {"impacts", "friction"}) {
    std::size_t rows = 0;
    double sum = 0.;
    double size = 0.;
    for (const auto& line : lines_of(full.out)) {
      if (!line.starts_with("  " + kind + " at ")) continue;
      ++rows;
      sum += value_after(line);
      size += std::abs(value_after(line));
    }
    EXPECT_GT(rows, 40U) << kind;
    std::size_t found = 0;
    std::size_t largest = 0;
    bool within = false;
    for (const auto& line : lines_of(brief.out)) {
      if (line.starts_with("  " + kind + " at ")) {
        EXPECT_NE(line.find(" contacts "), std::string::npos) << line;
        EXPECT_NEAR(value_after(line), sum, 1e-5 * size) << line;  // six digits are printed
        ++found;
      }
      within = line.starts_with("  " + kind) || (within && line.starts_with("    most at "));
      if (within && line.starts_with("    most at ")) ++largest;
    }
    EXPECT_EQ(found, 1U) << brief.out;
    EXPECT_EQ(largest, 3U) << brief.out;
  }
  // Twelve rows are the first four discs; 120 - 12 are left out.
  EXPECT_NE(brief.out.find("tiny 4.angle [rad]"), std::string::npos) << brief.out;
  EXPECT_EQ(brief.out.find("tiny 5.x [m]"), std::string::npos) << brief.out;
  EXPECT_NE(brief.out.find("... 108 more; --full prints all\n"), std::string::npos) << brief.out;
  EXPECT_NE(brief.out.find(" contacts, of which "), std::string::npos) << brief.out;
  EXPECT_NE(full.out.find("huge 10.angle [rad]"), std::string::npos) << full.out;
}

// `check` and `simulate` say the same of the laws, before anything moves.
TEST(SimulateCommand, CheckNotesWhatALawIgnores) {
  std::string text = ball;
  text.replace(text.find("friction = 0.3"), 14, "friction = 0.3\ntangential_restitution = 0.5");
  const std::string file = write_file("ball.toml", text);
  const std::string note =
      "in impacts energetic (the default of motion.law) ignores "
      "tangential_restitution";
  const Finished check = run_carom("check '" + file + "'");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_NE(check.out.find("note: " + note + "\n"), std::string::npos) << check.out;
  const Finished run = run_carom("simulate '" + file + "'");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Note: " + note + ".\n"), std::string::npos) << run.out;
}

TEST(SimulateCommand, SaysHowFastACompliantContactTouches) {
  std::string text = ball;
  text.replace(text.find("position = [0, 1.02]"), 20, "position = [0, 0.03]\nvelocity = [0, -1]");
  text.replace(text.find("friction = 0.3"), 14, "friction = 0.3\nstiffness = 1e6");
  text.replace(text.find("end_time = 10.0"), 15, "end_time = 0.05\ngravity = 0\ncompliant = true");
  const Finished f = run_carom("simulate '" + write_file("ball.toml", text) + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("ball-floor: open -> stick (touches at 1 m/s)"), std::string::npos) << f.out;
}

TEST(SimulateCommand, SaysThatGapsWereClosed) {
  std::string text = ball;
  text.replace(text.find("1.02]"), 5, "0.019999999]");
  const Finished f = run_carom("simulate '" + write_file("ball.toml", text) + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("s  start, ball-floor: open -> stick; small gaps at 1 contact closed, which "
                       "moved bodies by up to 1e-09 m"),
            std::string::npos)
      << f.out;
}

TEST(SimulateCommand, FilesHoldTrajectoryEventsAndEnergy) {
  const std::string file = write_file("ball.toml", ball);
  const std::string out = folder_of(file) + "/run";
  std::filesystem::remove_all(out);
  const Finished f = run_carom("simulate -q '" + file + "' --out '" + out + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.out, "");
  const auto rows = lines_of(read_file(out + "/trajectory.csv"));
  EXPECT_EQ(rows.at(0).find("time_s,side,q_ball.x_m,q_ball.y_m,q_ball.angle_rad,u_ball."), 0U)
      << rows.at(0);
  EXPECT_NE(rows.at(0).find("ball-floor_gap_m"), std::string::npos) << rows.at(0);
  EXPECT_GE(rows.size(), 200U);
  const auto events = lines_of(read_file(out + "/events.csv"));
  EXPECT_EQ(events.at(1).find("0,start,"), 0U) << events.at(1);
  EXPECT_NE(events.at(2).find(",impact,ball-floor,open,open,"), std::string::npos) << events.at(2);
  EXPECT_NE(read_file(out + "/energy.csv").find("kinetic_end,0\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::file_size(out + "/trajectory.h5") > 1000);
}

TEST(SimulateCommand, DoesNotWriteOverARunUnasked) {
  const std::string file = write_file("ball.toml", ball);
  const std::string out = folder_of(file) + "/kept";
  std::filesystem::remove_all(out);
  const std::string command = "simulate -q '" + file + "' --end 1 --out '" + out + "'";
  ASSERT_EQ(run_carom(command).code, 0);
  const std::string before = read_file(out + "/trajectory.csv");
  const Finished again = run_carom("simulate -q '" + file + "' --end 2 --out '" + out + "'");
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(lines_of(again.err).size(), 1U) << again.err;
  EXPECT_NE(again.err.find("holds a run already; --force writes over it"), std::string::npos)
      << again.err;
  EXPECT_EQ(read_file(out + "/trajectory.csv"), before);
  const Finished forced =
      run_carom("simulate -q '" + file + "' --end 2 --force --out '" + out + "'");
  ASSERT_EQ(forced.code, 0) << forced.err;
  EXPECT_GT(read_file(out + "/trajectory.csv").size(), before.size());
  for (const std::string option : {"--force", "--checkpoint 3"}) {
    const Finished f = run_carom("simulate '" + file + "' " + option);
    EXPECT_EQ(f.code, 2);
    EXPECT_NE(f.err.find(" needs --out"), std::string::npos) << f.err;
  }
}

// What is the same before and after is not printed, and laws are named where the file does not.
TEST(SimulateCommand, LogIsForReaders) {
  const Finished f = run_carom("simulate examples/motion/rocking-block.toml");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.out.find("stick -> stick"), std::string::npos) << f.out;
  EXPECT_EQ(f.out.find("e-17"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("block-floor 1 stick, block-floor 2 stick."), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("; several contacts: moreau.\n"), std::string::npos) << f.out;
  std::string file = read_file(std::string(CAROM_SOURCE_DIR "/examples/motion/rocking-block.toml"));
  const std::string named = "several = \"moreau\"";
  file.replace(file.find(named), named.size(), "");
  const Finished unnamed = run_carom("simulate '" + write_file("block.toml", file) + "'");
  EXPECT_NE(unnamed.out.find("moreau (the default where no stiffness is given).\n"),
            std::string::npos)
      << unnamed.out;
}

TEST(SimulateCommand, GoesOnToTheSameBits) {
  const std::string file = write_file("ball.toml", ball);
  const std::string whole = folder_of(file) + "/whole";
  const std::string parts = folder_of(file) + "/parts";
  for (const auto& d : {whole, parts}) std::filesystem::remove_all(d);
  ASSERT_EQ(run_carom("simulate -q '" + file + "' --end 4 --out '" + whole + "'").code, 0);
  ASSERT_EQ(run_carom("simulate -q '" + file + "' --end 2 --out '" + parts + "'").code, 0);
  const Finished f = run_carom("simulate -q '" + file + "' --end 4 --resume '" + parts + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  const Finished back = run_carom("simulate '" + file + "' --end 3 --resume '" + parts + "'");
  EXPECT_EQ(back.code, 2);
  EXPECT_EQ(back.err, "carom: error: --end: must not be before 4 s, which the run in '" + parts +
                          "' has already reached; got 3\n");
  const Finished nothing = run_carom("simulate '" + file + "' --end 4 --resume '" + parts +
                                     "' --plot '" + parts + "/x.svg'");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err,
            "carom: error: --plot: draws what is computed, and the run in '" + parts +
                "' has already reached 4 s; go on with --end above that, or leave out --resume to "
                "compute and draw the whole run\n");
  std::string heavier = ball;
  heavier.replace(heavier.find("mass = 0.1"), 10, "mass = 0.2");
  const Finished other = run_carom("simulate -q '" + write_file("heavier.toml", heavier) +
                                   "' --resume '" + parts + "'");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--resume: was begun with another scenario"), std::string::npos)
      << other.err;
  const auto last_line = [](const std::string& name) { return lines_of(read_file(name)).back(); };
  EXPECT_EQ(last_line(whole + "/trajectory.csv"), last_line(parts + "/trajectory.csv"));
  const auto state = [&](const std::string& d) {
    const auto lines = lines_of(read_file(d + "/progress.toml"));
    return lines.at(2) + lines.at(3) + lines.at(4);
  };
  EXPECT_EQ(state(whole), state(parts));
}

/// The files of a run.
const std::vector<std::string> run_files = {"trajectory.csv", "contacts.csv",  "events.csv",
                                            "energy.csv",     "trajectory.h5", "progress.toml"};

void expect_same_run(const std::string& whole, const std::string& other) {
  for (const std::string& file : run_files) {
    EXPECT_TRUE(read_file(whole + "/" + file) == read_file(other + "/" + file))
        << other << "/" << file;
  }
}

// A run in two parts leaves the files of one run, byte by byte.
TEST(SimulateCommand, ALaterEndLeavesTheFilesOfOneRun) {
  const std::string file = write_file("ball.toml", ball);
  const std::string whole = folder_of(file) + "/one";
  const std::string parts = folder_of(file) + "/two";
  for (const auto& d : {whole, parts}) std::filesystem::remove_all(d);
  ASSERT_EQ(run_carom("simulate -q '" + file + "' --end 4 --out '" + whole + "'").code, 0);
  ASSERT_EQ(run_carom("simulate -q '" + file + "' --end 1.23 --out '" + parts + "'").code, 0);
  EXPECT_EQ(run_carom("simulate -q '" + file + "' --end 4 --resume '" + parts + "'").code, 0);
  expect_same_run(whole, parts);
  // Nor does it change when it is resumed at its end.
  EXPECT_EQ(run_carom("simulate -q '" + file + "' --end 4 --resume '" + parts + "'").code, 0);
  expect_same_run(whole, parts);
  // Options stay those of the run.
  for (const auto& d : {whole, parts}) std::filesystem::remove_all(d);
  const std::string options = " --every 0.03 --tolerance 1e-7";
  ASSERT_EQ(
      run_carom("simulate -q '" + file + "'" + options + " --end 10 --out '" + whole + "'").code,
      0);
  ASSERT_EQ(
      run_carom("simulate -q '" + file + "'" + options + " --end 2 --out '" + parts + "'").code, 0);
  EXPECT_EQ(run_carom("simulate -q '" + file + "' --resume '" + parts + "'").code, 0);
  expect_same_run(whole, parts);
}

/// A run that is killed at any moment is resumed to the same bytes. CAROM_KILLS: how many kills.
void kill_and_resume(const std::string& example, const std::string& options) {
  const char* asked = std::getenv("CAROM_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 5;
  const std::string file = CAROM_SOURCE_DIR "/examples/motion/" + example;
  const std::string base = folder_of(write_file("marker", ""));
  const std::string whole = base + "/whole";
  const std::string killed = base + "/killed";
  std::filesystem::remove_all(whole);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_carom("simulate -q '" + file + "'" + options + "--out '" + whole + "'").code, 0);
  const std::chrono::duration<double> takes = std::chrono::steady_clock::now() - begin;
  std::mt19937 random(20261117);
  int done = 0;
  int runs = 0;
  while (done < kills) {
    ASSERT_LT(++runs, 10 + 4 * kills) << "runs end before they are killed";
    std::filesystem::remove_all(killed);
    // Checkpoints so often that most kills come between them, and some while they are written. A
    // run is killed up to three times.
    const std::string begins = options + "--checkpoint 0.02 --out '" + killed + "'";
    const std::string goes_on = options + "--checkpoint 0.02 --resume '" + killed + "'";
    int of_run = 0;
    for (; of_run < 3; ++of_run) {
      const bool there = std::filesystem::exists(killed);
      std::uniform_real_distribution<double> when(0., 0.6 * takes.count());
      const Finished f = run_shell("timeout -s KILL " + std::to_string(when(random)) +
                                   " '" CAROM_COMMAND_FILE "' simulate -q '" + file + "'" +
                                   (there ? goes_on : begins));
      if (f.code == 0) break;
      ASSERT_TRUE(f.code == 137 || f.code == -1) << f.code << f.err;
      ++done;
    }
    const bool there = std::filesystem::exists(killed);
    const Finished f = run_carom("simulate -q '" + file + "'" + (there ? goes_on : begins));
    ASSERT_EQ(f.code, 0) << f.err;
    expect_same_run(whole, killed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SimulateCommand, AKilledRunIsResumedToTheSameBytes) {
  kill_and_resume("dice.toml", " --every 2e-4 --tolerance 1e-13 ");
}

TEST(SimulateCommand, AKilledRunOfStepsIsResumedToTheSameBytes) {
  kill_and_resume("domino-row.toml", " --every 2e-3 ");
}

// The method and the step are those that the run was begun with.
TEST(SimulateCommand, AResumedRunKeepsItsMethod) {
  const std::string file = write_file("ball.toml", ball);
  const std::string whole = folder_of(file) + "/steps";
  const std::string parts = folder_of(file) + "/steps-in-parts";
  for (const auto& d : {whole, parts}) std::filesystem::remove_all(d);
  const std::string begins = "simulate -q '" + file + "' --method stepping --step 0.015625 --out '";
  ASSERT_EQ(run_carom(begins + whole + "' --end 4").code, 0);
  ASSERT_EQ(run_carom(begins + parts + "' --end 2").code, 0);
  const std::string resumes = "simulate -q '" + file + "' --resume '" + parts + "' --end 4";
  const Finished other = run_carom(resumes + " --method events");
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.err, "carom: error: --method: the run in '" + parts +
                           "' was begun with stepping, with which it goes on; got 'events'\n");
  const Finished f = run_carom(resumes);
  ASSERT_EQ(f.code, 0) << f.err;
  expect_same_run(whole, parts);
  // Nor does it change when it is resumed at its end, where contacts slip.
  for (const auto& d : {whole, parts}) std::filesystem::remove_all(d);
  const std::string dominoes =
      "simulate -q '" CAROM_SOURCE_DIR "/examples/motion/domino-row.toml' --end 0.25 ";
  for (const auto& d : {whole, parts}) {
    ASSERT_EQ(run_carom(dominoes + "--out '" + d + "'").code, 0);
  }
  EXPECT_EQ(run_carom(dominoes + "--resume '" + parts + "'").code, 0);
  expect_same_run(whole, parts);
}

TEST(SimulateCommand, SteppingIsReported) {
  const std::string file = write_file("ball.toml", ball);
  const Finished f = run_carom("simulate '" + file + "' --end 1 --method stepping --step 1e-3");
  ASSERT_EQ(f.code, 0) << f.err;
  const auto has = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  EXPECT_EQ(lines_of(f.out).at(2),
            "Method: stepping, steps of 0.001 s, no restitution up to 0.01962 m/s.");
  EXPECT_TRUE(has(f.out,
                  "\nStepping: 1000 steps, 0 shortened; 0 islands repeated with less "
                  "restitution, 0 not converged.\n"))
      << f.out;
  EXPECT_TRUE(has(f.out, "\n  position corrections ")) << f.out;
  const Finished json =
      run_carom("simulate -q '" + file + "' --end 1 --method stepping --step 1e-3 --json");
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_TRUE(has(json.out, R"("method":"stepping","stepping":{"step":0.001,"rest_speed":0.0196)"));
  EXPECT_TRUE(has(json.out, R"(,"residual":1e-09,"steps":1000,"shortened":0,"islands_repeated":0,)"
                            R"("islands_not_converged":0,"sweeps":0,"islands_by_matrix":0})"))
      << json.out;
  EXPECT_TRUE(has(json.out, R"({"name":"position corrections","values":[0,)")) << json.out;
  // Events say nothing of steps.
  const Finished events = run_carom("simulate '" + file + "' --end 1");
  EXPECT_FALSE(has(events.out, "tepping")) << events.out;
  EXPECT_FALSE(has(events.out, "corrections")) << events.out;
  const Finished both = run_carom("simulate -q '" + file + "' --end 1 --json");
  EXPECT_TRUE(has(both.out, R"("method":"auto"})")) << both.out;
  // energy.csv has all rows.
  const std::string out = folder_of(file) + "/account";
  std::filesystem::remove_all(out);
  ASSERT_EQ(
      run_carom("simulate -q '" + file + "' --end 1 --method stepping --out '" + out + "'").code,
      0);
  EXPECT_TRUE(has(read_file(out + "/energy.csv"), "\nposition_corrections,"));
}

// Within a second, however long the work is: many samples in one flight; a long search; and what
// was computed so far is there.
TEST(SimulateCommand, SignalsEndARunWithinASecond) {
  std::string flight = ball;
  flight.replace(flight.find("end_time = 10.0"), 15, "end_time = 1e6\ngravity = 1e-9");
  flight.replace(flight.find("sample_interval = 0.05"), 22, "sample_interval = 0.1");
  const std::string file = write_file("flight.toml", flight);
  const std::string out = folder_of(file) + "/stopped";
  for (const std::string signal : {"INT", "TERM"}) {
    std::filesystem::remove_all(out);
    const auto begin = std::chrono::steady_clock::now();
    const Finished f =
        run_shell("timeout -s " + signal + " 0.7 '" CAROM_COMMAND_FILE "' simulate '" + file +
                  "' --out '" + out + "'; exit $?");
    const std::chrono::duration<double> takes = std::chrono::steady_clock::now() - begin;
    // timeout reports 124 for a command that it stopped.
    EXPECT_EQ(f.code, 124) << f.err;
    EXPECT_LT(takes.count(), 0.7 + 1.) << signal;
    EXPECT_NE(f.err.find("carom: error: interrupted; carom simulate " + file + " --resume " + out +
                         " goes on"),
              std::string::npos)
        << f.err;
    const auto rows = lines_of(read_file(out + "/trajectory.csv"));
    EXPECT_GT(rows.size(), 100U);
    EXPECT_TRUE(std::filesystem::exists(out + "/trajectory.h5"));
    EXPECT_NE(f.out.find("stopped."), std::string::npos) << f.out;
  }
}

// JSON is written at the end: of many samples those of a run that was stopped are thinned. That is
// judged by what is written, not by time.
TEST(SimulateCommand, AStoppedRunPrintsAShortRecord) {
  std::string flight = ball;
  flight.replace(flight.find("end_time = 10.0"), 15, "end_time = 1e6\ngravity = 1e-9");
  flight.replace(flight.find("sample_interval = 0.05"), 22, "sample_interval = 0.1");
  const std::string file = write_file("flight.toml", flight);
  const Finished f =
      run_shell("timeout -s INT 1 '" CAROM_COMMAND_FILE "' simulate -q --json '" + file + "'");
  EXPECT_EQ(f.code, 124) << f.err;
  EXPECT_LT(f.out.size(), 60'000'000U);
  EXPECT_NE(f.out.find("\"ending\":\"stopped\""), std::string::npos);
  EXPECT_NE(f.out.find("\"samples_left_out\":"), std::string::npos);
  EXPECT_EQ(f.out.find("\"samples_left_out\":0,"), std::string::npos);
  EXPECT_EQ(f.out.substr(f.out.size() - 2), "}\n");
}

// The same between steps of a given length; what was computed is that of a run that was not
// stopped.
TEST(SimulateCommand, SignalsEndARunOfSteps) {
  const std::string folder = folder_of(write_file("ball.toml", ball));
  const std::string out = folder + "/stopped-steps";
  std::filesystem::remove_all(out);
  const std::string simulate = "'" CAROM_COMMAND_FILE "' simulate '" CAROM_SOURCE_DIR
                               "/examples/motion/disc-pile.toml' --every 2e-4 --step 1e-4 ";
  const auto begin = std::chrono::steady_clock::now();
  const Finished f =
      run_shell("timeout -s INT 0.7 " + simulate + "--end 100 --out '" + out + "'; exit $?");
  const std::chrono::duration<double> takes = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(f.code, 124) << f.err;
  EXPECT_LT(takes.count(), 0.7 + 1.);
  EXPECT_NE(f.err.find("carom: error: interrupted; carom simulate "), std::string::npos) << f.err;
  const auto stopped = lines_of(read_file(out + "/trajectory.csv"));
  ASSERT_GT(stopped.size(), 100U);
  EXPECT_TRUE(std::filesystem::exists(out + "/trajectory.h5"));
  // All rows but the last, which is where it was stopped.
  const std::string time =
      stopped[stopped.size() - 2].substr(0, stopped[stopped.size() - 2].find(','));
  const Finished whole = run_shell(simulate + "-q --csv --end " + time);
  const auto rows = lines_of(whole.out);
  ASSERT_GE(rows.size(), stopped.size() - 1);
  for (std::size_t k = 0; k + 1 < stopped.size(); ++k) ASSERT_EQ(stopped[k], rows[k]) << k;
}

// The last instant, and both sides of each event.
TEST(SimulateCommand, TheTrajectoryHasTheEndAndBothSidesOfEvents) {
  const std::string file = write_file("ball.toml", ball);
  const Finished f = run_carom("simulate -q '" + file + "' --end 0.7 --every 0.1 --csv");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.err, "");
  std::vector<std::string> begins;
  for (const std::string& line : lines_of(f.out)) {
    begins.push_back(line.substr(0, line.find(',', line.find(',') + 1)));
  }
  const std::vector<std::string> expected = {"time_s,side",
                                             "0,",
                                             "0.1,",
                                             "0.2,",
                                             "0.30000000000000004,",
                                             "0.4,",
                                             "0.4515236409857309,before",
                                             "0.4515236409857309,after",
                                             "0.5,",
                                             "0.6000000000000001,",
                                             "0.7,"};
  EXPECT_EQ(begins, expected);
}

TEST(SimulateCommand, WholeMotionAsJson) {
  const std::string file = write_file("ball.toml", ball);
  const std::string out = folder_of(file) + "/run";
  std::filesystem::remove_all(out);
  const Finished f =
      run_carom("simulate '" + file + "' --end 1 --every 0.1 --json --out '" + out + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  ASSERT_EQ(lines_of(f.out).size(), 1U);
  const auto has = [&](const std::string& what) { return f.out.find(what) != std::string::npos; };
  EXPECT_TRUE(has(R"({"title":"A ball","system":"assembly","dimensions":2,"time":[0,)")) << f.out;
  EXPECT_TRUE(has(R"("side":["","before","after","","","","","before","after",)")) << f.out;
  EXPECT_TRUE(has(R"("force":[[)"));
  EXPECT_TRUE(has(R"("gap":[)"));
  EXPECT_TRUE(has(R"("picture":{"kind":"motion")"));
  // The final state is that from which the run can be resumed, with all digits.
  const auto lines = lines_of(read_file(out + "/progress.toml"));
  std::string q = lines.at(3).substr(5, lines.at(3).size() - 6);
  for (std::size_t at = 0; (at = q.find(' ')) != std::string::npos;) q.erase(at, 1);
  for (std::size_t at = 0; (at = q.find(".0,")) != std::string::npos;) q.erase(at, 2);
  if (q.ends_with(".0")) q.resize(q.size() - 2);
  EXPECT_TRUE(has(
      R"("final":{"time":1,"ending":"time","reason":"","failure":"none","positions":[)" + q + "]"))
      << q << f.out;
  // So has the summary, which goes to standard error.
  const std::string y = q.substr(q.find(',') + 1, q.rfind(',') - q.find(',') - 1);
  EXPECT_GE(y.size(), 15U);
  EXPECT_NE(f.err.find(" " + y + " "), std::string::npos) << y << f.err;
  const Finished both = run_carom("simulate '" + file + "' --json --csv");
  EXPECT_EQ(both.code, 2);
}

// In space orientations are also roll, pitch and yaw.
TEST(SimulateCommand, AttitudesInSpace) {
  const Finished csv =
      run_carom("simulate -q examples/motion/billiards.toml --end 0.1 --every 0.05 --csv");
  ASSERT_EQ(csv.code, 0) << csv.err;
  EXPECT_NE(csv.out.find(",cue.roll_rad,cue.pitch_rad,cue.yaw_rad,"), std::string::npos)
      << lines_of(csv.out).at(0);
  const Finished json =
      run_carom("simulate -q examples/motion/billiards.toml --end 0.1 --every 0.05 --json");
  ASSERT_EQ(json.code, 0) << json.err;
  for (const char* part : {R"("roll":[)", R"("pitch":[)", R"("yaw":[)"}) {
    EXPECT_NE(json.out.find(part), std::string::npos) << part;
  }
}

// Every example in the help is run. Pictures do not overwrite each other.
TEST(SimulateCommand, TheExamplesOfTheHelpWork) {
  const std::string folder = folder_of(write_file("marker", ""));
  const Finished help = run_carom("simulate --help");
  std::size_t count = 0;
  std::filesystem::remove_all(folder + "/dice");
  for (const std::string& line : lines_of(help.out)) {
    const auto at = line.find("  carom simulate ");
    if (at != 0) continue;
    ++count;
    const Finished f = run_shell("cd '" + folder + "' && '" CAROM_COMMAND_FILE "' " +
                                 line.substr(std::string("  carom ").size()));
    EXPECT_EQ(f.code, 0) << line << f.err;
  }
  EXPECT_GE(count, 6U);
  for (const char* made : {"dice.csv", "block.svg", "block.gif", "block.svg.json", "block.gif.json",
                           "dice.svg", "dice.pvd", "dice/trajectory.h5"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + made)) << made;
  }
}

// Each picture has its own record and script, so that they do not overwrite each other.
TEST(SimulateCommand, PicturesOfThePlaneAndOfSpace) {
  const std::string file = write_file("ball.toml", ball);
  const std::string base = folder_of(file) + "/ball";
  const Finished f = run_carom("simulate '" + file + "' --end 1 --plot '" + base +
                               ".svg' --animate '" + base + ".gif'");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(read_file(base + ".svg").substr(0, 5), "<?xml");
  EXPECT_EQ(read_file(base + ".gif").substr(0, 6), "GIF89a");
  EXPECT_NE(read_file(base + ".svg.json").find("\"kind\":\"motion\""), std::string::npos);
  EXPECT_NE(read_file(base + ".gif.json").find("\"kind\":\"animation\""), std::string::npos);
  for (const std::string picture : {".svg", ".gif"}) {
    EXPECT_NE(f.err.find("carom: wrote " + base + picture + ", with " + base + picture +
                         ".json and " + base + picture + ".py\n"),
              std::string::npos)
        << f.err;
  }
  const Finished space = run_carom(
      "simulate -q examples/motion/billiards.toml --end 0.2 --animate '" + base + ".pvd'");
  ASSERT_EQ(space.code, 0) << space.err;
  EXPECT_NE(read_file(base + ".pvd").find("ball/frame-0001.vtp"), std::string::npos);
  EXPECT_NE(read_file(base + "/frame-0000.vtp").find("<Polys>"), std::string::npos);
}

// Records of what was asked for; nothing is drawn, as no interpreter is found.
TEST(SimulateCommand, PicturesShowWhatIsAskedFor) {
  const std::string base = folder_of(write_file("marker", ""));
  const auto record_of = [&](const std::string& name, const std::string& arguments) {
    const std::string picture = base + "/" + name + ".svg";
    std::filesystem::remove(picture + ".json");
    const Finished f =
        run_shell("cd '" CAROM_SOURCE_DIR "' && CAROM_PYTHON=/nowhere/python3 '" CAROM_COMMAND_FILE
                  "' simulate " +
                  arguments + " --plot '" + picture + "'");
    EXPECT_EQ(f.code, 1) << f.err;
    EXPECT_NE(f.err.find("install python3 python3-numpy python3-matplotlib"), std::string::npos)
        << f.err;
    EXPECT_FALSE(std::filesystem::exists(picture));
    EXPECT_TRUE(std::filesystem::exists(picture + ".py"));
    return read_file(picture + ".json");
  };
  const auto has = [](const std::string& record, const std::string& what) {
    return record.find(what) != std::string::npos;
  };
  const std::string block = record_of("block", "examples/motion/rocking-block.toml --end 0.3");
  EXPECT_TRUE(has(block, R"("views":["scene","positions","contacts","energy"])"));
  EXPECT_TRUE(has(block, R"("positions":["block.x","block.y","block.angle"])"));
  EXPECT_TRUE(has(block, R"("note":"")"));

  const std::string billiards = "examples/motion/billiards.toml --end 0.3";
  const std::string many = record_of("many", billiards);
  EXPECT_TRUE(has(many, R"("views":["scene","top","positions","contacts","energy"])"));
  EXPECT_TRUE(has(many, R"("note":"shown: 6 of 12 positions and the velocities of 2 of )"));

  const std::string contacts = record_of("many", billiards + " --show contacts");
  EXPECT_TRUE(has(contacts, R"("note":"shown: the velocities of 2 of )"));
  const std::string chosen = record_of("many", billiards + " --show 3,cue.x,cue-floor");
  EXPECT_TRUE(has(chosen, R"("note":"")"));
  EXPECT_TRUE(has(chosen, R"("views":["positions","contacts","energy"])"));
  EXPECT_TRUE(
      has(chosen, R"("positions":["3.x","3.y","3.z","3.q_w","3.q_x","3.q_y","3.q_z","cue.x"])"));
  EXPECT_TRUE(has(chosen, R"("contacts":["3-floor","cue-floor"])"));
  EXPECT_TRUE(has(chosen, R"("bodies":["3"],"times":[]})"));

  const std::string views =
      record_of("many", billiards + " --show path,cue,cue.spin_x --at 0.1,0.2");
  EXPECT_TRUE(has(views, R"("views":["path","positions"])"));
  EXPECT_TRUE(has(views, R"("velocities":["cue.spin_x"])"));
  EXPECT_TRUE(has(views, R"("bodies":["cue"],"times":[0.1,0.2]})"));

  // A name of the scenario comes before a view.
  std::string top = ball;
  top.replace(top.find("name = \"ball\""), 13, "name = \"scene\"");
  const std::string named =
      record_of("named", "'" + write_file("top.toml", top) + "' --end 1 --show scene");
  EXPECT_TRUE(has(named, R"("views":["positions","contacts","energy"])"));
  EXPECT_TRUE(has(named, R"("positions":["scene.x","scene.y","scene.angle"])"));
}

// Pictures that fail cost neither the log nor each other's records.
TEST(SimulateCommand, PicturesThatFailLeaveLogAndRecords) {
  const std::string base = folder_of(write_file("failing", ""));
  for (const char* ending : {"/f.svg.json", "/f.gif.json"}) std::filesystem::remove(base + ending);
  const Finished f =
      run_shell("cd '" CAROM_SOURCE_DIR "' && CAROM_PYTHON=/nowhere/python3 '" CAROM_COMMAND_FILE
                "' simulate examples/motion/bouncing-ball.toml --plot '" +
                base + "/f.svg' --animate '" + base + "/f.gif'");
  EXPECT_EQ(f.code, 1);
  EXPECT_NE(f.out.find("unaccounted for"), std::string::npos) << f.out;
  for (const char* ending : {"/f.svg.json", "/f.gif.json"}) {
    EXPECT_TRUE(std::filesystem::exists(base + ending)) << ending;
  }
}

TEST(SimulateCommand, WrongInputIsOneLine) {
  const auto refused = [](const std::string& text, const std::string& more,
                          const std::string& what) {
    const Finished f = run_carom("simulate '" + write_file("bad.toml", text) + "' " + more);
    EXPECT_EQ(f.code, 2) << what;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    EXPECT_NE(f.err.find(what), std::string::npos) << f.err;
  };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = ball;
    return text.replace(text.find(from), from.size(), to);
  };
  refused(with("[0, 1.02]", "[0, 0.01]"), "",
          "bodies overlap at the start, at the contact 'ball-floor' by 0.01 m");
  refused(with("mass = 0.1", "mass = 0"), "", "mass");
  refused(with("sample_interval = 0.05", "sample_interval = 1e-12"), "",
          "bad.toml:16:19: motion.sample_interval: must be at least end_time/most_samples = 10 "
          "s/10000000 = 1e-06 s, got 1e-12; set most_samples to allow more");
  refused(ball, "--every 1e-12", "--every: samples must be at least end_time/most_samples = 10 ");
  refused(ball, "--end 1e9", "--end: samples must be at least end_time/most_samples = ");
  refused(with("sample_interval = 0.05", "most_samples = 0"), "", "motion.most_samples");
  refused(with("end_time", "end_tim"), "", "did you mean 'end_time'?");
  refused(ball, "--resume /tmp/carom-nowhere", "--resume: has no progress.toml");
  refused(ball, "--end -1", "--end: must be above 0 s");
  refused(ball, "--method steping", "--method: unknown method 'steping'; did you mean 'stepping'?");
  refused(ball, "--method stepping --step 0", "--step: must be above 0 s, got 0");
  refused(ball, "--method events --step 1e-3",
          "--step: is for --method stepping; events have no step");
  refused(with("sample_interval = 0.05", "several = \"moreau:poisson\""), "--method stepping",
          "bad.toml:16:11: motion.several: must be \"moreau\" where method is \"stepping\"");
  refused(ball, "--plot ball.bmp", "--plot: must name a file that ends in .svg, .png or .pdf");
  refused(ball, "--plot ball.svg --show ball.w",
          "--show: unknown position, velocity, contact, body or view 'ball.w'; did you mean");
  refused(ball, "--plot ball.svg --show top", "--show: top is for motions in space");
  refused(ball, "--show ball", "--show: is for --plot");
  refused(ball, "--at 1", "--at: is for --plot");
  refused(ball, "--plot ball.svg --at 11", "--at: must be in [0, 10] s, got 11");
  refused(ball, "--animate ball.avi",
          "--animate: must name a file that ends in .gif, .mp4 or .pvd");
  refused(ball, "--animate ball.pvd",
          "--animate: a series for ParaView (.pvd) is for motions in space");
}

TEST(SimulateCommand, CheckTakesFilesThatMove) {
  const Finished f = run_carom("check '" + write_file("ball.toml", ball) + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("ok: assembly that moves, 1 candidate contacts"), std::string::npos)
      << f.out;
}

}  // namespace
}  // namespace carom::test
