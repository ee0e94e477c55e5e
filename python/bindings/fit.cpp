// SPDX-License-Identifier: Apache-2.0
// Fits of laws to measured impacts.
#include <algorithm>
#include <cmath>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/fit/files.hpp>
#include <carom/report/fit/summary.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/data_set.hpp>
#include <carom/study/fit/ranking.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

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
    } else if (k == "folds" || k == "seed") {
      constexpr double most = 0x1p53;
      const double x = number_of(value, k);
      if (!(x >= 0. && x <= most && x == std::floor(x)) || (k == "folds" && x == 1.)) {
        throw InputError(k, x, k == "folds" ? "0 or a whole number >= 2" : "a whole number >= 0");
      }
      if (k == "folds") {
        r.folds = static_cast<std::size_t>(x);
      } else {
        r.seed = static_cast<std::uint64_t>(x);
      }
    } else {
      throw InputError(k, "unknown keyword");
    }
  }
  if (scenario::find_loss(r.loss) == scenario::Loss::huber && !(r.huber > 0.)) {
    throw InputError("huber", "is missing; loss = huber needs it");
  }
  return r;
}

/// (JSON, summary, record of the picture).
/// @param csv  the data; none: the scenario names their file
/// @param models  none: those of the scenario
py::tuple compute_fit(const std::string& text, const std::string& name,
                      const std::optional<std::string>& csv, const std::vector<std::string>& models,
                      const py::dict& options, unsigned threads) {
  const scenario::FitRequest request = fit_request_of(text, name, options);
  const bool against_given = options.contains("against");
  std::string json, summary, record;
  interruptible([&](const std::atomic<bool>& stop) {
    std::vector<scenario::PlacedText> asked;
    for (const std::string& m : models) asked.push_back({.text = m, .field = "law", .place = {}});
    const study::fit::MeasuredImpacts data = study::fit::read_impacts(
        request, csv ? scenario::parse_csv(*csv, "data") : scenario::read_csv(request.data),
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
    constexpr std::size_t width = 110;
    json = report::fit_json(report);
    summary = report::fit_summary(report, {.colour = false, .width = width});
    record = report::fit_record(report);
  });
  return py::make_tuple(json, summary, record);
}

}  // namespace

void add_fit(py::module_& m) { m.def("compute_fit", compute_fit); }

}  // namespace carom::python
