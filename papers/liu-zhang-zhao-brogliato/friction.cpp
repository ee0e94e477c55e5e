// SPDX-License-Identifier: Apache-2.0
// Fig. 4: friction identified from two velocities.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/LU>

#include <carom/motion/mechanics.hpp>
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

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

/// F_t/F_n at A that two lasers tell of the disc that slides or sticks on it; NaN where A does not
/// push. theta' = (v_1 - v_2)/(h_2 - h_1) [eq. 3.1], v_A = v_1 + h_1 theta'; theta by summing; then
/// F_n and F_t from gap'' = 0 and the rate of v_A [eqs 2.15, 2.16].
struct Ratio {
  double time = 0.;
  double value = 0.;
};
std::vector<Ratio> identify(const std::vector<Sample>& samples) {
  std::vector<double> spin, slip;
  for (const Sample& s : samples) {
    spin.push_back((s.v1 - s.v2) / (second_gauge - gauge));
    slip.push_back(s.v1 + gauge * spin.back());
  }
  spin = smoothed(spin);
  slip = smoothed(slip);
  const motion::DiscModel model = disc_model();
  motion::Mechanics mechanics(model);
  motion::State s = state_of({0., disc().radius, 0.5 * std::numbers::pi}, {0., 0., 0.});
  motion::Matrix G(2, 2);
  motion::Vector b(2);
  std::vector<Ratio> found;
  for (std::size_t i = 1; i + half_window + 1 < samples.size();
       ++i) {  // beyond, the mean has too few
    s.q(2) += 0.5 * (spin[i - 1] + spin[i]) * interval;
    s.u(2) = spin[i];
    if (!mechanics.at(s)) break;
    mechanics.load(0, s);
    mechanics.contact_space({0}, G, b);
    const Eigen::Vector2d rate(0., (slip[i + 1] - slip[i - 1]) / (2. * interval));
    const Eigen::Vector2d F = G.fullPivLu().solve(rate - b);
    found.push_back(
        {samples[i].time, F(0) > 0. ? F(1) / F(0) : std::numeric_limits<double>::quiet_NaN()});
  }
  return found;
}

/// Case 2 as the lasers see it, and what they tell.
struct Measurement {
  DiscRun run{};
  std::vector<Ratio> ratios{};
};
const Measurement& measurement() {
  static const Measurement all = [] {
    Measurement m{.run = run_disc(2, From::impact, Duration::ball, interval)};
    auto& samples = m.run.samples;
    std::size_t n = 1;  // without the end, which is not at an interval
    while (n < samples.size() &&
           std::abs(samples[n].time - samples[n - 1].time - interval) < 1e-9) {
      ++n;
    }
    samples.resize(n);
    m.ratios = identify(samples);
    return m;
  }();
  return all;
}

/// The ratio over a stretch of the run, without what the moving mean blurs at its ends.
struct Over {
  double mean = 0.;
  double least = 1e9;
  double most = -1e9;
};
Over ratio_over(std::size_t stretch) {
  const Stretch& s = measurement().run.story.at(stretch);
  const double margin = 2. * static_cast<double>(half_window) * interval;
  Over r;
  double count = 0.;
  for (const auto& [time, value] : measurement().ratios) {
    if (time < s.from + margin || time > s.to - margin || std::isnan(value)) continue;
    r.mean += value;
    r.least = std::min(r.least, value);
    r.most = largest(r.most, value);
    count += 1.;
  }
  r.mean /= count;
  return r;
}

/// Found in slip and in slip back.
double friction_found() {
  return 0.5 * (std::abs(ratio_over(0).mean) + std::abs(ratio_over(2).mean));
}

std::vector<Computed> coefficients() {
  return {{{"found", friction_found()}}, {{"found", ratio_over(1).most}}};
}

Found slips_sticks_slips() {
  const std::string told = measurement().run.told();
  return {measurement().run.story.size() == 4 && told == "A slip+, A stick, A slip-, A slip+",
          {{"told", told}}};
}

Found constant_in_slip() {
  const Over slip = ratio_over(0), back = ratio_over(2);
  const double spread = std::max(slip.most - slip.least, back.most - back.least);
  return {spread < 1e-3, {{"slip", slip.mean}, {"back", back.mean}, {"spread", spread}}};
}

Found varies_in_stick() {
  const Over stick = ratio_over(1);
  return {stick.most - stick.least > 0.1 && stick.most > friction_found(),
          {{"least", stick.least}, {"most", stick.most}}};
}

Chart figure_4() {
  const Surface& put_in = case_of(2).surfaces[0];
  ChartPanel velocity{.title = "(a) slip of A",
                      .x = {.label = "time  [s]", .range = Range{0., 0.24}},
                      .y = {.label = "v_A  [m/s]"}};
  ChartPanel ratio{
      .title = "(b) force ratio found from the two velocities",
      .x = velocity.x,
      .y = {.label = "F_t/F_n at A", .range = Range{-0.2, 0.2}},
      .marks = {{.at = put_in.static_friction, .label = {}, .across = true},
                {.at = -put_in.friction, .label = {}, .across = true}},
      .texts = {{.x = 0.06, .y = 0.128, .text = fmt::format("μ_s = {:g}", put_in.static_friction)},
                {.x = 0.06, .y = -0.12, .text = fmt::format("−μ = −{:g}", put_in.friction)}}};
  const auto& [run, ratios] = measurement();
  const auto samples = every(20, run.samples);
  const Series style = series_of("lzb", "");
  velocity.series = {through(style, samples, &Sample::time, &Sample::slip)};
  Series exact = through(style, samples, &Sample::time, &Sample::ratio);
  exact.label = "forces of the motion";
  exact.width = 4.;
  ratio.series = {
      exact, through({.label = "identified", .colour = "#000000", .dash = Dash{}, .width = 1.2},
                     every(4, ratios), &Ratio::time, &Ratio::value)};
  const std::array<const char*, 4> words{"slip", "stick", "slip back", ""};
  const std::array<const char*, 4> colours{"#F3F3F3", "#DDEBF7", "#ECE7F2", "#F3F3F3"};
  for (std::size_t k = 0; k < run.story.size() && k < 4; ++k) {
    velocity.spans.push_back({run.story[k].from, run.story[k].to, colours[k], words[k]});
  }
  ratio.spans = velocity.spans;
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

Computations friction() {
  return {.checks = {{"slips-sticks-slips", slips_sticks_slips},
                     {"constant-in-slip", constant_in_slip},
                     {"varies-in-stick", varies_in_stick}},
          .tables = {{"friction", coefficients}},
          .pictures = {{"liu-zhang-zhao-brogliato-4", chart(figure_4)}}};
}

}  // namespace carom::papers::disc_ball
