// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_frame.hpp>

#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/map_words.hpp>

namespace carom::report {
namespace {

/// A picture has at most this many pixels for each of its frame's: those of a PNG.
constexpr double fineness = 2.;

std::string terminal(PictureFormat format, double width, double height) {
  switch (format) {
    case PictureFormat::svg:
      return fmt::format(
          "svg size {:.0f},{:.0f} enhanced font \"Helvetica,13\" background \"white\"", width,
          height);
    case PictureFormat::png:
      return fmt::format(
          "pngcairo size {:.0f},{:.0f} enhanced font \"Helvetica,13\" fontscale 1.5 linewidth 2 "
          "dashlength 1.6 background \"white\"",
          2. * width, 2. * height);
    case PictureFormat::pdf:
      return fmt::format(
          "pdfcairo size {:.3f}in,{:.3f}in enhanced font \"Helvetica,13\" fontscale 0.56 "
          "linewidth 1.5 dashlength 1.6 background \"white\"",
          width / 96., height / 96.);
  }
  return "";
}

/// Six digits are enough for pictures.
void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += MapData::undefined;
    return;
  }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 value == 0. ? 0. : value, std::chars_format::general, 6)
                       .ptr;
  out.append(digits.data(), end);
}

/// Ticks of angles: what people divide a circle by.
double degrees_distance(double size, int most) {
  for (const double round : {1., 2., 5., 10., 15., 30., 45., 90., 180.}) {
    if (size / round <= most) return round;
  }
  return 360.;
}

std::vector<double> degree_values(const Range& range, int most) {
  const double distance = degrees_distance(range.size(), most);
  std::vector<double> all;
  for (double k = std::ceil(range.least / distance - 1e-9);
       k <= std::floor(range.most / distance + 1e-9); ++k) {
    all.push_back(k * distance);
  }
  return all;
}

/// Powers of ten; with 2 and 5 where there are few of them; round values where there are none.
std::vector<double> log_values(const Range& range, int most) {
  const double decades = range.size();
  const double every = std::max(1., std::ceil(decades / most));
  std::vector<double> all;
  for (double power = std::floor(range.least); power <= std::ceil(range.most); ++power) {
    if (std::fmod(power, every) != 0.) continue;
    for (const double factor : {1., 2., 5.}) {
      if (factor > 1. && 3. * decades > most) continue;
      const double value = factor * std::pow(10., power);
      const double at = std::log10(value);
      if (at >= range.least - 1e-9 && at <= range.most + 1e-9) all.push_back(value);
    }
  }
  if (all.size() >= 2) return all;
  return round_values({.least = std::pow(10., range.least), .most = std::pow(10., range.most)},
                      most);
}

}  // namespace

Box text_box(std::string_view text, const Spot& centre, double size) {
  const double half = 0.5 * (0.58 * static_cast<double>(letters(text)) * size + 2.);
  return {.left = centre.x - half,
          .bottom = centre.y - 0.6 * size,
          .right = centre.x + half,
          .top = centre.y + 0.6 * size};
}

std::optional<Range> shares_inside(const Spot& a, const Spot& b, const Box& box) {
  Range part{.least = 0., .most = 1.};
  const auto narrow = [&](double start, double along, double least, double most) {
    if (along == 0.) return start >= least && start <= most;
    const double s = (least - start) / along;
    const double t = (most - start) / along;
    part.least = std::max(part.least, std::min(s, t));
    part.most = std::min(part.most, std::max(s, t));
    return part.least <= part.most;  // false for NaN, too
  };
  if (!narrow(a.x, b.x - a.x, box.left, box.right)) return std::nullopt;
  if (!narrow(a.y, b.y - a.y, box.bottom, box.top)) return std::nullopt;
  return part;
}

bool touches(const Polyline& line, const Box& box) {
  for (std::size_t k = 1; k < line.size(); ++k) {
    if (shares_inside(line[k - 1], line[k], box)) return true;
  }
  return line.size() == 1 && box.holds(line[0]);
}

double Scale::drawn(double value) const { return log ? std::log10(value) : value; }

Scale scale_of(const study::Axis& axis) {
  Scale s;
  s.samples = axis.values.size();
  // Logarithms only of what has them.
  s.log = axis.log && axis.values.front() > 0. && axis.values.back() > 0.;
  s.first = s.drawn(axis.values.front());
  s.last = s.drawn(axis.values.back());
  if (s.first == s.last) {
    const double half = s.first == 0. ? 0.5 : 0.05 * std::abs(s.first);
    s.first -= half;
    s.last += half;
  }
  return s;
}

std::vector<double> round_values(const Range& range, int most) {
  std::vector<double> all;
  if (!(range.size() > 0.) || !std::isfinite(range.size())) return all;
  const double distance = tick_distance(range, 1., most);
  const double begin = std::ceil(range.least / distance - 1e-9);
  const double end = std::floor(range.most / distance + 1e-9);
  for (double k = begin; k <= end && all.size() < 100; ++k) {
    all.push_back(k == 0. ? 0. : k * distance);
  }
  return all;
}

std::vector<Tick> ticks_of(const study::Axis& axis, int most) {
  const Scale s = scale_of(axis);
  const Range range{.least = std::min(s.first, s.last), .most = std::max(s.first, s.last)};
  const auto values = s.log                ? log_values(range, most)
                      : axis.unit == "deg" ? degree_values(range, most)
                                           : round_values(range, most);
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({.at = s.drawn(value), .text = pretty(value)});
  return ticks;
}

std::vector<Tick> ticks_of(const Range& range, int most) {
  std::vector<Tick> ticks;
  for (const double value : round_values(range, std::max(2, most))) {
    ticks.push_back({.at = value, .text = pretty(value)});
  }
  return ticks;
}

std::string ticks_script(std::string_view axis, const std::vector<Tick>& ticks, bool labelled) {
  std::string text;
  for (const Tick& tick : ticks) {
    text +=
        fmt::format("{}'{}' {:.10g}", text.empty() ? "" : ", ", labelled ? tick.text : "", tick.at);
  }
  return fmt::format("set {}tics ({})\n", axis, text);
}

double width_of(const std::vector<Tick>& ticks) {
  double widest = 0.;
  for (const Tick& tick : ticks) widest = std::max(widest, text_box(tick.text, {}).width());
  return widest;
}

std::string range_script(char axis, const Scale& scale) {
  return fmt::format("set {}range [{:.10g}:{:.10g}]\n", axis, scale.first, scale.last);
}

std::string words_below(const std::string& words, const Box& panel, double page_width,
                        double page_height) {
  return fmt::format("set label {} at screen {}, screen {} center\n", typeset(words),
                     share_text(0.5 * (panel.left + panel.right), page_width),
                     share_text(panel.bottom - 42., page_height));
}

std::string words_left(const std::string& words, const Box& panel, double ticks_width,
                       double page_width, double page_height) {
  return fmt::format("set label {} at screen {}, screen {} center rotate by 90\n", typeset(words),
                     share_text(panel.left - ticks_width - 28., page_width),
                     share_text(0.5 * (panel.bottom + panel.top), page_height));
}

std::vector<std::size_t> raster(std::size_t samples, double pixels) {
  const auto most = static_cast<std::size_t>(fineness * pixels);
  const auto wanted = static_cast<std::size_t>(0.65 * fineness * pixels);
  const std::size_t cells = std::max<std::size_t>(samples, 2) - 1;
  // An even number of pixels a cell puts its edges between pixels.
  std::size_t each = 2;
  while (each * cells < wanted) each += 2;
  const std::size_t size = std::min(each * cells, std::max<std::size_t>(most, 2));
  std::vector<std::size_t> chosen(size);
  for (std::size_t p = 0; p < size; ++p) {
    const double at = (static_cast<double>(p) + 0.5) / static_cast<double>(size) *
                      static_cast<double>(samples - 1);
    chosen[p] = static_cast<std::size_t>(std::lround(at));
  }
  return chosen;
}

std::vector<std::size_t> thinned(std::size_t samples, std::size_t most) {
  const std::size_t size = std::min(samples, most);
  std::vector<std::size_t> chosen(size);
  for (std::size_t p = 1; p < size; ++p) {
    chosen[p] = (p * (samples - 1) + (size - 1) / 2) / (size - 1);
  }
  return chosen;
}

MapData::MapData(const study::Map& map, std::size_t matrices) : expected_(matrices) {
  const study::Provenance& from = map.provenance;
  if (!from.command.empty()) head_ += comment("made by " + from.command);
  if (!from.scenario_name.empty()) head_ += comment("scenario " + from.scenario_name);
  std::istringstream scenario(from.scenario_text);
  for (std::string line; std::getline(scenario, line);) head_ += comment("  " + line);
}

std::size_t MapData::matrix(std::string_view what, const study::MapLayer& layer,
                            std::size_t columns, const std::vector<std::size_t>& i,
                            const std::vector<std::size_t>& j) {
  matrices_ += comment(fmt::format("block {}: {}", matrix_count_, what));
  std::string row;
  for (std::size_t q = 0; q < j.size(); ++q) {
    // Rows of a coarse map repeat themselves.
    if (q == 0 || j[q] != j[q - 1]) {
      row.clear();
      for (const std::size_t column : i) {
        append_number(row, layer.values[j[q] * columns + column]);
        row += ' ';
      }
      row.back() = '\n';
    }
    matrices_ += row;
  }
  matrices_ += "\n\n";
  return matrix_count_++;
}

std::size_t MapData::lines(std::string_view what, const std::vector<std::vector<Point>>& lines) {
  const std::size_t block = expected_ + line_count_++;
  lines_ += comment(fmt::format("block {}: {}", block, what));
  for (const std::vector<Point>& line : lines) {
    for (const Point& p : line) {
      append_number(lines_, p[0]);
      lines_ += ' ';
      append_number(lines_, p[1]);
      lines_ += '\n';
    }
    lines_ += '\n';
  }
  lines_ += lines.empty() ? "\n\n" : "\n";
  return block;
}

std::size_t MapData::table(std::string_view what, const std::vector<std::vector<double>>& rows) {
  const std::size_t block = expected_ + line_count_++;
  lines_ += comment(fmt::format("block {}: {}", block, what));
  for (const std::vector<double>& row : rows) {
    for (const double value : row) {
      append_number(lines_, value);
      lines_ += ' ';
    }
    lines_.back() = '\n';
  }
  lines_ += "\n\n";
  return block;
}

std::string MapData::take() {
  std::string whole = head_ + matrices_ + lines_;
  while (whole.ends_with("\n\n")) whole.pop_back();
  return whole;
}

std::string typeset(std::string_view text) {
  std::string quoted = gnuplot_text(text);
  const auto letter = [&](std::size_t at) {
    const auto c = static_cast<unsigned char>(quoted[at]);
    return std::isalnum(c) != 0 || c >= 0x80;
  };
  // Where the symbol before "_" begins, if it is one letter.
  const auto symbol = [&](std::size_t end) {
    std::size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(quoted[start]) & 0xC0U) == 0x80U) --start;
    return letter(start) && std::isdigit(static_cast<unsigned char>(quoted[start])) == 0 &&
           (start == 0 || std::isalnum(static_cast<unsigned char>(quoted[start - 1])) == 0);
  };
  for (std::size_t at = quoted.find("\\_"); at != std::string::npos;
       at = quoted.find("\\_", at + 1)) {
    const bool index = std::isalnum(static_cast<unsigned char>(quoted[at + 2])) != 0 &&
                       std::isalnum(static_cast<unsigned char>(quoted[at + 3])) == 0;
    if (index && at > 1 && symbol(at)) quoted.erase(at, 1);
  }
  return quoted;
}

std::string comment(std::string_view text) {
  std::string out = "# ";
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  // gnuplot goes on with the next line after a backslash, even in a comment.
  if (out.back() == '\\') out += ' ';
  return out + "\n";
}

std::string script_head(const study::Map& map, const PictureFiles& files, double width,
                        double height) {
  std::string text =
      comment("A map, made by " +
              (map.provenance.command.empty() ? std::string("carom map") : map.provenance.command));
  if (!map.provenance.version.empty()) text += comment("Carom " + map.provenance.version);
  text += fmt::format(
      R"(# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] {{ if (ARG0[i:i] eq "/") {{ here = ARG0[1:i] }} }}
data = here.{}
if (!exists("picture")) picture = here.{}

set encoding utf8
set minussign
set terminal {}
set output picture
nowhere = {}   # stands in the data where there is no value
known(z) = z < nowhere ? z : NaN
)",
      gnuplot_file(files.data.filename()), gnuplot_file(files.picture.filename()),
      terminal(files.format, width, height), MapData::undefined);
  return text;
}

std::string share_text(double part, double whole) { return fmt::format("{:.6g}", part / whole); }

std::string margins(const Box& panel, double page_width, double page_height) {
  return fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\n"
      "set tmargin at screen {}\n",
      share_text(panel.left, page_width), share_text(panel.right, page_width),
      share_text(panel.bottom, page_height), share_text(panel.top, page_height));
}

}  // namespace carom::report
