// SPDX-License-Identifier: Apache-2.0
#include <carom/report/plot_script.hpp>

#include <fmt/format.h>

#include <carom/core/error.hpp>

namespace carom::report {
namespace {

std::string plain_terminal(PictureFormat format, const Canvas& canvas) {
  switch (format) {
    case PictureFormat::svg:
      return fmt::format("svg size {},{} enhanced font \"Helvetica,13\" background \"white\"",
                         canvas.width, canvas.height);
    case PictureFormat::png:
      return fmt::format(
          "pngcairo size {},{} enhanced font \"Helvetica,13\" fontscale 1.5 linewidth 2 "
          "pointscale 2.1 dashlength 1.6 background \"white\"",
          2 * canvas.width, 2 * canvas.height);
    case PictureFormat::pdf:
      return fmt::format(
          "pdfcairo size {:.3g}in,{:.3g}in enhanced font \"Helvetica,13\" fontscale 0.56 "
          "linewidth 1.5 pointscale 0.82 dashlength 1.6 background \"white\"",
          canvas.width / 96., canvas.height / 96.);
  }
  return "";
}

std::string terminal(PictureFormat format, const Canvas& canvas) {
  return plain_terminal(format, canvas) + (canvas.rounded ? " rounded" : "");
}

}  // namespace

std::size_t Blocks::begin(std::string_view what, std::string_view columns) {
  if (count_ > 0) text_ += "\n\n";
  text_ += fmt::format("# block {}: {}\n# {}\n", count_, what, columns);
  return count_++;
}

void Blocks::row(std::span<const double> numbers) {
  for (const double x : numbers) {
    if (text_.back() != '\n') text_ += ' ';
    text_ += shortest(x == 0. ? 0. : x);  // no "-0"
  }
  text_ += '\n';
}

std::string plot_head(std::string_view made, const PictureFiles& files, const Canvas& canvas,
                      std::string_view title, std::string_view subheading) {
  return fmt::format(
      R"(# {}
# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] {{ if (ARG0[i:i] eq "/") {{ here = ARG0[1:i] }} }}
data = here.{}
if (!exists("picture")) picture = here.{}

set encoding utf8
set minussign
set terminal {}
set output picture

# --- texts
heading = {}
subheading = '{}'
)",
      made, gnuplot_file(files.data.filename()), gnuplot_file(files.picture.filename()),
      terminal(files.format, canvas), gnuplot_text(title), subheading);
}

std::string plot_head(std::string_view what, const PictureFiles& files, const Canvas& canvas,
                      const scenario::Scenario& scenario, std::string_view subheading) {
  const std::string title = scenario.title.empty()
                                ? std::filesystem::path(scenario.name).filename().string()
                                : scenario.title;
  return plot_head(
      fmt::format("{} of one impact, made by `carom solve FILE --plot PICTURE`.", what), files,
      canvas, title, subheading);
}

}  // namespace carom::report
