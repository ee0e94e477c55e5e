// SPDX-License-Identifier: Apache-2.0
#include "sweep_options.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

void add_files(CLI::App& cmd, SweepFiles& files) {
  cmd.add_option("-o,--out", files.out,
                 "Write rows, statistics, units and the scenario into this HDF5 file; finished "
                 "blocks are kept beside it in FILE.part until it is written")
      ->type_name("FILE");
  cmd.add_option("--csv", files.csv,
                 "Write a row for each point, or with --keep statistics a row for each statistic "
                 "(- for standard output)")
      ->type_name("FILE");
  cmd.add_option("--plot", files.plot,
                 "Draw histograms, or curves of a grid, and the indices, into a .svg, .png or .pdf "
                 "file")
      ->type_name("PICTURE");
  cmd.add_flag("--json", files.json, "Print the results as JSON instead of a table");
  cmd.add_flag("--force", files.force, "Begin anew where a sweep was begun");
  cmd.add_flag("-q,--quiet", files.quiet, "No progress bar, no messages");
}

void refuse_no_names(const CLI::App& cmd) {
  for (const char* name : {"--out", "--csv", "--plot"}) {
    const CLI::Option* option = cmd.get_option(name);
    if (option->count() > 0 && option->results().front().empty()) {
      throw InputError(name, "must name a file, got ''");
    }
  }
}

void add_sweep(CLI::App& app, std::function<void(const SweepOptions&)> work) {
  auto* cmd = app.add_subcommand(
      "sweep", "Vary any numbers of a scenario, or draw them at random: statistics, what matters");
  auto o = std::make_shared<SweepOptions>();
  cmd->add_option("FILE", o->file,
                  "Scenario (TOML, SI units), - for standard input, or the name of an example; its "
                  "[sweep] says what to vary and show")
      ->type_name("")
      ->required();
  cmd->add_option("-v,--vary", o->vary,
                  "What varies; may be repeated, and takes the place of the file's axis of that "
                  "path. PATH=FROM:TO[:POINTS][:log], PATH=VALUE,VALUE,... (one value: fixed), "
                  "PATH=uniform:LOW:HIGH, PATH=normal:MEAN:DEVIATION[:LOW:HIGH], or "
                  "PATH=log-normal:MEAN:DEVIATION[:LOW:HIGH]")
      ->allow_extra_args(false)
      ->type_name("AXIS");
  cmd->add_option("-s,--show", o->show,
                  "Results, comma-separated: quantities as 'carom map --help' lists them; of a "
                  "motion ending, end_time, events, impacts, kinetic, potential, energy, "
                  "energy_lost, positions and velocities by name, and at events as NAME@EVENT")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  cmd->add_option("-l,--law", o->laws, "Laws, comma-separated (default: the file's, or all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LAW");
  cmd->add_option("--method", o->method,
                  "grid (every combination), sobol (a quasi-random sequence, shifted by the seed) "
                  "or random")
      ->type_name("NAME");
  cmd->add_option("-n,--samples", o->samples, "Points of sobol and random")->type_name("N");
  cmd->add_option("--seed", o->seed, "Of sobol and random (default: 1)")->type_name("N");
  cmd->add_flag("-i,--indices", o->indices,
                "Sobol' indices, which say which input matters; each sample takes (inputs + 2) "
                "impacts");
  cmd->add_option("--quantiles", o->quantiles, "Probabilities, comma-separated")
      ->delimiter(',')
      ->type_name("P");
  cmd->add_option("--bins", o->bins, "Bins of histograms (default: 40)")->type_name("N");
  cmd->add_option("--keep", o->keep, "rows or statistics (default: rows up to a million)")
      ->type_name("WHAT");
  cmd->add_option("--shard", o->shard,
                  "Compute only part I of N, on this machine; --out names a file for carom merge")
      ->type_name("I/N");
  cmd->add_flag("--resume", o->resume, "Go on with the sweep that --out began, or begin it");
  CLI::Option* threads = nullptr;
  add_threads(*cmd, o->threads);
  threads = cmd->get_option("--threads");
  add_files(*cmd, o->files);
  cmd->footer(
      "The result does not depend on threads, ranks, parts or interruptions. A build with\n"
      "-DCAROM_MPI=ON also runs as 'mpirun -n 8 carom sweep FILE ...'.\n\n"
      "Examples:\n"
      "  carom sweep bar --vary surface.friction=normal:0.3:0.05:0:1 --law poisson\n"
      "  carom sweep sweep/bar-rebound --indices --plot which.svg\n"
      "  carom sweep bar --vary surface.friction=0:1:21 --vary system.angle_deg=20:80:7 "
      "--csv grid.csv\n"
      "  carom sweep sweep/crash --samples 1e6 --out crash.h5 --resume\n"
      "  carom sweep sweep/crash --shard 2/3 --out crash.2.part");
  cmd->callback([cmd, o, threads, work = std::move(work)] {
    refuse_no_names(*cmd);
    o->threads_given = threads->count() > 0;
    work(*o);
  });
}

void add_merge(CLI::App& app, std::function<void(const MergeOptions&)> work) {
  auto* cmd = app.add_subcommand("merge", "Put together the parts of a sweep made with --shard");
  auto o = std::make_shared<MergeOptions>();
  cmd->add_option("FILE", o->parts, "Parts, in any order")->type_name("")->required();
  add_files(*cmd, o->files);
  cmd->footer(
      "The parts say which scenario they are of. The result is that of one run, byte for byte.\n\n"
      "Examples:\n"
      "  carom merge crash.1.part crash.2.part crash.3.part --out crash.h5\n"
      "  carom merge crash.*.part --plot crash.svg");
  cmd->callback([cmd, o, work = std::move(work)] {
    refuse_no_names(*cmd);
    work(*o);
  });
}

}  // namespace

void add_sweep_options(CLI::App& app, std::function<void(const SweepOptions&)> sweep,
                       std::function<void(const MergeOptions&)> merge) {
  add_sweep(app, std::move(sweep));
  add_merge(app, std::move(merge));
}

}  // namespace carom::cli
