// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/report/map/csv.hpp>
#include <carom/report/map/hdf5.hpp>
#include <carom/report/map/record.hpp>
#include <carom/report/map/summary.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/map/map.hpp>

#include "command_line.hpp"
#include "examples.hpp"
#include "map_options.hpp"
#include "progress.hpp"

namespace carom::cli {
namespace {

/// The file's [map], with what the command line says in its place. Axes are replaced together.
scenario::MapRequest request_of(const MapOptions& o, const scenario::MapRequest& in_file) {
  scenario::MapRequest r = in_file;
  if (!o.y.empty() && o.x.empty()) throw InputError("--x", "is missing; --y alone draws nothing");
  if (!o.x.empty()) {
    r.x = scenario::parse_axis(o.x, "--x");
    r.y.reset();
  }
  if (!o.y.empty()) r.y = scenario::parse_axis(o.y, "--y");
  if (!o.show.empty()) r.show.clear();
  for (const std::string& name : o.show) {
    r.show.push_back({.text = name, .field = "--show", .place = ""});
  }
  if (!o.laws.empty()) r.laws.clear();
  for (const std::string& name : o.laws) {
    r.laws.push_back({.text = name, .field = "--law", .place = ""});
  }
  if (!o.compare.empty()) r.compare = {.text = o.compare, .field = "--compare", .place = ""};
  if (!o.style.empty()) r.style = {.text = o.style, .field = "--style", .place = ""};
  if (!o.contours.empty()) r.contours = o.contours;
  for (const double value : o.contours) {
    if (!std::isfinite(value)) {
      throw InputError("--contours", "must be finite numbers, got " + shortest(value));
    }
  }
  return r;
}

report::MapStyle style_of(const scenario::PlacedText& style) {
  if (style.text.empty() || style.text == "map") return report::MapStyle::map;
  if (style.text == "surface") return report::MapStyle::surface;
  throw InputError(style.field, "must be map or surface, got '" + style.text + "'", style.place);
}

study::Instructions instructions_of(const std::string& name) {
  using study::Instructions;
  for (const Instructions i :
       {Instructions::best, Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    if (name != study::name(i)) continue;
    if (!study::available(i)) throw InputError("--simd", "this machine has no " + name);
    return i;
  }
  throw InputError("--simd", "must be best, plain, avx2 or avx512, got '" + name + "'");
}

void write_csv(const MapOptions& o, const study::Map& map, const std::atomic<bool>& stop) {
  if (o.csv == "-") {
    report::write_map_csv(map, [&](std::string_view part) {
      interrupt_if(&stop);
      print(std::string(part));
    });
    return;
  }
  report::PendingFile file(o.csv);
  report::write_map_csv(map, [&](std::string_view part) {
    interrupt_if(&stop);
    file.append(part);
  });
  file.keep();
  tell(o.quiet, "wrote " + o.csv);
}

/// Names of files that are none, or one for two.
void check_names(const MapOptions& o) {
  if (o.hdf5 == "-") throw InputError("--hdf5", "must name a file, got '-'");
  if (!o.csv.empty() && o.csv == o.hdf5) {
    throw InputError("--hdf5", "must be another file than that of --csv, got '" + o.csv + "'");
  }
}

void run_map(const MapOptions& o, const std::string& command) {
  check_names(o);
  std::optional<report::PictureFiles> files;
  if (!o.plot.empty()) files = report::picture_files(o.plot, "--plot");
  const study::Instructions instructions = instructions_of(o.simd);
  const std::string name = o.file == "-" ? "<stdin>" : o.file;
  const std::string text = o.file == "-" ? all_of_standard_input() : scenario::read_text(o.file);
  const auto request = request_of(o, scenario::Variation(text, name).map());
  const report::MapStyle style = style_of(request.style);
  if (style == report::MapStyle::surface && !request.y) {
    throw InputError(request.style.field, "a surface needs two axes", request.style.place);
  }

  const StopOnSignal on_signal;
  study::Map map;
  {
    const std::size_t columns = request.x ? request.x->points : 0;
    const std::size_t rows = request.y ? request.y->points : 1;
    ProgressBar bar("carom map", !o.quiet,
                    {.count = static_cast<double>(columns * rows), .unit = "points"});
    map = study::compute_map(text, name, request,
                             {.instructions = instructions,
                              .threads = o.threads,
                              .progress = [&](double share) { bar.show(share); },
                              .stop = &on_signal.stop()});
  }
  map.provenance.version = CAROM_VERSION;
  map.provenance.command = command;
  const std::atomic<bool>& stop = on_signal.stop();
  if (!o.csv.empty()) write_csv(o, map, stop);
  if (!o.hdf5.empty()) {
    interrupt_if(&stop);
    report::write_map_hdf5(map, o.hdf5);
    tell(o.quiet, "wrote " + o.hdf5);
  }
  if (files) {
    interrupt_if(&stop);
    const std::string record = report::map_record(map, style);
    try {
      report::draw(*files, record);
    } catch (const std::runtime_error&) {
      interrupt_if(&stop);  // Python got the signal, too
      throw;
    }
    if (!o.quiet) std::fputs(report::wrote(*files).c_str(), stderr);
  }
  if (o.csv.empty() && o.hdf5.empty() && !files) {
    print(printable_lines(report::map_summary(map, {.colour = false, .width = page_width()})));
  } else if (!o.quiet) {
    for (const std::string& note : map.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  }
}

}  // namespace

void add_map(CLI::App& app, const std::string& command) {
  add_map_options(app, [command](MapOptions& o) {
    o.file = scenario_file(o.file, "map");
    run_map(o, command);
  });
}

}  // namespace carom::cli
