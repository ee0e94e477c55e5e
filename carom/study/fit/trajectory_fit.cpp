// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/trajectory_fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/core/random.hpp>
#include <carom/study/fit/nelder_mead.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study::fit {
namespace {

/// What counts as an error of one: a tenth of the width, and ten degrees.
constexpr double position_unit = 0.1;
constexpr double rotation_unit = 10. * std::numbers::pi / 180.;

/// A body is in flight where it is this far from everything, in parts of its width, ...
constexpr double clear_of_contact = 0.02;
/// ... for this number of samples, ...
constexpr std::size_t least_flight = 5;
/// ... and its path is a parabola to this, in parts of the width.
constexpr double flight_misfit = 0.005;

/// Windows are a first search, so that half as many motions as of whole trajectories and a loose
/// tolerance are enough.
constexpr double window_simplex = 0.1;
constexpr double window_tolerance = 0.02;
constexpr double whole_simplex = 0.04;
constexpr double whole_tolerance = 0.002;

/// A number of the stream of random choices for each of them.
enum Stream : std::uint64_t { search_stream, fold_stream };

using Which = std::vector<std::size_t>;

void check(const TrajectoryFitOptions& o) { interrupt_if(o.stop); }

double loss_of(const MotionError& e, const scenario::TrajectoryRequest& r) {
  return e.position / (position_unit * r.width) + e.rotation / rotation_unit;
}

/// Up to `most` of them, at random, in ascending order.
Which some_of(std::span<const std::size_t> which, std::size_t most, std::uint64_t seed) {
  if (which.size() <= most) return {which.begin(), which.end()};
  Which chosen;
  for (const std::size_t i : shuffled(which.size(), RandomStream(seed, search_stream))) {
    if (chosen.size() < most) chosen.push_back(which[i]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Predictions of windows, in their order.
struct Compared {
  std::vector<MotionError> errors;
  std::vector<std::string> trouble;  ///< empty where there was none
};

Compared compare(const BodyMotion& body, const std::vector<Trajectory>& trajectories,
                 std::span<const Window> windows, const TrajectoryFitOptions& o) {
  Compared all;
  all.errors.resize(windows.size());
  all.trouble.resize(windows.size());
  parallel_blocks(windows.size(), 1, o.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Trajectory& t = trajectories[windows[i].trajectory];
      const PredictedMotion p = body.predict(t, windows[i], o.stop);
      all.errors[i] = error_of(p, t, windows[i]);
      all.trouble[i] = p.trouble;
    }
  });
  check(o);
  return all;
}

/// Short motions from the ends of stretches of free flight.
std::vector<Window> flights(const BodyMotion& body, const scenario::TrajectoryRequest& r,
                            const Trajectory& t, std::size_t index) {
  std::vector<Window> all;
  const auto length =
      std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(r.window / t.interval)) + 1);
  const auto add = [&](std::size_t first, std::size_t start) {
    const std::size_t samples = std::min(length, t.poses.size() - start);
    if (samples < 2) return;
    all.push_back({.trajectory = index,
                   .first = std::max(first, start + 1 > r.flight ? start + 1 - r.flight : 0),
                   .start = start,
                   .samples = samples});
  };
  add(0, t.start);
  std::size_t begin = t.start + 1;  // of the samples in flight
  for (std::size_t i = begin; i <= t.poses.size(); ++i) {
    if (i < t.poses.size() && body.gap(t.poses[i]) > clear_of_contact * r.width) continue;
    if (i >= begin + least_flight && i < t.poses.size()) {
      const FlightState s = flight_state(t, begin, i - 1, body.tracking());
      if (s.misfit < flight_misfit * r.width) add(begin, i - 1);
    }
    begin = i + 1;
  }
  return all;
}

double mean_loss(const Compared& compared, const scenario::TrajectoryRequest& r) {
  double sum = 0.;
  for (const MotionError& e : compared.errors) sum += loss_of(e, r);
  return sum / static_cast<double>(compared.errors.size());
}

MeanError mean(const std::vector<MotionError>& each, double MotionError::*member, double unit) {
  const auto n = static_cast<double>(each.size());
  double sum = 0., squares = 0.;
  for (const MotionError& e : each) sum += e.*member / unit;
  for (const MotionError& e : each) squares += std::pow(e.*member / unit - sum / n, 2);
  return {.value = sum / n, .error = n > 1. ? std::sqrt(squares / (n * (n - 1.))) : 0.};
}

void finish(TrajectoryScore& s, const scenario::TrajectoryRequest& r) {
  s.trajectories = s.each.size();
  s.position = mean(s.each, &MotionError::position, r.width);
  s.rotation = mean(s.each, &MotionError::rotation, 1.);
}

std::string trouble_of(const scenario::TrajectoryRequest& r, const Trajectory& t,
                       const std::string& why) {
  return fmt::format("{} {}: {}", r.group.text, t.group, why);
}

/// A part of the progress of several searches.
struct Part {
  const TrajectoryFitOptions& options;
  double begin = 0.;
  double end = 1.;

  void show(double share) const {
    if (options.progress) options.progress(begin + share * (end - begin));
  }
  [[nodiscard]] Part part(double from, double to) const {
    return {options, begin + from * (end - begin), begin + to * (end - begin)};
  }
};

/// One search over windows or whole trajectories, from `values` on and into them.
/// @param size       of the first simplex, in parts of the ranges of the parameters
/// @param tolerance  where the search ends, in the same
/// @return the loss
double search(const scenario::TrajectoryRequest& r, const std::vector<Trajectory>& trajectories,
              std::span<const Window> windows, std::vector<double>& values, double size,
              double tolerance, const Part& part, std::size_t& evaluations) {
  std::vector<double> sizes;
  for (const auto& p : r.parameters) sizes.push_back(size * (p.high - p.low));
  const auto clamp = [&](std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::clamp(x[i], r.parameters[i].low, r.parameters[i].high);
    }
  };
  std::size_t done = 0;
  const auto f = [&](std::span<const double> x) {
    part.show(static_cast<double>(done++) / static_cast<double>(r.evaluations));
    check(part.options);
    try {
      const BodyMotion body(r, x, part.options.law);
      return mean_loss(compare(body, trajectories, windows, part.options), r);
    } catch (const InputError&) {
      if (done == 1) throw;  // the start itself is refused
      return std::numeric_limits<double>::infinity();
    }
  };
  const double loss = nelder_mead(
      f, values, sizes, {.most_evaluations = r.evaluations, .tolerance = tolerance / size}, clamp);
  evaluations += done;
  return loss;
}

FittedValues fit(const scenario::TrajectoryRequest& r, const std::vector<Trajectory>& trajectories,
                 std::span<const std::size_t> which, const Part& part) {
  FittedValues result;
  for (const auto& p : r.parameters) result.values.push_back(p.start);
  const Which chosen = some_of(which, r.search, r.seed);
  std::vector<Window> windows, wholes;
  const BodyMotion body(r, result.values, part.options.law);
  for (const std::size_t i : chosen) {
    wholes.push_back(whole(trajectories[i], i, r));
    if (wholes.size() % 2 == 0 && chosen.size() > 1) continue;
    for (const Window& w : flights(body, r, trajectories[i], i)) windows.push_back(w);
  }
  (void)search(r, trajectories, windows, result.values, window_simplex, window_tolerance,
               part.part(0., 0.3), result.evaluations);
  result.loss = search(r, trajectories, wholes, result.values, whole_simplex, whole_tolerance,
                       part.part(0.3, 1.), result.evaluations);
  result.windows = windows.size();
  result.trajectories = wholes.size();
  return result;
}

}  // namespace

TrajectoryScore score(const scenario::TrajectoryRequest& request,
                      const std::vector<Trajectory>& trajectories,
                      std::span<const std::size_t> which, std::span<const double> values,
                      const TrajectoryFitOptions& options) {
  std::vector<Window> windows;
  for (const std::size_t i : which) windows.push_back(whole(trajectories[i], i, request));
  const BodyMotion body(request, values, options.law);
  Compared compared = compare(body, trajectories, windows, options);
  TrajectoryScore s;
  s.each = std::move(compared.errors);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (compared.trouble[i].empty()) continue;
    s.trouble.push_back(trouble_of(request, trajectories[which[i]], compared.trouble[i]));
  }
  finish(s, request);
  return s;
}

FittedValues fit_trajectories(const scenario::TrajectoryRequest& request,
                              const std::vector<Trajectory>& trajectories,
                              std::span<const std::size_t> which,
                              const TrajectoryFitOptions& options) {
  return fit(request, trajectories, which, {options});
}

TrajectoryValidation cross_validate(const scenario::TrajectoryRequest& request,
                                    const std::vector<Trajectory>& trajectories,
                                    const TrajectoryFitOptions& options) {
  const std::size_t n = trajectories.size();
  if (n < request.folds) {
    throw InputError("fit.folds", fmt::format("must not exceed the number of trajectories, {}; got "
                                              "{}",
                                              n, request.folds));
  }
  const Which order = shuffled(n, RandomStream(request.seed, fold_stream));
  TrajectoryValidation v;
  v.score.each.resize(n);
  v.fold.resize(n);
  for (std::size_t k = 0; k < request.folds; ++k) {
    Which inside, outside;
    for (std::size_t i = 0; i < n; ++i)
      (i % request.folds == k ? outside : inside).push_back(order[i]);
    std::sort(inside.begin(), inside.end());
    std::sort(outside.begin(), outside.end());
    const auto folds = static_cast<double>(request.folds);
    const Part part{options, static_cast<double>(k) / folds, static_cast<double>(k + 1) / folds};
    v.folds.push_back(fit(request, trajectories, inside, part));
    const TrajectoryScore s = score(request, trajectories, outside, v.folds.back().values, options);
    for (std::size_t i = 0; i < outside.size(); ++i) {
      v.score.each[outside[i]] = s.each[i];
      v.fold[outside[i]] = k;
    }
    v.score.trouble.insert(v.score.trouble.end(), s.trouble.begin(), s.trouble.end());
  }
  finish(v.score, request);
  return v;
}

std::vector<PredictedMotion> predict_all(const scenario::TrajectoryRequest& request,
                                         const std::vector<Trajectory>& trajectories,
                                         std::span<const double> values,
                                         const TrajectoryFitOptions& options) {
  const BodyMotion body(request, values, options.law);
  std::vector<PredictedMotion> all(trajectories.size());
  parallel_blocks(trajectories.size(), 1, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      all[i] = body.predict(trajectories[i], whole(trajectories[i], i, request), options.stop);
    }
  });
  check(options);
  return all;
}

TrajectoryScore score_of(const scenario::TrajectoryRequest& request,
                         const std::vector<Trajectory>& trajectories,
                         const std::vector<PredictedMotion>& predicted) {
  TrajectoryScore s;
  for (std::size_t i = 0; i < trajectories.size(); ++i) {
    const Trajectory& t = trajectories[i];
    s.each.push_back(error_of(predicted[i], t, whole(t, i, request)));
    if (predicted[i].trouble.empty()) continue;
    s.trouble.push_back(trouble_of(request, t, predicted[i].trouble));
  }
  finish(s, request);
  return s;
}

std::string prediction_csv(const scenario::TrajectoryRequest& request,
                           const std::vector<Trajectory>& trajectories,
                           const std::vector<PredictedMotion>& predicted) {
  std::string text =
      request.group.text + "," + (request.step.text.empty() ? request.time : request.step).text;
  for (const auto& names : {request.position, request.orientation}) {
    for (const auto& name : names) text += "," + name.text;
  }
  text += "\n";
  for (std::size_t i = 0; i < trajectories.size(); ++i) {
    const Trajectory& t = trajectories[i];
    for (std::size_t k = 0; k < predicted[i].poses.size(); ++k) {
      const TrackedPose& p = predicted[i].poses[k];
      const Turn& q = p.orientation;
      text += fmt::format("{},{},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f}\n", t.group,
                          t.steps[t.start + k], p.position[0], p.position[1], p.position[2], q.w(),
                          q.x(), q.y(), q.z());
    }
  }
  return text;
}

}  // namespace carom::study::fit
