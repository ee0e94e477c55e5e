// SPDX-License-Identifier: Apache-2.0
#include "map_options.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/study/quantity.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

std::string quantity_list() {
  std::string list;
  for (const study::Quantity& q : study::quantities()) {
    if (q.get != nullptr) list += fmt::format("\n  {:<29}{}", q.name, q.meaning);
  }
  return list;
}

}  // namespace

void add_map_options(CLI::App& app, std::function<void(MapOptions&)> work) {
  auto* cmd =
      app.add_subcommand("map", "Vary one or two numbers of a scenario: regions, colours, curves");
  auto o = std::make_shared<MapOptions>();
  cmd->add_option("FILE", o->file,
                  "Scenario (TOML, SI units), - for standard input, or the name of an example; its "
                  "[map] says what to vary and show")
      ->type_name("")
      ->required();
  cmd->add_option("--x", o->x,
                  "What varies along x: PATH=FROM:TO[:POINTS[:log]], with PATH a number of the "
                  "scenario (system.angle_deg, surface.friction, system.velocity[0]) or "
                  "approach_ratio, slip_ratio, incidence_deg; replaces both axes of the file")
      ->type_name("AXIS");
  cmd->add_option("--y", o->y, "The same along y; without it, curves along x")->type_name("AXIS");
  cmd->add_option("-s,--show", o->show, "What to show, comma-separated; see below (default: mode)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  cmd->add_option("-l,--law", o->laws, "Use these laws (default: all that apply)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  cmd->add_option("--compare", o->compare,
                  "For two laws: show their difference or ratio instead of both")
      ->type_name("HOW");
  cmd->add_option("--contours", o->contours, "Draw contour lines at these values, comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("VALUE");
  cmd->add_option("--style", o->style, "map, or surface (in perspective)")->type_name("STYLE");
  cmd->add_option("--plot", o->plot,
                  "Draw the map into a .svg, .png or .pdf file; its record (.json) and a script "
                  "(.py) that draws it are written next to it")
      ->type_name("PICTURE");
  cmd->add_option("--csv", o->csv, "Write a row for each cell (- for standard output)")
      ->type_name("FILE");
  cmd->add_option("--hdf5", o->hdf5, "Write grid, units, boundaries, scenario and command")
      ->type_name("FILE");
  add_threads(*cmd, o->threads);
  cmd->add_option("--simd", o->simd,
                  "Instruction set: best, plain, avx2 or avx512; results are the same")
      ->type_name("SET");
  cmd->add_flag("-q,--quiet", o->quiet, "No progress bar, no messages");
  cmd->footer("What to show:" + quantity_list() +
              "\n\nExamples:\n"
              "  carom map maps/sun-baruh-3 --plot modes.svg\n"
              "  carom map bar --x surface.friction=0:1 --y system.angle_deg=91:179 "
              "--law energetic\n"
              "  carom map bar --x surface.friction=0:1 --show energy --plot e.png\n"
              "  carom map bar --x approach_ratio=-2:2 --y system.angle_deg=1:179 "
              "--law newton,energetic --show parting --contours 10 --plot parting.svg");
  const std::vector<const CLI::Option*> named{cmd->get_option("--plot"), cmd->get_option("--csv"),
                                              cmd->get_option("--hdf5")};
  cmd->callback([o, named, work = std::move(work)] {
    for (const CLI::Option* option : named) {
      if (option->count() > 0 && option->results().front().empty()) {
        throw InputError(option->get_name(), "must name a file, got ''");
      }
    }
    work(*o);
  });
}

}  // namespace carom::cli
