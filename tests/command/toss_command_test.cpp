// SPDX-License-Identifier: Apache-2.0
// `carom fit` of trajectories: predictions that are scored here, and fits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include <command/process.hpp>

namespace carom::test {
namespace {

constexpr const char* all_tosses = CAROM_SOURCE_DIR "/data/measured/cube_tosses.csv.gz";

/// The tosses whose number is below `count`, as a file.
std::string some_tosses(const std::string& name, int count) {
  const std::string file = write_file(name, "");
  const std::string line = "zcat '" + std::string(all_tosses) + "' | awk -F, 'NR == 1 || $1 < " +
                           std::to_string(count) + "' > '" + file + "'";
  EXPECT_EQ(run_shell(line).code, 0);
  return file;
}

/// The example with its own data replaced.
std::string example_with(const std::string& data, const std::string& from = "",
                         const std::string& to = "") {
  std::string text = read_file(CAROM_SOURCE_DIR "/examples/fit/tosses.toml");
  const auto replace = [&](const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
  };
  replace("../../data/measured/cube_tosses.csv.gz", data);
  if (!from.empty()) replace(from, to);
  return write_file("tosses.toml", text);
}

/// Positions by toss and step, from the lines of a CSV file whose columns are given.
using Positions = std::map<std::pair<int, int>, std::array<double, 3>>;
Positions positions_of(const std::string& text, std::size_t x) {
  Positions all;
  const auto lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<double> cells;
    std::string cell;
    for (std::istringstream in(lines[i]); std::getline(in, cell, ',');) {
      cells.push_back(std::stod(cell));
    }
    all[{static_cast<int>(cells.at(0)), static_cast<int>(cells.at(1))}] = {
        cells.at(x), cells.at(x + 1), cells.at(x + 2)};
  }
  return all;
}

TEST(TossCommand, PredictsGzippedAndPlainDataFromTheirStartOn) {
  const std::string plain = some_tosses("some.csv", 12);
  ASSERT_EQ(run_shell("gzip -kf '" + plain + "'").code, 0);
  const std::string out = write_file("predicted.csv", "");
  const auto predict = [&](const std::string& data) {
    const Finished f = run_carom("fit examples/fit/tosses.toml --law poisson --predict '" + data +
                                 "' --out '" + out + "'");
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_NE(f.err.find("not fitted anew"), std::string::npos) << f.err;
    return read_file(out);
  };
  const std::string text = predict(plain);
  EXPECT_EQ(predict(plain + ".gz"), text);
  EXPECT_EQ(lines_of(text)[0], "toss,step,x_m,y_m,z_m,qw,qx,qy,qz");
  const Positions measured = positions_of(read_file(plain), 3), predicted = positions_of(text, 2);
  // Every toss from the sample before the first that is low, to its end.
  std::map<int, int> start, last;
  for (const auto& [key, p] : measured) {
    if (p[2] <= 0.0524 * std::sqrt(3.) && !start.contains(key.first)) {
      start[key.first] = key.second - 1;
    }
    last[key.first] = key.second;
  }
  std::map<int, std::pair<double, int>> sums;
  for (const auto& [key, p] : measured) {
    ASSERT_EQ(predicted.contains(key), key.second >= start[key.first]);
    if (key.second < start[key.first]) continue;
    const auto& q = predicted.at(key);
    auto& [sum, count] = sums[key.first];
    sum += std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    ++count;
    // The start is measured to better than half a millimetre.
    if (key.second == start[key.first]) {
      EXPECT_LT(sum, 5e-4);
    }
  }
  double mean = 0.;
  for (const auto& [toss, s] : sums) {
    mean += s.first / s.second / 0.1048 / static_cast<double>(sums.size());
  }
  EXPECT_GT(mean, 0.01);
  EXPECT_LT(mean, 0.083 + 3. * 0.06 / std::sqrt(static_cast<double>(sums.size())));
}

TEST(TossCommand, FitsAndCrossValidates) {
  const std::string data = some_tosses("few.csv", 8);  // three of these are not in the data
  const std::string file = example_with(data, "evaluations = 40", "evaluations = 6");
  const std::string errors = write_file("errors.csv", "");
  const std::string line = "fit '" + file + "' --folds 2 --json --csv '" + errors + "' --threads ";
  const Finished f = run_carom(line + "1");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(run_carom(line + "3").out, f.out);
  const auto all = nlohmann::json::parse(f.out);
  EXPECT_EQ(all["law"], "poisson");
  EXPECT_EQ(all["cross_validation"]["folds"].size(), 2U);
  EXPECT_EQ(all["cross_validation"]["score"]["trajectories"], 5);
  const auto lines = lines_of(read_file(errors));
  EXPECT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0], "toss,position_m,rotation_deg,position_held_out_m,rotation_held_out_deg");
  // Another law than the file's is fitted before it predicts.
  const std::string out = write_file("out.csv", "");
  const std::string picture = write_file("picture.svg", "");
  const Finished newton = run_carom("fit '" + file + "' --law newton --predict '" + data +
                                    "' --out '" + out + "' --plot '" + picture + "'");
  ASSERT_EQ(newton.code, 0) << newton.err;
  EXPECT_NE(newton.err.find("by newton, with the numbers fitted to"), std::string::npos);
  EXPECT_NE(newton.out.find("fitted to all"), std::string::npos);
  EXPECT_NE(newton.out.find("predicted, 5 trajectories"), std::string::npos);
  EXPECT_NE(read_file(picture).find("</svg>"), std::string::npos);
  const auto record = nlohmann::json::parse(read_file(picture + ".json"));
  ASSERT_EQ(record["picture"]["panels"].size(), 9U);
  const auto& height = record["picture"]["panels"][0]["series"];
  ASSERT_EQ(height.size(), 2U);
  EXPECT_EQ(height[0]["x"].size(), height[1]["y"].size());
}

TEST(TossCommand, WrongUseIsOneLine) {
  const auto error = [](const std::string& arguments) {
    const Finished f = run_carom("fit " + arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
    return f.err;
  };
  EXPECT_NE(error("fit/tosses --law poison").find("did you mean 'poisson'"), std::string::npos);
  EXPECT_NE(error("fit/tosses --loss huber").find("--loss: does not apply"), std::string::npos);
  EXPECT_NE(error("fit/tosses --law compliant").find("compliance_ratio"), std::string::npos);
  const std::string wrong = write_file("wrong.csv", "toss,step,t_s,x,y_m,z_m,qw,qx,qy,qz\n");
  EXPECT_NE(error("fit/tosses --predict '" + wrong + "' --out x.csv").find("'x_m'"),
            std::string::npos);
  const std::string file =
      example_with(all_tosses, "\"surface.friction\",", "\"surface.frction\",");
  EXPECT_NE(error("'" + file + "'").find("is not among fit.parameters"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
