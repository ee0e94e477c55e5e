// SPDX-License-Identifier: Apache-2.0
#include <carom/report/fit/statistics.hpp>

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/study/fit/bounds.hpp>
#include <carom/study/fit/class_differences.hpp>
#include <carom/study/fit/estimation_of.hpp>
#include <carom/study/fit/intervals.hpp>

namespace carom::report {
namespace {

using study::fit::Classified;
using study::fit::Covariance;
using study::fit::Estimate;
using study::fit::Estimation;
using study::fit::FittedModel;
using study::fit::Interval;
using study::fit::Loss;
using study::fit::Objective;

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.) / static_cast<double>(x.size());
}

// --- intervals -----------------------------------------------------------------------------------

bool jumps(const FittedModel& f) {
  return f.model.answering->name.starts_with("conventional") ||
         f.model.answering->name.starts_with("sun-baruh");
}

std::string_view name(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::covariance:
      return "covariance";
    case IntervalMethod::profile:
      return "profile";
    case IntervalMethod::bootstrap:
      return "bootstrap";
    case IntervalMethod::automatic:
      break;
  }
  return "automatic";
}

IntervalMethod method_for(const FittedModel& f, const FitReport& r, const IntervalRequest& asked) {
  const bool squares = r.options.loss == Loss::least_squares || asked.errors_before;
  if (asked.method == IntervalMethod::profile && !squares) {
    throw InputError("--intervals", "profile needs --loss least-squares; for " +
                                        std::string(scenario::name(r.options.loss)) +
                                        " use covariance (sandwich) or bootstrap");
  }
  if (asked.method != IntervalMethod::automatic) return asked.method;
  if (jumps(f)) return IntervalMethod::bootstrap;
  return squares ? IntervalMethod::profile : IntervalMethod::covariance;
}

std::string told(const Interval& i) {
  return fmt::format("[{:.4g}{}, {:.4g}{}]", i.low, i.low_at_bound ? " (bound)" : "", i.high,
                     i.high_at_bound ? " (bound)" : "");
}

/// What is known of the parameters of a model.
struct Known {
  Estimate estimate;
  Covariance covariance;
  std::vector<Interval> intervals;
  std::vector<std::string> notes{};
  IntervalMethod method = IntervalMethod::covariance;
};

void profile_all(const Estimation& fit, Known& known, std::optional<double> deviation) {
  constexpr int most_restarts = 3;
  for (int restart = 0;; ++restart) {
    known.intervals.clear();
    known.notes = known.covariance.undetermined;
    std::optional<Estimate> lower;
    for (std::size_t j = 0; j < fit.size(); ++j) {
      const auto profile = study::fit::profile_interval(fit, known.estimate, known.covariance, j,
                                                        {.deviation = deviation});
      known.intervals.push_back(profile.interval);
      if (!profile.determined) {
        known.notes.push_back(
            fmt::format("The data do not determine {}: no value from {:g} to {:g} is excluded.",
                        fit.parameters[j].name, fit.parameters[j].low, fit.parameters[j].high));
      }
      if (profile.lower && (!lower || profile.lower->loss < lower->loss)) lower = profile.lower;
    }
    if (!lower || restart == most_restarts) {
      if (lower) known.notes.emplace_back("A lower minimum was met; the search should start anew.");
      return;
    }
    known.estimate = fit.minimise({.start = lower->p, .held = {}, .weights = {}});
    known.covariance = study::fit::gauss_newton_covariance(fit, known.estimate, deviation);
  }
}

Known know(const Objective& objective, const FittedModel& f, const FitReport& r,
           const IntervalRequest& asked) {
  Known known;
  known.method = method_for(f, r, asked);
  const auto residuals = asked.errors_before ? study::fit::Residuals::of_both_errors
                                             : study::fit::Residuals::of_metric;
  study::fit::MinimiseOptions options = r.options;
  if (asked.errors_before) options.loss = Loss::least_squares;
  const Estimation fit =
      study::fit::estimation_of(objective, r.ranking.impacts, options, residuals, jumps(f));
  known.estimate = study::fit::estimate_of(f.minimum, r.ranking.impacts.size(), r.options);
  // Residuals in deviations of the measurements: theirs is known.
  const auto deviation = asked.errors_before ? std::optional<double>(1.) : std::nullopt;
  if (asked.errors_before) {
    known.estimate = fit.minimise({.start = f.minimum.p, .held = {}, .weights = {}});
  }
  const bool squares = options.loss == Loss::least_squares;
  known.covariance = squares ? study::fit::gauss_newton_covariance(fit, known.estimate, deviation)
                             : study::fit::sandwich_covariance(fit, known.estimate);
  known.notes = known.covariance.undetermined;
  switch (known.method) {
    case IntervalMethod::profile:
      profile_all(fit, known, deviation);
      break;
    case IntervalMethod::bootstrap: {
      const auto boot = study::fit::bootstrap(
          fit, known.estimate,
          {.replicas = asked.replicas, .seed = r.options.seed, .threads = asked.threads});
      known.intervals = boot.intervals;
      if (boot.failed > 0) {
        known.notes.push_back(fmt::format("{} of {} replicas of the bootstrap did not converge.",
                                          boot.failed, asked.replicas));
      }
      break;
    }
    default:
      for (std::size_t j = 0; j < fit.size(); ++j) {
        known.intervals.push_back(
            study::fit::normal_interval(fit, known.estimate, known.covariance, j));
      }
  }
  return known;
}

std::string how(const Known& known, const FitReport& r, const IntervalRequest& asked) {
  switch (known.method) {
    case IntervalMethod::profile:
      return asked.errors_before
                 ? "profile of the sum of squares over the standard errors, chi-squared threshold"
                 : "profile of the sum of squares, F threshold";
    case IntervalMethod::bootstrap:
      return fmt::format("percentiles of {} replicas, groups drawn with replacement, seed {}",
                         asked.replicas, r.options.seed);
    default:
      break;
  }
  if (asked.errors_before) return "covariance of Gauss and Newton, standard errors given";
  if (r.options.loss == Loss::least_squares) {
    return "covariance of Gauss and Newton, deviation estimated";
  }
  return r.data.grouped ? "sandwich covariance, by groups" : "sandwich covariance, by rows";
}

}  // namespace

IntervalMethod find_interval_method(const std::string& name_of, const std::string& field) {
  if (name_of.empty()) return IntervalMethod::automatic;
  for (const IntervalMethod m : {IntervalMethod::automatic, IntervalMethod::covariance,
                                 IntervalMethod::profile, IntervalMethod::bootstrap}) {
    if (name(m) == name_of) return m;
  }
  throw InputError(field,
                   "must be automatic, covariance, profile or bootstrap, got '" + name_of + "'");
}

std::string fit_intervals(const FitReport& r, const IntervalRequest& asked) {
  std::string out = "\n95 % intervals\n";
  for (const FittedModel& f : r.ranking.models) {
    interrupt_if(r.options.stop);
    if (f.parameters.size() == 0) continue;
    const Objective objective(r.data, *f.model.answering, f.parameters);
    const Known known = know(objective, f, r, asked);
    out += fmt::format("{} ({})\n", f.model.name, how(known, r, asked));
    for (std::size_t j = 0; j < f.parameters.size(); ++j) {
      const auto& p = f.parameters.list[j];
      out += fmt::format("  {} = {:.4g}{}{}  {}\n", p.name, known.estimate.p[j],
                         p.unit.empty() ? "" : " ", p.unit,
                         j < known.intervals.size() ? told(known.intervals[j]) : "");
    }
    for (std::size_t j = 0; j < f.parameters.size(); ++j) {
      for (std::size_t k = j + 1; k < f.parameters.size(); ++k) {
        const double c = known.covariance.correlation(static_cast<Eigen::Index>(j),
                                                      static_cast<Eigen::Index>(k));
        constexpr double worth_telling = 0.5;
        if (std::abs(c) >= worth_telling) {
          out += fmt::format("  correlation of {} and {}: {:+.2f}\n", f.parameters.list[j].name,
                             f.parameters.list[k].name, c);
        }
      }
    }
    for (const std::string& note : known.notes) out += "  " + note + "\n";
  }
  return out;
}

std::string fit_bounds(const FitReport& r, unsigned threads) {
  const FittedModel& reference = study::fit::reference_of(r.ranking);
  const Objective objective(r.data, *reference.model.answering, reference.parameters);
  const std::vector<double>& p = reference.minimum.p;
  const auto bounds = study::fit::least_errors(objective, r.ranking.impacts, p, threads);
  std::string out = fmt::format(
      "\nLeast errors that impulses can reach (body and friction of {}):\n"
      "  any impulse                        {:.4f}\n"
      "  any that loses energy              {:.4f}\n"
      "  any in the friction cone           {:.4f}  (and loses energy)\n",
      reference.model.name, mean(bounds.any_impulse), mean(bounds.losing_energy),
      mean(bounds.in_cone));

  const std::vector<Classified> classes = study::fit::classify(objective, r.ranking.impacts, p);
  const auto by_class = study::fit::class_differences(r.data, r.ranking, classes, r.options.seed);
  std::size_t uncertain = 0;
  for (const auto& c : by_class) uncertain += c.uncertain;
  out += fmt::format(
      "\nBy what slip does, from G, the approach and that friction; e = 0.5 decides {} of {} "
      "rows\n",
      uncertain, classes.size());
  for (const auto& c : by_class) {
    for (const auto& m : c.models) {
      if (m.model != &reference) continue;
      out += fmt::format("slip {}: {} rows; {} {:.4f}\n", study::fit::name(c.kind),
                         c.members.size(), reference.model.name, m.error);
    }
    for (const auto& m : c.models) {
      if (m.model == &reference) continue;
      out += fmt::format("  {:<40} {:+.4f} [{:+.4f}, {:+.4f}]\n", m.model->model.name,
                         m.difference.mean, m.difference.low, m.difference.high);
    }
  }
  return out;
}

}  // namespace carom::report
