// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of [Sun & Baruh 2022]: the seven cases, and the ratios that tell them apart.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/laws/routh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/parts.hpp>

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

// --- Table 1 -------------------------------------------------------------------------------------

struct CaseRow {
  const char* number;
  const char* before;
  const char* compression;
  const char* restitution;
  double angle_deg;  // an example, e = 0.7, mu = 0.4
  double ratio;
};

constexpr std::array<CaseRow, 7> table_1_rows{{
    {"0", "slips", "slip", "slip", -50., 0.5},
    {"1", "slips", "slip ends, stick", "stick", 10., 1.},
    {"2", "slips", "slip ends, reverse slip", "reverse slip", 45., 0.5},
    {"3", "slips", "slip", "slip ends, stick", 10., 2.},
    {"4", "slips", "slip", "slip ends, reverse slip", 45., 1.},
    {"5", "does not slip", "stick", "stick", 10., 0.},
    {"6", "does not slip", "slip", "slip", 45., 0.},
}};

Table::Row example_of(const CaseRow& row) {
  const PlanarFall fall{.angle_deg = row.angle_deg,
                        .ratio = row.ratio,
                        .surface = surface_of_fig_3(),
                        .inertia_factor = cylinder};
  const PlanarOutcome o = routh(problem_of(fall), Hypothesis::poisson);
  return {{given(fmt::format("{}", row.angle_deg)), given(fmt::format("{}", row.ratio)),
           given(row.before),
           compared_word(fmt::format("{}", static_cast<int>(o.mode)), row.number),
           compared_word(words_of(o, Stage::compression), row.compression),
           compared_word(words_of(o, Stage::restitution), row.restitution)}};
}

Part table_1() {
  Table table{
      .caption = "An example of each case: e = 0.7, μ = 0.4, `poisson`",
      .columns = {"θ [deg]", "v_Cx/v_Cy", "before", "case", "in compression", "in restitution"},
      .rows = {}};
  for (const CaseRow& row : table_1_rows) table.rows.push_back(example_of(row));
  return {.id = "Table 1",
          .title = "The seven cases of an impact with friction",
          .text =
              "For each case one fall of the rod is computed under `poisson`; its phases, as the "
              "law tells them, are compared with the table. Carom's modes 0 to 6 are these cases.",
          .tables = {std::move(table)},
          .statements = {},
          .pictures = {}};
}

// --- Table 2 -------------------------------------------------------------------------------------

/// The case by the ratios R1, R2, R3. @param limit  of |R2|: mu_s, or 1 as printed
Mode by_ratios(const PlanarFall& fall, double limit) {
  const SlideRatios r = slide_ratios(problem_of(fall).G, fall.surface);
  const bool holds = std::abs(*r.R2) <= limit;
  if (fall.ratio == 0.) return holds ? Mode::no_slip_sticks : Mode::no_slip_slides;
  if (!r.jams && fall.ratio > *r.R3) return Mode::slides;
  if (!r.jams && fall.ratio > *r.R1) {
    return holds ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
  }
  return holds ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
}

struct RatioRow {
  const char* ratio;
  const char* holds;
  const char* compression;
  const char* restitution;
  Mode mode;
};

constexpr std::array<RatioRow, 7> table_2_rows{{
    {"> R3", "any", "slip", "slip", Mode::slides},
    {"R1 .. R3", "≤ μ_s", "slip", "slip ends, stick", Mode::stops_in_restitution_sticks},
    {"R1 .. R3", "> μ_s", "slip", "slip ends, reverse slip", Mode::stops_in_restitution_slips},
    {"< R1", "≤ μ_s", "slip ends, stick", "stick", Mode::stops_in_compression_sticks},
    {"< R1", "> μ_s", "slip ends, reverse slip", "reverse slip", Mode::stops_in_compression_slips},
    {"0", "≤ μ_s", "stick", "stick", Mode::no_slip_sticks},
    {"0", "> μ_s", "slip", "slip", Mode::no_slip_slides},
}};

/// The points of the grid that a row's conditions pick, and what the law says there; where it does
/// not say the same everywhere the words tell.
Table::Row picked_by(const RatioRow& row, const PlanarGrid& grid) {
  std::size_t count = 0;
  std::string compression;
  std::string restitution;
  const auto take = [](std::string& all, const std::string& words) {
    if (all.empty()) all = words;
    if (all != words) all = "several";
  };
  for (const PlanarPoint& p : grid.points) {
    if (by_ratios(p.fall, p.fall.surface.static_friction) != row.mode) continue;
    ++count;
    take(compression, words_of(p.poisson, Stage::compression));
    take(restitution, words_of(p.poisson, Stage::restitution));
  }
  return {{given(row.ratio), given(row.holds), compared_word(compression, row.compression),
           compared_word(restitution, row.restitution), ours(static_cast<double>(count))}};
}

Statement rule_on_grid(const PlanarGrid& grid, bool as_printed) {
  std::size_t wrong = 0;
  for (const PlanarPoint& p : grid.points) {
    const double limit = as_printed ? 1. : p.fall.surface.static_friction;
    if (by_ratios(p.fall, limit) != p.poisson.mode) ++wrong;
  }
  return {.says = as_printed ? "R2 is to be held against 1 (as printed)"
                             : "R1, R2 and R3, with |R2| against μ_s, tell the case of every fall",
          .holds = wrong == 0,
          .found = fmt::format("{} of {} falls come out with another case than under the law",
                               wrong, grid.points.size()),
          .known = as_printed ? "SB2" : ""};
}

/// On random surfaces and rods, mu_s > mu included, without the jam (SB3).
Statement rule_on_random_falls() {
  constexpr std::size_t count = 20'000;
  FixedRandom random(2022);
  std::size_t wrong = 0;
  std::size_t different_laws = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double mu = random(0., 1.2);
    const PlanarFall fall{.angle_deg = random(-80., 80.),
                          .ratio = random(0., 4.),
                          .surface = {.restitution = random(0., 1.),
                                      .friction = mu,
                                      .static_friction = mu + random(0., 0.3)},
                          .inertia_factor = random(0.05, 1.)};
    const PlanarProblem p = problem_of(fall);
    const Mode mode = routh(p, Hypothesis::poisson).mode;
    if (by_ratios(fall, fall.surface.static_friction) != mode) ++wrong;
    if (routh(p, Hypothesis::energetic).mode != mode) ++different_laws;
  }
  return {.says =
              "The closed form holds for other coefficients and moments of inertia, too, and the "
              "case is the same under `poisson` and `energetic`",
          .holds = wrong == 0 && different_laws == 0,
          .found = fmt::format(
              "{} random falls (e, μ, μ_s ≥ μ, α): {} by another case, {} where the laws differ",
              count, wrong, different_laws),
          .known = {}};
}

/// Where the law changes its mode as the ratio grows, by halving, against R1 and R3.
Statement closed_form() {
  double worst = 0.;
  std::size_t count = 0;
  const Surface surface = surface_of_fig_3();
  const auto edge = [&](double angle, auto beyond) {
    double low = 1e-9;
    double high = 10.;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      const PlanarFall fall{angle, middle, surface, cylinder};
      (beyond(routh(problem_of(fall), Hypothesis::energetic).mode) ? high : low) = middle;
    }
    return high;
  };
  for (double angle = -20.; angle <= 70.; angle += 5.) {
    const SlideRatios r = slide_ratios(problem_of({angle, 1., surface, cylinder}).G, surface);
    const double R1 = edge(angle, [](Mode m) {
      return m != Mode::stops_in_compression_sticks && m != Mode::stops_in_compression_slips;
    });
    const double R3 = edge(angle, [](Mode m) { return m == Mode::slides; });
    worst = largest({worst, std::abs(R1 - *r.R1), std::abs(R3 - *r.R3)});
    count += 2;
  }
  return {.says =
              "R1 (eq. 28) and R3 = (1 + e) R1 are the velocity ratios at which slip just lasts "
              "through compression and through the impact",
          .holds = worst < 1e-12,
          .found = fmt::format("{} edges found by halving under `energetic`: the largest "
                               "difference from the closed form is below {:.0e}",
                               count, decade(worst)),
          .known = {}};
}

report::Chart ratio_chart() {
  const Surface surface = surface_of_fig_3();
  report::Series R1{.label = "R₁", .colour = "#D55E00"};
  report::Series R3{.label = "R₃", .colour = "#0072B2"};
  report::Series R2{.label = "R₂ = sinθ cosθ/(α + cos²θ)", .colour = "#009E73"};
  report::Series printed{
      .label = "as printed, without cosθ", .colour = "#606060", .dash = "(10,6)"};
  for (const double angle : steps(-70., 70., 281)) {
    const SlideRatios r = slide_ratios(problem_of({angle, 1., surface, cylinder}).G, surface);
    const double s = std::sin(angle * degree);
    const double c = std::cos(angle * degree);
    for (report::Series* series : {&R1, &R3, &R2, &printed}) series->x.push_back(angle);
    const bool none = *r.R1 < 0.;  // slides whatever the ratio
    R1.y.push_back(none ? std::nan("") : *r.R1);
    R3.y.push_back(none ? std::nan("") : *r.R3);
    R2.y.push_back(*r.R2);
    printed.y.push_back(s / (cylinder + c * c));
  }
  const double line = reverse_angle_deg(cylinder, surface.static_friction);
  const report::ChartAxis angle{.label = "angle θ  [deg]", .range = report::Range{-70., 70.}};
  return {
      .heading = "A falling rod: the ratios that tell the case",
      .subheading = "e = 0.7, μ = μ_s = 0.4, α = 0.3451",
      .panels = {{.title = "slip lasts through compression above R₁, through the impact above R₃",
                  .x = angle,
                  .y = {.label = "v_Cx/v_Cy", .range = report::Range{0., 3.}},
                  .series = {R1, R3},
                  .marks = {{.at = line, .label = "|R₂| = μ_s"}}},
                 {.title = "slip that has ended sticks where |R₂| ≤ μ_s",
                  .x = angle,
                  .y = {.label = "friction needed", .range = report::Range{-1.6, 1.6}},
                  .series = {R2, printed},
                  .marks = {{.at = line, .label = fmt::format("{:.2f} deg", line)},
                            {.at = 0.4, .label = "μ_s", .across = true},
                            {.at = -0.4, .label = "−μ_s", .across = true}}}},
      .columns = 1,
      .panel_width = 620,
      .panel_height = 260};
}

Part table_2(const PlanarGrid& grid) {
  Table table{.caption =
                  "The falls of Fig. 3 picked by their ratios, and what the law says of them (all "
                  "of a row say the same)",
              .columns = {"v_Cx/v_Cy", "|R2|", "in compression", "in restitution", "falls"},
              .rows = {}};
  for (const RatioRow& row : table_2_rows) table.rows.push_back(picked_by(row, grid));
  return {
      .id = "Table 2",
      .title = "The case in closed form, by R1, R2 and R3",
      .text =
          "R1, R2 and R3 are computed from the contact inverse inertia (`slide_ratios`) with R2 as "
          "corrected (SB1) and held against μ_s (SB2). The table is compared on every fall of Fig. "
          "3, and on random ones.",
      .tables = {std::move(table)},
      .statements = {rule_on_grid(grid, false), rule_on_grid(grid, true), closed_form(),
                     rule_on_random_falls()},
      .pictures = {chart_picture("sun-baruh-ratios",
                                 "R1 and R3 bound the cases in the velocity ratio; where |R2| "
                                 "exceeds μ_s a rod that has stopped slips back. The broken line "
                                 "is R2 as printed: it would put that angle 3 degrees lower.",
                                 ratio_chart)}};
}

}  // namespace

std::vector<Part> table_parts(const Grids& grids) { return {table_1(), table_2(grids.plane)}; }

double reverse_angle_deg(double inertia_factor, double static_friction) {
  Surface surface = surface_of_fig_3();
  surface.static_friction = static_friction;
  double low = 0.;
  double high = 50.;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const PlanarFall fall{middle, 0., surface, inertia_factor};
    (reverses(routh(problem_of(fall), Hypothesis::poisson).mode) ? high : low) = middle;
  }
  return high;
}

}  // namespace carom::papers::sb
