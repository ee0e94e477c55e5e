// SPDX-License-Identifier: Apache-2.0
#include "fit_options.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>

#include "command_line.hpp"

namespace carom::cli {

void add_fit_options(CLI::App& app, std::function<void(const FitOptions&)> work) {
  auto* cmd = app.add_subcommand("fit", "Fit laws to measured impacts, rank them, and predict");
  auto o = std::make_shared<FitOptions>();
  cmd->add_option("FILE", o->file,
                  "What to fit (TOML with [system] and [fit]), or the name of an example")
      ->type_name("")
      ->required();
  cmd->add_option("-l,--law", o->models,
                  "Fit this law only, or with more parameters: 'moreau + tangential_restitution', "
                  "'poisson + restitution by |x_m|'; repeatable (default: the models of the file, "
                  "or all laws that apply)")
      ->allow_extra_args(false)
      ->type_name("MODEL");
  cmd->add_option("--loss", o->loss, "mean-error, least-squares or huber; replaces the file's")
      ->type_name("LOSS");
  cmd->add_option("--huber", o->huber, "Error at which huber turns from square to linear")
      ->type_name("ERROR");
  cmd->add_option("--folds", o->folds, "Folds of the cross-validation; 0: none")
      ->type_name("N")
      ->check(CLI::Range(0U, 1000U));
  cmd->add_option("--seed", o->seed, "Of the random starts, folds and intervals")->type_name("N");
  cmd->add_option("--against", o->against,
                  "The model that others are compared with (default: the first)")
      ->type_name("MODEL");
  cmd->add_option("--predict", o->predict,
                  "Predict the velocities after the impacts, or the motions, of this file, which "
                  "has the same "
                  "columns (gzipped or not), by the model ranked first; needs --out")
      ->type_name("DATA");
  cmd->add_option("-o,--out", o->out, "Write the predictions there (CSV)")->type_name("FILE");
  cmd->add_option("--save", o->save, "Write the fitted models (TOML)")->type_name("FILE");
  cmd->add_option("--from", o->from, "Take the models of a file of --save, and fit nothing")
      ->type_name("FILE");
  cmd->add_flag("--check", o->check,
                "Are the data sound? Fit nothing; report what no impulse can produce, outliers, "
                "wrong signs, another body, and columns that contradict each other");
  cmd->add_flag("--bounds", o->bounds,
                "Also report the least errors that impulses can reach, and differences of the "
                "models by what slip does");
  cmd->add_option("--intervals", o->intervals,
                  "Also report intervals of the coefficients: covariance, profile (least squares) "
                  "or bootstrap; alone: as suits loss and law")
      ->expected(0, 1)
      ->type_name("METHOD");
  cmd->add_option("--replicas", o->replicas, "Of the bootstrap")
      ->type_name("N")
      ->check(CLI::Range(10U, 1'000'000U))
      ->capture_default_str();
  cmd->add_flag("--errors-before", o->errors_before,
                "Intervals by standard errors of the velocities before and after "
                "(fit.error_before, fit.error_after)");
  cmd->add_flag("--json", o->json, "All results as one line of JSON");
  cmd->add_option("--csv", o->csv, "Write measured, predicted and error of each row")
      ->type_name("FILE");
  cmd->add_option("--plot", o->plot,
                  "Draw predicted against measured velocities and errors, of the model ranked "
                  "first, into a .svg, .png or .pdf file")
      ->type_name("PICTURE");
  add_threads(*cmd, o->threads);
  cmd->add_flag("-q,--quiet", o->quiet, "No progress bar, no messages");
  cmd->footer(
      "Examples:\n"
      "  carom fit fit/ellipse\n"
      "  carom fit fit/ellipse --check\n"
      "  carom fit fit/ellipse --law poisson --loss least-squares --intervals --bounds\n"
      "  carom fit fit/ellipse --law poisson --law moreau --plot ellipse.svg\n"
      "  carom fit fit/tosses --predict new.csv.gz --out predictions.csv\n"
      "  carom fit fit/square --law poisson --predict new.csv --out predictions.csv");
  cmd->callback([cmd, o, work = std::move(work)] {
    if (o->predict.empty() != o->out.empty()) {
      throw InputError(
          o->predict.empty() ? "--out" : "--predict",
          o->predict.empty() ? "needs --predict DATA.csv" : "needs --out PREDICTIONS.csv");
    }
    if (!o->from.empty() && !o->save.empty()) throw InputError("--save", "goes without --from");
    o->wants_intervals = o->wants_intervals || cmd->count("--intervals") > 0;
    if (o->check && (o->bounds || o->wants_intervals || o->json || !o->predict.empty() ||
                     !o->save.empty() || !o->plot.empty())) {
      throw InputError("--check", "fits nothing, and goes without options of a fit");
    }
    if (o->json && (o->bounds || o->wants_intervals)) {
      throw InputError("--json", "goes without --bounds and --intervals, which are for people");
    }
    if (o->errors_before && !o->wants_intervals) {
      throw InputError("--errors-before", "needs --intervals");
    }
    work(*o);
  });
}

}  // namespace carom::cli
