// SPDX-License-Identifier: Apache-2.0
// Fig. 4: friction identified from two velocities.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/LU>

#include <carom/motion/disc_model.hpp>
#include <carom/motion/mechanics.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double interval = 1. / sampling_rate;
constexpr std::size_t half_window = 10;  // of the moving mean

std::vector<double> smoothed(const std::vector<double>& x) {
  std::vector<double> mean(x.size());
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t reach = std::min({half_window, i, n - 1 - i});
    double sum = 0.;
    for (std::size_t k = i - reach; k <= i + reach; ++k) sum += x[k];
    mean[i] = sum / static_cast<double>(2 * reach + 1);
  }
  return mean;
}

/// What two lasers tell of the disc that slides or sticks on A.
struct Identified {
  std::vector<double> time{};
  std::vector<double> slip{};   ///< of A [m/s]
  std::vector<double> ratio{};  ///< F_t/F_n
};

/// theta' = (v_1 - v_2)/(h_2 - h_1) [eq. 3.1], v_A = v_1 + h_1 theta'; theta by summing; then F_n
/// and F_t from gap'' = 0 and the rate of v_A [eqs 2.15, 2.16].
Identified identify(const DiscRun& run) {
  Identified found;
  const std::size_t n = run.time.size();
  std::vector<double> spin(n), slip(n);
  for (std::size_t i = 0; i < n; ++i) {
    spin[i] = (run.v1[i] - run.v2[i]) / (second_gauge - gauge);
    slip[i] = run.v1[i] + gauge * spin[i];
  }
  spin = smoothed(spin);
  slip = smoothed(slip);
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  motion::Mechanics mechanics(model);
  motion::State s;
  s.q = Eigen::Vector3d(0., disc_radius, 0.5 * std::numbers::pi);
  s.u = Eigen::Vector3d::Zero();
  motion::Matrix G(2, 2);
  motion::Vector b(2);
  for (std::size_t i = 1; i + half_window + 1 < n; ++i) {  // beyond, the mean has too few
    s.q(2) += 0.5 * (spin[i - 1] + spin[i]) * interval;
    s.u(2) = spin[i];
    if (!mechanics.at(s)) break;
    mechanics.load(0, s);
    mechanics.contact_space({0}, G, b);
    const Eigen::Vector2d rate(0., (slip[i + 1] - slip[i - 1]) / (2. * interval));
    const Eigen::Vector2d F = G.fullPivLu().solve(rate - b);
    found.time.push_back(run.time[i]);
    found.slip.push_back(slip[i]);
    found.ratio.push_back(F(0) > 0. ? F(1) / F(0) : std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

/// Samples without the end, which is not at an interval.
DiscRun measured_case() {
  DiscRun run = run_disc(disc_ball_case(2), StartFrom::impact, ImpactTime::ball, interval);
  std::size_t n = 1;
  while (n < run.time.size() && std::abs(run.time[n] - run.time[n - 1] - interval) < 1e-9) ++n;
  for (auto* x : {&run.time, &run.v1, &run.v2, &run.slip, &run.theta, &run.spin, &run.ratio}) {
    x->resize(n);
  }
  return run;
}

struct RatioOver {
  double mean = 0.;
  double least = 1e9;
  double most = -1e9;
};

/// Over a stretch, without what the moving mean blurs at its ends.
RatioOver ratio_over(const Identified& f, const Stretch& s) {
  RatioOver r;
  double count = 0.;
  const double margin = 2. * static_cast<double>(half_window) * interval;
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    if (f.time[i] < s.from + margin || f.time[i] > s.to - margin || std::isnan(f.ratio[i]))
      continue;
    r.mean += f.ratio[i];
    r.least = std::min(r.least, f.ratio[i]);
    r.most = largest(r.most, f.ratio[i]);
    count += 1.;
  }
  r.mean /= count;
  return r;
}

report::Chart figure4() {
  const DiscRun run = measured_case();
  const Identified found = identify(run);
  report::ChartPanel velocity{.title = "(a) slip of A",
                              .x = {.label = "time  [s]", .range = report::Range{0., 0.24}},
                              .y = {.label = "v_A  [m/s]"}};
  report::ChartPanel ratio{.title = "(b) force ratio found from the two velocities",
                           .x = {.label = "time  [s]", .range = report::Range{0., 0.24}},
                           .y = {.label = "F_t/F_n at A", .range = report::Range{-0.2, 0.2}},
                           .marks = {{.at = 0.15, .label = {}, .across = true},
                                     {.at = -0.14, .label = {}, .across = true}},
                           .texts = {{.x = 0.06, .y = 0.128, .text = "μ_s = 0.15"},
                                     {.x = 0.06, .y = -0.12, .text = "−μ = −0.14"}}};
  report::Series slip = report::series_of(report::style_of_law("lzb"), "");
  report::Series exact = report::series_of(report::style_of_law("lzb"), "forces of the motion");
  exact.width = 4.;
  report::Series identified{
      .label = "identified", .colour = "#000000", .dash = "solid", .width = 1.2};
  for (std::size_t i = 0; i < run.time.size(); i += 20) {
    slip.x.push_back(run.time[i]);
    slip.y.push_back(run.slip[i]);
    exact.x.push_back(run.time[i]);
    exact.y.push_back(run.ratio[i]);
  }
  for (std::size_t i = 0; i < found.time.size(); i += 4) {
    identified.x.push_back(found.time[i]);
    identified.y.push_back(found.ratio[i]);
  }
  velocity.series = {slip};
  ratio.series = {exact, identified};
  const std::array<const char*, 4> words{"slip", "stick", "slip back", ""};
  const std::array<const char*, 4> colours{"#F3F3F3", "#DDEBF7", "#ECE7F2", "#F3F3F3"};
  for (std::size_t k = 0; k < run.story.size() && k < 4; ++k) {
    const report::ChartSpan span{run.story[k].from, run.story[k].to, colours[k], words[k]};
    velocity.spans.push_back(span);
    ratio.spans.push_back(span);
  }
  return {.heading = "Friction from two velocities, case 2",
          .subheading =
              "sampled at 50 kHz, smoothed over 21 samples, differentiated; the motion is "
              "that of the model as written",
          .panels = {velocity, ratio},
          .columns = 1,
          .panel_width = 640,
          .panel_height = 280};
}

}  // namespace

Part friction_part() {
  const DiscRun run = measured_case();
  const Identified found = identify(run);
  const bool whole = run.story.size() == 4;
  std::array<RatioOver, 4> over{};
  for (std::size_t k = 0; whole && k < 4; ++k) over[k] = ratio_over(found, run.story[k]);
  const double slip = 0.5 * (std::abs(over[0].mean) + std::abs(over[2].mean));
  const double spread = std::max(over[0].most - over[0].least, over[2].most - over[2].least);
  return {
      .id = "Fig. 4",
      .title = "Friction identified from the motion of case 2",
      .text =
          "The experiment's curves are not printed as numbers. The procedure is applied to the "
          "computed motion of case 2: velocities at two heights, sampled at 50 kHz, give slip and "
          "spin of the disc, their rates give the forces at A, and these the coefficients. It "
          "recovers those of Table 3, which were put in: a test of the procedure, not of the "
          "coefficients.",
      .tables = {{.caption = "Coefficients found",
                  .columns = {"coefficient", "from", "put in", "found"},
                  .rows = {{{given("mu"), given("mean of |F_t/F_n| in slip and slip back"),
                             given("0.14"), ours(slip)}},
                           {{given("mu_s"), given("largest F_t/F_n in stick"), given("0.15"),
                             ours(over[1].most)}}}}},
      .statements = {{.says = "After the impact A slips, sticks, and slips again",
                      .holds = whole && run.told() == "A slip+, A stick, A slip-, A slip+",
                      .found = run.told()},
                     {.says = "The ratio is constant while A slips",
                      .holds = whole && spread < 1e-3,
                      .found =
                          fmt::format("{:.5f} in slip, {:.5f} in slip back; it varies by {:.1e}",
                                      over[0].mean, over[2].mean, spread)},
                     {.says = "It varies strongly while A sticks, and is largest when slip resumes",
                      .holds = whole && over[1].most - over[1].least > 0.1 && over[1].most > slip,
                      .found = fmt::format("from {:.4f} to {:.4f}", over[1].least, over[1].most)}},
      .pictures = {
          chart_picture("liu-zhang-zhao-brogliato-4",
                        "Slip of A in case 2, and the force ratio that two velocities alone "
                        "give. It stands at the kinetic coefficient while A slips, wanders "
                        "while it sticks, and slip resumes at the static one.",
                        figure4)}};
}

}  // namespace carom::papers::disc_ball
