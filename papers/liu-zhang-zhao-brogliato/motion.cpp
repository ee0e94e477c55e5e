// SPDX-License-Identifier: Apache-2.0
// Figs 6 to 8: the gauged point's velocity while the disc slides, sticks, hops and falls.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <papers/engine/pictures.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- words --------------------------------------------------------------------------------------

constexpr const char* slide_stick_slide = "A slip+, A stick, A slip-, A slip+";

/// "0-21.0 ms A slip+; 21.0-116.1 ms A stick; ..."
std::string with_times(const DiscRun& run) {
  std::string text;
  for (const Stretch& s : run.story) {
    if (!text.empty()) text += "; ";
    if (s.what == "line impact") {
      text += fmt::format("{:.1f} ms line impact", 1e3 * s.from);
    } else {
      text += fmt::format("{:.1f}-{:.1f} ms {}", 1e3 * s.from, 1e3 * s.to, s.what);
      if (s.impacts > 0) text += fmt::format(" ({})", s.impacts);
    }
  }
  return text;
}

/// Stretches that `told` leaves out: "A slip- for 0.09 ms"; "none".
std::string brief(const DiscRun& run) {
  std::string text;
  for (const Stretch& s : run.story) {
    if (s.what == "line impact" || s.to - s.from >= 1e-3) continue;
    text +=
        fmt::format("{}{} for {:.2f} ms", text.empty() ? "" : ", ", s.what, 1e3 * (s.to - s.from));
  }
  return text.empty() ? "none" : text;
}

struct NamedRun {
  int number = 0;
  StartFrom from = StartFrom::impact;
  ImpactTime time = ImpactTime::ball;
  DiscRun run{};
};

NamedRun named(int number, StartFrom from, ImpactTime time = ImpactTime::ball) {
  return {number, from, time, run_disc(disc_ball_case(number), from, time)};
}

double milliseconds(double seconds) { return std::round(1e5 * seconds) / 100.; }

Table table_of(const std::vector<NamedRun>& runs) {
  Table t{.caption =
              "What the disc does, from the velocities that the impact leaves as the model is "
              "written and from the printed ones",
          .columns = {"case", "starts from", "T_c", "phase", "from [ms]", "to [ms]", "impacts"},
          .rows = {}};
  for (const NamedRun& r : runs) {
    for (const Stretch& s : r.run.story) {
      t.rows.push_back({{given(fmt::format("{}", r.number)),
                         given(r.from == StartFrom::impact ? "impact" : "Table 4"),
                         given(r.time == ImpactTime::ball ? "eq. 4.1" : "each impact's"),
                         given(s.what), ours(milliseconds(s.from)), ours(milliseconds(s.to)),
                         given(s.impacts > 0 ? fmt::format("{}", s.impacts) : "")}});
    }
  }
  return t;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// How many impacts at single points there are: steps of the curve.
std::size_t steps(const DiscRun& run) {
  std::size_t count = 0;
  for (const Stretch& s : run.story) count += s.impacts;
  return count;
}

// --- pictures -----------------------------------------------------------------------------------

report::Series series_of_run(const DiscRun& run, report::Series s, double until) {
  for (std::size_t i = 0; i < run.time.size() && run.time[i] <= until; ++i) {
    s.x.push_back(run.time[i]);
    s.y.push_back(run.v1[i]);
  }
  return s;
}

report::Series written_style(std::string label) {
  return report::series_of(report::style_of_law("lzb"), std::move(label), 2.4);
}
report::Series printed_style(std::string label) {
  return {.label = std::move(label), .colour = "#303030", .dash = "(8,5)", .width = 1.5};
}

report::Series measured_start(const DiscBallCase& c, std::string label) {
  return {.label = std::move(label),
          .x = {0.},
          .y = {c.measured[0]},
          .colour = "#D55E00",
          .point = 7,
          .point_size = 0.9,
          .kind = report::SeriesKind::points};
}

/// How a stretch is shaded and, where there is room, called.
report::ChartSpan span_of(const Stretch& s, bool after_slip_back) {
  report::ChartSpan span{.from = s.from, .to = s.to, .colour = "#F3F3F3", .label = "slip"};
  if (s.what == "A stick") {
    span.colour = "#DDEBF7";
    span.label = "stick";
  } else if (s.what == "A slip-") {
    span.colour = "#ECE7F2";
    span.label = "slip back";
  } else if (s.what.rfind("impacts", 0) == 0) {
    span.colour = "#FBE9DD";
    span.label = s.what;
  } else if (after_slip_back) {
    span.label = "slip on";
  }
  return span;
}

/// Phases behind the curves.
std::vector<report::ChartSpan> spans_of(const DiscRun& run, double until) {
  constexpr double letters = 62.;  // that a panel is wide
  std::vector<report::ChartSpan> spans;
  bool back = false;
  for (const Stretch& s : run.story) {
    if (s.from >= until || s.to == s.from) continue;
    report::ChartSpan span = span_of(s, back);
    span.to = std::min(s.to, until);
    back = s.what == "A slip-";
    const double room = (span.to - span.from) / until * letters;
    if (static_cast<double>(span.label.size()) > room) span.label.clear();
    spans.push_back(std::move(span));
  }
  return spans;
}

/// One case, from both starts, with the phases of the run from printed velocities.
report::ChartPanel panel_of(int number, std::string title, double until,
                            ImpactTime time = ImpactTime::ball) {
  const DiscBallCase& c = disc_ball_case(number);
  const double interval = until < 0.1 ? 2e-5 : 2e-4;
  const DiscRun written = run_disc(c, StartFrom::impact, time, interval);
  const DiscRun printed = run_disc(c, StartFrom::printed, time, interval);
  report::ChartPanel panel{.title = std::move(title),
                           .x = {.label = "time  [s]", .range = report::Range{0., until}},
                           .y = {.label = "v_1  [m/s]"}};
  panel.series = {series_of_run(written, written_style("as written"), until),
                  series_of_run(printed, printed_style("from Table 4"), until),
                  measured_start(c, "measured start")};
  panel.spans = spans_of(printed, until);
  return panel;
}

report::ChartPanel three_cases() {
  report::ChartPanel panel{.title = "(a) cases 2, 3 and 4",
                           .x = {.label = "time  [s]", .range = report::Range{0., 0.25}},
                           .y = {.label = "v_1  [m/s]"}};
  const std::array<const char*, 3> dashes{"solid", "(16,5)", "(3,4)"};
  for (int n = 2; n <= 4; ++n) {
    const DiscBallCase& c = disc_ball_case(n);
    report::Series s = written_style(fmt::format("case {}, as written", n));
    s.dash = dashes[static_cast<std::size_t>(n - 2)];
    panel.series.push_back(series_of_run(run_disc(c, StartFrom::impact), std::move(s), 1.));
    panel.series.push_back(series_of_run(run_disc(c, StartFrom::printed),
                                         printed_style(n == 4 ? "from Table 4" : ""), 1.));
    panel.series.push_back(measured_start(c, n == 4 ? "measured start" : ""));
  }
  return panel;
}

report::Chart chart(std::string heading, std::vector<report::ChartPanel> panels,
                    std::size_t columns) {
  return {.heading = std::move(heading),
          .subheading =
              "horizontal velocity 4 mm above the ground; shaded: phases of the run from "
              "the printed velocities",
          .panels = std::move(panels),
          .columns = columns,
          .panel_width = 480,
          .panel_height = 320};
}

report::Chart figure6() {
  return chart("The disc after the impact: slip, stick, slip back, slip on",
               {three_cases(), panel_of(5, "(b) case 5", 0.19)}, 2);
}

report::Chart figure7() {
  return chart("The disc after the impact, high blows",
               {panel_of(6, "(a) case 6", 0.21), panel_of(7, "(b) case 7", 0.21)}, 2);
}

report::Chart figure8() {
  return chart(
      "The disc after the impact, blows below the centre",
      {panel_of(8, "(a) case 8", 0.24),
       panel_of(8, "(a) case 8, the beginning, T_c of each impact", 0.03, ImpactTime::local),
       panel_of(9, "(b) case 9", 0.27), panel_of(9, "(b) case 9, the beginning", 0.04)},
      2);
}

// --- parts --------------------------------------------------------------------------------------

Part part6() {
  std::vector<NamedRun> runs;
  bool written = true, printed = true;
  std::string found;
  for (int n = 2; n <= 4; ++n) {
    runs.push_back(named(n, StartFrom::impact));
    written = written && runs.back().run.told() == slide_stick_slide;
    found += fmt::format("{}case {}: {}", found.empty() ? "" : "; ", n, runs.back().run.told());
    runs.push_back(named(n, StartFrom::printed));
    printed = printed && runs.back().run.told() == slide_stick_slide;
  }
  runs.push_back(named(5, StartFrom::impact));
  const DiscRun five_written = runs.back().run;
  runs.push_back(named(5, StartFrom::printed));
  const DiscRun five_printed = runs.back().run;
  double shortest_stick = 1.;
  for (const NamedRun& r : runs) {
    for (const Stretch& s : r.run.story) {
      if (s.what == "A stick") shortest_stick = std::min(shortest_stick, s.to - s.from);
    }
  }
  return {
      .id = "Fig. 6",
      .title = "The gauged point's velocity, cases 2 to 5",
      .text =
          "The motion after the impact, event by event, from two starts: what `lzb` leaves as the "
          "model is written (examples/motion/disc-ball-2 to 5), and the printed numerical "
          "velocities of Table 4 with A at rest. The experiment's curves are not printed as "
          "numbers; what the text says of the figure is compared. Stretches shorter than 1 ms "
          "stand in "
          "the table, and are left out of the sequences below.",
      .tables = {table_of(runs)},
      .statements =
          {{.says =
                "Cases 2, 3 and 4: A slips, sticks for a while, slips back, and turns at once to "
                "slip on",
            .holds = written && printed,
            .found =
                found + fmt::format("; from Table 4 {}", printed ? "the same" : "not the same")},
           {.says = "Case 5: A sticks from the beginning, then slips back, then on",
            .holds = five_written.told() == "A stick, A slip-, A slip+",
            .found = fmt::format("as written {} impacts come first: {}; left out: {}",
                                 steps(five_written), five_written.told(), brief(five_written)),
            .known = "L35"},
           {.says = "The same from the printed velocities",
            .holds = five_printed.told() == "A stick, A slip-, A slip+",
            .found = five_printed.told()},
           {.says = "Stick lasts: it is no passing moment",
            .holds = shortest_stick > 0.03,
            .found = fmt::format("{:.0f} ms or longer in every run", 1e3 * shortest_stick)}},
      .pictures = {chart_picture(
          "liu-zhang-zhao-brogliato-6",
          "Left: three blows above the centre. The point slows down, stays with the ground while A "
          "sticks, goes back, and shoots forward as the disc comes down. Right: case 5, in which A "
          "sticks at once; as the model is written it hops first, a few millionths of a metre "
          "high.",
          figure6)}};
}

Part part7() {
  const std::vector<NamedRun> runs{named(6, StartFrom::impact), named(6, StartFrom::printed),
                                   named(7, StartFrom::impact), named(7, StartFrom::printed)};
  const std::string six = "A slip-, A stick, A slip-, A slip+";
  const DiscRun& seven = runs[2].run;
  const DiscRun& seven_printed = runs[3].run;
  return {
      .id = "Fig. 7",
      .title = "The gauged point's velocity, cases 6 and 7",
      .text =
          "As Fig. 6. From the printed velocities of case 7 with the rise of the mass centre that "
          "the variant gives, since it is not printed. The hops of both cases end in slip back of "
          "less "
          "than 1 ms before A sticks, which the sequences below leave out.",
      .tables = {table_of(runs)},
      .statements = {{.says = "Case 6: slip back, stick, slip back, slip on",
                      .holds = runs[0].run.told() == six,
                      .found =
                          fmt::format("as written {} impacts at A take the place of the first "
                                      "slip: {}; left out: {}",
                                      steps(runs[0].run), runs[0].run.told(), brief(runs[0].run)),
                      .known = "L33"},
                     {.says = "The same from the printed velocities",
                      .holds = runs[1].run.told() == six,
                      .found = runs[1].run.told()},
                     {.says =
                          "Case 7: a sequence of impacts at A, seen as steps, that ends in stick; "
                          "then as in the other cases",
                      .holds = seven.told() == "impacts at A, A stick, A slip-, A slip+" &&
                               seven_printed.told() == "impacts at A, A stick, A slip-, A slip+",
                      .found = fmt::format(
                          "as written {} impacts, from Table 4 {}; then stick, slip "
                          "back, slip on; left out before stick: {} and {}",
                          steps(seven), steps(seven_printed), brief(seven), brief(seven_printed))}},
      .pictures = {chart_picture("liu-zhang-zhao-brogliato-7",
                                 "High blows drive the foot of the disc back. Case 6: from the "
                                 "printed velocities A slides "
                                 "back and stops; as the model is written the velocity climbs in "
                                 "steps, one an impact. Case "
                                 "7 climbs in steps from both starts.",
                                 figure7)}};
}

/// Do impacts at C come first, at A next, and slip on A after them?
bool passes_from_C_to_A(const std::string& told) {
  return told.rfind("impacts at C, impacts at A, A slip", 0) == 0;
}

/// Is slip at A what comes next after the line impact?
bool slips_after_line_impact(const std::string& told) {
  return told.find("line impact, A slip") != std::string::npos;
}

Part part8() {
  const std::vector<NamedRun> runs{named(8, StartFrom::impact),
                                   named(8, StartFrom::printed),
                                   named(8, StartFrom::printed, ImpactTime::local),
                                   named(9, StartFrom::impact),
                                   named(9, StartFrom::printed),
                                   named(9, StartFrom::printed, ImpactTime::local)};
  const auto story = [&](std::size_t k) { return runs[k].run.told(0.); };
  const std::string nine = "impacts at C, C slip+, line impact";
  int similar = 0, lies = 0, all = 0;
  for (int n = 2; n <= 9; ++n) {
    for (const StartFrom from : {StartFrom::impact, StartFrom::printed}) {
      const DiscRun run = run_disc(disc_ball_case(n), from);
      ++all;
      if (ends_with(run.told(), "A stick, A slip-, A slip+")) ++similar;
      if (run.lies) ++lies;
    }
  }
  return {
      .id = "Fig. 8",
      .title = "The gauged point's velocity, cases 8 and 9",
      .text =
          "As Fig. 7. Which duration decides that hops end in contact (eq. 2.37) matters here: "
          "that of the ball's impact (eq. 4.1), or that of each impact of the disc on the ground, "
          "which is about half as long. The sequences of cases 8 and 9 are told with every "
          "stretch, "
          "those of the last two statements without what is shorter than 1 ms.",
      .tables = {table_of(runs)},
      .statements =
          {{.says = "Case 8: the disc leaves the ground, and comes back on C",
            .holds = story(0).rfind("impacts at C", 0) == 0,
            .found = fmt::format("as written C never leaves it: {}", story(0)),
            .known = "L35"},
           {.says = "The same from the printed velocities",
            .holds = story(1).rfind("impacts at C", 0) == 0,
            .found = story(1)},
           {.says = "Case 8: impacts at C pass to impacts at A, and these to slip",
            .holds = passes_from_C_to_A(story(1)),
            .found = fmt::format("from Table 4 with T_c of the ball: {}", story(1)),
            .known = "L18"},
           {.says = "The same with T_c of each impact, if one impact at A may be called several",
            .holds = passes_from_C_to_A(story(2)),
            .found = fmt::format("from Table 4: {}", with_times(runs[2].run))},
           {.says =
                "Case 9: impacts at C end in slip on C, and a line impact brings the disc onto A",
            .holds = story(4).rfind(nine, 0) == 0 && story(5).rfind(nine, 0) == 0,
            .found = fmt::format("from Table 4: {}", story(4))},
           {.says = "Case 9: the line impact is followed by slip at A",
            .holds = slips_after_line_impact(story(3)) || slips_after_line_impact(story(4)) ||
                     slips_after_line_impact(story(5)),
            .found = fmt::format("by impacts at A; from Table 4: {}; with T_c of each impact: {}",
                                 with_times(runs[4].run), with_times(runs[5].run)),
            .known = "L41"},
           {.says =
                "In every case the motion comes to a stick, and goes on in the same way from there",
            .holds = similar == all,
            .found = fmt::format("{} of {} runs of cases 2 to 9 end with stick, slip back, slip on",
                                 similar, all)},
           {.says = "In every case the disc falls on its face in the end",
            .holds = lies == all,
            .found = fmt::format("{} of {} runs do", lies, all)}},
      .pictures = {chart_picture(
          "liu-zhang-zhao-brogliato-8",
          "Blows below the centre tip the disc onto C. From the printed velocities it hops there, "
          "in steps; in case 8 the hops on C pass to one on A when their own duration decides, in "
          "case "
          "9 "
          "they end in slip on C, until the disc stands upright for a moment: a line impact, and "
          "hops on A. As the model is written C does not leave the ground.",
          figure8)}};
}

}  // namespace

std::vector<Part> motion_parts() { return {part6(), part7(), part8()}; }

}  // namespace carom::papers::disc_ball
