// SPDX-License-Identifier: Apache-2.0
// Laws fitted to measured impacts: synthetic data are recovered, and the shipped data give the
// coefficients that were found by other means.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <carom/core/error.hpp>
#include <carom/core/random.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/fit/data_set.hpp>
#include <carom/study/fit/nelder_mead.hpp>
#include <carom/study/fit/ranking.hpp>

namespace carom::study::fit {
namespace {

using scenario::CsvTable;
using scenario::FitRequest;
using scenario::PlacedText;

constexpr std::size_t rows = 60;

std::string file_in_plane(const std::string& more = "", const std::string& system = "") {
  return "[system]\ntype = \"plane-body\"\nmass = 0.5\nradius_of_gyration = 0.03\n" + system +
         "[fit]\ndata = \"drops.csv\"\nid = \"id\"\n"
         "before = [\"vx_pre\", \"vy_pre\", \"w_pre\"]\n"
         "after = [\"vx_post\", \"vy_post\", \"w_post\"]\n"
         "columns = { rx = \"rx\", ry = \"ry\", angle = \"angle\" }\nloss = \"least-squares\"\n" +
         more;
}

/// Bodies that strike with slip of either direction; velocities after are to be filled in.
CsvTable drops() {
  CsvTable t{.file = "drops.csv",
             .columns = {"id", "batch", "rx", "ry", "angle", "vx_pre", "vy_pre", "w_pre", "vx_post",
                         "vy_post", "w_post"},
             .lines = {}};
  const RandomStream random(7);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto in = [&](std::size_t k, double a, double b) {
      return a + (b - a) * random.uniform(i * 16 + k);
    };
    const std::vector<double> numbers{in(0, -0.02, 0.02), in(1, -0.04, -0.02), in(2, -3., 3.),
                                      in(3, -2., 2.),     in(4, -4., -2.),     in(5, -10., 10.)};
    CsvTable::Line line{.cells = {std::to_string(i + 1), i % 3 == 0 ? "wood" : "steel"},
                        .number = i + 2};
    for (const double x : numbers) line.cells.push_back(shortest(x));
    line.cells.insert(line.cells.end(), {"0", "0", "0"});
    t.lines.push_back(std::move(line));
  }
  return t;
}

std::vector<PlacedText> named(const std::string& model) {
  return {{.text = model, .field = "--law", .place = {}}};
}

/// Fills in what a model predicts with these parameters.
void predict_into(const FitRequest& r, const std::string& model, CsvTable& table,
                  const std::vector<double>& truth) {
  const auto asked = named(model);
  const auto data = read_impacts(r, table, columns_of(r, asked), Use::fit);
  const FitModel m = models_of(r, asked, data).front();
  const Objective objective(data, *m.answering, parameters_of(m, r, data));
  ASSERT_EQ(truth.size(), objective.parameters().size());
  std::vector<double> after(objective.width());
  for (std::size_t i = 0; i < data.impacts.size(); ++i) {
    EXPECT_TRUE(objective.predict(i, truth, after));
    auto& cells = table.lines[data.impacts[i].line].cells;
    for (std::size_t j = 0; j < after.size(); ++j) {
      cells[table.index(r.after[j].text)] = shortest(after[j]);
    }
  }
}

Ranking fitted(const FitRequest& r, const CsvTable& table, const std::string& model,
               std::size_t folds = 0, unsigned threads = 1) {
  const auto asked = model.empty() ? std::vector<PlacedText>{} : named(model);
  const auto data = read_impacts(r, table, columns_of(r, asked), Use::fit);
  return rank(data, r, models_of(r, asked, data),
              {.minimise = {.loss = scenario::find_loss(r.loss), .huber = r.huber, .seed = r.seed},
               .folds = folds,
               .threads = threads});
}

void expect_recovered(const std::string& file, const std::string& model,
                      const std::vector<double>& truth, double tolerance) {
  const FitRequest r = scenario::parse_fit(file, "drops.toml");
  CsvTable table = drops();
  predict_into(r, model, table, truth);
  const FittedModel f = fitted(r, table, model).models.front();
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(f.minimum.p[k], truth[k], tolerance * std::max(1., std::abs(truth[k])))
        << model << ": " << f.parameters.list[k].name << ", error " << f.minimum.mean_error;
    EXPECT_FALSE(f.minimum.undetermined[k]) << model << ": " << f.parameters.list[k].name;
  }
}

TEST(Fit, RecoversTheCoefficientsOfEachLaw) {
  for (const char* law : {"newton", "poisson", "energetic", "moreau:poisson", "brach"}) {
    expect_recovered(file_in_plane(), law, {0.6, 0.25}, 1e-6);
  }
  expect_recovered(file_in_plane(), "moreau + tangential_restitution", {0.6, 0.25, 0.3}, 1e-6);
  expect_recovered(file_in_plane(), "compliant", {0.6, 0.25, 0.7}, 1e-6);
  // Friction decides only by steps where slip stops: the minimum is flat.
  expect_recovered(file_in_plane(), "conventional", {0.6, 0.25}, 1e-4);
  expect_recovered(file_in_plane(), "brach + impulse_ratio", {0.6, 0.15}, 1e-6);
}

TEST(Fit, RecoversDependenceOnColumnsAndGroups) {
  expect_recovered(file_in_plane(), "poisson + restitution by |rx|", {0.7, -8., 0.25}, 1e-5);
  expect_recovered(file_in_plane(), "poisson + restitution by approach_speed", {0.8, -0.08, 0.25},
                   1e-5);
  expect_recovered(file_in_plane(), "poisson + restitution by rx+rx^2", {0.6, 3., -200., 0.25},
                   1e-4);
  expect_recovered(file_in_plane(), "newton + restitution by approach_speed^p",
                   {0.95, 0.2, 0.6, 0.25}, 1e-2);
  // Groups are in the order of their names: steel, wood.
  expect_recovered(file_in_plane("group = \"batch\"\n"), "poisson + friction by group",
                   {0.6, 0.2, 0.35}, 1e-6);
}

TEST(Fit, RecoversNumbersOfTheBody) {
  expect_recovered(file_in_plane(), "poisson + radius_of_gyration", {0.6, 0.25, 0.024}, 1e-6);
  expect_recovered(file_in_plane(), "poisson + mass_centre_x + mass_centre_y",
                   {0.6, 0.25, 0.002, -0.001}, 1e-6);
  expect_recovered(file_in_plane(), "poisson + contact_offset_x", {0.6, 0.25, 0.003}, 1e-6);
  expect_recovered(file_in_plane("", "half_width = 0.04\n"), "poisson + corner_radius",
                   {0.6, 0.25, 0.005}, 1e-6);
}

TEST(Fit, SaysWhatTheDataDoNotDetermine) {
  const FitRequest r = scenario::parse_fit(file_in_plane(), "drops.toml");
  CsvTable table = drops();
  predict_into(r, "poisson", table, {0.6, 0.25});
  // A free body strikes a fixed surface: its mass cancels.
  const FittedModel f = fitted(r, table, "poisson + mass").models.front();
  EXPECT_EQ(f.minimum.undetermined, (std::vector<bool>{false, false, true}));
  // At one contact lzb is energetic, whatever its stiffness.
  try {
    (void)fitted(r, table, "lzb + stiffness");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "--law: lzb does not depend on stiffness at one contact, where it is energetic");
  }
}

// The residual's derivatives are those of its values, away from kinks.
TEST(Fit, DerivativesThroughTheLaws) {
  const FitRequest r = scenario::parse_fit(file_in_plane(), "drops.toml");
  CsvTable table = drops();
  for (const char* model :
       {"poisson + restitution by approach_speed^p", "compliant", "moreau + tangential_restitution",
        "energetic + friction by rx+rx^2 + radius_of_gyration"}) {
    const auto asked = named(model);
    const auto data = read_impacts(r, table, columns_of(r, asked), Use::fit);
    const FitModel m = models_of(r, asked, data).front();
    const Objective o(data, *m.answering, parameters_of(m, r, data));
    const std::size_t n = o.parameters().size();
    std::vector<double> p;
    for (const Parameter& one : o.parameters().list) {
      p.push_back(one.start + 0.013 * (one.high - one.low) * (one.start > one.low ? 0.1 : 1.));
    }
    std::vector<double> value(3), up(3), down(3), derivative(3 * n);
    std::size_t kinks = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      o.residual(i, p, value, derivative);
      for (std::size_t k = 0; k < n; ++k) {
        const double step = 1e-6 * std::max(1e-2, std::abs(p[k]));
        std::vector<double> q = p;
        q[k] = p[k] + step;
        o.residual(i, q, up);
        q[k] = p[k] - step;
        o.residual(i, q, down);
        double largest = 0.;
        for (std::size_t j = 0; j < 3; ++j) {
          const double by_difference = (up[j] - down[j]) / (2. * step);
          largest = std::max(largest, std::abs(derivative[j * n + k] - by_difference) /
                                          (1. + std::abs(by_difference)));
        }
        kinks += largest > 1e-5 ? 1U : 0U;
      }
    }
    EXPECT_LE(kinks, 1U) << model;
  }
}

TEST(Fit, UnitsDoNotMatter) {
  const FitRequest si = scenario::parse_fit(file_in_plane(), "drops.toml");
  CsvTable table = drops();
  predict_into(si, "poisson", table, {0.6, 0.25});
  // Noise, so that the minimum is not at zero.
  const RandomStream random(3);
  const auto change = [&](CsvTable& t, const std::string& column, double factor, double noise) {
    const std::size_t c = t.index(column);
    for (std::size_t i = 0; i < t.lines.size(); ++i) {
      const double x = std::stod(t.lines[i].cells[c]);
      t.lines[i].cells[c] = shortest(factor * (x + noise * (random.uniform(i) - 0.5)));
    }
  };
  change(table, "vx_post", 1., 0.2);
  CsvTable other = table;
  const double degrees = 180. / std::acos(-1.);
  for (const char* c : {"rx", "ry", "vx_pre", "vy_pre", "vx_post", "vy_post"}) {
    change(other, c, 1e3, 0.);
  }
  for (const char* c : {"angle", "w_pre", "w_post"}) change(other, c, degrees, 0.);
  const FitRequest odd = scenario::parse_fit(
      file_in_plane("[fit.units]\nrx = \"mm\"\nry = \"mm\"\nvx_pre = \"mm/s\"\nvy_pre = \"mm/s\"\n"
                    "vx_post = \"mm/s\"\nvy_post = \"mm/s\"\nangle = \"deg\"\nw_pre = \"deg/s\"\n"
                    "w_post = \"deg/s\"\n"),
      "drops.toml");
  const Minimum a = fitted(si, table, "poisson").models.front().minimum;
  const Minimum b = fitted(odd, other, "poisson").models.front().minimum;
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(a.p[k], b.p[k], 1e-6);
  EXPECT_NEAR(a.mean_error, b.mean_error, 1e-8);
}

TEST(Fit, OrderOfRowsAndThreadsDoNotMatter) {
  const FitRequest r = scenario::parse_fit(
      file_in_plane("group = \"batch\"\nfolds = 2\nmodels = [\"poisson\", \"compliant\"]\n"),
      "drops.toml");
  CsvTable table = drops();
  predict_into(r, "moreau", table, {0.6, 0.25});
  CsvTable shuffled_table = table;
  const auto order = shuffled(rows, RandomStream(5));
  for (std::size_t i = 0; i < rows; ++i) shuffled_table.lines[i] = table.lines[order[i]];
  const Ranking a = fitted(r, table, "", 2, 1);
  for (const Ranking& b : {fitted(r, shuffled_table, "", 2, 1), fitted(r, table, "", 2, 4)}) {
    for (std::size_t m = 0; m < a.models.size(); ++m) {
      EXPECT_EQ(a.models[m].model.name, b.models[m].model.name);
      EXPECT_EQ(a.models[m].minimum.p, b.models[m].minimum.p);
      EXPECT_EQ(a.models[m].validated_error, b.models[m].validated_error);
    }
    const auto& d = a.models[0].difference ? a.models[0] : a.models[1];
    const auto& e = b.models[0].difference ? b.models[0] : b.models[1];
    EXPECT_EQ(d.difference->low, e.difference->low);
  }
}

TEST(Fit, FoldsKeepGroupsWholeAndAreEven) {
  const FitRequest r = scenario::parse_fit(file_in_plane(), "drops.toml");
  const auto data = read_impacts(r, drops(), {}, Use::fit);
  const auto impacts = data.fitted();
  const auto fold = folds_of(data, impacts, 5, 1);
  for (std::size_t f = 0; f < 5; ++f) EXPECT_EQ(std::ranges::count(fold, f), rows / 5);
  EXPECT_NE(fold, folds_of(data, impacts, 5, 2));
  const FitRequest g = scenario::parse_fit(file_in_plane("group = \"batch\"\n"), "drops.toml");
  const auto grouped = read_impacts(g, drops(), {}, Use::fit);
  const auto two = folds_of(grouped, impacts, 2, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < rows; ++k) {
      EXPECT_EQ(two[i] == two[k], grouped.impacts[i].group == grouped.impacts[k].group);
    }
  }
  EXPECT_THROW((void)folds_of(grouped, impacts, 3, 1), InputError);
}

TEST(Fit, PairedDifferenceHasTheIntervalOfTheMean) {
  const FitRequest r = scenario::parse_fit(file_in_plane(), "drops.toml");
  const auto data = read_impacts(r, drops(), {}, Use::fit);
  const auto impacts = data.fitted();
  std::vector<double> a(rows), b(rows, 1.);
  double variance = 0.;
  for (std::size_t i = 0; i < rows; ++i) a[i] = 1.5 + std::sin(static_cast<double>(i));
  const double mean = std::accumulate(a.begin(), a.end(), 0.) / rows - 1.;
  for (const double x : a) variance += (x - 1. - mean) * (x - 1. - mean) / rows;
  const Difference d = paired_difference(data, impacts, a, b, 1);
  EXPECT_NEAR(d.mean, mean, 1e-12);
  // Percentiles of 2000 resamples: within a tenth of the normal interval.
  const double half = 1.96 * std::sqrt(variance / rows);
  EXPECT_NEAR(d.low, mean - half, 0.1 * half);
  EXPECT_NEAR(d.high, mean + half, 0.1 * half);
}

FitRequest shipped(const std::string& name) {
  return scenario::read_fit(CAROM_SOURCE_DIR "/examples/fit/" + name + ".toml");
}

// Coefficients and errors that another program found for the same rows, to the digits that it
// printed.
TEST(Fit, ShippedDataGiveTheKnownCoefficients) {
  struct Known {
    const char* file;
    const char* law;
    double e, mu, error;
  };
  for (const Known& k : {Known{"ellipse", "poisson", 0.594, 0.184, 0.0919},
                         Known{"ellipse", "moreau", 0.585, 0.194, 0.0996},
                         Known{"square", "poisson", 0.447, 0.153, 0.1049},
                         Known{"square", "moreau", 0.417, 0.134, 0.1411}}) {
    FitRequest r = shipped(k.file);
    r.models.clear();
    r.against = {};
    const Ranking ranking = fitted(r, scenario::read_csv(r.data), k.law);
    const Minimum& m = ranking.models.front().minimum;
    EXPECT_EQ(ranking.impacts.size(), std::string(k.file) == "ellipse" ? 1031U : 315U);
    EXPECT_NEAR(m.p[0], k.e, 1e-3) << k.file << ", " << k.law;
    EXPECT_NEAR(m.p[1], k.mu, 1e-3) << k.file << ", " << k.law;
    EXPECT_NEAR(m.mean_error, k.error, 5.1e-5) << k.file << ", " << k.law;
  }
}

// The contact of a cube is that of the same body in a scenario of a body in space.
TEST(Fit, BodyInSpaceHasTheContactOfItsScenario) {
  const std::string file =
      "[system]\ntype = \"space-body\"\nmass = 0.4\ninertia = 8e-4\n[fit]\ndata = \"x.csv\"\n"
      "before = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]\n"
      "after = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]\n"
      "columns = { rx = \"rx\", ry = \"ry\", rz = \"rz\" }\n";
  const FitRequest r = scenario::parse_fit(file, "x.toml");
  const CsvTable table =
      scenario::parse_csv("rx,ry,rz,a,b,c,d,e,f\n0.03,-0.02,-0.05,0.4,-0.3,-1,2,5,-3\n", "x.csv");
  const auto data = read_impacts(r, table, {}, Use::fit);
  MeasuredContact c;
  data.contact_of(data.impacts[0], data.given_body(), c);
  // v = v_cm + w x r: (0.4 + 5*-0.05 - -3*-0.02, -0.3 + -3*0.03 - 2*-0.05, -1 + 2*-0.02 - 5*0.03)
  EXPECT_NEAR(c.problem.approach[0], -1.19, 1e-12);
  EXPECT_NEAR(c.problem.approach[1], 0.09, 1e-12);
  EXPECT_NEAR(c.problem.approach[2], -0.29, 1e-12);
  // G = 1/m + ((r.r) 1 - r r^T)/I for a body of isotropic inertia, axes z, x, y.
  const double rr = 0.03 * 0.03 + 0.02 * 0.02 + 0.05 * 0.05;
  const std::array<double, 3> arm{-0.05, 0.03, -0.02};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double expected = (i == j ? 1. / 0.4 + rr / 8e-4 : 0.) - arm[i] * arm[j] / 8e-4;
      EXPECT_NEAR(c.problem.G(i, j), expected, 1e-9);
    }
  }
}

// Any scenario makes the contact of each row; here the bar, whose angle is a column.
TEST(Fit, ColumnsGiveNumbersOfAScenario) {
  const std::string bar = scenario::read_text(CAROM_SOURCE_DIR "/examples/bar.toml");
  const FitRequest r = scenario::parse_fit(
      bar +
          "\n[fit]\ndata = \"bar.csv\"\nbefore = [\"x0\", \"y0\", \"w0\"]\n"
          "after = [\"x1\", \"y1\", \"w1\"]\ncolumns = { angle_deg = \"phi\" }\n",
      "bar.toml");
  CsvTable table = scenario::parse_csv(
      "phi,x0,y0,w0,x1,y1,w1\n60,0.4,-1,0,0,0,0\n100,-0.5,-1,0.3,0,0,0\n130,1,-1.5,1,0,0,0\n"
      "45,-1,-1,-1,0,0,0\n",
      "bar.csv");
  predict_into(r, "poisson", table, {0.35, 0.2});
  const FittedModel f = fitted(r, table, "poisson").models.front();
  EXPECT_NEAR(f.minimum.p[0], 0.35, 1e-5);
  EXPECT_NEAR(f.minimum.p[1], 0.2, 1e-5);
}

std::string refusal(const std::string& file, const std::string& csv,
                    const std::string& model = "poisson") {
  try {
    const FitRequest r = scenario::parse_fit(file, "drops.toml");
    (void)fitted(r, scenario::parse_csv(csv, "drops.csv"), model);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Fit, WrongInputIsOneLine) {
  const std::string head = "id,rx,ry,angle,vx_pre,vy_pre,w_pre,vx_post,vy_post,w_post\n";
  const std::string row = "1,0.01,-0.02,0,1,-2,3,1,1,1\n";
  EXPECT_EQ(refusal(file_in_plane(), head), "drops.csv: fit.data: has no rows");
  EXPECT_EQ(refusal(file_in_plane("keep = { id = 7 }\n"), head + row),
            "drops.csv: fit.data: has no row that [fit.keep] keeps");
  EXPECT_EQ(refusal(file_in_plane(), head + row + "2,0.01,-0.02,0,1,x,3,1,1,1\n"),
            "drops.csv:3: vy_pre: must be a finite number, got 'x'");
  EXPECT_EQ(refusal(file_in_plane(), head + "1,2\n"), "drops.csv:2: 2 cells, but 10 columns");
  EXPECT_EQ(refusal(file_in_plane(), "id,rx,ry,angel,vx_pre,vy_pre,w_pre,vx_post,vy_post,w_post\n"),
            "drops.toml:10:43: fit.columns.angle: no column 'angle'; did you mean 'angel'? (of "
            "drops.csv)");
  EXPECT_EQ(refusal(file_in_plane(), head + row, "poison"),
            "--law: unknown law 'poison'; did you mean 'poisson'?");
  EXPECT_EQ(refusal(file_in_plane(), head + row, "poisson + frictio"),
            "--law: nothing to fit is called 'frictio'; did you mean 'friction'?");
  EXPECT_NE(refusal(file_in_plane("bounds = { frixion = [0, 1] }\n"), head + row)
                .find("fit.bounds.frixion: nothing to fit is called 'frixion'; did you mean"),
            std::string::npos);
  EXPECT_NE(refusal(file_in_plane("los = \"huber\"\n"), head + row)
                .find("fit.los: unknown key; did you mean 'loss'?"),
            std::string::npos);
  EXPECT_NE(refusal(file_in_plane("[fit.units]\nrx = \"nm\"\n"), head + row).find("no unit 'nm'"),
            std::string::npos);
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
  const CsvTable t = scenario::parse_csv(
      "\xEF\xBB\xBFname, \"a, b\"\r\n x ,+1.5e3\r\n\r\n\"q\"\"q\",-2\r\n", "t.csv");
  EXPECT_EQ(t.columns, (std::vector<std::string>{"name", "a, b"}));
  ASSERT_EQ(t.lines.size(), 2U);
  EXPECT_EQ(t.lines[1].cells[0], "q\"q");
  EXPECT_EQ(t.number(0, 1), 1500.);
  EXPECT_EQ(t.place(1), "t.csv:4");
  EXPECT_THROW((void)t.number(0, 0), InputError);
  EXPECT_THROW((void)scenario::parse_csv("a\n\"x\n", "t.csv"), InputError);
  EXPECT_THROW((void)scenario::parse_csv("", "t.csv"), InputError);
}

TEST(NelderMead, FindsTheMinimumOfRosenbrocksValley) {
  std::vector<double> x{-1.2, 1.};
  const std::vector<double> size{0.5, 0.5};
  const double value = nelder_mead(
      [](std::span<const double> p) {
        return 100. * std::pow(p[1] - p[0] * p[0], 2.) + std::pow(1. - p[0], 2.);
      },
      x, size, {.most_evaluations = 1000}, [](std::vector<double>&) {});
  EXPECT_LT(value, 1e-10);
  EXPECT_NEAR(x[0], 1., 1e-4);
}

}  // namespace
}  // namespace carom::study::fit
