// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/picture.hpp>
#include <carom/report/sensitivity_report.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/sensitivity.hpp>

#include "command_line.hpp"
#include "examples.hpp"
#include "stream.hpp"

namespace carom::cli {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> laws;
  bool json = false;
  bool csv = false;
  bool stream = false;
  bool sensitivity = false;
  std::string plot;
  std::string against;
  std::optional<double> tolerance;
  std::string over;
  std::size_t euler_steps = 0;
  std::string colour = "auto";
};

bool wants_colour(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

std::vector<const Law*> named_laws(const std::vector<std::string>& names, ContactKind kind) {
  std::vector<const Law*> laws;
  for (const std::string& name : names) laws.push_back(&find_law(name, "--law", kind));
  return laws;
}

/// The options of the command over those of the file; none where it has none.
std::optional<SolveOptions> options_of(const Arguments& o, const scenario::Scenario& scenario) {
  if (!o.tolerance && o.euler_steps == 0) return std::nullopt;
  SolveOptions options = scenario.options;
  if (o.tolerance) options.tolerance = require_tolerance(*o.tolerance, "--tolerance");
  if (o.euler_steps > 0) options.euler_steps = o.euler_steps;
  return options;
}

/// Refuses the picture of a course that none of the laws has.
void require_course(const scenario::Scenario& scenario, const study::Question& question) {
  const auto choice = study::choose_laws(scenario, question.laws);
  if (std::none_of(choice.chosen.begin(), choice.chosen.end(),
                   [](const study::ChosenLaw& c) { return c.law->has_course; })) {
    throw InputError("--plot",
                     scenario.surfaces.has("stiffness")
                         ? "draws the course of the impact, which lzb alone has; ask for lzb"
                         : "draws the course of the impact under lzb, which needs "
                           "surface.stiffness at every contact");
  }
  if (question.options.value_or(scenario.options).euler_steps > 0) {
    throw InputError("--plot",
                     "draws what is integrated adaptively; leave out --euler-steps, in the file "
                     "solve.euler_steps");
  }
}

void draw(const Arguments& o, const scenario::Scenario& scenario,
          const study::Comparison& comparison, const report::PictureFiles& files) {
  const auto has_course = [](const study::Answer& a) { return a.course.samples() > 1; };
  if (report::draws_course(scenario.kind()) &&
      std::none_of(comparison.answers.begin(), comparison.answers.end(), has_course)) {
    throw std::runtime_error("nothing strikes: there is nothing to draw");
  }
  const auto axis = o.over == "impulse" ? report::CourseAxis::impulse : report::CourseAxis::time;
  report::draw(files, report::impact_record(scenario, comparison, axis));
  std::fputs(report::wrote(files).c_str(), stderr);
}

void solve_file(const Arguments& o) {
  std::optional<report::PictureFiles> files;
  if (!o.plot.empty()) files = report::picture_files(o.plot, "--plot");
  for (const std::string& name : o.laws) (void)find_law(name, "--law");
  const auto scenario =
      o.file == "-" ? scenario::parse(all_of_standard_input(), "<stdin>") : scenario::read(o.file);
  const std::vector<const Law*> laws = named_laws(o.laws, scenario.kind());
  const bool course = files && report::draws_course(scenario.kind());
  if (!o.over.empty() && !course) throw InputError("--over", "is for several contacts");
  const study::Question question{
      .laws = laws, .options = options_of(o, scenario), .against = o.against, .course = course};
  if (course) require_course(scenario, question);
  const auto comparison = study::compare_laws(scenario, question);
  std::vector<study::Sensitivity> sensitivities;
  if (o.sensitivity) {
    const SolveOptions options = question.options.value_or(scenario.options);
    for (const auto& a : comparison.answers) {
      sensitivities.push_back(study::sensitivity(*a.law, comparison.problem(), options));
    }
  }
  if (o.json || o.csv) std::fputs(report::comparison_notes(comparison).c_str(), stderr);
  for (const study::Sensitivity& s : sensitivities) {
    if (!o.csv || s.refused.empty()) continue;  // table and JSON have it
    std::fprintf(stderr, "Note on %s: %s.\n", std::string(s.law->name).c_str(), s.refused.c_str());
  }
  if (o.json) {
    print(report::comparison_json(scenario, comparison,
                                  o.sensitivity ? report::sensitivity_json(sensitivities) : ""));
  } else if (o.csv) {
    print(o.sensitivity ? report::sensitivity_csv(sensitivities)
                        : report::comparison_csv(comparison));
  } else {
    const report::Page page{.colour = wants_colour(o.colour), .width = page_width()};
    print(report::comparison_table(scenario, comparison, page));
    if (o.sensitivity) print("\n" + report::sensitivity_table(sensitivities, page));
  }
  if (files) draw(o, scenario, comparison, *files);
}

int solve_stream(const Arguments& o) {
  if (o.json || o.csv)
    throw InputError("--stream", "writes JSON lines; leave out --json and --csv");
  if (o.sensitivity) throw InputError("--sensitivity", "is of one impact; leave out --stream");
  if (!o.plot.empty()) throw InputError("--plot", "draws one impact; leave out --stream");
  if (!o.against.empty()) throw InputError("--against", "is of one impact; leave out --stream");
  if (o.euler_steps > 0) {
    throw InputError("--euler-steps",
                     "is an option of a line: {\"options\": {\"euler_steps\": N}}");
  }
  if (o.tolerance) require_tolerance(*o.tolerance, "--tolerance");
  if (o.laws.size() > 1) {
    throw InputError("--law", "takes one law with --stream, for lines that name none");
  }
  for (const std::string& name : o.laws) (void)find_law(name, "--law");
  const std::string law = o.laws.empty() ? "" : o.laws.front();
  std::FILE* in = stdin;
  if (!o.file.empty()) {
    in = std::filesystem::is_directory(o.file) ? nullptr : std::fopen(o.file.c_str(), "rb");
    if (in == nullptr) throw InputError("", "cannot be read (is it there, and a file?)", o.file);
  }
  const StreamEnd end = run_stream(in, stdout, law, o.tolerance);
  if (in != stdin) std::fclose(in);
  if (end == StreamEnd::cannot_read) throw std::runtime_error("cannot read the input to its end");
  if (end == StreamEnd::cannot_write) throw std::runtime_error("cannot write to standard output");
  return done;
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("solve", "Solve one impact with several laws and compare them");
  auto o = std::make_shared<Arguments>();
  cmd->add_option(
         "FILE", o->file,
         "Scenario (TOML, SI units), - for standard input, or the name of an example; with "
         "--stream JSON lines, default standard input")
      ->type_name("");
  cmd->add_option("-l,--law", o->laws,
                  "Use only these laws (names as in 'carom laws', comma-separated or repeated); "
                  "default: all that apply")
      ->delimiter(',')
      ->allow_extra_args(false)  // so that FILE may follow
      ->type_name("NAME");
  cmd->add_flag("--json", o->json, "Print a JSON object");
  cmd->add_flag("--csv", o->csv, "Print CSV: a row for each law, units in the header");
  cmd->add_flag("--sensitivity", o->sensitivity,
                "Also print derivatives with respect to coefficients and approach velocity, "
                "absolute and relative (with --csv only these)");
  cmd->add_option("--plot", o->plot,
                  "Draw the impact (Routh's diagram; in space the hodograph of slip; for several "
                  "contacts the course under lzb; vehicles from above) into a .svg, .png or .pdf "
                  "file; its record "
                  "(.json) and a script (.py) to restyle it are written next to it")
      ->type_name("PICTURE");
  cmd->add_option("--against", o->against,
                  "Print the distance of each law's velocity after from that of this law, "
                  "or with 'exact' from the exact process of its own hypothesis")
      ->type_name("LAW");
  cmd->add_option("--tolerance", o->tolerance,
                  "Relative tolerance of laws without closed form, 1e-14 to 1e-3; default 1e-12 in "
                  "space, 1e-9 for lzb")
      ->type_name("X");
  cmd->add_option("--over", o->over,
                  "With --plot, several contacts: draw the course over time (reconstructed) or "
                  "impulse (the sum of the normal impulses); default time")
      ->type_name("AXIS");
  cmd->add_option("--euler-steps", o->euler_steps,
                  "Several contacts: compute lzb by N steps of explicit Euler, as in the paper; "
                  "default: adaptive, to the tolerance")
      ->type_name("N")
      ->check([](const std::string& n) {
        const bool whole = !n.empty() && n.size() < 10 && n != "0" &&
                           n.find_first_not_of("0123456789") == std::string::npos;
        return whole ? "" : "must be a whole number in [1, 999999999], got '" + n + "'";
      });
  cmd->add_flag("--stream", o->stream, "JSON lines in, JSON lines out: one problem, one outcome");
  cmd->add_option("--color", o->colour, "Print serious verdicts in red: auto, always or never")
      ->type_name("WHEN");
  cmd->footer(
      "Examples:\n"
      "  carom solve bar\n"
      "  carom solve bar --law newton,energetic --csv\n"
      "  carom solve two-cars --law brach --sensitivity\n"
      "  carom solve vehicles/intersection --plot cars.svg\n"
      "  carom solve kane-levinson --plot routh.svg\n"
      "  carom solve space/rod --against exact --plot hodograph.pdf\n"
      "  carom solve many/disc-ball --plot course.svg --over impulse\n"
      "  carom solve --stream < problems.jsonl > outcomes.jsonl");
  const CLI::Option* plot = cmd->get_option("--plot");
  const CLI::Option* against = cmd->get_option("--against");
  const CLI::Option* over = cmd->get_option("--over");
  cmd->callback([o, plot, against, over, &exit_code] {
    if (against->count() > 0 && o->against.empty()) {
      throw InputError("--against", "must name a law, or be 'exact', got ''");
    }
    if (plot->count() > 0 && o->plot.empty()) {
      throw InputError("--plot", "must name a file that ends in .svg, .png or .pdf, got ''");
    }
    if (o->colour != "auto" && o->colour != "always" && o->colour != "never") {
      throw InputError("--color", "must be auto, always or never, got '" + o->colour + "'");
    }
    if (over->count() > 0 && o->over != "time" && o->over != "impulse") {
      throw InputError("--over", "must be time or impulse, got '" + o->over + "'");
    }
    if (over->count() > 0 && plot->count() == 0) throw InputError("--over", "is for --plot");
    if (o->json && o->csv) throw InputError("--json", "cannot be combined with --csv");
    if (o->stream) {
      exit_code = solve_stream(*o);
      return;
    }
    if (o->file.empty()) throw InputError("FILE", "is missing; give a scenario, or --stream");
    o->file = scenario_file(o->file, "solve");
    solve_file(*o);
    exit_code = done;
  });
}

}  // namespace carom::cli
