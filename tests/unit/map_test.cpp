// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include <carom/core/error.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/study/boundaries.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map/map.hpp>

#include "support/reference_cases.hpp"

namespace carom::study {
namespace {

using scenario::MapRequest;
using scenario::parse_axis;

std::string bar(double K, double e, double e_t, double mu) {
  return "[system]\ntype = 'bar'\ninertia_factor = " + shortest(K) +
         "\nangle_deg = 90\nvelocity = [0.3, -1.0]\nspin = 0.2\n[surface]\nrestitution = " +
         shortest(e) + "\ntangential_restitution = " + shortest(e_t) +
         "\nfriction = " + shortest(mu) + "\n";
}

std::string rod(double alpha) {
  return "[system]\ntype = 'rod'\nhalf_length = 2.3\ninertia_factor = " + shortest(alpha) +
         "\nangle_deg = 10\nvelocity = [1.0, 1.0]\n[surface]\nrestitution = 0.7\nfriction = 0.4\n";
}

MapRequest request(const std::string& x, const std::string& y, std::vector<std::string> laws,
                   std::vector<std::string> show = {"mode"}) {
  MapRequest r;
  r.x = parse_axis(x, "--x");
  if (!y.empty()) r.y = parse_axis(y, "--y");
  for (const std::string& law : laws) {
    r.laws.push_back({.text = law, .field = "--law", .place = ""});
  }
  for (const std::string& q : show) r.show.push_back({.text = q, .field = "--show", .place = ""});
  return r;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

const test::DerivedCase& derived(const std::string& id) {
  for (const auto& c : test::derived_cases()) {
    if (c.id == id) return c;
  }
  throw std::runtime_error("no case " + id);
}

// --- against the reference ----------------------------------------------------------------------

/// In the row of each angle the regime changes between the two cells round the boundary.
class PayrGlocker : public testing::TestWithParam<std::string> {};

TEST_P(PayrGlocker, BoundariesFallBetweenCellsOfTheRightModes) {
  const auto& c = derived(GetParam());
  const std::string text =
      bar(c.inputs.at("K"), c.inputs.at("e_n"), c.inputs.at("e_t"), c.inputs.at("mu"));
  // Not on the boundaries themselves.
  const std::string x = "approach_ratio=-8.003:8.001:3001";
  int checked = 0;
  for (std::size_t k = 0; k < c.angles_deg.size(); ++k) {
    const std::string phi = shortest(c.angles_deg[k]);
    const Map map = compute_map(
        text, "bar", request(x, "system.angle_deg=" + phi + ":179.5:2", {"moreau"}, {"regime"}));
    const auto& r = map.x.values;
    const auto& values = map.layers.at(0).values;
    const auto limit = [&](const char* name) { return c.expect.at(name).at(k); };
    for (std::size_t i = 0; i < r.size(); ++i) {
      const bool forward = limit("r_forward") && r[i] <= *limit("r_forward");
      const bool backward = limit("r_backward") && r[i] >= *limit("r_backward");
      ASSERT_EQ(values[i], backward ? 0. : forward ? 2. : 1.) << "phi " << phi << " r " << r[i];
    }
    for (const auto& [name, from, to] :
         {std::tuple{"r_forward", 2., 1.}, std::tuple{"r_backward", 1., 0.}}) {
      if (!limit(name)) continue;
      const auto next = std::upper_bound(r.begin(), r.end(), *limit(name)) - r.begin();
      EXPECT_EQ(values[static_cast<std::size_t>(next) - 1], from);
      EXPECT_EQ(values[static_cast<std::size_t>(next)], to);
      ++checked;
    }
  }
  EXPECT_GE(checked, 11);
}

TEST_P(PayrGlocker, TracedLinesPassThroughTheReferencePoints) {
  const auto& c = derived(GetParam());
  const std::string text =
      bar(c.inputs.at("K"), c.inputs.at("e_n"), c.inputs.at("e_t"), c.inputs.at("mu"));
  for (std::size_t k = 0; k < c.angles_deg.size(); ++k) {
    // A grid line lies on the angle.
    const double phi = c.angles_deg[k];
    const Map map = compute_map(
        text, "bar",
        request("approach_ratio=-8.003:8.001:201",
                "system.angle_deg=" + shortest(phi - 20.) + ":" + shortest(phi + 20.) + ":41",
                {"moreau"}));
    for (const auto& [name, key] :
         {std::pair{"r_F", "r_forward"}, std::pair{"r_B", "r_backward"}}) {
      const auto& limit = c.expect.at(key).at(k);
      double nearest = 1.;
      for (const BoundaryCurve& b : map.boundaries) {
        if (b.name != name) continue;
        for (const auto& line : b.lines) {
          for (const auto& [x, y] : line) {
            if (std::abs(y - phi) < 1e-9 && limit)
              nearest = std::min(nearest, std::abs(x - *limit));
          }
        }
      }
      if (limit) {
        EXPECT_LT(nearest, 1e-8) << name << " at " << phi;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Figures, PayrGlocker,
                         testing::Values("pg_fig4_boundaries", "pg_fig5_boundaries",
                                         "pg_fig11_boundaries"),
                         [](const auto& i) { return i.param; });

class SunBaruh : public testing::TestWithParam<std::string> {};

TEST_P(SunBaruh, SevenModesAndTheLineOfReversedSlip) {
  const auto& c = derived(GetParam());
  const double line = c.expect.at("theta_stick_reverse_deg").at(0).value();
  const Map map =
      compute_map(rod(c.inputs.at("alpha")), "rod",
                  request("system.angle_deg=-70:70:1401", "slip_ratio=0:4:401", {"poisson"}));
  const auto& values = map.layers.at(0).values;
  std::set<double> modes(values.begin(), values.end());
  EXPECT_EQ(modes, (std::set<double>{0., 1., 2., 3., 4., 5., 6.}));

  // Without slip, and with little, sticking gives way to slip at the line, between two cells.
  const auto& theta = map.x.values;
  const auto next =
      static_cast<std::size_t>(std::upper_bound(theta.begin(), theta.end(), line) - theta.begin());
  const auto mode = [&](std::size_t i, std::size_t j) { return values[j * map.columns() + i]; };
  EXPECT_EQ(mode(next - 1, 0), 5.);
  EXPECT_EQ(mode(next, 0), 6.);
  EXPECT_EQ(mode(next - 1, 40), 1.);
  EXPECT_EQ(mode(next, 40), 2.);
  EXPECT_EQ(mode(next - 1, 130), 3.);
  EXPECT_EQ(mode(next, 130), 4.);

  // R1 and R3 at the angles of the reference.
  for (std::size_t k = 0; k < c.angles_deg.size(); ++k) {
    const auto column = static_cast<std::size_t>(std::lround((c.angles_deg[k] + 70.) * 10.));
    for (std::size_t j = 1; j < map.rows(); ++j) {
      const double r = map.y->values[j];
      const double R1 = *c.expect.at("R1").at(k);
      const double R3 = *c.expect.at("R3").at(k);
      if (std::abs(r - R1) < 1e-9 || std::abs(r - R3) < 1e-9) continue;  // on the line itself
      const bool slides = R1 > 0. ? r > R3 : false;
      const bool in_restitution = R1 > 0. && r > R1 && r <= R3;
      const bool sticks = std::abs(*c.expect.at("R2").at(k)) <= c.inputs.at("mu_s");
      if (R1 <= 0.) {  // slip never stops, and v_n rises: slides throughout
        EXPECT_EQ(mode(column, j), 0.) << c.angles_deg[k] << " " << r;
        continue;
      }
      const double expected = slides ? 0. : in_restitution ? (sticks ? 3. : 4.) : sticks ? 1. : 2.;
      EXPECT_EQ(mode(column, j), expected) << c.angles_deg[k] << " " << r;
    }
  }

  // The line is drawn where it is.
  bool drawn = false;
  for (const BoundaryCurve& b : map.boundaries) {
    if (b.name != "R₂ = μₛ") continue;
    for (const auto& points : b.lines) {
      for (const auto& [x, y] : points) {
        if (x < 0.) continue;  // the same on the other side of the upright
        EXPECT_NEAR(x, line, 1e-6);
        drawn = true;
      }
    }
  }
  EXPECT_TRUE(drawn);
}

INSTANTIATE_TEST_SUITE_P(Rods, SunBaruh,
                         testing::Values("sb_fig3_ratios_thin", "sb_fig3_ratios_cyl"),
                         [](const auto& i) { return i.param; });

// --- against `solve` ----------------------------------------------------------------------------

/// The scenario of a cell, by text.
std::string with(std::string text, const std::string& key, double value) {
  const auto at = text.find("\n" + key + " = ");
  const auto end = text.find('\n', at + 1);
  return text.replace(at, end - at, "\n" + key + " = " + shortest(value));
}

TEST(Map, CellsAreWhatSolveSays) {
  const std::string text = bar(0.4, 0.6, 0., 0.7);
  const std::vector<std::string> laws{"newton",         "poisson", "energetic",    "moreau",
                                      "moreau:poisson", "brach",   "conventional", "compliant"};
  const Map map =
      compute_map(with(text, "friction", 0.7) + "compliance_ratio = 0.8\n", "bar",
                  request("surface.friction=0:1.9:20", "system.angle_deg=5:175:18", laws,
                          {"mode", "regime", "verdict", "energy", "ratio", "rebound",
                           "normal_impulse", "energy_change"}));
  ASSERT_EQ(map.layers.size(), 8 * laws.size());
  const auto layer = [&](std::size_t quantity, std::size_t law) -> const MapLayer& {
    return map.layers[quantity * laws.size() + law];
  };
  for (std::size_t j = 0; j < map.rows(); ++j) {
    for (std::size_t i = 0; i < map.columns(); ++i) {
      const std::string here =
          with(with(text, "friction", map.x.values[i]), "angle_deg", map.y->values[j]) +
          "compliance_ratio = 0.8\n";
      const auto s = scenario::parse(here, "cell");
      std::vector<const Law*> named;
      for (const auto& law : laws) named.push_back(&find_law(law, ""));
      const Comparison c = compare_laws(s, {.laws = named});
      const std::size_t cell = j * map.columns() + i;
      for (std::size_t k = 0; k < laws.size(); ++k) {
        const Answer& a = c.answers[k];
        const PlanarOutcome o = planar_outcome(a.outcome);
        SCOPED_TRACE(laws[k] + "\n" + here);
        EXPECT_EQ(layer(2, k).values[cell], static_cast<double>(o.verdict()));
        if (o.flags.has(Verdict::no_solution)) {
          EXPECT_TRUE(std::isnan(layer(0, k).values[cell]));
          EXPECT_TRUE(std::isnan(layer(3, k).values[cell]));
          continue;
        }
        const auto label = [&](const MapLayer& l) {
          return l.categories.at(static_cast<std::size_t>(l.values[cell])).label;
        };
        std::string mode = mode_label(info(planar_kernel(*a.law)), o.mode, o.slider);
        std::replace(mode.begin(), mode.end(), laws[k] == "compliant" ? '\0' : '-', ' ');
        if (laws[k] != "compliant" || o.slider.size() <= 4) {
          EXPECT_EQ(label(layer(0, k)), mode);
        }
        std::string regime(regime_name(payr_glocker_regime(planar_problem(c.problem()), o)));
        std::replace(regime.begin(), regime.end(), '-', ' ');
        EXPECT_EQ(label(layer(1, k)), regime);
        EXPECT_EQ(layer(3, k).values[cell], (c.energy_before + o.energy.change) / c.energy_before);
        EXPECT_EQ(layer(4, k).values[cell], o.velocity.t / o.velocity.n);
        EXPECT_EQ(layer(5, k).values[cell], -o.velocity.n / (0.6 * c.problem().approach[0]));
        EXPECT_EQ(layer(6, k).values[cell], o.impulse.n);
        EXPECT_EQ(layer(7, k).values[cell], o.energy.change);
      }
    }
  }
}

// Whatever a quantity is of: the map has what `solve` says.
TEST(Map, EveryQuantityIsWhatSolveSays) {
  const std::vector<std::pair<std::string, std::string>> systems{
      {"bar", "energetic"},    {"moment", "brach"},      {"kane-levinson", "compliant"},
      {"cart-pole", "newton"}, {"space/rod", "poisson"}, {"many/rocking-block", "lzb"}};
  for (const auto& [name, law] : systems) {
    const std::string text = scenario::read_text(CAROM_SOURCE_DIR "/examples/" + name + ".toml");
    const auto s = scenario::parse(text, name);
    const std::vector<const Law*> laws{&find_law(law, "")};
    const Comparison c = compare_laws(s, {.laws = laws});
    // An axis that ends where the file is.
    const double e = s.problem().surfaces.front().restitution;
    const std::string axis = "surface.restitution=" + shortest(0.5 * e) + ":" + shortest(e) + ":2";
    for (const Quantity& q : quantities()) {
      if (q.get == nullptr || q.over == Over::pair) continue;
      if (q.refuses != nullptr && !q.refuses(s.kind()).empty()) continue;
      const auto entries = entries_of(q, s.problem(), &s.impact);
      if (entries.empty() || entries.size() > 8) continue;
      SCOPED_TRACE(name + ", " + std::string(q.name));
      const Map map = compute_map(text, name, request(axis, "", {law}, {std::string(q.name)}));
      ASSERT_EQ(map.layers.size(), entries.size());
      for (std::size_t k = 0; k < entries.size(); ++k) {
        const double expected = value_of(q, view_of(c, c.answers.front()), entries[k].index);
        const double found = map.layers[k].values[1];
        if (q.categories != nullptr && std::isnan(expected)) continue;  // what the slider did
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(found));
        } else {
          EXPECT_NEAR(found, expected, 1e-12 * (1. + std::abs(expected)));
        }
      }
    }
  }
}

TEST(Map, SlipRatioMovesAFreeBodyAlongTheTangent) {
  const Map map = compute_map(rod(1. / 3.), "rod",
                              request("slip_ratio=0:3:7", "", {"poisson"}, {"energy", "mode"}));
  EXPECT_FALSE(map.y);
  for (std::size_t i = 0; i < map.columns(); ++i) {
    std::string here = rod(1. / 3.);
    here.replace(here.find("[1.0, 1.0]"), 10, "[" + shortest(map.x.values[i]) + ", 1.0]");
    const std::vector<const Law*> poisson{&find_law("poisson", "")};
    const Comparison c = compare_laws(scenario::parse(here, "cell"), {.laws = poisson});
    const double expected =
        (c.energy_before + c.answers[0].outcome.energy.change) / c.energy_before;
    EXPECT_NEAR(map.layers[0].values[i], expected, 1e-15);
    EXPECT_EQ(map.layers[1].values[i], static_cast<double>(c.answers[0].outcome.contacts[0].mode));
  }
}

TEST(Map, SlipOfOtherSystemsIsSetByABlow) {
  const std::string text =
      "[system]\ntype = 'generalized'\nmass = [[3.0, 0.4], [0.4, 2.0]]\n"
      "directions = [[1.0, 0.3], [0.2, 1.0]]\nvelocity = [-1.0, 0.5]\n"
      "[surface]\nrestitution = 0.5\nfriction = 0.4\n";
  const scenario::MapAxis x = parse_axis("approach_ratio=-3:2:6", "--x");
  VariedPoint point(text, "g", {x.number()});
  const double before = point.system().contact.approach.n;
  for (const double r : x.values()) {
    point.set(0, r);
    const PlanarProblem p = point.problem();
    EXPECT_EQ(p.approach.n, before);
    EXPECT_DOUBLE_EQ(p.approach.t, r * before);
    // 2 x 2: contact space is all there is, so that the energy is that of the contact.
    EXPECT_NEAR(point.system().energy_before(p), contact_energy(p), 1e-13);
  }
  // A pendulum's contact has one direction: nothing to set.
  const std::string pendulum =
      "[system]\ntype = 'generalized'\nmass = [[3.0]]\ndirections = [[1.0, 0.3]]\n"
      "velocity = [-1.0]\n[surface]\nrestitution = 0.5\nfriction = 0.4\n";
  EXPECT_NE(error_of([&] {
              (void)compute_map(pendulum, "p", request("approach_ratio=-1:1:3", "", {"poisson"}));
            }).find("moves in one direction only"),
            std::string::npos);
}

TEST(Map, IncidenceIsTheAngleFromTheNormal) {
  const scenario::MapAxis x = parse_axis("incidence_deg=-45:45:3", "--x");
  VariedPoint point(rod(0.4), "rod", {x.number()});
  point.set(0, 45.);
  EXPECT_NEAR(point.problem().approach.t, -point.problem().approach.n, 1e-15);
  point.set(0, 0.);
  EXPECT_EQ(point.problem().approach.t, 0.);
}

// --- the same bits ------------------------------------------------------------------------------

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 8 * a.size()) == 0;
}

TEST(Map, TheSameForAnyThreadsAndInstructions) {
  const std::string text = bar(0.35, 0.7, 0., 0.9) + "compliance_ratio = 0.8\n";
  const MapRequest r = request(
      "approach_ratio=-4:4:203", "system.angle_deg=1:179:357",
      {"newton", "poisson", "energetic", "moreau", "moreau:poisson", "brach", "conventional"},
      {"mode", "verdict", "energy", "ratio", "tangential_impulse"});
  const Map plain =
      compute_map(text, "bar", r, {.instructions = Instructions::plain, .threads = 1});
  for (const Instructions i : {Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    if (!available(i)) continue;
    for (const unsigned threads : {1U, 2U, 5U, 0U}) {
      const Map map = compute_map(text, "bar", r, {.instructions = i, .threads = threads});
      ASSERT_EQ(map.layers.size(), plain.layers.size());
      for (std::size_t k = 0; k < map.layers.size(); ++k) {
        EXPECT_TRUE(same_bits(map.layers[k].values, plain.layers[k].values))
            << name(i) << ", " << threads << " threads, " << map.layers[k].title;
      }
    }
  }
}

TEST(Map, BothAxesOfOnePartOrOfTwoAreTheSameCells) {
  // Swapping the axes transposes the map, whatever is computed once for a row or a column.
  const std::string text = bar(0.35, 0.7, 0., 0.9);
  const std::vector<std::string> axes{"surface.friction=0:1:7", "system.angle_deg=5:175:9",
                                      "system.inertia_factor=0.1:1:5", "surface.restitution=0:1:6",
                                      "approach_ratio=-3:3:8"};
  for (const auto& a : axes) {
    for (const auto& b : axes) {
      if (a == b) continue;
      const Map one = compute_map(text, "bar", request(a, b, {"energetic"}, {"energy"}));
      const Map two = compute_map(text, "bar", request(b, a, {"energetic"}, {"energy"}));
      for (std::size_t j = 0; j < one.rows(); ++j) {
        for (std::size_t i = 0; i < one.columns(); ++i) {
          const double x = one.layers[0].values[j * one.columns() + i];
          const double y = two.layers[0].values[i * two.columns() + j];
          ASSERT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)) << a << b;
        }
      }
    }
  }
}

// --- lines known in closed form -----------------------------------------------------------------

/// Wherever the mode changes between neighbours, a boundary of the law lies between them.
TEST(Boundaries, EveryChangeOfModeIsOnOne) {
  const std::vector<std::pair<std::string, std::string>> axes{
      {"approach_ratio=-4.01:4:82", "system.angle_deg=1:179:90"},
      {"surface.friction=0.01:2:61", "system.angle_deg=1:179:90"},
      {"surface.restitution=0:1:41", "approach_ratio=-4.01:4:82"}};
  for (const char* law_name : {"newton", "poisson", "energetic", "moreau", "moreau:poisson",
                               "brach", "conventional", "conventional:rebound"}) {
    const Law& law = find_law(law_name, "");
    int changes = 0;
    int unexplained = 0;
    for (const auto& [ax, ay] : axes) {
      const auto x = parse_axis(ax, "--x");
      const auto y = parse_axis(ay, "--y");
      VariedPoint point(bar(0.35, 0.7, 0., 0.9), "bar", {x.number(), y.number()});
      std::vector<PlanarProblem> row;
      const auto explained = [&](const PlanarProblem& a, const PlanarProblem& b) {
        for (const Boundary& line : boundaries(planar_kernel(law))) {
          if (line.kind != BoundaryKind::mode) continue;
          const double at_a = line.value(a);
          const double at_b = line.value(b);
          if ((at_a <= 0. && at_b >= 0.) || (at_a >= 0. && at_b <= 0.)) return true;
        }
        return false;
      };
      for (const double yy : y.values()) {
        point.set(1, yy);
        std::vector<PlanarProblem> next;
        for (const double xx : x.values()) {
          point.set(0, xx);
          next.push_back(point.problem());
        }
        const auto check = [&](const PlanarProblem& a, const PlanarProblem& b) {
          if (solve(planar_kernel(law), a).mode == solve(planar_kernel(law), b).mode) return;
          ++changes;
          if (!explained(a, b)) ++unexplained;
        };
        for (std::size_t i = 0; i < next.size(); ++i) {
          if (i > 0) check(next[i - 1], next[i]);
          if (!row.empty()) check(row[i], next[i]);
        }
        row = std::move(next);
      }
    }
    EXPECT_GT(changes, 100) << law_name;
    EXPECT_EQ(unexplained, 0) << law_name << ": of " << changes;
  }
}

/// The other way round: on the two sides of what is drawn the mode is another.
TEST(Boundaries, WhatIsDrawnSeparatesModes) {
  const auto x = parse_axis("approach_ratio=-4.01:4:82", "--x");
  const auto y = parse_axis("system.angle_deg=1:179:90", "--y");
  const std::string text = bar(0.35, 0.7, 0.3, 0.9);
  VariedPoint point(text, "bar", {x.number(), y.number()});
  const Axis ax = named_axis(x, text, "bar");
  const Axis ay = named_axis(y, text, "bar");
  for (const char* law_name : {"poisson", "moreau", "brach"}) {
    const Law& law = find_law(law_name, "");
    std::size_t points = 0;
    for (const BoundaryCurve& curve : trace_boundaries(std::vector{&law}, point, ax, ay)) {
      if (curve.kind != BoundaryKind::mode) continue;
      for (const auto& line : curve.lines) {
        for (const auto& [px, py] : line) {
          std::set<Mode> modes;
          const double dx = 1e-4;
          const double dy = 1e-3;
          for (const auto& [sx, sy] : {std::pair{dx, 0.}, {-dx, 0.}, {0., dy}, {0., -dy}}) {
            point.set(0, px + sx);
            point.set(1, py + sy);
            modes.insert(solve(planar_kernel(law), point.problem()).mode);
          }
          EXPECT_GE(modes.size(), 2U) << law_name << " " << curve.name << " " << px << " " << py;
          ++points;
        }
      }
    }
    EXPECT_GT(points, 100U);
  }
}

TEST(Boundaries, FollowLogarithmicAndFallingAxes) {
  const Map map = compute_map(
      bar(0.35, 0.7, 0., 0.9), "bar",
      request("surface.friction=3:0.03:61:log", "approach_ratio=4:-4.01:82", {"moreau"}));
  EXPECT_TRUE(map.x.log);
  ASSERT_FALSE(map.boundaries.empty());
  for (const BoundaryCurve& b : map.boundaries) {
    if (b.name != "r_F") continue;
    for (const auto& line : b.lines) {
      for (const auto& [mu, r] : line) {
        // G of the bar at 90 degrees.
        const double K = 0.35;
        const Sym2 G{.nn = 1., .nt = 0., .tt = 1. + 1. / K};
        const auto limit =
            regime_boundaries(G, {.restitution = 0.7, .friction = mu, .static_friction = mu});
        EXPECT_NEAR(r, *limit.forward, 1e-6);
      }
    }
  }
}

// --- quantities ---------------------------------------------------------------------------------

TEST(Map, ComparesTwoLaws) {
  MapRequest r = request("approach_ratio=-3:3:61", "system.angle_deg=5:175:35",
                         {"poisson", "energetic"}, {"rebound"});
  const Map each = compute_map(bar(0.35, 0.7, 0., 0.9), "bar", r);
  r.compare = {.text = "ratio", .field = "--compare", .place = ""};
  const Map ratio = compute_map(bar(0.35, 0.7, 0., 0.9), "bar", r);
  r.compare.text = "difference";
  const Map difference = compute_map(bar(0.35, 0.7, 0., 0.9), "bar", r);
  ASSERT_EQ(ratio.layers.size(), 1U);
  EXPECT_EQ(ratio.layers[0].title, "normalised normal velocity, poisson over energetic");
  double most = 0.;
  for (std::size_t i = 0; i < each.layers[0].values.size(); ++i) {
    const double a = each.layers[0].values[i];
    const double b = each.layers[1].values[i];
    EXPECT_EQ(ratio.layers[0].values[i], a / b);
    EXPECT_EQ(difference.layers[0].values[i], a - b);
    most = std::max(most, std::abs(a - b));
  }
  EXPECT_GT(most, 0.02);
  // Modes of two hypotheses never differ; of two laws of other kinds they do.
  r.show[0].text = "mode";
  const Map modes = compute_map(bar(0.35, 0.7, 0., 0.9), "bar", r);
  ASSERT_EQ(modes.layers[0].categories.size(), 2U);
  EXPECT_EQ(std::set<double>(modes.layers[0].values.begin(), modes.layers[0].values.end()),
            std::set<double>{0.});
}

TEST(Map, PartingIsTheDistanceOfVelocities) {
  const Map map = compute_map(bar(1. / 3., 0.8, 0., 0.8), "bar",
                              request("slip_ratio=-3:3:61", "system.angle_deg=1:179:90",
                                      {"newton", "energetic"}, {"parting", "mode"}));
  ASSERT_EQ(map.layers.size(), 3U);
  EXPECT_EQ(map.layers[0].unit, "%");
  std::size_t apart = 0;
  for (std::size_t i = 0; i < map.layers[0].values.size(); ++i) {
    const double parting = map.layers[0].values[i];
    if (map.layers[1].values[i] == 0.) {  // slides throughout: all agree
      EXPECT_LT(parting, 1e-10);
    }
    EXPECT_GE(parting, 0.);
    if (parting > 10.) ++apart;
  }
  EXPECT_GT(apart, map.layers[0].values.size() / 20);
}

TEST(Map, WhatBecomesOfSlip) {
  const Map map = compute_map(bar(0.4, 1., 0., 0.6), "bar",
                              request("approach_ratio=-1:1:201", "system.angle_deg=150:151:2",
                                      {"moreau"}, {"reversal", "sign"}));
  // ERRATA, PG6: at 150 degrees slip 0.05 comes back as -0.0466.
  const auto at = static_cast<std::size_t>(
      std::lower_bound(map.x.values.begin(), map.x.values.end(), -0.05 - 1e-9) -
      map.x.values.begin());
  EXPECT_NEAR(map.x.values[at], -0.05, 1e-12);
  EXPECT_EQ(map.layers[0].categories[static_cast<std::size_t>(map.layers[0].values[at])].label,
            "reverses");
  EXPECT_EQ(map.layers[1].values[at], 0.);  // negative
  EXPECT_EQ(map.layers[0].categories[static_cast<std::size_t>(map.layers[0].values[100])].label,
            "begins");
}

// --- space
// ----------------------------------------------------------------------------------------

std::string space_rod(double angle1, double angle2) {
  return "[system]\ntype = 'space-rod'\nhalf_length = 2.3\nradius = 0.5\nangle1_deg = " +
         shortest(angle1) + "\nangle2_deg = " + shortest(angle2) +
         "\nvelocity = [0.4, 1.0, 0.0]\n[surface]\nrestitution = 0.7\nfriction = 0.4\n";
}

TEST(SpatialMap, CellsAreWhatSolveSays) {
  const std::vector<std::string> laws{"poisson", "sun-baruh", "moreau", "brach"};
  const Map map = compute_map(space_rod(0., 0.), "rod",
                              request("system.angle1_deg=-40:40:9", "system.angle2_deg=0:40:5",
                                      laws, {"mode", "energy", "normal_velocity", "slip"}));
  ASSERT_EQ(map.layers.size(), 4 * laws.size());
  for (std::size_t j = 0; j < map.rows(); ++j) {
    for (std::size_t i = 0; i < map.columns(); ++i) {
      const auto s = scenario::parse(space_rod(map.x.values[i], map.y->values[j]), "cell");
      std::vector<const Law*> named;
      for (const auto& law : laws) named.push_back(&find_law(law, "", in_space));
      const Comparison c = compare_laws(s, {.laws = named});
      const std::size_t cell = j * map.columns() + i;
      for (std::size_t k = 0; k < laws.size(); ++k) {
        const SpatialOutcome o = spatial_outcome(c.answers[k].outcome);
        const auto layer = [&](std::size_t q) -> const MapLayer& {
          return map.layers[q * laws.size() + k];
        };
        const auto& modes = layer(0);
        EXPECT_EQ(modes.categories.at(static_cast<std::size_t>(modes.values[cell])).label,
                  mode_label(*named[k]->info, o.mode));
        EXPECT_EQ(layer(1).values[cell], (c.energy_before + o.energy.change) / c.energy_before);
        EXPECT_EQ(layer(2).values[cell], o.velocity.n);
        EXPECT_EQ(std::abs(layer(3).values[cell]), tangential_size(o.velocity));
      }
    }
  }
}

// As computed independently (ERRATA, "The reading that works in space").
TEST(SpatialMap, AlgebraicLawAgainstTheExactOneOnTheGridOfFigure10) {
  MapRequest r = request("system.angle1_deg=-50:50:101", "system.angle2_deg=0:50:51",
                         {"sun-baruh", "poisson"}, {"mode", "parting", "energy"});
  r.compare = {.text = "difference", .field = "--compare", .place = ""};
  const Map map = compute_map(space_rod(0., 0.), "rod", r);
  const auto& modes = map.layers[0].values;
  const double same = static_cast<double>(std::count(modes.begin(), modes.end(), 0.)) /
                      static_cast<double>(modes.size());
  EXPECT_NEAR(same, 0.761, 0.0005);
  const double v = std::hypot(0.4, 1.);
  std::vector<double> error = map.layers[1].values;  // per cent of |v-|
  std::sort(error.begin(), error.end());
  EXPECT_NEAR(error.back() / 100. * v, 0.147, 0.0005);
  EXPECT_NEAR(error[error.size() / 2] / 100. * v, 0.0091, 0.00005);
  const auto& energy = map.layers[2].values;
  EXPECT_NEAR(*std::max_element(energy.begin(), energy.end()), 0.080, 0.0005);
}

TEST(SpatialMap, RefusesWhatIsOfThePlane) {
  const auto map = [](const std::string& x, std::vector<std::string> laws,
                      std::vector<std::string> show) {
    return error_of(
        [&] { (void)compute_map(space_rod(0., 0.), "rod", request(x, "", laws, show)); });
  };
  EXPECT_EQ(map("approach_ratio=0:1", {}, {"mode"}),
            "--x: approach_ratio is of one contact in the plane; vary the velocities themselves");
  EXPECT_EQ(map("system.angle1_deg=0:1", {"poisson"}, {"regime"}),
            "--show: regime is of the plane; in space show mode");
  EXPECT_NE(map("system.angle1_deg=0:1", {"conventional"}, {"mode"}).find("--law: "),
            std::string::npos);
}

// --- axes and paths -----------------------------------------------------------------------------

TEST(Axes, ValuesIncludeBothEndsAndTheMiddle) {
  EXPECT_EQ(parse_axis("surface.friction=-0.3:0.3:3", "--x").values(),
            (std::vector<double>{-0.3, 0., 0.3}));
  const auto log = parse_axis("surface.friction=0.01:100:5:log", "--x").values();
  const std::vector<double> decades{0.01, 0.1, 1., 10., 100.};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(log[i], decades[i], 1e-14 * decades[i]);
  EXPECT_EQ(parse_axis("surface.friction=1:0", "--x").values().size(), 401U);
}

TEST(Axes, BadOnesAreRefusedInOneLine) {
  const auto axis = [](const char* text) {
    return error_of([&] { (void)parse_axis(text, "--x"); });
  };
  EXPECT_EQ(axis("surface.friction"),
            "--x: must be PATH=FROM:TO, PATH=FROM:TO:POINTS or PATH=FROM:TO:POINTS:log, as in "
            "system.angle_deg=10:80:141, got 'surface.friction'");
  EXPECT_EQ(axis("a=1:1"), "--x: from and to must differ, got 1 twice");
  EXPECT_EQ(axis("a=0:1:1"), "--x: points must be in [2, 20000], got 1");
  EXPECT_EQ(axis("a=0:1:5:log"), "--x: from must be > 0 on a logarithmic axis, got 0");
  EXPECT_EQ(axis("a=0:inf"), "--x: to must be a finite number, got inf");
  const auto map = [](const std::string& x, const std::string& y = "") {
    return error_of(
        [&] { (void)compute_map(bar(0.4, 0.5, 0., 0.5), "bar.toml", request(x, y, {"poisson"})); });
  };
  EXPECT_EQ(map("system.angel_deg=1:2"),
            "--x: system.angel_deg: unknown key; did you mean 'angle_deg'? (at system.angel_deg = "
            "1)");
  EXPECT_EQ(map("system.angle_deg=1:180"),
            "--x: system.angle_deg: must be in (0, 180), got 180 (at system.angle_deg = 180)");
  EXPECT_EQ(map("surface.restitution=0:1.2"),
            "--x: surface.restitution: must be in [0, 1], got 1.2 (at surface.restitution = 1.2)");
  EXPECT_EQ(map("system.type=1:2"), "--x: system.type: is not a number but the string 'bar'");
  EXPECT_EQ(map("friction=0:1"),
            "--x: must vary a number of [system] or [surface] by its dotted path, such as "
            "system.angle_deg or surface.friction, or approach_ratio, slip_ratio or "
            "incidence_deg; got 'friction'");
  EXPECT_EQ(map("system.velocity[2]=0:1"),
            "--x: 'system.velocity[2]' is not in the file: velocity has 2 items, [0] and on");
  EXPECT_EQ(map("surface.friction=0:1", "surface.friction=0:1"),
            "--y: both axes vary surface.friction");
  EXPECT_EQ(map("approach_ratio=0:1", "slip_ratio=0:1"),
            "--y: both axes set the slip of the approach");
  EXPECT_EQ(map("incidence_deg=0:90"), "--x: incidence_deg must be in (-90, 90), got 0 to 90");
}

TEST(Axes, AWrongScenarioIsNotBlamedOnThem) {
  const std::string text =
      "[system]\ntype = 'bar'\nhalf_length = -1\nangle_deg = 90\nvelocity = [0.3, -1.0]\n"
      "[surface]\nrestitution = 0.5\nfriction = 0.3\n";
  EXPECT_EQ(error_of([&] {
              (void)compute_map(text, "b.toml", request("system.angle_deg=1:2", "", {"poisson"}));
            }),
            "b.toml:3:15: system.half_length: must be a finite number > 0, got -1");
}

TEST(Axes, ReachItemsByNumberAndByName) {
  const std::string text =
      "[system]\ntype = 'linkage'\nzero_angle = 'down'\n"
      "[[system.links]]\nname = 'upper'\nmass = 3\nlength = 2\nangle_deg = 20\nrate = -0.1\n"
      "[[system.links]]\nname = 'lower'\nmass = 3\nlength = 2\nangle_deg = 30\nrate = -0.2\n"
      "[surface]\nrestitution = 0.5\nfriction = 0.7\n";
  const Map by_number =
      compute_map(text, "l", request("system.links[1].mass=1:5:5", "", {"energetic"}, {"energy"}));
  const Map by_name = compute_map(
      text, "l", request("system.links.lower.mass=1:5:5", "", {"energetic"}, {"energy"}));
  EXPECT_EQ(by_number.layers[0].values, by_name.layers[0].values);
  EXPECT_EQ(by_name.x.label, "mass of lower");
  EXPECT_EQ(by_name.x.unit, "kg");
  // A uniform link: inertia follows mass and length.
  EXPECT_NE(by_number.layers[0].values[0], by_number.layers[0].values[4]);
  EXPECT_EQ(error_of([&] {
              (void)compute_map(text, "l", request("system.links.lowr.mass=1:5", "", {"poisson"}));
            }),
            "--x: 'system.links.lowr.mass' is not in the file: links has 2 items, [0] and on; did "
            "you mean 'lower'?");
}

TEST(Map, LawsThatDoNotApplyAtACornerAreLeftOut) {
  const Map map = compute_map(bar(0.4, 0.5, 0., 0.5), "bar",
                              request("surface.static_friction=0.5:1:3", "", {}, {"energy"}));
  std::set<std::string> laws;
  for (const MapLayer& l : map.layers) laws.insert(l.law);
  EXPECT_TRUE(laws.contains("poisson"));
  EXPECT_FALSE(laws.contains("moreau"));
  EXPECT_NE(
      std::find(map.notes.begin(), map.notes.end(), "moreau left out: ignores static_friction"),
      map.notes.end());
}

TEST(Map, StopsWhenAskedTo) {
  std::atomic<bool> stop = true;
  EXPECT_THROW(
      (void)compute_map(bar(0.4, 0.5, 0., 0.5), "bar",
                        request("approach_ratio=-1:1:50", "system.angle_deg=1:179:50", {"poisson"}),
                        {.stop = &stop}),
      Interrupted);
  double share = 0.;
  (void)compute_map(bar(0.4, 0.5, 0., 0.5), "bar",
                    request("approach_ratio=-1:1:50", "system.angle_deg=1:179:50", {"poisson"}),
                    {.threads = 1, .progress = [&](double s) {
                       EXPECT_GE(s, share);
                       share = s;
                     }});
  EXPECT_EQ(share, 1.);
}

}  // namespace
}  // namespace carom::study
