// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2: the seven cases, and the ratios that tell them off. Section 5: the slide
// parameter.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <carom/laws/routh.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/sun-baruh/measures.hpp>

namespace carom::papers::sb {
namespace {

/// What happens in a stage: "slip ends, stick".
std::string words_of(const PlanarOutcome& outcome, Stage stage) {
  std::string words;
  for (const PlanarPhase& phase : outcome.phases) {
    if (phase.stage != stage) continue;
    std::string motion(name(phase.motion));
    std::replace(motion.begin(), motion.end(), '-', ' ');
    words += words.empty() ? motion : " ends, " + motion;
  }
  return words;
}

Computed table_1(const Row& row) {
  const PlanarOutcome o = solved({row.number("θ [deg]"), row.number("v_Cx/v_Cy")});
  return {{"case", std::to_string(number(o.mode))},
          {"in compression", words_of(o, Stage::compression)},
          {"in restitution", words_of(o, Stage::restitution)}};
}

// --- Table 2 -------------------------------------------------------------------------------------

/// The case by the ratios R1, R2, R3. @param limit  of |R2|: mu_s, or 1 as printed
Mode by_ratios(const PlanarFall& fall, double limit) {
  const SlideRatios r = ratios(fall);
  const bool holds = std::abs(*r.R2) <= limit;
  if (fall.ratio == 0.) return holds ? Mode::no_slip_sticks : Mode::no_slip_slides;
  if (!r.jams && fall.ratio > *r.R3) return Mode::slides;
  if (!r.jams && fall.ratio > *r.R1) {
    return holds ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
  }
  return holds ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
}

/// Of the falls that the row's conditions pick: what the law says of all of them, or "several".
Computed table_2(const Row& row) {
  std::size_t falls = 0;
  std::string compression;
  std::string restitution;
  const auto take = [](std::string& all, const std::string& words) {
    if (all.empty()) all = words;
    if (all != words) all = "several";
  };
  for (const PlanarPoint& p : fig_3().points) {
    if (number(by_ratios(p.fall, p.fall.surface.static_friction)) != row.number("key")) continue;
    ++falls;
    take(compression, words_of(p.poisson, Stage::compression));
    take(restitution, words_of(p.poisson, Stage::restitution));
  }
  return {{"in compression", compression}, {"in restitution", restitution}, {"falls", falls}};
}

Found ratios_tell_the_case(double limit) {
  const auto& points = fig_3().points;
  const std::size_t wrong = count(
      points, [&](const PlanarPoint& p) { return by_ratios(p.fall, limit) != p.poisson.mode; });
  return {wrong == 0, {{"wrong", wrong}, {"falls", points.size()}}};
}

/// On random surfaces and rods, mu_s > mu included, without the jam (SB3).
Found random_falls() {
  constexpr std::size_t falls = 20'000;
  FixedRandom random(2022);
  std::size_t wrong = 0;
  std::size_t laws = 0;
  for (std::size_t k = 0; k < falls; ++k) {
    const double mu = random(0., 1.2);
    const PlanarFall fall{.angle_deg = random(-80., 80.),
                          .ratio = random(0., 4.),
                          .surface = {.restitution = random(0., 1.),
                                      .friction = mu,
                                      .static_friction = mu + random(0., 0.3)},
                          .inertia_factor = random(0.05, 1.)};
    const Mode mode = solved(fall).mode;
    if (by_ratios(fall, fall.surface.static_friction) != mode) ++wrong;
    if (solved(fall, Hypothesis::energetic).mode != mode) ++laws;
  }
  return {wrong == 0 && laws == 0, {{"falls", falls}, {"wrong", wrong}, {"laws", laws}}};
}

/// Where the law changes its mode as the ratio grows, against R1 (eq. 28) and R3 = (1 + e) R1.
Found edges() {
  Extent off;
  for (double angle = -20.; angle <= 70.; angle += 5.) {
    const auto edge = [&](auto beyond) {
      return halved(1e-9, 10., [&](double ratio) {
        return beyond(solved({angle, ratio}, Hypothesis::energetic).mode);
      });
    };
    const SlideRatios r = ratios({angle, 1.});
    off.add(std::abs(*r.R1 - edge([](Mode m) {
      return m != Mode::stops_in_compression_sticks && m != Mode::stops_in_compression_slips;
    })));
    off.add(std::abs(*r.R3 - edge([](Mode m) { return m == Mode::slides; })));
  }
  return {off.most < rounding_of_sums, {{"edges", off.count()}, {"worst", decade(off.most)}}};
}

Chart chart_of_ratios() {
  Series R1{.label = "R₁", .colour = "#D55E00"};
  Series R3{.label = "R₃", .colour = "#0072B2"};
  Series R2{.label = "R₂ = sinθ cosθ/(α + cos²θ)", .colour = "#009E73"};
  Series printed{.label = "as printed, without cosθ", .colour = "#606060", .dash = {{10., 6.}}};
  for (const double angle : steps(-70., 70., 281)) {
    const SlideRatios r = ratios({angle, 1.});
    const double c = std::cos(angle * degree);
    for (Series* series : {&R1, &R3, &R2, &printed}) series->x.push_back(angle);
    const bool none = *r.R1 < 0.;  // slides whatever the ratio
    R1.y.push_back(none ? std::nan("") : *r.R1);
    R3.y.push_back(none ? std::nan("") : *r.R3);
    R2.y.push_back(*r.R2);
    printed.y.push_back(std::sin(angle * degree) / (cylinder + c * c));
  }
  const double line = reverse_angle_deg(cylinder);
  const ChartAxis angle{.label = "angle θ  [deg]", .range = Range{-70., 70.}};
  return {
      .heading = "A falling rod: the ratios that tell the case",
      .subheading = "e = 0.7, μ = μ_s = 0.4, α = 0.3451",
      .panels = {{.title = "slip lasts through compression above R₁, through the impact above R₃",
                  .x = angle,
                  .y = {.label = "v_Cx/v_Cy", .range = Range{0., 3.}},
                  .series = {R1, R3},
                  .marks = {{.at = line, .label = "|R₂| = μ_s"}}},
                 {.title = "slip that has ended sticks where |R₂| ≤ μ_s",
                  .x = angle,
                  .y = {.label = "friction needed", .range = Range{-1.6, 1.6}},
                  .series = {R2, printed},
                  .marks = {{.at = line, .label = fmt::format("{:.2f} deg", line)},
                            {.at = 0.4, .label = "μ_s", .across = true},
                            {.at = -0.4, .label = "−μ_s", .across = true}}}},
      .columns = 1,
      .panel_width = 620,
      .panel_height = 260};
}

// --- Section 5 -----------------------------------------------------------------------------------

Computed parameter(const Row& row) {
  const Vec2 v{.n = -1., .t = row.number("v_Cx/v_Cy")};
  return {{"s", *slide_parameter(v, row.number("μ"))}};
}

/// A particle: G = 1/m in all directions.
Found particle() {
  constexpr double mu = 0.4;
  int wrong = 0;
  for (const double s : {0.2, 0.5, 0.9, 0.99, 1.01, 1.1, 2., 5.}) {
    const PlanarProblem p{.G = {.nn = 1., .nt = 0., .tt = 1.},
                          .approach = {.n = -1., .t = s * mu},
                          .surface = {.restitution = 0., .friction = mu}};
    const bool ends = routh(p, Hypothesis::poisson).mode == Mode::stops_in_compression_sticks;
    if (ends != (s < 1.)) ++wrong;
  }
  return {wrong == 0, {{"wrong", wrong}}};
}

}  // namespace

Computations cases() {
  return {.checks = {{"ratios-tell-the-case",
                      [] { return ratios_tell_the_case(PlanarFall{}.surface.static_friction); }},
                     {"ratios-as-printed", [] { return ratios_tell_the_case(1.); }},
                     {"edges", edges},
                     {"random-falls", random_falls},
                     {"particle", particle}},
          .tables = {{"table-1", table_1}, {"table-2", table_2}, {"slide-parameter", parameter}},
          .pictures = {{"sun-baruh-ratios", chart(chart_of_ratios)}}};
}

}  // namespace carom::papers::sb
