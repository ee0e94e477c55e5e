// SPDX-License-Identifier: Apache-2.0
#include "simulate_options.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>

#include "command_line.hpp"

namespace carom::cli {

void add_simulate_options(CLI::App& app, std::function<void(SimulateOptions&)> work) {
  auto* cmd = app.add_subcommand(
      "simulate", "Follow a system through flight, impacts, contact, stick and slip");
  auto o = std::make_shared<SimulateOptions>();
  cmd->add_option(
         "FILE", o->file,
         "Scenario with [motion] (TOML, SI units), - for standard input, or the name of an example")
      ->type_name("")
      ->required();
  cmd->add_option("-o,--out", o->out,
                  "Write trajectory (CSV, HDF5), events and energy (CSV) into this directory while "
                  "computing")
      ->type_name("DIR");
  cmd->add_option("--resume", o->resume, "Continue the run in this directory")->type_name("DIR");
  cmd->add_option("--checkpoint", o->checkpoint,
                  "With --out: computing time between states from which --resume can go on [s]; "
                  "default 2")
      ->type_name("T");
  cmd->add_option("--plot", o->plot,
                  "Draw scenes, and positions, contacts and energy over time, into a .svg, .png or "
                  ".pdf file")
      ->type_name("PICTURE");
  cmd->add_option("--show", o->show,
                  "With --plot: views (scene, path, top, positions, contacts, energy), and "
                  "positions, contacts and bodies by name")
      ->type_name("NAME,...")
      ->delimiter(',');
  cmd->add_option("--at", o->at, "With --plot: scenes at these times [s]")
      ->type_name("T,...")
      ->delimiter(',');
  cmd->add_option(
         "--animate", o->animate,
         "Write an animation: .gif, .mp4 (needs ffmpeg), or in space a .pvd series for ParaView")
      ->type_name("FILE");
  cmd->add_option("--end", o->end, "End time [s]; overrides the file")->type_name("T");
  cmd->add_option("--every", o->interval, "Time between samples [s]; overrides the file")
      ->type_name("DT");
  cmd->add_option("--method", o->method,
                  "events (one after the other), stepping (steps of a given length) or auto; "
                  "overrides the file")
      ->type_name("NAME");
  cmd->add_option("--step", o->step, "Step of stepping [s]; overrides the file")->type_name("H");
  cmd->add_option("--tolerance", o->tolerance,
                  "Relative tolerance of the integration, 1e-14 to 1e-3")
      ->type_name("X");
  add_threads(*cmd, o->threads);
  cmd->add_flag(
      "--json", o->json,
      "Print the whole motion as JSON: samples, both sides of events, forces, final state");
  cmd->add_flag("--csv", o->csv, "Print the trajectory as CSV");
  cmd->add_flag(
      "--full", o->full,
      "Print every event, contact and body, with more digits; without it only the first few and "
      "the largest of many are printed (--json, --csv and --out always have all)");
  cmd->add_flag("--force", o->force, "Let --out overwrite an existing run");
  cmd->add_flag("-q,--quiet", o->quiet, "Print no progress bar, log, summary or notes");
  cmd->footer(
      "Examples:\n"
      "  carom simulate motion/bouncing-ball\n"
      "  carom simulate motion/dice --csv --every 0.01 > dice.csv\n"
      "  carom simulate motion/rocking-block --plot block.svg --animate block.gif\n"
      "  carom simulate motion/domino-row --method stepping --step 5e-4\n"
      "  carom simulate motion/dice --plot dice.svg --show path,scene --at 0,0.2,0.4\n"
      "  carom simulate motion/dice --out dice --animate dice.pvd\n"
      "  carom simulate motion/dice --resume dice --end 3");
  const std::vector<const CLI::Option*> named{
      cmd->get_option("--plot"), cmd->get_option("--out"), cmd->get_option("--resume"),
      cmd->get_option("--animate"), cmd->get_option("--method")};
  cmd->callback([o, named, work = std::move(work)] {
    for (const CLI::Option* option : named) {
      if (option->count() > 0 && option->results().front().empty()) {
        throw InputError(option->get_name(), "must not be empty");
      }
    }
    work(*o);
  });
}

}  // namespace carom::cli
