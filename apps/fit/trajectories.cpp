// SPDX-License-Identifier: Apache-2.0
#include <apps/fit/trajectories.hpp>

#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/fit/trajectories.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/trajectory_request.hpp>
#include <carom/study/fit/trajectory_fit.hpp>

#include <apps/cli/command_line.hpp>
#include <apps/cli/examples.hpp>
#include <apps/cli/progress.hpp>

namespace carom::cli {
namespace {

using scenario::TrajectoryRequest;
using study::fit::Trajectory;

void refuse_others(const FitOptions& o) {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw InputError(option, why);
  };
  constexpr const char* fixed = "does not apply to trajectories, whose error is fixed";
  refuse(!o.loss.empty(), "--loss", fixed);
  refuse(o.huber.has_value(), "--huber", fixed);
  refuse(!o.against.empty(), "--against", "does not apply to trajectories, which one law predicts");
  refuse(o.models.size() > 1, "--law", "must be given once for trajectories");
  refuse(!o.save.empty() || !o.from.empty(), o.save.empty() ? "--from" : "--save",
         "does not apply to trajectories; write the fitted numbers into the scenario and set "
         "fit.predict_with = \"file\"");
}

/// Starts and values that the scenario has itself.
std::vector<double> written(const TrajectoryRequest& r) {
  std::vector<double> values;
  for (const auto& p : r.parameters) values.push_back(p.written);
  return values;
}

}  // namespace

bool fits_trajectories(const FitOptions& o) {
  return scenario::is_trajectory_fit(scenario::read_text(scenario_file(o.file, "fit")));
}

void run_trajectories(const FitOptions& o) {
  refuse_others(o);
  const std::optional<report::PictureFiles> picture =
      o.plot.empty() ? std::nullopt : std::optional(report::picture_files(o.plot, "--plot"));
  TrajectoryRequest request = scenario::read_trajectory_fit(scenario_file(o.file, "fit"));
  if (o.folds && *o.folds == 1) throw InputError("--folds", "must be 0 or >= 2, got 1");
  if (o.folds && *o.folds > 0) request.folds = *o.folds;
  if (o.seed) request.seed = *o.seed;

  const StopOnSignal on_signal;
  study::fit::TrajectoryFitOptions options{
      .law = {}, .threads = o.threads, .stop = &on_signal.stop()};
  if (!o.models.empty()) options.law = o.models[0];
  // Without the data of the fit, if nothing is fitted.
  const bool of_file =
      !o.predict.empty() && request.stored && (options.law.empty() || options.law == request.law);
  report::TrajectoryReport report{.request = request,
                                  .law = {},
                                  .fitted = {},
                                  .score = {},
                                  .validation = {},
                                  .predicted = {},
                                  .names = {}};
  report.fitted.values = written(request);
  report.law = study::fit::BodyMotion(request, report.fitted.values, options.law).law();
  std::vector<Trajectory> data;
  if (!of_file) {
    data = study::fit::read_trajectories(scenario::read_csv(request.data), request);
    std::vector<std::size_t> all(data.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const bool validate = o.predict.empty() && !(o.folds && *o.folds == 0);
    const double share = validate ? 1. / static_cast<double>(request.folds + 1) : 1.;
    {
      ProgressBar bar("carom fit", !o.quiet);
      options.progress = [&](double done) { bar.show(share * done); };
      report.fitted = study::fit::fit_trajectories(request, data, all, options);
      report.score = study::fit::score(request, data, all, report.fitted.values, options);
      options.progress = [&](double done) { bar.show(share + (1. - share) * done); };
      if (validate) report.validation = study::fit::cross_validate(request, data, options);
    }
    options.progress = nullptr;
    for (const Trajectory& t : data) report.names.push_back(t.group);
    if (!o.csv.empty()) {
      report::write_whole(o.csv, report::errors_csv(report));
      tell(o.quiet, "wrote " + o.csv);
    }
  } else if (!o.csv.empty()) {
    throw InputError("--csv", "has no errors to write where fit.predict_with = \"file\"");
  }
  if (!o.predict.empty()) {
    data = study::fit::read_trajectories(scenario::read_csv(o.predict), request);
  }
  if (!o.predict.empty() || picture) {
    const auto predicted = study::fit::predict_all(request, data, report.fitted.values, options);
    if (!o.predict.empty()) {
      report.predicted = study::fit::score_of(request, data, predicted);
      report::write_whole(o.out, study::fit::prediction_csv(request, data, predicted));
      tell(o.quiet,
           fmt::format("wrote {}: {} trajectories by {}, with {}", o.out, data.size(), report.law,
                       of_file ? "the numbers of the file, not fitted anew "
                                 "(fit.predict_with = \"file\")"
                               : "the numbers fitted to " + request.data.string()));
      for (const std::string& line : report.predicted->trouble) {
        tell(o.quiet, "not computed to its end: " + line);
      }
    }
    if (picture) {
      report::draw(*picture, report::trajectories_record(report, data, predicted));
      if (!o.quiet) std::fputs(report::wrote(*picture).c_str(), stderr);
    }
  }
  print(o.json ? report::trajectories_json(report)
               : printable_lines(report::trajectories_summary(
                     report, {.colour = false, .width = page_width()})));
}

}  // namespace carom::cli
