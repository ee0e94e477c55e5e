// SPDX-License-Identifier: Apache-2.0
// The program carom-fit.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/report/fit/files.hpp>
#include <carom/report/fit/statistics.hpp>
#include <carom/report/fit/summary.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/data_set.hpp>
#include <carom/study/fit/ranking.hpp>
#include <carom/study/fit/relations.hpp>
#include <carom/study/fit/soundness.hpp>

#include <apps/cli/command_line.hpp>
#include <apps/cli/examples.hpp>
#include <apps/cli/fit_options.hpp>
#include <apps/cli/progress.hpp>
#include <apps/fit/trajectories.hpp>

namespace carom::cli {
namespace {

using scenario::FitRequest;
using scenario::PlacedText;
using study::fit::FittedModel;
using study::fit::MeasuredImpacts;

/// The file with what the command line replaces.
FitRequest request_of(const FitOptions& o) {
  FitRequest r = scenario::read_fit(scenario_file(o.file, "fit"));
  if (r.only_relations) {
    throw InputError("system", "is missing: there is nothing to fit; --check checks the columns",
                     r.name);
  }
  if (!o.loss.empty()) {
    r.loss = {.text = o.loss, .field = "--loss", .place = {}};
    (void)scenario::find_loss(r.loss);
  }
  if (o.huber) {
    if (!(*o.huber > 0.)) throw InputError("--huber", *o.huber, "> 0");
    r.huber = *o.huber;
  }
  if (scenario::find_loss(r.loss) == scenario::Loss::huber && !(r.huber > 0.)) {
    throw InputError("--huber", "is missing; --loss huber needs it");
  }
  if (o.folds && *o.folds == 1) throw InputError("--folds", "must be 0 or >= 2, got 1");
  if (o.folds) r.folds = *o.folds;
  if (o.seed) r.seed = *o.seed;
  if (!o.against.empty()) r.against = {.text = o.against, .field = "--against", .place = {}};
  return r;
}

std::vector<PlacedText> asked_models(const FitOptions& o) {
  std::vector<PlacedText> all;
  for (const std::string& m : o.models) all.push_back({.text = m, .field = "--law", .place = {}});
  return all;
}

/// Groups of other data by the names of those that were fitted, where a parameter depends on them.
void match_groups(const MeasuredImpacts& fitted, const FittedModel& model, MeasuredImpacts& other) {
  const bool by_group = std::ranges::any_of(model.parameters.coefficients,
                                            [](const auto& c) { return c.constant.size() > 1; });
  if (!by_group) return;
  for (auto& impact : other.impacts) {
    const std::string& name = other.groups[impact.group];
    const auto at = std::ranges::find(fitted.groups, name);
    if (at == fitted.groups.end()) {
      throw InputError("group", "'" + name + "' is not among the groups that were fitted",
                       impact.place);
    }
    impact.group = static_cast<std::size_t>(at - fitted.groups.begin());
  }
}

void predict(const FitOptions& o, const FitRequest& request, const MeasuredImpacts& fitted,
             const std::vector<PlacedText>& columns, const FittedModel& model) {
  MeasuredImpacts other = study::fit::read_impacts(request, scenario::read_csv(o.predict), columns,
                                                   study::fit::Use::predict);
  match_groups(fitted, model, other);
  report::write_whole(o.out, report::predictions_csv(request, other, model));
  tell(o.quiet, fmt::format("wrote {}: {} predictions by {}", o.out, other.impacts.size(),
                            model.model.name));
  if (!other.unreadable.empty()) {
    tell(o.quiet, fmt::format("{} rows cannot be predicted, the first: {}", other.unreadable.size(),
                              other.unreadable.front()));
  }
}

/// Models of a saved result, as if they had been fitted.
study::fit::Ranking saved_ranking(const FitOptions& o, const FitRequest& request,
                                  const MeasuredImpacts& data) {
  study::fit::Ranking ranking;
  ranking.impacts = data.fitted();
  for (const report::SavedModel& saved : report::read_saved_fit(o.from)) {
    if (!o.models.empty() && std::ranges::none_of(o.models, [&](const std::string& m) {
          return saved.name == m || saved.name.starts_with(m + " + ");
        })) {
      continue;
    }
    const PlacedText name{.text = saved.name, .field = "model", .place = o.from};
    auto models = study::fit::models_of(request, {name}, data);
    FittedModel f;
    // A law alone names all models of the file with that law: of these the one meant.
    const auto at = std::ranges::find(models, saved.name, &study::fit::FitModel::name);
    f.model = at == models.end() ? models.front() : *at;
    f.parameters = study::fit::parameters_of(f.model, request, data);
    for (const auto& parameter : f.parameters.list) {
      const auto value = std::ranges::find(saved.parameters, parameter.name,
                                           &std::pair<std::string, double>::first);
      if (value == saved.parameters.end()) {
        throw InputError("model.parameters", "'" + saved.name + "' lacks '" + parameter.name + "'",
                         o.from);
      }
      f.minimum.p.push_back(value->second);
    }
    const std::size_t n = f.parameters.size();
    f.minimum.at_low.assign(n, false);
    f.minimum.at_high.assign(n, false);
    f.minimum.undetermined.assign(n, false);
    const study::fit::Objective objective(data, *f.model.answering, f.parameters);
    f.errors = objective.errors(ranking.impacts, f.minimum.p);
    for (const double e : f.errors) {
      f.minimum.mean_error += e / static_cast<double>(f.errors.size());
    }
    ranking.models.push_back(std::move(f));
  }
  if (ranking.models.empty()) throw InputError("--law", "no such model in " + o.from);
  ranking.reference = ranking.models.front().model.name;
  return ranking;
}

/// Are the data sound?
void check_data(const FitOptions& o) {
  const std::string file = scenario_file(o.file, "fit");
  const study::fit::Relations relations = study::fit::read_relations(file);
  std::string out;
  const auto add = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      // What goes on in the next line is indented.
      const auto parts = report::wrap(line, page_width() - 4);
      for (std::size_t i = 0; i < parts.size(); ++i)
        out += (i > 0 ? "    " : line.starts_with("  ") ? "  " : "") + parts[i] + "\n";
    }
  };
  if (!relations.empty()) {
    for (const auto& check : study::fit::check_relations(relations)) add(words(check));
  }
  if (!relations.alone) {
    const FitRequest request = request_of(o);
    const MeasuredImpacts data = study::fit::read_impacts(
        request, scenario::read_csv(request.data), study::fit::columns_of(request, asked_models(o)),
        study::fit::Use::fit);
    add(words(data, study::fit::check_soundness(data, {.threads = o.threads})));
  }
  print(printable_lines(out));
}

void run_fit(const FitOptions& o) {
  if (o.check) return check_data(o);
  const std::optional<report::PictureFiles> picture =
      o.plot.empty() ? std::nullopt : std::optional(report::picture_files(o.plot, "--plot"));
  const FitRequest request = request_of(o);
  const std::vector<PlacedText> asked = asked_models(o);
  const auto columns = study::fit::columns_of(request, asked);
  const MeasuredImpacts data = study::fit::read_impacts(request, scenario::read_csv(request.data),
                                                        columns, study::fit::Use::fit);
  auto models = study::fit::models_of(request, asked, data);

  // What the file says is meant for its own models; --law may choose others.
  const std::string& against = request.against.text;
  const bool is_there = !o.against.empty() || std::ranges::any_of(models, [&](const auto& m) {
    return m.name == against;
  });
  const StopOnSignal on_signal;
  study::fit::RankingOptions options{.minimise = {.loss = scenario::find_loss(request.loss),
                                                  .huber = request.huber,
                                                  .seed = request.seed,
                                                  .stop = &on_signal.stop()},
                                     .folds = request.folds,
                                     .threads = o.threads,
                                     .against = is_there ? against : ""};
  study::fit::Ranking ranking;
  if (!o.from.empty()) {
    options.folds = 0;
    ranking = saved_ranking(o, request, data);
  } else {
    ProgressBar bar("carom fit", !o.quiet);
    options.progress = [&](double share) { bar.show(share); };
    ranking = study::fit::rank(data, request, std::move(models), options);
  }
  const report::FitReport report{.request = request,
                                 .data = data,
                                 .ranking = ranking,
                                 .options = options.minimise,
                                 .folds = options.folds};
  if (!o.save.empty()) {
    report::write_whole(o.save, report::saved_fit(report, CAROM_VERSION));
    tell(o.quiet, "wrote " + o.save);
  }
  if (!o.csv.empty()) {
    report::write_whole(o.csv, report::residuals_csv(report));
    tell(o.quiet, "wrote " + o.csv);
  }
  if (!o.predict.empty()) predict(o, request, data, columns, ranking.models.front());
  if (picture) {
    report::draw(*picture, report::fit_record(report));
    if (!o.quiet) std::fputs(report::wrote(*picture).c_str(), stderr);
  }
  if (o.json) return print(report::fit_json(report));
  std::string text = report::fit_summary(report, {.colour = false, .width = page_width()});
  if (o.wants_intervals) {
    text += report::fit_intervals(
        report, {.method = report::find_interval_method(o.intervals, "--intervals"),
                 .replicas = o.replicas,
                 .errors_before = o.errors_before,
                 .threads = o.threads});
  }
  if (o.bounds) text += report::fit_bounds(report, o.threads);
  print(printable_lines(text));
}

void add_fit(CLI::App& app, int&) {
  add_fit_options(app, [](const FitOptions& o) {
    if (fits_trajectories(o)) {
      run_trajectories(o);
    } else {
      run_fit(o);
    }
  });
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) { return carom::cli::run_program(argc, argv, carom::cli::add_fit); }
