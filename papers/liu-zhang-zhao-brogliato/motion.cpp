// SPDX-License-Identifier: Apache-2.0
// Figs 6 to 8: the gauged point's velocity while the disc slides, sticks, hops and falls.
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

#include <map>
#include <mutex>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

using motion::EventKind;

/// Samples, and events as stretches.
class RunRecorder final : public motion::Recorder {
 public:
  RunRecorder(const Model& model, DiscRun& run)
      : model_(model), status_(model.contacts()), run_(run) {}

  void event(const motion::Event& e) override {
    run_.events.push_back(e);
    auto& story = run_.story;
    const bool impact = e.kind == EventKind::impact || e.kind == EventKind::impact_to_contact ||
                        e.kind == EventKind::accumulation;
    const bool several = e.contacts.size() > 1;
    if (impact && !several && !story.empty())
      struck(model_.contact_name(model_.contact_id(e.contacts.front())));
    if (!story.empty()) story.back().to = e.time;
    if (e.kind == EventKind::end) return;
    for (std::size_t k = 0; k < e.contacts.size(); ++k) status_[e.contacts[k]] = e.to[k];
    if (impact && several) begin("line impact", e.time);
    if (const std::string now = in_contact(); !now.empty()) {
      begin(now, e.time);
    } else if (story.empty() || !story.back().what.starts_with("impacts")) {
      begin("flight", e.time);
    }
  }

  void sample(const motion::Sample& s) override {
    const double v = s.state.u(0), z = s.state.q(1), spin = s.state.u(2);
    run_.samples.push_back({.time = s.state.time,
                            .v1 = v + (z - gauge) * spin,  // eq. 3.2
                            .v2 = v + (z - second_gauge) * spin,
                            .slip = s.velocity[1],
                            .theta = s.state.q(2),
                            .spin = spin,
                            .ratio = s.force[0] > 0. ? s.force[1] / s.force[0]
                                                     : std::numeric_limits<double>::quiet_NaN()});
  }

 private:
  void begin(const std::string& what, double time) {
    run_.story.push_back({.what = what, .from = time, .to = time});
  }

  /// The flight that an impact ends takes its name from where it strikes.
  void struck(const std::string& point) {
    const std::string name = "impacts at " + point;
    Stretch& last = run_.story.back();
    if (last.what == "flight") last.what = name;
    if (!last.what.starts_with("impacts")) return;
    if (last.what != name) begin(name, last.to);
    ++run_.story.back().impacts;
  }

  [[nodiscard]] std::string in_contact() const {
    for (std::size_t i = 0; i < status_.size(); ++i) {
      if (status_[i].touch == motion::Touch::open) continue;
      return model_.contact_name(model_.contact_id(i)) + " " + motion::name(status_[i], 2);
    }
    return {};
  }

  const Model& model_;
  std::vector<motion::ContactStatus> status_;
  DiscRun& run_;
};

DiscRun follow(const Model& model, const std::vector<Surface>& surfaces,
               const motion::Options& options, const State& from) {
  DiscRun run;
  RunRecorder recorder(model, run);
  const auto summary = motion::simulate(model, surfaces, options,
                                        motion::start(model, from, surfaces, options), recorder);
  run.lies = summary.ending == motion::Ending::model;
  return run;
}

/// (y', z', theta') by Table 4.
Eigen::Vector3d printed_velocity(const Case& c) {
  const Velocities& p = c.numerical;
  if (c.number > 6) return {p.v2, velocities_by(variant(disc().radius), c).rise, p.spin};
  // Case 5 sticks: its slip is zero and not what rounding of the printed numbers left.
  const double v = c.number == 5 ? -disc().radius * p.spin : p.v2;
  return {v, -disc().half_thickness * p.spin, p.spin};
}

}  // namespace

std::string DiscRun::course(double shortest) const {
  return joined(story, ", ", [&](const Stretch& s) {
    return s.what == "line impact" || s.to - s.from >= shortest ? s.what : "";
  });
}

DiscRun run_disc(int number, From from, Duration duration, double interval) {
  if (from == From::impact) {  // the examples are the model as written
    scenario::MotionScenario s = scenario::parse_motion(
        example(fmt::format("motion/disc-ball-{}", number)), "built-in scenario");
    if (duration == Duration::own) s.options.contact_time = motion::ContactTime::local;
    s.options.sample_interval = interval;
    return follow(*s.model, s.surfaces, s.options, s.start);
  }
  const Case& c = case_of(number);
  motion::Options options;
  options.end_time = 0.6;
  options.sample_interval = interval;
  options.settling = motion::Settling::contact_time;
  if (duration == Duration::ball) {
    options.contact_time = motion::ContactTime::given;
    options.given_contact_time = printed_time_constant() * std::pow(c.velocity, -0.2);
  }
  return follow(disc_model(), std::vector<Surface>(3, c.surfaces[0]), options,
                state_of({0., disc().radius, 0.5 * std::numbers::pi}, printed_velocity(c)));
}

const DiscRun& run_of(int number, From from, Duration duration) {
  static std::mutex guard;
  static std::map<std::tuple<int, From, Duration>, DiscRun> runs;
  const std::lock_guard lock(guard);
  const auto [at, is_new] = runs.try_emplace({number, from, duration});
  if (is_new) at->second = run_disc(number, from, duration, 2e-4);
  return at->second;
}

namespace {

// --- tables --------------------------------------------------------------------------------------

double milliseconds(double seconds) { return std::round(1e5 * seconds) / 100.; }

void add_phases(std::vector<Computed>& table, int number, From from, Duration duration) {
  for (const Stretch& s : run_of(number, from, duration).story) {
    table.push_back({{"case", std::to_string(number)},
                     {"starts from", from == From::impact ? "impact" : "Table 4"},
                     {"T_c", duration == Duration::ball ? "eq. 4.1" : "each impact's"},
                     {"phase", s.what},
                     {"from [ms]", milliseconds(s.from)},
                     {"to [ms]", milliseconds(s.to)},
                     {"impacts", s.impacts > 0 ? std::to_string(s.impacts) : ""}});
  }
}

/// @param own_durations  the runs from Table 4 again, with T_c of each impact
RowsOf phases(int first, int last, bool own_durations = false) {
  return [=] {
    std::vector<Computed> table;
    for (int n = first; n <= last; ++n) {
      add_phases(table, n, From::impact, Duration::ball);
      add_phases(table, n, From::table_4, Duration::ball);
      if (own_durations) add_phases(table, n, From::table_4, Duration::own);
    }
    return table;
  };
}

// --- statements ----------------------------------------------------------------------------------

constexpr const char* stick_and_on = "A stick, A slip-, A slip+";

/// "0.0-21.0 ms A slip+; 21.0-116.1 ms A stick; ..."
std::string with_times(const DiscRun& run) {
  return joined(run.story, "; ", [](const Stretch& s) {
    const bool moment = s.what == "line impact";
    return fmt::format("{:.1f}{} ms {}{}", 1e3 * s.from,
                       moment ? "" : fmt::format("-{:.1f}", 1e3 * s.to), s.what,
                       s.impacts > 0 ? fmt::format(" ({})", s.impacts) : "");
  });
}

/// Stretches that `course` leaves out: "A slip- for 0.09 ms"; "none".
std::string brief(const DiscRun& run) {
  const std::string text = joined(run.story, ", ", [](const Stretch& s) {
    return s.what == "line impact" || s.to - s.from >= 1e-3
               ? ""
               : fmt::format("{} for {:.2f} ms", s.what, 1e3 * (s.to - s.from));
  });
  return text.empty() ? "none" : text;
}

/// How many impacts at single points there are: steps of the curve.
std::size_t steps(const DiscRun& run) {
  std::size_t count = 0;
  for (const Stretch& s : run.story) count += s.impacts;
  return count;
}

/// Is this what the disc does, but for brief stretches?
Check follows(int number, From from, const std::string& sequence) {
  return [=] {
    const DiscRun& run = run_of(number, from);
    return Found{run.course() == sequence,
                 {{"course", run.course()}, {"impacts", steps(run)}, {"brief", brief(run)}}};
  };
}

/// Does it begin like this, with all stretches?
Check begins(int number, From from, Duration duration, const std::string& sequence) {
  return [=] {
    const DiscRun& run = run_of(number, from, duration);
    return Found{run.course(0.).starts_with(sequence),
                 {{"course", run.course(0.)}, {"times", with_times(run)}}};
  };
}

/// What comes after the line impact, with its impacts: "impacts at A (6)".
std::string after_line_impact(const DiscRun& run) {
  for (std::size_t k = 0; k + 1 < run.story.size(); ++k) {
    if (run.story[k].what != "line impact") continue;
    const Stretch& next = run.story[k + 1];
    return next.impacts > 0 ? fmt::format("{} ({})", next.what, next.impacts) : next.what;
  }
  return "none";
}

/// In any run of case 9, or in none of them?
Found nine_slips_on(bool as_printed) {
  const DiscRun &printed = run_of(9, From::table_4), &own = run_of(9, From::table_4, Duration::own);
  const std::array<std::string, 3> next{after_line_impact(run_of(9, From::impact)),
                                        after_line_impact(printed), after_line_impact(own)};
  const auto count = [&](std::string_view what) {
    return std::count_if(next.begin(), next.end(),
                         [&](const std::string& x) { return x.starts_with(what); });
  };
  return {as_printed ? count("A slip") > 0 : count("impacts at A") == 3,
          {{"printed", with_times(printed)},
           {"own", with_times(own)},
           {"next", next[0]},
           {"next_printed", next[1]},
           {"next_own", next[2]}}};
}

Found which_duration() {
  const std::string ball = run_of(8, From::table_4).course(0.);
  const std::string own = run_of(8, From::table_4, Duration::own).course(0.);
  return {own.starts_with("impacts at C, impacts at A, A slip+") &&
              ball.find("impacts at A") == std::string::npos,
          {{"ball", ball}, {"own", own}}};
}

/// In how many runs of cases 2 to 9, from both starts, it is so.
Found in_every_run(bool (*holds)(const DiscRun&)) {
  int count = 0, all = 0;
  for (const Case& c : cases()) {
    for (const From from : {From::impact, From::table_4}) {
      ++all;
      if (holds(run_of(c.number, from))) ++count;
    }
  }
  return {count == all, {{"count", count}, {"all", all}}};
}

// --- pictures ------------------------------------------------------------------------------------

Series with_run(const Series& style, const DiscRun& run, double until = 1.) {
  std::vector<Sample> shown = run.samples;
  std::erase_if(shown, [&](const Sample& s) { return s.time > until; });
  return through(style, shown, &Sample::v1, &Sample::time);
}

Series written_style(std::string label) { return series_of("lzb", std::move(label), 2.4); }
Series printed_style(std::string label) {
  return {.label = std::move(label), .colour = "#303030", .dash = {{8., 5.}}, .width = 1.5};
}

Series measured_start(int number, std::string label) {
  return {.label = std::move(label),
          .x = {0.},
          .y = {case_of(number).measured[0]},
          .colour = "#D55E00",
          .marker = Marker::disc,
          .marker_size = 0.9,
          .kind = SeriesKind::points};
}

/// How a stretch is shaded and, where there is room, called.
ChartSpan span_of(const Stretch& s, bool after_slip_back) {
  if (s.what == "A stick") return {s.from, s.to, "#DDEBF7", "stick"};
  if (s.what == "A slip-") return {s.from, s.to, "#ECE7F2", "slip back"};
  if (s.what.starts_with("impacts")) return {s.from, s.to, "#FBE9DD", s.what};
  return {s.from, s.to, "#F3F3F3", after_slip_back ? "slip on" : "slip"};
}

/// Phases behind the curves.
std::vector<ChartSpan> spans_of(const DiscRun& run, double until) {
  constexpr double letters = 62.;  // that a panel is wide
  std::vector<ChartSpan> spans;
  bool back = false;
  for (const Stretch& s : run.story) {
    if (s.from >= until || s.to == s.from) continue;
    ChartSpan span = span_of(s, back);
    span.to = std::min(s.to, until);
    back = s.what == "A slip-";
    const double room = (span.to - span.from) / until * letters;
    if (static_cast<double>(span.label.size()) > room) span.label.clear();
    spans.push_back(std::move(span));
  }
  return spans;
}

ChartPanel panel_until(std::string title, double until) {
  return {.title = std::move(title),
          .x = {.label = "time  [s]", .range = Range{0., until}},
          .y = {.label = "v_1  [m/s]"}};
}

/// One case, from both starts, with the phases of the run from printed velocities.
ChartPanel panel_of(int number, std::string title, double until,
                    Duration duration = Duration::ball) {
  const double interval = until < 0.1 ? 2e-5 : 2e-4;
  const DiscRun written = run_disc(number, From::impact, duration, interval);
  const DiscRun printed = run_disc(number, From::table_4, duration, interval);
  ChartPanel panel = panel_until(std::move(title), until);
  panel.series = {with_run(written_style("as written"), written, until),
                  with_run(printed_style("from Table 4"), printed, until),
                  measured_start(number, "measured start")};
  panel.spans = spans_of(printed, until);
  return panel;
}

ChartPanel three_cases() {
  ChartPanel panel = panel_until("(a) cases 2, 3 and 4", 0.25);
  const std::array<Dash, 3> dashes{Dash{}, {16., 5.}, {3., 4.}};
  for (int n = 2; n <= 4; ++n) {
    Series s = written_style(fmt::format("case {}, as written", n));
    s.dash = dashes[static_cast<std::size_t>(n - 2)];
    panel.series.push_back(with_run(s, run_of(n, From::impact)));
    panel.series.push_back(
        with_run(printed_style(n == 4 ? "from Table 4" : ""), run_of(n, From::table_4)));
    panel.series.push_back(measured_start(n, n == 4 ? "measured start" : ""));
  }
  return panel;
}

Chart figure(std::string heading, std::vector<ChartPanel> panels) {
  return {.heading = std::move(heading),
          .subheading =
              "horizontal velocity 4 mm above the ground; shaded: phases of the run from "
              "the printed velocities",
          .panels = std::move(panels),
          .columns = 2,
          .panel_width = 480,
          .panel_height = 320};
}

Chart figure_6() {
  return figure("The disc after the impact: slip, stick, slip back, slip on",
                {three_cases(), panel_of(5, "(b) case 5", 0.19)});
}

Chart figure_7() {
  return figure("The disc after the impact, high blows",
                {panel_of(6, "(a) case 6", 0.21), panel_of(7, "(b) case 7", 0.21)});
}

Chart figure_8() {
  return figure("The disc after the impact, blows below the centre",
                {panel_of(8, "(a) case 8", 0.24),
                 panel_of(8, "(a) case 8, the beginning, T_c of each impact", 0.03, Duration::own),
                 panel_of(9, "(b) case 9", 0.27), panel_of(9, "(b) case 9, the beginning", 0.04)});
}

}  // namespace

Computations motions() {
  const std::string six = std::string("A slip-, ") + stick_and_on;
  const std::string from_C_to_A = "impacts at C, impacts at A, A slip";
  const auto sticks_and_goes_on = [](const DiscRun& run) {
    return run.course().ends_with(stick_and_on);
  };
  const auto lies = [](const DiscRun& run) { return run.lies; };
  Computations paper;
  paper.checks["two-to-four"] = []() -> Found {
    const std::string sequence = std::string("A slip+, ") + stick_and_on;
    bool written = true, printed = true;
    std::string list;
    for (int n = 2; n <= 4; ++n) {
      const std::string course = run_of(n, From::impact).course();
      list += fmt::format("{}case {}: {}", list.empty() ? "" : "; ", n, course);
      written = written && course == sequence;
      printed = printed && run_of(n, From::table_4).course() == sequence;
    }
    return {written && printed, {{"list", list}, {"same", printed ? "the same" : "not the same"}}};
  };
  paper.checks["five"] = follows(5, From::impact, stick_and_on);
  paper.checks["five-printed"] = follows(5, From::table_4, stick_and_on);
  paper.checks["stick-lasts"] = []() -> Found {
    double shortest = 1.;
    for (int n = 2; n <= 5; ++n) {
      for (const From from : {From::impact, From::table_4}) {
        for (const Stretch& s : run_of(n, from).story) {
          if (s.what == "A stick") shortest = std::min(shortest, s.to - s.from);
        }
      }
    }
    return {shortest > 0.03, {{"shortest", 1e3 * shortest}}};
  };
  paper.checks["six"] = follows(6, From::impact, six);
  paper.checks["six-printed"] = follows(6, From::table_4, six);
  paper.checks["seven-in-steps"] = []() -> Found {
    const DiscRun &written = run_of(7, From::impact), &printed = run_of(7, From::table_4);
    const std::string sequence = std::string("impacts at A, ") + stick_and_on;
    return {written.course() == sequence && printed.course() == sequence,
            {{"written", steps(written)},
             {"printed", steps(printed)},
             {"brief", brief(written)},
             {"brief_printed", brief(printed)}}};
  };
  paper.checks["eight-on-c"] = begins(8, From::impact, Duration::ball, "impacts at C");
  paper.checks["eight-on-c-printed"] = begins(8, From::table_4, Duration::ball, "impacts at C");
  paper.checks["eight-c-to-a"] = begins(8, From::table_4, Duration::ball, from_C_to_A);
  paper.checks["eight-c-to-a-own"] = begins(8, From::table_4, Duration::own, from_C_to_A);
  paper.checks["nine-onto-a"] = []() -> Found {
    const std::string sequence = "impacts at C, C slip+, line impact";
    const std::string course = run_of(9, From::table_4).course(0.);
    return {course.starts_with(sequence) &&
                run_of(9, From::table_4, Duration::own).course(0.).starts_with(sequence),
            {{"course", course}}};
  };
  paper.checks["nine-slips-on"] = [] { return nine_slips_on(true); };
  paper.checks["all-stick"] = [=] { return in_every_run(sticks_and_goes_on); };
  paper.checks["all-fall"] = [=] { return in_every_run(lies); };
  paper.checks["L18"] = which_duration;
  paper.checks["L37"] = which_duration;
  paper.checks["L41"] = [] { return nine_slips_on(false); };
  paper.tables["fig-6"] = phases(2, 5);
  paper.tables["fig-7"] = phases(6, 7);
  paper.tables["fig-8"] = phases(8, 9, true);
  paper.pictures["liu-zhang-zhao-brogliato-6"] = chart(figure_6);
  paper.pictures["liu-zhang-zhao-brogliato-7"] = chart(figure_7);
  paper.pictures["liu-zhang-zhao-brogliato-8"] = chart(figure_8);
  return paper;
}

}  // namespace carom::papers::disc_ball
