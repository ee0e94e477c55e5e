// SPDX-License-Identifier: Apache-2.0
// `carom sweep` and `carom merge`: results that do not depend on who computed them, files, errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

/// Angles are read anew for each point, so that this takes a while: on one thread 25 us a sample.
const std::string slow_sweep =
    "bar --vary system.angle_deg=uniform:100:140 --vary surface.friction=normal:0.3:0.1:0: "
    "--law poisson,moreau --show energy_change,mode --seed 7 --indices --samples ";

std::string folder() {
  const fs::path dir = fs::path(write_file("sweep", "")).replace_extension("d");
  fs::remove_all(dir);
  fs::create_directories(dir);
  return dir.string();
}

void expect_equal(const std::string& a, const std::string& b) {
  const std::string text = read_file(a);
  EXPECT_GT(text.size(), 1000U) << a;
  EXPECT_TRUE(text == read_file(b)) << a << " and " << b << " differ";
}

Finished sweep(const std::string& arguments) { return run_carom("sweep " + arguments); }

TEST(SweepCommand, ThreadsPartsAndRanksWriteTheSameFile) {
  const std::string dir = folder();
  const auto out = [&](const std::string& name) { return "'" + dir + "/" + name + "'"; };
  const Finished one = sweep(slow_sweep + "8192 --threads 1 --out " + out("one.h5"));
  ASSERT_EQ(one.code, 0) << one.err;
  const Finished many = sweep(slow_sweep + "8192 --threads 8 --out " + out("many.h5"));
  EXPECT_EQ(many.out, one.out);
  expect_equal(dir + "/one.h5", dir + "/many.h5");
  EXPECT_FALSE(fs::exists(dir + "/one.h5.part"));
  for (const char* part : {"2", "3", "1"}) {
    const Finished f =
        sweep(slow_sweep + "8192 --shard " + part + "/3 --out " + out(std::string(part) + ".part"));
    ASSERT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(f.out, "");
  }
  const Finished lacking = run_carom("merge " + out("1.part") + " " + out("3.part"));
  EXPECT_EQ(lacking.code, 2);
  EXPECT_NE(lacking.err.find("these parts lack"), std::string::npos) << lacking.err;
  const Finished merged = run_carom("merge " + out("3.part") + " " + out("1.part") + " " +
                                    out("2.part") + " --out " + out("merged.h5"));
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, one.out);
  expect_equal(dir + "/one.h5", dir + "/merged.h5");
#ifdef CAROM_MPI
  const std::string ranks =
      "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
      "--oversubscribe -n 4 '" CAROM_COMMAND_FILE "' sweep ";
  const Finished four = run_shell(ranks + slow_sweep + "8192 --out " + out("ranks.h5") + " -q");
  EXPECT_EQ(four.code, 0) << four.err;
  EXPECT_EQ(four.out, one.out);
  expect_equal(dir + "/one.h5", dir + "/ranks.h5");
  const Finished wrong = run_shell(ranks + "bar --vary surface.friction=0:1 --show nothing");
  EXPECT_NE(wrong.code, 0);
  const std::string complaint = "unknown quantity 'nothing'";
  const auto at = wrong.err.find(complaint);
  EXPECT_NE(at, std::string::npos) << wrong.err;
  EXPECT_EQ(wrong.err.find(complaint, at + 1), std::string::npos) << "said by each rank";
#endif
}

TEST(SweepCommand, ARunKilledFiveTimesAndResumedWritesTheSameFile) {
  const std::string dir = folder();
  const std::string whole = dir + "/whole.h5";
  const std::string killed = dir + "/killed.h5";
  const std::string samples = "100000";  // of which five short runs compute a part
  ASSERT_EQ(sweep(slow_sweep + samples + " --out '" + whole + "'").code, 0);
  int kills = 0;
  for (const char* seconds : {"0.1", "0.15", "0.2", "0.25", "0.3"}) {
    const Finished f =
        run_shell(std::string("timeout -s KILL ") + seconds + " '" CAROM_COMMAND_FILE "' sweep " +
                  slow_sweep + samples + " --threads 1 --resume --out '" + killed + "'");
    kills += f.code != 0 ? 1 : 0;
    if (f.code == 0) break;
  }
  EXPECT_EQ(kills, 5) << "the sweep ended too early for this test";
  EXPECT_TRUE(fs::exists(killed + ".part"));
  EXPECT_FALSE(fs::exists(killed));
  const Finished refused = sweep(slow_sweep + samples + " --out '" + killed + "'");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--resume goes on with it"), std::string::npos) << refused.err;
  const Finished other = sweep(slow_sweep + samples + " --bins 12 --resume --out '" + killed + "'");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("other options"), std::string::npos) << other.err;
  const Finished f = sweep(slow_sweep + samples + " --resume --out '" + killed + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  expect_equal(whole, killed);
}

TEST(SweepCommand, AMillionSamplesAreCountedInBins) {
  const std::string dir = folder();
  const std::string arguments =
      "bar --vary surface.friction=uniform:0.1:0.5 --law poisson --show energy_change,slip "
      "--samples 2e6 --method random -q";
  const Finished one = sweep(arguments + " --threads 1 --out '" + dir + "/one.h5'");
  const Finished many = sweep(arguments + " --threads 4 --out '" + dir + "/many.h5'");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, many.out);
  expect_equal(dir + "/one.h5", dir + "/many.h5");
}

TEST(SweepCommand, RowsAndStatisticsAreWrittenAsCsv) {
  const Finished rows = sweep(
      "bar --vary surface.friction=0.1,0.5 --vary system.angle_deg=110:130:3 --law poisson --show "
      "energy_change,mode --csv -");
  EXPECT_EQ(rows.code, 0) << rows.err;
  const auto lines = lines_of(rows.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0],
            "surface.friction,system.angle_deg [deg],energy_change (poisson) [J],mode (poisson)");
  EXPECT_TRUE(lines[1].starts_with("0.1,110,-0.")) << lines[1];
  EXPECT_TRUE(lines[6].starts_with("0.5,130,-0.")) << lines[6];
  const Finished statistics =
      sweep("bar --vary surface.friction=uniform:0:1 --law poisson --keep statistics --csv -");
  EXPECT_TRUE(
      statistics.out.starts_with("quantity,law,unit,statistic,value,standard_error\n"
                                 "energy_change,poisson,J,count,16384,\n"))
      << statistics.out;
  const Finished json = sweep("sweep/friction-grid --json");
  EXPECT_TRUE(json.out.starts_with("{\"picture\":{\"kind\":\"sweep\"}")) << json.out.substr(0, 80);
}

TEST(SweepCommand, PointsThatAreNotAllowedAreCounted) {
  const Finished f = sweep(
      "bar --vary surface.restitution=normal:1:0.1 --law poisson --show energy_change --seed 3");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("not computed, first at point"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("not defined"), std::string::npos) << f.out;
  const Finished none =
      sweep("bar --vary surface.restitution=uniform:1.5:2 --law poisson --show energy_change");
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("no point of the sweep could be computed"), std::string::npos)
      << none.err;
}

TEST(SweepCommand, WrongInputIsOneLine) {
  for (const auto& [arguments, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"sweep bar", "nothing varies"},
           {"sweep bar --vary surface.friction=0:1 --samples 1.5", "--samples: must be a whole"},
           {"sweep bar --vary surface.frction=0:1", "friction"},
           {"sweep bar --vary surface.friction=0:1 --law poison", "did you mean 'poisson'"},
           {"sweep bar --vary surface.friction=0:1 --shard 4/3 --out x", "--shard: must be I/N"},
           {"sweep bar --vary surface.friction=0:1 --shard 1/3", "--out: is missing"},
           {"sweep bar --vary surface.friction=0:1 --resume", "--resume: needs --out"},
           {"sweep motion/bouncing-ball --vary motion.end_time=1:2 --law poisson",
            "a motion has its law in [motion]"},
           {"merge CMakeLists.txt", "is no part of a sweep"},
           {"merge /nowhere", "no such file"}}) {
    const Finished f = run_carom(arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    EXPECT_NE(f.err.find(complaint), std::string::npos) << f.err;
  }
}

TEST(SweepCommand, HelpIsThatOfBothPrograms) {
  for (const char* command : {"sweep", "merge"}) {
    const Finished help = run_carom(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find(std::string("Usage: carom ") + command), std::string::npos);
    EXPECT_NE(help.out.find("Examples:"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom::test
