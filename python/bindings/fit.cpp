// SPDX-License-Identifier: Apache-2.0
// Fits of laws to measured impacts, and of a scenario that moves to measured trajectories.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/fit/files.hpp>
#include <carom/report/fit/summary.hpp>
#include <carom/report/fit/trajectories.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/scenario/trajectory_request.hpp>
#include <carom/study/fit/data_set.hpp>
#include <carom/study/fit/ranking.hpp>
#include <carom/study/fit/trajectory_fit.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

constexpr std::size_t page_width = 110;

/// Folds of the cross-validation, 0 without one, or a seed.
std::size_t count_of(py::handle value, const std::string& key) {
  constexpr double most = 0x1p53;
  const double x = number_of(value, key);
  if (!(x >= 0. && x <= most && x == std::floor(x)) || (key == "folds" && x == 1.)) {
    throw InputError(key, x, key == "folds" ? "0 or a whole number >= 2" : "a whole number >= 0");
  }
  return static_cast<std::size_t>(x);
}

scenario::CsvTable table_of(const std::optional<std::string>& csv,
                            const std::filesystem::path& file) {
  return csv ? scenario::parse_csv(*csv, "data") : scenario::read_csv(file);
}

/// What the scenario says, with what keywords say in its place.
scenario::FitRequest fit_request_of(const std::string& text, const std::string& name,
                                    const py::dict& options) {
  scenario::FitRequest r = scenario::parse_fit(text, name);
  if (r.only_relations) {
    throw InputError("system", "is missing: there is nothing to fit", r.name);
  }
  for (const auto& [key, value] : options) {
    const std::string k = text_of(key, "keyword");
    if (k == "loss" || k == "against") {
      (k == "loss" ? r.loss : r.against) = {.text = text_of(value, k), .field = k, .place = {}};
    } else if (k == "huber") {
      r.huber = number_of(value, k);
      require_positive(r.huber, k);
    } else if (k == "folds") {
      r.folds = count_of(value, k);
    } else if (k == "seed") {
      r.seed = count_of(value, k);
    } else {
      throw InputError(k, "unknown keyword");
    }
  }
  if (scenario::find_loss(r.loss) == scenario::Loss::huber && !(r.huber > 0.)) {
    throw InputError("huber", "is missing; loss = huber needs it");
  }
  return r;
}

/// The same of trajectories, as compute_fit.
py::tuple fit_trajectories(const std::string& text, const std::string& name,
                           const std::optional<std::string>& csv,
                           const std::vector<std::string>& laws, const py::dict& options,
                           unsigned threads) {
  scenario::TrajectoryRequest request = scenario::parse_trajectory_fit(text, name);
  bool validate = true;
  for (const auto& [key, value] : options) {
    const std::string k = text_of(key, "keyword");
    if (k == "folds") {
      const std::size_t folds = count_of(value, k);
      validate = folds > 0;
      if (validate) request.folds = folds;
    } else if (k == "seed") {
      request.seed = count_of(value, k);
    } else {
      throw InputError(k, "does not apply to trajectories");
    }
  }
  if (laws.size() > 1) throw InputError("law", "must be one law of impacts for trajectories");
  const std::string law = laws.empty() ? request.law : laws.front();
  const Law* const found = find_law(law);
  const bool parallel = found == nullptr || found->parallel;
  std::string json, summary, record;
  interruptible([&](const std::atomic<bool>& stop) {
    const study::fit::TrajectoryFitOptions how{
        .law = laws.empty() ? "" : law, .threads = parallel ? threads : 1, .stop = &stop};
    const auto data = study::fit::read_trajectories(table_of(csv, request.data), request);
    std::vector<std::size_t> all(data.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> written;
    for (const auto& p : request.parameters) written.push_back(p.written);
    report::TrajectoryReport report{
        .request = request,
        .law = std::string(study::fit::BodyMotion(request, written, how.law).law()),
        .fitted = study::fit::fit_trajectories(request, data, all, how),
        .score = {},
        .validation = {},
        .predicted = {},
        .names = {}};
    const std::vector<double>& values = report.fitted.values;
    report.score = study::fit::score(request, data, all, values, how);
    if (validate) report.validation = study::fit::cross_validate(request, data, how);
    for (const auto& t : data) report.names.push_back(t.group);
    json = report::trajectories_json(report);
    summary = report::trajectories_summary(report, {.colour = false, .width = page_width});
    record = report::trajectories_record(report, data,
                                         study::fit::predict_all(request, data, values, how));
  });
  return py::make_tuple(json, summary, record);
}

/// (JSON, summary, record of the picture).
/// @param csv  the data; none: the scenario names their file
/// @param models  none: those of the scenario
py::tuple compute_fit(const std::string& text, const std::string& name,
                      const std::optional<std::string>& csv, const std::vector<std::string>& models,
                      const py::dict& options, unsigned threads) {
  if (scenario::is_trajectory_fit(text)) {
    return fit_trajectories(text, name, csv, models, options, threads);
  }
  const scenario::FitRequest request = fit_request_of(text, name, options);
  const bool against_given = options.contains("against");
  std::string json, summary, record;
  interruptible([&](const std::atomic<bool>& stop) {
    std::vector<scenario::PlacedText> asked;
    for (const std::string& m : models) asked.push_back({.text = m, .field = "law", .place = {}});
    const study::fit::MeasuredImpacts data =
        study::fit::read_impacts(request, table_of(csv, request.data),
                                 study::fit::columns_of(request, asked), study::fit::Use::fit);
    auto all = study::fit::models_of(request, asked, data);
    // What the file says is meant for its own models.
    const bool is_there = against_given || std::ranges::any_of(all, [&](const auto& m) {
                            return m.name == request.against.text;
                          });
    const study::fit::RankingOptions ranking_options{
        .minimise = {.loss = scenario::find_loss(request.loss),
                     .huber = request.huber,
                     .seed = request.seed,
                     .stop = &stop},
        .folds = request.folds,
        .threads = threads,
        .against = is_there ? request.against.text : ""};
    const study::fit::Ranking ranking =
        study::fit::rank(data, request, std::move(all), ranking_options);
    const report::FitReport report{.request = request,
                                   .data = data,
                                   .ranking = ranking,
                                   .options = ranking_options.minimise,
                                   .folds = request.folds};
    json = report::fit_json(report);
    summary = report::fit_summary(report, {.colour = false, .width = page_width});
    record = report::fit_record(report);
  });
  return py::make_tuple(json, summary, record);
}

}  // namespace

void add_fit(py::module_& m) { m.def("compute_fit", compute_fit); }

}  // namespace carom::python
