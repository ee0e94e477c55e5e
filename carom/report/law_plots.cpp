// SPDX-License-Identifier: Apache-2.0
#include <carom/report/law_plots.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <carom/report/table.hpp>

namespace carom::report {
namespace {

template <class Size>
std::vector<const DrawnLaw*> sorted(const std::vector<DrawnLaw>& laws, const Size& size) {
  std::vector<const DrawnLaw*> order;
  for (const DrawnLaw& law : laws) order.push_back(&law);
  std::stable_sort(order.begin(), order.end(), [&](const DrawnLaw* a, const DrawnLaw* b) {
    return size(*a->style) > size(*b->style);
  });
  return order;
}

std::string no_impact_words(double approach, const std::vector<DrawnLaw>& laws) {
  if (approach > 0.) {
    return fmt::format("No impact: the contact separates at {} m/s", figure(approach));
  }
  for (const DrawnLaw& law : laws) {
    if (law.verdict == Verdict::no_solution) return "No law has a solution";
    if (law.verdict == Verdict::not_converged) return "No answer: not converged";
  }
  return "No impact: the contact rests";
}

}  // namespace

DrawnLaw drawn_law(std::string_view name, const LawStyle& style, Verdict verdict,
                   std::size_t before) {
  return {.name = name,
          .style = &style,
          .verdict = verdict,
          .block = 0,
          .line = before + 1,
          .end = before + 51};
}

std::string law_styles(const std::vector<DrawnLaw>& laws, PictureFormat format) {
  std::string text = fmt::format(R"(
# --- styles: each law's line and point, the same in all pictures; then the diagram's own lines
size = {}
)",
                                 format == PictureFormat::svg ? 0.65 : 1.);
  for (const DrawnLaw& law : laws) {
    const LawStyle& s = *law.style;
    text += fmt::format("set style line {} lc rgb \"{}\" lw {} dt {}   # {}\n", law.line, s.colour,
                        s.width, s.dash, law.name);
    text += fmt::format("set style line {} lc rgb \"{}\" lw 1.6 pt {} ps {}*size   # its end\n",
                        law.end, s.colour, s.point, s.point_size);
  }
  return text;
}

std::string law_plots(const std::vector<DrawnLaw>& laws, std::string_view x, std::string_view y,
                      int marks_column, const std::vector<WayMark>& marks) {
  const auto lines =
      sorted(laws, [](const LawStyle& s) { return s.dash == "solid" ? 1000. + s.width : s.width; });
  const auto ends = sorted(laws, [](const LawStyle& s) { return s.point_size; });
  std::string text;
  for (const DrawnLaw* law : lines) {
    text += fmt::format(", \\\n  data index {} using {}:{} with lines ls {} notitle", law->block, x,
                        y, law->line);
  }
  const auto points = [&](const DrawnLaw& law, int mark, const std::string& style) {
    text += fmt::format(", \\\n  data index {} using {}:(${} == {} ? {} : NaN) with points ls {}",
                        law.block, x, marks_column, mark, y, style);
    text += " notitle";
  };
  for (const WayMark& mark : marks) {
    for (const DrawnLaw* law : lines) points(*law, mark.value, std::to_string(mark.style));
  }
  // Hollow points on white, so that the lines end at them; all the white before all the points,
  // so that none hides another.
  for (const DrawnLaw* law : ends) {
    if (law->style->filled_point == 0) continue;
    points(*law, end_mark,
           fmt::format("{} pt {} lc rgb \"white\"", law->end, law->style->filled_point));
  }
  for (const DrawnLaw* law : ends) points(*law, end_mark, std::to_string(law->end));
  return text;
}

std::string no_impact(double approach, const std::vector<DrawnLaw>& laws) {
  return fmt::format(
      "set label '{}' at graph 0.5,0.5 center front boxed\n"
      "set style textbox opaque border rgb \"#606060\" margins 2,2\n",
      no_impact_words(approach, laws));
}

void KeyColumn::name(std::string_view title) {
  text_ +=
      fmt::format("set label {} at screen {:.4g},{:.4g} left\n", title, left_ + sample + 0.015, y_);
  y_ -= row;
}

void KeyColumn::line(int style, std::string_view title) {
  text_ +=
      fmt::format("set arrow from screen {0:.4g},{2:.4g} to screen {1:.4g},{2:.4g} nohead ls {3}\n",
                  left_, left_ + sample, y_, style);
  name(title);
}

void KeyColumn::arrow(int style, int head, std::string_view title) {
  text_ += fmt::format("set arrow from screen {0:.4g},{2:.4g} to screen {1:.4g},{2:.4g} as {3}\n",
                       left_ + 0.5 * sample, left_ + 0.6 * sample, y_, head);
  line(style, title);
}

void KeyColumn::note(std::string_view title) {
  text_ += fmt::format("set label {} at screen {:.4g},{:.4g} left\n", title, left_, y_);
  y_ -= row;
}

void KeyColumn::point(int style, std::string_view title) {
  text_ += fmt::format("set label '' at screen {:.4g},{:.4g} point ls {}\n", left_ + 0.5 * sample,
                       y_, style);
  name(title);
}

void KeyColumn::law(const DrawnLaw& law) {
  std::string title(law.name);
  if (law.verdict != Verdict::ordinary) {
    title += fmt::format(" ({})", carom::name(law.verdict));
  }
  text_ += fmt::format("set label '' at screen {:.4g},{:.4g} point ls {}\n", left_ + 0.5 * sample,
                       y_, law.end);
  line(static_cast<int>(law.line), gnuplot_text(title));
}

void KeyColumn::area(std::string_view fill, std::string_view border, std::string_view title) {
  text_ += fmt::format(
      "set object rectangle from screen {:.4g},{:.4g} to screen {:.4g},{:.4g} fc rgb {} fs "
      "solid border lc rgb {}\n",
      left_, y_ - 0.008, left_ + sample, y_ + 0.008, fill, border);
  name(title);
}

}  // namespace carom::report
