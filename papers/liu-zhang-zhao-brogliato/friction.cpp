// SPDX-License-Identifier: Apache-2.0
// Section 2d: Painlevé's paradox and detachment. Fig. 4: friction identified from two velocities.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/LU>

#include <carom/motion/mechanics.hpp>
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double upright = 0.5 * std::numbers::pi;
constexpr double easiest = 4. / std::numbers::sqrt3;  // r/h by the text

double this_shape() { return disc().radius / disc().half_thickness; }

/// phi = atan(h/r), the angle from the disc's middle plane to A.
double phi(double r_over_h) { return std::atan(1. / r_over_h); }

/// The critical friction as printed [eq. 2.41], in units of h and m.
double printed_bound(double r_over_h, double theta) {
  const double l2 = r_over_h * r_over_h + 1.;
  const double I = r_over_h * r_over_h / 4. + 1. / 3.;
  const double twice = 2. * (theta + phi(r_over_h));
  return -(2. * I + l2 * (1. + std::cos(twice))) / (l2 * std::sin(twice));
}

/// r/(4h) + 4h/(3r) [eq. 2.42].
double upright_bound(double r_over_h) { return r_over_h / 4. + 4. / (3. * r_over_h); }

/// Where f, which has one minimum, is least.
double least_at(double from, double to, const std::function<double(double)>& f) {
  while (to - from > 1e-9) {
    const double third = (to - from) / 3.;
    if (f(from + third) <= f(to - third)) {
      to -= third;
    } else {
      from += third;
    }
  }
  return 0.5 * (from + to);
}

Chart painleve_chart() {
  const auto in_degrees = [](double angle) { return angle * 180. / std::numbers::pi; };
  const auto angles = steps(0., 90.1, 0.25);
  const auto over_angles = [&](Series s, const auto& f) {
    return through(std::move(s), angles,
                   [&](double theta) { return f(theta * std::numbers::pi / 180.); });
  };
  const auto bound = [](double shape) {
    return [=](double angle) { return critical_friction(shape, angle); };
  };
  ChartPanel friction{.title = "(a) friction that the paradox needs",
                      .x = {.label = "angle θ  [deg]", .range = Range{60., 90.}},
                      .y = {.label = "least μ_A", .range = Range{0., 10.}}};
  friction.series = {
      over_angles({.label = fmt::format("this disc, r/h = {:g}", this_shape())},
                  bound(this_shape())),
      over_angles(
          {.label = fmt::format("r/h = {:.3f}", easiest), .colour = "#D55E00", .dash = {{10., 6.}}},
          bound(easiest))};
  friction.marks = {{.at = 2. / std::numbers::sqrt3, .label = {}, .across = true},
                    {.at = case_of(5).surfaces[0].friction, .label = {}, .across = true}};
  friction.texts = {{.x = 66.3, .y = 1.45, .text = "2√3/3, least of all shapes"},
                    {.x = 67.2, .y = 0.5, .text = "μ of the experiments, at most"}};
  ChartPanel spin{.title = "(b) spin that lifts A off",
                  .x = {.label = "angle θ  [deg]", .range = Range{0., 90.}},
                  .y = {.label = "|dθ/dt|  [rad/s]", .range = Range{0., 65.}}};
  spin.series = {over_angles({.label = "lifts off above"}, detaching_spin),
                 through(
                     series_of("lzb", "case 2, falling"), every(5, run_of(2, From::impact).samples),
                     [](const Sample& s) { return std::abs(s.spin); },
                     [&](const Sample& s) { return in_degrees(s.theta); })};
  return {.heading = "Painlevé's paradox and detachment of the disc",
          .subheading = "the disc slides on A; below the curves there is neither",
          .panels = {friction, spin},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

// --- Fig. 4 --------------------------------------------------------------------------------------

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

/// F_t/F_n at A that two lasers give for the disc that slides or sticks on it; NaN where A does not
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
  const DiscModel model = disc_model();
  const motion::ContactList contacts(model);
  motion::Mechanics mechanics(model, contacts);
  State s = state_of({0., disc().radius, 0.5 * std::numbers::pi}, {0., 0., 0.});
  Matrix G(2, 2);
  Vector b(2);
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

/// Case 2 as the lasers see it, and what they give.
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
Extent ratio_over(std::size_t stretch) {
  const Stretch& s = measurement().run.story.at(stretch);
  const double margin = 2. * static_cast<double>(half_window) * interval;
  return extent(measurement().ratios, &Ratio::value, [&](const Ratio& r) {
    return r.time >= s.from + margin && r.time <= s.to - margin && !std::isnan(r.value);
  });
}

/// Found in slip and in slip back.
double friction_found() {
  return 0.5 * (std::abs(ratio_over(0).mean()) + std::abs(ratio_over(2).mean()));
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
  velocity.series = {through(style, samples, &Sample::slip, &Sample::time)};
  Series exact = through(style, samples, &Sample::ratio, &Sample::time);
  exact.label = "forces of the motion";
  exact.width = 4.;
  ratio.series = {
      exact, through({.label = "identified", .colour = "#000000", .dash = Dash{}, .width = 1.2},
                     every(4, ratios), &Ratio::value, &Ratio::time)};
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

// Slip along +t has F_t = -mu F_n: A = G_nn - mu G_nt.
double critical_friction(double r_over_h, double theta) {
  const DiscModel model({.mass = 1., .radius = r_over_h, .half_thickness = 1.});
  const auto A = contact_motion(model, 0, state_of({0., r_over_h, theta}, {0., 0., 0.}));
  const Eigen::Vector3d inverse_mass(1., 1., 1. / model.inertia());
  const Eigen::Vector3d n = A.W.col(0), t = A.W.col(1);
  const double nn = n.dot(inverse_mass.cwiseProduct(n));
  const double nt = n.dot(inverse_mass.cwiseProduct(t));
  return nt > 0. ? nn / nt : std::numeric_limits<double>::infinity();
}

double detaching_spin(double theta) {
  const double shape = this_shape();
  const double l = disc().half_thickness * std::sqrt(shape * shape + 1.);
  return std::sqrt(gravity / (l * std::sin(theta + phi(shape))));
}

double easiest_shape() {
  return least_at(0.5, 20., [](double shape) { return critical_friction(shape, upright); });
}

Computations friction() {
  Computations paper;
  paper.checks["formula"] = []() -> Found {
    return below(1e-12, greatest(std::array{this_shape(), easiest}, [](double shape) {
                   return greatest(steps(0.02, upright, 0.02), [&](double theta) {
                     const double direct = critical_friction(shape, theta);
                     const double apart = std::abs(printed_bound(shape, theta) - direct) / direct;
                     return std::isfinite(direct) ? apart : 0.;
                   });
                 }));
  };
  paper.checks["least-upright"] = []() -> Found {
    const double shape = this_shape();
    const double first = upright - phi(shape);  // below there is none
    const double angle = least_at(first + 1e-6, upright,
                                  [&](double theta) { return critical_friction(shape, theta); });
    const double here = critical_friction(shape, upright);
    return {
        std::abs(angle - upright) < 1e-6 && std::abs(upright_bound(shape) - here) < 1e-12 * here,
        {{"angle", angle * 180. / std::numbers::pi}, {"here", here}}};
  };
  paper.checks["least-of-shapes"] = []() -> Found {
    const double shape = easiest_shape();
    const double least = critical_friction(shape, upright);
    return {std::abs(shape - easiest) < 1e-6 && std::abs(least - 2. / std::numbers::sqrt3) < 1e-10,
            {{"shape", shape}, {"least", least}}};
  };
  paper.checks["no-paradox"] = []() -> Found {
    const double mu =
        greatest(cases(), [](const Case& c) { return c.surfaces[0].static_friction; });
    const double needed = critical_friction(this_shape(), upright);
    return {needed > mu, {{"needed", needed}, {"mu", mu}}};
  };
  // The largest theta'^2 l sin(theta + phi)/g of all motions: below 1 nothing detaches [eq. 2.43].
  paper.checks["no-detachment"] = []() -> Found {
    const double most = greatest(cases(), [](const Case& c) {
      return greatest(run_of(c.number, From::impact).samples, [](const Sample& s) {
        return std::isfinite(s.ratio) ? std::pow(s.spin / detaching_spin(s.theta), 2) : 0.;
      });
    });
    return {most < 1., {{"most", most}}};
  };
  paper.checks["unbounded-spin"] = []() -> Found {
    const double flat = detaching_spin(0.);
    return {flat > 1e6, {{"flat", flat}}};
  };
  paper.checks["L19"] = []() -> Found {
    const double flat = detaching_spin(0.);
    const double fastest =
        greatest(run_of(2, From::impact).samples, [](const Sample& s) { return -s.spin; });
    return {off(flat, std::sqrt(gravity / disc().half_thickness)) < 1e-12 && fastest < flat,
            {{"flat", flat}, {"fastest", fastest}}};
  };
  paper.tables["painleve"] = []() -> std::vector<Computed> {
    std::vector<Computed> all;
    for (const double shape : {this_shape(), easiest_shape()}) {
      all.push_back({{"r/h", shape},
                     {"least mu, from G", critical_friction(shape, upright)},
                     {"least mu, eq. 2.42", upright_bound(shape)}});
    }
    return all;
  };
  paper.pictures["liu-zhang-zhao-brogliato-painleve"] = chart(painleve_chart);
  paper.checks["slips-sticks-slips"] = []() -> Found {
    const std::string course = measurement().run.course();
    return {measurement().run.story.size() == 4 && course == "A slip+, A stick, A slip-, A slip+",
            {{"course", course}}};
  };
  paper.checks["constant-in-slip"] = []() -> Found {
    const Extent slip = ratio_over(0), back = ratio_over(2);
    const double width = std::max(slip.width(), back.width());
    return {width < 1e-3, {{"slip", slip.mean()}, {"back", back.mean()}, {"spread", width}}};
  };
  paper.checks["varies-in-stick"] = []() -> Found {
    const Extent stick = ratio_over(1);
    return {stick.width() > 0.1 && stick.most > friction_found(),
            {{"least", stick.least}, {"most", stick.most}}};
  };
  paper.tables["friction"] = []() -> std::vector<Computed> {
    return {{{"found", friction_found()}}, {{"found", ratio_over(1).most}}};
  };
  paper.pictures["liu-zhang-zhao-brogliato-4"] = chart(figure_4);
  return paper;
}

}  // namespace carom::papers::disc_ball
