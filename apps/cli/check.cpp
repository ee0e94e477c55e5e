// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/sweep_request.hpp>
#include <carom/scenario/trajectory_request.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map/map.hpp>
#include <carom/study/varied_point.hpp>

#include "check_options.hpp"
#include "command_line.hpp"
#include "examples.hpp"

namespace carom::cli {
namespace {

/// Its [map], if there is one, at the corners.
void check_map(const std::string& text, const scenario::Scenario& s) {
  scenario::MapRequest request = s.map;
  if (!request.x) return;
  request.x->points = 2;
  if (request.y) request.y->points = 2;
  (void)study::compute_map(text, s.name, request);
}

/// The numbers that its [sweep] varies, if there is one.
std::vector<scenario::VariedNumber> checked_sweep(const std::string& text,
                                                  const std::string& file) {
  const scenario::Document document(text, file);
  std::vector<scenario::VariedNumber> numbers;
  if (!document.top().has("sweep")) return numbers;
  for (const scenario::SweepAxis& axis : scenario::read_sweep(document.top().table("sweep")).axes) {
    numbers.push_back(axis.number());
  }
  return numbers;
}

/// A scenario that moves can start.
std::string check_motion(const std::string& text, const std::string& file) {
  const scenario::MotionScenario s = scenario::parse_motion(text, file);
  (void)motion::start(*s.model, s.start, s.surfaces, s.options);
  std::string report = fmt::format("{}: ok: {} that moves, {} candidate contacts\n", file,
                                   s.system_type, s.model->contacts());
  scenario::Variation variation(text, file);
  for (const scenario::VariedNumber& n : checked_sweep(text, file)) {
    (void)variation.number(n.path);
  }
  for (const std::string& note : s.notes) report += fmt::format("{}: note: {}\n", file, note);
  return report;
}

/// A fit to trajectories: the scenario, the keys of [fit], and whether the data are there.
std::string check_trajectories(const std::string& text, const std::string& file) {
  const scenario::TrajectoryRequest r = scenario::parse_trajectory_fit(text, file);
  if (!std::filesystem::is_regular_file(r.data)) {
    throw InputError("fit.data", "no file " + r.data.string(), file);
  }
  return check_motion(text, file) +
         fmt::format("{}: ok: a fit to {}\n", file, r.data.filename().string());
}

/// A fit: its keys, and whether the data are there. `carom fit` reads them.
std::string check_fit(const std::string& text, const std::string& file) {
  const scenario::FitRequest r = scenario::parse_fit(text, file);
  if (!std::filesystem::is_regular_file(r.data)) {
    throw InputError("fit.data", "no file " + r.data.string(), file);
  }
  return fmt::format("{}: ok: {} {}\n", file,
                     r.only_relations ? "relations between the columns of" : "a fit to",
                     r.data.filename().string());
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  add_check_options(app, [&exit_code](const std::vector<std::string>& files) {
    exit_code = done;
    for (const std::string& given : files) {
      try {
        const std::string file = scenario_file(given, "check");
        const std::string text = scenario::read_text(file);
        if (scenario::is_trajectory_fit(text)) {
          print(check_trajectories(text, file));
          continue;
        }
        if (scenario::is_fit(text)) {
          print(check_fit(text, file));
          continue;
        }
        if (scenario::is_motion(text, file)) {
          print(check_motion(text, file));
          continue;
        }
        const auto scenario = scenario::parse(text, file);
        const std::size_t n = scenario.kind().contacts;
        const std::string contacts = n == 1 ? "" : fmt::format(" with {} contacts", n);
        std::string laws;
        for (const study::ChosenLaw& c : study::choose_laws(scenario, {}).chosen) {
          study::require_answerable(*c.law, scenario);
          laws.append(laws.empty() ? "" : ", ").append(c.law->name);
        }
        check_map(text, scenario);
        const auto swept = checked_sweep(text, file);
        (void)study::VariedPoint(text, file, swept).scenario();
        print(fmt::format("{}: ok: {}{}, laws {}{}{}\n", file, scenario.system_type, contacts, laws,
                          scenario.map.x ? "; map" : "", swept.empty() ? "" : "; sweep"));
      } catch (const InputError& e) {  // the other files are worth a look, too
        complain(e.what());
        exit_code = wrong_input;
      }
    }
  });
}

}  // namespace carom::cli
