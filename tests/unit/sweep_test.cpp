// SPDX-License-Identifier: Apache-2.0
// Sweeps: samples, statistics that merge, Sobol' indices, evaluators, requests.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>

#include <carom/core/error.hpp>
#include <carom/core/random.hpp>
#include <carom/report/sweep/rows.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/sweep/impacts.hpp>
#include <carom/study/sweep/store.hpp>
#include <carom/study/sweep/sweep.hpp>

namespace carom::study {
namespace {

using scenario::parse_sweep_axis;
using scenario::SweepMethod;
using scenario::SweepRequest;

const std::string bar_text =
    "[system]\ntype = 'bar'\nangle_deg = 120\nvelocity = [0.4, -1.0]\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";

SweepRequest request(const std::vector<std::string>& axes, const std::vector<std::string>& show,
                     const std::vector<std::string>& laws) {
  SweepRequest r;
  for (const std::string& axis : axes) r.axes.push_back(parse_sweep_axis(axis, "--vary"));
  for (const std::string& s : show) r.show.push_back({.text = s, .field = "show", .place = ""});
  for (const std::string& l : laws) r.laws.push_back({.text = l, .field = "laws", .place = ""});
  return r;
}

SweepResult sweep(const SweepPlan& plan, unsigned threads = 2) {
  const auto store = in_memory(plan);
  compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(threads), nullptr, {});
  return gather(plan, *store);
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// The first points, from which all know the scale of results, are computed before any block.
TEST(Sweep, TheFirstPointsAreInterruptedToo) {
  const std::atomic<bool> stop{true};
  const std::string surface = "[surface]\nrestitution = 0.5\nfriction = 0.3\n";
  const std::string space = "[system]\ntype = 'space-sphere'\nvelocity = [0.4, 0, -1]\n" + surface;
  const std::string moving =
      "[system]\ntype = 'assembly'\nfloor = true\n[[system.bodies]]\nshape = 'sphere'\n"
      "mass = 1\nradius = 1\nposition = [0, 2]\n" +
      surface + "[motion]\nend_time = 1\n";
  for (const std::string& text : {space, moving}) {
    SweepRequest r = request({"surface.friction=uniform:0.1:0.3"}, {}, {});
    r.samples = 2'000'000;
    const SweepPlan plan = plan_sweep(text, "f.toml", r, "1");
    EXPECT_THROW((void)scales_of(plan, &stop), Interrupted);
  }
}

// v_n+ = -e v_n-, and v_n- of a bar is linear in its velocity and spin.
TEST(Sweep, ALinearCaseHasItsMeanAndDeviationInClosedForm) {
  for (const auto method : {SweepMethod::sobol, SweepMethod::random}) {
    SweepRequest r = request({"system.velocity[1]=normal:-2:0.2", "system.spin=normal:0.1:0.3"},
                             {"normal_velocity"}, {"newton"});
    r.method = method;
    r.samples = 1U << 18U;
    const SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
    const SweepResult result = sweep(plan);
    const ColumnStatistics& s = result.columns[0];
    // v_n = v_y plus the spin, clockwise, times the distance of the tip along x: cos(120 deg).
    const double arm = std::abs(std::cos(120. * std::numbers::pi / 180.));
    const auto normal_velocity = [&](double spin) {
      scenario::Variation bar(bar_text, "bar");
      bar.number("system.spin") = spin;
      bar.number("system.velocity[1]") = -2.;
      return -0.5 * bar.system().problem.approach[0];
    };
    const double mean = normal_velocity(0.1);
    EXPECT_NEAR(std::abs(normal_velocity(1.) - normal_velocity(0.)), 0.5 * arm, 1e-12);
    const double deviation = 0.5 * std::hypot(0.2, 0.3 * arm);
    EXPECT_EQ(s.moments.count, 262'144.);
    EXPECT_NEAR(s.moments.mean, mean, 4. * s.moments.mean_error());
    EXPECT_NEAR(s.moments.mean_error(), deviation / 512., 1e-2 * deviation / 512.);
    EXPECT_NEAR(s.moments.deviation(), deviation, 4. * s.moments.deviation_error());
    EXPECT_NEAR(s.moments.deviation_error(), deviation / std::sqrt(2. * 262'144.),
                0.02 * deviation / 724.);
    // Quantiles of a normal number: 1.959964 deviations from the mean at 2.5 and 97.5 per cent.
    EXPECT_NEAR(s.quantiles[0].value, mean - 1.959964 * deviation, 4. * s.quantiles[0].error);
    EXPECT_NEAR(s.quantiles[2].value, mean, 4. * s.quantiles[2].error);
    EXPECT_NEAR(s.quantiles[4].value, mean + 1.959964 * deviation, 4. * s.quantiles[4].error);
    // The sequence is far more even than a random sample.
    if (method == SweepMethod::sobol) {
      EXPECT_NEAR(s.moments.mean, mean, 0.05 * deviation / 512.);
    }
  }
}

/// [Ishigami & Homma 1990] of three numbers in [-pi, pi], from three coefficients in [0, 1].
double ishigami(const OutcomeView& view, std::size_t) {
  const Surface& s = view.problem->surfaces[0];
  const auto x = [](double u) { return std::numbers::pi * (2. * u - 1.); };
  const double x1 = std::sin(x(s.restitution));
  const double x2 = std::sin(x(s.friction));
  const double x3 = x(s.tangential_restitution);
  return x1 + 7. * x2 * x2 + 0.1 * x3 * x3 * x3 * x3 * x1;
}

TEST(Sweep, SobolIndicesOfTheIshigamiFunction) {
  register_quantity(
      {.name = "ishigami", .label = "test function", .get = ishigami, .of_totals = true});
  SweepRequest r = request({"surface.restitution=uniform:0:1", "surface.friction=uniform:0:1",
                            "surface.tangential_restitution=uniform:0:1"},
                           {"ishigami"}, {"moreau"});
  r.indices = true;
  // Exact values for a = 7, b = 0.1: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2.
  const double pi4 = std::pow(std::numbers::pi, 4);
  const double v1 = 0.5 * (1. + 0.1 * pi4 / 5.) * (1. + 0.1 * pi4 / 5.);
  const double v2 = 49. / 8.;
  const double v13 = 0.01 * pi4 * pi4 * (1. / 18. - 1. / 50.);
  const double variance = v1 + v2 + v13;
  const std::array first{v1 / variance, v2 / variance, 0.};
  const std::array total{(v1 + v13) / variance, v2 / variance, v13 / variance};
  // 2^16 samples; and 2^13, which with 5 runs for each take fewer than 2^16 runs in all.
  for (const std::size_t samples : {std::size_t{1} << 16U, std::size_t{1} << 13U}) {
    r.samples = samples;
    const SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
    EXPECT_EQ(plan.evaluations(), 5 * samples);
    const SweepResult result = sweep(plan);
    const ColumnStatistics& s = result.columns[0];
    EXPECT_NEAR(s.moments.mean, 3.5, 0.02);
    EXPECT_NEAR(s.moments.deviation(), std::sqrt(variance), 0.02);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(s.indices.first[k].value, first[k], 0.01) << samples << ", input " << k;
      EXPECT_NEAR(s.indices.total[k].value, total[k], 0.01) << samples << ", input " << k;
    }
  }
  // Of random points the stated error is that which estimates have: over seeds, the mean square of
  // the deviation in units of the error is 1, with a standard deviation of sqrt(2/n).
  r.method = SweepMethod::random;
  r.samples = 1024;
  double of_first = 0.;
  double of_total = 0.;
  constexpr int seeds = 200;
  for (int seed = 1; seed <= seeds; ++seed) {
    r.seed = static_cast<std::uint64_t>(seed);
    const SweepResult result = sweep(plan_sweep(bar_text, "bar", r, "test"), 1);
    const SobolIndices& s = result.columns[0].indices;
    of_first += std::pow((s.first[0].value - first[0]) / s.first[0].error, 2) / seeds;
    of_total += std::pow((s.total[0].value - total[0]) / s.total[0].error, 2) / seeds;
  }
  EXPECT_NEAR(of_first, 1., 0.4);
  EXPECT_NEAR(of_total, 1., 0.4);
}

TEST(Sweep, CoordinatesOfTheSobolSequenceAreStratified) {
  SweepRequest r = request({"a=uniform:0:1", "b=uniform:0:1", "c=uniform:0:1", "d=0:1"}, {}, {});
  r.method = SweepMethod::sobol;
  r.samples = 1024;
  const Sampler sampler(r);
  for (const auto set : {Sampler::Set::first, Sampler::Set::second}) {
    Columns points(4, std::vector<double>(1024));
    sampler.fill(0, 1024, set, points);
    for (const std::vector<double>& x : points) {
      std::vector<bool> taken(1024, false);
      for (const double u : x) taken[static_cast<std::size_t>(u * 1024.)] = true;
      EXPECT_EQ(std::count(taken.begin(), taken.end(), true), 1024);
    }
    // In two dimensions each of 32 x 32 squares has a point: a (0, 10, 2) net.
    std::vector<bool> squares(1024, false);
    if (set == Sampler::Set::first) {
      for (std::size_t i = 0; i < 1024; ++i) {
        squares[static_cast<std::size_t>(points[0][i] * 32.) * 32 +
                static_cast<std::size_t>(points[1][i] * 32.)] = true;
      }
      EXPECT_EQ(std::count(squares.begin(), squares.end(), true), 1024);
    }
    // Any stretch is the same as part of the whole.
    Columns part(4, std::vector<double>(100));
    sampler.fill(333, 100, set, part);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(std::equal(part[k].begin(), part[k].end(), points[k].begin() + 333));
    }
  }
}

TEST(Sweep, DistributionsHaveTheirMomentsAndBounds) {
  SweepRequest r =
      request({"a=normal:3:0.5", "b=log-normal:3:0.5", "c=normal:0:1:0:", "d=log-normal:1:2:0.5:3",
               "e=1:100:3:log", "f=1,2,4"},
              {}, {});
  r.method = SweepMethod::sobol;
  r.samples = 1U << 16U;
  const Sampler sampler(r);
  Columns x(6, std::vector<double>(*r.samples));
  sampler.fill(0, *r.samples, Sampler::Set::first, x);
  std::vector<Moments> m;
  for (const auto& column : x) m.push_back(Moments::of(column));
  EXPECT_NEAR(m[0].mean, 3., 1e-4);
  EXPECT_NEAR(m[0].deviation(), 0.5, 1e-4);
  EXPECT_NEAR(m[1].mean, 3., 1e-4);
  EXPECT_NEAR(m[1].deviation(), 0.5, 1e-3);
  EXPECT_NEAR(m[2].mean, std::sqrt(2. / std::numbers::pi), 1e-4);  // half-normal
  EXPECT_GE(m[2].least, 0.);
  EXPECT_GE(m[3].least, 0.5);
  EXPECT_LE(m[3].greatest, 3.);
  EXPECT_NEAR(m[4].mean, 99. / std::log(100.), 1e-2);
  EXPECT_NEAR(m[5].mean, 7. / 3., 1e-3);
}

// The distribution function of each point is where the sequence put it: with the probabilities of a
// uniform number of the same coordinate.
TEST(Sweep, NormalNumbersAreTheQuantilesOfTheirProbabilities) {
  SweepRequest normal = request({"a=normal:0:1"}, {}, {});
  SweepRequest uniform = request({"a=uniform:0:1"}, {}, {});
  for (SweepRequest* r : {&normal, &uniform}) {
    r->method = SweepMethod::random;
    r->samples = 20'000;
  }
  Columns z(1, std::vector<double>(20'000));
  Columns p = z;
  Sampler(normal).fill(0, 20'000, Sampler::Set::first, z);
  Sampler(uniform).fill(0, 20'000, Sampler::Set::first, p);
  for (std::size_t i = 0; i < z[0].size(); ++i) {
    const double below = 0.5 * std::erfc(-z[0][i] / std::numbers::sqrt2);
    // A quantile that is right to 1e-15 of itself; its probability changes by the density.
    EXPECT_NEAR(below, p[0][i], 1e-15) << z[0][i];
  }
}

TEST(Sweep, MomentsOfPartsAreThoseOfTheWhole) {
  const RandomStream random(7);
  std::vector<double> x;
  for (std::size_t i = 0; i < 1000; ++i) {
    x.push_back(i % 97 == 5 ? std::nan("") : 1e3 + std::pow(random.uniform(i), 3.));
  }
  const Moments whole = Moments::of(x);
  Moments parts;
  for (std::size_t begin = 0; begin < x.size();) {
    const std::size_t size = std::min<std::size_t>(1 + begin % 89, x.size() - begin);
    parts.merge(Moments::of(std::span<const double>(x).subspan(begin, size)));
    begin += size;
  }
  EXPECT_EQ(parts.count, whole.count);
  EXPECT_EQ(whole.undefined, 11.);
  EXPECT_EQ(parts.undefined, whole.undefined);
  EXPECT_EQ(parts.least, whole.least);
  EXPECT_EQ(parts.greatest, whole.greatest);
  EXPECT_NEAR(parts.mean, whole.mean, 1e-12 * whole.mean);
  EXPECT_NEAR(parts.m2, whole.m2, 1e-10 * whole.m2);
  EXPECT_NEAR(parts.m3, whole.m3, 1e-9 * whole.m3);
  EXPECT_NEAR(parts.m4, whole.m4, 1e-9 * whole.m4);
  long double sum = 0.;
  for (const double v : x) sum += std::isnan(v) ? 0. : v;
  EXPECT_NEAR(whole.mean, static_cast<double>(sum / 989.), 1e-12 * whole.mean);
}

// A quantile from fine bins is within its resolution of the exact one, also far outside of the
// numbers that the bins were made for.
TEST(Sweep, QuantilesFromBinsAreRightToTheirResolution) {
  const RandomStream random(3);
  for (const double power : {1., 3., -1.5}) {
    std::vector<double> x;
    for (std::size_t i = 0; i < 100'000; ++i) x.push_back(std::pow(random.uniform(i), power));
    const FineBins bins(std::vector<double>(x.begin(), x.begin() + 500));
    for (std::size_t i = 0; i + 1 < bins.size(); ++i) ASSERT_LT(bins.bound(i), bins.bound(i + 1));
    std::vector<std::uint64_t> counts(bins.size());
    bins.add(x, counts);
    const BinnedDistribution binned(bins, counts, Moments::of(x));
    const ExactDistribution exact(x);
    for (const double p : {1e-4, 0.01, 0.3, 0.5, 0.9, 0.999, 0.9999}) {
      const double q = exact.quantile(p);
      EXPECT_LE(std::abs(binned.quantile(p) - q), binned.resolution(p) * (1. + 1e-9))
          << power << " " << p;
      if (p > 0.02 && p < 0.98) {
        EXPECT_LE(binned.resolution(p),
                  2e-4 * (exact.quantile(0.999) - exact.quantile(0.001)) + 0.01 * std::abs(q));
      }
    }
    const Histogram a = exact.histogram(20);
    const Histogram b = binned.histogram(20);
    EXPECT_EQ(std::accumulate(a.counts.begin(), a.counts.end(), a.below + a.above), 100'000.);
    EXPECT_EQ(std::accumulate(b.counts.begin(), b.counts.end(), b.below + b.above), 100'000.);
  }
  // Numbers that are all alike have that quantile.
  const std::vector<double> same(1000, 0.1);
  const FineBins bins(same);
  std::vector<std::uint64_t> counts(bins.size());
  bins.add(same, counts);
  EXPECT_EQ(BinnedDistribution(bins, counts, Moments::of(same)).quantile(0.3), 0.1);
}

/// Every quantity of totals, by the fast way and one by one.
void expect_the_same(const std::vector<std::string>& axes, const std::string& text, double close) {
  std::vector<std::string> all;
  for (const Quantity& q : quantities()) {
    const bool shown = q.of_totals && q.get != nullptr && q.over != Over::pair &&
                       (q.refuses == nullptr || q.refuses(in_the_plane).empty());
    if (shown) all.emplace_back(q.name);
  }
  ASSERT_GT(all.size(), 15U);
  SweepRequest r = request(axes, all, {"newton", "poisson", "energetic", "moreau", "conventional"});
  r.samples = 300;
  const SweepPlan plan = plan_sweep(text, "bar", r, "test");
  const auto fast = make_planar_evaluator(plan);
  ASSERT_NE(fast, nullptr);
  ImpactEvaluator slow(plan);
  Columns inputs(plan.inputs.size(), std::vector<double>(300));
  Sampler(plan.request).fill(0, 300, Sampler::Set::first, inputs);
  Columns a(plan.columns.size(), std::vector<double>(300));
  Columns b = a;
  Faults faults;
  fast->evaluate(inputs, 300, 0, a, faults);
  slow.evaluate(inputs, 300, 0, b, faults);
  for (std::size_t c = 0; c < a.size(); ++c) {
    for (std::size_t i = 0; i < 300; ++i) {
      if (std::isnan(a[c][i]) && std::isnan(b[c][i])) continue;
      if (close == 0.) {
        ASSERT_EQ(a[c][i], b[c][i]) << plan.columns[c].name << " " << plan.columns[c].law;
      } else {
        ASSERT_NEAR(a[c][i], b[c][i], close * (1. + std::abs(b[c][i])))
            << plan.columns[c].name << " " << plan.columns[c].law;
      }
    }
  }
}

TEST(Sweep, TheFastWayGivesWhatOneByOneGives) {
  // Where only coefficients and the slip vary, bit for bit.
  expect_the_same(
      {"surface.friction=uniform:0:0.8", "surface.restitution=uniform:0:1", "approach_ratio=-2:2"},
      bar_text, 0.);
  expect_the_same({"incidence_deg=-80:80"}, bar_text, 0.);
  // Velocities to rounding, except close to a change of mode: far from one here.
  expect_the_same({"system.velocity[0]=normal:0.4:0.05", "system.velocity[1]=normal:-1:0.05",
                   "system.spin=normal:0:0.05"},
                  bar_text, 1e-10);
}

TEST(Sweep, WhatIsNotAllowedAtAPointIsCountedAndLeftOut) {
  SweepRequest r = request({"surface.friction=uniform:0.3:0.5", "surface.static_friction=0.4"},
                           {"energy_change"}, {"poisson"});
  r.samples = 4096;
  const SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
  const SweepResult result = sweep(plan);
  // Half of the samples have mu > mu_s.
  EXPECT_EQ(result.columns[0].moments.count, 2048.);
  EXPECT_EQ(result.columns[0].moments.undefined, 2048.);
  ASSERT_EQ(result.faults.kinds.size(), 1U);
  EXPECT_EQ(result.faults.kinds[0].count, 2048U);
  EXPECT_NE(result.faults.kinds[0].example.find("static_friction"), std::string::npos)
      << result.faults.kinds[0].example;
}

// Angles change G, so that systems are read anew; the fast way declines.
TEST(Sweep, OtherNumbersOfTheSystemAreReadAnew) {
  SweepRequest r = request({"system.angle_deg=100:140:5", "surface.friction=0.1,0.5"},
                           {"energy_change", "velocity_after"}, {"poisson"});
  const SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
  EXPECT_EQ(plan.request.method, SweepMethod::grid);
  EXPECT_EQ(plan.points, 10U);
  EXPECT_EQ(make_planar_evaluator(plan), nullptr);
  const auto store = in_memory(plan);
  compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(1), nullptr, {});
  const BlockResult block = store->get(0);
  // The last axis varies fastest: point 3 has 110 degrees and 0.5.
  scenario::Variation bar(bar_text, "bar");
  bar.number("system.angle_deg") = 110.;
  bar.number("surface.friction") = 0.5;
  const scenario::Scenario s = bar.scenario();
  Outcome o;
  solve(find_law("poisson", ""), s.problem(), {}, o);
  EXPECT_EQ(block.values[0][3], o.energy.change);
  EXPECT_EQ(block.values[1][3], s.impact.velocity_after(o.impulse)[0]);
}

TEST(Sweep, ThreadsAndPartsGiveTheSameBytes) {
  SweepRequest r = request({"surface.friction=normal:0.3:0.1:0:1", "system.velocity[0]=-1:1"},
                           {"energy_change", "mode"}, {"poisson", "moreau"});
  r.samples = 100'000;
  r.indices = true;
  r.keep_rows = false;
  const SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
  const auto one = in_memory(plan);
  const auto many = in_memory(plan);
  const auto parts = in_memory(plan);
  compute_sweep(plan, blocks_of(plan, 1, 1), *one, *on_threads(1), nullptr, {});
  compute_sweep(plan, blocks_of(plan, 1, 1), *many, *on_threads(8), nullptr, {});
  for (const std::size_t part : {3U, 1U, 2U}) {
    compute_sweep(plan, blocks_of(plan, part, 3), *parts, *on_threads(2), nullptr, {});
  }
  ASSERT_GT(plan.blocks(), 3U);
  for (std::size_t b = 0; b < plan.blocks(); ++b) {
    const std::string bytes = one->get(b).bytes();
    EXPECT_EQ(bytes, many->get(b).bytes());
    EXPECT_EQ(bytes, parts->get(b).bytes());
  }
}

// Whatever the length to which a file was written when the process was killed, the blocks before
// are found, and the others are computed.
TEST(Sweep, AFileCutAnywhereIsResumed) {
  SweepRequest r = request({"surface.friction=0:1:40"}, {"energy_change"}, {"poisson"});
  SweepPlan plan = plan_sweep(bar_text, "bar", r, "test");
  plan.block = 8;
  const auto file = std::filesystem::temp_directory_path() /
                    ("carom-sweep-" + std::to_string(::getpid()) + ".part");
  std::string whole;
  const auto contents = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  {
    const auto store = in_file(plan, file, Existing::replace);
    compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(1), nullptr, {});
    whole = contents();
  }
  EXPECT_NE(error_of([&] { (void)in_file(plan, file, Existing::refuse); }).find("--resume"),
            std::string::npos);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, size);
    const auto store = in_file(plan, file, Existing::resume);
    compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(1), nullptr, {});
    ASSERT_EQ(contents(), whole) << size;
  }
  SweepRequest other = r;
  other.seed = 2;
  const SweepPlan another = plan_sweep(bar_text, "bar", other, "test");
  EXPECT_NE(error_of([&] { (void)in_file(another, file, Existing::resume); }).find("other options"),
            std::string::npos);
  std::filesystem::remove(file);
}

std::vector<double> read_numbers(hid_t file, const char* path) {
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  EXPECT_GE(set, 0) << path;
  const hid_t space = H5Dget_space(set);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

std::string read_text(hid_t file, const char* object, const char* name) {
  const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(attribute, 0) << name;
  const hid_t type = H5Aget_type(attribute);
  char* text = nullptr;
  EXPECT_GE(H5Aread(attribute, type, &text), 0);
  std::string copy = text;
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  return copy;
}

TEST(Sweep, FilesHaveRowsStatisticsUnitsAndTheScenario) {
  SweepRequest r = request({"surface.friction=uniform:0:1", "system.angle_deg=uniform:100:140"},
                           {"energy_change"}, {"poisson"});
  r.samples = 1000;
  r.indices = true;
  const SweepPlan plan = plan_sweep(bar_text, "bar", r, "1.2.3");
  const auto store = in_memory(plan);
  compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(2), nullptr, {});
  const SweepResult result = gather(plan, *store);
  const auto name = std::filesystem::temp_directory_path() /
                    ("carom-sweep-" + std::to_string(::getpid()) + ".h5");
  report::write_sweep_hdf5(plan, result, *store, name);
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto angle = read_numbers(file, "/inputs/system.angle_deg");
  const auto friction = read_numbers(file, "/inputs/surface.friction");
  const auto change = read_numbers(file, "/results/poisson/energy_change");
  ASSERT_EQ(change.size(), 2000U);  // of both samples
  for (const std::size_t i : {0U, 1U, 1234U, 1999U}) {
    scenario::Variation bar(bar_text, "bar");
    bar.number("system.angle_deg") = angle[i];
    bar.number("surface.friction") = friction[i];
    Outcome o;
    solve(find_law("poisson", ""), bar.scenario().problem(), {}, o);
    EXPECT_EQ(change[i], o.energy.change);
  }
  EXPECT_EQ(read_text(file, "/inputs/system.angle_deg", "unit"), "deg");
  EXPECT_EQ(read_text(file, "/results/poisson/energy_change", "unit"), "J");
  EXPECT_EQ(read_text(file, "/", "scenario"), bar_text);
  EXPECT_EQ(read_text(file, "/", "version"), "1.2.3");
  const auto moments = read_numbers(file, "/statistics/poisson/energy_change/moments");
  EXPECT_EQ(moments[0], 2000.);
  EXPECT_NEAR(moments[2], std::accumulate(change.begin(), change.end(), 0.) / 2000., 1e-14);
  EXPECT_EQ(read_numbers(file, "/statistics/poisson/energy_change/quantiles").size(), 5U * 4U);
  EXPECT_EQ(read_numbers(file, "/statistics/poisson/energy_change/histogram").size(), 40U * 3U);
  EXPECT_EQ(read_numbers(file, "/statistics/poisson/energy_change/indices").size(), 2U * 4U);
  H5Fclose(file);
  std::filesystem::remove(name);
}

TEST(Sweep, RequestsAreReadBackFromTheirText) {
  const scenario::Document document(
      "[sweep]\nmethod = 'random'\nsamples = 1000\nseed = 5\nshow = ['energy_change']\n"
      "quantiles = [0.1, 0.9]\nkeep = 'statistics'\nindices = true\n"
      "[sweep.axes]\n'surface.friction' = {distribution = 'normal', mean = 0.3, deviation = 0.1, "
      "low = 0}\n'system.spin' = {from = 1e-3, to = 10, points = 5, log = true}\n"
      "'system.angle_deg' = {list = [10, 20.5]}\n",
      "f");
  const SweepRequest r = scenario::read_sweep(document.top().table("sweep"));
  EXPECT_EQ(r.axes.size(), 3U);
  const std::string text = as_toml(r);
  const scenario::Document again(text, "g");
  EXPECT_EQ(as_toml(scenario::read_sweep(again.top().table("sweep"))), text);
  EXPECT_NE(text.find("low = 0\n"), std::string::npos);
}

TEST(Sweep, WrongRequestsAreRefusedInALine) {
  const auto parse = [](const char* text) {
    return error_of([text] { (void)parse_sweep_axis(text, "--vary"); });
  };
  EXPECT_NE(parse("surface.friction=normal:0.3").find("--vary: must be PATH="), std::string::npos);
  EXPECT_NE(parse("surface.friction=nrmal:0.3:1").find("did you mean 'normal'"), std::string::npos);
  EXPECT_NE(parse("surface.friction=normal:0.3:-1").find("deviation must be > 0, got -1"),
            std::string::npos);
  EXPECT_NE(parse("surface.friction=uniform:2:1").find("low must be below high"),
            std::string::npos);
  const auto plan = [](SweepRequest r) {
    return error_of([&] { (void)plan_sweep(bar_text, "bar", r, "test"); });
  };
  EXPECT_NE(plan(request({"surface.frction=0:1"}, {}, {})).find("friction"), std::string::npos);
  EXPECT_NE(plan(request({"surface.friction=0.3"}, {}, {})).find("nothing varies"),
            std::string::npos);
  EXPECT_NE(plan(request({"surface.friction=0:1"}, {"enrgy"}, {})).find("did you mean 'energy'"),
            std::string::npos);
  EXPECT_NE(
      plan(request({"surface.friction=normal:0.5:1e-3:0.8:1"}, {}, {})).find("almost nothing"),
      std::string::npos);
  EXPECT_NE(plan(request({"surface.friction=0:1"}, {"slip", "slip"}, {"poisson"}))
                .find("has 'slip' of poisson twice"),
            std::string::npos);
  EXPECT_NE(plan(request({"incidence_deg=uniform:-100:50"}, {}, {})).find("must be in (-90, 90)"),
            std::string::npos);
  EXPECT_NE(plan(request({"incidence_deg=normal:0:10"}, {}, {})).find("give low and high"),
            std::string::npos);
  SweepRequest grid = request({"surface.friction=normal:0.3:0.1"}, {}, {});
  grid.method = SweepMethod::grid;
  EXPECT_NE(plan(grid).find("a grid has no distributions"), std::string::npos);
  SweepRequest indices = request({"surface.friction=0:1"}, {}, {});
  indices.method = SweepMethod::grid;
  indices.indices = true;
  EXPECT_NE(plan(indices).find("need a sample"), std::string::npos);
}

// A ball dropped from h strikes the floor at sqrt(2 h/g), with sqrt(2 g h), and again 2 e v/g
// later.
TEST(Sweep, MotionsAreSweptToTheirEndAndToEvents) {
  const std::string ball =
      "[system]\ntype = 'assembly'\nfloor = true\n[[system.bodies]]\nname = 'ball'\n"
      "shape = 'sphere'\nmass = 0.1\nradius = 0.02\nposition = [0, 1.02]\n"
      "[surface]\nrestitution = 0.5\nfriction = 0.0\n[motion]\nend_time = 1.5\ngravity = 10\n";
  SweepRequest r =
      request({"surface.restitution=0.5,0.6,0.7", "motion.gravity=8,10"},
              {"time@impact", "time@impact 2", "ball.v_y@impact", "ball.v_y@impact before",
               "normal_impulse@impact", "ending", "impacts", "end_time", "energy_change@impact"},
              {});
  const SweepPlan plan = plan_sweep(ball, "ball", r, "test");
  EXPECT_TRUE(plan.motion);
  const auto store = in_memory(plan);
  compute_sweep(plan, blocks_of(plan, 1, 1), *store, *on_threads(2), nullptr, {});
  for (std::size_t i = 0; i < 6; ++i) {
    const double e = std::array{0.5, 0.6, 0.7}[i / 2];
    const double g = i % 2 == 0 ? 8. : 10.;
    const double v = std::sqrt(2. * g);
    const BlockResult block = store->get(i);
    ASSERT_EQ(plan.block, 1U);
    const auto value = [&](std::size_t c) { return block.values[c][0]; };
    EXPECT_NEAR(value(0), v / g, 1e-8);
    EXPECT_NEAR(value(1), v / g + 2. * e * v / g, 1e-8);
    EXPECT_NEAR(value(2), e * v, 1e-7);
    EXPECT_NEAR(value(3), -v, 1e-7);
    EXPECT_NEAR(value(4), 0.1 * (1. + e) * v, 1e-7);
    EXPECT_EQ(value(5), 0.);
    EXPECT_EQ(value(7), 1.5);
    EXPECT_NEAR(value(8), -0.05 * v * v * (1. - e * e), 1e-7);
  }
  EXPECT_NE(error_of([&] {
              (void)plan_sweep(ball, "ball", request({"motion.gravity=8,10"}, {"ball.z"}, {}), "t");
            }).find("a motion has no 'ball.z'"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::study
