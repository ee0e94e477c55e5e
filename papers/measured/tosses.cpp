// SPDX-License-Identifier: Apache-2.0
// Whole tosses, predicted with numbers that were fitted to others.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/study/fit/body_motion.hpp>
#include <papers/engine/measures.hpp>
#include <papers/measured/world.hpp>

namespace carom::papers::measured_world {
namespace {

using Shared = std::shared_ptr<World>;
using Flat = std::pair<double, double>;

constexpr double degree = std::numbers::pi / 180.;

/// Sum of both errors, in tenths of the width and tens of degrees.
double error_of(const Tosses& t, std::size_t i) {
  const fit::MotionError& e = t.validation.score.each[i];
  return e.position / (0.1 * t.request.width) + e.rotation / (10. * degree);
}

/// The toss whose error is at that quantile.
std::size_t toss_at(const Tosses& t, double q) {
  std::vector<std::size_t> order(t.trajectories.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return error_of(t, a) < error_of(t, b); });
  return order[static_cast<std::size_t>(q * static_cast<double>(order.size() - 1))];
}

/// A walk along all edges of a cube; bits of a corner: on which side of each axis it is.
constexpr std::array<unsigned, 16> edges{0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4};

/// Seen from the side, along the plane in which the toss travels.
class SideView {
 public:
  SideView(const Tosses& t, const fit::Trajectory& toss) : half_(0.5 * t.request.width) {
    half_ *= t.request.length_scale;
    const fit::Point along = toss.poses.back().position - toss.poses[toss.start].position;
    along_ = fit::Point(along[0], along[1], 0.).normalized();
    from_ = toss.poses[toss.start].position;
  }

  [[nodiscard]] Flat operator()(const fit::Point& p) const { return {along_.dot(p - from_), p[2]}; }

  /// Adds the edges of the cube to a series, and a gap.
  void add(const fit::TrackedPose& pose, Series& to) const {
    const auto side = [&](unsigned corner, unsigned axis) {
      return (corner >> axis & 1U) != 0 ? half_ : -half_;
    };
    for (const unsigned corner : edges) {
      const fit::Point p(side(corner, 0), side(corner, 1), side(corner, 2));
      const Flat at = (*this)(pose.position + pose.orientation * p);
      to.x.push_back(at.first);
      to.y.push_back(at.second);
    }
    to.x.push_back(std::nan(""));
    to.y.push_back(std::nan(""));
  }

 private:
  double half_;
  fit::Point along_{};
  fit::Point from_{};
};

fit::PredictedMotion predicted(const Tosses& t, std::size_t i) {
  const auto& values = t.validation.folds[t.validation.fold[i]].values;
  const fit::Trajectory& toss = t.trajectories[i];
  return fit::BodyMotion(t.request, values).predict(toss, fit::whole(toss, i, t.request));
}

ChartPanel side_view(const Tosses& t, std::size_t i, const fit::PredictedMotion& motion,
                     const std::string& which) {
  const fit::Trajectory& toss = t.trajectories[i];
  const fit::MotionError& e = t.validation.score.each[i];
  const SideView view(t, toss);
  Series measured{.label = "measured", .colour = "#57606a", .width = 2.};
  Series ours{.label = "predicted", .colour = "#D55E00", .width = 1.1};
  Series path{.colour = "#57606a", .marker_size = 0.35, .kind = SeriesKind::points};
  Series our_path{.colour = "#D55E00", .width = 1.};
  const std::size_t n = motion.poses.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Flat a = view(toss.poses[toss.start + k].position);
    const Flat b = view(motion.poses[k].position);
    path.x.push_back(a.first);
    path.y.push_back(a.second);
    our_path.x.push_back(b.first);
    our_path.y.push_back(b.second);
  }
  // Where the measured cube has gone a third, two thirds and all of its way.
  constexpr std::size_t shown = 3;
  for (std::size_t s = 0; s <= shown; ++s) {
    const double way = path.x.back() * static_cast<double>(s) / shown;
    const auto at = std::ranges::find_if(path.x, [&](double x) { return x >= way; });
    const auto k =
        s == shown || at == path.x.end() ? n - 1 : static_cast<std::size_t>(at - path.x.begin());
    view.add(toss.poses[toss.start + k], measured);
    view.add(motion.poses[k], ours);
  }
  ChartPanel panel{
      .title = fmt::format("{}: toss {}, off by {:.1f} % and {:.1f} degrees on average", which,
                           toss.group, 100. * e.position / t.request.width, e.rotation / degree)};
  // About the same scale in both directions, for panels of this size.
  constexpr double wide = 0.6;
  constexpr double high = 0.187;
  double most = 0.;
  for (const Series* series : {&measured, &ours}) {
    for (const double x : series->x) most = std::isnan(x) ? most : std::max(most, x);
  }
  const double times = std::max(1., (most + 0.1 + 0.02) / wide);
  panel.x = {.label = "along the toss [m]", .range = Range{-0.1, -0.1 + times * wide}};
  panel.y = {.label = "height [m]", .range = Range{-0.01, -0.01 + times * high}};
  panel.series = {measured, path, ours, our_path};
  return panel;
}

Chart chart_of_tosses(World& world) {
  const Tosses& t = world.tosses();
  Chart chart{.heading = "Tosses of a cube beside their prediction",
              .subheading =
                  "from the side, at four times; numbers fitted to the other folds; dots: "
                  "the tracked point",
              .columns = 1,
              .panel_width = 1100,
              .panel_height = 400};
  for (const auto& [q, which] : {std::pair{0.25, "a good one (first quartile)"},
                                 {0.5, "the median"},
                                 {0.95, "a bad one (95 %)"}}) {
    const std::size_t i = toss_at(t, q);
    chart.panels.push_back(side_view(t, i, predicted(t, i), which));
  }
  return chart;
}

Chart chart_of_courses(World& world) {
  const Tosses& t = world.tosses();
  Chart chart{.heading = "Tosses of a cube over time",
              .subheading =
                  "the same tosses: height of the tracked point, and angle turned since the "
                  "start",
              .columns = 2,
              .panel_width = 560,
              .panel_height = 280};
  for (const double q : {0.25, 0.5, 0.95}) {
    const std::size_t i = toss_at(t, q);
    const fit::PredictedMotion motion = predicted(t, i);
    const fit::Trajectory& toss = t.trajectories[i];
    ChartPanel height{.title = fmt::format("toss {}", toss.group)};
    ChartPanel angle{.title = fmt::format("toss {}", toss.group)};
    height.x.label = angle.x.label = "time since the start [s]";
    height.y.label = "height [m]";
    angle.y.label = "angle to the start [deg]";
    Series measured{
        .label = "measured", .colour = "#57606a", .marker_size = 0.5, .kind = SeriesKind::points};
    Series ours{.label = "predicted", .colour = "#D55E00", .width = 1.8};
    Series turned = measured;
    Series our_turned = ours;
    const fit::TrackedPose& start = toss.poses[toss.start];
    for (std::size_t k = 0; k < motion.poses.size(); ++k) {
      const double time = toss.time[toss.start + k] - toss.time[toss.start];
      const fit::TrackedPose& pose = toss.poses[toss.start + k];
      const auto add = [&](Series& s, double y) {
        s.x.push_back(time);
        s.y.push_back(y);
      };
      add(measured, pose.position[2]);
      add(ours, motion.poses[k].position[2]);
      add(turned, fit::angle_between(start.orientation, pose.orientation) / degree);
      add(our_turned, fit::angle_between(start.orientation, motion.poses[k].orientation) / degree);
    }
    height.series = {measured, ours};
    angle.series = {turned, our_turned};
    chart.panels.push_back(std::move(height));
    chart.panels.push_back(std::move(angle));
  }
  return chart;
}

Chart chart_of_errors(World& world) {
  const Tosses& t = world.tosses();
  Chart chart{.heading = "Errors of all tosses",
              .subheading = "cross-validated; share of the tosses that are predicted better",
              .columns = 2,
              .panel_width = 560,
              .panel_height = 320};
  const auto panel = [&](const char* label, double unit, double fit::MotionError::*member,
                         double mean) {
    std::vector<double> all;
    for (const fit::MotionError& e : t.validation.score.each) all.push_back(e.*member / unit);
    std::ranges::sort(all);
    Series s{.colour = "#0072B2", .width = 2.};
    for (std::size_t k = 0; k < all.size(); ++k) {
      s.x.push_back(all[k]);
      s.y.push_back(static_cast<double>(k + 1) / static_cast<double>(all.size()));
    }
    ChartPanel p;
    p.x.label = label;
    p.y.label = "share of the tosses";
    p.series = {s};
    p.marks.push_back({.at = mean, .label = "mean"});
    chart.panels.push_back(std::move(p));
  };
  const fit::TrajectoryScore& score = t.validation.score;
  panel("mean error of position [% of the width]", 0.01 * t.request.width,
        &fit::MotionError::position, 100. * score.position.value);
  panel("mean error of rotation [degrees]", degree, &fit::MotionError::rotation,
        score.rotation.value / degree);
  return chart;
}

std::vector<Computed> toss_fit_rows(World& world) {
  const Tosses& t = world.tosses();
  std::vector<Computed> rows;
  for (std::size_t j = 0; j < t.request.parameters.size(); ++j) {
    const Extent e =
        extent(t.validation.folds, [&](const fit::FittedValues& f) { return f.values[j]; });
    const std::string& path = t.request.parameters[j].path.text;
    rows.push_back({{"number", path},
                    {"start", t.request.parameters[j].start},
                    {"least of the folds", e.least},
                    {"greatest of the folds", e.most}});
  }
  return rows;
}

Found within_target(World& world) {
  const fit::TrajectoryScore& s = world.tosses().validation.score;
  const double position = 100. * s.position.value;
  const double rotation = s.rotation.value / degree;
  return {position < 10. && rotation < 9.5,
          {{"position", position},
           {"position_error", 100. * s.position.error},
           {"rotation", rotation},
           {"rotation_error", s.rotation.error / degree},
           {"tosses", s.trajectories}}};
}

Found half_better(World& world) {
  const Tosses& t = world.tosses();
  const auto& each = t.validation.score.each;
  const double position =
      100. * extent(each, &fit::MotionError::position).median() / t.request.width;
  const double rotation = extent(each, &fit::MotionError::rotation).median() / degree;
  const double least_turn = 45. * degree;
  const std::size_t other =
      count(each, [&](const fit::MotionError& e) { return e.rotation > least_turn; });
  const fit::TrajectoryScore& s = t.validation.score;
  return {position < 100. * s.position.value && rotation < s.rotation.value / degree,
          {{"position", position}, {"rotation", rotation}, {"other", other}}};
}

}  // namespace

Computations of_tosses(const Shared& world) {
  Computations c;
  c.tables["tosses"] = [world](const Row& row) -> Computed {
    if (row.text("key") != "carom") return {};
    const fit::TrajectoryScore& s = world->tosses().validation.score;
    return {{"position [% of the width]", 100. * s.position.value},
            {"rotation [degrees]", s.rotation.value / degree},
            {"standard errors",
             fmt::format("{:.1f}, {:.1f}", 100. * s.position.error, s.rotation.error / degree)}};
  };
  c.tables["toss-fit"] = [world] { return toss_fit_rows(*world); };
  c.checks["within-target"] = [world] { return within_target(*world); };
  c.checks["half-better"] = [world] { return half_better(*world); };
  c.pictures["measured-tosses"] = chart([world] { return chart_of_tosses(*world); });
  c.pictures["measured-courses"] = chart([world] { return chart_of_courses(*world); });
  c.pictures["measured-errors"] = chart([world] { return chart_of_errors(*world); });
  return c;
}

Computations of_world(const Shared& world) {
  return merged({of_data(world), of_ranking(world), of_classes(world), of_tosses(world)});
}

}  // namespace carom::papers::measured_world
