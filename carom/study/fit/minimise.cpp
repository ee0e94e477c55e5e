// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/minimise.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <ceres/ceres.h>

#include <carom/core/error.hpp>
#include <carom/core/random.hpp>
#include <carom/study/fit/nelder_mead.hpp>

namespace carom::study::fit {
namespace {

void heed(const MinimiseOptions& o) { interrupt_if(o.stop); }

/// The residual of one impact.
class Residual : public ceres::CostFunction {
 public:
  Residual(const Objective& objective, std::size_t impact)
      : objective_(objective), impact_(impact) {
    set_num_residuals(static_cast<int>(objective.width()));
    mutable_parameter_block_sizes()->push_back(
        static_cast<std::int32_t>(objective.parameters().size()));
  }

  bool Evaluate(double const* const* parameters, double* residuals,
                double** jacobians) const override {
    const std::size_t n = objective_.parameters().size();
    const std::span<const double> p(parameters[0], n);
    const std::span<double> r(residuals, objective_.width());
    if (jacobians == nullptr || jacobians[0] == nullptr) {
      objective_.residual(impact_, p, r);
    } else {
      objective_.residual(impact_, p, r, {jacobians[0], n * objective_.width()}, by());
    }
    return true;
  }

 private:
  /// In space a law's own derivatives take many times as long as differences of its outcomes.
  [[nodiscard]] DerivativesBy by() const {
    return objective_.data().components == 2 ? DerivativesBy::laws : DerivativesBy::differences;
  }

  const Objective& objective_;
  std::size_t impact_;
};

/// Stops Ceres when the user wants to.
class Heed : public ceres::IterationCallback {
 public:
  explicit Heed(const std::atomic<bool>* stop) : stop_(stop) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return stop_ != nullptr && stop_->load() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const std::atomic<bool>* stop_;
};

/// A search over some impacts.
class Search {
 public:
  Search(const Objective& objective, std::span<const std::size_t> impacts,
         const MinimiseOptions& options)
      : objective_(objective), impacts_(impacts), options_(options) {}

  /// The mean loss at p.
  [[nodiscard]] double loss(std::span<const double> p) const {
    heed(options_);
    double sum = 0.;
    for (const std::size_t i : impacts_) sum += loss_of(objective_.error(i, p), options_);
    return sum / static_cast<double>(impacts_.size());
  }

  /// Levenberg and Marquardt's method. The loss |r| is smooth only beyond a width, which shrinks.
  void descend(std::vector<double>& p, int most_iterations) const {
    if (options_.loss != Loss::mean_error) return with_ceres(p, 0., most_iterations);
    std::vector<double> errors = objective_.errors(impacts_, p);
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    const double median = std::max(*middle, std::numeric_limits<double>::min());
    for (const double width : {1., 0.1}) with_ceres(p, width * median, most_iterations);
  }

  /// Nelder and Mead's method, in units of the bounds.
  [[nodiscard]] double polish(std::vector<double>& p, double step, std::size_t most) const {
    const auto& list = objective_.parameters().list;
    std::vector<double> size(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      size[k] = step * std::min(list[k].high - list[k].low,
                                std::max(std::abs(p[k]), 0.01 * (list[k].high - list[k].low)));
    }
    return nelder_mead([&](std::span<const double> x) { return loss(inside(x)); }, p, size,
                       {.most_evaluations = most}, [&](std::vector<double>& x) { clamp(x); });
  }

  [[nodiscard]] std::vector<double> inside(std::span<const double> x) const {
    std::vector<double> y(x.begin(), x.end());
    clamp(y);
    return y;
  }

 private:
  void clamp(std::vector<double>& x) const {
    const auto& list = objective_.parameters().list;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::clamp(x[k], list[k].low, list[k].high);
  }

  void with_ceres(std::vector<double>& p, double width, int most_iterations) const {
    heed(options_);
    ceres::Problem::Options shared;
    shared.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ceres::Problem problem(shared);
    const auto loss = make_loss(width);
    for (const std::size_t i : impacts_) {
      problem.AddResidualBlock(new Residual(objective_, i), loss.get(), p.data());
    }
    const auto& list = objective_.parameters().list;
    for (std::size_t k = 0; k < p.size(); ++k) {
      problem.SetParameterLowerBound(p.data(), static_cast<int>(k), list[k].low);
      problem.SetParameterUpperBound(p.data(), static_cast<int>(k), list[k].high);
    }
    Heed heed(options_.stop);
    ceres::Solver::Options o;
    o.linear_solver_type = ceres::DENSE_QR;
    o.max_num_iterations = most_iterations;
    o.num_threads = 1;
    o.logging_type = ceres::SILENT;
    o.callbacks.push_back(&heed);
    constexpr double enough = 1e-10;  // what follows is more accurate
    o.function_tolerance = enough;
    o.parameter_tolerance = enough;
    ceres::Solver::Summary summary;
    ceres::Solve(o, &problem, &summary);
    clamp(p);
  }

  [[nodiscard]] std::unique_ptr<ceres::LossFunction> make_loss(double width) const {
    switch (options_.loss) {
      case Loss::mean_error:  // a (root(1 + |r|^2/a^2) - 1), |r| where a is small
        return std::make_unique<ceres::ScaledLoss>(new ceres::SoftLOneLoss(width), 0.5 / width,
                                                   ceres::TAKE_OWNERSHIP);
      case Loss::huber:
        return std::make_unique<ceres::HuberLoss>(options_.huber);
      case Loss::least_squares:
        break;
    }
    return nullptr;
  }

  const Objective& objective_;
  std::span<const std::size_t> impacts_;
  const MinimiseOptions& options_;
};

/// Which parameters no prediction depends on near p: moved as far as half their range, nothing
/// changes.
std::vector<bool> undetermined_at(const Objective& objective, std::span<const std::size_t> impacts,
                                  std::span<const double> p) {
  std::vector<bool> none(p.size(), false);
  const std::vector<double> errors = objective.errors(impacts, p);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Parameter& one = objective.parameters().list[k];
    constexpr double near = 0.01;
    bool changes = false;
    for (const double side : {-1., 1.}) {
      std::vector<double> moved(p.begin(), p.end());
      moved[k] = std::clamp(p[k] + side * near * (one.high - one.low), one.low, one.high);
      if (moved[k] == p[k]) continue;
      const std::vector<double> there = objective.errors(impacts, moved);
      for (std::size_t i = 0; i < errors.size() && !changes; ++i) {
        // Rounding alone changes errors by less.
        constexpr double noise = 1e-9;
        changes = std::abs(there[i] - errors[i]) > noise * (1. + errors[i]);
      }
    }
    none[k] = !changes;
  }
  return none;
}

Minimum minimum_at(const Search& search, const Objective& objective,
                   std::span<const std::size_t> impacts, std::vector<double> p) {
  Minimum m;
  m.loss = search.loss(p);
  const std::vector<double> errors = objective.errors(impacts, p);
  m.mean_error =
      std::accumulate(errors.begin(), errors.end(), 0.) / static_cast<double>(errors.size());
  m.undetermined = undetermined_at(objective, impacts, p);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Parameter& one = objective.parameters().list[k];
    constexpr double at_bound = 1e-6;
    m.at_low.push_back(p[k] - one.low <= at_bound * (one.high - one.low));
    m.at_high.push_back(one.high - p[k] <= at_bound * (one.high - one.low));
  }
  m.p = std::move(p);
  return m;
}

constexpr double first_step = 0.05;  // of a simplex, relative
constexpr double near_step = 0.01;
std::size_t most_evaluations(std::size_t parameters) { return 60 + 60 * parameters; }
/// From a point that is near already.
std::size_t few_evaluations(std::size_t parameters) { return 40 + 20 * parameters; }

}  // namespace

double loss_of(double error, const MinimiseOptions& o) {
  switch (o.loss) {
    case Loss::mean_error:
      return error;
    case Loss::least_squares:
      return error * error;
    case Loss::huber:
      return error <= o.huber ? error * error : o.huber * (2. * error - o.huber);
  }
  return error;
}

Minimum minimise_from(const Objective& objective, std::span<const std::size_t> impacts,
                      const MinimiseOptions& options, std::vector<double> p) {
  const Search search(objective, impacts, options);
  if (p.empty()) return minimum_at(search, objective, impacts, p);
  // Few parameters need no derivatives from a point that is near.
  constexpr std::size_t few_parameters = 3;
  if (p.size() > few_parameters) {
    const double before = search.loss(p);
    std::vector<double> down = p;
    constexpr int few = 4;
    search.descend(down, few);
    if (search.loss(down) < before) p = std::move(down);
  }
  (void)search.polish(p, near_step, few_evaluations(p.size()));
  return minimum_at(search, objective, impacts, search.inside(p));
}

Minimum minimise(const Objective& objective, std::span<const std::size_t> impacts,
                 const MinimiseOptions& options) {
  const Search search(objective, impacts, options);
  const Parameters& parameters = objective.parameters();
  const std::size_t n = parameters.size();
  // Starts are compared on some of the impacts, evenly chosen.
  std::vector<std::size_t> some;
  constexpr std::size_t enough = 120;
  const std::size_t stride = std::max<std::size_t>(1, impacts.size() / enough);
  for (std::size_t i = 0; i < impacts.size(); i += stride) some.push_back(impacts[i]);
  const Search rough(objective, some, options);
  if (n == 0) return minimum_at(search, objective, impacts, {});

  struct Point {
    double loss = 0.;
    std::vector<double> p;
  };
  std::vector<Point> points{{rough.loss(parameters.starts()), parameters.starts()}};
  const RandomStream random(options.seed);
  for (std::size_t t = 0; t < options.trials; ++t) {
    std::vector<double> p(n);
    for (std::size_t k = 0; k < n; ++k) {
      const Parameter& one = parameters.list[k];
      p[k] = one.low + (one.high - one.low) * random.uniform(t * n + k);
    }
    points.push_back({rough.loss(p), std::move(p)});
  }
  std::stable_sort(points.begin() + 1, points.end(),
                   [](const Point& a, const Point& b) { return a.loss < b.loss; });
  points.resize(std::min(points.size(), std::max<std::size_t>(options.starts, 1)));
  Point best{.loss = std::numeric_limits<double>::infinity(), .p = {}};
  for (Point& one : points) {
    std::vector<double> p = one.p;
    constexpr int iterations = 8;
    rough.descend(p, iterations);
    const double loss = rough.loss(p);
    if (loss < one.loss) one = {loss, std::move(p)};
    if (one.loss < best.loss) best = one;
  }
  std::vector<double> p = best.p;
  best.loss = search.loss(p);
  constexpr int iterations = 10;
  search.descend(p, iterations);
  if (search.loss(p) < best.loss) best.p = std::move(p);
  best.loss = search.polish(best.p, first_step, most_evaluations(n));
  // A simplex may collapse too early, above all in many dimensions: once more from there.
  (void)search.polish(best.p, near_step, few_evaluations(n));
  return minimum_at(search, objective, impacts, search.inside(best.p));
}

}  // namespace carom::study::fit
